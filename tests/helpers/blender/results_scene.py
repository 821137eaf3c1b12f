# SPDX-License-Identifier: GPL-3.0-or-later
"""Many pairs with known depths, and what the list of results shows for them."""

import bpy
import numpy as np

from collision_kit.addon.model.marks import NO_MARKS, PairMarks
from collision_kit.addon.model.report import Body, ObjectKey, PairResult, Report, Settings, Units
from collision_kit.addon.scene.events import Place
from collision_kit.addon.session.collision_results import CollisionResult, last_check
from collision_kit.addon.ui.result_list import rows as results_rows
from collision_kit.addon.ui.result_list.part import ALL
from collision_kit.addon.ui.result_list.view import ResultsView, Wish
from collision_kit.core import Verdict, World

NOWHERE = np.zeros(3)
SETTINGS = Settings("VISIBLE", "", "", None, 0.0)


def results() -> bpy.types.PropertyGroup:
    """The list in Blender."""
    return bpy.context.window_manager.collision_kit


def list_everything() -> None:
    """List all results, worst first. Blender keeps the settings of earlier tests."""
    for name in results().view.bl_rna.properties.keys():  # noqa: SIM118
        if name not in {"rna_type", "name"}:
            results().view.property_unset(name)
    results_rows.view.__init__()  # type: ignore[misc]
    results_rows.show_part(ALL)


def listed() -> list[str]:
    """The entries of the list in order: names of pairs and, in brackets, of the objects that pairs are listed under."""
    lines, report = results_rows.lines(results()), last_check.report
    assert report is not None
    return [
        f"[{last_check.body_name(report.bodies[body])}]" if row < 0 else last_check.pair_name(report.pairs[row])
        for row, body in zip(lines.pair.tolist(), lines.body.tolist(), strict=True)
    ]


def pair(a: int, b: int, distance: float, verdict: Verdict = Verdict.PENETRATING) -> PairResult:
    """A pair for which only the bodies, the verdict and the depth matter."""
    return PairResult(
        a, b, verdict, distance, np.array([0.0, 0.0, 1.0]), NOWHERE, NOWHERE, np.empty((0, 3)), np.empty(0), a, b
    )


def report(names: list[str], pairs: list[PairResult], scope: str = "VISIBLE") -> Report:
    """A report of bodies with these names, which are numbered from 1 as objects."""
    return Report(
        file="",
        scene="Scene",
        frame=1,
        scope=scope,
        units=Units("METRIC", 1.0, "METERS"),
        touching=0.0,
        clearance=0.0,
        bodies=tuple(Body(name, ObjectKey(uid)) for uid, name in enumerate(names, start=1)),
        shapes=(),
        pairs=tuple(pairs),
    )


def session(found: Report, settings: Settings = SETTINGS) -> CollisionResult:
    """A session that contains a report."""
    made = CollisionResult()
    made.store(found, World([]), settings, Place(1, "ViewLayer"))
    names = {body.key.session_uid: body.name for body in found.bodies}
    made.depend_on({}, names)
    return made


def rows(found: Report, wish: Wish, marks: PairMarks = NO_MARKS) -> list[int]:
    """The rows of a report in a list, from top to bottom; -1 for headings."""
    lines: list[int] = ResultsView().lines(session(found), wish, marks).pair.tolist()
    return lines
