# SPDX-License-Identifier: GPL-3.0-or-later
"""How far a shape moves until it may have left another: against distances just before and after, and triangle pairs."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.continuous.exit_distances import exit_distances
from collision_kit.core.mesh.triangle_mesh import TriangleMesh
from collision_kit.core.query.mesh_directions import between_meshes, by_extents, directions
from collision_kit.core.query.queries import penetrating
from tests.helpers import zoo

EVERY = np.zeros((1, 2), dtype=np.int64)


def torus(around: int, across: int, thick: float) -> tuple[np.ndarray, np.ndarray]:
    """Points and triangles of a ring of radius 1."""
    u, v = np.meshgrid(np.arange(around), np.arange(across), indexing="ij")
    a, b = 2.0 * np.pi * u / around, 2.0 * np.pi * v / across
    out = 1.0 + thick * np.cos(b)
    points = np.stack([out * np.cos(a), out * np.sin(a), thick * np.sin(b)], axis=-1).reshape(-1, 3)
    corner = [(u + i) % around * across + (v + j) % across for i, j in ((0, 0), (1, 0), (1, 1), (0, 1))]
    first, second = (np.stack([corner[k] for k in some], axis=-1).reshape(-1, 3) for some in ((0, 1, 2), (0, 2, 3)))
    return points, np.concatenate([first, second])


def notched(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A block with a step, of random sizes."""
    width, height, depth = rng.uniform(0.6, 1.6, 3)
    x, y = rng.uniform(0.2, 0.7) * width, rng.uniform(0.2, 0.7) * height
    outline = np.array([(0, 0), (width, 0), (width, y), (x, y), (x, height), (0, height)])
    points = np.concatenate([np.column_stack([outline, np.full(6, z)]) for z in (0.0, depth)])
    cap = np.array([(0, 2, 1), (0, 3, 2), (0, 4, 3), (0, 5, 4)])
    sides = [(i, (i + 1) % 6, 6 + (i + 1) % 6, 6 + i) for i in range(6)]
    walls = [corners for a, b, c, d in sides for corners in ((a, b, c), (a, c, d))]
    return points - points.mean(axis=0), np.concatenate([cap, cap[:, ::-1] + 6, walls])


def turn(rng: np.random.Generator) -> np.ndarray:
    """A random rotation."""
    found = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return found * np.sign(np.linalg.det(found))


def unit(rng: np.random.Generator) -> np.ndarray:
    """A random direction, some of them along an axis."""
    way = np.eye(3)[rng.integers(3)] if rng.random() < 0.3 else rng.normal(size=3)
    return way / np.linalg.norm(way)


def placed(mesh: tuple[np.ndarray, np.ndarray], at: np.ndarray, rotation: np.ndarray) -> ck.Meshes:
    """One solid mesh."""
    return ck.Meshes([TriangleMesh(*mesh)], [0], [at], [rotation])


def corners(mesh: tuple[np.ndarray, np.ndarray], at: np.ndarray, rotation: np.ndarray) -> np.ndarray:
    """Its triangles in the world."""
    return (mesh[0] @ rotation.T + at)[mesh[1]]


def pieces_left(one: np.ndarray, other: np.ndarray, way: np.ndarray) -> float:
    """Return when triangles that cross were left last, then those that cross there, and so on: each pair by itself."""
    size, moved = 10.0, 0.0
    pairs = np.stack(np.meshgrid(np.arange(len(one)), np.arange(len(other)), indexing="ij"), axis=-1).reshape(-1, 2)
    for _ in range(500):
        here = ck.Triangles(other + moved * way)
        near = pairs[ck.overlap(ck.Triangles(one), here, pairs)]
        near = near[ck.distance(ck.Triangles(one), here, near).distance < -1e-9]
        if not len(near):
            return moved
        last = ck.last_contact(ck.Triangles(one), here, near, velocity_b=[size * way])
        moved += size * float(last.time[last.hit].max())
    raise AssertionError("no end")


def convex(kind: int, rng: np.random.Generator) -> object:
    """One convex shape near the origin."""
    at, size = rng.uniform(-0.5, 0.5, 3), rng.uniform(0.4, 1.0, 3)
    match kind:
        case 0:
            return ck.Boxes([at], [size], [turn(rng)])
        case 1:
            return ck.Spheres([at], [size[0]])
        case 2:
            return ck.Capsules([at - size / 2.0], [at + size / 2.0], [size[0] / 2.0])
        case 3:
            return ck.Cylinders([at - size / 2.0], [at + size / 2.0], [size[1] / 2.0])
        case _:
            return ck.Hulls([ck.convex_hull(rng.normal(scale=size, size=(12, 3)))], [0], [at], [turn(rng)])


def moved(shapes: object, way: np.ndarray) -> object:
    """The shapes after a translation."""
    return shapes.placed(np.eye(3)[None], way[None])


@pytest.mark.parametrize("seed", range(4))
def test_convex_shapes_penetrate_until_the_distance_and_no_longer(seed: int) -> None:
    rng, tested = np.random.default_rng(seed), 0
    for trial in range(60):
        a, b, way = convex(trial % 5, rng), convex(rng.integers(5), rng), unit(rng)
        if not penetrating(a, b, EVERY, np.array([1e-9]))[0]:
            continue
        tested += 1
        (far,) = exit_distances(a, b, EVERY, way[None], np.array([10.0]), np.array([1e-9]))
        assert ck.distance(a, moved(b, far * way)).distance[0] >= -1e-9
        for share in (0.5, 0.999):
            assert ck.distance(a, moved(b, share * far * way)).distance[0] < 0.0
    assert tested > 20


@pytest.mark.parametrize("seed", range(3))
def test_meshes_are_left_when_their_last_triangles_are(seed: int) -> None:
    rng, tested = np.random.default_rng(100 + seed), 0
    for trial in range(8):
        shapes = [torus(8, 5, 0.3) if (trial + side) % 2 else notched(rng) for side in (0, 1)]
        where = [(rng.uniform(-0.6, 0.6, 3), turn(rng)) for _ in shapes]
        way = unit(rng)
        a, b = (placed(shape, *at) for shape, at in zip(shapes, where, strict=True))
        one, other = (corners(shape, *at) for shape, at in zip(shapes, where, strict=True))
        expected = pieces_left(one, other, way)
        if not expected:
            continue
        tested += 1
        (far,) = exit_distances(a, b, EVERY, way[None], np.array([10.0]), np.array([0.0]))
        assert far == pytest.approx(expected, abs=1e-7)
    assert tested > 2


def convex_left(shape: object, triangles: np.ndarray, way: np.ndarray) -> float:
    """Return when triangles that penetrate a convex shape have left it, then those that do so there, and so on."""
    size, moved, pairs = 10.0, 0.0, np.stack([np.zeros(len(triangles), dtype=int), np.arange(len(triangles))], axis=1)
    for _ in range(500):
        here = ck.Triangles(triangles + moved * way)
        near = pairs[ck.distance(shape, here, pairs).distance < -1e-9]
        if not len(near):
            return moved
        last = ck.last_contact(shape, here, near, velocity_b=[size * way])
        moved += size * float(last.time[last.hit].max())
    raise AssertionError("no end")


NOT_CONVEX = {ck.Kind.MESH, ck.Kind.COMPOUND, ck.Kind.HALF_SPACE, ck.Kind.PLANE}


@pytest.mark.parametrize("kind", [kind for kind in ck.Kind if kind not in NOT_CONVEX], ids=str)
def test_a_mesh_at_a_convex_shape_is_left_when_its_last_triangle_is(kind: ck.Kind) -> None:
    rng, tested = np.random.default_rng(400 + kind), 0
    for trial in range(12):
        shape = torus(16, 9, 0.3) if trial % 2 else notched(rng)
        at, rotation, way = rng.uniform(-0.6, 0.6, 3), turn(rng), unit(rng)
        # On a lattice, too.
        if trial % 4 == 0:
            at, rotation = np.rint(2.0 * at) / 2.0, np.eye(3)
        a = zoo.generic(kind, rng, 1)
        a = zoo.moved(a, rng.uniform(-0.3, 0.3, (1, 3)) - a.bounding_spheres()[0])
        expected = convex_left(a, corners(shape, at, rotation), way)
        tested += expected > 0.1
        b = placed(shape, at, rotation).with_fields(solid=np.zeros(1, dtype=bool))
        (far,) = exit_distances(a, b, EVERY, way[None], np.array([10.0]), np.array([1e-9]))
        assert far == pytest.approx(expected, abs=1e-7)
        # Up to a limit, the distance need not be exact.
        (short,) = exit_distances(a, b, EVERY, way[None], np.array([0.3 * expected]), np.array([1e-9]))
        assert 0.3 * expected <= short <= far + 1e-9
    assert tested > 4


def test_a_triangle_in_a_plane_of_symmetry_of_a_convex_shape_is_left() -> None:
    # The difference of both has the origin on edges and faces that any search meets.
    flat = (np.array([[-1.0, 0, 0], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]]))
    sheet = ck.Meshes.from_triangles([flat], solid=False)
    shapes = [
        ck.Boxes([[0, 0, 0]], [[0.5, 0.5, 0.5]]),
        ck.Cylinders([[0, 0, -0.5]], [[0, 0, 0.5]], [0.5]),
        ck.Ellipsoids([[0, 0, 0]], [[0.5, 0.5, 0.5]]),
        ck.Spheres([[0, 0, 0]], [0.5]),
        ck.Capsules([[0, 0, -0.25]], [[0, 0, 0.25]], [0.25]),
    ]
    for shape, high in zip(shapes, (0.5, 0.5, 0.5, 0.5, 0.5), strict=True):
        for way in ([0.0, 0.0, 1.0], [0.0, 0.0, -1.0]):
            found = exit_distances(shape, sheet, EVERY, np.array([way]), np.array([9.0]), np.array([1e-9]))
            assert found[0] == pytest.approx(high)


@pytest.mark.parametrize("seed", range(3))
def test_a_part_inside_a_mesh_moves_on_until_it_reaches_the_surface(seed: int) -> None:
    rng = np.random.default_rng(200 + seed)
    outer = torus(16, 8, 0.5)
    place, rotation, way = rng.normal(size=3), turn(rng), unit(rng)
    inner = (0.05 * torus(8, 5, 0.3)[0], torus(8, 5, 0.3)[1])
    a, b = placed(outer, place, rotation), placed(inner, place + rotation @ [1.0, 0.0, 0.0], turn(rng))
    (far,) = exit_distances(a, b, EVERY, way[None], np.array([10.0]), np.array([1e-9]))
    # Its middle has left the solid then, and it is inside all the way but for its own size.
    ray = ck.ray_cast(a.with_fields(solid=np.zeros(1, dtype=bool)), [place + rotation @ [1.0, 0.0, 0.0]], way[None])
    assert abs(far - ray.distance[0]) < 0.1
    for share in (0.25, 0.5):
        assert penetrating(a, moved(b, share * max(far - 0.1, 0.0) * way), EVERY, np.array([1e-9]))[0]


def test_copies_in_one_place_move_apart() -> None:
    rng = np.random.default_rng(5)
    mesh, rotation = torus(16, 8, 0.3), turn(rng)
    a = placed(mesh, np.zeros(3), rotation)
    assert exit_distances(a, a, EVERY, unit(rng)[None], np.array([10.0]), np.array([1e-9]))[0] > 0.05


def test_parts_of_compounds_that_penetrate_are_left() -> None:
    parts = ck.Boxes([[0, 0, 0], [3, 0, 0]], [[1, 1, 1], [1, 1, 1]])
    pair = ck.Compounds([[parts]])
    box = ck.Boxes([[0.5, 0, 0]], [[1, 1, 1]])
    along = np.array([[1.0, 0.0, 0.0]])
    # It leaves the first part after 1.5, where the second one is in the way, and that after 4.5.
    assert exit_distances(pair, box, EVERY, along, np.array([9.0]), np.array([1e-9]))[0] == pytest.approx(1.5)
    there = moved(box, np.array([1.5, 0.0, 0.0]))
    assert exit_distances(pair, there, EVERY, along, np.array([9.0]), np.array([1e-9]))[0] == pytest.approx(3.0)


def test_a_half_space_is_left_along_its_normal_and_never_into_it() -> None:
    floor = ck.HalfSpaces([[0.0, 0.0, 1.0]], [0.0])
    mesh = placed(torus(8, 5, 0.3), np.array([0.0, 0.0, -0.1]), np.eye(3))
    low = -0.1 + mesh.geometry[0].points[:, 2].min()
    for way, expected in (([0.0, 0.0, 1.0], -low), ([0.0, 0.6, 0.8], -low / 0.8), ([0.0, 0.0, -1.0], np.inf)):
        found = exit_distances(floor, mesh, EVERY, np.array([way]), np.array([9.0]), np.array([1e-9]))
        assert found[0] == pytest.approx(expected)
        back = exit_distances(mesh, floor, EVERY, -np.array([way]), np.array([9.0]), np.array([1e-9]))
        assert back[0] == pytest.approx(expected)


def test_meshes_with_margins_are_left_by_their_margins_too() -> None:
    flat = (np.array([[-1.0, -1, 0], [1, -1, 0], [1, 1, 0], [-1, 1, 0]]), np.array([[0, 1, 2], [0, 2, 3]]))
    sheet = ck.World([placed(flat, np.zeros(3), np.eye(3))], [0.25])
    ball = ck.World([ck.Spheres([[0.2, 0.1, 0.3]], [0.5])])
    along = np.array([[0.0, 0.0, 1.0]])
    found = exit_distances(sheet, ball, EVERY, along, np.array([9.0]), np.array([1e-9]))
    assert found[0] == pytest.approx(0.75 - 0.3)


@pytest.mark.parametrize("seed", range(3))
def test_directions_of_meshes_lead_out_by_their_extents(seed: int) -> None:
    rng = np.random.default_rng(300 + seed)
    meshes = [placed(notched(rng), rng.uniform(-0.3, 0.3, 3), turn(rng)) for _ in range(6)]
    world = ck.World([*meshes, ck.Boxes([[0, 0, 0]], [[0.4, 0.5, 0.6]], [turn(rng)])])
    rows = world.pairs()
    rows = rows[penetrating(world, world, rows, np.full(len(rows), 1e-9))]
    rows = np.where(rng.random(len(rows))[:, None] < 0.5, rows[:, ::-1], rows)
    assert between_meshes(world, world, rows).all() and len(rows) > 3
    length, along = by_extents(world, world, rows)
    assert (length >= -ck.distance(world, world, rows).distance - 1e-9).all()
    for row, far, way in zip(rows, length, along, strict=True):
        one, other = (world.batches[world.batch[k]].take([world.slot[k]]) for k in row)
        assert ck.distance(one, moved(other, far * way)).distance[0] >= -1e-9
    pair, ways = directions(world, world, rows)
    assert (np.diff(pair) >= 0).all() and set(pair.tolist()) == set(range(len(rows)))
    np.testing.assert_allclose(np.linalg.norm(ways, axis=1), 1.0)
