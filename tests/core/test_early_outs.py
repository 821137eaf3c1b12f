# SPDX-License-Identifier: GPL-3.0-or-later
"""Early outs change no answer, and the work counters show what they settled."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import results
from collision_kit.core.narrow_phase.table import PAIRS
from collision_kit.core.query import dispatch
from tests.helpers import zoo
from tests.helpers.offline import by_turns, many, offline

CELLS = [
    pytest.param(
        kinds,
        maker,
        id=f"{kinds[0].name}-{kinds[1].name}-{maker}".lower(),
        marks=[pytest.mark.slow] if ck.Kind.MESH in kinds else [],
    )
    for kinds, maker in itertools.product(PAIRS, zoo.MAKERS)
    # Bodies answer as their parts do: test_assemblies.py
]
COUNT = 60
ALL = np.array(list(itertools.product(range(COUNT), range(COUNT))))
EVERY = ALL[::17]


def spread(kinds, maker):
    """Shapes far enough from each other that some are apart and some meet."""
    rng = np.random.default_rng([9, *kinds])
    return tuple(
        zoo.moved(zoo.MAKERS[maker](kind, rng, COUNT), rng.integers(-3, 4, (COUNT, 3)) / 2.0) for kind in kinds
    )


def method(name, a, b, pairs):
    """The answer of the pair's own method, with nothing tried before it."""
    result = np.zeros(len(pairs), dtype=bool)
    for group in dispatch.pair_groups(a, b, pairs):
        turned = {"contains": "contained"}.get(name, name) if group.flipped else name
        ends = (group.a.gathered(), group.b.gathered()) if name == "contains" else (group.a, group.b)
        result[group.rows] = getattr(group.pair, turned)(*ends)
    return result


@pytest.mark.parametrize("step", [17, *offline(7)])
@pytest.mark.parametrize(("kinds", "maker"), by_turns(CELLS, 2 * len(zoo.MAKERS), 0))
def test_no_early_out_changes_an_answer(kinds, maker, step):
    # Of meshes, and of the kinds whose answers are searched for, fewer, but some that overlap.
    searched = {ck.Kind.ELLIPSOID, ck.Kind.CONE} & {*kinds}
    every = ALL[:: step * many(4 if searched or ck.Kind.MESH in kinds else 1, 1)]
    a, b = spread(kinds, maker)
    exact = method("overlap", a, b, every)
    assert exact.any()
    np.testing.assert_array_equal(ck.overlap(a, b, every), exact)
    np.testing.assert_array_equal(ck.contains(a, b, every), method("contains", a, b, every))
    # Whatever axis is tried, right or wrong, long or short.
    rng = np.random.default_rng(2)
    axes = ck.separating_axis(a, b, every).axis * rng.choice([-1.0, 0.0, 1e-3, 1.0, 50.0], len(every))[:, None]
    np.testing.assert_array_equal(ck.overlap(a, b, every, axis=axes), exact)
    plain, hinted = ck.contacts(a, b, every, margin=0.25), ck.contacts(a, b, every, margin=0.25, axis=axes)
    np.testing.assert_array_equal(plain.pair, hinted.pair)
    np.testing.assert_allclose(plain.point, hinted.point, atol=1e-9)
    levels = {"touching": 0.05, "clearance": 0.3}
    # What meshes have in common may be flat, or a fit: how deep its points are counts, not the separating translation.
    expected = ck.distance(a, b, every).verdict(**levels, interference=ck.interference(a, b, every))
    verdict = ck.classify(a, b, every, axis=axes, **levels)
    np.testing.assert_array_equal(np.minimum(verdict, ck.Verdict.PENETRATING), expected)


def test_a_shape_beside_another_is_left_to_the_exact_method_and_one_far_off_is_not():
    boxes = ck.Boxes(np.array([[0, 0, 0], [1.9, 0, 0], [3.6, 0, 0]], dtype=float), np.ones((3, 3)))
    with ck.QueryStats() as counted:
        meets = ck.overlap(boxes, boxes, [[0, 1], [0, 2], [1, 2]])
    assert meets.tolist() == [True, False, True]
    assert counted.pairs == 3
    assert counted.resolved_by[results.BOUNDING_SPHERES] == 1


def test_the_axis_that_parted_two_boxes_parts_them_again():
    rng = np.random.default_rng(3)
    a, b = (zoo.generic(ck.Kind.HULL, rng, 400) for _ in range(2))
    b = zoo.moved(b, np.tile([1.2, 0.0, 0.0], (400, 1)))
    axes = ck.separating_axis(a, b)
    nudged = zoo.moved(b, rng.normal(scale=1e-3, size=(400, 3)))
    with ck.QueryStats() as first:
        plain = ck.overlap(a, nudged)
    with ck.QueryStats() as again:
        hinted = ck.overlap(a, nudged, axis=axes.axis)
    np.testing.assert_array_equal(plain, hinted)
    assert results.CACHED_AXIS not in first.resolved_by
    assert first.resolved_by[results.BOUNDING_SPHERES] == again.resolved_by[results.BOUNDING_SPHERES]
    apart = np.count_nonzero(~plain) - again.resolved_by[results.BOUNDING_SPHERES]
    assert again.resolved_by[results.CACHED_AXIS] >= 0.9 * apart > 0


def test_counters_nest_and_close():
    boxes = ck.Boxes(np.array([[0, 0, 0], [9, 0, 0]], dtype=float), np.ones((2, 3)))
    with ck.QueryStats() as outer:
        ck.overlap(boxes, boxes, [[0, 1]])
        with ck.QueryStats() as inner:
            ck.overlap(boxes, boxes, [[0, 1], [1, 0]])
    ck.overlap(boxes, boxes, [[0, 1]])
    assert (outer.pairs, inner.pairs) == (3, 2)
    assert str(inner) == "2 pairs: 2 bounding spheres"


@pytest.mark.parametrize(
    ("axis", "message"),
    [([[1, 0, 0]] * 2, "axis: 2 rows, but there are 1 pairs"), ([[np.nan, 0, 0]], "axis: row 0 is not finite")],
)
def test_a_bad_axis_is_named(axis, message):
    boxes = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
    with pytest.raises(ValueError, match=message):
        ck.overlap(boxes, boxes, axis=axis)


@pytest.mark.parametrize("kind", ck.Kind)
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_bounding_spheres_hold_their_shapes(kind, maker):
    shapes = zoo.MAKERS[maker](kind, np.random.default_rng([4, kind]), 80)
    center, radius = ck.bounding_spheres(shapes)
    assert (radius >= 0.0).all()
    if kind in (ck.Kind.HALF_SPACE, ck.Kind.PLANE):
        assert np.isinf(radius).all()
        return
    direction = zoo.rotations(np.random.default_rng(5), 30).reshape(-1, 3)
    for along in direction:
        reach = zoo.support(shapes, np.broadcast_to(along, (80, 3)))
        assert (reach <= center @ along + radius + 1e-12).all()
    # And no far larger ones: the diagonal of the bounds is at least the shape's diameter.
    lower, upper = ck.bounds(shapes)
    assert (radius <= 0.9 * np.linalg.norm(upper - lower, axis=1) + 1e-9).all()


@pytest.mark.parametrize(
    "kinds",
    [(ck.Kind.BOX, ck.Kind.BOX), (ck.Kind.BOX, ck.Kind.TRIANGLE), (ck.Kind.TRIANGLE, ck.Kind.TRIANGLE)],
    ids=lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower(),
)
def test_faces_settle_most_pairs_that_are_apart_and_every_pair_is_settled_once(kinds):
    a, b = spread(kinds, "generic")
    with ck.QueryStats() as counted:
        meets = ck.overlap(a, b, EVERY)
    assert sum(counted.resolved_by.values()) == counted.pairs == len(EVERY)
    # Edges part only what faces do not, so whatever the faces settled is apart.
    apart = np.count_nonzero(~meets) - counted.resolved_by[results.BOUNDING_SPHERES]
    assert 0.5 * apart < counted.resolved_by[results.FACE_AXES] <= apart
    assert counted.resolved_by[results.EDGE_AXES] >= np.count_nonzero(meets) - counted.resolved_by[results.EXACT]
