# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user sees: the tab "Collision". Panels draw properties and the session, and change neither."""

from .camera import COLLISION_KIT_PT_camera
from .check import COLLISION_KIT_PT_check
from .convexity import COLLISION_KIT_PT_convexity
from .findings import COLLISION_KIT_PT_findings, COLLISION_KIT_PT_skipped
from .object import COLLISION_KIT_PT_object
from .obstacle import COLLISION_KIT_PT_obstacle
from .pair import COLLISION_KIT_PT_pair
from .pair_list import COLLISION_KIT_UL_pairs
from .results import COLLISION_KIT_PT_results

# In the order in which they appear; a parent before its children.
CLASSES = (
    COLLISION_KIT_UL_pairs,
    COLLISION_KIT_PT_check,
    COLLISION_KIT_PT_object,
    COLLISION_KIT_PT_results,
    COLLISION_KIT_PT_pair,
    COLLISION_KIT_PT_findings,
    COLLISION_KIT_PT_skipped,
    COLLISION_KIT_PT_camera,
    COLLISION_KIT_PT_obstacle,
    COLLISION_KIT_PT_convexity,
)
