# SPDX-License-Identifier: GPL-3.0-or-later
"""Color every tested body by its worst verdict."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np

from ...core.constants import Verdict
from ...core.numerics.types import Bools, Ints
from ...core.planar.world import PlacedWorld
from ...core.shapes import UNBOUNDED
from ...core.world.world import World
from ..debug_draw.primitives import Primitives, as_lines, as_triangles, concatenate
from ..debug_draw.roles import Role
from ..debug_draw.shapes import shape_at, shape_edges
from ..debug_draw.surfaces import shape_triangles
from ..model.message import Message
from ..model.report import Report
from ..model.verdict_names import NAMES, ranks

ROLES = {
    Verdict.DUPLICATE: Role.WORST_DUPLICATE,
    Verdict.CONTAINED: Role.WORST_CONTAINED,
    Verdict.PENETRATING: Role.WORST_PENETRATING,
    Verdict.COPLANAR: Role.WORST_COPLANAR,
    Verdict.TOUCHING: Role.WORST_TOUCHING,
    Verdict.WITHIN_CLEARANCE: Role.WORST_NEAR,
    Verdict.SEPARATED: Role.CLEAR,
}

# For the legend.
MEANINGS = {
    Role.WORST_DUPLICATE: Message("Duplicate"),
    Role.WORST_CONTAINED: Message("Contained"),
    Role.WORST_PENETRATING: Message("Penetrating"),
    Role.WORST_COPLANAR: Message("Coplanar"),
    Role.WORST_TOUCHING: Message("Touching"),
    Role.WORST_NEAR: Message("Within Clearance"),
    Role.CLEAR: Message("No Collision"),
}

# Those of a pair that is drawn as a whole. In the colors of all bodies, they mean the same.
OF_PAIR = {
    Role.WORST_DUPLICATE: MEANINGS[Role.WORST_DUPLICATE],
    Role.CONTAINED: MEANINGS[Role.WORST_CONTAINED],
    Role.COPLANAR: MEANINGS[Role.WORST_COPLANAR],
}

# Shapes with more triangles are not filled, because their lines show enough.
MOST_TRIANGLES = 2000


@dataclass(frozen=True, eq=False)
class _Outlines:
    """Bounded shapes of a world as lines and triangles, and the shape of each."""

    lines: Primitives
    line_shape: Ints
    triangle_shape: Ints


# As long as the world exists.
_known: WeakKeyDictionary[World | PlacedWorld, _Outlines] = WeakKeyDictionary()


def verdict_primitives(
    report: Report, world: World | PlacedWorld, left_out: Bools, outlined: int | None = None
) -> Primitives:
    """Return all bounded shapes of the bodies of a report, except the bodies `left_out` (B,).

    The body `outlined` has no fill, because it would cover the pair that is drawn in it.
    Lines and triangles of a world are computed once.
    """
    outlines = _outlines(world)
    body = np.array([shape.body for shape in report.shapes], np.int64)
    role = worst_roles(report)[body]
    shown = ~left_out[body]
    filled = shown if outlined is None else shown & (body != outlined)
    lines, triangles = shown[outlines.line_shape], filled[outlines.triangle_shape]
    return Primitives(
        lines=outlines.lines.lines[lines],
        line_role=role[outlines.line_shape[lines]],
        triangles=outlines.lines.triangles[triangles],
        triangle_role=role[outlines.triangle_shape[triangles]],
    )


def worst_roles(report: Report) -> np.ndarray:
    """Return the role (B,) of each body of a report, by its worst verdict."""
    worst = np.zeros(len(report.bodies), np.int64)
    ends = np.array([(pair.body_a, pair.body_b) for pair in report.pairs], np.int64).reshape(-1, 2)
    rank = ranks(np.array([pair.verdict for pair in report.pairs], np.int64))
    for side in ends.T:
        np.maximum.at(worst, side, rank)
    return np.array([ROLES[verdict] for verdict in reversed(NAMES)], np.int8)[worst]


def _outlines(world: World | PlacedWorld) -> _Outlines:
    if world not in _known:
        parts, line_shape, triangle_shape = [], [], []
        for row in range(len(world)):
            if isinstance(world, World) and shape_at(world, row).kind in UNBOUNDED:
                continue
            lines = shape_edges(world, row, Role.CLEAR).lines
            triangles = shape_triangles(world, row)
            triangles = triangles if len(triangles) <= MOST_TRIANGLES else triangles[:0]
            parts.append(concatenate([as_lines(lines, Role.CLEAR), as_triangles(triangles, Role.CLEAR)]))
            line_shape.append(np.full(len(lines), row))
            triangle_shape.append(np.full(len(triangles), row))
        none = np.empty(0, np.int64)
        _known[world] = _Outlines(
            concatenate(parts), np.concatenate([none, *line_shape]), np.concatenate([none, *triangle_shape])
        )
    return _known[world]
