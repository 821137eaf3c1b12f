# SPDX-License-Identifier: GPL-3.0-or-later
"""Shapes of the plane: fits turned at random, depth far from the origin, best axes, points on outlines that touch.

Fits have a known answer: a peg of the hole's own corners touches, and one larger by a known factor is as deep at its
corners as they moved. Far away the answers are those at the origin, for coordinates that are exact at both places. The
best axis is no worse than any candidate. A point is in a region if a disc without size overlaps it.
"""

from typing import Any

import numpy as np

from collision_kit.core import Verdict, planar

COUNT = 200

Case = dict[str, Any]
Failure = dict[str, Any]


def _ring(sides: int, size: float, turn: float) -> np.ndarray:
    angle = turn + np.arange(sides) * 2.0 * np.pi / sides
    return size * np.stack([np.cos(angle), np.sin(angle)], axis=1)


def _star(rng: np.random.Generator, corners: int) -> list[list[float]]:
    angle = (np.arange(corners) + rng.uniform(0.0, 0.9, corners)) * 2.0 * np.pi / corners
    points = np.stack([np.cos(angle), np.sin(angle)], axis=1) * rng.uniform(0.3, 1.0, corners)[:, None]
    return (np.round(points * 1024.0) / 1024.0).tolist()


def _fit(rng: np.random.Generator) -> Case:
    size = float(10.0 ** rng.uniform(-3.0, 3.0))
    return {
        "sides": int(rng.choice([4, 5, 6, 8, 12, 16, 32, 64])),
        "size": size,
        "turns": rng.uniform(0.0, 7.0, 2).tolist(),
        "place": (size * rng.uniform(-5.0, 5.0, 2)).tolist(),
        "tolerance": float(10.0 ** rng.uniform(-7.0, -3.5)),
        "region": bool(rng.integers(2)),
    }


def _fits(case: Case) -> str:
    size, tolerance = case["size"], case["tolerance"] * case["size"]
    hole, (turn, angle) = _ring(case["sides"], size, case["turns"][0]), case["turns"]
    plate = planar.Regions([(_ring(7, 3.0 * size, turn), [hole])], [case["place"]], [angle])
    pegs = [hole, hole * (1.0 + 10.0 * case["tolerance"])]
    places = [case["place"]] * 2, [angle] * 2
    peg = planar.Regions([(one, []) for one in pegs], *places) if case["region"] else planar.Polygons(pegs, *places)
    verdicts = planar.classify(plate, peg, touching=tolerance).tolist()
    if verdicts[0] != Verdict.TOUCHING:
        return "an exact fit does not touch"
    if verdicts[1] != Verdict.PENETRATING:
        return "a peg too large does not penetrate"
    found, depth = planar.interference(plate, peg), -planar.distance(plate, peg).distance
    if abs(found[1] - 10.0 * tolerance) > 0.01 * 10.0 * tolerance:
        return "the interference of a fit is wrong"
    return "more interference than depth" if found[1] > depth[1] else ""


def _far(rng: np.random.Generator) -> Case:
    return {
        "outlines": [_star(rng, int(rng.integers(4, 12))) for _ in range(2)],
        "place": (np.round(rng.uniform(-1.0, 1.0, 2) * 1024.0) / 1024.0).tolist(),
        "turns": rng.uniform(0.0, 7.0, 2).tolist(),
        "offset": float(2.0 ** rng.integers(10, 25)),
    }


def _far_away(case: Case) -> str:
    found = []
    for offset in (0.0, case["offset"]):
        places = np.array([[0.0, 0.0], case["place"]]) + offset
        rows = zip(case["outlines"], places, case["turns"], strict=True)
        a, b = (planar.Regions([(outline, [])], [place], [turn]) for outline, place, turn in rows)
        measured = planar.distance(a, b)
        found.append((measured.distance[0], planar.interference(a, b)[0], measured.rounding[0]))
    (near, inner, _), (far, far_inner, rounding) = found
    if abs(near - far) > 1e-8 + rounding:
        return "the distance is another far away"
    if abs(inner - far_inner) > 1e-8 + rounding:
        return "the interference is another far away"
    return "more interference than depth" if inner > max(-near, 0.0) else ""


def _axis(rng: np.random.Generator) -> Case:
    outlines = []
    for _ in range(2):
        points = rng.normal(size=(int(rng.integers(1, 9)), 2)) * rng.choice([1.0, 1e-3, 1e-6], 2)
        outlines.append(points[planar.convex_hull(points).outline].tolist())
    return {"outlines": outlines, "place": (rng.normal(size=2) * 2.0).tolist(), "turn": float(rng.uniform(0.0, 7.0))}


def _best_axis(case: Case) -> str:
    first, second = case["outlines"]
    a, b = planar.Polygons([first]), planar.Polygons([second], [case["place"]], [case["turn"]])
    best = planar.separating_axis(a, b).gap[0]
    if best < planar.candidate_axes(a, b).gap.max() - 1e-13:
        return "a candidate axis is better than the best"
    return "the best axis has more than the distance" if best > planar.distance(a, b).distance[0] + 1e-13 else ""


def _grid(rng: np.random.Generator) -> Case:
    outline = rng.integers(0, 5, (int(rng.integers(3, 12)), 2)).astype(float)
    return {"outline": outline.tolist()}


def _points(case: Case) -> str:
    outline = np.array(case["outline"])
    try:
        region = planar.Regions([(outline, [])])
    except ValueError:
        return ""
    points = np.stack(np.meshgrid(np.arange(-0.5, 5.0, 0.25), np.arange(-0.5, 5.0, 0.25)), axis=-1).reshape(-1, 2)
    met = planar.overlap(region, planar.Circles(points, np.zeros(len(points))))
    return "" if (met == planar.inside(outline, [], points)).all() else "inside and overlap disagree"


_FAMILIES = {"fit": (_fit, _fits), "far": (_far, _far_away), "axis": (_axis, _best_axis), "points": (_grid, _points)}


def run(seed: int, count: int) -> list[Failure]:
    """Try cases made from a seed; what is wrong with which."""
    rng = np.random.default_rng(seed)
    failures = []
    for number in range(count):
        family = list(_FAMILIES)[number % len(_FAMILIES)]
        case = {"family": family, **_FAMILIES[family][0](rng)}
        if what := wrong({"case": case}):
            failures.append({"what": what, "case": case})
    return failures


def wrong(failure: Failure) -> str:
    """Check the case of a failure again; returns the errors, empty if there are none."""
    case = failure["case"]
    return _FAMILIES[case["family"]][1](case)
