# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as text for people and as JSON for programs."""

from .json import as_json
from .names import NAMES
from .text import as_text

__all__ = ["NAMES", "as_json", "as_text"]
