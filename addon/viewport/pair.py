# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlay of one pair of the last report."""

from collections.abc import Generator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakKeyDictionary

import bpy

from ... import core
from ...core.constants import Verdict
from .. import collisions, debug_draw, fixes, viewport
from ..i18n.units import contact_text, separating_text, shortest_move_text, shown_gap, spoken_text, through_text
from ..model.message import Message
from ..model.report import PairResult, PairResults, Report
from ..model.steps import after
from ..model.verdict_names import DEEP
from ..scene import events, reading
from ..scene.settings import results_list
from ..session import stored_results
from ..session.collision_results import Staleness, last_check
from ..system.late import np
from . import axis_explorer, framing, spoken, stage

if TYPE_CHECKING:
    from ...core.numerics.types import Floats
    from ...core.planar.world import PlacedWorld


# With more contact points than this, none has a label, because it would be unclear which label belongs to which.
MOST_LABELS = 4

# Length of arrows as a fraction of the smaller body's size, so that they neither vanish in it nor hide it, and its
# maximum as a fraction of the radius of the view.
ARROW_SHARE, FRAMED_SHARE = 0.35, 0.5

# Of a pair, a body that is so many times as large as the other is not filled in the color of its verdict.
_LARGER = 4.0

# An arrow whose length differs from that of the way by this factor is not to scale.
_LONGER = 1.5

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
    mover : str
        A or B: the object whose way out is drawn. Empty: none.
    """

    row: int
    pair: PairResult | None
    by_verdict: bool
    staleness: Staleness
    mover: str = ""

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
    if pair is not None:
        fixes.shortest_ways.look_ahead(context, pair)
    wanted = results_list(context.window_manager)
    report, world = last_check.report, last_check.world
    by_verdict = wanted.explanation.by_verdict
    parts, way = [], None
    if report is not None and world is not None and wanted.show_overlay:
        if by_verdict:
            stale = np.array([last_check.body_is_stale(body) for body in report.bodies], np.bool_)
            parts.append(viewport.verdict_colors.verdict_primitives(report, world, stale, _surroundings(world, pair)))
        way = _way(context, report, world, pair) if pair is not None else None
        if pair is not None:
            parts += _pair(context, report, world, pair, way)
    if parts:
        drawn = row if pair is not None else -1
        primitives = debug_draw.primitives.concatenate(parts)
        primitives = viewport.legend.with_legend(primitives, _legend(pair, way, by_verdict=by_verdict))
        mover = way.shortest.which if way is not None else ""
        stage.show(
            PairDrawing(primitives, last_check.place.scene_uid, drawn, pair, by_verdict, last_check.staleness(), mover)
        )
    elif pair is None:
        stage.clear()


def _measured(world: "core.World | PlacedWorld", row: int, pair: PairResult) -> PairResult:
    """Return the pair, measured in full if that is fast. Otherwise, it is measured after the known part is drawn."""
    if last_check.followed:
        _measure_later(QUIET)
        return pair
    shapes = np.array([[pair.shape_a, pair.shape_b]])
    estimate = float(collisions.blocks.costs(world, world.bounds(), shapes, evidence=True)[0])
    if (estimate > AT_ONCE or pair.at_least) and not bpy.app.background:
        _measure_later(SOON)
        return pair
    return _kept(world, row, pair)


def in_full(row: int) -> PairResult | None:
    """Return a pair of the report, measured in full if only a lower bound of its depth is known.

    A pair that is stale cannot be measured. None if the row does not exist.
    """
    pair, world = last_check.pair(row), last_check.world
    if pair is None or world is None or not pair.at_least or last_check.pair_is_stale(pair):
        return pair
    return _kept(world, row, pair)


def _kept(world: "core.World | PlacedWorld", row: int, pair: PairResult) -> PairResult:
    """Measure a pair in full and store it with the results."""
    (found,) = collisions.pair_evidence.measured(world, PairResults.of([pair]), np.array([0]))
    last_check.keep_measured(row, found)
    return found


def _measure_later(seconds: float) -> None:
    if bpy.app.background:
        return  # no timers run, and nothing is drawn
    if bpy.app.timers.is_registered(_measure):
        bpy.app.timers.unregister(_measure)
    bpy.app.timers.register(_measure, first_interval=seconds)


@dataclass(frozen=True, eq=False)
class _Measuring:
    """The steps that measure a pair in full."""

    pair: PairResult
    steps: Generator[int, None, PairResults]


_measuring: _Measuring | None = None


def _measure() -> float | None:
    """Timer function: measure the drawn pair in steps, and draw it again. Another pair ends it."""
    global _measuring
    if events.is_paused():
        return QUIET
    drawing, world = stage.current(PairDrawing), last_check.world
    if drawing is None or drawing.pair is None or world is None or drawing.pair is not last_check.pair(drawing.row):
        _measuring = None
        return None
    # If a step fails, nothing of this measuring is left.
    now, _measuring = _measuring, None
    if drawing.pair.complete:
        return None
    if now is None or now.pair is not drawing.pair:
        results = PairResults.of([drawing.pair])
        steps = collisions.pair_evidence.measuring(world, results, np.array([0]))
        now = _Measuring(drawing.pair, steps)
    late = after(collisions.blocks.BLOCK)
    while not late():
        try:
            next(now.steps)
        except StopIteration as end:
            last_check.keep_measured(drawing.row, end.value[0])
            with events.in_a_window(bpy.context, last_check.place.scene_uid):
                show(bpy.context, drawing.row)
            events.redraw()
            return None
    _measuring = now
    return SOON


@events.on_reset.subscribe
def _forget() -> None:
    global _measuring
    _measuring = None
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


class _Way(NamedTuple):
    """The way of the object that moves first out of the other.

    Attributes
    ----------
    shortest : ShortestWay
    tail, vector : (3,) float64
        The arrow.
    label : str
    replaces_depth : bool
        Whether it is drawn instead of the depth.
    """

    shortest: "fixes.shortest_ways.ShortestWay"
    tail: "Floats"
    vector: "Floats"
    label: str
    replaces_depth: bool


def _way(
    context: bpy.types.Context, report: Report, world: "core.World | PlacedWorld", pair: PairResult
) -> _Way | None:
    """Return the way out or away that the sidebar describes. None if it describes none, or for a possible press fit.

    Of a body that goes through the other, or that the other holds on several sides, it is as long as it is, but not
    longer than what the view shows. Otherwise, it begins as the depth, and extends beyond it to be seen.
    """
    if not pair.complete or pair.faces or fixes.shortest_ways.moves_as_one(pair):
        return None
    if pair.verdict == Verdict.WITHIN_CLEARANCE:
        shortest = fixes.shortest_ways.ways_apart(context, pair)[0]
        length = shortest.length + _arrow(report, world, pair, _size(world, pair))
        tail = pair.point_a if shortest.which == "A" else pair.point_b
        return _Way(shortest, tail, length * shortest.direction, Message(""), replaces_depth=False)
    if pair.verdict not in DEEP or pair.verdict == Verdict.DUPLICATE or spoken.may_be_a_fit(pair):
        return None
    shortest, units = fixes.shortest_ways.ways(context, pair)[0], context.scene.unit_settings
    name, first = last_check.body_name(shortest.body), shortest.which == "A"
    translated = bool(results_list(context.window_manager).explanation.separating_translation)
    length, more = shortest.length, shortest.at_least
    label = separating_text(name, length, units, at_least=more) if translated else Message("")
    center, radius = framing.place_of(report, world, pair)
    through = framing.goes_through(world, pair)
    aside = bool(np.linalg.norm(shortest.length * shortest.direction - _shortest(pair, first=first)) > pair.touching)
    if through and not aside:
        shown = framing.way_in_view(report, world, pair)
        tail, tip = (shown.point_a, shown.point_b) if first else (shown.point_b, shown.point_a)
        label = label or through_text(length, units, at_least=more)
        return _Way(shortest, tail, tip - tail, label, replaces_depth=True)
    if through or aside or pair.held or pair.verdict == Verdict.CONTAINED:
        length = min(length, framing.REACH * radius) if radius > 0.0 else length
        if through:
            label = label or through_text(shortest.length, units, at_least=more)
        elif pair.verdict != Verdict.CONTAINED and not translated and not aside:
            label = shortest_move_text(shortest.length, units, at_least=more)
        return _Way(shortest, center, length * shortest.direction, label, replaces_depth=translated or through)
    length = shortest.length + _arrow(report, world, pair, _size(world, pair))
    tail = pair.point_a if first else pair.point_b
    return _Way(shortest, tail, length * shortest.direction, label, replaces_depth=translated)


def _shortest(pair: PairResult, *, first: bool) -> "Floats":
    """Return the shortest translation of the first or the second object out of the other."""
    vector = abs(pair.distance) * pair.normal
    return -vector if first else vector


def _pair(
    context: bpy.types.Context, report: Report, world: "core.World | PlacedWorld", pair: PairResult, way: _Way | None
) -> "list[debug_draw.primitives.Primitives]":
    """Return the primitives of the chosen pair."""
    wanted, units = results_list(context.window_manager).explanation, context.scene.unit_settings
    size, middle, role = _size(world, pair), (pair.point_a + pair.point_b) / 2.0, debug_draw.roles.Role
    parts, label = list[debug_draw.primitives.Primitives](), spoken.said(pair, units)
    surfaces = _surfaces(world, pair, middle, size, label)
    through, drawn = framing.goes_through(world, pair), _depth_of(pair)
    frees = through or (way is not None and way.replaces_depth)
    if wanted.ruler and not frees and drawn is pair:
        explored = axis_explorer.explore(world, pair)
        _list_axes(wanted, len(explored.order) if explored is not None else 0)
        looked_at = axis_explorer.place() != 0
        if explored is not None and isinstance(world, core.World) and (looked_at or not surfaces):
            which = int(explored.order[axis_explorer.place()])
            gap = shown_gap(pair, float(explored.axes.gap[which]))
            text = Message(
                "overlap along this axis: {length}" if gap < 0.0 else "gap along this axis: {length}",
                length=spoken_text(abs(gap), units),
            )

            def axis(*, with_ruler: bool) -> "debug_draw.primitives.Primitives":
                # The length along an axis other than the deciding one is not that of the pair.
                return debug_draw.explanation.axis_primitives(
                    world,
                    pair.shape_a,
                    pair.shape_b,
                    explored.axes,
                    which,
                    middle=middle,
                    size=size,
                    label=text if looked_at else Message(""),
                    with_ruler=with_ruler,
                )

            part, place = axis(with_ruler=True), framing.place_of(report, world, pair)
            if not looked_at and not viewport.legend.is_near(part, role.INTERVAL_A, *place):
                part = axis(with_ruler=False)
            parts.append(part)
            label = Message("") if looked_at else label
    arrow = _arrow(report, world, pair, size)
    if way is not None:
        radius = framing.place_of(report, world, pair).radius
        length = float(np.linalg.norm(way.vector))
        head = debug_draw.extract.HEAD * (min(length, FRAMED_SHARE * radius) if radius > 0.0 else length)
        # That a body goes through is what is wrong with the pair.
        of_label = viewport.verdict_colors.ROLES[pair.verdict] if through else role.WAY
        parts.append(debug_draw.extract.way_primitives(way.tail, way.vector, head, way.label, label_role=of_label))
    if surfaces:
        return [*parts, *surfaces]
    if wanted.crossing and pair.distance < 0.0:
        parts.append(_crossing(world, pair.shape_a, pair.shape_b))
    if frees:
        # The contacts of a body that goes through are not as deep as its way out is long.
        if way is None:
            center = framing.place_of(report, world, pair).center
            of_label = viewport.verdict_colors.ROLES[pair.verdict]
            parts.append(debug_draw.primitives.as_label(center, of_label, label))
        return [*parts, *_edges(world, pair, middle, size)]
    count = len(pair.contact_points)
    # One number at a time, unless those of all contacts are enabled.
    depths = tuple(contact_text(pair, depth, units) for depth in pair.contact_depths[:MOST_LABELS])
    if not wanted.every_arrow or count > MOST_LABELS or len(set(depths)) < 2:
        depths = ()
    evidence = viewport.pair_primitives.evidence_primitives(
        world,
        drawn,
        size=size,
        arrow=arrow,
        label=label,
        label_role=viewport.verdict_colors.ROLES[pair.verdict],
        # A way out begins at the object's end of the depth and goes beyond the other object. One from a gap does not.
        label_at_a=(way.shortest.which == "A") == (pair.distance < 0.0) if way is not None and drawn is pair else None,
        contacts=wanted.contacts,
        every_arrow=wanted.every_arrow,
        depths=depths,
    )
    # If there is no room for all labels, the first are drawn: the length of the depth before those of contacts.
    return [evidence, *parts]


def _edges(
    world: "core.World | PlacedWorld", pair: PairResult, middle: "Floats", size: float
) -> "list[debug_draw.primitives.Primitives]":
    """Return the edges of both shapes."""
    role = debug_draw.roles.Role
    return [
        debug_draw.shapes.shape_edges(world, row, own, focus=middle, size=size)
        for row, own in ((pair.shape_a, role.SHAPE_A), (pair.shape_b, role.SHAPE_B))
    ]


def _legend(pair: PairResult | None, way: _Way | None, *, by_verdict: bool) -> "dict[debug_draw.roles.Role, str]":
    """Return the meanings of the colors: the objects of the drawn pair, and the verdicts, if they are drawn."""
    role, meanings = debug_draw.roles.Role, viewport.legend.meanings_of
    found = dict[debug_draw.roles.Role, str]()
    if pair is not None:
        names = tuple(map(last_check.body_name, last_check.bodies_of(pair)))
        found |= meanings(SHAPE_A=names[0], SHAPE_B=names[1])
        if not by_verdict:
            found |= viewport.verdict_colors.OF_PAIR
            world = last_check.world
            if pair.verdict in {Verdict.DUPLICATE, Verdict.CONTAINED} and world is not None:
                of_verdict = role.WORST_DUPLICATE if pair.verdict == Verdict.DUPLICATE else role.CONTAINED
                inner = framing.inner_side(world, pair) if pair.verdict == Verdict.CONTAINED else 0
                verdict = viewport.verdict_colors.OF_PAIR[of_verdict]
                # All of a duplicate is drawn in this color, so neither object has one of its own.
                both = Message("{name} and {other}", name=names[0], other=names[1])
                text = both if of_verdict == role.WORST_DUPLICATE else names[inner]
                found[of_verdict] = Message("{text} ({reason})", text=text, reason=verdict)
        found |= meanings(role.CURVE, role.CONTACT, role.DEPTH, role.GAP, role.RULER)
        if way is not None:
            drawn, length = float(np.linalg.norm(way.vector)), way.shortest.length
            true = 1.0 / _LONGER < drawn / length < _LONGER if length else True
            found[role.WAY] = Message(
                "move {name} this way" if true else "move {name} this way (not to scale)",
                name=last_check.body_name(way.shortest.body),
            )
    if by_verdict:
        found |= viewport.verdict_colors.MEANINGS
    return found


def _arrow(report: Report, world: "core.World | PlacedWorld", pair: PairResult, size: float) -> float:
    """Return the length of arrows, so that their tips are visible where the view frames the pair."""
    framed = framing.place_of(report, world, pair).radius
    return min(ARROW_SHARE * size, FRAMED_SHARE * framed) if framed > 0.0 else ARROW_SHARE * size


def _surfaces(
    world: "core.World | PlacedWorld", pair: PairResult, middle: "Floats", size: float, label: str
) -> "list[debug_draw.primitives.Primitives]":
    """Return the surfaces that a verdict is about, with its words. Empty for verdicts about a depth or a distance.

    For coplanar bodies, the overlaps of their faces, and the edges of both. For a duplicate, all of one of them. For a
    contained body, all of it, and the edges of the container.
    """
    role = debug_draw.roles.Role
    if not isinstance(world, core.World) or pair.faces:
        return []
    if pair.verdict == Verdict.COPLANAR:
        faces = world.coplanar_faces([[pair.shape_a, pair.shape_b]], tolerance=pair.touching)
        place = faces.center[int(faces.area.argmax())] if len(faces) else middle
        overlaps = debug_draw.explanation.coplanar_primitives(faces)
        edges = _edges(world, pair, middle, size)
        return [*edges, overlaps, debug_draw.primitives.as_label(place, role.COPLANAR, label)]
    if pair.verdict not in {Verdict.DUPLICATE, Verdict.CONTAINED}:
        return []
    contained, inner = pair.verdict == Verdict.CONTAINED, framing.inner_side(world, pair)
    of_verdict = role.CONTAINED if contained else role.WORST_DUPLICATE
    row = (pair.shape_a, pair.shape_b)[inner]
    lower, upper = reading.batches.bounds_of(world, [row])
    return [
        *([_edges(world, pair, middle, size)[1 - inner]] if contained else []),
        debug_draw.primitives.as_triangles(debug_draw.surfaces.shape_triangles(world, row), of_verdict),
        debug_draw.shapes.shape_edges(world, row, of_verdict),
        debug_draw.primitives.as_label((lower[0] + upper[0]) / 2.0, of_verdict, label),
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
def _draw_anew() -> None:
    """Draw the current colors of all bodies, if some have become stale, and the way out of what is active now."""
    drawing = stage.current(PairDrawing)
    if drawing is None or last_check.followed:
        return
    colors = drawing.by_verdict and drawing.staleness != last_check.staleness()
    pair = drawing.pair if drawing.mover and drawing.pair is last_check.pair(drawing.row) else None
    moves = pair is not None and fixes.shortest_ways.ways(bpy.context, pair)[0].which != drawing.mover
    if colors or moves:
        show(bpy.context, last_check.chosen)


@stored_results.on_restored.subscribe
def _draw_restored() -> None:
    """Draw the chosen pair of results from the file, whose shapes are read again. A walk from the file goes first."""
    context, pair = bpy.context, last_check.pair(last_check.chosen)
    if pair is None or last_check.pair_is_stale(pair) or not results_list(context.window_manager).show_overlay:
        return
    if stage.current(stage.Drawing) is None:
        collisions.tested_again.read_again(context, marks=False)
        show(context, last_check.chosen)


last_check.on_new.subscribe(stage.refresh)


def _surroundings(world: "core.World | PlacedWorld", pair: PairResult | None) -> int | None:
    """Return the body of a pair that is much larger than the other. None if neither is."""
    if pair is None:
        return None
    lower, upper = reading.batches.bounds_of(world, (pair.shape_a, pair.shape_b))
    size_a, size_b = np.linalg.norm(upper - lower, axis=1).tolist()
    if size_a > _LARGER * size_b:
        return pair.body_a
    return pair.body_b if size_b > _LARGER * size_a else None


def _size(world: "core.World | PlacedWorld", pair: PairResult) -> float:
    """Return the diagonal of the smaller shape's bounds. If neither has any, the distance, or one unit."""
    lower, upper = reading.batches.bounds_of(world, (pair.shape_a, pair.shape_b))
    diagonal = np.linalg.norm(upper - lower, axis=1)
    sizes = diagonal[np.isfinite(diagonal) & (diagonal > 0.0)]
    return float(sizes.min()) if len(sizes) else abs(pair.distance) or 1.0
