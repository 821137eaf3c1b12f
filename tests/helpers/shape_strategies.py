# SPDX-License-Identifier: GPL-3.0-or-later
"""Hypothesis strategies for one shape of each kind: any pose and size, including degenerate shapes."""

import math

import numpy as np
from hypothesis import strategies as st

import collision_kit.core as ck

# On a lattice, shapes touch, and are coplanar, parallel, concentric or equal; between lattice points they are not.
_LATTICE = st.integers(-4, 4).map(lambda n: n / 2.0)
# In steps of 2^-48, so that the integers made from them are small.
_ANYWHERE = st.integers(-(2**49), 2**49).map(lambda n: n / 2.0**48)
_COORDINATE = st.one_of(_LATTICE, _ANYWHERE)
# A size on a lattice, or any size; zero and very small sizes are included.
_ROUND_SIZE = st.one_of(st.integers(0, 3).map(lambda n: n / 2.0), st.integers(2**44, 2**49).map(lambda n: n / 2.0**48))
_HAIR = 2.0**-30
_POINT = st.tuples(*[_COORDINATE] * 3)
_LATTICE_POINT = st.tuples(*[_LATTICE] * 3)

# All shapes are made with about unit size, and then scaled and translated together.
SCALES = st.sampled_from([1.0, 1.0, 1e-30, 1e-4, 1e4, 1e30])


@st.composite
def rotations(draw):
    """Axis-aligned rotations, rotations with rational entries, or any rotations."""
    sort = draw(st.sampled_from(["none", "quarter turns", "rational", "any"]))
    if sort == "none":
        return np.eye(3)
    if sort == "quarter turns":
        order, signs = draw(st.permutations(range(3))), draw(st.tuples(*[st.sampled_from([-1.0, 1.0])] * 3))
        matrix = np.zeros((3, 3))
        matrix[list(order), range(3)] = signs
        return matrix if np.linalg.det(matrix) > 0.0 else matrix * [-1.0, 1.0, 1.0]
    number = st.integers(-3, 3).map(float) if sort == "rational" else st.floats(-1.0, 1.0, allow_subnormal=False)
    w, x, y, z = draw(st.tuples(*[number] * 4).filter(lambda q: sum(c * c for c in q) > 1e-3))
    size = w * w + x * x + y * y + z * z
    rows = [
        [w * w + x * x - y * y - z * z, 2 * (x * y - w * z), 2 * (x * z + w * y)],
        [2 * (x * y + w * z), w * w - x * x + y * y - z * z, 2 * (y * z - w * x)],
        [2 * (x * z - w * y), 2 * (y * z + w * x), w * w - x * x - y * y + z * z],
    ]
    return np.array(rows) / size


@st.composite
def _corners(draw, least, most):
    """Points of a polytope: any, coplanar, collinear, or repeated."""
    points = np.array(draw(st.lists(st.one_of(_LATTICE_POINT, _POINT), min_size=least, max_size=most)))
    flat = draw(st.sampled_from(["as they are", "as they are", "plane", "line", "repeated", "needle"]))
    if flat == "plane":
        points[:, 2] = points[0, 2]
    elif flat == "line":
        points[:, 1:] = points[0, 1:]
    elif flat == "needle":
        points[:, 1:] *= 1e-3
    elif flat == "repeated":
        points[len(points) // 2 :] = points[0]
    return points


@st.composite
def shapes(draw, kind):
    """A batch of one shape, which has a minimum thickness unless its size is zero."""
    size = st.one_of(st.sampled_from([0.0, _HAIR, 2.0**-10]), _ROUND_SIZE)
    match kind:
        case ck.Kind.SPHERE:
            return ck.Spheres([draw(_POINT)], [draw(size)])
        case ck.Kind.CAPSULE:
            start, end = (np.array([draw(_POINT)]) for _ in range(2))
            return ck.Capsules(start, start if draw(st.integers(0, 5)) == 0 else end, [draw(size)])
        case ck.Kind.CYLINDER:
            start = draw(_POINT)
            end = draw(_POINT.filter(lambda end: math.dist(start, end) > 1e-3))
            return ck.Cylinders([start], [end], [draw(size)])
        case ck.Kind.ELLIPSOID:
            return ck.Ellipsoids([draw(_POINT)], [draw(st.tuples(*[size] * 3))], draw(rotations())[None])
        case ck.Kind.CONE:
            base = draw(_POINT)
            apex = draw(_POINT.filter(lambda apex: math.dist(base, apex) > 1e-3))
            return ck.Cones([base], [apex], [draw(size)])
        case ck.Kind.BOX:
            return ck.Boxes([draw(_POINT)], [draw(st.tuples(*[size] * 3))], draw(rotations())[None])
        case ck.Kind.TRIANGLE:
            return ck.Triangles(draw(_corners(3, 3))[None])
        case ck.Kind.HULL:
            return ck.Hulls.from_points([draw(_corners(1, 9))], [draw(_POINT)], draw(rotations())[None])
        case ck.Kind.HALF_SPACE | ck.Kind.PLANE:
            normal = draw(st.one_of(_LATTICE_POINT, _POINT).filter(lambda n: math.hypot(*n) > 1e-3))
            return (ck.HalfSpaces if kind == ck.Kind.HALF_SPACE else ck.Planes)([normal], [draw(_COORDINATE)])
    raise TypeError(kind)


@st.composite
def pairs_of(draw, kinds):
    """Two shapes, sometimes at the same place or one a copy of the other, and a scale for both."""
    a, b = (draw(shapes(kind)) for kind in kinds)
    if kinds[0] == kinds[1] and draw(st.integers(0, 9)) == 0:
        b = a
    return a, b, draw(SCALES)
