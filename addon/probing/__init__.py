# SPDX-License-Identifier: GPL-3.0-or-later
"""A character that walks the level: from the objects of a scene to a report."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import check as check

__getattr__ = modules_of(__name__)
