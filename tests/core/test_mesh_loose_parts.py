# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes of several loose parts: what is wholly inside the other's solid counts, whatever else crosses or touches.

The oracles know parts, and nothing of components. Of convex parts the obstacles A − B are hulls (Qhull), which give
every depth. Blocks on a lattice share room or do not by their corners alone. Of all other parts, edges are cut with
triangles and the crossings of rays are counted, part by part.
"""

import itertools

import numpy as np
import pytest
from scipy.spatial import ConvexHull

import collision_kit.core as ck
from tests.helpers import mesh_zoo, zoo
from tests.helpers.offline import slow
from tests.helpers.triangle_meshes import hull_mesh

# A length: far above rounding, far below anything that is modeled here.
TINY = 1e-9
# Factor: a hair farther than the depth.
BEYOND = 1.0 + 1e-6
# Where parts are: near one of these, so that one is often inside another.
SITES = np.array([(0.0, 0.0, 0.0), (7.0, 0.0, 0.0), (0.0, 6.0, 1.0)])


def past(found, b, factor):
    """B moved by `factor` times the separating translation, and that way."""
    shift = -factor * np.minimum(found.distance, 0.0)[:, None] * found.normal
    return zoo.moved(b, shift), shift


def overlapping(a, b, found):
    """Return which pairs overlap, as the distance says too; and those and no others have contacts."""
    overlap = ck.overlap(a, b)
    np.testing.assert_array_equal(overlap, found.distance <= found.rounding)
    touch = ck.contacts(a, b, known=found)
    np.testing.assert_array_equal(np.bincount(touch.pair, minlength=len(a)) > 0, overlap)
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=TINY)
    return overlap


# Convex parts.


def convex_parts(rng, most=4):
    """Corners of convex parts of all sizes, some of them in the middle of a site and others about it."""
    parts = []
    for _ in range(rng.integers(1, most + 1)):
        points = rng.normal(size=(rng.integers(4, 9), 3))
        points *= rng.choice([0.15, 0.4, 1.5, 3.0]) / np.linalg.norm(points, axis=1)[:, None]
        parts.append(points + SITES[rng.integers(len(SITES))] + 0.5 * rng.normal(size=3) * rng.integers(0, 2))
    return parts


def convex_meshes(rng, count):
    parts = [convex_parts(rng) for _ in range(count)]
    return parts, ck.Meshes.from_triangles([mesh_zoo.joined([hull_mesh(part) for part in some]) for some in parts])


def gaps(parts_a, parts_b, shift=0.0):
    """Of all parts of the one and of the other: minus the depth, or a gap along which they are apart."""
    pairs = itertools.product(parts_a, parts_b)
    obstacles = (ConvexHull((one[:, None] - other - shift).reshape(-1, 3)) for one, other in pairs)
    return np.array([obstacle.equations[:, 3].max() for obstacle in obstacles])


def wholly_inside(first, second):
    return (ConvexHull(second).equations @ np.append(first, np.ones((len(first), 1)), axis=1).T < 0.0).all()


@pytest.mark.parametrize("seed", [0, *slow(1)])
def test_convex_parts_are_freed_all_of_them(seed):
    rng = np.random.default_rng(seed)
    (parts_a, a), (parts_b, b) = convex_meshes(rng, 20), convex_meshes(rng, 20)
    found = ck.distance(a, b)
    overlap = overlapping(a, b, found)
    freed, shift = past(found, b, BEYOND)
    assert not ck.overlap(a, freed)[overlap].any()
    inside = 0
    for row in range(len(a)):
        gap = gaps(parts_a[row], parts_b[row])
        assert overlap[row] == (gap.min() <= 0.0)
        if overlap[row]:
            assert -found.distance[row] >= -gap.min() - TINY
            assert gaps(parts_a[row], parts_b[row], shift[row]).min() > 0.0
            pairs = list(itertools.product(parts_a[row], parts_b[row]))
            inside += any(wholly_inside(p, q) or wholly_inside(q, p) for p, q in pairs)
    assert inside > 1


def test_a_part_inside_is_as_deep_as_the_two_parts_are():
    """Parts that are not near add nothing: the depth is that of the two boxes."""
    rng = np.random.default_rng(5)
    half = rng.uniform(0.2, 0.5, (30, 3))
    offset = rng.uniform(-0.4, 0.4, (30, 3))
    points, faces = mesh_zoo.box()
    inner = [((2.0 * points - 1.0) * h + o, faces) for h, o in zip(half, offset, strict=True)]
    outer = (2.5 * points - 1.25, faces)
    far = mesh_zoo.moved(mesh_zoo.box(), (-30.0, 0.0, 0.0))
    a = ck.Meshes.from_triangles([mesh_zoo.joined([one, far]) for one in inner])
    b = ck.Meshes.from_triangles([outer] * 30)
    expected = ck.distance(ck.Boxes(offset, half), ck.Boxes(np.zeros((30, 3)), np.full((30, 3), 1.25))).distance
    for found in (ck.distance(a, b), ck.distance(b, a)):
        np.testing.assert_allclose(found.distance, expected, atol=TINY)
    # No corner of the part is as deep as the part has to move.
    touch, corner = ck.contacts(a, b), np.abs(np.abs(offset) + half).max(axis=1)
    first = np.unique(touch.pair, return_index=True)[1]
    assert touch.pair[first].tolist() == list(range(30))
    assert (touch.depth[first] >= 1.25 - corner - TINY).all() and (touch.depth[first] <= -expected + TINY).all()
    np.testing.assert_allclose(touch.depth[first], ck.interference(a, b), rtol=2e-3)


# Blocks on a lattice.


def lattice_part(rng):
    """A part of blocks on the lattice: its mesh, and the lower corners of its cells."""
    kind = rng.integers(0, 5)
    if kind == 0:
        cells = [(x, y, 0) for x in range(3) for y in range(3) if (x, y) != (1, 1)]
    elif kind == 1:
        cells = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]
    elif kind == 2:
        # With a hollow of one cell, whose walls are a component of their own.
        cells = [cell for cell in itertools.product(range(3), repeat=3) if cell != (1, 1, 1)]
    else:
        cells = list(itertools.product(range(rng.integers(1, 4)), range(rng.integers(1, 4)), range(kind - 2)))
    corner = rng.integers(-3, 4, 3) + (SITES[rng.integers(2)] // 1.0)
    points, triangles = mesh_zoo.voxels(cells)
    return (points + corner, triangles), np.array(cells) + corner


def lattice_meshes(rng, count):
    parts = [[lattice_part(rng) for _ in range(rng.integers(1, 4))] for _ in range(count)]
    made = ck.Meshes.from_triangles([mesh_zoo.joined([mesh for mesh, _ in some]) for some in parts])
    return [np.concatenate([cells for _, cells in some]) for some in parts], made


def room(cells_a, cells_b, shift=0.0):
    """How much cells of the one and of the other share: the least of the extents along the axes, of those most."""
    return 1.0 - np.abs(cells_a[:, None] - cells_b - shift).max(axis=2).min()


@pytest.mark.parametrize("seed", [0, *slow(1)])
def test_blocks_on_a_lattice_share_no_room_once_they_are_freed(seed):
    rng = np.random.default_rng(seed)
    (cells_a, a), (cells_b, b) = lattice_meshes(rng, 24), lattice_meshes(rng, 24)
    assert a.solid.all()
    found = ck.distance(a, b)
    overlap = overlapping(a, b, found)
    depth, shift = -found.distance, past(found, b, 1.0)[1]
    shared = np.array([room(*cells) for cells in zip(cells_a, cells_b, strict=True)])
    np.testing.assert_array_equal(overlap, shared >= 0.0)
    assert (depth[shared > 0.0] > TINY).all()
    # What only touches and goes free along an axis, sliding on nothing, is of no depth.
    axes = np.concatenate([np.eye(3), -np.eye(3)]) / 8.0
    at_once = np.array([[room(*each, axis) < 0.0 for axis in axes] for each in zip(cells_a, cells_b, strict=True)])
    resting = (shared == 0.0) & at_once.any(axis=1)
    assert resting.any()
    np.testing.assert_allclose(depth[resting], 0.0, atol=TINY)
    after = np.array([room(*each) for each in zip(cells_a, cells_b, shift, strict=True)])
    assert (after[overlap] <= TINY).all()
    assert (depth[overlap] >= shared[overlap] - TINY).all()


# Parts of any sort.


def any_part(rng, closed):
    """A part turned and scaled at random, its triangles: concave ones, hollow ones, and if not `closed` open ones."""
    choice = rng.integers(0, 5 if closed else 7)
    if choice == 5:
        mesh = mesh_zoo.box()[0], mesh_zoo.box()[1][2:]
    elif choice == 6:
        mesh = mesh_zoo.terrain(rng)
    else:
        mesh = (mesh_zoo.box, mesh_zoo.bracket, mesh_zoo.ring, mesh_zoo.hollow, mesh_zoo.torus)[choice]()
    points = mesh[0] - (mesh[0].min(axis=0) + mesh[0].max(axis=0)) / 2.0
    points *= rng.choice([0.2, 0.6, 1.5]) / np.abs(points).max()
    place = SITES[rng.integers(2)] + 0.5 * rng.normal(size=3) * rng.integers(0, 2)
    # Off each other's faces and edges, even in the middle of a site.
    return (points @ zoo.rotations(rng, 1)[0].T + place + 0.01 * rng.normal(size=3), mesh[1]), choice < 5


def any_meshes(rng, count):
    parts = [
        [any_part(rng, closed) for _ in range(rng.integers(1, 4))]
        for closed in np.append([True], rng.random(count - 1) < 0.7)
    ]
    made = ck.Meshes.from_triangles([mesh_zoo.joined([mesh for mesh, _ in some]) for some in parts])
    assert made.solid.tolist() == [all(closed for _, closed in some) for some in parts]
    return [[points[faces] for (points, faces), _ in some] for some in parts], made


def pierced(triangles, start, end):
    """How often segments cross triangles, one with each, and from which side: (segments, triangles), 1, -1 or 0."""
    corner = triangles[None] - start[:, None, None]
    along = (end - start)[:, None]
    side = [(along * np.cross(corner[:, :, i], corner[:, :, (i + 1) % 3])).sum(axis=2) for i in range(3)]
    height = (corner[:, :, 0] * np.cross(corner[:, :, 1], corner[:, :, 2])).sum(axis=2)
    whole = np.sum(side, axis=0)
    through = (np.sign(side) == np.sign(whole)).all(axis=0)
    return np.where(through & (height * whole > 0.0) & (np.abs(height) < np.abs(whole)), np.sign(whole), 0.0)


def share(parts_a, parts_b, solid_a, solid_b):
    """Whether an edge of any part goes through another, or a vertex is inside a part by the parity of its ray."""
    for parts, others, solid in ((parts_a, parts_b, solid_a), (parts_b, parts_a, solid_b)):
        corners = np.concatenate(others)
        start = corners.reshape(-1, 3)
        far = start + np.array([50.3, 31.7, 77.1])
        for part in parts:
            if pierced(part, start, np.roll(corners, -1, axis=1).reshape(-1, 3)).any():
                return True
            if solid and (np.count_nonzero(pierced(part, start, far), axis=1) % 2).any():
                return True
    return False


@pytest.mark.parametrize("seed", [0, *slow(1)])
def test_parts_of_any_sort_are_freed_all_of_them(seed):
    rng = np.random.default_rng(seed)
    (parts_a, a), (parts_b, b) = any_meshes(rng, 20), any_meshes(rng, 20)
    solid = list(zip(a.solid, b.solid, strict=True))
    found = ck.distance(a, b)
    overlap = overlapping(a, b, found)
    expected = [share(*each, *solids) for *each, solids in zip(parts_a, parts_b, solid, strict=True)]
    assert overlap.tolist() == expected
    freed, shift = past(found, b, BEYOND)
    assert not ck.overlap(a, freed)[overlap].any()
    for row in np.flatnonzero(overlap):
        assert not share(parts_a[row], [part + shift[row] for part in parts_b[row]], *solid[row])


# Against convex shapes, half-spaces and planes.


@pytest.mark.parametrize("kind", ["HULL", *slow("SPHERE", "CAPSULE", "CYLINDER", "BOX", "TRIANGLE")])
def test_convex_shapes_are_freed_from_all_parts(kind):
    rng = np.random.default_rng(len(kind))
    parts, b = convex_meshes(rng, 24)
    a = zoo.generic(ck.Kind[kind], rng, 24)
    a = zoo.moved(zoo.placed(a, np.eye(3), 0.4, np.zeros(3)), SITES[rng.integers(0, 3, 24)])
    found = ck.distance(a, b)
    overlap = overlapping(a, b, found)
    _, shift = past(found, b, BEYOND)
    row = np.repeat(np.arange(24), [len(some) for some in parts])
    hulls = ck.Hulls.from_points([part for some in parts for part in some])
    each = ck.distance(a.take(row), hulls).distance
    least = np.full(24, np.inf)
    np.minimum.at(least, row, each)
    np.testing.assert_array_equal(overlap, least <= TINY)
    assert overlap.sum() > 5
    assert (found.distance[overlap] <= least[overlap] + TINY).all()
    assert not ck.overlap(a.take(row), zoo.moved(hulls, shift[row]))[overlap[row]].any()


@pytest.mark.parametrize("kind", [ck.HalfSpaces, ck.Planes])
def test_no_part_is_left_behind_a_surface(kind):
    rng = np.random.default_rng(4)
    parts, b = convex_meshes(rng, 30)
    a = kind(rng.normal(size=(30, 3)), 3.0 * rng.normal(size=30))
    found = ck.distance(a, b)
    overlap = ck.overlap(a, b)
    np.testing.assert_array_equal(overlap, found.distance <= found.rounding)
    assert overlap.sum() > 5
    shift = -BEYOND * found.distance[:, None] * found.normal
    for row, some in enumerate(parts):
        for moved, meets in ((0.0, overlap[row]), (shift[row] * overlap[row], False)):
            height = [(part + moved) @ a.normal[row] - a.offset[row] for part in some]
            if kind is ck.HalfSpaces:
                assert meets == (min(each.min() for each in height) <= 0.0)
            else:
                assert meets == any(each.min() <= 0.0 <= each.max() for each in height)


# Single cases.


def cube(half, place=(0.0, 0.0, 0.0)):
    points, faces = mesh_zoo.box()
    return (2.0 * points - 1.0) * half + np.array(place), faces


def one(*parts):
    return ck.Meshes.from_triangles([mesh_zoo.joined(list(parts))])


WEDGE = hull_mesh(np.array([(6.0, -0.3, 0.0), (6.0, 0.3, 0.1), (5.5, 0.0, 0.3), (5.4, 0.1, -0.3)]))
CUBES = [
    # A small part in the other; the large parts apart.
    ([cube(1.0), cube(0.3, (5, 0, 0))], [cube(1.0, (5, 0, 0))], 1.3),
    # A shallow crossing besides.
    ([cube(3.0), cube(0.3, (10, 0, 0))], [cube(1.0, (0, 0, 3.9)), cube(1.5, (10, 0, 0))], 1.8),
    # Touching from inside, all triangles of the small part or some of them.
    ([cube(1.0), cube(0.5, (5, 0, 0.5))], [cube(1.0, (5, 0, 0))], 1.0),
    ([cube(1.0), cube(0.5, (5.5, 0.5, 0.5))], [cube(1.0, (5, 0, 0))], 1.0),
    ([cube(1.0), cube(1.0, (5, 0, 0))], [cube(1.0, (5, 0, 0))], 2.0),
    # All triangles touching from inside, with an edge in the one face that moves away from them along +x.
    ([cube(1.0, (-9, -7, -8)), WEDGE, cube(1.0, (10, 20, 25))], [cube(1.0, (5, 0, 0))], 0.6),
    # Shell in shell in shell.
    ([cube(3.0), mesh_zoo.inside_out(cube(2.0)), cube(1.0)], [cube(0.5)], 1.5),
    # In the shell, and touching from outside.
    ([cube(3.0), mesh_zoo.inside_out(cube(2.0))], [cube(0.5)], -1.5),
    ([cube(1.0), cube(0.3, (5, 0, 0))], [cube(1.0, (2, 0, 0)), cube(1.0, (9, 0, 0))], 0.0),
]


@pytest.mark.parametrize("step", [6, *slow(1)])
def test_each_answer_knows_of_the_cubes_in_cubes(step):
    some = CUBES[::step]
    first, second = (ck.Meshes.from_triangles([mesh_zoo.joined(list(case[k])) for case in some]) for k in (0, 1))
    depth = np.array([case[2] for case in some])
    for a, b in ((first, second), (second, first)):
        found = ck.distance(a, b)
        overlap = overlapping(a, b, found)
        np.testing.assert_array_equal(overlap, depth >= 0.0)
        assert (found.distance <= -depth + TINY).all()
        np.testing.assert_allclose(found.distance[depth <= 0.0], -depth[depth <= 0.0], atol=TINY)
        # A part may fit into the room between two others.
        freed = zoo.moved(b, -np.minimum(found.distance, 0.0)[:, None] * found.normal)
        assert (ck.interference(a, freed) <= TINY).all()
        verdict = ck.classify(a, b, touching=TINY, clearance=0.1)
        np.testing.assert_array_equal(verdict == ck.Verdict.TOUCHING, depth == 0.0)
        np.testing.assert_array_equal(verdict >= ck.Verdict.PENETRATING, depth > 0.0)
        assert (ck.separating_axis(a, b).gap <= found.distance + TINY).all()
        start = ck.time_of_impact(a, b, velocity_b=np.zeros((len(b), 3)))
        np.testing.assert_array_equal(start.hit & (start.time == 0.0), overlap)
        world = ck.World([a, b])
        pairs = np.stack([np.arange(len(a)), len(a) + np.arange(len(b))], axis=1)
        np.testing.assert_array_equal(world.overlap(pairs), overlap)
        np.testing.assert_allclose(world.distance(pairs).distance, found.distance, atol=TINY)
        touch = world.contacts(pairs)
        np.testing.assert_array_equal(np.bincount(touch.pair, minlength=len(a)) > 0, overlap)


def test_the_separating_translation_of_a_part_leads_out_of_the_next_one_too():
    """Freed of one part along the axis, the small cube would be inside the next, crossing nothing."""
    small = one(cube(0.1))
    row = [cube(1.0, (0.0, 0.0, 0.0)), cube(1.0, (2.5, 0.0, 0.0)), cube(1.0, (5.0, 0.0, 0.0))]
    wide = [cube(20.0, (0.0, sign * 24.0, 0.0)) for sign in (-1.0, 1.0)]
    b = one(*row, *wide)
    found = ck.distance(small, b)
    freed = zoo.moved(b, -BEYOND * found.distance[:, None] * found.normal)
    assert found.distance[0] <= -1.1 + TINY
    assert not ck.overlap(small, freed).any()


def test_open_parts_make_a_surface_that_holds_nothing():
    lidless = mesh_zoo.box()[0] * 4.0 - 2.0, mesh_zoo.box()[1][2:]
    a, b = one(lidless, cube(3.0, (0.0, 0.0, 20.0))), one(cube(0.3), cube(0.3, (0.0, 0.0, 20.0)))
    assert not a.solid[0]
    assert not ck.overlap(a, b).any()
    assert ck.distance(a, b).distance[0] == pytest.approx(1.7)
    # The other way round the solid holds a part of the surface.
    assert ck.overlap(one(lidless), one(cube(4.0)))
    assert ck.distance(one(lidless, mesh_zoo.moved(lidless, (9.0, 0.0, 0.0))), one(cube(4.0))).distance[0] <= -6.0


def test_what_is_wholly_inside_has_contacts_besides_the_regions():
    a = one(cube(3.0), cube(0.3, (10, 0, 0)))
    b = one(cube(1.0, (0, 0, 3.9)), cube(1.5, (10, 0, 0)))
    touch = ck.contacts(a, b)
    inside = touch.point[:, 0] > 5.0
    # The far face of the small cube, which is inside the other one.
    assert touch.depth[inside].max() == pytest.approx(1.2)
    assert not inside[touch.depth < 0.2].any() and np.count_nonzero(~inside) == 4
    np.testing.assert_allclose(touch.depth[~inside], 0.1)
    np.testing.assert_allclose(touch.normal[~inside], np.tile([0.0, 0.0, 1.0], (4, 1)), atol=1e-12)
    np.testing.assert_array_equal(ck.contacts(a, b, known=ck.distance(a, b)).depth, touch.depth)
    # Without the part there are none of it.
    assert len(ck.contacts(one(cube(3.0)), b)) == 4


@pytest.mark.parametrize(
    ("inner", "holds"),
    [
        (cube(1.0), False),  # goes round the hollow
        (cube(0.25), False),  # in the hollow
        (cube(0.5, (0.0, 0.0, 1.0)), True),  # beside it
        (cube(0.75, (0.25, 0.0, 0.0)), False),  # round it, with a face in common
        ((cube(1.0)[0], cube(1.0)[1][2:]), True),  # a surface round it
        (mesh_zoo.joined([cube(1.0), mesh_zoo.inside_out(cube(0.75))]), True),  # hollow itself
    ],
)
def test_a_solid_does_not_hold_what_fills_its_hollow(inner, holds):
    outer = ck.Meshes.from_triangles([mesh_zoo.hollow()])
    assert ck.contains(outer, one(inner))[0] == holds
    # A part inside, of the same orientation, leaves no hollow.
    filled = one(cube(1.5), cube(0.5))
    assert ck.contains(filled, one(inner)).all()
