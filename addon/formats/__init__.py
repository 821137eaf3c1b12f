# SPDX-License-Identifier: GPL-3.0-or-later
"""The reports as text for people and as JSON for programs."""

from .cull import cull_as_json, cull_as_text
from .json import as_json
from .names import NAMES
from .text import as_text

__all__ = ["NAMES", "as_json", "as_text", "cull_as_json", "cull_as_text"]
