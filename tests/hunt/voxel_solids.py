# SPDX-License-Identifier: GPL-3.0-or-later
"""Unions of unit cells of the lattice as meshes, boxes and hulls: every answer is known from integers.

Solids overlap if they have a cell in common, touch if cells of both are neighbors, and are otherwise as far apart as
their nearest cells. One contains the other if it has all of its cells. The least translation that frees them leads to
the nearest place outside of their Minkowski difference. Any translation can be tried cell by cell.
"""

import itertools
from typing import Any, NamedTuple

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.helpers import mesh_zoo

COUNT = 500
# Cases that are asked together.
_ROWS = 50
_EXACT = 1e-12
# Of the interference of meshes, as `interference` states.
_INTERFERENCE = 2e-3
_PERMUTED = [np.eye(3)[list(order)] for order in itertools.permutations(range(3))]
_TURNS = [
    turn
    for order in _PERMUTED
    for signs in itertools.product((-1.0, 1.0), repeat=3)
    if np.linalg.det(turn := order * signs) > 0.0
]

Case = dict[str, Any]
Failure = dict[str, Any]


def run(seed: int, count: int) -> list[Failure]:
    failures = []
    for first in range(0, count, _ROWS):
        numbers = range(first, min(first + _ROWS, count))
        cases = [_case(np.random.default_rng([seed, number])) for number in numbers]
        try:
            found = _faults(cases)
        except Exception:
            found = [wrong({"case": case}) for case in cases]
        failures += [{"what": what, "case": case} for case, what in zip(cases, found, strict=True) if what]
    return failures


def wrong(failure: Failure) -> str:
    """Check the case of a failure again; returns the errors, empty if there are none."""
    if not all(side["cells"] for side in failure["case"]["sides"]):
        return ""
    try:
        return _faults([failure["case"]])[0]
    except Exception as error:
        return f"raises {type(error).__name__}"


def _case(rng: np.random.Generator) -> Case:
    sides = []
    for _ in range(2):
        cells = _cells(rng) + rng.integers(-2, 3, 3)
        sides.append(
            {
                "cells": cells.tolist(),
                "as": str(rng.choice(["mesh", "mesh", "soup", "inside out", "box", "hull"])),
                "turn": int(rng.integers(len(_TURNS))),
                "order": int(rng.integers(1 << 30)),
            }
        )
    far = int(2.0 ** rng.uniform(0.0, 20.0)) if rng.random() < 0.3 else 0
    return {
        "sides": sides,
        "place": rng.integers(-far, far + 1, 3).tolist(),
        "scale": int(rng.choice([0, 0, rng.integers(-20, 21)])),
    }


def _cells(rng: np.random.Generator) -> np.ndarray:
    """Cells of a box, of a random walk, or any of a box, which meet in faces, edges, vertices or not at all."""
    size = rng.integers(1, 4, 3)
    box = np.array(list(itertools.product(*(range(n) for n in size))))
    choice = rng.integers(4)
    if choice == 0:
        return box
    if choice == 1:
        return box[(rng.random(len(box)) < rng.uniform(0.3, 1.0)) | (np.arange(len(box)) == 0)]
    if choice == 2:  # a shell round a cavity
        shell = np.array([cell for cell in itertools.product(range(3), repeat=3) if cell != (1, 1, 1)])
        return shell[rng.random(len(shell)) < rng.choice([1.0, 0.95, 0.8])]
    steps = np.eye(3, dtype=int)[rng.integers(0, 3, rng.integers(0, 8))]
    return np.concatenate([[[0, 0, 0]], np.cumsum(steps * rng.choice([-1, 1], (len(steps), 1)), axis=0)])


def _is_box(cells: np.ndarray) -> bool:
    return len(cells) == np.prod(np.ptp(cells, axis=0) + 1)


def _shape(cells: np.ndarray, side: Case, case: Case) -> Shapes:
    """The solid of some cells as what the case says, in a frame turned by quarters, moved and scaled exactly."""
    scale, turn = 2.0 ** case["scale"], _TURNS[side["turn"]]
    low, high = cells.min(axis=0), cells.max(axis=0) + 1
    origin = low + np.array(case["place"])
    place = (origin * scale)[None]
    kind = side["as"]
    if kind in ("box", "hull") and _is_box(cells):
        half = np.abs((high - low) @ turn) / 2.0 * scale
        center = place + (high - low) / 2.0 * scale
        if kind == "box":
            return ck.Boxes(center, half[None], turn[None])
        corners = np.array(list(itertools.product((-1.0, 1.0), repeat=3))) * half
        return ck.Hulls.from_points([corners], center, turn[None])
    points, triangles = mesh_zoo.voxels([tuple(cell) for cell in (cells - low).tolist()])
    rng = np.random.default_rng(side["order"])
    triangles = triangles[rng.permutation(len(triangles))]
    mesh = (points * scale) @ turn, triangles
    if kind == "soup":
        mesh = mesh_zoo.soup(mesh)
    if kind == "inside out":
        mesh = mesh_zoo.inside_out(mesh)
    return ck.Meshes.from_triangles([mesh], place, turn[None])


class Answers(NamedTuple):
    """Of pairs of solids."""

    distance: ck.Distances
    gap: np.ndarray
    overlap: np.ndarray
    verdict: np.ndarray
    contains: np.ndarray
    interference: np.ndarray
    touch: ck.Contacts


def asked(a: ck.World, b: ck.World, pairs: np.ndarray) -> Answers:
    return Answers(
        ck.distance(a, b, pairs),
        ck.separating_axis(a, b, pairs).gap,
        ck.overlap(a, b, pairs),
        ck.classify(a, b, pairs),
        ck.contains(a, b, pairs),
        ck.interference(a, b, pairs),
        ck.contacts(a, b, pairs),
    )


def _world(shapes: list[Shapes]) -> tuple[ck.World, np.ndarray]:
    """One batch of each kind, and the row of each shape."""
    kinds = sorted({shape.kind for shape in shapes})
    order = [k for kind in kinds for k, shape in enumerate(shapes) if shape.kind == kind]
    batches = [[shape for shape in shapes if shape.kind == kind] for kind in kinds]
    return ck.World([type(batch[0]).joined(batch) for batch in batches]), np.argsort(order)


def _faults(cases: list[Case]) -> list[str]:
    """The errors in the answers of each case, which are asked for all of them together."""
    sides = [[case["sides"][k] for case in cases] for k in (0, 1)]
    cells = [[np.unique(side["cells"], axis=0) for side in some] for some in sides]
    shapes = [[_shape(*each) for each in zip(*some, cases, strict=True)] for some in zip(cells, sides, strict=True)]
    (a, first), (b, second) = (_world(some) for some in shapes)
    pairs = np.stack([first, second], axis=1)
    with np.errstate(all="raise", under="ignore"):
        answers, swapped = asked(a, b, pairs), asked(b, a, pairs[:, ::-1])
    result = []
    for row, (case, one, other) in enumerate(zip(cases, *cells, strict=True)):
        solid = all(some[row].solid[0] for some in shapes if isinstance(some[row], ck.Meshes))
        result.append(
            ("" if solid else "a union of cells is no solid")
            or _fault(answers, row, one, other, case)
            or _fault(swapped, row, other, one, case)
        )
    return result


def _fault(answers: Answers, row: int, cells_a: np.ndarray, cells_b: np.ndarray, case: Case) -> str:
    scale = 2.0 ** case["scale"]
    distance, rounding = answers.distance.distance[row] / scale, answers.distance.rounding[row] / scale
    exact = 10.0 * _EXACT + 4.0 * rounding
    overlap, verdict = bool(answers.overlap[row]), ck.Verdict(answers.verdict[row])
    touch = answers.touch.point[answers.touch.pair == row] / scale - case["place"]
    apart = np.maximum(np.abs(cells_a[:, None] - cells_b) - 1, 0)
    nearest = int((apart**2).sum(axis=2).min())
    common = bool((cells_a[:, None] == cells_b).all(axis=2).any())
    held = bool((cells_b[:, None] == cells_a).all(axis=2).any(axis=1).all())
    holds = bool((cells_a[:, None] == cells_b).all(axis=2).any(axis=1).all())
    if answers.contains[row] != held:
        return "containment"
    if overlap != (nearest == 0):
        return "overlap"
    if (len(touch) > 0) != overlap:
        return "contacts of what is apart, or none"
    wanted = ck.Verdict.SEPARATED if nearest else ck.Verdict.PENETRATING if common else ck.Verdict.TOUCHING
    if common and (held or holds):
        wanted = ck.Verdict.CONTAINED
    if verdict != wanted:
        return f"{verdict.name} instead of {wanted.name}"
    if answers.gap[row] / scale > distance + exact:
        return "a gap larger than the distance"
    interference = answers.interference[row] / scale
    if not common:
        if abs(distance - np.sqrt(nearest)) > exact:
            return "the distance of what does not overlap"
        if interference > exact:
            return "interference of what does not overlap"
        if len(touch) and _off(cells_a, cells_b, touch).max() > exact:
            return "a contact where nothing touches"
        return ""
    least = _least_translation(cells_a, cells_b)
    if -distance < least - exact:
        return "less depth than the least translation"
    boxes = _is_box(cells_a) and _is_box(cells_b)
    if boxes and max(abs(distance + least), abs(interference - least)) > exact:
        return "not the least translation of boxes"
    if _common(cells_a, cells_b + -distance * answers.distance.normal[row]) > exact:
        return "the translation does not free"
    if interference > -distance + exact:
        return "more interference than depth"
    low, high = _interference(cells_a, cells_b)
    if not low * (1.0 - _INTERFERENCE) - exact <= interference:
        return "less interference than that of a point"
    if not boxes and interference > high + exact:
        return "more interference than that of any point"
    return ""


def _common(cells_a: np.ndarray, cells_b: np.ndarray) -> float:
    """Return how deep any two cells are in each other, of places that need not be integers."""
    return float((1.0 - np.abs(cells_a[:, None] - cells_b)).min(axis=2).max())


def _least_translation(cells_a: np.ndarray, cells_b: np.ndarray) -> float:
    """Distance of the origin from what is free of the Minkowski difference A - B, whose cells are open cubes.

    Free are cells, faces, edges and vertices of the lattice. The middle of each is on a lattice of halves.
    """
    apart = 2 * (cells_a[:, None] - cells_b).reshape(-1, 3)
    reach = np.abs(apart).max() + 2
    full = np.zeros((2 * reach + 1,) * 3, dtype=bool)
    for step in itertools.product((-1, 0, 1), repeat=3):
        full[tuple((apart + step + reach).T)] = True
    free = np.argwhere(~full) - reach
    return float(np.sqrt(((np.abs(free) - free % 2) ** 2).sum(axis=1).min()) / 2.0)


def _surface(cells: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Faces between a cell and none, as lower and upper corners (k, 3)."""
    filled, low, high = {*map(tuple, cells.tolist())}, [], []
    for cell, axis, side in itertools.product(filled, range(3), (0, 1)):
        step = np.eye(3, dtype=int)[axis]
        if tuple(np.array(cell) + (2 * side - 1) * step) not in filled:
            low.append(cell + side * step)
            high.append(cell + side * step + 1 - step)
    return np.array(low), np.array(high)


def _off(cells_a: np.ndarray, cells_b: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Return how far points are from both of the solids, (k,): the larger distance."""
    return np.max([_from_boxes(cells, cells + 1, points) for cells in (cells_a, cells_b)], axis=0)


def _from_boxes(low: np.ndarray, high: np.ndarray, points: np.ndarray) -> np.ndarray:
    """Distances of points (k, 3) from the nearest of boxes that may be flat."""
    out = np.maximum(np.maximum(low - points[:, None], points[:, None] - high), 0.0)
    return np.sqrt((out**2).sum(axis=2)).min(axis=1)


# Places on a face, and how far another point of it can be from the nearest of them.
_GRID = np.array(list(itertools.product(np.linspace(0.0, 1.0, 5), repeat=3)))
_STEP = np.sqrt(2.0) / 8.0


def _interference(cells_a: np.ndarray, cells_b: np.ndarray) -> tuple[float, float]:
    """Bounds of how deep a point on either surface is in the other solid: the deepest of a grid, and one step more."""
    deepest = 0.0
    for one, other in ((cells_a, cells_b), (cells_b, cells_a)):
        low, high = _surface(one)
        points = np.unique((low[:, None] + (high - low)[:, None] * _GRID).reshape(-1, 3), axis=0)
        points = points[_from_boxes(other, other + 1, points) == 0.0]
        if len(points):
            deepest = max(deepest, float(_from_boxes(*_surface(other), points).max()))
    return deepest, deepest + _STEP
