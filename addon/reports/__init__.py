# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports: text and an HTML page for people, JSON for programs, JUnit XML for build servers, and CSV."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import bcf as bcf
    from . import bcf_files as bcf_files
    from . import csv as csv
    from . import culling as culling
    from . import documents as documents
    from . import html as html
    from . import html_page as html_page
    from . import json as json
    from . import junit as junit
    from . import motion as motion
    from . import text as text
    from . import validation as validation

__getattr__ = modules_of(__name__)
