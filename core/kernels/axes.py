# SPDX-License-Identifier: GPL-3.0-or-later
"""Common parts of the separating axis tests of boxes and triangles: batches, the choice of an axis, and rounding.

An axis is identified by its code. The codes of faces come first, then those of the cross products of edges. An axis is
preferred to those before it only if its gap is larger by more than a margin, so that the result is stable under noise.
"""

from math import inf, sqrt
from typing import NamedTuple, TypeAlias

from ..numerics.tolerances import AXIS_DOUBT, EPS, NEAR_PARALLEL, PARALLEL, ROUNDING_STEPS
from .arrays import Floats1, Floats2, Floats3, Ints2, Vector
from .vectors import LEAST_SQUARE, divided, dot, normalized

# Features have a kind and an index in A, then in B; see `collision_kit.core.FeatureKind`. -1: only the other shape
# defines the axis.
Features: TypeAlias = tuple[int, int, int, int]
VERTEX, EDGE, FACE = 0, 1, 2
# The gap along an axis, the unit axis from A to B, and its features.
Best: TypeAlias = tuple[float, Vector, Features]


class BoxRows(NamedTuple):
    """Rows of a batch of boxes.

    Attributes
    ----------
    center, half : (N, 3) float64
    turn : (N, 3, 3) float64
        Rotations. Their columns are the axes of the boxes.
    """

    center: Floats2
    half: Floats2
    turn: Floats3


def column(matrices: Floats3, at: int, which: int) -> Vector:
    """A column of a matrix."""
    return matrices[at, 0, which], matrices[at, 1, which], matrices[at, 2, which]


def entry(a: Vector, which: int) -> float:
    """A coordinate of a vector."""
    return a[0] if which == 0 else a[1] if which == 1 else a[2]


def doubt(size: float, offset: float) -> float:
    """A bound of the rounding error of gaps of a pair. Smaller ones may have the wrong sign or be contact.

    `offset` is the greatest coordinate of the two places.
    """
    return AXIS_DOUBT * size + 4.0 * ROUNDING_STEPS * EPS * offset


def rounding(size: float, offset: float) -> float:
    """The largest gap that counts as contact; see `collision_kit.core.numerics.tolerances.rounding`."""
    return ROUNDING_STEPS * EPS * (size + offset)


def is_parallel(square: float, scale: float) -> bool:
    """Whether a cross product with this squared length has lost too many digits.

    `scale` is the squared length for perpendicular edges.
    """
    return square <= NEAR_PARALLEL * scale


def is_oblique(square: float, scale: float) -> bool:
    """Whether a cross product that has lost many digits is nonzero within rounding."""
    return square > PARALLEL * scale


def squared(gap: float, square: float) -> float:
    """The signed square of a gap along a unit axis, from that along an axis whose squared length is `square`."""
    return gap * abs(gap) / square


def unsquared(square: float) -> float:
    """The number with this signed square."""
    return sqrt(square) if square > 0.0 else -sqrt(-square)


def unit(a: Vector) -> Vector:
    """The unit vector along a vector; zero if it is zero."""
    square = dot(a, a)
    return divided(a, sqrt(square)) if LEAST_SQUARE <= square <= inf else normalized(a)


def is_doubtful(
    gap: float, faces: float, edges: float, bound: float, margin: float, extent: float, close: bool
) -> bool:
    """Whether plain arithmetic cannot decide which axis has the largest gap.

    Parameters
    ----------
    gap, faces, edges : float
        The largest gap, that of the faces and that of the edges.
    bound : float
        Gaps up to this may have the wrong sign.
    margin, extent : float
        An axis must be better by the margin. The size of the pair.
    close : bool
        Whether the margin is so small that rounding may decide between a face and an edge.
    """
    if abs(gap) <= bound or gap == -inf:
        return True
    if not close:
        return False
    within = AXIS_DOUBT * extent
    return faces - within <= edges < faces - margin or faces + margin < edges <= faces + within


def chosen(gaps: Floats1, count: int, faces: int, margin: float, slack: float) -> int:
    """Choose one of the axes with these gaps.

    The first `faces` of the axes are preferred, in their order. An axis must be better by more than the margin. This
    does not apply if it has a gap above the slack and those before it have none.
    """
    best, score, largest = 0, -inf, 0
    for k in range(count):
        value = gaps[k] - min(k, faces) * margin
        if value > score:
            best, score = k, value
        if gaps[k] > gaps[largest]:
            largest = k
    return largest if gaps[best] <= slack < gaps[largest] else best


def write_axis(axes: Floats2, gaps: Floats1, at: int, axis: Vector, gap: float) -> None:
    """Write a unit axis and the gap along it; the gap along a zero axis is minus infinity."""
    axes[at, 0], axes[at, 1], axes[at, 2] = axis
    gaps[at] = gap if axis[0] != 0.0 or axis[1] != 0.0 or axis[2] != 0.0 else -inf


def write_features(feature_a: Ints2, feature_b: Ints2, at: int, features: Features) -> None:
    """Write the features of A and of B of a pair."""
    feature_a[at, 0], feature_a[at, 1], feature_b[at, 0], feature_b[at, 1] = features


def box_edge(along: int, following: bool, last: bool, forward: bool) -> int:
    """Index of the farthest of the four edges of a box along an axis, in the order of `convex.polytopes.placed`.

    `following` and `last` tell whether the direction points along the next axis and the one after that. Unless
    `forward`, the direction is reversed.
    """
    low, high = following == forward, last == forward
    if along == 1:
        low, high = high, low
    return 4 * along + (1 if low else 0) + (2 if high else 0)
