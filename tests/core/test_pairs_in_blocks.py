# SPDX-License-Identifier: GPL-3.0-or-later
"""Many pairs by index answer as few do, whatever block they fall into and wherever in the world they are."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.narrow_phase.closed_form import ClosedForm
from collision_kit.core.narrow_phase.half_space_pairs import ConvexHalfSpace
from collision_kit.core.narrow_phase.table import PAIRS
from collision_kit.core.numerics.rows import BLOCK
from collision_kit.core.query import early_outs
from tests.helpers import zoo

CELLS = [kinds for kinds, pair in PAIRS.items() if isinstance(pair, ClosedForm | ConvexHalfSpace)]


@pytest.mark.parametrize("kinds", CELLS, ids=lambda kinds: "-".join(kind.name.lower() for kind in kinds))
@pytest.mark.parametrize("turned", [False, True])
def test_pairs_by_index_answer_as_row_by_row(kinds, turned):
    rng = np.random.default_rng([11, *kinds])
    a, b = (zoo.generic(kind, rng, 50) for kind in (reversed(kinds) if turned else kinds))
    if kinds[0] == kinds[1]:
        b = a  # some are paired with themselves, which the closed form of capsules leaves to the generic way
    pairs = rng.integers(0, 50, (2 * BLOCK + 77, 2))
    few = np.unique(np.concatenate([rng.integers(0, len(pairs), 300), np.flatnonzero(pairs[:, 0] == pairs[:, 1])[:60]]))
    rows = a.take(pairs[few, 0]), b.take(pairs[few, 1])
    many, alone = ck.distance(a, b, pairs).take(few), ck.distance(*rows)
    for name, value in vars(alone).items():
        np.testing.assert_allclose(getattr(many, name), value, rtol=0.0, atol=1e-12, err_msg=name)
    np.testing.assert_array_equal(ck.overlap(a, b, pairs)[few], ck.overlap(*rows))


def test_kinds_that_alternate_answer_each_in_its_place():
    rng = np.random.default_rng(14)
    world = ck.World([zoo.generic(kind, rng, 30) for kind in (ck.Kind.BOX, ck.Kind.SPHERE, ck.Kind.CAPSULE)])
    pairs = rng.integers(0, 90, (400, 2))
    found, meets = ck.distance(world, world, pairs), ck.overlap(world, world, pairs)
    for row, pair in enumerate(pairs.tolist()):
        a, b = (world.batches[world.batch[i]].take(world.slot[[i]]) for i in pair)
        np.testing.assert_allclose(found.distance[row], ck.distance(a, b).distance[0], rtol=0.0, atol=1e-12)
        assert meets[row] == ck.overlap(a, b)[0]


@pytest.mark.parametrize("scale", [1e-48, 1e-40, 1e-4, 1.0, 1e4, 1e40, 1e49])
def test_balls_prove_nothing_wrong_at_any_scale(scale):
    rng = np.random.default_rng(12)
    place = rng.uniform(-3.0, 3.0, (2, 2000, 3))
    half = rng.uniform(0.1, 1.0, (2, 2000, 3))
    a, b = (ck.Boxes(place[side] * scale, half[side] * scale) for side in (0, 1))
    rows = np.repeat(np.arange(2000)[:, None], 2, axis=1)
    apart = early_outs.separated_by_bounds(a, b, rows, np.zeros(2000), None)
    room = np.linalg.norm(place[1] - place[0], axis=1) - np.linalg.norm(half, axis=2).sum(axis=0)
    assert not (apart & (room < -1e-9)).any()
    np.testing.assert_array_equal(apart, room > 0.0)


@pytest.mark.parametrize("away", [0.0, 1e3, 1e9, 1e11])
def test_witness_over_a_surface_is_the_middle_of_all_that_is_lowest(away):
    rng = np.random.default_rng(13)
    points = rng.normal(size=(40, 12, 3)) * 1e-3
    points[::2, :, 2] = np.round(points[::2, :, 2], 3)  # several on one level
    hulls = ck.Hulls.from_points(list(points), translation=np.tile([0.0, 0.0, away], (40, 1)))
    surface = ck.HalfSpaces([[0.0, 0.0, 1.0]], [away])
    found = ck.distance(hulls, surface)
    for row, hull in enumerate(hulls.geometry):
        vertices = hull.points[hull.vertices]
        above = vertices[:, 2] - vertices[:, 2].min() - found.rounding[row]
        if (np.abs(above) < 0.01 * found.rounding[row]).any():
            continue
        np.testing.assert_allclose(found.point_a[row, :2], vertices[above <= 0.0, :2].mean(axis=0), atol=1e-12)
