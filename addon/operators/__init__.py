# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can do, one verb per file."""

from .check_collisions import COLLISION_KIT_OT_check_collisions
from .clear_results import COLLISION_KIT_OT_clear_results
from .select_checked import COLLISION_KIT_OT_select_checked
from .select_pair import COLLISION_KIT_OT_select_pair

CLASSES = (
    COLLISION_KIT_OT_check_collisions,
    COLLISION_KIT_OT_select_pair,
    COLLISION_KIT_OT_select_checked,
    COLLISION_KIT_OT_clear_results,
)
