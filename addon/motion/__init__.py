# SPDX-License-Identifier: GPL-3.0-or-later
"""Motion check: when moving objects first touch, including between frames."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import approach as approach
    from . import broad_phase as broad_phase
    from . import check as check
    from . import contact_records as contact_records
    from . import course as course
    from . import depths as depths
    from . import markers as markers
    from . import near_misses as near_misses
    from . import queries as queries
    from . import sampling as sampling
    from . import search as search

__getattr__ = modules_of(__name__)
