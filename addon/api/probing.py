# SPDX-License-Identifier: GPL-3.0-or-later
"""A character that walks the level."""

from collections.abc import Sequence

import bpy

from ..model.probe_report import ProbeFinding, ProbeReport, ProbeRequest, path_name
from ..probing import check
from ..scene import accepted_findings as stored
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
    """Let a character walk on the colliders from some starts, wherever it can go, and find what goes wrong.

    Lengths are in Blender units.

    Parameters
    ----------
    starts : sequence of str
        The names of empties or objects. The character begins on the floor below their origins. Empty: those whose
        names begin with "start" or "spawn".
    radius, height, step, slope, drop, spacing, margin
        See `collision_kit.core.Character` and `collision_kit.core.probe`.
    ball : bool
        A ball of this radius rolls instead.
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
        If there is no start, scope, collection or scene of a name, no floor below a start, or a size is out of its
        range.

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


def accept_finding(report: ProbeReport, finding: ProbeFinding, reason: str = "") -> None:
    """Mark a place as intended. The scene keeps its id with the reason, and later reports have it as accepted.

    Parameters
    ----------
    report : ProbeReport
        Of a scene of the open file.
    finding : ProbeFinding
        One of the report's.
    reason : str
        Why it is intended. A finding that was accepted before gets the new one.

    Raises
    ------
    ValueError
        If the report is of another file or scene, the finding is none of its, or the scene is linked.

    Examples
    --------
    ::

        for one in report.found:
            if one.kind == "stuck" and "Trap" in one.objects:
                api.accept_finding(report, one, "it is a trap")
    """
    arguments.texts(reason=reason)
    stored.accept(_scene(report, finding), [finding.id], reason.strip())


def stop_accepting_finding(report: ProbeReport, finding: ProbeFinding) -> bool:
    """Report a finding again.

    Parameters
    ----------
    report, finding
        As for `accept_finding`.

    Returns
    -------
    bool
        Whether it was accepted.

    Raises
    ------
    ValueError
        As for `accept_finding`.

    Examples
    --------
    ::

        api.stop_accepting_finding(report, report.found[0])
    """
    return bool(stored.withdraw(_scene(report, finding), [finding.id]))


def accepted_findings() -> dict[str, str]:
    """The findings that the current scene keeps as accepted, whether or not they are still found.

    Returns
    -------
    dict of str to str
        The reason for each id.

    Examples
    --------
    ::

        print(len(api.accepted_findings()))
    """
    return stored.reasons(bpy.context.scene)


def show_path(report: ProbeReport, finding: ProbeFinding) -> bpy.types.Object:
    """Make a curve from the start to the place of a finding. No check tests it.

    Parameters
    ----------
    report, finding
        As for `accept_finding`.

    Returns
    -------
    bpy.types.Object
        The curve. It is in the collection of the current scene.

    Raises
    ------
    ValueError
        As for `accept_finding`.

    Examples
    --------
    ::

        for one in report.found:
            api.show_path(report, one)
    """
    _scene(report, finding)
    return path_curves.make_path(bpy.context, path_name(finding), report.way(finding))


def _scene(report: ProbeReport, finding: ProbeFinding) -> bpy.types.Scene:
    """The scene of a report, if the finding is one of its."""
    arguments.report(report, ProbeReport)
    scene = scene_of(report)
    if scene is None:
        raise ValueError(f"report: it is of the scene {report.scene!r} of another file, or that is gone")
    if not any(one is finding for one in report.found):
        raise ValueError("finding: it is none of the report's")
    return scene
