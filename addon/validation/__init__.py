# SPDX-License-Identifier: GPL-3.0-or-later
"""Validation of colliders for engines, and fixes."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import check as check
    from . import convexity as convexity
    from . import coverage as coverage
    from . import fixes as fixes
    from . import on_export as on_export
    from . import run as run

__getattr__ = modules_of(__name__)
