# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the objects that a camera sees."""

from typing import Literal

import bpy

from ...core.constants import CROSSING, INSIDE, OUTSIDE
from ..culling import check
from ..model.culling_report import CullReport, CullRequest
from ..model.report import ObjectKey
from ..scene import arguments
from ..scene.coverage import hidden_shown
from ..scene.object_states import in_scene
from ..scene.objects.selection import hide_objects
from ..scene.open_file import objects_by_uid
from .choices import View

_VERDICTS = {"OUTSIDE": OUTSIDE, "CROSSING": CROSSING, "INSIDE": INSIDE}


def cull_to_camera(
    camera: str = "",
    *,
    frames: tuple[int, int] | None = None,
    exact: bool = True,
    scope: Literal["VISIBLE", "SELECTED", "ALL"] = "VISIBLE",
    include_hidden: bool = False,
    scene: str = "",
) -> CullReport:
    """Find out which objects a camera sees entirely, partly or not at all.

    Parameters
    ----------
    camera : str
        Name of the camera. Empty: the active camera.
    frames : (first, last), optional
        None: the current frame.
    exact : bool
        False: test against the frustum planes only, as engines do.
    scope : str
        VISIBLE, SELECTED or ALL.
    include_hidden, scene
        As for `check_collisions`.

    Returns
    -------
    CullReport

    Raises
    ------
    ValueError
        If the camera or the scene does not exist, or the camera has no frustum.

    Examples
    --------
    ::

        report = api.cull_to_camera(frames=(1, 120))
        print([ob.name for ob in api.culled_objects(report, "OUTSIDE")])
    """
    arguments.texts(camera=camera, scope=scope, scene=scene)
    request = CullRequest(scope, bool(exact), arguments.frames(frames), camera)
    with in_scene(bpy.context, scene), hidden_shown(bpy.context, bool(include_hidden)):
        return check.cull(bpy.context, request).report


def culled_objects(report: CullReport, which: View = "OUTSIDE") -> list[bpy.types.Object]:
    """Return the objects of a report by their place in the view.

    Parameters
    ----------
    report : CullReport
    which : str
        OUTSIDE, CROSSING or INSIDE.

    Returns
    -------
    list of bpy.types.Object
        Sorted by name. Objects that no longer exist are left out.

    Raises
    ------
    ValueError
        If `report` is not a culling report, or `which` is unknown.

    Examples
    --------
    ::

        for ob in api.culled_objects(api.cull_to_camera(), "OUTSIDE"):
            ob.select_set(True)
    """
    return list(objects_by_uid(_uids(report, which)).values())


def hide_outside_camera(report: CullReport) -> list[bpy.types.Object]:
    """Hide the objects outside the view in the viewport. Renders are not affected.

    Parameters
    ----------
    report : CullReport

    Returns
    -------
    list of bpy.types.Object
        Objects that were visible and are hidden now.

    Raises
    ------
    ValueError
        If `report` is not a culling report.

    Examples
    --------
    ::

        api.hide_outside_camera(api.cull_to_camera())
    """
    return hide_objects(bpy.context, map(ObjectKey, _uids(report, "OUTSIDE")))


def _uids(report: CullReport, which: str) -> list[int]:
    arguments.report(report, CullReport)
    return report.uids(_VERDICTS[arguments.one_of("which", which, _VERDICTS)])
