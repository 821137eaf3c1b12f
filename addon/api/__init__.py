# SPDX-License-Identifier: GPL-3.0-or-later
"""The functions for scripts: everything that a click does, in Blender with or without a window.

Installed as an extension or with pip, the same::

    from bl_ext.user_default.collision_kit import api   # the extension
    from collision_kit import api                       # pip install collision-kit[blender]

    report = api.check_collisions(scope="ALL", clearance=0.01)
    for pair in api.faults(report):
        print(*api.names(report, pair), pair.verdict.name, pair.distance)
    api.save_report(report, "collisions.json")

Each function has the name and the defaults of the operator that does the same. Where an operator works on the
selection, the function takes objects. Lengths are in Blender units, in world space. The functions do not select, draw
or store results. The add-on does not have to be enabled: importing `api` registers the properties that are stored in
files, and nothing else.

Requests that cannot be carried out raise `ValueError`, often its subclass `UserError`. A name without an object raises
`KeyError`.
"""

from ...core.constants import Verdict
from ...core.convexity import Convexity
from ...core.fit import FitQuality
from ..asset_rules.limits import Limits
from ..colliders.outline_pieces import OutlinePieces
from ..collisions.check import Progress
from ..fixes.crossing_faces import IntersectingFaces
from ..fixes.fix_result import FixResult
from ..model.coverage_report import CoverageReport
from ..model.culling_report import CullReport
from ..model.errors import UserError
from ..model.floating import Floating
from ..model.motion_report import MotionContact, MotionReport
from ..model.probe_report import ProbeIssue, ProbeReport
from ..model.report import PairResult
from ..model.rules import IgnoreRule, PairTest, Pattern
from ..model.suggestions import SuggestedRule
from ..model.topics import Topic
from ..model.validation_report import ValidationIssue, ValidationReport
from ..motion.check import Progress as MotionProgress
from ..scene.accepted_pairs import AcceptedPair
from ..scene.objects.collision_settings import ObjectSettings
from .accepting import accept_pair, accepted_pairs, accepted_reason, stop_accepting_all_pairs, stop_accepting_pair
from .camera_culling import cull_to_camera, culled_objects, hide_outside_camera
from .checking import CollisionReport, check_collisions, check_collisions_steps, duplicates_of, faults, names
from .collider_coverage import coverage
from .collider_making import (
    Collider,
    MadeColliders,
    collider_quality,
    colliders_of,
    convert_collider,
    copy_collider_settings,
    make_collider,
    make_collider_pieces,
    mirror_collider,
    rename_colliders,
    render_mesh_of,
)
from .collider_validation import collider_limits, fix_issue, fix_issues, issue_text, validate_colliders
from .configuration import (
    export_configuration,
    ignore_pair,
    ignore_rules,
    import_configuration,
    pair_tests,
    set_ignore_rules,
    set_pair_tests,
    suggest_rules,
)
from .engine_scripts import save_import_script
from .fbx_files import export_fbx
from .fixing import drop_to_surface, move_away, nudge, push_apart, snap_to_contact
from .gltf_files import ImportedFile, export_gltf, import_gltf
from .mesh_questions import (
    Axis,
    Obstacle,
    candidate_axes,
    check_convexity,
    find_convex_pieces,
    find_intersecting_faces,
    find_obstacle,
    make_convex_pieces,
)
from .motion_check import add_contact_markers, check_motion, check_motion_steps, remove_contact_markers
from .probing import accept_walk_issue, accepted_walk_issues, probe, show_path, stop_accepting_walk_issue
from .report_files import load_bcf, pair_topic, report_text, save_report, set_pair_topic
from .stored_settings import (
    CheckSettings,
    apply_check_preset,
    check_settings,
    collision_settings,
    copy_collision_settings,
    reset_collision_settings,
    set_collision_settings,
)
from .support import floating
from .urdf_files import export_urdf
from .usd_files import export_usd

__all__ = [
    "AcceptedPair",
    "Axis",
    "CheckSettings",
    "Collider",
    "CollisionReport",
    "Convexity",
    "CoverageReport",
    "CullReport",
    "FitQuality",
    "FixResult",
    "Floating",
    "IgnoreRule",
    "ImportedFile",
    "IntersectingFaces",
    "Limits",
    "MadeColliders",
    "MotionContact",
    "MotionProgress",
    "MotionReport",
    "ObjectSettings",
    "Obstacle",
    "OutlinePieces",
    "PairResult",
    "PairTest",
    "Pattern",
    "ProbeIssue",
    "ProbeReport",
    "Progress",
    "SuggestedRule",
    "Topic",
    "UserError",
    "ValidationIssue",
    "ValidationReport",
    "Verdict",
    "accept_pair",
    "accept_walk_issue",
    "accepted_pairs",
    "accepted_reason",
    "accepted_walk_issues",
    "add_contact_markers",
    "apply_check_preset",
    "candidate_axes",
    "check_collisions",
    "check_collisions_steps",
    "check_convexity",
    "check_motion",
    "check_motion_steps",
    "check_settings",
    "collider_limits",
    "collider_quality",
    "colliders_of",
    "collision_settings",
    "convert_collider",
    "copy_collider_settings",
    "copy_collision_settings",
    "coverage",
    "cull_to_camera",
    "culled_objects",
    "drop_to_surface",
    "duplicates_of",
    "export_configuration",
    "export_fbx",
    "export_gltf",
    "export_urdf",
    "export_usd",
    "faults",
    "find_convex_pieces",
    "find_intersecting_faces",
    "find_obstacle",
    "fix_issue",
    "fix_issues",
    "floating",
    "hide_outside_camera",
    "ignore_pair",
    "ignore_rules",
    "import_configuration",
    "import_gltf",
    "issue_text",
    "load_bcf",
    "make_collider",
    "make_collider_pieces",
    "make_convex_pieces",
    "mirror_collider",
    "move_away",
    "names",
    "nudge",
    "pair_tests",
    "pair_topic",
    "probe",
    "push_apart",
    "remove_contact_markers",
    "rename_colliders",
    "render_mesh_of",
    "report_text",
    "reset_collision_settings",
    "save_import_script",
    "save_report",
    "set_collision_settings",
    "set_ignore_rules",
    "set_pair_tests",
    "set_pair_topic",
    "show_path",
    "snap_to_contact",
    "stop_accepting_all_pairs",
    "stop_accepting_pair",
    "stop_accepting_walk_issue",
    "suggest_rules",
    "validate_colliders",
]
