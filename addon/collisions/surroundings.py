# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognize bodies around the whole scene, such as the sphere or the box on which a sky is drawn."""

from collections import defaultdict
from collections.abc import Iterable, Sequence

import numpy as np

from ...core.constants import Verdict
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import length
from ...core.query.queries import classify
from ..model.report import Body, Shape
from ..scene.reading.assets import bounds_of_bodies
from ..scene.reading.scene_shapes import SceneShapes
from .pairing import touching_levels

# Surroundings contain at least this many bodies, and at least this fraction of all others that are not surroundings.
FEWEST, SHARE = 3, 0.75
# What is not inside of them is at most this many times as large: a ground that sticks out of a sky.
LARGER = 2.0
# Shapes of bodies that are tested as they are drawn. Colliders are solid, so what is inside of them is a fault.
_DRAWN = frozenset({"mesh", "convex mesh"})


def surroundings_of(
    bodies: Sequence[Body],
    shapes: Sequence[Shape],
    body: Ints,
    bounds: tuple[Floats, Floats],
    contained: Iterable[tuple[int, int]],
) -> tuple[str, ...]:
    """Return the names of the bodies that contain nearly all others, outermost first.

    Only bodies that are tested as they are drawn count: not colliders, rigid bodies, and bodies that a joint links.

    Parameters
    ----------
    bodies : sequence of Body
    shapes : sequence of Shape
    body : (N,) int64
        Body of each shape.
    bounds : (N, 3) float64 and (N, 3) float64
        Bounds of each shape.
    contained : iterable of (int, int)
        Pairs of bodies of which one contains the other.
    """
    pairs = list(contained)
    if len(pairs) < FEWEST:
        return ()
    size = _sizes(body, bounds, len(bodies))
    inside: defaultdict[int, set[int]] = defaultdict(set)
    for a, b in pairs:
        inner, outer = sorted((a, b), key=lambda one: (size[one], one))
        inside[outer].add(inner)
    made = {one for shape, one in zip(shapes, body.tolist(), strict=True) if str(shape.reason) not in _DRAWN}
    made |= {number for number, one in enumerate(bodies) if one.joints}
    finite = set(np.flatnonzero(np.isfinite(size)).tolist())
    found: list[int] = []
    for one in sorted(inside.keys() & finite - made, key=lambda one: (-size[one], one)):
        others = finite - {one, *found}
        outside = max((size[other] for other in others - inside[one]), default=0.0)
        if len(inside[one] & others) >= max(FEWEST, SHARE * len(others)) and outside <= LARGER * size[one]:
            found.append(one)
    return tuple(bodies[one].name for one in found)


def surroundings_in(shapes: SceneShapes) -> tuple[str, ...]:
    """Return the names of the bodies of a scene that contain nearly all others, outermost first."""
    world, body, count = shapes.world, shapes.body, len(shapes.bodies)
    lower, upper = bounds = world.bounds()
    size, level, shapes_of = _sizes(body, bounds, count), touching_levels(lower, upper, None), np.bincount(body)
    contained = list[tuple[int, int]]()
    for row in np.flatnonzero(np.isfinite(size[body])).tolist():
        low, high = lower[row] - level[row], upper[row] + level[row]
        inner = np.flatnonzero((lower >= low).all(axis=1) & (upper <= high).all(axis=1) & (body != body[row]))
        # Fewer cannot be nearly all.
        if len(np.unique(body[inner])) < max(FEWEST, count / 2):
            continue
        pairs = np.stack([np.full(len(inner), row), inner], axis=1)
        verdict = classify(world, world, pairs, touching=np.maximum(level[row], level[inner]))
        inside = np.bincount(body[inner[verdict == Verdict.CONTAINED]], minlength=count)
        contained += [(int(body[row]), one) for one in np.flatnonzero((inside > 0) & (inside == shapes_of)).tolist()]
    return surroundings_of(shapes.bodies, shapes.shapes, body, bounds, contained)


def _sizes(body: Ints, bounds: tuple[Floats, Floats], count: int) -> Floats:
    """Return the diagonal of the bounds of each body."""
    lower, upper = bounds_of_bodies(body, bounds, count)
    return length(upper - lower)
