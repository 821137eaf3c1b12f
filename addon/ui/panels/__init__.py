# SPDX-License-Identifier: GPL-3.0-or-later
"""Panels and menus of the tab "Collision". Panels draw properties and the session, and change neither."""

from . import menus
from .active_pair import COLLISION_KIT_PT_pair
from .axes import COLLISION_KIT_PT_axes, COLLISION_KIT_UL_axes
from .camera import COLLISION_KIT_PT_camera
from .character_presets import COLLISION_KIT_PT_character_presets
from .check import COLLISION_KIT_PT_check
from .check_presets import COLLISION_KIT_PT_check_presets
from .colliders import COLLISION_KIT_MT_convert, COLLISION_KIT_PT_colliders
from .contact import COLLISION_KIT_PT_contact
from .contact_list import COLLISION_KIT_UL_contacts
from .convexity import COLLISION_KIT_PT_convexity
from .coverage import COLLISION_KIT_PT_coverage, COLLISION_KIT_UL_compared
from .drawing import COLLISION_KIT_PT_drawing
from .fixes import COLLISION_KIT_PT_fixes
from .floating import COLLISION_KIT_PT_floating, COLLISION_KIT_UL_floating
from .gone import COLLISION_KIT_PT_gone
from .issue_list import COLLISION_KIT_UL_issues
from .issues import COLLISION_KIT_PT_issues, COLLISION_KIT_PT_skipped
from .motion import COLLISION_KIT_PT_motion
from .motion_issues import COLLISION_KIT_PT_motion_issues, COLLISION_KIT_PT_motion_skipped
from .name_presets import COLLISION_KIT_PT_name_presets
from .object import (
    COLLISION_KIT_PT_object,
    COLLISION_KIT_PT_object_groups,
    COLLISION_KIT_PT_object_surface,
    COLLISION_KIT_PT_physics,
    COLLISION_KIT_PT_physics_groups,
    COLLISION_KIT_PT_physics_surface,
)
from .obstacle import COLLISION_KIT_PT_obstacle
from .pair_list import COLLISION_KIT_UL_pairs
from .pair_table import COLLISION_KIT_UL_pair_table
from .pie import COLLISION_KIT_MT_pie_context_menu
from .planar import COLLISION_KIT_PT_planar
from .probe import (
    COLLISION_KIT_PT_probe,
    COLLISION_KIT_PT_probe_issues,
    COLLISION_KIT_PT_probe_skipped,
    COLLISION_KIT_PT_walk_issue,
    COLLISION_KIT_UL_starts,
)
from .results import COLLISION_KIT_PT_results
from .rules import COLLISION_KIT_PT_rules, COLLISION_KIT_UL_ignore_rules, COLLISION_KIT_UL_pair_tests
from .validation import (
    COLLISION_KIT_PT_validation,
    COLLISION_KIT_PT_validation_done,
    COLLISION_KIT_PT_validation_limits,
)
from .walk_issue_list import COLLISION_KIT_UL_walk_issues

# In the order of appearance, a parent before its children.
CLASSES = (
    COLLISION_KIT_MT_convert,
    *menus.CLASSES,
    COLLISION_KIT_UL_pairs,
    COLLISION_KIT_UL_pair_table,
    COLLISION_KIT_UL_axes,
    COLLISION_KIT_UL_contacts,
    COLLISION_KIT_MT_pie_context_menu,
    COLLISION_KIT_PT_check_presets,
    COLLISION_KIT_PT_name_presets,
    COLLISION_KIT_PT_character_presets,
    COLLISION_KIT_PT_check,
    COLLISION_KIT_UL_pair_tests,
    COLLISION_KIT_UL_ignore_rules,
    COLLISION_KIT_PT_rules,
    COLLISION_KIT_PT_physics,
    COLLISION_KIT_PT_physics_groups,
    COLLISION_KIT_PT_physics_surface,
    COLLISION_KIT_PT_results,
    # Next to the list, so that the buttons stay where they are from pair to pair.
    COLLISION_KIT_PT_fixes,
    COLLISION_KIT_PT_pair,
    COLLISION_KIT_PT_axes,
    COLLISION_KIT_PT_drawing,
    COLLISION_KIT_PT_gone,
    COLLISION_KIT_PT_issues,
    COLLISION_KIT_PT_skipped,
    COLLISION_KIT_UL_floating,
    COLLISION_KIT_PT_floating,
    # Below the results: it appears with the first active object, and must not move the list under the pointer.
    COLLISION_KIT_PT_object,
    COLLISION_KIT_PT_object_groups,
    COLLISION_KIT_PT_object_surface,
    COLLISION_KIT_PT_colliders,
    COLLISION_KIT_UL_issues,
    COLLISION_KIT_PT_validation,
    COLLISION_KIT_PT_validation_done,
    COLLISION_KIT_PT_validation_limits,
    COLLISION_KIT_UL_compared,
    COLLISION_KIT_PT_coverage,
    COLLISION_KIT_PT_motion,
    COLLISION_KIT_PT_contact,
    COLLISION_KIT_PT_motion_issues,
    COLLISION_KIT_PT_motion_skipped,
    COLLISION_KIT_UL_starts,
    COLLISION_KIT_UL_walk_issues,
    COLLISION_KIT_PT_probe,
    COLLISION_KIT_PT_walk_issue,
    COLLISION_KIT_PT_probe_issues,
    COLLISION_KIT_PT_probe_skipped,
    COLLISION_KIT_PT_planar,
    COLLISION_KIT_PT_camera,
    COLLISION_KIT_PT_obstacle,
    COLLISION_KIT_PT_convexity,
)
