# SPDX-License-Identifier: GPL-3.0-or-later
"""Fits of many forms, turned at random, exact and too large: verdicts and interference are known.

What has the corners of the hole that it is in touches, of whatever kind it is, and so does what is too large by less
than the tolerance. What is larger by a known amount is that deep at its corners, and no contact is deeper.
"""

from typing import Any

import numpy as np

import collision_kit.core as ck

COUNT = 10

Case = dict[str, Any]
Failure = dict[str, Any]


def ring(sides: int, radius: float) -> np.ndarray:
    """Corners (sides, 2) of a regular outline."""
    angle = np.arange(sides) * (2.0 * np.pi / sides)
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def walls(sides: int, radius: float, outer: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    """A block of the outer radius with a hole through it along z."""
    loops = [(ring(sides, outer), -half), (ring(sides, outer), half), (ring(sides, radius), half)]
    loops.append((ring(sides, radius), -half))
    points = np.concatenate([np.column_stack([flat, np.full(sides, z)]) for flat, z in loops])
    triangles = []
    for first in range(4):
        second = (first + 1) % 4
        for i in range(sides):
            j = (i + 1) % sides
            a, b, c, d = first * sides + i, first * sides + j, second * sides + j, second * sides + i
            triangles += [(a, b, c), (a, c, d)]
    return points, np.array(triangles)


def peg(sides: int, radius: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    """A prism along z."""
    flat = ring(sides, radius)
    points = np.concatenate([np.column_stack([flat, np.full(sides, z)]) for z in (-half, half)])
    triangles = [(0, i + 1, i) for i in range(1, sides - 1)]
    triangles += [(sides, sides + i, sides + i + 1) for i in range(1, sides - 1)]
    for i in range(sides):
        j = (i + 1) % sides
        triangles += [(i, j, sides + j), (i, sides + j, sides + i)]
    return points, np.array(triangles)


def cup(sides: int, radius: float, outer: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    """A block of the outer radius with a hole from above to its middle."""
    loops = [(ring(sides, outer), -half), (ring(sides, outer), half), (ring(sides, radius), half)]
    loops.append((ring(sides, radius), 0.0))
    points = np.concatenate([np.column_stack([flat, np.full(sides, z)]) for flat, z in loops])
    triangles = [(0, i + 1, i) for i in range(1, sides - 1)]
    triangles += [(3 * sides, 3 * sides + i, 3 * sides + i + 1) for i in range(1, sides - 1)]
    for first in range(3):
        for i in range(sides):
            j = (i + 1) % sides
            a, b, c, d = first * sides + i, first * sides + j, (first + 1) * sides + j, (first + 1) * sides + i
            triangles += [(a, b, c), (a, c, d)]
    return points, np.array(triangles)


def extruded(
    outline: list[tuple[float, float]], caps: list[tuple[int, int, int]], half: float
) -> tuple[np.ndarray, np.ndarray]:
    """A prism along z over a counterclockwise outline, whose triangles are `caps`."""
    count = len(outline)
    points = np.concatenate([np.column_stack([outline, np.full(count, z)]) for z in (-half, half)])
    triangles = [(a, c, b) for a, b, c in caps] + [(count + a, count + b, count + c) for a, b, c in caps]
    for i in range(count):
        j = (i + 1) % count
        triangles += [(i, j, count + j), (i, count + j, count + i)]
    return points, np.array(triangles)


def block(low: list[float], high: list[float]) -> tuple[np.ndarray, np.ndarray]:
    """A box between two corners."""
    points, triangles = extruded([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)], [(0, 1, 2), (0, 2, 3)], 0.5)
    return low + (points + np.array([0.0, 0.0, 0.5])) * np.subtract(high, low), triangles


def together(*parts: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
    """Several meshes as one."""
    first = np.cumsum([0, *(len(points) for points, _ in parts)])
    triangles = [triangles + start for (_, triangles), start in zip(parts, first[:-1], strict=True)]
    return np.concatenate([points for points, _ in parts]), np.concatenate(triangles)


# What each form may be held as.
FORMS = {
    "hole": ["mesh", "hull"],
    "blind hole": ["mesh", "hull"],
    "slot": ["mesh", "hull", "box"],
    "boards": ["mesh", "hull", "box"],
    "bearing": ["mesh"],
    "dovetail": ["mesh", "hull"],
    "tube": ["ball", "capsule", "cylinder"],
    "several": ["mesh"],
}
_GROOVE = [(0, 1, 4), (0, 4, 5), (0, 5, 7), (5, 6, 7), (1, 2, 4), (2, 3, 4)]


def holder(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """The container, of size one."""
    sides, form = case["sides"], case["form"]
    if form == "blind hole":
        return cup(sides, 1.0, 3.0, 1.0)
    if form == "slot":
        outline = [(-2, -2), (2, -2), (2, 1), (1, 1), (1, -1), (-1, -1), (-1, 1), (-2, 1)]
        return extruded(outline, _GROOVE, 1.0)
    if form == "dovetail":
        outline = [(-3, -2), (3, -2), (3, 1), (0.5, 1), (1, 0), (-1, 0), (-0.5, 1), (-3, 1)]
        return extruded(outline, _GROOVE, 1.0)
    if form == "boards":
        return together(block([-2, -2, -1.5], [2, 2, -1]), block([-2, -2, 1], [2, 2, 1.5]))
    if form == "several":
        return together(*(block([x, -1, -1], [x + w, 1, 1]) for x, w in ((-3, 1), (-1, 2), (2, 1))))
    return walls(sides, 1.0 / np.cos(np.pi / sides) if form == "tube" else 1.0, 3.0, 1.0)


def held(case: Case, growth: float) -> tuple[np.ndarray, np.ndarray]:
    """The contained shape, as a mesh: its corners come out of the walls by `growth`."""
    sides, form, long, wide = case["sides"], case["form"], case["length"], 1.0 + growth
    if form == "blind hole":
        points, triangles = peg(sides, wide, long / 2.0)
        return points + np.array([0.0, 0.0, long / 2.0]), triangles
    if form == "slot":
        return block([-wide, -1.0, -long], [wide, long - 0.5, long])
    if form == "dovetail":
        outline = [(-wide, 0.0), (wide, 0.0), (wide - 0.5, 1.0), (0.5 - wide, 1.0)]
        return extruded(outline, [(0, 1, 2), (0, 2, 3)], long)
    if form == "boards":
        return block([-1.0, -long, -wide], [1.0, long, wide])
    if form == "bearing":
        return walls(sides, 0.5, wide, long)
    if form == "several":
        size = long, long
        low, high = [-length for length in size], list(size)
        return together(block([-1.0 - wide, *low], [wide - 2.0, *high]), block([2.0 - wide, *low], [1.0 + wide, *high]))
    return peg(sides, wide, long)


def _rotation(vector: list[float]) -> np.ndarray:
    """Of a quaternion of any length."""
    w, x, y, z = np.array(vector) / np.linalg.norm(vector)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )


def _case(rng: np.random.Generator) -> Case:
    size = float(10.0 ** rng.uniform(-3.0, 3.0))
    form = str(rng.choice(list(FORMS)))
    far = float(rng.choice([1.0, 10.0 ** rng.uniform(0.0, 3.0)]))
    tolerance, single = float(10.0 ** rng.uniform(-7.0, -3.5)), bool(rng.random() < 0.3)
    kind = str(rng.choice(FORMS[form]))
    if single:
        tolerance = max(tolerance, 4.0 * _SINGLE * (8.0 + 9.0 * far))
    return {
        "form": form,
        "kind": kind,
        "sides": int(rng.choice([4, 5, 6, 8, 12, 16, 32, 64])),
        "size": size,
        "length": float(rng.choice([0.5, 1.0, 2.0])),
        "turn": rng.normal(size=4).tolist(),
        "place": (size * far * rng.uniform(-5.0, 5.0, 3)).tolist(),
        "single": single,
        "tolerance": max(2.0 * tolerance, _ROUND) if kind == "cylinder" else tolerance,
        "swapped": bool(rng.integers(2)),
    }


# Depths of round shapes are correct to 1e-6 of their size, which is up to 2.3, and a cylinder may be 1.5 times as deep
# in a tube as the tube is in it. Half the tolerance and that much, and the rounding, is less than the tolerance.
_ROUND = 3e-5
# What rounding of float32 makes of a coordinate of one.
_SINGLE = float(np.finfo(np.float32).eps) / 2.0


def _wrong(case: Case) -> str:
    size, turn, place = case["size"], _rotation(case["turn"]), np.array(case["place"])
    tolerance = case["tolerance"] * size
    reach = 8.0 * size + float(np.abs(place).max())
    noise = (2.0 * _SINGLE if case["single"] else 64.0 * float(np.finfo(np.float64).eps)) * reach

    def placed(points: np.ndarray) -> np.ndarray:
        result: np.ndarray = (size * points) @ turn.T + place
        return result.astype(np.float32) if case["single"] else result

    def mesh(points: np.ndarray, triangles: np.ndarray) -> ck.Meshes:
        return ck.Meshes.from_triangles([(placed(points), triangles)])

    def shape(growth: float) -> Any:
        kind, axis = case["kind"], size * case["length"] * turn[:, 2]
        if kind == "ball":
            return ck.Spheres([place], [size * (1.0 + growth)])
        if kind in ("capsule", "cylinder"):
            ends = [place - axis], [place + axis]
            return (ck.Capsules if kind == "capsule" else ck.Cylinders)(*ends, [size * (1.0 + growth)])
        points, triangles = held(case, growth)
        if kind == "box":
            low, high = points.min(axis=0), points.max(axis=0)
            return ck.Boxes([place + turn @ (size * (low + high) / 2.0)], [size * (high - low) / 2.0], [turn])
        return mesh(points, triangles) if kind == "mesh" else ck.Hulls.from_points([placed(points)])

    around = mesh(*holder(case))
    for growth, touches in ((0.0, True), (0.5 * case["tolerance"], True), (10.0 * case["tolerance"], False)):
        a, b = (shape(growth), around) if case["swapped"] else (around, shape(growth))
        verdict = ck.Verdict(ck.classify(a, b, touching=tolerance)[0])
        expected = growth * size
        if verdict != (ck.Verdict.TOUCHING if touches else ck.Verdict.PENETRATING):
            return f"a fit that is {'within the tolerance' if touches else 'too large'} is {verdict.name.lower()}"
        if not touches and abs(ck.interference(a, b)[0] - expected) > 0.01 * expected + noise:
            return "the interference of a fit is wrong"
        if growth != 0.5 * case["tolerance"] and ck.contacts(a, b).depth.max(initial=0.0) > 1.01 * expected + noise:
            return "a contact of a fit is deeper than its interference"
    return ""


def run(seed: int, count: int) -> list[Failure]:
    """Try so many cases."""
    rng = np.random.default_rng([seed, 211])
    failures = []
    for number in range(count):
        case = _case(rng)
        what = _wrong(case)
        if what:
            failures.append({"what": what, "case": case, "number": number})
    return failures


def wrong(failure: Failure) -> str:
    """Check the case of a failure again; returns the errors, empty if there are none."""
    return _wrong(failure["case"])
