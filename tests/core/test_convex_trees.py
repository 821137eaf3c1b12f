# SPDX-License-Identifier: GPL-3.0-or-later
"""The traversal of a mesh with a convex shape, against the distances of the shape from each triangle."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.kernels import loading, trees
from collision_kit.core.narrow_phase.mesh import leaf_queries
from collision_kit.core.narrow_phase.mesh.bvh_traversal import LeafPairs
from collision_kit.core.narrow_phase.mesh.operands import slack_of
from collision_kit.core.narrow_phase.mesh.orientation import oriented_rows, oriented_side
from collision_kit.core.shapes import Shapes
from tests.helpers import zoo

compiled = pytest.mark.skipif(loading.mode != loading.COMPILED, reason="the kernels are not compiled")


def tube(sides: int, inner: float, outer: float, half: float) -> tuple[np.ndarray, np.ndarray]:
    """A hollow cylinder."""
    turn = 2.0 * np.pi * np.arange(sides) / sides
    corners = [(inner, -half), (outer, -half), (outer, half), (inner, half)]
    points = np.stack([(r * np.cos(turn), r * np.sin(turn), np.full(sides, z)) for r, z in corners], axis=0)
    number = np.arange(4 * sides).reshape(4, sides)
    quads = []
    for k in range(4):
        one, other = number[k], number[(k + 1) % 4]
        quads.append(np.stack([one, np.roll(one, -1), np.roll(other, -1), other], axis=1))
    cells = np.concatenate(quads)
    return points.transpose(0, 2, 1).reshape(-1, 3), np.concatenate([cells[:, [0, 1, 2]], cells[:, [0, 2, 3]]])


def rod(sides: int, radius: float, half: float) -> np.ndarray:
    """The corners of a cylinder."""
    turn = 2.0 * np.pi * np.arange(sides) / sides
    ring = np.stack([radius * np.cos(turn), radius * np.sin(turn), np.full(sides, half)], axis=1)
    return np.concatenate([ring, ring * (1.0, 1.0, -1.0)])


def fits(rng: np.random.Generator, count: int, *, aligned: bool) -> tuple[ck.Hulls, ck.Meshes]:
    """Rods in tubes: with clearance, touching, and pressed in; aligned, or turned about the common axis."""
    hulls, meshes, turns = [], [], []
    for number in range(count):
        sides, radius = int(rng.integers(5, 70)), 10.0 ** rng.uniform(-2.0, 1.0)
        fit = (0.0, 1e-9, 1e-5, 1e-3, 0.05)[number % 5] * radius * rng.choice((-1.0, 1.0))
        hulls.append(ck.convex_hull(rod(sides, radius + fit, radius * rng.choice((0.4, 0.5, 2.0)))))
        meshes.append(tube(sides, radius, 1.5 * radius, 0.5 * radius))
        turn = 0.0 if aligned else rng.uniform(0.0, np.pi)
        turns.append([[np.cos(turn), -np.sin(turn), 0.0], [np.sin(turn), np.cos(turn), 0.0], [0.0, 0.0, 1.0]])
    place, every = rng.uniform(-5.0, 5.0, (count, 3)), np.arange(count)
    a = ck.Hulls(hulls, every, place, np.array(turns))
    geometry = ck.Meshes.from_triangles(meshes, solid=True).geometry
    return a, ck.Meshes(geometry, every, place, np.tile(np.eye(3), (count, 1, 1)), solid=True)


def nested() -> tuple[ck.Hulls, ck.Meshes]:
    """A mesh inside a hull, a hull inside a mesh, a hull in a hole, and flat hulls in the same places."""
    points, cells = tube(12, 1.0, 2.0, 1.0)
    small, inner = 0.1 * rod(8, 1.0, 1.0), np.array([1.4, 0.0, 0.0])
    places = [4.0 * rod(8, 1.0, 1.0), small + inner, small, (small + inner) * (1.0, 1.0, 0.0), small * (1.0, 1.0, 0.0)]
    hulls = ck.Hulls(
        [ck.convex_hull(one) for one in places], np.arange(5), np.zeros((5, 3)), np.tile(np.eye(3), (5, 1, 1))
    )
    geometry = ck.Meshes.from_triangles([(points, cells)], solid=True).geometry
    still = np.zeros((5, 3)), np.tile(np.eye(3), (5, 1, 1))
    return hulls, ck.Meshes(geometry, np.zeros(5, dtype=np.int64), *still, solid=True)


def of_zoo(maker: str, kind: ck.Kind) -> tuple[Shapes, ck.Meshes]:
    """Shapes and meshes that all tests of pairs use."""
    rng = np.random.default_rng(5)
    return zoo.MAKERS[maker](kind, rng, 60), zoo.MAKERS[maker](ck.Kind.MESH, rng, 60)


KINDS = [kind for kind in ck.Kind if kind not in {ck.Kind.MESH, ck.Kind.HALF_SPACE, ck.Kind.PLANE, ck.Kind.COMPOUND}]
PAIRS = {
    "aligned": lambda: fits(np.random.default_rng(3), 60, aligned=True),
    "turned": lambda: fits(np.random.default_rng(4), 60, aligned=False),
    "nested": nested,
    **{
        f"zoo, {maker}, {kind.name}": (lambda maker=maker, kind=kind: of_zoo(maker, kind))
        for maker in zoo.MAKERS
        for kind in KINDS
    },
}


def by_pieces(a, b) -> tuple[LeafPairs, np.ndarray, np.ndarray]:
    """All pieces of each pair, their distances, and the least of them, (P,)."""
    first = b.bodies.triangle_start
    count = np.array([len(b.meshes[number].triangles) for number in b.mesh])
    pair = np.repeat(np.arange(len(b)), count)
    triangle = np.concatenate([np.arange(each) for each in count])
    assert len(first) == len(b)
    every = LeafPairs(pair, np.zeros_like(pair), triangle, np.zeros(len(pair)))
    far = leaf_queries.distances(a, b, every).distance
    least = np.full(len(b), np.inf)
    np.minimum.at(least, pair, far)
    return every, far, least


@compiled
@pytest.mark.parametrize("name", PAIRS)
def test_the_kernel_finds_the_pieces_that_meet_and_the_nearest(name):
    left, right = PAIRS[name]()
    a, b = oriented_side(left), oriented_rows(right)
    slack = 4.0 * slack_of(a, b)
    every, far, least = by_pieces(a, b)
    place = {pair: at for at, pair in enumerate(zip(every.pair.tolist(), every.b.tolist(), strict=True))}

    def distance_of(leaves):
        return far[[place[pair] for pair in zip(leaves.pair.tolist(), leaves.b.tolist(), strict=True)]]

    found, sure = leaf_queries.meeting_by_kernel(a, b)
    # Depths of flat shapes need not be negative.
    assert (distance_of(found.take(sure)) <= slack[found.pair[sure]]).all()
    missed = set(place) - set(zip(found.pair.tolist(), found.b.tolist(), strict=True))
    assert all(far[place[pair]] > 0.0 for pair in missed)
    first, sure = leaf_queries.meeting_by_kernel(a, b, first=True)
    assert (distance_of(first.take(sure)) <= slack[first.pair[sure]]).all()
    some = np.bincount(first.pair[sure], minlength=len(b))
    assert some.max(initial=0) <= 1
    # Whatever is deeper than rounding is sure for one of the two, unless the first undecided ones are in the way.
    many = np.bincount(first.pair, minlength=len(b)) == trees.DOUBTS
    assert ((some > 0) | many | (least > -slack) | ~_has_volume(a, b)).all()

    nearest = leaf_queries.may_be_nearest_by_kernel(a, b, np.full(len(b), 1e140))
    assert (nearest.bound <= np.maximum(distance_of(nearest), 0.0) + slack[nearest.pair]).all()
    best = np.full(len(b), np.inf)
    np.minimum.at(best, nearest.pair, np.maximum(distance_of(nearest), 0.0))
    assert (np.abs(best - np.maximum(least, 0.0)) <= slack).all()


def _has_volume(a, b):
    return a.has_volume() & (a.bodies.reach > 0.0)


@compiled
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("level", [0.0, 1e-6, 1e-2, 0.3])
def test_pieces_within_reach_are_found(name, level):
    left, right = PAIRS[name]()
    a, b = oriented_side(left), oriented_rows(right)
    reach, slack = level * (a.bodies.reach + b.bodies.reach), 4.0 * slack_of(a, b)
    _, _, least = by_pieces(a, b)
    near = leaf_queries.any_within(a, b, reach)
    assert near[least <= reach].all() and not near[least > reach + slack].any()


@compiled
def test_few_triangles_of_a_large_ground_may_be_the_nearest():
    x, y = np.meshgrid(np.arange(60.0), np.arange(60.0))
    points = np.stack([x, y, 0.3 * np.sin(x) * np.cos(y)], axis=-1).reshape(-1, 3)
    corner = (60 * np.arange(59)[:, None] + np.arange(59)).reshape(-1, 1)
    cells = np.concatenate([corner + np.array(cell) for cell in ((0, 1, 61), (0, 61, 60))])
    place = np.random.default_rng(8).uniform((1.0, 1.0, 1.5), (58.0, 58.0, 2.0), (40, 3))
    ground = ck.Meshes.from_triangles([(points, cells)], solid=False).take(np.zeros(40, dtype=np.int64))
    found = leaf_queries.may_be_nearest_by_kernel(
        oriented_side(ck.Spheres(place, np.full(40, 0.5))), oriented_rows(ground), np.full(40, 1e140)
    )
    assert 40 <= len(found) < 400


@compiled
def test_a_small_output_is_filled_again(monkeypatch):
    left, right = PAIRS["aligned"]()
    a, b = oriented_side(left), oriented_rows(right)
    usual = leaf_queries.meeting(a, b)
    monkeypatch.setattr(leaf_queries, "_ROOM", 1 - 2 * len(b))
    again = leaf_queries.meeting(a, b)
    assert len(usual) > 100 and np.array_equal(usual.b, again.b) and np.array_equal(usual.pair, again.pair)
