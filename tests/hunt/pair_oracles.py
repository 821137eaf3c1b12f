# SPDX-License-Identifier: GPL-3.0-or-later
"""Facts about convex shapes, found without asking the code under test, in float64 or in the 64 digits of `longdouble`.

How far a shape reaches along a direction; how far a point is from it at most, by a point that surely belongs to it;
and the largest gap of two polytopes, over all directions that can be a facet of A - B. Cross products of all but
parallel edges keep their digits: they are worked out in pairs of floats (Dekker, "A floating-point technique for
extending the available precision", 1971). With `longdouble` the facets of hulls are worked out in integers, and how far
a point is from hulls and triangles in fractions, however thin these are.
"""

import itertools
from fractions import Fraction
from functools import cached_property
from typing import Any

import numpy as np
from scipy.spatial import ConvexHull, QhullError

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.hunt.exact_triangles import squared

_SIGNS = np.array([[x, y, z] for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
_SPLIT = 2.0**27 + 1.0
# A direction is one as long as its square is above what underflows; two edges exactly parallel have none.
_NOTHING = 1e-280


def dot(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    # Term by term: a sum over an axis of three takes several times as long.
    return x[..., 0] * y[..., 0] + x[..., 1] * y[..., 1] + x[..., 2] * y[..., 2]


def norm(x: np.ndarray) -> np.ndarray:
    return np.sqrt(dot(x, x))


def unit(x: np.ndarray) -> np.ndarray:
    """Zeros stay."""
    size = norm(x)[..., None]
    return np.where(size > 0.0, x / np.where(size > 0.0, size, 1.0), 0.0)


class Body:
    """A batch of bounded convex shapes; a polytope with a radius if not `curved`. Lengths are from `origin`."""

    def __init__(self, shapes: Shapes, origin: np.ndarray, digits: type = np.float64) -> None:
        self.shapes, self.origin, self.digits = shapes, origin, digits
        self.curved = isinstance(shapes, ck.Cylinders | ck.Cones | ck.Ellipsoids)
        self.radius = getattr(shapes, "radius", np.zeros(len(shapes))).astype(digits)
        # Differences are taken in long doubles in any case, so that nothing is lost far from the world's origin.
        place = [x.astype(np.longdouble) for x in self._placed()]
        self.points = (place[0] + (place[1] - origin[:, None])).astype(digits)

    def _placed(self) -> tuple[np.ndarray, np.ndarray]:
        """Vertices (N, V, 3) from a place of each shape's own, and that place (N, 1, 3)."""
        match shapes := self.shapes:
            case ck.Spheres():
                return np.zeros((len(shapes), 1, 3)), shapes.center[:, None]
            case ck.Capsules() | ck.Cylinders():
                ends = np.stack([shapes.start, shapes.end], axis=1)
                return ends.astype(np.longdouble) - shapes.start[:, None], shapes.start[:, None]
            case ck.Cones():
                ends = np.stack([shapes.base, shapes.apex], axis=1)
                return ends.astype(np.longdouble) - shapes.base[:, None], shapes.base[:, None]
            case ck.Ellipsoids():
                return np.zeros((len(shapes), 1, 3)), shapes.center[:, None]
            case ck.Triangles():
                return shapes.vertices.astype(np.longdouble) - shapes.vertices[:, :1], shapes.vertices[:, :1]
            case ck.Boxes():
                local, place = shapes.half_extents[:, None].astype(np.longdouble) * _SIGNS, shapes.center[:, None]
            case ck.Hulls():
                local, place = self.local.astype(np.longdouble), shapes.translation[:, None]
        return (local[:, :, None] * shapes.rotation[:, None]).sum(axis=3), place

    @cached_property
    def local(self) -> np.ndarray:
        """Vertices of hulls in their own frames, the first one again where there are fewer."""
        points = [hull.points for hull in self.shapes.geometry]
        most = max(map(len, points))
        return np.array([np.concatenate([p, np.tile(p[:1], (most - len(p), 1))]) for p in points])[self.shapes.index]

    @cached_property
    def axis(self) -> np.ndarray:
        """Of cylinders and cones; of the thinnest with all digits, which places seen from afar have lost."""
        names = ("base", "apex") if isinstance(self.shapes, ck.Cones) else ("start", "end")
        start, end = (getattr(self.shapes, name).astype(np.longdouble) for name in names)
        return unit(end - start).astype(self.digits)

    def height(self, direction: np.ndarray) -> np.ndarray:
        """Return how far each shape reaches along unit directions (N, ..., 3)."""
        between = (1,) * (direction.ndim - 2)
        rows = [p.reshape(len(p), *between, 3) for p in np.moveaxis(self.points, 1, 0)]
        levels = [dot(p, direction) for p in rows]
        radius = self.radius.reshape(-1, *between)
        if isinstance(self.shapes, ck.Ellipsoids):
            return levels[0] + norm(self._scaled(direction))
        if not self.curved:
            return np.max(levels, axis=0) + radius
        axis = np.broadcast_to(self.axis.reshape(-1, *between, 3), direction.shape)
        rim = radius * norm(np.cross(axis, direction))
        if isinstance(self.shapes, ck.Cones):
            return np.maximum(levels[0] + rim, levels[1])
        return np.max(levels, axis=0) + rim

    def _scaled(self, direction: np.ndarray) -> np.ndarray:
        """Directions (N, ..., 3) along the semi-axes of ellipsoids, times these."""
        between = (1,) * (direction.ndim - 2)
        turn = self.shapes.rotation.astype(self.digits)
        local = [dot(turn[:, :, k].reshape(-1, *between, 3), direction) for k in range(3)]
        return np.stack(local, axis=-1) * self.shapes.radii.astype(self.digits).reshape(-1, *between, 3)

    def off(self, point: np.ndarray) -> np.ndarray:
        """How far points (N, 3) are from the shapes at most, (N,); zero within, but for the rounding of `digits`."""
        if isinstance(self.shapes, ck.Ellipsoids):
            return self._off_ellipsoid(point)
        if self.curved:
            spoke = point - self.points[:, 0]
            if isinstance(self.shapes, ck.Cones):
                return self._off_cone(spoke)
            along = dot(spoke, self.axis)
            out = along - np.clip(along, 0.0, norm(self.points[:, 1] - self.points[:, 0]))
            aside = np.maximum(norm(spoke - along[:, None] * self.axis) - self.radius, 0.0)
            return np.hypot(out, aside)
        return np.maximum(self.off_core(point) - self.radius, 0.0)

    def _off_cone(self, spoke: np.ndarray) -> np.ndarray:
        """The same of points seen from the centers of bases: in the half-plane of each point, from a triangle."""
        along = dot(spoke, self.axis)
        aside, height = norm(spoke - along[:, None] * self.axis), norm(self.points[:, 1] - self.points[:, 0])
        zero = np.zeros_like(along)
        point = np.stack([along, aside, zero], axis=1)
        middle, rim, apex = (
            np.stack([x, y, zero], axis=1) for x, y in ((zero, zero), (zero, self.radius), (height, zero))
        )
        inside = (along >= 0.0) & ((aside - self.radius) * height + along * self.radius <= 0.0)
        return np.where(inside, 0.0, np.minimum(_off_segment(point, middle, rim), _off_segment(point, rim, apex)))

    def _off_ellipsoid(self, point: np.ndarray) -> np.ndarray:
        """The same of ellipsoids, by halving the range of the one unknown of the nearest point."""
        turn, radii = self.shapes.rotation.astype(self.digits), self.shapes.radii.astype(self.digits)
        local = np.stack([dot(turn[:, :, k], point - self.points[:, 0]) for k in range(3)], axis=1)

        def nearest(t: np.ndarray) -> np.ndarray:
            share = t[:, None] + radii**2
            return local * radii**2 / np.where(share > 0.0, share, 1.0)

        def inside(x: np.ndarray) -> np.ndarray:
            scaled = np.where(radii > 0.0, x / np.where(radii > 0.0, radii, 1.0), np.where(x == 0.0, 0.0, np.inf))
            return norm(scaled) <= 1.0

        high = np.log(np.maximum(radii.max(axis=1) * norm(local), _NOTHING)) + 1.0
        low = high - 300.0
        for _ in range(80):
            middle = (low + high) / 2.0
            within = inside(nearest(np.exp(middle)))
            low, high = np.where(within, low, middle), np.where(within, middle, high)
        # Where the search ends the point is one of the ellipsoid.
        return np.where(inside(local), 0.0, norm(local - nearest(np.exp(high))))

    def off_core(self, point: np.ndarray) -> np.ndarray:
        """The same of what is left when the radius is taken off."""
        match self.shapes:
            case ck.Spheres():
                return norm(point - self.points[:, 0])
            case ck.Capsules():
                return _off_segment(point, self.points[:, 0], self.points[:, 1])
            case ck.Triangles():
                return self._off_triangles(point, _off_triangle(point, np.moveaxis(self.points, 1, 0)))
            case ck.Boxes():
                turn = self.shapes.rotation.astype(self.digits)
                local = np.einsum("nij,ni->nj", turn, point - (self.points[:, 0] + self.points[:, 7]) / 2.0)
                half = self.shapes.half_extents.astype(self.digits)
                return norm(local - np.clip(local, -half, half))
        corners = self.triangles
        off = _off_triangle(point[:, None], np.moveaxis(corners, 2, 0)).min(axis=1)
        inside = (dot(point[:, None] - corners[:, :, 0], self.sides) <= 0.0).all(axis=1) & self.solid
        return self._off_triangles(point, np.where(inside, 0.0, off))

    def _off_triangles(self, point: np.ndarray, off: np.ndarray) -> np.ndarray:
        """The distances `off` from the triangles, those above zero again in fractions where the digits are many."""
        for row in np.flatnonzero(off > 0.0) if self.digits == np.longdouble else ():
            triangles = self.points[row, None]
            if isinstance(self.shapes, ck.Hulls):
                outer = self.sides[row].any(axis=1)
                triangles = self.triangles[row][outer if outer.any() else slice(None)]
            exact = [[[Fraction(*(x.as_integer_ratio())) for x in p] for p in t - point[row]] for t in triangles]
            off[row] = np.sqrt(self.digits(float(min(squared(*corners) for corners in exact))))
        return off

    @cached_property
    def triangles(self) -> np.ndarray:
        """Triangles of vertices that cover the surface of each hull: (N, T, 3, 3).

        Those of Qhull; with `longdouble`, and where there is no volume, all there are.
        """
        found = []
        for hull in self.shapes.geometry:
            every = _triples(len(hull.points))
            found.append(every if self.digits == np.longdouble else _simplices(hull.points, every))
        padded = _padded(found)[self.shapes.index]
        return self.points[np.arange(len(padded))[:, None, None], padded]

    @cached_property
    def sides(self) -> np.ndarray:
        """Outward normals of these triangles, (N, T, 3); zeros where others have vertices on both sides."""
        if self.digits == np.longdouble:
            local = _padded([outward_normals(hull.points) for hull in self.shapes.geometry])[self.shapes.index]
            x, y, z = np.moveaxis(self.shapes.rotation.astype(self.digits), 2, 0)
            # A matrix that is a rotation but for rounding turns normals otherwise than points.
            turn = np.stack([np.cross(y, z), np.cross(z, x), np.cross(x, y)], axis=2)
            return unit((local[:, :, None] * turn[:, None]).sum(axis=3))
        p, q, r = np.moveaxis(self.triangles, 2, 0)
        normal = unit(np.cross(q - p, r - p))
        level = np.einsum("nti,nvi->ntv", normal, self.points) - dot(normal, p)[..., None]
        low, high = level.min(axis=2), level.max(axis=2)
        # Qhull's triangles are all of the surface.
        flat = 1e-3 * np.maximum(-low, high)
        return np.where((high <= flat)[..., None], normal, np.where((-low <= flat)[..., None], -normal, 0.0))

    def facets(self) -> list[np.ndarray]:
        """Unit vectors (N, 3), the normals of all facets of boxes and hulls among them."""
        if isinstance(self.shapes, ck.Hulls):
            return list(np.moveaxis(self.sides, 1, 0))
        turn = self.shapes.rotation if isinstance(self.shapes, ck.Boxes | ck.Ellipsoids) else np.eye(3)[None]
        columns = np.broadcast_to(turn, (len(self.points), 3, 3)).astype(self.digits)
        return [sign * unit(np.cross(columns[:, :, i], columns[:, :, j])) for i, j in ((0, 1), (1, 2), (2, 0))
                for sign in (1.0, -1.0)]  # fmt: skip

    @cached_property
    def solid(self) -> np.ndarray:
        """Return which boxes and hulls have a volume."""
        if isinstance(self.shapes, ck.Boxes):
            return self.shapes.half_extents.all(axis=1)
        return np.array([len(hull.faces) > 3 and hull.volume > 0.0 for hull in self.shapes.geometry])[self.shapes.index]

    def edges(self) -> tuple[np.ndarray, np.ndarray]:
        """Directions of all edges (N, E, 3), of what is round its axes, as sums of two floats."""
        match shapes := self.shapes:
            case ck.Boxes():
                high = np.where(shapes.half_extents[:, None] > 0.0, shapes.rotation, 0.0).transpose(0, 2, 1)
                return high, np.zeros_like(high)
            case ck.Hulls():
                first, second = np.array(self._edges).T
                local = _difference(self.local[:, second], self.local[:, first])
                turn = shapes.rotation
                return _sum([_product(turn[:, None, :, k], local[0][:, :, k, None], local[1][:, :, k, None])
                             for k in range(3)])  # fmt: skip
            case ck.Spheres():
                return np.zeros((2, len(shapes), 0, 3))
            case ck.Ellipsoids():
                return shapes.rotation.transpose(0, 2, 1), np.zeros((len(shapes), 3, 3))
            case ck.Cones():
                return _difference(shapes.apex[:, None], shapes.base[:, None])
            case ck.Triangles():
                return _difference(np.roll(shapes.vertices, -1, axis=1), shapes.vertices)
        return _difference(shapes.end[:, None], shapes.start[:, None])

    @cached_property
    def _edges(self) -> list[tuple[int, int]]:
        """Pairs of vertices that are an edge of one of the hulls, by Qhull.

        All of them with `longdouble`, and where a hull has no volume.
        """
        found: set[tuple[int, int]] = set()
        for hull in self.shapes.geometry:
            every = _triples(len(hull.points))
            simplices = every if self.digits == np.longdouble else _simplices(hull.points, every)
            found |= {tuple(sorted(pair)) for t in simplices for pair in itertools.combinations(map(int, t), 2)}
        found = {pair for pair in found if pair[0] != pair[1]} or {(0, 0)}
        return sorted(found)


def _triples(count: int) -> list[tuple[int, ...]]:
    """All triples of so many vertices, those with one twice too."""
    return list(itertools.combinations_with_replacement(range(count), 3))


def _padded(rows: list[Any]) -> np.ndarray:
    """Rows of different lengths in one array, the first entry again where there are fewer."""
    most = max(map(len, rows))
    return np.array([np.concatenate([row, np.repeat(row[:1], most - len(row), axis=0)]) for row in rows])


def outward_normals(points: np.ndarray) -> np.ndarray:
    """The outward normals of the triangles of `_triples` that are on the surface, others zero, in integers: (T, 3)."""
    exact = [[Fraction(float(x)) for x in point] for point in points]
    scale = max(x.denominator for point in exact for x in point)
    whole = [[int(x * scale) for x in point] for point in exact]
    result = np.zeros((len(_triples(len(points))), 3), dtype=np.longdouble)
    for number, (i, j, k) in enumerate(_triples(len(points))):
        one, other = ([x - y for x, y in zip(whole[to], whole[i], strict=True)] for to in (j, k))
        normal = [one[y] * other[z] - one[z] * other[y] for y, z in ((1, 2), (2, 0), (0, 1))]
        heights = [sum(n * (x - y) for n, x, y in zip(normal, point, whole[i], strict=True)) for point in whole]
        if min(heights) < 0 < max(heights):
            continue
        # As many leading digits as a long double has for certain.
        drop = max(max(map(abs, normal)).bit_length() - 63, 0)
        result[number] = [(-n if max(heights) > 0 else n) >> drop for n in normal]
    return result


def _simplices(points: np.ndarray, otherwise: list[tuple[int, ...]]) -> list[tuple[int, ...]]:
    """Triangles of the surface by Qhull; the others where there is no volume."""
    try:
        return [tuple(map(int, t)) for t in ConvexHull(points).simplices]
    except (QhullError, ValueError):
        return otherwise


def _off_segment(point: np.ndarray, start: np.ndarray, end: np.ndarray) -> np.ndarray:
    along, spoke = end - start, point - start
    square = dot(along, along)
    t = np.clip(dot(spoke, along) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
    return norm(spoke - t[..., None] * along)


def _off_triangle(point: np.ndarray, corners: np.ndarray) -> np.ndarray:
    """The nearest of the points of three sides and of the one above which the point is, if it is in the triangle."""
    p, q, r = corners
    sides = np.min([_off_segment(point, *ends) for ends in ((p, q), (q, r), (r, p))], axis=0)
    normal = unit(np.cross(q - p, r - p))
    foot = point - dot(point - p, normal)[..., None] * normal
    turns = [dot(np.cross(y - x, foot - x), normal) for x, y in ((p, q), (q, r), (r, p))]
    inside = (np.min(turns, axis=0) >= 0.0) & normal.any(axis=-1)
    return np.where(inside, np.minimum(np.abs(dot(point - p, normal)), sides), sides)


def largest_gap(a: Body, b: Body) -> tuple[np.ndarray, np.ndarray]:
    """The largest gap of two batches of polytopes (their cores) over all facets of A - B, (N,), and its axis.

    Of pairs that are apart it is a lower bound of the distance; of all others the distance, below zero, of the right
    sign and to a few roundings of their size; zero where A - B lies in a line.
    """
    count = len(a.points)
    (high_a, low_a), (high_b, low_b) = a.edges(), b.edges()
    high, low = np.concatenate([high_a, high_b], axis=1), np.concatenate([low_a, low_b], axis=1)
    i, j = np.triu_indices(high.shape[1], 1)
    best, axis = np.full(count, -np.inf), np.zeros((count, 3))
    if len(i) == 0:
        return np.zeros(count), axis
    crosses = _cross((high[:, i], low[:, i]), (high[:, j], low[:, j]))
    longest = np.argmax(np.abs(crosses).max(axis=2), axis=1)
    # Within a plane that all edges lie in, their own normals.
    within = np.cross(crosses[np.arange(count), longest][:, None], high)
    for made in (crosses, within):
        largest = np.abs(made).max(axis=2)
        direction = unit(made / np.where(largest > _NOTHING, largest, 1.0)[..., None])
        low_a, high_a = _core_extents(a, direction.astype(a.digits))
        low_b, high_b = _core_extents(b, direction.astype(a.digits))
        for sign, gap in ((1.0, low_b - high_a), (-1.0, low_a - high_b)):
            gap[largest <= _NOTHING] = -np.inf
            chosen = np.argmax(gap, axis=1)
            rows = np.arange(count)[gap[np.arange(count), chosen] > best]
            best[rows], axis[rows] = gap[rows, chosen[rows]], sign * direction[rows, chosen[rows]]
    return np.where(np.isinf(best), 0.0, best), axis


def _core_extents(body: Body, direction: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Least and greatest of the vertices along directions (N, K, 3)."""
    low = high = None
    for v in range(body.points.shape[1]):
        level = np.einsum("ni,nki->nk", body.points[:, v], direction)
        low, high = (level, level) if low is None else (np.minimum(low, level), np.maximum(high, level))
    return low, high


Double = tuple[np.ndarray, np.ndarray]


def _difference(x: np.ndarray, y: np.ndarray) -> Double:
    """The difference as a sum of two floats, exactly."""
    high = x - y
    back = x - high
    return high, (x - (high + back)) + (back - y)


def _two_product(x: np.ndarray, y: np.ndarray) -> Double:
    """The product as a sum of two floats, exactly."""
    high = x * y
    (x1, x2), (y1, y2) = ((c - (c - v), v - (c - (c - v))) for v, c in ((x, _SPLIT * x), (y, _SPLIT * y)))
    return high, ((x1 * y1 - high) + x1 * y2 + x2 * y1) + x2 * y2


def _product(x: np.ndarray, high: np.ndarray, low: np.ndarray) -> Double:
    """A float times a sum of two."""
    result, rest = _two_product(*np.broadcast_arrays(x, high))
    return result, rest + x * low


def _sum(terms: list[Double]) -> Double:
    """The sum of sums of two floats."""
    high, low = terms[0]
    for more, rest in terms[1:]:
        total, lost = _difference(high, -more)
        total, low = _difference(total, -(lost + (low + rest)))
        high = total
    return high, low


def _cross(x: Double, y: Double) -> np.ndarray:
    """The cross product of sums of two floats, rounded last."""
    parts = []
    for i, j in ((1, 2), (2, 0), (0, 1)):
        (p, p_low), (q, q_low) = _two_product(x[0][..., i], y[0][..., j]), _two_product(x[0][..., j], y[0][..., i])
        rest = (x[0][..., i] * y[1][..., j] + x[1][..., i] * y[0][..., j]) - (
            x[0][..., j] * y[1][..., i] + x[1][..., j] * y[0][..., i]
        )
        high, low = _difference(p, q)
        parts.append(high + (low + ((p_low - q_low) + rest)))
    return np.stack(parts, axis=-1)
