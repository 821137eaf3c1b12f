# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of convex colliders of one body, and their rules."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...core.broad_phase import sweep_and_prune
from ...core.numerics.tolerances import RULE_ROUNDING
from ...core.numerics.types import Bools, Floats, Ints
from ...core.query.queries import contains, distance
from ...core.shapes import Hulls
from .limits import Length, Limits
from .rule import Place, Rule, each_body
from .subject import Body, Collider

# Maximum fraction of its size by which a collider is shrunk before it is tested for containment.
_MOST = 0.01


@dataclass(frozen=True, eq=False)
class Pairs:
    """Pairs of convex colliders whose bounds overlap.

    Attributes
    ----------
    colliders : list of Collider
    pairs : (P, 2) int64
        Rows of `colliders`, the lower first.
    first_inside, second_inside : (P,) bool
        Whether the collider is entirely inside the other.
    depth : (P,) float64
        Penetration depth. Zero or less if they are apart.
    """

    colliders: list[Collider]
    pairs: Ints
    first_inside: Bools
    second_inside: Bools
    depth: Floats


def pairs_of(body: Body) -> Pairs:
    """Compare the convex colliders of a body with each other, once for all rules that need it."""
    if "pairs" not in vars(body):
        block: list[Body] = vars(body).get("block", [body])
        for one, pairs in zip(block, _compared(block), strict=True):
            vars(one)["pairs"] = pairs
    result: Pairs = vars(body)["pairs"]
    return result


def _compared(bodies: Sequence[Body]) -> Iterator[Pairs]:
    """Return the pairs of each body. All are compared at once."""
    parts = [[one for one in body.colliders if one.solid and one.kind != "MESH"] for body in bodies]
    if max(map(len, parts), default=0) < 2:
        none, no_pairs = np.empty(0), np.empty((0, 2), np.int64)
        yield from (Pairs(part, no_pairs, none > 0.0, none > 0.0, none) for part in parts)
        return
    colliders = [one for part in parts for one in part]
    hulls = [one.hull for one in colliders]
    bounds = np.array([(hull.points.min(axis=0), hull.points.max(axis=0)) for hull in hulls]).reshape(-1, 2, 3)
    first = np.cumsum([0, *map(len, parts)])
    ends = zip(first[:-1].tolist(), first[1:].tolist(), strict=True)
    near = [at + sweep_and_prune(bounds[at:end, 0], bounds[at:end, 1]) for at, end in ends]
    pairs = np.concatenate([np.empty((0, 2), np.int64), *near])
    shapes = Hulls(hulls, np.arange(len(hulls)))
    depth = -distance(shapes, shapes, pairs).distance
    inside = [_contained(colliders, shapes, bounds, rows) for rows in (pairs[:, ::-1], pairs)]
    place = np.cumsum([0, *map(len, near)])
    for number, part in enumerate(parts):
        mine = slice(place[number], place[number + 1])
        yield Pairs(part, near[number] - first[number], inside[0][mine], inside[1][mine], depth[mine])


def _contained(colliders: Sequence[Collider], shapes: Hulls, bounds: Floats, pairs: Ints) -> Bools:
    """Return whether the first collider of each pair (P, 2) contains the second.

    A collider that shares a face with the other is inside it within the precision of float32. The second one is shrunk
    by that much.
    """
    result = np.zeros(len(pairs), dtype=bool)
    # If bounds are not nested, neither are the colliders, because both are shrunk by enough.
    room = _MOST * np.ptp(bounds, axis=1)
    low, high = (bounds[pairs[:, 1], 0] + room[pairs[:, 1]], bounds[pairs[:, 1], 1] - room[pairs[:, 1]])
    held = (bounds[pairs[:, 0], 0] <= low) & (high <= bounds[pairs[:, 0], 1])
    rows = np.flatnonzero(held.all(axis=1))
    if not len(rows):
        return result
    used, place = np.unique(pairs[rows, 1], return_inverse=True)
    inner = [colliders[row].hull for row in used.tolist()]
    factor = [_shrunk(colliders[row]) for row in used.tolist()]
    smaller = Hulls(
        [hull.transformed(np.eye(3) * by) for hull, by in zip(inner, factor, strict=True)],
        np.arange(len(inner)),
        translation=[(1.0 - by) * hull.centroid for hull, by in zip(inner, factor, strict=True)],
    )
    result[rows] = contains(shapes, smaller, np.stack([pairs[rows, 0], place.reshape(-1)], axis=1))
    return result


def _shrunk(collider: Collider) -> float:
    """Return the scale that moves each point of a collider's hull inward by at least the rounding error."""
    hull = collider.hull
    reach = float(np.abs(hull.points).max())
    thin = 3.0 * hull.volume / hull.area if hull.area > 0.0 else 0.0
    return 1.0 - min(RULE_ROUNDING * reach / thin, _MOST) if thin > 0.0 else 1.0


def _nested(body: Body, _limits: Limits) -> Iterator[Place]:
    """Find colliders inside others. Of two equal colliders, the second is reported. Each collider is reported once."""
    found = pairs_of(body)
    said = set()
    for (first, second), inner, outer in zip(found.pairs, found.first_inside, found.second_inside, strict=True):
        row, other = (int(second), int(first)) if outer else (int(first), int(second))
        if (inner or outer) and row not in said:
            said.add(row)
            yield found.colliders[row], {"other": found.colliders[other].name}


NESTED = Rule(
    id="nested-collider",
    title="Inside Another Collider",
    severity="warning",
    engine="any",
    sentence='Collider is inside the collider "{other}", where nothing can touch it.',
    advice="Delete the collider.",
    find=each_body(_nested),
)


def _overlapping(body: Body, limits: Limits) -> Iterator[Place]:
    """Engines allow overlaps, and they may be intended. A collider inside another has its own rule."""
    found = pairs_of(body)
    for (first, second), depth, nested in zip(
        found.pairs, found.depth, found.first_inside | found.second_inside, strict=True
    ):
        one, other = found.colliders[first], found.colliders[second]
        if not nested and depth > limits.overlap * min(one.size, other.size):
            yield other, {"length": Length(depth), "other": one.name}


OVERLAPPING = Rule(
    id="overlapping-colliders",
    title="Overlapping Colliders",
    severity="info",
    engine="any",
    sentence=(
        'Collider overlaps the collider "{other}" of the same body by {length}: contacts are doubled '
        "and the mass is too large."
    ),
    advice="Move or shrink one of the two, or merge them into one collider.",
    find=each_body(_overlapping),
)
