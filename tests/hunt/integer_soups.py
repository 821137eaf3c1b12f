# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle soups with integer corners: which triangles meet, cross or lie in one plane, and where, in fractions.

The soups have triangles without area, the same triangle several times, and any number of triangles at an edge. How far
two triangles are apart is computed in integers; what two that meet have in common, in fractions.
"""

import itertools
from collections.abc import Callable
from fractions import Fraction
from typing import Any

import numpy as np

import collision_kit.core as ck
from tests.hunt.exact_triangles import inner, less

COUNT = 300
_EXACT = 1e-12

Case = dict[str, Any]
Failure = dict[str, Any]
Point = list[Fraction]


def run(seed: int, count: int) -> list[Failure]:
    return tried(seed, count, _case, wrong)


def tried(
    seed: int, count: int, drawn: Callable[[np.random.Generator], Case], wrong: Callable[[Failure], str]
) -> list[Failure]:
    """The failures among cases that are drawn one by one, each from the seed and its number."""
    failures = []
    for number in range(count):
        case = drawn(np.random.default_rng([seed, number]))
        if what := wrong({"case": case}):
            failures.append({"what": what, "case": case})
    return failures


def _case(rng: np.random.Generator) -> Case:
    size = int(rng.choice([2, 3, 4, 8, 100]))
    corners = [rng.integers(0, size, (int(rng.integers(1, 7)), 3, 3)) for _ in range(2)]
    for own, other in (corners, corners[::-1]):
        for row in np.flatnonzero(rng.random(len(own)) < 0.4):
            # Corners of the other soup, from one to all three; or the plane of one of its triangles.
            of = other[rng.integers(len(other))]
            if rng.random() < 0.5:
                some = rng.random(3) < 0.6
                own[row, some] = of[some]
            else:
                own[row] = of[0] + rng.integers(-1, 3, (3, 2)) @ (of[1:] - of[0])
    far = int(2.0 ** rng.uniform(0.0, 20.0)) if rng.random() < 0.3 else 0
    return {
        "soups": [some.tolist() for some in corners],
        "place": rng.integers(-far, far + 1, 3).tolist(),
        "scale": int(rng.choice([0, 0, rng.integers(-20, 21)])),
    }


def wrong(failure: Failure) -> str:
    """Check the case of a failure again; returns the errors, empty if there are none."""
    case = failure["case"]
    corners = [np.array(soup, dtype=np.int64) for soup in case["soups"]]
    if any(soup.shape[1:] != (3, 3) for soup in corners):
        return ""
    try:
        with np.errstate(all="raise", under="ignore"):
            return _fault(corners[0], corners[1], case) or _fault(corners[1], corners[0], case)
    except Exception as error:
        return f"raises {type(error).__name__}"


def _fault(a: np.ndarray, b: np.ndarray, case: Case) -> str:
    scale, place = 2.0 ** case["scale"], np.array(case["place"])
    shapes = [ck.Triangles((soup + place) * scale) for soup in (a, b)]
    meshes = [
        ck.Meshes.from_triangles([(soup.reshape(-1, 3) * scale, np.arange(soup.size // 3).reshape(-1, 3))],
                                 [place * scale], solid=False)
        for soup in (a, b)
    ]  # fmt: skip
    pairs = np.array(list(itertools.product(range(len(a)), range(len(b)))))
    square, below = squared_distances(a[pairs[:, 0]], b[pairs[:, 1]])
    exact, meet = np.sqrt(square / below), square == 0
    flat = _coplanar(a[pairs[:, 0]], b[pairs[:, 1]])
    found, axes = ck.distance(*shapes, pairs), ck.separating_axis(*shapes, pairs)
    allowed = _EXACT * (np.abs(a).max() + np.abs(b).max()) + 4.0 * found.rounding / scale
    if (ck.overlap(*shapes, pairs) != meet).any() or ((axes.gap <= found.rounding) != meet).any():
        return "overlap of triangles"
    if (np.abs(found.distance / scale - exact) > allowed)[~meet].any():
        return "distance of triangles"
    if (found.distance > found.rounding)[meet].any():
        return "distance of triangles that meet"
    segments = ck.crossing_segments(*shapes, pairs)
    if (segments.overlap != meet).any() or (segments.coplanar != (meet & flat)).any():
        return "which triangles intersect"
    if what := _segments(a, b, pairs, meet & ~flat, segments, scale, place, allowed):
        return what
    return _of_meshes(meshes, pairs, meet, flat, exact, segments, scale, allowed) or _crossing_themselves(a, meshes[0])


def _segments(
    a: np.ndarray, b: np.ndarray, pairs: np.ndarray, real: np.ndarray, segments: ck.Crossings, scale: float,
    place: np.ndarray, allowed: np.ndarray,
) -> str:  # fmt: skip
    for row in np.flatnonzero(real):
        points = sorted(common(a[pairs[row, 0]], b[pairs[row, 1]]))
        if not points:
            raise AssertionError("the oracles disagree")
        ends = np.array([[float(x) for x in point] for point in (points[0], points[-1])])
        given = np.stack([segments.start[row], segments.end[row]]) / scale - place
        if np.abs(np.sort(given, axis=0) - np.sort(ends, axis=0)).max() > 10.0 * allowed[row]:
            return "the segment in which triangles intersect"
    return ""


def _of_meshes(
    meshes: list[ck.Meshes], pairs: np.ndarray, meet: np.ndarray, flat: np.ndarray, exact: np.ndarray,
    segments: ck.Crossings, scale: float, allowed: np.ndarray,
) -> str:  # fmt: skip
    measured, touch = ck.distance(*meshes), ck.contacts(*meshes)
    if ck.overlap(*meshes)[0] != meet.any() or (len(touch) > 0) != meet.any():
        return "overlap of meshes"
    if not meet.any() and abs(measured.distance[0] / scale - exact.min()) > allowed.max():
        return "distance of meshes"
    if (ck.classify(*meshes)[0] == ck.Verdict.SEPARATED) == meet.any():
        return "verdict"
    found = ck.crossing(*meshes)
    listed = np.stack([found.triangle_a, found.triangle_b], axis=1)
    if not np.array_equal(listed, pairs[meet]) or not np.array_equal(found.coplanar, flat[meet]):
        return "which triangles of meshes intersect"
    if not np.allclose(found.start, segments.start[meet], 0.0, 20.0 * allowed.max() * scale, equal_nan=True):
        return "where triangles of meshes intersect"
    return ""


def _crossing_themselves(soup: np.ndarray, mesh: ck.Meshes) -> str:
    found = ck.self_crossing(mesh)
    given = sorted(zip(found.triangle_a.tolist(), found.triangle_b.tolist(), strict=True))
    wanted = [(i, j) for i, j in itertools.combinations(range(len(soup)), 2) if cross(soup[i], soup[j])]
    return "" if given == wanted else "which triangles of a mesh cross"


def _dot(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    return (a * b).sum(axis=-1)


def _normal(triangles: np.ndarray) -> np.ndarray:
    return np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])


def _coplanar(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Whether one triangle lies in the plane of the other, or neither has an area."""
    normals = _normal(a), _normal(b)
    area = [normal.any(axis=1) for normal in normals]
    within = [
        area[own] & (_dot(other - one[:, :1], normals[own][:, None]) == 0).all(axis=1)
        for own, one, other in ((0, a, b), (1, b, a))
    ]
    return within[0] | within[1] | ~(area[0] | area[1])


def squared_distances(a: np.ndarray, b: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Squared distances of triangles (N, 3, 3) of integers as numerators and denominators."""
    best = [np.full(len(a), 1 << 40), np.ones(len(a), dtype=np.int64)]

    def consider(above: np.ndarray, below: np.ndarray, where: np.ndarray) -> None:
        # As floats: what is not zero is no smaller than 1e-12 relative to the other, and zero is exact.
        less_ = where & (below > 0) & ((above == 0) | (above / np.maximum(below, 1) < best[0] / best[1]))
        best[0], best[1] = np.where(less_, above, best[0]), np.where(less_, below, best[1])

    every = np.ones(len(a), dtype=bool)
    sides = [(0, 1), (1, 2), (2, 0)]
    for one, other in ((a, b), (b, a)):
        normal = _normal(other)
        height = _dot(one - other[:, :1], normal[:, None])
        for k in range(3):
            point = one[:, k]
            turns = [_dot(np.cross(other[:, j] - other[:, i], point - other[:, i]), normal) for i, j in sides]
            consider(height[:, k] ** 2, _dot(normal, normal), np.min(turns, axis=0) >= 0)
            for i, j in sides:
                along, way = other[:, j] - other[:, i], point - other[:, i]
                part, whole = _dot(way, along), _dot(along, along)
                off = np.cross(way, along)
                consider(_dot(off, off), whole, (part >= 0) & (part <= whole))
                consider(_dot(way, way), np.ones_like(whole), every)
        for i, j in sides:
            # The volumes of the tetrahedra that a side makes with the three sides of the other triangle.
            volumes = [
                _dot(one[:, j] - one[:, i], np.cross(other[:, k] - one[:, i], other[:, m] - one[:, i]))
                for k, m in sides
            ]
            through = (np.min(volumes, axis=0) >= 0) | (np.max(volumes, axis=0) <= 0)
            ends = np.sign(height[:, i]) * np.sign(height[:, j])
            consider(np.zeros(len(a), dtype=np.int64), np.ones(len(a), dtype=np.int64), (ends < 0) & through)
    for (i, j), (k, m) in itertools.product(sides, sides):
        u, v, w = a[:, j] - a[:, i], b[:, m] - b[:, k], b[:, k] - a[:, i]
        normal = np.cross(u, v)
        s, t, whole = _dot(np.cross(w, v), normal), _dot(np.cross(w, u), normal), _dot(normal, normal)
        between = (np.minimum(s, t) >= 0) & (np.maximum(s, t) <= whole)
        consider(_dot(w, normal) ** 2, whole, between)
    return best[0], best[1]


def _fractions(triangle: np.ndarray) -> list[Point]:
    return [[Fraction(int(x)) for x in corner] for corner in triangle]


def _cross(a: Point, b: Point) -> Point:
    return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]


def common(p: np.ndarray, q: np.ndarray) -> list[Point]:
    """Points whose hull is what two triangles have in common: each is a corner, or on a side of one of them."""
    first, second = _fractions(p), _fractions(q)
    points = []
    for one, other in ((first, second), (second, first)):
        points += [corner for corner in one if holds(other, corner)]
        normal = _cross(less(other[1], other[0]), less(other[2], other[0]))
        for start, end in itertools.combinations(one, 2):
            rise = inner(less(end, start), normal)
            if rise:
                t = inner(less(other[0], start), normal) / rise
                point = [x + t * (y - x) for x, y in zip(start, end, strict=True)]
                if 0 <= t <= 1 and holds(other, point):
                    points.append(point)
    for (start, end), (low, high) in itertools.product(*(itertools.combinations(one, 2) for one in (first, second))):
        u, v, w = less(end, start), less(high, low), less(low, start)
        normal = _cross(u, v)
        whole = inner(normal, normal)
        if whole and not inner(w, normal):
            s, t = inner(_cross(w, v), normal) / whole, inner(_cross(w, u), normal) / whole
            if 0 <= s <= 1 and 0 <= t <= 1:
                points.append([x + s * y for x, y in zip(start, u, strict=True)])
    return points


def holds(triangle: list[Point], point: Point, *, strictly: bool = False) -> bool:
    """Whether a triangle holds a point; strictly: not on its sides."""
    p, q, r = triangle
    normal = _cross(less(q, p), less(r, p))
    if not any(normal):
        return not strictly and any(_between(start, end, point) for start, end in ((p, q), (q, r), (r, p)))
    if inner(less(point, p), normal):
        return False
    turns = [inner(_cross(less(end, start), less(point, start)), normal) for start, end in ((p, q), (q, r), (r, p))]
    return min(turns) > 0 if strictly else min(turns) >= 0


def _between(start: Point, end: Point, point: Point) -> bool:
    along, way = less(end, start), less(point, start)
    if not any(along):
        return not any(way)
    return not any(_cross(along, way)) and 0 <= inner(along, way) <= inner(along, along)


def cross(p: np.ndarray, q: np.ndarray) -> bool:
    """Whether the interiors of two triangles have a point in common: the middle of what they have in common."""
    points = common(p, q)
    if not points:
        return False
    middle = [sum(column, Fraction(0)) / len(points) for column in zip(*points, strict=True)]
    return all(holds(_fractions(triangle), middle, strictly=True) for triangle in (p, q))
