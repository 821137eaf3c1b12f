# SPDX-License-Identifier: GPL-3.0-or-later
"""The reports: as text and as a page for people, as JSON for programs, as JUnit XML for build servers."""

from ..model.verdict_names import NAMES
from .culling import cull_as_json, cull_as_text
from .html import as_html
from .json import as_json
from .junit import as_junit
from .motion import failing, motion_as_json, motion_as_text
from .text import as_text

__all__ = [
    "NAMES",
    "as_html",
    "as_json",
    "as_junit",
    "as_text",
    "cull_as_json",
    "cull_as_text",
    "failing",
    "motion_as_json",
    "motion_as_text",
]
