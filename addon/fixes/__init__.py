# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixes that move objects until they no longer collide, or until they touch."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import crossing_faces as crossing_faces
    from . import first_to_move as first_to_move
    from . import fix_result as fix_result
    from . import mesh_crossings as mesh_crossings
    from . import moving as moving
    from . import obstacles as obstacles
    from . import problem as problem
    from . import scene_fixing as scene_fixing
    from . import shortest_ways as shortest_ways
    from . import solver as solver
    from . import ways_ahead as ways_ahead

__getattr__ = modules_of(__name__)
