# SPDX-License-Identifier: GPL-3.0-or-later
"""The contract of every pair of kinds, over shapes and poses that Hypothesis makes and, where they fail, makes simple.

What `test_pair_contract.py` asks of random batches, of one pair at a time: certificates of the distance, the depth and
the gap, contacts, and that swap, scale and company change nothing.
"""

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings

import collision_kit.core as ck
from collision_kit.core.narrow_phase.table import PAIRS
from collision_kit.core.numerics.tolerances import FACE_DEEPER, FACE_DEEPER_SIZE, PATCH_LEVEL
from tests.helpers import exact_polytopes as exact
from tests.helpers import zoo
from tests.helpers.offline import by_turns, offline
from tests.helpers.pair_bounds import LOOSE, LOOSE_POINT, belongs, loose
from tests.helpers.shape_strategies import pairs_of

KINDS = [kinds for kinds in PAIRS if max(kinds) < ck.Kind.MESH]
# Of shapes of about unit size.
TINY, CERTAIN = 1e-11, 1e-8
QUICK, DEEP = 5, 10_000


def checked(kinds, count, check):
    """Run a check on so many pairs, the same in every run."""

    @settings(
        max_examples=count,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @given(pairs_of(kinds))
    def over(pair):
        check(*pair)

    over()


def scaled(shapes, scale):
    return zoo.placed(shapes, np.eye(3), scale, np.zeros(3))


def certificates(a, b, scale):
    """The normal proves the distance from below and the witnesses from above; the depth frees, each by its axis."""
    a, b = scaled(a, scale), scaled(b, scale)
    found, axes, tiny = ck.distance(a, b), ck.separating_axis(a, b), TINY * scale
    np.testing.assert_allclose(np.linalg.norm(found.normal, axis=1), 1.0, atol=TINY)
    np.testing.assert_allclose(found.point_b - found.point_a, found.distance[:, None] * found.normal, atol=tiny)
    for normal, gap in ((found.normal, found.distance), (axes.axis, axes.gap)):
        np.testing.assert_allclose(-zoo.support(b, -normal) - zoo.support(a, normal), gap, atol=tiny)
    assert axes.gap[0] <= found.distance[0] + tiny
    one = [scaled(shapes, 1.0 / scale) for shapes in (a, b)]
    for shapes, point in zip(one, (found.point_a, found.point_b), strict=True):
        assert belongs(shapes, 0, point[0] / scale, max(LOOSE_POINT, slack(a, b)) if loose({a.kind, b.kind}) else TINY)
    freed = zoo.moved(b, -found.distance[:, None] * found.normal)
    np.testing.assert_allclose(ck.distance(a, freed).distance, 0.0, atol=slack(a, b) * scale)


def slack(a, b):
    """Return how far off the depth of shapes of unit size may be, whatever they are."""
    return LOOSE["degenerate"] if loose({a.kind, b.kind}) else TINY


def verdicts(a, b, scale):
    """All questions agree with the distance, and with the other order; alone, in a crowd, and at any scale."""
    a, b = scaled(a, scale), scaled(b, scale)
    found = ck.distance(a, b)
    meets, inside = found.distance[0] <= found.rounding[0], ck.contains(a, b)[0] or ck.contains(b, a)[0]
    assert ck.overlap(a, b)[0] == meets
    assert (len(ck.contacts(a, b)) > 0) == meets
    if abs(found.distance[0]) > CERTAIN * scale:
        assert ck.overlap(b, a)[0] == meets
        verdict = ck.classify(a, b)[0]
        deep = ck.Verdict.CONTAINED if inside else ck.Verdict.PENETRATING
        assert verdict == (deep if meets else ck.Verdict.SEPARATED)
        assert ck.overlap(scaled(a, 1.0 / scale), scaled(b, 1.0 / scale))[0] == meets
    np.testing.assert_allclose(ck.distance(b, a).distance, found.distance, atol=slack(a, b) * scale)
    together = ck.distance(type(a).joined([a, a, a]), b)
    np.testing.assert_allclose(together.distance, found.distance[0], atol=slack(a, b) * scale)
    touch = ck.contacts(a, b, margin=0.3 * scale)
    if len(touch):
        # A face that is nearly aligned makes the manifold, with depths along its own normal.
        deepest, size = touch.depth[0] + found.distance[0], min(_diagonal(a), _diagonal(b))
        assert deepest >= -FACE_DEEPER * max(found.distance[0], 0.0) - PATCH_LEVEL * scale
        assert deepest <= FACE_DEEPER * abs(found.distance[0]) + FACE_DEEPER_SIZE * size + TINY * scale
        assert (touch.depth <= touch.depth[0]).all() and (touch.depth >= -0.3 * scale).all()


def _diagonal(shapes):
    lower, upper = shapes.bounds()
    return float(np.linalg.norm(upper - lower, axis=1)[0])


CELLS = [
    pytest.param(kinds, check, id=f"{kinds[0].name}-{kinds[1].name}-{check.__name__}".lower())
    for kinds in KINDS
    for check in (certificates, verdicts)
]


@pytest.mark.parametrize(("kinds", "check"), by_turns(CELLS, 2, 0))
@pytest.mark.parametrize("count", [QUICK, *offline(DEEP)])
def test_the_contract_holds_of_whatever_is_made(kinds, check, count):
    checked(kinds, count, check)


POLYTOPES = [kinds for kinds in KINDS if {*kinds} <= {ck.Kind.BOX, ck.Kind.TRIANGLE}]


@pytest.mark.parametrize("kinds", POLYTOPES, ids=[f"{a.name}-{b.name}".lower() for a, b in POLYTOPES])
@pytest.mark.parametrize("count", [10, *offline(DEEP)])
def test_verdicts_are_those_of_integers_made_from_the_very_floats(kinds, count):
    def check(a, b, scale):
        truth = exact.gaps_of_floats(a, b)[0]
        if abs(truth) > ck.distance(a, b).rounding[0]:
            assert ck.overlap(a, b)[0] == (truth <= 0.0)

    checked(kinds, count, check)
