# SPDX-License-Identifier: GPL-3.0-or-later
"""Interference: how deep any point of one body is in another. Fits touch, however long their distance to separate."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.mesh.triangle_mesh import TriangleMesh
from collision_kit.core.narrow_phase.mesh import bounded_mesh, deepest, interference
from collision_kit.core.narrow_phase.mesh.operands import MeshRows
from collision_kit.core.numerics.steps import exhausted
from collision_kit.core.numerics.tolerances import INTERFERENCE
from tests.helpers.mesh_zoo import bracket, ring, torus, voxels
from tests.helpers.offline import many, slow, slow_rows
from tests.hunt import exact_fits

TOUCHING = 1e-6


def rotation(rng):
    matrix = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    return matrix * np.sign(np.linalg.det(matrix))


def mesh(points, triangles, turn=None, shift=(0.0, 0.0, 0.0)):
    turn = np.eye(3) if turn is None else turn
    return ck.Meshes.from_triangles([(np.asarray(points) @ turn.T + shift, triangles)])


def prism(outer, inner, low, high):
    """A ring of walls between two outlines (n, 2) of equal length; without an inner one a solid prism."""
    count = len(outer)
    if inner is None:
        points = np.array([[*corner, z] for z in (low, high) for corner in outer])
        middle = len(points)
        points = np.concatenate([points, [[0.0, 0.0, low], [0.0, 0.0, high]]])
        loops = [(0, 1)]
        caps = [(middle, (i + 1) % count, i) for i in range(count)]
        caps += [(middle + 1, count + i, count + (i + 1) % count) for i in range(count)]
        triangles = caps
    else:
        points = np.array([[*corner, z] for outline in (outer, inner) for z in (low, high) for corner in outline])
        loops, triangles = [(0, 1), (3, 2)], []
        for i in range(count):
            j = (i + 1) % count
            for first, second, turned in ((0, 2 * count, False), (count, 3 * count, True)):
                for each in ((first + i, second + j, first + j), (first + i, second + i, second + j)):
                    triangles.append(each[::-1] if turned else each)
    for low_loop, high_loop in loops:
        for i in range(count):
            j = (i + 1) % count
            a, b, c, d = low_loop * count + i, low_loop * count + j, high_loop * count + j, high_loop * count + i
            triangles += [(a, b, c), (a, c, d)]
    return points, np.array(triangles)


def peg_and_hole(sides, excess, length=0.5):
    """A peg of so many sides in a hole of the same, whose walls are moved into the peg by `excess`."""
    angle = np.arange(sides) * (2.0 * np.pi / sides)
    outline = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    walls = prism(2.0 * outline, outline, -1.0, 1.0)
    grown = outline * (1.0 + excess / np.cos(np.pi / sides))
    return walls, prism(grown, None, -length, length)


@pytest.mark.parametrize("sides", [4, *slow(5, 16, 64)])
def test_a_peg_that_fits_its_hole_touches(sides):
    rng = np.random.default_rng(sides)
    for scale in (1e-3, 1e3):
        (walls, wall_faces), (peg, peg_faces) = peg_and_hole(sides, 0.0, length=rng.choice([0.5, 1.0, 1.5]))
        turn, shift = rotation(rng), rng.normal(size=3) * scale
        a, b = mesh(walls * scale, wall_faces, turn, shift), mesh(peg * scale, peg_faces, turn, shift)
        assert ck.interference(a, b)[0] <= 1e-13 * scale
        assert ck.classify(a, b, touching=1e-9 * scale)[0] == ck.Verdict.TOUCHING


@pytest.mark.parametrize(
    ("sides", "excess"),
    [(4, 1e-3), *slow_rows((16, 1e-4), (4, 1e-5), (5, 1e-3))],
)
def test_the_interference_of_a_press_fit_is_what_is_too_much(sides, excess):
    rng = np.random.default_rng(sides)
    (walls, wall_faces), (peg, peg_faces) = peg_and_hole(sides, excess)
    turn = rotation(rng)
    a, b = mesh(walls, wall_faces, turn), mesh(peg, peg_faces, turn)
    # A corner of the peg is as far from the corner of the hole as the outlines' corners are apart.
    expected = excess / np.cos(np.pi / sides)
    for first, second in ((a, b), (b, a)):
        assert ck.interference(first, second)[0] == pytest.approx(expected, rel=0.01)
        assert ck.classify(first, second, touching=0.1 * excess)[0] == ck.Verdict.PENETRATING
        assert ck.classify(first, second, touching=2.0 * excess)[0] == ck.Verdict.TOUCHING
    if sides == 4:
        assert ck.contacts(a, b).depth.max() <= 1.01 * expected


@pytest.mark.parametrize(("sides", "excess"), [(4, 0.0), (4, 1e-3), pytest.param(16, 0.0, marks=pytest.mark.slow)])
def test_up_to_what_touches_any_depth_will_do(sides, excess):
    """With a tolerance the answer is on the same side of it, and above it the same."""
    rng = np.random.default_rng(sides)
    noise = 1e-7
    (walls, wall_faces), (peg, peg_faces) = peg_and_hole(sides, excess)
    turn = rotation(rng)
    a, b = mesh(walls, wall_faces, turn), mesh(peg + rng.uniform(-noise, noise, size=peg.shape), peg_faces, turn)
    exact = excess / np.cos(np.pi / sides)
    for first, second in ((a, b), (b, a), (ck.Assemblies([[a]]), b)):
        for touching in (0.9 * exact, 1.1 * exact) if exact else (1e-5,):
            found = ck.interference(first, second, touching=touching)[0]
            if exact > touching:
                assert found == pytest.approx(exact, rel=0.01)
            else:
                assert found <= touching
    with pytest.raises(ValueError, match="touching"):
        ck.interference(a, b, touching=-1.0)


# Three cells around a slot one wide, and what fits it.
CHANNEL = voxels([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0), (2, 1, 0)])
FITTING = {
    "box": ck.Boxes([[1.5, 1.5, 0.5]], [[0.5, 0.5, 0.5]]),
    "longer box": ck.Boxes([[1.5, 1.5, 0.5]], [[0.5, 0.5, 2.0]]),
    "hull": ck.Hulls.from_points([[[x, y, z] for x in (1, 2) for y in (1, 3) for z in (0.25, 0.75)]]),
    "mesh": mesh(*voxels([(1, 1, 0)])),
    "ball": ck.Spheres([[1.5, 1.5, 0.5]], [0.5]),
    "capsule": ck.Capsules([[1.5, 1.5, 0.0]], [[1.5, 1.5, 1.0]], [0.5]),
    "cylinder": ck.Cylinders([[1.5, 1.5, 0.0]], [[1.5, 1.5, 1.0]], [0.5]),
    "segment": ck.Capsules([[1.0, 1.5, 0.5]], [[2.0, 1.5, 0.5]], [0.0]),
}


# The others take seconds each.
SLOW = ["longer box", "hull", "mesh", "capsule", "cylinder"]


@pytest.mark.parametrize("name", [*(name for name in FITTING if name not in SLOW), *slow(*SLOW)])
def test_what_fits_a_channel_touches_with_depth_0_on_both_sides(name):
    channel, shape = mesh(*CHANNEL), FITTING[name]
    for a, b in ((channel, shape), (shape, channel)):
        assert ck.interference(a, b)[0] == 0.0
        assert ck.classify(a, b)[0] == ck.Verdict.TOUCHING
        assert abs(ck.distance(a, b).distance[0]) <= 1e-12
        found = ck.contacts(a, b)
        assert len(found) >= 2
        np.testing.assert_allclose(found.depth, 0.0, atol=1e-12)
        sideways = found.normal[np.abs(found.normal[:, 0]) > 0.99]
        assert {-1.0, 1.0} == set(np.sign(sideways[:, 0]))


def test_what_is_stuck_in_the_floor_of_its_hole_slides_out():
    channel = mesh(*CHANNEL)
    for sunk in (ck.Boxes([[1.5, 1.4, 0.5]], [[0.5, 0.5, 0.5]]), mesh(*voxels([(1, 1, 0)]), shift=(0.0, -0.1, 0.0))):
        found = ck.distance(channel, sunk)
        assert found.distance[0] == pytest.approx(-0.1)
        np.testing.assert_allclose(found.normal, [[0.0, 1.0, 0.0]], atol=1e-12)
        touching = ck.contacts(channel, sunk)
        assert touching.depth.max() <= 0.1 + 1e-9
        np.testing.assert_allclose(touching.normal[0], [0.0, 1.0, 0.0], atol=1e-9)


@pytest.mark.parametrize("sides", [4, *slow(16, 32)])
def test_a_press_fit_is_freed_along_its_hole_and_no_farther(sides):
    rng = np.random.default_rng([sides, 1])
    (walls, wall_faces), (peg, peg_faces) = peg_and_hole(sides, 1e-4)
    turn, shift = rotation(rng), rng.normal(size=3)
    a, b = mesh(walls, wall_faces, turn, shift), mesh(peg, peg_faces, turn, shift)
    found = ck.distance(a, b)
    assert found.distance[0] == pytest.approx(-1.5)
    np.testing.assert_allclose(np.abs(found.normal @ turn), [[0.0, 0.0, 1.0]], atol=1e-9)
    moved = mesh(peg, peg_faces, turn, shift - (found.distance[:, None] * found.normal)[0])
    assert ck.interference(a, moved)[0] <= 1e-12


@pytest.mark.parametrize("shift", [0.0, *slow(1e-6)])
def test_copies_in_one_place_interfere(shift):
    for points, triangles in (CHANNEL, ring()):
        a, b = mesh(points, triangles), mesh(points, triangles, shift=(shift, 0.0, 0.0))
        assert ck.interference(a, b)[0] > 0.1
        assert ck.classify(a, b, touching=1e-3)[0] >= ck.Verdict.PENETRATING


@pytest.mark.parametrize("form", ["tube", *slow(*sorted({*exact_fits.FORMS} - {"tube"}))])
def test_fits_touch_up_to_the_tolerance_and_interfere_by_what_is_too_much(form):
    rng = np.random.default_rng(8)
    case = {
        "form": form,
        "kind": exact_fits.FORMS[form][0],
        "sides": 5,
        "size": 10.0 ** rng.uniform(-3.0, 3.0),
        "length": 0.5,
        "turn": rng.normal(size=4),
        "tolerance": 1e-5,
        "single": False,
        "swapped": bool(rng.integers(2)),
    }
    case["place"] = case["size"] * 100.0 * rng.uniform(-1.0, 1.0, 3)
    assert exact_fits.wrong({"case": case}) == ""


@pytest.mark.parametrize("sides", [12, *slow(6, 32)])
def test_a_cylinder_that_fits_a_hole_of_many_sides_touches_it(sides):
    # The cylinder touches each side of the hole along a line.
    case = {
        "form": "tube",
        "kind": "cylinder",
        "sides": sides,
        "size": 3.0,
        "length": 1.0,
        "turn": [0.3, -0.5, 0.2, 0.7],
        "place": [20.0, -31.0, 7.0],
        "tolerance": 3e-5,
        "single": False,
        "swapped": sides == 12,
    }
    assert exact_fits.wrong({"case": case}) == ""
    place, axis = np.array(case["place"]), case["size"] * exact_fits._rotation(case["turn"])[:, 2]
    points, triangles = exact_fits.holder(case)
    hole = mesh(case["size"] * points, triangles, exact_fits._rotation(case["turn"]), place)
    for growth in (0.0, 1e-4):
        cylinder = ck.Cylinders([place - axis], [place + axis], [case["size"] * (1.0 + growth)])
        depths = ck.World([cylinder, hole]).depths([[0, 1]])
        # Correct to 1e-6 of the size, and no bound that says nothing: at most 1.5 times as deep.
        assert abs(depths.depth[0] - case["size"] * growth) <= 1e-5
        assert depths.bound[0] <= 1.5 * case["size"] * growth + 2e-5


def test_convex_pairs_interfere_as_deep_as_they_penetrate():
    rng = np.random.default_rng(3)
    cube = voxels([(0, 0, 0)])
    for _ in range(10):
        shift = rng.uniform(-1.2, 1.2, size=3)
        turn = rotation(rng)
        a, b = mesh(*cube), mesh(*cube, turn, shift)
        hulls = ck.Hulls.from_points([cube[0]]), ck.Hulls.from_points([cube[0] @ turn.T + shift])
        depth = np.maximum(-ck.distance(*hulls).distance, 0.0)
        for first, second in ((a, b), (hulls[0], b), (a, hulls[1]), hulls):
            np.testing.assert_allclose(ck.interference(first, second), depth, rtol=1e-9, atol=1e-12)


def to_triangles(points, triangles):
    """Distances of points from triangles, (n, m), by minimizing over the inside and the three sides."""
    origin, u, v = triangles[:, 0], triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
    d = points[:, None] - origin
    uu, uv, vv = ((x * y).sum(axis=1) for x, y in ((u, u), (u, v), (v, v)))
    du, dv = (d * u).sum(axis=2), (d * v).sum(axis=2)
    area = uu * vv - uv * uv
    s, t = (vv * du - uv * dv) / area, (uu * dv - uv * du) / area
    w = v - u
    r = np.clip(((d - u) * w).sum(axis=2) / (w * w).sum(axis=1), 0.0, 1.0)
    zero = np.zeros_like(s)
    within = (s >= 0.0) & (t >= 0.0) & (s + t <= 1.0)
    found = []
    for one, two, valid in (
        (s, t, within),
        (np.clip(du / uu, 0.0, 1.0), zero, True),
        (zero, np.clip(dv / vv, 0.0, 1.0), True),
        (1.0 - r, r, True),
    ):
        away = d - one[..., None] * u - two[..., None] * v
        found.append(np.where(valid, (away * away).sum(axis=2), np.inf))
    return np.sqrt(np.min(found, axis=0))


def winding(points, triangles):
    """Return how often triangles wind about points, by solid angles (van Oosterom and Strackee, 1983)."""
    corner = triangles[None] - points[:, None, None]
    size = np.linalg.norm(corner, axis=3)
    p, q, r = np.moveaxis(corner, 2, 0)
    level = size.prod(axis=2)
    for (x, y), rest in (((p, q), 2), ((q, r), 0), ((r, p), 1)):
        level += (x * y).sum(axis=2) * size[:, :, rest]
    return np.rint(2.0 * np.arctan2((p * np.cross(q, r)).sum(axis=2), level).sum(axis=1) / (4.0 * np.pi))


def sampled(one, other, steps):
    """The greatest depth in `other` of points spread evenly over the triangles of `one`."""
    i, j = (grid.reshape(-1) / steps for grid in np.meshgrid(np.arange(steps + 1), np.arange(steps + 1)))
    weight = np.stack([1.0 - i - j, i, j], axis=1)[i + j <= 1.0 + 1e-12]
    points = np.einsum("sk,tkx->tsx", weight, one).reshape(-1, 3)
    inside = points[winding(points, other) != 0.0]
    return to_triangles(inside, other).min(axis=1).max() if len(inside) else 0.0


@pytest.mark.parametrize("seed", [0, *slow(*range(1, 6))])
def test_no_point_of_either_boundary_is_deeper_than_the_interference(seed):
    rng = np.random.default_rng([7, seed])
    shapes = [CHANNEL, bracket(), ring(), torus(6, 4)]
    (points_a, faces_a), (points_b, faces_b) = (shapes[k] for k in rng.integers(len(shapes), size=2))
    turn, shift = rotation(rng), points_a.mean(axis=0) + rng.normal(size=3) * 0.5
    placed = (points_b - points_b.mean(axis=0)) @ turn.T + shift
    a, b = mesh(points_a, faces_a), mesh(placed, faces_b)
    found = ck.interference(a, b)[0]
    steps, corners = 16, (points_a[faces_a], placed[faces_b])
    lower = max(sampled(*corners, steps), sampled(*corners[::-1], steps))
    spacing = max(np.linalg.norm(each - np.roll(each, 1, axis=1), axis=2).max() for each in corners) / steps
    # At least as deep as any sample, and no deeper than any point that a sample is near to.
    assert lower * (1.0 - 1.1e-3) <= found <= lower + spacing
    assert found <= max(-ck.distance(a, b).distance[0], 0.0) + 1e-9
    assert ck.interference(b, a)[0] == pytest.approx(found, rel=2e-3, abs=1e-9)


def test_planes_and_assemblies():
    channel = mesh(*CHANNEL)
    np.testing.assert_allclose(ck.interference(ck.HalfSpaces([[0, 1, 0]], [0.25]), channel), [0.25])
    np.testing.assert_allclose(ck.interference(channel, ck.Planes([[0, 1, 0]], [0.25])), [0.25])
    two = mesh(*voxels([(0, 0, 0), (0, 2, 0)]))
    # Cells that touch a plane from either side.
    assert ck.interference(ck.Planes([[0, 1, 0]], [1.0]), two)[0] == 0.0
    body = ck.Assemblies([[channel], [ck.Spheres([[9.0, 9.0, 9.0]], [1.0])]])
    np.testing.assert_allclose(ck.interference(body, FITTING["box"]), [0.0, 0.0])


def test_a_surface_interferes_as_its_triangles_do():
    sheet = ck.Meshes.from_triangles([([[-2, -2, 0], [2, -2, 0], [2, 2, 0], [-2, 2, 0]], [(0, 1, 2), (0, 2, 3)])])
    ball = ck.Spheres([[0.0, 0.5, 0.25]], [1.0])
    assert ck.interference(sheet, ball)[0] == pytest.approx(0.75)
    upright = ck.Meshes.from_triangles([([[-1, 0, -0.125], [1, 0, -0.125], [0, 0, 4.0]], [(0, 1, 2)])])
    assert ck.interference(sheet, upright)[0] == pytest.approx(0.125)


def test_known_distances_give_the_same():
    world = ck.World([mesh(*CHANNEL), FITTING["box"], FITTING["ball"], mesh(*torus())])
    pairs = np.array(list(itertools.combinations(range(len(world)), 2)))
    np.testing.assert_array_equal(world.interference(pairs), world.interference(pairs, known=world.distance(pairs)))


@pytest.mark.parametrize("solid", list(itertools.product((False, True), repeat=2)))
def test_a_sheet_with_two_sides_interferes_as_one_with_one_side_does(solid):
    """A flat watertight mesh has no inside that a point could be in: its triangles count."""
    corner = np.array([[0, 0, 0], [2, 0, 0], [2, 1, 0], [1, 1, 0], [1, 2, 0], [0, 2, 0]], dtype=float)
    faces = np.array([[0, 1, 2], [0, 2, 3], [0, 3, 4], [0, 4, 5]])
    across = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]])
    for sheet in (corner, corner[:4]):
        some = faces[(faces < len(sheet)).all(axis=1)]
        one, two = (np.concatenate([some, some[:, ::-1]]) if double else some for double in solid)
        a, b = mesh(sheet, one), mesh(sheet, two, across, (0.3, 0.4, -0.7))
        expected = ck.interference(mesh(sheet, some), mesh(sheet, some, across, (0.3, 0.4, -0.7)))
        assert expected > 0.1
        np.testing.assert_allclose(ck.interference(a, b), expected, rtol=1e-12)
        assert ck.classify(a, b) == ck.Verdict.PENETRATING


@pytest.mark.parametrize("seed", [0, *slow(*range(1, 6))])
def test_what_touches_round_shapes_from_outside_needs_no_long_search(seed, monkeypatch):
    # What is found in so few rounds must be all.
    monkeypatch.setattr(deepest, "_ROUNDS", 2)
    rng = np.random.default_rng(seed)
    edge = np.array([[1.0, 0.0], [3.0, -2.0], [2.5, 0.0], [3.0, 2.0]])
    points = np.array([[*corner, z] for z in (-1.0, 1.0) for corner in edge])
    sides = [(i, (i + 1) % 4, 4 + (i + 1) % 4) for i in range(4)] + [(i, 4 + (i + 1) % 4, 4 + i) for i in range(4)]
    caps = [(2, 1, 0), (3, 2, 0), (4, 5, 6), (4, 6, 7)]
    turn, size = rotation(rng), 10.0 ** rng.uniform(-3.0, 3.0)
    arrow = mesh(size * points, sides + caps, turn)
    axis = size * rng.uniform(0.5, 2.0) * turn[:, 2]
    round_shapes = [ck.Cylinders([-axis], [axis], [size]), ck.Spheres([np.zeros(3)], [size])]
    for shapes in [*round_shapes, ck.Ellipsoids([np.zeros(3)], size * np.array([[1.0, 2.0, 3.0]]), [turn])]:
        assert ck.interference(shapes, arrow)[0] <= 1e-6 * size


@pytest.mark.parametrize("sides", [4, *slow(16)])
def test_an_ellipsoid_in_a_hole_is_as_deep_as_it_presses_into_the_walls(sides):
    # Most patches of the ellipsoid are near a wall, and not in it.
    (walls, faces), _ = peg_and_hole(sides, 0.0)
    width, excess = np.cos(np.pi / sides), 1e-4
    radii = np.array([[width + excess, width + excess, 0.3]])
    found = ck.interference(ck.Ellipsoids([np.zeros(3)], radii), mesh(walls, faces))
    assert found == pytest.approx(excess, rel=0.01)


# Trees of boxes of 5 to 11 levels.
@pytest.mark.parametrize("size", [(4, 3), (12, 10), *slow((8, 3), (8, 6), (16, 15), (30, 16), (32, 30))])
def test_no_vertex_is_deeper_than_the_interference_however_many_levels_the_tree_has(size):
    rng = np.random.default_rng([71, *size])
    points, triangles = torus(*size)
    first, second = mesh(points, triangles, rotation(rng)), mesh(points, triangles, rotation(rng), (0.4, 0.1, 0.0))
    deepest = 0.0
    for one, other in ((first, second), (second, first)):
        vertices = ck.Spheres(one.geometry[0].points, np.zeros(len(points)))
        surface = ck.Meshes(other.geometry, other.index, other.translation, other.rotation, solid=[False])
        rows = np.stack([np.arange(len(points)), np.zeros(len(points), int)], axis=1)
        within = ck.overlap(vertices, other, rows)
        deepest = max(deepest, ck.distance(vertices, surface, rows).distance[within].max(initial=0.0))
    assert deepest > 0.0
    found = ck.interference(first, second)[0]
    assert deepest * (1.0 - 1e-9) <= found <= -ck.distance(first, second).distance[0] * (1.0 + 1e-9)


def test_bodies_that_overlap_by_rounding_interfere_by_this():
    turn = rotation(np.random.default_rng(2))
    points, triangles = bracket()
    least = np.ptp(points, axis=0).min()
    way = np.array([-0.05, -0.15, least - 1e-12])
    depth = ck.interference(mesh(points, triangles, turn), mesh(points, triangles, turn, turn @ way))
    np.testing.assert_allclose(depth, 1e-12, rtol=0.05)


@pytest.mark.parametrize("sunk", [3e-4, 5e-4, 2e-3])
@pytest.mark.parametrize("width", [1e-3, 4e-3])
def test_a_thin_ring_in_a_wall_is_as_deep_as_it_is_sunk(sunk, width):
    # The two large triangles of the wall are cut into thousands of pieces along the thin walls of the ring.
    angle = np.linspace(0.0, 2.0 * np.pi, 256, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    points, triangles = prism(0.26 * circle, (0.26 - width) * circle, -sunk, 0.1)
    thin = mesh(points, triangles, shift=(0.1, -0.05, 0.0))
    box = np.array([[x, y, z] for z in (-0.1, 0.0) for x in (-1.0, 1.1) for y in (-1.05, 0.95)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    cells = [(a, b, c) for a, b, c, d in quads] + [(a, c, d) for a, b, c, d in quads]
    # Another wall behind it, so that the body is not convex.
    cells += [(a + 8, b + 8, c + 8) for a, b, c in cells]
    room = mesh(np.concatenate([box, 0.5 * box - (0.0, 0.0, 0.2)]), cells)
    for a, b in ((thin, room), (room, thin)):
        depth = ck.interference(a, b)[0]
        assert min(sunk, 0.5 * width) <= depth * (1 + 1e-9)
        assert depth == pytest.approx(sunk, rel=3e-3)
        assert depth <= -ck.distance(a, b).distance[0] * (1 + 2e-3)


def room_with_rings(count, sunk, sides=128, width=1e-3):
    """Thin rings in each other, sunk into the large triangles of a wall, and the wall with another behind it."""
    angle = np.linspace(0.0, 2.0 * np.pi, sides, endpoint=False)
    circle = np.column_stack([np.cos(angle), np.sin(angle)])
    rings = [prism(r * circle, (r - width) * circle, -sunk, 0.1) for r in np.linspace(0.2, 0.8, count)]
    first = np.cumsum([0, *(len(points) for points, _ in rings)])
    points = np.concatenate([points for points, _ in rings])
    triangles = np.concatenate([np.asarray(cells) + start for (_, cells), start in zip(rings, first, strict=False)])
    box = np.array([[x, y, z] for z in (-0.1, 0.0) for x in (-1.0, 1.1) for y in (-1.05, 0.95)])
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    cells = np.array([(a, b, c) for a, b, c, d in quads] + [(a, c, d) for a, b, c, d in quads])
    room = np.concatenate([box, box * 0.5 - (0.0, 0.0, 0.2)]), np.concatenate([cells, cells + 8])
    return mesh(points, triangles), mesh(*room)


def in_full(a, b, touching=0.0):
    """The depths of pairs in full, and the number of steps."""
    world, count = ck.World([a, b]), len(a)
    pairs, steps = np.column_stack([np.arange(count), count + np.arange(count)]), 0
    measured = world.depth_steps(pairs, touching=touching)
    while True:
        try:
            next(measured)
        except StopIteration as end:
            return end.value, steps
        steps += 1


def test_a_pair_that_needs_more_pieces_than_its_budget_has_a_lower_bound(monkeypatch):
    sunk = 4e-4
    monkeypatch.setattr(deepest, "_PIECES", 256)
    monkeypatch.setattr(deepest, "_MORE", 0)
    rings, room = room_with_rings(2, sunk)
    for a, b in ((rings, room), (room, rings)):
        usual = ck.World([a, b]).depths([[0, 1]])
        assert usual.at_least[0] and usual.depth[0] <= sunk * (1 + 1e-9) and usual.bound[0] > usual.depth[0]
        assert usual.depth[0] == ck.interference(a, b)[0]
        full, steps = in_full(a, b)
        assert steps > 1 and not full.at_least[0] and full.bound[0] == full.depth[0]
        assert full.depth[0] == pytest.approx(sunk, rel=INTERFERENCE)
        # Without a deep point, the verdict is that of the bound.
        with monkeypatch.context() as patched:
            patched.setattr(deepest, "_PIECES", 1)
            for touching in (0.5 * sunk, 0.9 * sunk):
                assert ck.classify(a, b, touching=touching)[0] == ck.Verdict.PENETRATING


ROUND = {
    "sphere": lambda base, top, radius: ck.Spheres([(base + top) / 2.0], [radius]),
    "capsule": lambda base, top, radius: ck.Capsules([base], [top], [radius]),
    "cylinder": lambda base, top, radius: ck.Cylinders([base], [top], [radius]),
    "cone": lambda base, top, radius: ck.Cones([base], [top], [radius]),
    "upright ellipsoid": lambda base, top, radius: ck.Ellipsoids(
        [(base + top) / 2.0], [[radius, radius, (top[2] - base[2]) / 2.0]]
    ),
}


def on_round(name, base, top, radius, rng, count):
    """Points of the boundary of a shape of `ROUND` whose axis is vertical."""
    around, share = rng.uniform(0.0, 2.0 * np.pi, count), rng.uniform(0.0, 1.0, count)
    ring = np.stack([np.cos(around), np.sin(around), np.zeros(count)], axis=1)
    ball = rng.normal(size=(count, 3))
    ball /= np.linalg.norm(ball, axis=1)[:, None]
    middle, half = (base + top) / 2.0, (top - base) / 2.0
    if name == "sphere":
        return middle + radius * ball
    if name == "upright ellipsoid":
        return middle + ball * (radius, radius, half[2])
    side = base + share[:, None] * (top - base)
    if name == "capsule":
        return np.concatenate([side + radius * ring, np.where(ball[:, 2:] > 0.0, top, base) + radius * ball])
    disc = radius * np.sqrt(rng.uniform(0.0, 1.0, count))[:, None] * ring
    if name == "cone":
        return np.concatenate([side + radius * (1.0 - share[:, None]) * ring, base + disc])
    return np.concatenate([side + radius * ring, base + disc, top + disc])


@pytest.mark.parametrize("name", ROUND)
@pytest.mark.parametrize("seed", [0, *slow(*range(1, 8))])
def test_a_round_shape_deep_in_a_concave_mesh_is_measured_in_full(name, seed):
    rng = np.random.default_rng(seed)
    points, triangles = torus(24, 12)
    turn = rng.uniform(0.0, 2.0 * np.pi)
    place = np.array([np.cos(turn), np.sin(turn), 0.0]) + rng.normal(size=3) * 0.1
    radius, half = rng.uniform(0.05, 0.3), np.array([0.0, 0.0, rng.uniform(0.1, 0.5)])
    base, top = place - half, place + half
    shape, solid = ROUND[name](base, top, radius), mesh(points, triangles)
    found = ck.World([shape, solid]).depths([[0, 1]])
    boundary = on_round(name, base, top, radius, rng, 1500)
    corners = np.asarray(points)[np.asarray(triangles)]
    within = boundary[winding(boundary, corners) != 0.0]
    deep = to_triangles(within, corners).min(axis=1).max() if len(within) else 0.0
    own = ck.distance(ck.Spheres(points, np.zeros(len(points))), shape.take(np.zeros(len(points), dtype=int))).distance
    sampled = max(deep, -own.min())
    assert found.depth[0] >= sampled * (1.0 - INTERFERENCE) - 1e-6
    # The search ended by itself.
    assert not found.at_least[0] and found.bound[0] <= found.depth[0] * (1.0 + 2.0 * INTERFERENCE) + 1e-6


def spread(points, triangles, step):
    """Points of all triangles, each with another within this distance."""
    corner = np.asarray(points)[np.asarray(triangles)]
    parts = []
    for one in corner:
        edge = max(np.linalg.norm(one - np.roll(one, 1, axis=0), axis=1))
        count = max(int(np.ceil(edge / step)), 1)
        weights = np.array([(i, j, count - i - j) for i in range(count + 1) for j in range(count + 1 - i)]) / count
        parts.append(weights @ one)
    return np.concatenate(parts)


@pytest.mark.parametrize("pieces", [1, 4])
def test_bounds_of_ended_searches_hold_the_depth_of_the_densest_points(monkeypatch, pieces):
    monkeypatch.setattr(deepest, "_MORE", 0)
    rng, step, ended = np.random.default_rng(7), 0.04, 0
    shapes = [torus(12, 6), voxels([(0, 0, 0), (1, 0, 0), (0, 1, 0)])]
    for case in range(8):
        (points_a, cells_a), (points_b, cells_b) = shapes[case % 2], shapes[(case + case // 2) % 2]
        turn, shift = rotation(rng), rng.normal(size=3) * 0.6
        a, b = mesh(points_a, cells_a), mesh(points_b, cells_b, turn, shift)
        inner = [
            ck.signed_distance(b, spread(points_a, cells_a, step)),
            ck.signed_distance(a, spread(np.asarray(points_b) @ turn.T + shift, cells_b, step)),
        ]
        dense = max(0.0, *(-one.min() for one in inner))
        with monkeypatch.context() as patched:
            patched.setattr(deepest, "_PIECES", pieces)
            usual = ck.World([a, b]).depths([[0, 1]])
            full, _ = in_full(a, b)
        ended += int(usual.at_least[0])
        assert usual.depth[0] <= (dense + step) and dense <= usual.bound[0] * (1 + INTERFERENCE) + 1e-12
        if dense == 0.0:
            continue
        assert dense <= full.depth[0] * (1 + INTERFERENCE) + 1e-12
        assert full.depth[0] == pytest.approx(ck.interference(a, b)[0], rel=2 * INTERFERENCE)
    assert ended


@pytest.mark.parametrize("margin", [0.0, 0.1])
@pytest.mark.parametrize("seed", [0, *slow(*range(1, 6))])
def test_verdicts_in_steps_come_with_the_depths_of_pairs_that_penetrate(monkeypatch, seed, margin):
    """Each pair is measured once, whether the verdict needs its depth or not."""
    rng, measured = np.random.default_rng(seed), []
    search = bounded_mesh.interference

    def counting(shared, least, together):
        measured.append(len(shared.b))
        return search(shared, least, together)

    points, cells = torus(12, 6)
    blocks = voxels([(0, 0, 0), (1, 0, 0), (0, 1, 0)])
    batches = [
        *(mesh(points, cells, rotation(rng), rng.uniform(-1.0, 1.0, 3)) for _ in range(5)),
        *(mesh(*blocks, shift=np.round(rng.uniform(-1.0, 1.0, 3) * 2.0) / 2.0) for _ in range(4)),
        mesh(points, cells),
        mesh(points, cells, shift=(1e-8, 0.0, 0.0)),
        ck.Boxes([[0.0, 0.0, 0.0], *rng.uniform(-1.0, 1.0, (2, 3))], [[3.0] * 3, [0.05] * 3, [0.5] * 3]),
        ck.Spheres(rng.uniform(-1.0, 1.0, (3, 3)), rng.uniform(0.05, 0.5, 3)),
        ck.Compounds([[mesh(*blocks), mesh(*blocks, shift=(0.4, 0.4, 0.6))]], rng.uniform(-1.0, 1.0, (1, 3))),
    ]
    world = ck.World(batches, margin=[*[0.0] * 11, *[margin] * 6, 0.0] if margin else None)
    pairs = np.stack(np.triu_indices(len(world), 1), axis=1)
    pairs = pairs[(pairs >= 11).any(axis=1)][::5] if margin else pairs
    touching, clearance = rng.choice([1e-6, 1e-2, 0.2], len(pairs)), rng.choice([0.0, 0.1], len(pairs))
    verdict, depths = exhausted(world.classify_steps(pairs, touching=touching, clearance=clearance))
    np.testing.assert_array_equal(verdict, world.classify(pairs, touching=touching, clearance=clearance))
    assert len({*verdict.tolist()}) >= (3 if margin else 4)
    deep = np.flatnonzero(verdict >= ck.Verdict.PENETRATING)
    expected = world.depths(pairs[deep], touching=touching[deep])
    np.testing.assert_array_equal(depths.depth[deep], expected.depth)
    np.testing.assert_array_equal(depths.bound[deep], expected.bound)
    rest = verdict < ck.Verdict.PENETRATING
    assert (depths.bound[rest] <= touching[rest]).all()
    monkeypatch.setattr(bounded_mesh, "interference", counting)
    rows = np.flatnonzero((world.kind[pairs] == ck.Kind.MESH).all(axis=1))
    exhausted(world.classify_steps(pairs[rows], touching=touching[rows]))
    assert np.count_nonzero(verdict[rows] >= ck.Verdict.PENETRATING) <= sum(measured)
    assert sum(measured) <= np.count_nonzero(verdict[rows] >= ck.Verdict.TOUCHING)


@pytest.mark.parametrize(("margin", "together"), [(0.0, 7), (0.05, 4096)])
def test_queries_in_steps_return_the_same(monkeypatch, margin, together):
    """A comb in a wall meets it in many regions, so that its contacts take several steps, and so do few triangles."""
    for module in (bounded_mesh, interference):
        monkeypatch.setattr(module, "TOGETHER", together)
    teeth = voxels([(x, 0, z) for x in range(0, 19, 2) for z in (0, 1)] + [(x, 0, 2) for x in range(19)])
    wall = voxels([(x, y, -1) for x in range(-1, 20) for y in (-1, 0, 1)] + [(-1, -1, 0)])
    batches = [
        mesh(*teeth),
        mesh(*wall),
        mesh(*torus(16, 8), shift=(9.0, 0.5, 3.2)),
        ck.Boxes([[3.3, 0.4, 2.5]], [[1, 1, 1]]),
    ]
    batches[0] = mesh(*teeth, shift=(0.0, 0.0, -0.3))
    world = ck.World(batches)
    pairs = np.array([[0, 1], [0, 2], [3, 0], [1, 3]])
    for steps, expected, least in (
        (world.distance_steps(pairs), world.distance(pairs), 4),
        (world.contact_steps(pairs, margin), world.contacts(pairs, margin), 6),
        (world.contact_steps(pairs, margin, known=world.distance(pairs)), world.contacts(pairs, margin), 6),
        (world.depth_steps(pairs), world.depths(pairs), 2),
    ):
        count = 0
        while True:
            try:
                next(steps)
            except StopIteration as end:
                found = end.value
                break
            count += 1
        assert count >= least
        for name, values in vars(expected).items():
            np.testing.assert_array_equal(getattr(found, name), values, err_msg=name)


def test_the_halves_of_flat_convex_quads_are_found_where_they_follow_each_other():
    """An oracle knows the corners of each polygon, whether it turns the same way at all of them, and its bend."""
    rng, seen = np.random.default_rng(5), {True: 0, False: 0}
    for _ in range(400):
        corner = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]])
        corner += rng.uniform(-0.45, 0.45, (4, 2)) * rng.choice([0.2, 1.0, 2.0])
        sides = np.diff(corner, axis=0, append=corner[:1])
        turns = sides[:, 0] * np.roll(sides[:, 1], -1) - sides[:, 1] * np.roll(sides[:, 0], -1)
        bend = float(rng.choice([0.0, 1e-8, 1e-3]))
        points = np.column_stack([corner, [0.0, 0.0, 0.0, bend]]) @ rotation(rng).T
        # A triangle alone, then the quad, and a triangle that lies on the second half in the same order of corners.
        triangles = [(1, 2, 3), (0, 1, 2), (0, 2, 3), (0, 2, 3)]
        found = TriangleMesh(points, triangles).quads
        flat = (min(turns) > 0.0 or max(turns) < 0.0) and bend < 1e-6
        seen[flat] += 1
        assert found[:, 0].tolist() == ([0, 1, -1, 0] if flat else [0, 0, 0, 0])
        if flat:
            height = abs(np.linalg.det(points[[1, 2, 3]] - points[0])) / np.linalg.norm(
                np.cross(points[1] - points[0], points[2] - points[0])
            )
            np.testing.assert_allclose(found[1:3, 1], 2.0 * height, rtol=1e-4, atol=1e-12)
    assert min(seen.values()) > 50


@pytest.mark.parametrize("seed", [1, *slow(2, 3, 4)])
def test_bounds_by_quads_leave_out_no_deeper_point(seed, monkeypatch):
    """Press fits and walls in each other: as deep as where each triangle is a bound of its own."""
    rng, kinds = np.random.default_rng(seed), 0
    both = MeshRows.quads, lambda rows: np.zeros((len(rows.corners), 2))
    for number in range(many(16, 200)):
        (hole, of_hole), (peg, of_peg) = peg_and_hole(int(rng.integers(3, 10)), 10.0 ** rng.uniform(-5.0, -2.0))
        if number % 4 == 0:
            peg = peg + rng.uniform(-0.3, 0.3) * np.array([0.0, 0.0, 1.0])
        else:
            # Walls in other walls.
            peg, of_peg = hole @ rotation(rng).T + rng.normal(size=3) * 0.4, of_hole
        turn = rotation(rng)
        if rng.random() < 0.5:
            peg, hole = (np.float64(np.float32(each @ turn.T)) for each in (peg, hole))
        found = []
        for quads in both:
            monkeypatch.setattr(MeshRows, "quads", quads)
            a, b = (ck.Meshes.from_triangles([each]) for each in ((peg, of_peg), (hole, of_hole)))
            found.append(float(ck.interference(a, b)[0]))
        kinds += min(found) > 0.0
        assert max(found) <= min(found) * (1.0 + INTERFERENCE) + 1e-12
    assert kinds >= 12
