# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts call: checks, fixes and files, in Blender with or without a window.

Installed as an extension or with pip, the same::

    from bl_ext.user_default.collision_kit import api   # the extension
    from collision_kit import api                       # pip install collision-kit[blender]

    report = api.check(scope="ALL", clearance=0.01)
    for pair in api.faults(report):
        print(*api.names(report, pair), pair.verdict.name, pair.distance)
    api.save(report, "collisions.json")

Lengths are Blender units, in the world. Nothing here selects, draws or keeps anything, needs the add-on to be switched
on, or changes the scene, but for `separate` and `rest_on`, which move objects.
"""

from collections.abc import Generator, Iterable
from math import inf
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ..core import Verdict
from .collisions.blocks import BLOCK
from .collisions.check import Progress, steps
from .culling import check as culling
from .fixes import moving as fixes
from .fixes.outcome import Outcome
from .model.culling_report import CullReport, Request
from .model.marks import NO_MARKS, Marks
from .model.motion_report import MotionReport
from .model.report import PairResult, Report, Settings
from .model.steps import exhausted
from .model.verdict_names import FAULTS
from .motion import check as motions
from .reports import cull_as_json, cull_as_text, motion_as_json, motion_as_text
from .reports.documents import ENDINGS, document
from .scene import accepted_pairs, arguments
from .scene.scope import ScopeSelection
from .scene.settings import NAME
from .system.files import encoded, write_whole

__all__ = [
    "CullReport",
    "MotionReport",
    "Outcome",
    "PairResult",
    "Progress",
    "Report",
    "Verdict",
    "check",
    "check_steps",
    "cull",
    "faults",
    "motion",
    "names",
    "rest_on",
    "save",
    "separate",
]

Objects = Iterable[bpy.types.Object | str]

_MOTION_FORMATS = {".txt": motion_as_text, ".json": motion_as_json}
_CULL_FORMATS = {".txt": cull_as_text, ".json": cull_as_json}


def check(
    objects: Objects | None = None,
    *,
    against: Objects | None = None,
    scope: str = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    clearance: float = 0.0,
    touching: float | None = None,
    plane: str | None = None,
    include_operands: bool = False,
) -> Report:
    """Find out which objects collide, in the current frame of the current scene.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str, optional
        Test these, each against each other. None: those of the scope.
    against : iterable of bpy.types.Object or str, optional
        Test `objects` against these alone.
    scope : str
        VISIBLE, ALL, SELECTED, ACTIVE, CAMERA, COLLECTION or COLLECTIONS, as in the panel.
    collection, other_collection : str
        Names of the collections that the last two speak of.
    clearance : float
        Report pairs that come nearer than this, too.
    touching : float, optional
        Surfaces no farther apart and no deeper than this touch. None: for each pair the rounding of its coordinates.
    plane : str, optional
        XY, XZ, YZ or CAMERA: test outlines in that plane. None: in space.
    include_operands : bool
        Test operands of Boolean modifiers that are displayed as wire or bounds, or not rendered, as well.

    Returns
    -------
    Report
        Its `pairs` come worst first, with verdict, distance (negative: depth), normal from A to B, and contacts.

    Raises
    ------
    KeyError
        If there is no object of some name.
    ValueError
        If a collection or a usable camera is missing, an object is not in the current view layer, `against` comes
        without `objects`, or an argument is not what it should be; the error names it.
    """
    settings = Settings(scope, collection, other_collection, touching, clearance, plane, include_operands)
    return exhausted(_check_steps(objects, against, settings, inf))


def check_steps(
    objects: Objects | None = None,
    *,
    against: Objects | None = None,
    scope: str = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    clearance: float = 0.0,
    touching: float | None = None,
    plane: str | None = None,
    include_operands: bool = False,
) -> Generator[Progress, None, Report]:
    """`check` in steps of about a tenth of a second, for those who show how far it is or may want to stop.

    For example::

        steps = api.check_steps(scope="ALL")
        while True:
            try:
                progress = next(steps)
            except StopIteration as end:
                report = end.value
                break
            print(f"{progress.done} of {progress.total} pairs, {progress.collisions} collisions so far")

    As long as `progress.total` is 0 the scene is being read, and must not change.

    Parameters and errors as for `check`; nothing is done, and nothing raised, before the first step.

    Returns
    -------
    Report
        What the generator returns, in the `value` of its `StopIteration`.
    """
    settings = Settings(scope, collection, other_collection, touching, clearance, plane, include_operands)
    return _check_steps(objects, against, settings, BLOCK)


def faults(report: Report) -> list[PairResult]:
    """The pairs of a report that penetrate or of which one holds the other, without those that were accepted."""
    arguments.report(report, Report)
    marks = _marks(report)
    return [report.pairs[row] for row in marks.open_rows(report, FAULTS)]


def names(report: Report, pair: PairResult) -> tuple[str, str]:
    """The names of the two bodies of a pair."""
    return report.bodies[pair.body_a].name, report.bodies[pair.body_b].name


def motion(
    *,
    scope: str = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    start: int | None = None,
    end: int | None = None,
    deviation: float | None = None,
    include_operands: bool = False,
) -> MotionReport:
    """Find out when objects touch between two frames; see `addon.motion.check.motion`. The current frame stays.

    Parameters
    ----------
    scope, collection, other_collection : as for `check`
    start, end : int, optional
        First and last frame. None: the scene's.
    deviation : float, optional
        How far an object may stray from the motion that is tested before it is looked at more often.
    include_operands : bool
        As for `check`.

    Raises
    ------
    ValueError
        As `addon.motion.check.steps`.
    """
    arguments.texts(scope=scope, collection=collection, other_collection=other_collection)
    start, end = arguments.frame("start", start), arguments.frame("end", end)
    return motions.motion(
        bpy.context,
        scope,
        start=start,
        end=end,
        collection_a=collection,
        collection_b=other_collection,
        deviation=deviation,
        include_operands=include_operands,
    )


def cull(
    camera: str = "", *, frames: tuple[int, int] | None = None, exact: bool = True, scope: str = "VISIBLE"
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

    Raises
    ------
    ValueError
        If there is no such camera, or it has no frustum.
    """
    arguments.texts(camera=camera, scope=scope)
    return culling.cull(bpy.context, Request(scope, bool(exact), arguments.frames(frames), camera)).report


def separate(
    objects: Objects,
    *,
    together: bool = False,
    scope: str = "VISIBLE",
    touching: float | None = None,
    include_operands: bool = False,
) -> Outcome:
    """Move objects out of everything they penetrate in a scope, as little as possible.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
    together : bool
        Those that penetrate each other give way by halves; else the smaller give way first.
    scope, touching, include_operands : as for `check`

    Returns
    -------
    Outcome
        What was moved by how much, what could not be and why, and what still penetrates.
    """
    arguments.texts(scope=scope)
    settings = Settings(scope, "", "", touching, 0.0, include_operands=include_operands)
    chosen = arguments.objects("objects", objects)
    return fixes.separate(bpy.context, chosen, together=together, settings=settings)


def rest_on(
    objects: Objects,
    direction: ArrayLike = (0.0, 0.0, -1.0),
    *,
    separate_first: bool = False,
    scope: str = "VISIBLE",
    touching: float | None = None,
    include_operands: bool = False,
) -> Outcome:
    """Move objects along a direction of the world until each touches something.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
    direction : (3,) array-like
        Of any length but zero.
    separate_first : bool
        Move what penetrates something out of it before; else it stays.
    scope, touching, include_operands : as for `check`

    Raises
    ------
    ValueError
        If the direction is none.
    """
    arguments.texts(scope=scope)
    try:
        way = np.asarray(direction, dtype=np.float64)
    except (TypeError, ValueError):
        way = np.empty(0)
    if way.shape != (3,) or not np.isfinite(way).all() or not way.any():
        raise ValueError(f"direction: {direction!r} is not one of (3,) numbers")
    way = way / np.abs(way).max()
    way /= np.linalg.norm(way)
    settings = Settings(scope, "", "", touching, 0.0, include_operands=include_operands)
    chosen = arguments.objects("objects", objects)
    return fixes.rest_on(bpy.context, chosen, lambda _ob: way, separate_first=separate_first, settings=settings)


def save(report: Report | MotionReport | CullReport, path: str | Path) -> Path:
    """Write a report to a file, whole or not at all; its ending says in which format.

    Parameters
    ----------
    report : Report, MotionReport or CullReport
    path : str or Path
        .json or .txt; of a `Report` also .html (without pictures) and .xml (JUnit).

    Raises
    ------
    ValueError
        For any other ending, and for what is no report or no path.
    OSError
        If it cannot be written.
    """
    arguments.report(report, Report, MotionReport, CullReport)
    target = arguments.path(path)
    ending = target.suffix.lower()
    endings = ENDINGS if isinstance(report, Report) else _MOTION_FORMATS
    if ending not in endings:
        raise ValueError(f"{target.name!r} ends in none of {', '.join(endings)}")
    if isinstance(report, Report):
        text = document(ENDINGS[ending], report, _marks(report))
    elif isinstance(report, MotionReport):
        text = _MOTION_FORMATS[ending](report)
    else:
        text = _CULL_FORMATS[ending](report)
    write_whole(target, encoded(text))
    return target


def _check_steps(
    objects: Objects | None, against: Objects | None, settings: Settings, seconds: float
) -> Generator[Progress, None, Report]:
    names = {"collection": settings.collection_a, "other_collection": settings.collection_b}
    arguments.texts(scope=settings.scope, **names, plane=settings.plane or "")
    selection = None
    if objects is not None:
        others = None if against is None else arguments.objects("against", against)
        selection = ScopeSelection(arguments.objects("objects", objects), others)
        settings = settings._replace(scope="OBJECTS", collection_a="", collection_b="")
    elif against is not None:
        raise ValueError("against: given without objects")
    else:
        # What a script has just made is in no view layer yet.
        bpy.context.view_layer.update()
    report, _ = yield from steps(bpy.context, settings, selection, seconds=seconds)
    return report


def _marks(report: Report) -> Marks:
    """The accepted pairs of the scene that a report is of, if that is there."""
    scene: bpy.types.Scene | None = bpy.data.scenes.get(report.scene)
    if scene is None or report.file != bpy.data.filepath or not hasattr(scene, NAME):
        return NO_MARKS
    return Marks(accepted_pairs.rows(scene, report))
