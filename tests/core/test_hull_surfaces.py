# SPDX-License-Identifier: GPL-3.0-or-later
"""Hulls against meshes, decided by their surfaces, against the same pairs decided by the hull and each triangle."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.kernels import loading
from collision_kit.core.narrow_phase.mesh import hull_surfaces, leaf_queries
from collision_kit.core.narrow_phase.mesh.bvh_traversal import NO_LEAVES
from collision_kit.core.narrow_phase.mesh.operands import slack_of
from collision_kit.core.narrow_phase.mesh.orientation import oriented_rows, oriented_side
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


def of_zoo(maker: str) -> tuple[ck.Hulls, ck.Meshes]:
    """Hulls and meshes that all tests of pairs use."""
    rng = np.random.default_rng(5)
    return zoo.MAKERS[maker](ck.Kind.HULL, rng, 150), zoo.MAKERS[maker](ck.Kind.MESH, rng, 150)


PAIRS = {
    "aligned": lambda: fits(np.random.default_rng(3), 60, aligned=True),
    "turned": lambda: fits(np.random.default_rng(4), 60, aligned=False),
    "nested": nested,
    **{f"zoo, {maker}": (lambda maker=maker: of_zoo(maker)) for maker in zoo.MAKERS},
}


def by_pieces(a, b, reach: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which pairs overlap, and which are farther apart than their reach, by the distances from each triangle."""
    every = leaf_queries.within(a, b, reach + 1e3)
    near = leaf_queries.distances(a, b, every)
    least = np.full(len(b), np.inf)
    np.minimum.at(least, every.pair, near.distance)
    overlap = (least <= 4.0 * slack_of(a, b)) | leaf_queries.contains_component(a, b, NO_LEAVES)
    return overlap, ~overlap & (least > reach)


@compiled
@pytest.mark.parametrize("name", PAIRS)
@pytest.mark.parametrize("level", [0.0, 1e-6, 1e-2])
def test_what_surfaces_decide_is_what_all_pieces_say(name, level):
    left, right = PAIRS[name]()
    a, b = oriented_side(left), oriented_rows(right)
    reach = level * (a.bodies.reach + b.bodies.reach)
    overlap, apart = hull_surfaces.decided(a, b, reach)
    assert not (overlap & apart).any()
    meet, far = by_pieces(a, b, reach)
    assert meet[overlap].all() and far[apart].all()


@compiled
def test_surfaces_decide_nearly_all_pairs_that_do_not_just_touch():
    left, right = PAIRS["aligned"]()
    a, b = oriented_side(left), oriented_rows(right)
    overlap, apart = hull_surfaces.decided(a, b, np.zeros(len(b)))
    # Those with ends in one plane meet in edges only.
    ends = np.array(
        [
            abs(np.ptp(hull.points[:, 2]) - np.ptp(mesh.points[:, 2]))
            for hull, mesh in zip(left.geometry, right.geometry, strict=True)
        ]
    )
    clear = (np.arange(len(b)) % 5 > 1) & (ends > 1e-3)
    assert clear.sum() > 15 and (overlap | apart)[clear].all() and overlap.any() and apart.any()
    # Of nested pairs, flat hulls are left.
    left, right = nested()
    overlap, apart = hull_surfaces.decided(oriented_side(left), oriented_rows(right), np.zeros(5))
    assert overlap.tolist() == [True, True, False, False, False]
    assert apart.tolist() == [False, False, True, False, False]


@compiled
def test_verdicts_are_the_same_without_the_surfaces(monkeypatch):
    for name in ("aligned", "turned"):
        left, right = PAIRS[name]()
        for touching in (0.0, 1e-6, 1e-4):
            found = ck.classify(left, right, touching=touching, clearance=0.01)
            with monkeypatch.context() as patched:
                patched.setattr(hull_surfaces, "decided", lambda _a, b, _reach: np.zeros((2, len(b)), dtype=bool))
                assert np.array_equal(ck.classify(left, right, touching=touching, clearance=0.01), found)
