# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlay of one pair of the last report."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary

import bpy

from ... import core
from ...core.constants import Verdict
from .. import collisions, debug_draw, viewport
from ..i18n.units import contact_text, said_text, separating_text, shown_gap, spoken_text
from ..model.message import Message
from ..model.report import PairResult, PairResults
from ..model.verdict_names import DEEP
from ..scene import events, reading
from ..scene.settings import results_list
from ..session.collision_results import Staleness, last_check
from ..system.late import np
from . import axis_explorer, framing, stage

if TYPE_CHECKING:
    from ...core.numerics.types import Floats
    from ...core.planar.world import PlacedWorld


# With more contact points than this, none has a label, because it would be unclear which label belongs to which.
MOST_LABELS = 4

# Length of arrows as a fraction of the smaller body's size, so that they neither vanish in it nor hide it, and its
# maximum as a fraction of the radius of the view.
ARROW_SHARE, FRAMED_SHARE = 0.35, 0.5

# By the rows of both shapes, as long as the world exists.
_crossings: "WeakKeyDictionary[core.World | PlacedWorld, dict[tuple[int, int], debug_draw.primitives.Primitives]]" = (
    WeakKeyDictionary()
)

# Pairs with a longer estimate than this, in seconds, are measured after the verdict has been drawn. In live mode, all
# pairs are, when nothing has changed for a moment.
AT_ONCE, SOON, QUIET = 0.2, 0.01, 0.3

_stepped_back = False


@dataclass(eq=False)
class PairDrawing(stage.Drawing):
    """A pair of the report, and the colors of all bodies.

    Attributes
    ----------
    row : int
        Row of `report.pairs`. -1: only the colors.
    pair : PairResult or None
        The pair in this row.
    by_verdict : bool
        Whether all bodies are colored by their verdicts.
    staleness : Staleness
        Staleness of the bodies when it was made.
    """

    row: int
    pair: PairResult | None
    by_verdict: bool
    staleness: Staleness

    def holds(self) -> bool:
        """Return whether the pair is unchanged. Live mode ensures that, and colors are drawn again."""
        if last_check.report is None:
            return False
        if last_check.followed:
            return True
        return self.by_verdict or self.pair is None or not last_check.pair_is_stale(self.pair)

    def outlives_undo(self) -> bool:
        """Return whether it may be valid in another state of the scene. `holds` detects stale bodies then."""
        return True


def show(context: bpy.types.Context, row: int) -> None:
    """Draw a row of the report, if it is up to date, and the colors of all bodies, if enabled."""
    global _stepped_back
    pair = last_check.pair(row)
    _stepped_back &= pair is None
    if pair is not None and last_check.pair_is_stale(pair):
        pair = None
    if pair is not None and not pair.complete and last_check.world is not None:
        pair = _measured(last_check.world, row, pair)
    wanted = results_list(context.window_manager)
    report, world = last_check.report, last_check.world
    by_verdict = wanted.explanation.by_verdict
    parts = []
    if report is not None and world is not None and wanted.show_overlay:
        if by_verdict:
            stale = np.array([last_check.body_is_stale(body) for body in report.bodies], np.bool_)
            parts.append(viewport.verdict_colors.verdict_primitives(report, world, stale))
        if pair is not None:
            parts += _pair(context, world, pair)
    if parts:
        drawn = row if pair is not None else -1
        primitives = debug_draw.primitives.concatenate(parts)
        stage.show(PairDrawing(primitives, last_check.place.scene_uid, drawn, pair, by_verdict, last_check.staleness()))
    elif pair is None:
        stage.clear()


def _measured(world: "core.World | PlacedWorld", row: int, pair: PairResult) -> PairResult:
    """Return the pair, measured in full if that is fast. Otherwise, it is measured after the known part is drawn."""
    shapes = np.array([[pair.shape_a, pair.shape_b]])
    late = float(collisions.blocks.costs(world, world.bounds(), shapes, evidence=True)[0]) > AT_ONCE
    if last_check.followed or (late and not bpy.app.background):
        _measure_later(QUIET if last_check.followed else SOON)
        return pair
    (found,) = collisions.pair_evidence.measured(world, PairResults.of([pair]), np.array([0]))
    last_check.keep_measured(row, found)
    return found


def _measure_later(seconds: float) -> None:
    if bpy.app.background:
        return  # no timers run, and nothing is drawn
    if bpy.app.timers.is_registered(_measure):
        bpy.app.timers.unregister(_measure)
    bpy.app.timers.register(_measure, first_interval=seconds)


def _measure() -> float | None:
    """Timer function: measure the drawn pair, and draw it again."""
    if events.is_paused():
        return QUIET
    drawing, world = stage.current(PairDrawing), last_check.world
    if drawing is None or drawing.pair is None or world is None or drawing.pair is not last_check.pair(drawing.row):
        return None
    if not drawing.pair.complete:
        (found,) = collisions.pair_evidence.measured(world, PairResults.of([drawing.pair]), np.array([0]))
        last_check.keep_measured(drawing.row, found)
        with events.in_a_window(bpy.context, last_check.place.scene_uid):
            show(bpy.context, drawing.row)
        events.redraw()
    return None


@events.on_reset.subscribe
def _forget() -> None:
    if not bpy.app.background and bpy.app.timers.is_registered(_measure):
        bpy.app.timers.unregister(_measure)


def step_back(context: bpy.types.Context) -> None:
    """Draw no pair until one is chosen again, because the user is working on something that it would cover."""
    global _stepped_back
    _stepped_back = True
    if stage.current(PairDrawing) is not None:
        show(context, -1)


def show_again(context: bpy.types.Context) -> None:
    """Draw the chosen pair if something else was drawn meanwhile, unless pairs are suspended."""
    show(context, -1 if _stepped_back else last_check.chosen)


def has_stepped_back() -> bool:
    """Return whether no pair is drawn because the user is working on something else."""
    return _stepped_back


def shown_row() -> int:
    """Return the row of the drawn pair. -1: none."""
    drawing = stage.current(PairDrawing)
    return drawing.row if drawing is not None else -1


def _pair(
    context: bpy.types.Context, world: "core.World | PlacedWorld", pair: PairResult
) -> "list[debug_draw.primitives.Primitives]":
    """Return the primitives of the chosen pair."""
    wanted, units = results_list(context.window_manager).explanation, context.scene.unit_settings
    size, middle = _size(world, pair), (pair.point_a + pair.point_b) / 2.0
    parts = list[debug_draw.primitives.Primitives]()
    translated = (
        wanted.separating_translation
        and pair.complete
        and pair.verdict in DEEP
        and pair.verdict != Verdict.DUPLICATE
        and not pair.faces
    )
    label = separating_text(pair, units) if translated else said_text(pair, units)
    drawn = pair if translated else _depth_of(pair)
    surfaces = _surfaces(world, pair, middle, label) if not translated else []
    if wanted.ruler and drawn is pair:
        explored = axis_explorer.explore(world, pair)
        _list_axes(wanted, len(explored.order) if explored is not None else 0)
        looked_at = axis_explorer.place() != 0
        if explored is not None and isinstance(world, core.World) and (looked_at or not surfaces):
            which = int(explored.order[axis_explorer.place()])
            gap = shown_gap(pair, float(explored.axes.gap[which]))
            text = Message("Overlap {length}" if gap < 0.0 else "Gap {length}", length=spoken_text(abs(gap), units))
            # The length along an axis other than the deciding one is not that of the pair.
            parts.append(
                debug_draw.explanation.axis_primitives(
                    world,
                    pair.shape_a,
                    pair.shape_b,
                    explored.axes,
                    which,
                    middle=middle,
                    size=size,
                    label=text if looked_at else Message(""),
                )
            )
            label = Message("") if looked_at else label
    if surfaces:
        edges = (
            debug_draw.shapes.shape_edges(world, row, role, focus=middle, size=size)
            for row, role in (
                (pair.shape_a, debug_draw.roles.Role.SHAPE_A),
                (pair.shape_b, debug_draw.roles.Role.SHAPE_B),
            )
        )
        return [*parts, *edges, *surfaces]
    if wanted.crossing and pair.distance < 0.0:
        parts.append(_crossing(world, pair.shape_a, pair.shape_b))
    count = len(pair.contact_points)
    # One number at a time, unless those of all contacts are enabled.
    depths = tuple(contact_text(pair, depth, units) for depth in pair.contact_depths[:MOST_LABELS])
    if not wanted.every_arrow or count > MOST_LABELS or len(set(depths)) < 2:
        depths = ()
    evidence = viewport.pair_primitives.evidence_primitives(
        world,
        drawn,
        size=size,
        arrow=_arrow(world, pair, size),
        label=label,
        contacts=wanted.contacts and not translated,
        every_arrow=wanted.every_arrow,
        depths=depths,
    )
    # If there is no room for all labels, the first are drawn: the length of the axis before those of contacts.
    return [*parts, evidence]


def _arrow(world: "core.World | PlacedWorld", pair: PairResult, size: float) -> float:
    """Return the length of arrows, so that their tips are visible where the view frames the pair."""
    framed = framing.place_of(last_check.report, world, pair).radius if last_check.report is not None else 0.0
    return min(ARROW_SHARE * size, FRAMED_SHARE * framed) if framed > 0.0 else ARROW_SHARE * size


def _surfaces(
    world: "core.World | PlacedWorld", pair: PairResult, middle: "Floats", label: str
) -> "list[debug_draw.primitives.Primitives]":
    """Return the surfaces that a verdict is about, with its words. Empty for verdicts about a depth or a distance.

    For coplanar bodies, the overlaps of their faces. For a duplicate or a contained body, all of it.
    """
    role = debug_draw.roles.Role
    if not isinstance(world, core.World) or pair.faces:
        return []
    if pair.verdict == Verdict.COPLANAR:
        faces = world.coplanar_faces([[pair.shape_a, pair.shape_b]], tolerance=pair.touching)
        place = faces.center[int(faces.area.argmax())] if len(faces) else middle
        overlaps = debug_draw.explanation.coplanar_primitives(faces)
        return [overlaps, debug_draw.primitives.as_label(place, role.COPLANAR, label)]
    if pair.verdict not in {Verdict.DUPLICATE, Verdict.CONTAINED}:
        return []
    rows = (pair.shape_a, pair.shape_b)
    lower, upper = reading.batches.bounds_of(world, rows)
    inner = int(np.linalg.norm(upper - lower, axis=1).argmin())
    of_verdict = role.WORST_DUPLICATE
    if pair.verdict == Verdict.CONTAINED:
        of_verdict = role.WORST_CONTAINED
        label = Message("inside {name}", name=last_check.body_name(last_check.bodies_of(pair)[1 - inner]))
    return [
        debug_draw.primitives.as_triangles(debug_draw.surfaces.shape_triangles(world, rows[inner]), of_verdict),
        debug_draw.shapes.shape_edges(world, rows[inner], of_verdict),
        debug_draw.primitives.as_label((lower[inner] + upper[inner]) / 2.0, of_verdict, label),
    ]


def _depth_of(pair: PairResult) -> PairResult:
    """Return the pair with its greatest depth instead of its separating translation, if they differ."""
    if not pair.held or not len(pair.contact_depths):
        return pair
    deepest = int(pair.contact_depths.argmax())
    point, normal = pair.contact_points[deepest], pair.contact_normals[deepest]
    half = pair.contact_depths[deepest] / 2.0 * normal
    return replace(
        pair, distance=-2.0 * float(np.linalg.norm(half)), normal=normal, point_a=point + half, point_b=point - half
    )


def _crossing(world: "core.World | PlacedWorld", row_a: int, row_b: int) -> "debug_draw.primitives.Primitives":
    """Return the curve in which two shapes cross, computed once because it takes long for two detailed meshes."""
    known = _crossings.setdefault(world, {})
    if (row_a, row_b) not in known:
        known[row_a, row_b] = debug_draw.explanation.crossing_primitives(world, row_a, row_b)
    return known[row_a, row_b]


def _list_axes(explanation: Any, count: int) -> None:
    """Give the list of axes a row for each axis."""
    rows = explanation.axes
    while len(rows) > count:
        rows.remove(len(rows) - 1)
    while len(rows) < count:
        rows.add()


@events.on_settled.subscribe
def _color_anew() -> None:
    """Draw the current colors of all bodies, if some have become stale."""
    drawing = stage.current(PairDrawing)
    if (
        drawing is not None
        and drawing.by_verdict
        and not last_check.followed
        and drawing.staleness != last_check.staleness()
    ):
        show(bpy.context, last_check.chosen)


last_check.on_new.subscribe(stage.refresh)


def _size(world: "core.World | PlacedWorld", pair: PairResult) -> float:
    """Return the diagonal of the smaller shape's bounds. If neither has any, the distance, or one unit."""
    lower, upper = reading.batches.bounds_of(world, (pair.shape_a, pair.shape_b))
    diagonal = np.linalg.norm(upper - lower, axis=1)
    sizes = diagonal[np.isfinite(diagonal) & (diagonal > 0.0)]
    return float(sizes.min()) if len(sizes) else abs(pair.distance) or 1.0
