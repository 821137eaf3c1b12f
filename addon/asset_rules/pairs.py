# SPDX-License-Identifier: GPL-3.0-or-later
"""The convex colliders of one body, in pairs, and the rules that hold for them."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from ...core.broad_phase import sweep_and_prune
from ...core.numerics.tolerances import RULE_ROUNDING
from ...core.numerics.types import Bools, Floats, Ints
from ...core.query.queries import contains, distance
from ...core.shapes import Hulls
from .limits import Length, Limits
from .rule import Hit, Rule, each_body
from .subject import Body, Collider


@dataclass(frozen=True, eq=False)
class Pairs:
    """The pairs of convex colliders whose bounds meet.

    Attributes
    ----------
    colliders : list of Collider
    pairs : (P, 2) int64
        Rows of `colliders`, the lower first.
    first_inside, second_inside : (P,) bool
        Whether the one is all inside the other.
    depth : (P,) float64
        How far one would have to be moved to be out of the other; zero or less if they are apart.
    """

    colliders: list[Collider]
    pairs: Ints
    first_inside: Bools
    second_inside: Bools
    depth: Floats


def pairs_of(body: Body) -> Pairs:
    """Compare the convex colliders of a body with each other, once for all rules that ask."""
    kept = vars(body)
    if "pairs" not in kept:
        kept["pairs"] = _compared(body)
    result: Pairs = kept["pairs"]
    return result


def _compared(body: Body) -> Pairs:
    colliders = [one for one in body.colliders if one.solid and one.kind != "MESH"]
    none = np.empty(0, dtype=bool)
    if len(colliders) < 2:
        return Pairs(colliders, np.empty((0, 2), np.int64), none, none, np.empty(0))
    hulls = [collider.hull for collider in colliders]
    bounds = np.array([(points.min(axis=0), points.max(axis=0)) for points in (hull.points for hull in hulls)])
    pairs = sweep_and_prune(bounds[:, 0], bounds[:, 1])
    shapes = Hulls(hulls, np.arange(len(hulls)))
    # What shares a face with the other is inside it as far as float32 can tell.
    factor = [_shrunk(collider) for collider in colliders]
    inner = Hulls(
        [hull.transformed(np.eye(3) * by) for hull, by in zip(hulls, factor, strict=True)],
        np.arange(len(hulls)),
        translation=[(1.0 - by) * hull.centroid for hull, by in zip(hulls, factor, strict=True)],
    )
    return Pairs(
        colliders,
        pairs,
        contains(shapes, inner, pairs[:, ::-1]),
        contains(shapes, inner, pairs),
        -distance(shapes, shapes, pairs).distance,
    )


def _shrunk(collider: Collider) -> float:
    """The factor by which a collider is made smaller so that each point of its hull moves in by rounding at least."""
    hull = collider.hull
    reach = float(np.abs(hull.points).max())
    thin = 3.0 * hull.volume / hull.area if hull.area > 0.0 else 0.0
    return 1.0 - min(RULE_ROUNDING * reach / thin, 0.01) if thin > 0.0 else 1.0


def _nested(body: Body, _limits: Limits) -> Iterator[Hit]:
    """Of two that are the same, the second; each collider once."""
    found = pairs_of(body)
    said = set()
    for (first, second), inner, outer in zip(found.pairs, found.first_inside, found.second_inside, strict=True):
        row, other = (int(second), int(first)) if outer else (int(first), int(second))
        if (inner or outer) and row not in said:
            said.add(row)
            yield Hit(found.colliders[row], {"other": found.colliders[other].name})


NESTED = Rule(
    id="nested-collider",
    title="Inside Another Collider",
    severity="warning",
    engine="any",
    sentence='Collider is inside the collider "{other}", where nothing can touch it.',
    advice="Delete the collider.",
    find=each_body(_nested),
)


def _overlapping(body: Body, limits: Limits) -> Iterator[Hit]:
    """Engines allow it, and it may be meant; one inside the other has a rule of its own."""
    found = pairs_of(body)
    for (first, second), depth, nested in zip(
        found.pairs, found.depth, found.first_inside | found.second_inside, strict=True
    ):
        one, other = found.colliders[first], found.colliders[second]
        if not nested and depth > limits.overlap * min(one.size, other.size):
            yield Hit(other, {"length": Length(depth), "other": one.name})


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
