# SPDX-License-Identifier: GPL-3.0-or-later
"""Points of one surface that prove a minimum depth in a solid.

Corners and centers of triangles are tested, first those near the center of the overlap of both bounds. No point is
deeper in a solid than in its bounding box. So triangles that are nowhere deeper in this box are skipped.
"""

from .arrays import Bools1, Floats1, Floats2, Vector, ints1
from .loading import kernel
from .points import is_within
from .rays import Surfaces
from .trees import placed
from .vectors import corner, dot, minus, row
from .windings import is_surely_inside

# Size of the stack of nodes: at most one for each level, and the last two.
_DEPTH = 128
# Maximum number of triangles of a surface that are tested.
_TRIED = 48


@kernel
def deeper(
    own: Surfaces, solids: Surfaces, frames: Floats2, middles: Floats2, levels: Floats1, asked: Bools1, found: Bools1
) -> None:
    """Find the surfaces with a tested point that is deeper in the solid than a level.

    Parameters
    ----------
    own, solids : Surfaces
        The surface and the solid of each pair.
    frames : (P, 12) float64
        Transform from the surface to the frame of the solid: a matrix, row by row, and a translation.
    middles : (P, 3) float64
        Center of the overlap of their bounds, in the frame of the surface.
    levels : (P,) float64
    asked : (P,) bool
        Only these are tested.
    found : (P,) bool
        Written for tested surfaces. True is certain.
    """
    nodes, waiting = ints1(_DEPTH), ints1(_DEPTH)
    for pair in range(len(frames)):
        if not asked[pair]:
            continue
        root, leaf, first, leaves = own.rows[pair, 0], own.rows[pair, 1], own.rows[pair, 2], own.rows[pair, 3]
        level, middle, tried, top = levels[pair], row(middles, pair), 0, 1
        waiting[0] = 0
        found[pair] = False
        while top > 0 and tried < _TRIED:
            top -= 1
            node = waiting[top]
            if not _reaches(own, root + node, solids, pair, frames, level):
                continue
            if node + 1 < leaves:
                one, other = 2 * node + 1, 2 * node + 2
                if _away(own, root + other, middle) < _away(own, root + one, middle):
                    one, other = other, one
                # The last one on the stack is the next.
                waiting[top], waiting[top + 1] = other, one
                top += 2
                continue
            number = own.leaf[leaf + node + 1 - leaves]
            if number < 0:
                continue
            tried += 1
            for which in range(4):
                point = placed(frames, pair, _point(own, first + number, which))
                if not _within(solids, pair, point, level):
                    continue
                if is_surely_inside(solids, pair, point, nodes) and not is_within(solids, pair, point, level, nodes):
                    found[pair] = True
                    top = 0
                    break


def _point(own: Surfaces, at: int, which: int) -> Vector:
    """The center of a triangle, or one of its corners."""
    if which > 0:
        return corner(own.corners, at, which - 1)
    a, b, c = corner(own.corners, at, 0), corner(own.corners, at, 1), corner(own.corners, at, 2)
    third = 1.0 / 3.0
    return third * (a[0] + b[0] + c[0]), third * (a[1] + b[1] + c[1]), third * (a[2] + b[2] + c[2])


def _away(own: Surfaces, at: int, point: Vector) -> float:
    """Squared distance of a point from the center of a box."""
    middle = (
        0.5 * (own.span[at, 0] - own.span[at, 3]),
        0.5 * (own.span[at, 1] - own.span[at, 4]),
        0.5 * (own.span[at, 2] - own.span[at, 5]),
    )
    away = minus(middle, point)
    return dot(away, away)


def _within(solids: Surfaces, pair: int, point: Vector, level: float) -> bool:
    """Whether a point is deeper than a level in the bounding box of a solid."""
    root = solids.rows[pair, 0]
    for k in range(3):
        place = point[0] if k == 0 else point[1] if k == 1 else point[2]
        if place - solids.span[root, k] <= level or -place - solids.span[root, k + 3] <= level:
            return False
    return True


def _reaches(own: Surfaces, at: int, solids: Surfaces, pair: int, frames: Floats2, level: float) -> bool:
    """Whether a box may be deeper than a level in the bounding box of a solid."""
    if own.span[at, 0] > -own.span[at, 3]:
        return False
    root = solids.rows[pair, 0]
    middle = (
        0.5 * (own.span[at, 0] - own.span[at, 3]),
        0.5 * (own.span[at, 1] - own.span[at, 4]),
        0.5 * (own.span[at, 2] - own.span[at, 5]),
    )
    center = placed(frames, pair, middle)
    for k in range(3):
        half = 0.0
        for m in range(3):
            half -= 0.5 * abs(frames[pair, 3 * k + m]) * (own.span[at, m] + own.span[at, m + 3])
        place = center[0] if k == 0 else center[1] if k == 1 else center[2]
        if place + half - solids.span[root, k] <= level or half - place - solids.span[root, k + 3] <= level:
            return False
    return True
