# SPDX-License-Identifier: GPL-3.0-or-later
"""Polygons of the plane with integer corners, with and without holes: all predicates in integers and fractions.

Sides are cut where they meet the other polygon. Whether the middle of each part is inside, outside or on a side, and on
which side of it the other polygon is, says how two polygons stand. No translation shorter than the depth may free them.
"""

import itertools
from fractions import Fraction
from typing import Any

import numpy as np

from collision_kit.core import Verdict, planar
from tests.hunt.exact_triangles import from_side, inner, less
from tests.hunt.integer_soups import Case, Failure, tried

COUNT = 500
_EXACT = 1e-12
# Of the size: how exact the depth of regions is.
_DEPTH = 1e-9
# Directions in which shorter translations are tried.
_WAYS = 12

Point = list[Any]
Ring = list[Point]


def run(seed: int, count: int) -> list[Failure]:
    return tried(seed, count, _case, wrong)


def wrong(failure: Failure) -> str:
    """Check the case of a failure again; returns the errors, empty if there are none."""
    a, b = failure["case"]["polygons"]
    if any(not _simple(ring) for polygon in (a, b) for ring in polygon) or not all((a, b)):
        return ""
    try:
        with np.errstate(all="raise", under="ignore"):
            return _of_one(a) or _fault(a, b, failure["case"]) or _fault(b, a, failure["case"])
    except Exception as error:
        return f"raises {type(error).__name__}"


def _case(rng: np.random.Generator) -> Case:
    size = int(rng.choice([3, 4, 6, 10, 1000]))
    polygons = [_polygon(rng, size) for _ in range(2)]
    shift = rng.integers(-size, size + 1, 2).tolist() if rng.random() < 0.7 else [0, 0]
    polygons[1] = [[[x + y for x, y in zip(point, shift, strict=True)] for point in ring] for ring in polygons[1]]
    far = int(2.0 ** rng.uniform(0.0, 20.0)) if rng.random() < 0.3 else 0
    return {
        "polygons": polygons,
        "place": rng.integers(-far, far + 1, 2).tolist(),
        "scale": int(rng.choice([0, 0, rng.integers(-20, 21)])),
        "kinds": rng.choice(["region", "convex"], 2).tolist(),
        "ways": int(rng.integers(1 << 30)),
    }


def _polygon(rng: np.random.Generator, size: int) -> list[Ring]:
    """A simple outline, grown by one corner after the other, and up to two triangles as holes."""
    corners = rng.integers(0, size + 1, (int(rng.integers(3, 16)), 2)).tolist()
    outline: Ring = []
    for point in corners:
        if len(outline) < 3:
            outline.append(point)
            if len(outline) == 3 and not _simple(outline):
                outline.pop()
            continue
        for place in rng.permutation(len(outline)):
            grown = [*outline[:place], point, *outline[place:]]
            if _simple(grown):
                outline = grown
                break
    if len(outline) < 3:
        outline = [[0, 0], [size, 0], [0, size]]
    rings = [outline]
    for _ in range(int(rng.integers(0, 7))):
        hole = rng.integers(0, size + 1, (3, 2)).tolist()
        apart = all(
            not _meet(*one, *other)
            for ring in rings
            for one, other in itertools.product(_sides(hole), _sides(ring))
        )  # fmt: skip
        if len(rings) < 3 and _simple(hole) and apart and all(locate(rings, corner) > 0 for corner in hole):
            rings.append(hole)
    return rings


def _sides(ring: Ring) -> list[tuple[Point, Point]]:
    return list(zip(ring, [*ring[1:], ring[0]], strict=True))


def turn(a: Point, b: Point, c: Point) -> Any:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def _on(a: Point, b: Point, point: Point) -> bool:
    return turn(a, b, point) == 0 and all(min(a[k], b[k]) <= point[k] <= max(a[k], b[k]) for k in (0, 1))


def _meet(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two segments have a point in common."""
    through = turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0
    return through or any((_on(a, b, c), _on(a, b, d), _on(c, d, a), _on(c, d, b)))


def _simple(ring: Ring) -> bool:
    """Whether no sides meet but at the corner that they share, and none leads back along the one before."""
    sides, count = _sides(ring), len(ring)
    if count < 3 or len({tuple(point) for point in ring}) < count:
        return False
    for i, j in itertools.combinations(range(count), 2):
        (a, b), (c, d) = sides[i], sides[j]
        if j == i + 1 or (i == 0 and j == count - 1):
            corner, one, other = (b, a, d) if j == i + 1 else (a, b, c)
            if turn(corner, one, other) == 0 and inner(less(one, corner), less(other, corner)) > 0:
                return False
        elif _meet(a, b, c, d):
            return False
    return doubled_area(ring) != 0


def doubled_area(ring: Ring) -> Any:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in _sides(ring))


def locate(rings: list[Ring], point: Point) -> int:
    """1 inside, 0 on a side, -1 outside."""
    within = False
    for ring in rings:
        for a, b in _sides(ring):
            if _on(a, b, point):
                return 0
            if (a[1] <= point[1]) != (b[1] <= point[1]) and (turn(a, b, point) > 0) == (b[1] > a[1]):
                within = not within
    return 1 if within else -1


def _parts(rings: list[Ring], others: list[Ring]) -> list[tuple[Point, Point]]:
    """The sides, cut where they meet others: middle and direction of each part, with the inside to its left."""
    result = []
    for number, ring in enumerate(rings):
        ahead = (doubled_area(ring) > 0) == (number == 0)
        for a, b in _sides(ring if ahead else ring[::-1]):
            along = less(b, a)
            cuts = {Fraction(0), Fraction(1)}
            for c, d in (side for other in others for side in _sides(other)):
                steep = along[0] * (d[1] - c[1]) - along[1] * (d[0] - c[0])
                if steep:
                    cuts.add(Fraction(turn(c, d, a)) / steep)
                else:
                    cuts |= {Fraction(inner(less(end, a), along)) / inner(along, along) for end in (c, d)}
            ordered = sorted(t for t in cuts if 0 <= t <= 1)
            for low, high in itertools.pairwise(ordered):
                t = (low + high) / 2
                result.append(([x + t * y for x, y in zip(a, along, strict=True)], along))
    return result


def relation(a: list[Ring], b: list[Ring]) -> tuple[bool, bool, bool]:
    """Whether two polygons have a point in common, an inner point in common, and whether A holds B."""
    entered, left, same, opposite = False, False, False, False
    for own, other in ((a, b), (b, a)):
        for middle, along in _parts(own, other):
            place = locate(other, middle)
            entered |= place > 0
            # What keeps B from being held: a side of A in it, or a side of B outside of A.
            left |= place > 0 if own is a else place < 0
            if place == 0:
                ways = [
                    inner(along, less(d, c)) * (1 if (doubled_area(ring) > 0) == (number == 0) else -1)
                    for number, ring in enumerate(other) for c, d in _sides(ring) if _on(c, d, middle)
                ]  # fmt: skip
                same |= any(way > 0 for way in ways)
                opposite |= any(way < 0 for way in ways)
    corners = [(a, point) for ring in b for point in ring] + [(b, point) for ring in a for point in ring]
    touch = any(locate(rings, point) >= 0 for rings, point in corners)
    return entered or same or touch, entered or same, (entered or same) and not left and not opposite


def _least(a: list[Ring], b: list[Ring]) -> float:
    """Distance of polygons that do not overlap."""
    found = []
    for own, other in ((a, b), (b, a)):
        for point in (point for ring in own for point in ring):
            sides = (side for ring in other for side in _sides(ring))
            found += [from_side(*([Fraction(x) for x in less(end, point)] for end in side)) for side in sides]
    return float(np.sqrt(float(min(found))))


def _of_one(rings: list[Ring]) -> str:
    """Points in one polygon, and its pieces."""
    points = [point for ring in rings for point in ring]
    low, high = np.min(points, axis=0), np.max(points, axis=0)
    grid = [
        [Fraction(2 * int(x) + 1, 2) if half else int(x), int(y)]
        for x in np.linspace(low[0] - 1, high[0] + 1, 8) for y in np.linspace(low[1], high[1], 8) for half in (0, 1)
    ]  # fmt: skip
    places = [locate(rings, point) for point in grid]
    for boundary in (True, False):
        held = planar.inside(rings[0], rings[1:], np.array(grid, dtype=float), boundary=boundary)
        if held.tolist() != [place > 0 or (place == 0 and boundary) for place in places]:
            return "points inside"
    if planar.is_convex(rings[0]) != _convex(rings[0]):
        return "whether an outline is convex"
    pieces = [[[int(x) for x in point] for point in piece] for piece in planar.decompose(rings[0], rings[1:])]
    if any(not _convex(piece) or doubled_area(piece) <= 0 for piece in pieces):
        return "a piece that is not convex"
    if sum(map(doubled_area, pieces)) != abs(doubled_area(rings[0])) - sum(abs(doubled_area(x)) for x in rings[1:]):
        return "the area of the pieces"
    for piece in pieces:
        middle = [Fraction(sum(column), len(piece)) for column in zip(*piece, strict=True)]
        if locate(rings, middle) <= 0:
            return "a piece outside"
    return ""


def _convex(ring: Ring) -> bool:
    turns = [turn(a, b, c) for a, b, c in zip(ring, [*ring[1:], ring[0]], [*ring[2:], *ring[:2]], strict=True)]
    return min(turns) >= 0 or max(turns) <= 0


def _fault(a: list[Ring], b: list[Ring], case: Case) -> str:
    scale, place = 2.0 ** case["scale"], case["place"]
    shapes = []
    for rings, kind in zip((a, b), case["kinds"], strict=True):
        scaled = [np.array(ring) * scale for ring in rings]
        at = [np.array(place) * scale]
        convex = kind == "convex" and len(rings) == 1 and _convex(rings[0])
        shapes.append(planar.Polygons(scaled, at) if convex else planar.Regions([(scaled[0], scaled[1:])], at))
    found = planar.distance(*shapes)
    distance, exact = found.distance[0] / scale, _EXACT * np.ptp(a[0] + b[0]) + 4.0 * found.rounding[0] / scale
    meet, deep, held = relation(a, b)
    holds = relation(b, a)[2]
    verdict = Verdict(planar.classify(*shapes)[0])
    wanted = Verdict.TOUCHING if meet else Verdict.SEPARATED
    if deep:
        wanted = Verdict.CONTAINED if held or holds else Verdict.PENETRATING
    if planar.overlap(*shapes)[0] != meet or (len(planar.contacts(*shapes)) > 0) != meet:
        return "overlap"
    if verdict != wanted:
        return f"{verdict.name} instead of {wanted.name}"
    if planar.contains(*shapes)[0] != held:
        return "containment"
    if not deep:
        return "distance" if abs(distance - _least(a, b)) > exact else ""
    if distance >= 0.0:
        return "no depth"
    interference = planar.interference(*shapes)[0] / scale
    if interference > -distance + exact:
        return "more interference than depth"
    return _depth(a, b, -distance - _DEPTH * np.ptp(a[0] + b[0]) - exact, found.normal[0], case["ways"])


def _moved(rings: list[Ring], way: np.ndarray) -> list[Ring]:
    step = [Fraction(float(x)) for x in way]
    return [[[x + y for x, y in zip(point, step, strict=True)] for point in ring] for ring in rings]


def _depth(a: list[Ring], b: list[Ring], depth: float, normal: np.ndarray, ways: int) -> str:
    """Whether shorter translations leave an inner point in common, in any direction and in that of the answer."""
    angle = np.random.default_rng(ways).uniform(0.0, 2.0 * np.pi, _WAYS)
    directions = [*np.stack([np.cos(angle), np.sin(angle)], axis=1), *np.eye(2), *-np.eye(2), normal]
    for along in directions:
        if depth > 0.0 and not relation(a, _moved(b, depth * along))[1]:
            return "a shorter translation frees"
    return ""
