# SPDX-License-Identifier: GPL-3.0-or-later
"""Pegs in holes of 4 to 64 sides, turned at random, exact and too large: verdicts and interference are known.

A peg with the corners of its hole touches, of whatever kind it is, and so does one that is too large by less than the
tolerance. One that is larger by a known factor is as deep at its corners as they moved, and no contact is deeper.
"""

from typing import Any

import numpy as np

import collision_kit.core as ck

COUNT = 10

Case = dict[str, Any]
Find = dict[str, Any]


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
    return {
        "sides": int(rng.choice([4, 5, 6, 8, 12, 16, 32, 64])),
        "size": size,
        "length": float(rng.choice([0.5, 1.0, 2.0])),
        "turn": rng.normal(size=4).tolist(),
        "place": (size * rng.uniform(-5.0, 5.0, 3)).tolist(),
        "tolerance": float(10.0 ** rng.uniform(-7.0, -3.5)),
        "mesh": bool(rng.integers(2)),
        "swapped": bool(rng.integers(2)),
    }


def _wrong(case: Case) -> str:
    sides, size, turn, place = case["sides"], case["size"], _rotation(case["turn"]), np.array(case["place"])
    tolerance = case["tolerance"] * size

    def placed(points: np.ndarray) -> np.ndarray:
        return points @ turn.T + place

    points, triangles = walls(sides, size, 3.0 * size, size)
    block = ck.Meshes.from_triangles([(placed(points), triangles)])
    for growth, touches in ((0.0, True), (0.5 * case["tolerance"], True), (10.0 * case["tolerance"], False)):
        points, triangles = peg(sides, size * (1.0 + growth), case["length"] * size)
        held = (
            ck.Meshes.from_triangles([(placed(points), triangles)])
            if case["mesh"]
            else ck.Hulls.from_points([placed(points)])
        )
        a, b = (held, block) if case["swapped"] else (block, held)
        verdict = ck.classify(a, b, touching=tolerance)[0]
        if touches and verdict != ck.Verdict.TOUCHING:
            return "a fit within the tolerance does not touch"
        if not touches:
            if verdict != ck.Verdict.PENETRATING:
                return "a peg too large does not penetrate"
            expected = growth * size
            if abs(ck.interference(a, b)[0] - expected) > 0.01 * expected:
                return "the interference of a fit is wrong"
            if ck.contacts(a, b).depth.max(initial=0.0) > 1.01 * expected:
                return "a contact of a fit is deeper than its interference"
    return ""


def run(seed: int, count: int) -> list[Find]:
    """Try so many cases."""
    rng = np.random.default_rng([seed, 211])
    finds = []
    for number in range(count):
        case = _case(rng)
        what = _wrong(case)
        if what:
            finds.append({"what": what, "case": case, "number": number})
    return finds


def wrong(find: Find) -> str:
    """What is wrong with the case of a find now; empty where nothing is."""
    return _wrong(find["case"])
