# SPDX-License-Identifier: GPL-3.0-or-later
"""The closed parts of meshes that were put together from parts of which the cells or the corners are known."""

import itertools

import numpy as np
import pytest

from collision_kit.core import convex_hull, fit
from tests.helpers import mesh_zoo, zoo
from tests.helpers.offline import slow
from tests.helpers.triangle_meshes import BOX

# The corners of the six sides of a cell, counterclockwise from outside, and the step to the cell behind each.
SIDES = [
    (np.array(corners), np.array(step))
    for corners, step in (
        ([(0, 0, 0), (0, 0, 1), (0, 1, 1), (0, 1, 0)], (-1, 0, 0)),
        ([(1, 0, 0), (1, 1, 0), (1, 1, 1), (1, 0, 1)], (1, 0, 0)),
        ([(0, 0, 0), (1, 0, 0), (1, 0, 1), (0, 0, 1)], (0, -1, 0)),
        ([(0, 1, 0), (0, 1, 1), (1, 1, 1), (1, 1, 0)], (0, 1, 0)),
        ([(0, 0, 0), (0, 1, 0), (1, 1, 0), (1, 0, 0)], (0, 0, -1)),
        ([(0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)], (0, 0, 1)),
    )
]
BLOCKS = [(1, 1, 1), (2, 1, 1), (1, 3, 1), (2, 2, 1), (1, 2, 3), (3, 3, 1)]


def volume(part):
    corner = part.points[part.triangles] - part.points[0]
    return np.einsum("ij,ij->i", corner[:, 0], np.cross(corner[:, 1], corner[:, 2])).sum() / 6.0


def surface(cells, turned_diagonal=False):
    """The surface of some cells, in quadrilaterals of one cell each: (T, 3, 3)."""
    own, found = {tuple(cell) for cell in cells}, []
    for cell in cells:
        for corners, step in SIDES:
            if tuple(np.array(cell) + step) not in own:
                quad = corners + cell
                # The same diagonal from both sides: it begins at the corner with the least coordinates.
                start = int(np.lexsort(quad.T[::-1])[0]) + turned_diagonal
                a, b, c, d = np.roll(quad, -start, axis=0)
                found += [(a, b, c), (a, c, d)]
    return np.array(found, np.float64)


def furniture(rng):
    """Cells of parts that share no cell: blocks and corners of two blocks, anywhere they have room."""
    taken, parts = set(), []
    for _ in range(rng.integers(2, 12)):
        low = rng.integers(0, 4, 3)
        cells = list(itertools.product(*(range(n) for n in rng.permutation(BLOCKS[rng.integers(len(BLOCKS))]))))
        if rng.random() < 0.3:
            cells = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
        cells = {tuple((low + cell).tolist()) for cell in cells}
        if not cells & taken:
            taken |= cells
            parts.append(sorted(cells))
    return parts


def put_together(rng, parts, join, flipped, turned):
    """One mesh of the surfaces of parts.

    `join`: "raw": each part has its own points; "merged": points in the same place are one; "once": and of two faces in
    the same place only one is left, as after Merge by Distance; "seams": no triangle shares a point.
    """
    soups = [surface(cells, turned_diagonal=bool(turned and rng.integers(2))) for cells in parts]
    soups = [soup[:, ::-1] if flip else soup for soup, flip in zip(soups, flipped, strict=True)]
    owner = np.repeat(np.arange(len(parts)), [len(soup) for soup in soups])
    points = np.concatenate(soups).reshape(-1, 3)
    if join == "seams":
        return points, np.arange(len(points)).reshape(-1, 3), owner
    names = points if join != "raw" else np.column_stack([points, np.repeat(owner, 3)])
    kept, number = np.unique(names, axis=0, return_inverse=True)
    triangles = number.reshape(-1, 3)
    if join == "once":
        _, first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
        triangles, owner = triangles[np.sort(first)], owner[np.sort(first)]
    return kept[:, :3], triangles, owner


def cells_of(part, back, limit=8):
    """The cells whose middles are in a part, by winding number."""
    middles = np.array(list(itertools.product(range(limit), repeat=3)))
    wound = mesh_zoo.winding(back(part.points)[part.triangles], middles + 0.5)
    return sorted(tuple(cell) for cell in middles[np.rint(wound) == 1].tolist())


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("inside_out", [False, True])
@pytest.mark.parametrize("join", ["raw", "merged", "once", "seams"])
@pytest.mark.parametrize("seed", [0, 1, *slow(*range(2, 40))])
def test_parts_are_those_that_were_put_together(seed, join, inside_out, turned):
    rng = np.random.default_rng(seed)
    if join == "once":
        turned = False  # faces of two triangulations are not one
    while True:
        parts = furniture(rng)
        flipped = rng.random(len(parts)) < 0.4 if inside_out else np.zeros(len(parts), bool)
        points, triangles, owner = put_together(rng, parts, join, flipped, turned)
        # Of a part between others perhaps no face is left.
        if len(np.unique(owner)) == len(parts):
            break
    turn, shift = zoo.rotations(rng, 1)[0], rng.normal(size=3) * 10.0
    order = rng.permutation(len(triangles))
    found = fit.closed_parts(points @ turn.T * 0.3 + shift, triangles[order])
    assert all(part.closed for part in found)
    assert sorted(cells_of(part, lambda placed: (placed - shift) @ turn / 0.3) for part in found) == sorted(parts)
    for part in found:
        np.testing.assert_array_equal(part.points, (points @ turn.T * 0.3 + shift)[part.point_index])
        assert (np.sort(part.point_index[part.triangles]) == np.sort(triangles[order][part.triangle_index])).all()


def boxes(*limits, inward=()):
    """One mesh of boxes (low, high), each with its own points; those in `inward` face inward."""
    points, triangles = [], []
    for number, (low, high) in enumerate(limits):
        points.append(np.array(list(itertools.product(*zip(low, high, strict=True))), np.float64))
        triangles.append((BOX[:, ::-1] if number in inward else BOX) + 8 * number)
    return np.concatenate(points), np.concatenate(triangles)


def merged(mesh, most=2):
    """The mesh with one point in each place, and of faces in the same place at most so many."""
    points, number = np.unique(mesh[0], axis=0, return_inverse=True)
    triangles = number.reshape(-1)[mesh[1]]
    seen: dict[tuple, int] = {}
    kept = []
    for row, corners in enumerate(np.sort(triangles, axis=1).tolist()):
        seen[tuple(corners)] = seen.get(tuple(corners), 0) + 1
        if seen[tuple(corners)] <= most:
            kept.append(row)
    return points, triangles[kept]


def volumes(mesh):
    return sorted(round(float(volume(part)), 9) for part in fit.closed_parts(*mesh))


ROOM = [
    *(((0, 0, z), (4, 4, z + 1)) for z in (0, 4)),
    *(((x, 0, 1), (x + 1, 4, 4)) for x in (0, 3)),
    *(((1, y, 1), (3, y + 1, 4)) for y in (0, 3)),
]


@pytest.mark.parametrize("inward", [(), (2,), (0, 3), range(6)])
@pytest.mark.parametrize("most", [1, 2])
def test_the_room_between_walls_is_no_part(inward, most):
    expected = sorted(float(np.prod(np.subtract(high, low))) for low, high in ROOM)
    assert volumes(boxes(*ROOM, inward=inward)) == expected
    assert volumes(merged(boxes(*ROOM, inward=inward), most)) == expected


@pytest.mark.parametrize("inward", [(), (0, 4, 13, 20), range(26)])
@pytest.mark.parametrize("most", [1, 2])
def test_a_hollow_between_blocks_that_share_sides_is_no_part(inward, most):
    cells = [cell for cell in itertools.product(range(3), repeat=3) if cell != (1, 1, 1)]
    mesh = boxes(*((cell, np.array(cell) + 1) for cell in cells), inward=inward)
    assert volumes(merged(mesh, most)) == [1.0] * 26


@pytest.mark.parametrize("inward", [(), range(124)])
@pytest.mark.parametrize("most", [1, 2])
def test_a_hollow_behind_two_layers_of_blocks_is_no_part(inward, most):
    cells = [cell for cell in itertools.product(range(5), repeat=3) if cell != (2, 2, 2)]
    mesh = boxes(*((cell, np.array(cell) + 1) for cell in cells), inward=inward)
    assert volumes(merged(mesh, most)) == [1.0] * 124


@pytest.mark.parametrize("most", [1, 2])
@pytest.mark.parametrize("count", [3, 4, 5])
def test_a_block_with_blocks_all_around_is_a_part(count, most):
    cells = list(itertools.product(range(count), repeat=3))
    mesh = boxes(*((cell, np.array(cell) + 1) for cell in cells))
    assert volumes(merged(mesh, most)) == [1.0] * count**3


def test_without_the_faces_between_them_blocks_are_one_part():
    points, triangles = merged(boxes(((0, 0, 0), (1, 1, 1)), ((1, 0, 0), (2, 1, 1))))
    sides = np.sort(triangles, axis=1)
    _, group, uses = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    (part,) = fit.closed_parts(points, triangles[uses[group.reshape(-1)] == 1])
    assert part.closed and volume(part) == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("inward", "expected"),
    [
        ((), [1.0, 27.0, 125.0]),  # three solids, one in another
        ((1,), [1.0, 98.0]),  # a cavity, and a solid in it
        ((0,), [1.0, 98.0]),
        ((0, 2), [1.0, 98.0]),  # the same, inside out as a whole
        ((0, 1), [26.0, 125.0]),
        ((0, 1, 2), [1.0, 27.0, 125.0]),
    ],
)
def test_what_faces_the_other_way_inside_a_part_is_its_cavity(inward, expected):
    limits = [((0, 0, 0), (5, 5, 5)), ((1, 1, 1), (4, 4, 4)), ((2, 2, 2), (3, 3, 3))]
    assert volumes(boxes(*limits, inward=inward)) == expected


def test_a_part_inside_out_that_sticks_out_of_another_is_no_cavity():
    assert volumes(boxes(((0, 0, 0), (2, 2, 2)), ((1, 1, 1), (3, 3, 3)), inward=(1,))) == [8.0, 8.0]


@pytest.mark.parametrize("inward", [(), (1,)])
@pytest.mark.parametrize("join", [lambda mesh: mesh, merged])
def test_parts_in_the_same_place_are_one(inward, join):
    assert volumes(join(boxes(((0, 0, 0), (2, 1, 1)), ((0, 0, 0), (2, 1, 1)), inward=inward))) == [2.0]


def test_open_parts_are_what_is_left():
    points, triangles = boxes(((0, 0, 0), (1, 1, 1)), ((1, 1, 0), (2, 2, 1)), ((5, 5, 5), (6, 6, 6)))
    points, triangles = merged((points, triangles[2:]))
    parts = fit.closed_parts(points, triangles)
    assert [part.closed for part in parts] == [False, True, True]
    assert [len(part.triangles) for part in parts] == [10, 12, 12]
    # A sheet by itself is a part; one that hangs on a part belongs to it.
    points = np.concatenate([points, [(1, 1, 9), (2, 1, 9), (9, 9, 9)]])
    corner, far = int(np.flatnonzero((points == (2, 2, 1)).all(axis=1))[0]), len(points) - 3
    parts = fit.closed_parts(points, [*triangles, (corner, far, far + 1)])
    assert [len(part.triangles) for part in parts] == [10, 13, 12]
    assert [part.closed for part in parts] == [False, False, True]
    parts = fit.closed_parts(points, [*triangles, (far + 2, far, far + 1)])
    assert [len(part.triangles) for part in parts] == [10, 12, 12, 1]


def test_faces_of_a_part_that_face_any_way_are_turned_outward():
    rng = np.random.default_rng(3)
    points = rng.normal(size=(30, 3))
    hull = convex_hull(points)
    fans = np.array([(face[0], face[i], face[i + 1]) for face in hull.faces for i in range(1, len(face) - 1)])
    flip = rng.random(len(fans)) < 0.4
    (part,) = fit.closed_parts(points, np.where(flip[:, None], fans[:, ::-1], fans))
    assert volume(part) == pytest.approx(hull.volume)
    middle = part.points[part.triangles].mean(axis=1)
    corner = part.points[part.triangles]
    normal = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    assert (np.einsum("ij,ij->i", normal, middle - hull.centroid) > 0.0).all()
