# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of objects in a plane, for checks in 2D."""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import outline_issues as outline_issues
    from . import outline_maker as outline_maker
    from . import plane_shapes as plane_shapes
    from . import planes as planes
    from . import read_outlines as read_outlines
    from . import wires as wires

__getattr__ = modules_of(__name__)
