# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the interface about the planes in which a scene is checked."""

import bpy

from ...i18n.lookup import tip_
from ...scene import outlines
from ...scene.settings import check_settings, scene_settings


def plane_missing(context: bpy.types.Context) -> str:
    """Return why the plane of the settings cannot be used, as a tooltip. Empty if it can, or none is set."""
    plane = check_settings(context).plane
    problem = outlines.planes.plane_problem(context.scene, plane) if plane is not None else None
    return tip_(problem.reason, name=problem.name) if problem is not None else ""


def pieces_missing(context: bpy.types.Context) -> str:
    """Return why outlines cannot be seen in the chosen plane, whether checks are planar or not."""
    problem = outlines.planes.plane_problem(context.scene, scene_settings(context).planar.plane)
    return tip_(problem.reason, name=problem.name) if problem is not None else ""
