# SPDX-License-Identifier: GPL-3.0-or-later
"""What the user can do; a file for each command, or for the few that belong together."""

from .accepted_pairs import COLLISION_KIT_OT_accept_pair, COLLISION_KIT_OT_unaccept_pair
from .add_contact_markers import COLLISION_KIT_OT_add_contact_markers
from .check_collisions import COLLISION_KIT_OT_check_collisions
from .check_convexity import COLLISION_KIT_OT_check_convexity
from .check_motion import COLLISION_KIT_OT_check_motion
from .check_presets import COLLISION_KIT_OT_add_check_preset, COLLISION_KIT_OT_apply_check_preset
from .clear_motion import COLLISION_KIT_OT_clear_motion
from .compare_fits import COLLISION_KIT_OT_compare_fits
from .convert_collider import COLLISION_KIT_OT_convert_collider
from .copy_collider_settings import COLLISION_KIT_OT_copy_collider_settings
from .copy_collision_settings import COLLISION_KIT_OT_copy_collision_settings
from .copy_report import COLLISION_KIT_OT_copy_report
from .culling import (
    COLLISION_KIT_OT_clear_culling,
    COLLISION_KIT_OT_cull_to_camera,
    COLLISION_KIT_OT_hide_outside_camera,
    COLLISION_KIT_OT_select_outside_camera,
)
from .display_colliders import COLLISION_KIT_OT_display_colliders, COLLISION_KIT_OT_hide_colliders
from .export_scene import (
    COLLISION_KIT_OT_export_fbx,
    COLLISION_KIT_OT_export_gltf,
    COLLISION_KIT_OT_export_urdf,
    COLLISION_KIT_OT_export_usd,
)
from .fix_all import COLLISION_KIT_OT_fix_all
from .fix_finding import COLLISION_KIT_OT_fix_finding
from .hide_convex_pieces import COLLISION_KIT_OT_hide_convex_pieces
from .isolate_pair import COLLISION_KIT_OT_isolate_pair
from .jump_to_contact import COLLISION_KIT_OT_jump_to_contact
from .load_topics import COLLISION_KIT_OT_load_topics
from .make_collider import COLLISION_KIT_OT_make_collider
from .make_collider_pieces import COLLISION_KIT_OT_make_collider_pieces
from .make_convex_pieces import COLLISION_KIT_OT_make_convex_pieces
from .mirror_collider import COLLISION_KIT_OT_mirror_collider
from .name_presets import COLLISION_KIT_OT_add_name_preset, COLLISION_KIT_OT_apply_name_preset
from .obstacle import COLLISION_KIT_OT_hide_obstacle, COLLISION_KIT_OT_show_obstacle
from .pair_matrix import COLLISION_KIT_OT_filter_results, COLLISION_KIT_OT_pair_matrix
from .remove_contact_markers import COLLISION_KIT_OT_remove_contact_markers
from .rename_colliders import COLLISION_KIT_OT_rename_colliders
from .reset_collision_settings import COLLISION_KIT_OT_reset_collision_settings
from .rest_on import COLLISION_KIT_OT_rest_on
from .results import (
    COLLISION_KIT_OT_clear_results,
    COLLISION_KIT_OT_select_checked,
    COLLISION_KIT_OT_select_verdict,
    COLLISION_KIT_OT_show_all_results,
)
from .results_table import COLLISION_KIT_OT_results_table
from .rules import (
    COLLISION_KIT_OT_edit_rules,
    COLLISION_KIT_OT_export_configuration,
    COLLISION_KIT_OT_ignore_pair,
    COLLISION_KIT_OT_import_configuration,
)
from .save_engine_script import COLLISION_KIT_OT_save_engine_script
from .save_report import COLLISION_KIT_OT_save_report
from .select_crossing_faces import COLLISION_KIT_OT_select_crossing_faces
from .select_duplicates import COLLISION_KIT_OT_select_duplicates
from .select_finding import COLLISION_KIT_OT_select_finding
from .select_pair import COLLISION_KIT_OT_select_pair
from .select_related import COLLISION_KIT_OT_select_colliders, COLLISION_KIT_OT_select_render_mesh
from .separate import COLLISION_KIT_OT_separate
from .show_convex_pieces import COLLISION_KIT_OT_show_convex_pieces
from .snap_contact import COLLISION_KIT_OT_snap_contact
from .step_axis import COLLISION_KIT_OT_step_axis
from .step_results import COLLISION_KIT_OT_next_result, COLLISION_KIT_OT_previous_result
from .suggest_rules import COLLISION_KIT_OT_suggest_rules
from .validate_colliders import COLLISION_KIT_OT_validate_colliders

CLASSES = (
    COLLISION_KIT_OT_make_collider,
    COLLISION_KIT_OT_make_collider_pieces,
    COLLISION_KIT_OT_compare_fits,
    COLLISION_KIT_OT_convert_collider,
    COLLISION_KIT_OT_mirror_collider,
    COLLISION_KIT_OT_copy_collider_settings,
    COLLISION_KIT_OT_rename_colliders,
    COLLISION_KIT_OT_apply_name_preset,
    COLLISION_KIT_OT_add_name_preset,
    COLLISION_KIT_OT_display_colliders,
    COLLISION_KIT_OT_hide_colliders,
    COLLISION_KIT_OT_select_colliders,
    COLLISION_KIT_OT_select_render_mesh,
    COLLISION_KIT_OT_copy_collision_settings,
    COLLISION_KIT_OT_reset_collision_settings,
    COLLISION_KIT_OT_apply_check_preset,
    COLLISION_KIT_OT_add_check_preset,
    COLLISION_KIT_OT_check_collisions,
    COLLISION_KIT_OT_select_pair,
    COLLISION_KIT_OT_select_duplicates,
    COLLISION_KIT_OT_step_axis,
    COLLISION_KIT_OT_next_result,
    COLLISION_KIT_OT_previous_result,
    COLLISION_KIT_OT_isolate_pair,
    COLLISION_KIT_OT_accept_pair,
    COLLISION_KIT_OT_unaccept_pair,
    COLLISION_KIT_OT_pair_matrix,
    COLLISION_KIT_OT_filter_results,
    COLLISION_KIT_OT_ignore_pair,
    COLLISION_KIT_OT_suggest_rules,
    COLLISION_KIT_OT_edit_rules,
    COLLISION_KIT_OT_import_configuration,
    COLLISION_KIT_OT_export_configuration,
    COLLISION_KIT_OT_select_checked,
    COLLISION_KIT_OT_results_table,
    COLLISION_KIT_OT_select_verdict,
    COLLISION_KIT_OT_show_all_results,
    COLLISION_KIT_OT_copy_report,
    COLLISION_KIT_OT_save_report,
    COLLISION_KIT_OT_load_topics,
    COLLISION_KIT_OT_clear_results,
    COLLISION_KIT_OT_separate,
    COLLISION_KIT_OT_rest_on,
    COLLISION_KIT_OT_snap_contact,
    COLLISION_KIT_OT_select_crossing_faces,
    COLLISION_KIT_OT_check_convexity,
    COLLISION_KIT_OT_show_obstacle,
    COLLISION_KIT_OT_hide_obstacle,
    COLLISION_KIT_OT_show_convex_pieces,
    COLLISION_KIT_OT_hide_convex_pieces,
    COLLISION_KIT_OT_make_convex_pieces,
    COLLISION_KIT_OT_cull_to_camera,
    COLLISION_KIT_OT_select_outside_camera,
    COLLISION_KIT_OT_hide_outside_camera,
    COLLISION_KIT_OT_clear_culling,
    COLLISION_KIT_OT_check_motion,
    COLLISION_KIT_OT_jump_to_contact,
    COLLISION_KIT_OT_add_contact_markers,
    COLLISION_KIT_OT_remove_contact_markers,
    COLLISION_KIT_OT_clear_motion,
    COLLISION_KIT_OT_validate_colliders,
    COLLISION_KIT_OT_select_finding,
    COLLISION_KIT_OT_fix_finding,
    COLLISION_KIT_OT_fix_all,
    COLLISION_KIT_OT_export_gltf,
    COLLISION_KIT_OT_export_fbx,
    COLLISION_KIT_OT_export_usd,
    COLLISION_KIT_OT_save_engine_script,
    COLLISION_KIT_OT_export_urdf,
)
