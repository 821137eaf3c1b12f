# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes and triangles against Coal and python-fcl, where these are installed; a proof settles every disagreement."""

import numpy as np
import pytest

import collision_kit.core as ck
from benchmarks.peers import coal_objects, fcl_objects
from tests.helpers import exact_polytopes as exact
from tests.helpers import zoo

pytestmark = pytest.mark.slow

BOX, TRIANGLE = ck.Kind.BOX, ck.Kind.TRIANGLE
COUNT = 10_000


def fcl_verdicts(a, b):
    fcl = pytest.importorskip("fcl")
    request = fcl.CollisionRequest()
    pairs = zip(fcl_objects(a), fcl_objects(b), strict=True)
    return np.array([fcl.collide(one, other, request, fcl.CollisionResult()) > 0 for one, other in pairs])


def coal_verdicts(a, b):
    coal = pytest.importorskip("coal")
    request = coal.CollisionRequest()
    pairs = zip(coal_objects(a), coal_objects(b), strict=True)
    return np.array([coal.collide(*one, *other, request, coal.CollisionResult()) > 0 for one, other in pairs])


@pytest.mark.parametrize("verdicts", [fcl_verdicts, coal_verdicts], ids=["fcl", "coal"])
@pytest.mark.parametrize(
    "kinds", [(BOX, BOX), (BOX, TRIANGLE), (TRIANGLE, TRIANGLE)], ids=["box-box", "box-triangle", "triangle-triangle"]
)
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_peers_agree_or_the_truth_is_ours(verdicts, kinds, maker):
    """Generic shapes: they agree. On the lattice they do not, and integers made from the floats say who is right."""
    rng = np.random.default_rng([21, *kinds])
    a, b = (zoo.MAKERS[maker](kind, rng, COUNT) for kind in kinds)
    theirs, ours = verdicts(a, b), ck.overlap(a, b)
    differ = np.flatnonzero(theirs != ours)
    a, b = a.take(differ), b.take(differ)
    truth = exact.gaps_of_floats(a, b)
    rounding = ck.distance(a, b).rounding
    np.testing.assert_array_equal(ours[differ], truth <= rounding)
    # And the proof that each of our answers carries: an axis with a gap, or the deepest point of a contact.
    axes = ck.separating_axis(a, b).axis
    gap = -zoo.support(b, -axes) - zoo.support(a, axes)
    assert (gap[~ours[differ]] > rounding[~ours[differ]]).all()
    assert np.unique(ck.contacts(a, b).pair).tolist() == np.flatnonzero(ours[differ]).tolist()
    touching = np.abs(truth) <= rounding
    print(f"{verdicts.__name__}: {len(differ)} of {COUNT} differ, {touching.sum()} touch, {(~touching).sum()} more")
    assert maker != "generic" or len(differ) == 0
