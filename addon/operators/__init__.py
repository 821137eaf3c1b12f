# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can do, one verb per file."""

from .check_collisions import COLLISION_KIT_OT_check_collisions
from .check_convexity import COLLISION_KIT_OT_check_convexity
from .clear_culling import COLLISION_KIT_OT_clear_culling
from .clear_results import COLLISION_KIT_OT_clear_results
from .cull_to_camera import COLLISION_KIT_OT_cull_to_camera
from .hide_obstacle import COLLISION_KIT_OT_hide_obstacle
from .hide_outside_camera import COLLISION_KIT_OT_hide_outside_camera
from .select_checked import COLLISION_KIT_OT_select_checked
from .select_outside_camera import COLLISION_KIT_OT_select_outside_camera
from .select_pair import COLLISION_KIT_OT_select_pair
from .show_obstacle import COLLISION_KIT_OT_show_obstacle

CLASSES = (
    COLLISION_KIT_OT_check_collisions,
    COLLISION_KIT_OT_select_pair,
    COLLISION_KIT_OT_select_checked,
    COLLISION_KIT_OT_clear_results,
    COLLISION_KIT_OT_check_convexity,
    COLLISION_KIT_OT_show_obstacle,
    COLLISION_KIT_OT_hide_obstacle,
    COLLISION_KIT_OT_cull_to_camera,
    COLLISION_KIT_OT_select_outside_camera,
    COLLISION_KIT_OT_hide_outside_camera,
    COLLISION_KIT_OT_clear_culling,
)
