# SPDX-License-Identifier: GPL-3.0-or-later
"""Greatest distances of surfaces that are coincident with others: in other triangles, in part, and up to rounding."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.kernels.uncovered import UNKNOWN, WHOLE
from collision_kit.core.world.hausdorff.region import Region
from tests.helpers import mesh_zoo, zoo
from tests.helpers.surface_samples import apart, check, on_triangles

# Points that a search may measure. Dividing patches down to the tolerance takes hundreds of thousands.
MOST_POINTS = 60_000


@pytest.fixture
def measured(monkeypatch):
    """The numbers of points that are measured against regions."""
    counts, measure = [], Region.measure

    def counted(self, points):
        counts.append(len(points))
        return measure(self, points)

    monkeypatch.setattr(Region, "measure", counted)
    return counts


def grid(count, height, *, other=False):
    """A relief of squares that are divided along one diagonal, or along the other one."""
    x, y = np.meshgrid(np.linspace(0.0, 1.0, count), np.linspace(0.0, 1.0, count))
    points = np.stack([x, y, height(x, y)], axis=-1).reshape(-1, 3)
    number = np.arange(count * count).reshape(count, count)
    a, b, c, d = (one.reshape(-1) for one in (number[:-1, :-1], number[:-1, 1:], number[1:, 1:], number[1:, :-1]))
    halves = ((a, b, d), (b, c, d)) if other else ((a, b, c), (a, c, d))
    return points, np.concatenate([np.stack(one, axis=1) for one in halves])


def subdivided(points, triangles):
    """Each triangle as four in the same plane."""
    corners = points[triangles]
    a, b, c = corners.transpose(1, 0, 2)
    d, e, f = (a + b) / 2.0, (b + c) / 2.0, (c + a) / 2.0
    parts = np.concatenate([np.stack(one, axis=1) for one in ((a, d, f), (d, b, e), (f, e, c), (d, e, f))])
    joined, number = np.unique(parts.reshape(-1, 3), axis=0, return_inverse=True)
    return joined, number.reshape(-1, 3)


def mesh(points, triangles, **options):
    return ck.Meshes.from_triangles([(points, triangles)], **options)


def coincident():
    """Names, surfaces, and regions that contain them."""
    ball = mesh_zoo.torus(40, 24)
    flat = [grid(24, lambda x, y: 0.0 * x, other=other) for other in (False, True)]
    yield "other diagonals", mesh(*flat[0], solid=False), mesh(*flat[1], solid=False)
    yield "subdivided", mesh(*ball), mesh(*subdivided(*ball))
    yield "joined", mesh(*subdivided(*ball)), mesh(*ball)
    points, triangles = ball
    below = points.copy()
    below[:, 2] = np.minimum(points[:, 2], 0.1)
    yield "cut", mesh(below, triangles), mesh(*ball)
    place = np.indices((8, 8)).reshape(2, -1).T + 0.5
    boxes = ck.Boxes(np.column_stack([place, np.full(64, -0.5)]), 0.5)
    for height in (0.0, -0.3):
        corners = np.array([[0, 0, height], [8, 0, height], [8, 8, height], [0, 8, height]], dtype=float)
        yield f"floor at {height}", mesh(corners, np.array([[0, 1, 2], [0, 2, 3]]), solid=False), boxes


CASES = {name: pair for name, *pair in coincident()}


@pytest.mark.parametrize("tolerance", [None, 1e-6])
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("turned", [False, True])
def test_a_surface_in_another_one_is_at_no_distance(name, turned, tolerance, measured):
    surface, region = CASES[name]
    if turned:
        rng = np.random.default_rng(len(name))
        turn, shift = zoo.rotations(rng, 1)[0], rng.normal(size=3)
        surface, region = zoo.placed(surface, turn, 1.0, shift), zoo.placed(region, turn, 1.0, shift)
    found = ck.greatest_distance(surface, region, tolerance=tolerance)
    assert found.distance <= 1e-13
    assert found.bound <= 0.011 * found.tolerance
    assert sum(measured) <= MOST_POINTS


@pytest.mark.parametrize("size", [1e-9, 1e-6, 1e-3])
def test_bounds_of_nearly_coincident_surfaces_are_tight(size, measured):
    rng = np.random.default_rng(4)
    points, triangles = grid(24, lambda x, y: 0.1 * np.sin(5.0 * x) * np.cos(4.0 * y))
    _, others = grid(24, lambda x, y: 0.0 * x, other=True)
    moved = points + size * rng.normal(size=points.shape)
    surface, region = mesh(moved, triangles, solid=False), mesh(points, others, solid=False)
    found = ck.greatest_distance(surface, region, tolerance=1e-5)
    sampled = on_triangles(moved[triangles], rng, 20000)
    check(found, sampled, apart([region], sampled), [region])
    assert found.bound <= found.distance + 1.1e-7
    assert sum(measured) <= MOST_POINTS


@pytest.mark.parametrize("seed", range(12))
def test_surfaces_on_a_lattice_are_never_nearer_than_samples_say(seed):
    # Corners, sides and planes of both coincide; boxes overlap and share faces.
    rng = np.random.default_rng([5, seed])
    low = rng.integers(-2, 2, (6, 3))
    high = low + rng.integers(1, 4, (6, 3))
    boxes = ck.Boxes((low + high) / 2.0, (high - low) / 2.0)
    cut = rng.random(3) < 0.5
    parts = [boxes.take([row]) if row >= 3 or cut[row] else _as_mesh(low[row], high[row]) for row in range(6)]
    corners = rng.integers(-3, 4, (8, 3, 3)).astype(float)
    soup = ck.Triangles(corners)
    found = ck.greatest_distance(soup, ck.World(parts), tolerance=1e-3)
    sampled = on_triangles(corners, rng, 4000)
    check(found, sampled, apart(parts, sampled), parts)


def _as_mesh(low, high):
    """A box as a watertight mesh."""
    signs = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)])
    squares = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    triangles = [half for a, b, c, d in squares for half in ((a, b, c), (a, c, d))]
    return mesh(np.where(signs, high, low).astype(float), np.array(triangles))


@pytest.mark.parametrize("seed", range(3))
def test_what_is_not_left_of_a_patch_is_near_and_nothing_crosses_what_is_left(seed):
    rng = np.random.default_rng([6, seed])
    corners = rng.normal(size=(30, 3, 3)) * [1.0, 1.0, 10.0 ** -rng.integers(0, 7)]
    region = Region([(ck.Triangles(corners), np.arange(30))])
    ends = rng.normal(size=(20, 3, 3)) * [0.7, 0.7, corners[..., 2].std()]
    patches = np.ascontiguousarray(ends[:, [0, 0, 1, 2]])
    for limit in (1e-5, 1e-2, 0.3):
        parts, count, farthest = region.uncovered(patches, limit)
        assert (count >= 0).any()
        assert set(count[count < 0].tolist()) <= {UNKNOWN, WHOLE}
        owner = np.repeat(np.arange(20), np.maximum(count, 0))
        assert len(owner) == len(parts)
        assert farthest.max() <= limit
        whole = count == WHOLE
        for row in np.flatnonzero(count != UNKNOWN):
            left = patches[row][None, 1:] if whole[row] else parts[owner == row]
            points = on_triangles(ends[row][None], rng, 400)[3:]
            away = np.ones(len(points), dtype=bool)
            for part in left:
                away &= ck.signed_distance(ck.Triangles(part[None]), points) > 1e-9
            near = ck.signed_distance(ck.Triangles(corners), points[away], _all(30, int(away.sum())))
            assert near.reshape(30, -1).min(axis=0).max(initial=0.0) <= farthest[row] + 1e-9
            # Triangles may be next to each other, but not on both sides.
            shrunk = left.mean(axis=1)[:, None] + 0.999 * (left - left.mean(axis=1)[:, None])
            rows = np.indices((len(left), 30)).reshape(2, -1).T
            assert not ck.overlap(ck.Triangles(shrunk), ck.Triangles(corners), rows).any()


def test_patches_without_width_are_not_divided():
    rng = np.random.default_rng(7)
    region = Region([(ck.Triangles(rng.normal(size=(30, 3, 3))), np.arange(30))])
    start, way = rng.normal(size=(2, 20, 1, 3))
    patches = np.ascontiguousarray(start + rng.random((20, 4, 1)) * way)
    parts, count, _ = region.uncovered(patches, 0.3)
    assert len(parts) == 0
    assert set(count.tolist()) == {UNKNOWN}


def test_searches_end_where_parts_of_a_surface_have_no_width(measured):
    # Dividing such parts gave the same parts again, 4,990 times.
    rng = np.random.default_rng([5, 7])
    boxes, hulls = (zoo.degenerate(kind, rng, 5) for kind in (ck.Kind.BOX, ck.Kind.HULL))
    found = ck.greatest_distance(boxes, hulls, tolerance=0.05, union=True)
    assert found.distance <= found.bound <= found.distance + 0.05
    assert len(measured) <= 100


def _all(shapes, points):
    return np.indices((shapes, points)).reshape(2, -1).T
