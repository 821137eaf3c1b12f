# SPDX-License-Identifier: GPL-3.0-or-later
"""Cheap proofs that pairs are apart, tried before anything costly (seed 002, section 13.1.2).

First the balls around the shapes, then an axis that the caller remembers from before: shapes that moved little are
as a rule parted by the axis that parted them last. Neither ever settles a pair that the exact method would not.
"""

import numpy as np

from . import work
from .dispatch import Operand, split
from .results import Bools, Floats, Ints
from .shapes import UNBOUNDED, Kind, Shapes
from .support import support
from .tolerances import EARLY_OUT, EPS
from .vectors import dot, length

# Their own methods take no longer than a comparison of balls.
_SIMPLE = (Kind.SPHERE, Kind.CAPSULE, Kind.HALF_SPACE, Kind.PLANE)
# About what is unbounded there is no ball; and spheres are as simple against flat faces.
_SIMPLE_PAIRS = (
    (_SIMPLE, _SIMPLE),
    (UNBOUNDED, tuple(Kind)),
    ((Kind.SPHERE,), (Kind.BOX, Kind.TRIANGLE)),
)


def proved_apart(a: Operand, b: Operand, rows: Ints, reach: Floats, axis: Floats | None) -> Bools:
    """Whether each pair is proved to be farther apart than `reach`.

    Parameters
    ----------
    rows : (P, 2) int64
    reach : (P,) float64
        At least 0.
    axis : (P, 3) float64, optional
        Unit vectors from A to B to try; rows of zeros are none.
    """
    result = np.zeros(len(rows), dtype=bool)
    if any(
        (_all(a, first) and _all(b, second)) or (_all(b, first) and _all(a, second)) for first, second in _SIMPLE_PAIRS
    ):
        return result
    kind_a, kind_b = _kinds(a, rows[:, 0]), _kinds(b, rows[:, 1])
    worth = np.flatnonzero(~(np.isin(kind_a, _SIMPLE) & np.isin(kind_b, _SIMPLE)))
    if not len(worth):
        return result
    center_a, radius_a = _balls(a, rows[worth, 0])
    center_b, radius_b = _balls(b, rows[worth, 1])
    magnitude = length(center_a) + length(center_b) + radius_a + radius_b
    slack = EARLY_OUT * EPS * magnitude
    apart = length(center_b - center_a) > radius_a + radius_b + reach[worth] + slack
    result[worth] = apart
    work.settled(work.BOUNDING_SPHERES, apart)
    if axis is not None:
        bounded = np.isfinite(magnitude) & ~apart & axis[worth].any(axis=1)
        left = worth[bounded]
        along = axis[left]
        far_a = _supports(a, rows[left, 0], along, center_a[bounded])
        near_b = _supports(b, rows[left, 1], -along, center_a[bounded])
        gap = dot(near_b - far_a, along)
        parted = gap > reach[left] + slack[bounded]
        result[left] = parted
        work.settled(work.CACHED_AXIS, parted)
    return result


def _all(shapes: Operand, kinds: tuple[Kind, ...]) -> bool:
    batches = (shapes,) if isinstance(shapes, Shapes) else shapes.batches
    return all(batch.kind in kinds for batch in batches)


def _kinds(shapes: Operand, rows: Ints) -> Ints:
    result = np.empty(len(rows), dtype=np.int64)
    for batch, _, place in split(shapes, rows):
        result[place] = batch.kind
    return result


def _balls(shapes: Operand, rows: Ints) -> tuple[Floats, Floats]:
    """The bounding spheres of these rows."""
    center, radius = np.empty((len(rows), 3)), np.empty(len(rows))
    for batch, index, place in split(shapes, rows):
        # All of a small batch, or only what is asked about of a large one.
        few = len(index) < len(batch)
        balls = batch.take(index).bounding_spheres() if few else batch.bounding_spheres()
        center[place], radius[place] = balls if few else (balls[0][index], balls[1][index])
    return center, radius


def _supports(shapes: Operand, rows: Ints, along: Floats, origin: Floats) -> Floats:
    """The farthest points of these rows along their directions, seen from `origin`."""
    result = np.empty((len(rows), 3))
    for batch, index, place in split(shapes, rows):
        result[place] = support(batch.take(index), along[place])
    return result - origin
