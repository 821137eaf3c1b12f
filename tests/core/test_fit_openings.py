# SPDX-License-Identifier: GPL-3.0-or-later
"""Openings of meshes are counted."""

import numpy as np
import pytest

from collision_kit.core import fit

BOX = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


def box(low=(0.0, 0.0, 0.0), high=(1.0, 1.0, 1.0), sides=BOX):
    corners = [(x, y, z) for x in (low[0], high[0]) for y in (low[1], high[1]) for z in (low[2], high[2])]
    return np.array(corners), np.array([(f[0], f[i], f[i + 1]) for f in sides for i in (1, 2)])


def joined(*meshes):
    points, triangles, count = [], [], 0
    for some, faces in meshes:
        points.append(some)
        triangles.append(faces + count)
        count += len(some)
    return np.concatenate(points), np.concatenate(triangles)


def grid(columns, rows, missing=(), thick=0.0):
    """A wall of squares, some of which are missing; with a thickness, closed."""
    lines = [(x, y) for x in range(columns + 1) for y in range(rows + 1)]
    squares = [(x, y) for x in range(columns) for y in range(rows) if (x, y) not in missing]
    faces = []
    for x, y in squares:
        a, b = x * (rows + 1) + y, (x + 1) * (rows + 1) + y
        faces.append((a, b, b + 1, a + 1))
    points = [(*line, 0.0) for line in lines]
    if thick:
        points += [(*line, thick) for line in lines]
        sides = {}
        for face in faces:
            for i in range(4):
                edge = face[i], face[(i + 1) % 4]
                sides[edge] = edge
        border = [edge for edge in sides if edge[::-1] not in sides]
        n = len(lines)
        faces = [
            *(face[::-1] for face in faces),
            *(tuple(i + n for i in face) for face in faces),
            *((a, b, b + n, a + n) for a, b in border),
        ]
    return np.array(points), np.array([(f[0], f[i], f[i + 1]) for f in faces for i in (1, 2)])


@pytest.mark.parametrize(
    ("mesh", "count"),
    [
        (box(), 0),
        (box(sides=BOX[:5]), 0),
        (box(sides=[BOX[0], BOX[1], BOX[2], BOX[3]]), 1),
        (grid(5, 3), 0),
        (grid(5, 3, {(1, 1), (3, 1)}), 2),
        (grid(5, 3, {(1, 1), (3, 1)}, 0.2), 2),
        (grid(5, 3, {(2, 0), (2, 1)}, 0.2), 0),
        (joined(box(), box((1.0, 0.0, 0.0), (2.0, 1.0, 1.0))), 0),
        (joined(box(), box((5.0, 0.0, 0.0), (6.0, 1.0, 1.0), BOX[:4])), 1),
    ],
)
def test_openings_are_counted_whatever_the_order_and_the_place(mesh, count):
    points, triangles = mesh
    rng = np.random.default_rng(7)
    order = rng.permutation(len(points))
    place = np.empty_like(order)
    place[order] = np.arange(len(order))
    assert fit.openings(points, triangles) == count
    assert fit.openings(points[order] * 3.0 + 100.0, place[rng.permutation(triangles)]) == count


def test_a_ring_has_one_and_seams_do_not_matter():
    around, across = 16, 8
    index = np.arange(around * across).reshape(around, across)
    turn, tilt = 2.0 * np.pi * np.arange(around) / around, 2.0 * np.pi * np.arange(across) / across
    radius = 2.0 + 0.5 * np.cos(tilt)
    points = np.stack(
        [
            np.cos(turn)[:, None] * radius,
            np.sin(turn)[:, None] * radius,
            np.broadcast_to(0.5 * np.sin(tilt), (around, across)),
        ],
        axis=-1,
    ).reshape(-1, 3)
    a, b = index, np.roll(index, -1, axis=0)
    c, d = np.roll(b, -1, axis=1), np.roll(a, -1, axis=1)
    triangles = np.concatenate([np.stack([a, b, c], -1).reshape(-1, 3), np.stack([a, c, d], -1).reshape(-1, 3)])
    assert fit.openings(points, triangles) == 1
    # Every triangle with points of its own, in the same places.
    assert fit.openings(points[triangles].reshape(-1, 3), np.arange(3 * len(triangles)).reshape(-1, 3)) == 1


def test_a_floor_closes_what_stands_on_it_and_nothing_else():
    without = {"bottom": (0, 2, 6, 4), "top": (1, 5, 7, 3), "side": (0, 4, 5, 1)}
    for name, face in without.items():
        points, triangles = box((-1.0, 2.0, 3.0), (1.0, 5.0, 4.0), [one for one in BOX if one != face])
        closed = fit.with_floor(points, triangles)
        if name != "bottom":
            assert np.array_equal(closed[0], points) and np.array_equal(closed[1], triangles)
            continue
        (part,) = fit.closed_parts(*closed)
        assert part.closed
        assert fit.fit_quality(fit.fit_box(points).shape, *closed).mesh_ratio == pytest.approx(1.0)
    # A tube that stands on the ground is open at its other end still.
    points, triangles = box(sides=BOX[:2] + BOX[2:4])
    closed = fit.with_floor(points, triangles)
    assert fit.openings(points, triangles) == 1 and fit.openings(*closed) == 0
    assert len(closed[1]) == len(triangles) + 4


def test_the_border_of_a_ground_is_no_hole():
    points, triangles = grid(4, 4)
    raised = points + np.array([0.0, 0.0, 1.0]) * ((points[:, 0] == 2) & (points[:, 1] == 2))[:, None]
    # Its border lies at the lowest points, but all around: the floor is below it.
    closed = fit.with_floor(raised, triangles)
    assert len(closed[1]) == len(triangles) + 16
