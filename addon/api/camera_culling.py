# SPDX-License-Identifier: GPL-3.0-or-later
"""The objects that a camera sees."""

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
    """Find out which objects a camera sees, wholly or partly, and which not.

    Parameters
    ----------
    camera : str
        Its name; empty: the active one.
    frames : (first, last), optional
        None: the current frame.
    exact : bool
        False: by planes alone, as engines cull.
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
        If there is no such camera or scene, or it has no frustum.

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
    """The objects of a report by where they are in the view.

    Parameters
    ----------
    report : CullReport
    which : str
        OUTSIDE, CROSSING or INSIDE.

    Returns
    -------
    list of bpy.types.Object
        Sorted by name; without those that are gone.

    Raises
    ------
    ValueError
        If it is no report of culling, or there is no such place.

    Examples
    --------
    ::

        for ob in api.culled_objects(api.cull_to_camera(), "OUTSIDE"):
            ob.select_set(True)
    """
    return list(objects_by_uid(_uids(report, which)).values())


def hide_outside_camera(report: CullReport) -> list[bpy.types.Object]:
    """Hide what a report found outside the view, in the viewport. Renders are not affected.

    Parameters
    ----------
    report : CullReport

    Returns
    -------
    list of bpy.types.Object
        What is hidden now and could be seen before.

    Raises
    ------
    ValueError
        If it is no report of culling.

    Examples
    --------
    ::

        api.hide_outside_camera(api.cull_to_camera())
    """
    return hide_objects(bpy.context, map(ObjectKey, _uids(report, "OUTSIDE")))


def _uids(report: CullReport, which: str) -> list[int]:
    arguments.report(report, CullReport)
    return report.uids(_VERDICTS[arguments.one_of("which", which, _VERDICTS)])
