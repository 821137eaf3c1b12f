# SPDX-License-Identifier: GPL-3.0-or-later
"""Probe a level with a walking character."""

from collections.abc import Sequence

import bpy

from ..model.probe_report import ProbeIssue, ProbeReport, ProbeRequest, path_name
from ..probing import check
from ..scene import accepted_walk_issues as stored
from ..scene import arguments
from ..scene.accepted_pairs import scene_of
from ..scene.coverage import hidden_shown
from ..scene.object_states import in_scene
from ..scene.objects import path_curves


def probe(
    starts: Sequence[str] = (),
    *,
    radius: float = 0.4,
    height: float = 1.8,
    step: float = 0.35,
    slope: float = 45.0,
    drop: float = 2.0,
    spacing: float = 0.25,
    ball: bool = False,
    margin: float | None = None,
    scope: str = "ALL",
    collection: str = "",
    include_hidden: bool = False,
    scene: str = "",
) -> ProbeReport:
    """Let a character walk on the colliders from start points, wherever it can go, and report problems.

    Lengths are in Blender units.

    Parameters
    ----------
    starts : sequence of str
        Names of empties or objects. The character begins on the floor below their origins. Empty: objects whose names
        begin with "start" or "spawn".
    radius, height, step, slope, drop, spacing, margin
        See `collision_kit.core.Character` and `collision_kit.core.probe`.
    ball : bool
        Roll a ball of this radius instead.
    scope, collection
        As for `check_collisions`.
    include_hidden, scene
        As for `check_collisions`.

    Returns
    -------
    ProbeReport

    Raises
    ------
    ValueError
        If a start, the scope, the collection or the scene does not exist, there is no floor below a start, or a size is
        out of range.

    Examples
    --------
    ::

        report = api.probe(["Start"], drop=3.0)
        print([(one.kind, one.objects, one.measure) for one in report.found])
    """
    arguments.texts(scope=scope, collection=collection, scene=scene)
    if isinstance(starts, str):
        raise ValueError(f"starts: {starts!r}, but a list of names is needed")
    request = ProbeRequest(
        scope, collection, tuple(starts), radius, height, step, slope, drop, spacing, bool(ball), margin
    )
    with in_scene(bpy.context, scene), hidden_shown(bpy.context, bool(include_hidden)):
        return check.probe(bpy.context, request)


def accept_walk_issue(report: ProbeReport, issue: ProbeIssue, reason: str = "") -> None:
    """Accept an issue as intended. The scene stores its id with the reason, and later reports show it as accepted.

    Parameters
    ----------
    report : ProbeReport
        A report on a scene of the open file.
    issue : ProbeIssue
        An issue of the report.
    reason : str
        Why it is intended. Replaces the reason of an issue that was accepted before.

    Raises
    ------
    ValueError
        If the report belongs to another file or scene, the report does not contain the issue, or the scene is linked.

    Examples
    --------
    ::

        for one in report.found:
            if one.kind == "stuck" and "Trap" in one.objects:
                api.accept_walk_issue(report, one, "it is a trap")
    """
    arguments.texts(reason=reason)
    stored.accept(_scene(report, issue), [issue.id], reason.strip())


def stop_accepting_walk_issue(report: ProbeReport, issue: ProbeIssue) -> bool:
    """Report an issue again.

    Parameters
    ----------
    report, issue
        As for `accept_walk_issue`.

    Returns
    -------
    bool
        True if the issue was accepted.

    Raises
    ------
    ValueError
        As for `accept_walk_issue`.

    Examples
    --------
    ::

        api.stop_accepting_walk_issue(report, report.found[0])
    """
    return bool(stored.withdraw(_scene(report, issue), [issue.id]))


def accepted_walk_issues() -> dict[str, str]:
    """Return the issues that the current scene stores as accepted, whether or not they still occur.

    Returns
    -------
    dict of str to str
        The reason for each id.

    Examples
    --------
    ::

        print(len(api.accepted_walk_issues()))
    """
    return stored.reasons(bpy.context.scene)


def show_path(report: ProbeReport, issue: ProbeIssue) -> bpy.types.Object:
    """Make a curve from the start to the place of an issue. Checks skip it.

    Parameters
    ----------
    report, issue
        As for `accept_walk_issue`.

    Returns
    -------
    bpy.types.Object
        The curve, in the collection of the current scene.

    Raises
    ------
    ValueError
        As for `accept_walk_issue`.

    Examples
    --------
    ::

        for one in report.found:
            api.show_path(report, one)
    """
    _scene(report, issue)
    return path_curves.make_path(bpy.context, path_name(issue), report.way(issue))


def _scene(report: ProbeReport, issue: ProbeIssue) -> bpy.types.Scene:
    """Return the scene of a report; raise ValueError if the report does not contain the issue."""
    arguments.report(report, ProbeReport)
    scene = scene_of(report)
    if scene is None:
        raise ValueError(f"report: it is of the scene {report.scene!r} of another file, or that is gone")
    if not any(one is issue for one in report.found):
        raise ValueError("issue: it is none of the report's")
    return scene
