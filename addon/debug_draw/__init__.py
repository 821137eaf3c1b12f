# SPDX-License-Identifier: GPL-3.0-or-later
"""Results and shapes as lines, points, labels and triangles to be drawn: with roles, without colors."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import curve as curve
    from . import explanation as explanation
    from . import extract as extract
    from . import features as features
    from . import floating as floating
    from . import frustum as frustum
    from . import heat_map as heat_map
    from . import margins as margins
    from . import mesh_lines as mesh_lines
    from . import motion as motion
    from . import obstacle as obstacle
    from . import planar as planar
    from . import primitives as primitives
    from . import roles as roles
    from . import ruler as ruler
    from . import shapes as shapes
    from . import strokes as strokes
    from . import surfaces as surfaces

__getattr__ = modules_of(__name__)
