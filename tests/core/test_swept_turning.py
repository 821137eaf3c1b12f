# SPDX-License-Identifier: GPL-3.0-or-later
"""Turning shapes: no step goes too far whatever it is told, few are needed, and rods meet walls when sines say so."""

import importlib

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.continuous import conservative_advancement
from collision_kit.core.numerics.tolerances import ADVANCEMENT
from tests.helpers import zoo
from tests.helpers.offline import many, slow
from tests.helpers.triangle_meshes import hull_mesh

# The function has the name of its module, and hides it.
module = importlib.import_module("collision_kit.core.continuous.time_of_impact")
K = ck.Kind
KINDS = [(K.SPHERE, K.BOX), (K.CAPSULE, K.CAPSULE), (K.BOX, K.BOX), (K.BOX, K.TRIANGLE), (K.HULL, K.HULL)]
KINDS += [(K.CYLINDER, K.CONE), (K.ELLIPSOID, K.BOX), (K.CONE, K.TRIANGLE)]
kinds_ = pytest.mark.parametrize("kinds", KINDS, ids=lambda kinds: f"{kinds[0].name}-{kinds[1].name}".lower())


def thrown(kinds, rng, count, spin=1.5):
    """Pairs that turn on their ways towards each other."""
    made = min(count, 200)
    a, b = (zoo.generic(kind, rng, made).take(rng.integers(0, made, count)) for kind in kinds)
    away = 2.5 * rng.normal(size=(count, 3))
    b = zoo.moved(b, away)
    path = rng.normal(size=(2, count, 3))
    path[1] -= 1.5 * away * rng.random((count, 1))
    turn, pivot = spin * rng.normal(size=(2, count, 3)), rng.normal(size=(2, count, 3))
    return (a, b), [ck.RigidMotion(path[k], turn[k], pivot[k]) for k in range(2)]


def placed(shapes, motions, time, rows=slice(None)):
    rows = np.arange(len(shapes[0]))[rows]
    time = np.broadcast_to(time, len(shapes[0]))[rows].astype(float)
    return [x.take(rows).placed(*move.take(rows).pose(time)) for x, move in zip(shapes, motions, strict=True)]


def asked(shapes, motions, **more):
    return ck.time_of_impact(*shapes, motion_a=motions[0], motion_b=motions[1], **more)


def under_way(shapes, motions, time):
    """The pairs of the search, at these times."""
    balls = tuple(x.bounding_spheres() for x in shapes)
    none = np.zeros(len(time))
    pairs = conservative_advancement._Pairs.of(tuple(shapes), tuple(motions), balls, none, none + 1e-12)
    pairs.time = time.copy()
    return pairs


@pytest.mark.parametrize("count", [50, *slow(many(2_000, 5_000))])
@kinds_
def test_no_step_goes_too_far_whatever_it_is_told(monkeypatch, kinds, count):
    """From any time, with directions that turn at any rate, looking ahead any way: up to where it goes none overlap."""
    rng = np.random.default_rng([1, *kinds])
    shapes, motions = thrown(kinds, rng, count)
    time = rng.random(count) * (np.arange(count) % 3 > 0)
    apart = np.flatnonzero(ck.distance(*placed(shapes, motions, time)).distance > 1e-3)
    shapes, motions, time = [x.take(apart) for x in shapes], [move.take(apart) for move in motions], time[apart]
    monkeypatch.setattr(
        conservative_advancement, "trial_interval", lambda gap, *_: 10.0 ** rng.uniform(-2.0, 0.2, len(gap))
    )
    pairs = under_way(shapes, motions, time)
    pairs.last_normal = rng.normal(size=(3, len(apart)))
    pairs.last_normal /= np.linalg.norm(pairs.last_normal, axis=0)
    pairs.elapsed = 10.0 ** rng.uniform(-1.0, 1.0, len(apart))
    nothing = np.zeros((3, len(apart)), dtype=bool)
    result = conservative_advancement.Advancement(np.zeros(len(apart)), *nothing, *np.empty((2, len(apart), 3)))
    pairs.step(result)
    assert not result.touching.any()
    assert len(pairs.rows) + result.missed.sum() == len(apart)
    until = np.ones(len(apart))
    until[pairs.rows] = pairs.time
    assert (until[pairs.rows] > time[pairs.rows]).all() and len(pairs.rows) > count // 6
    for share in np.linspace(0.0, 1.0, 81):
        found = ck.distance(*placed(shapes, motions, time + share * (until - time)))
        assert (found.distance >= -1e-13).all()


@pytest.mark.parametrize("offset", [0.0, 0.1, 0.15, 0.19])
def test_balls_that_pass_are_not_lost_by_a_direction_that_passes_them_too(monkeypatch, offset):
    """They touch in the middle of the way; along a direction that turns with them they are apart at both its ends."""
    balls = ck.Spheres([[0, 0, 0]], [0.1]), ck.Spheres([[-1, offset, 0]], [0.1])
    velocity, none = np.array([[2.0, 0, 0]]), np.zeros((1, 3))
    motions = ck.RigidMotion(none, none, none), ck.RigidMotion(velocity, none, none)
    for share in np.linspace(0.1, 1.0, 10):
        pairs = under_way(balls, motions, np.zeros(1))
        away = np.array([-1.0, offset])
        turn = np.pi - 2.0 * np.arctan2(offset, 1.0)
        # Half a second ago it looked as much further back as it is to look forward at the end.
        back = np.array([[np.cos(turn / 2), -np.sin(turn / 2)], [np.sin(turn / 2), np.cos(turn / 2)]]) @ away
        pairs.last_normal, pairs.elapsed = (
            np.array([[back[0]], [back[1]], [0.0]]) / np.hypot(*back),
            np.array([0.5 / share]),
        )
        monkeypatch.setattr(conservative_advancement, "trial_interval", lambda gap, *_: np.ones(1))
        nothing = np.zeros((3, 1), dtype=bool)
        result = conservative_advancement.Advancement(np.zeros(1), *nothing, *np.empty((2, 1, 3)))
        pairs.step(result)
        meet = (1.0 - np.sqrt(0.04 - offset**2)) / 2.0
        assert not result.missed[0] and pairs.time[0] <= meet


def test_the_bound_is_below_the_gap_along_directions_that_turn():
    """Of supports along a turning direction; both sides of the inequality of the module, by the formula."""
    rng = np.random.default_rng(2)
    count = 400
    shapes, motions = thrown((K.BOX, K.HULL), rng, count, spin=2.0)
    begin, ahead = rng.random(count) * 0.5, rng.random(count) * 0.5
    normal, axis = rng.normal(size=(2, count, 3))
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    axis = np.cross(normal, axis)
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    rate = np.minimum(3.0 * rng.random(count), 1.0 / ahead)

    def gap(share):
        time, angle = begin + share * ahead, rate * share * ahead
        along = normal * np.cos(angle)[:, None] + np.cross(axis, normal) * np.sin(angle)[:, None]
        a, b = placed(shapes, motions, time)
        return -zoo.support(a, along) - zoo.support(b, -along)

    # Shapes moved apart along the normal at the start, so that all gaps are above zero there.
    shift = np.maximum(0.0, 0.3 - gap(0.0))[:, None] * normal
    shapes = [shapes[0], zoo.moved(shapes[1], shift)]
    motions = [motions[0], ck.RigidMotion(*(vars(motions[1])[name] for name in ("velocity", "angular_velocity")),
                                          motions[1].pivot + shift)]  # fmt: skip
    reach = [move.distance_from_axis(x.bounding_spheres()[0]) + x.bounding_spheres()[1]
             for x, move in zip(shapes, motions, strict=True)]  # fmt: skip
    angular_speed = [np.linalg.norm(move.angular_velocity, axis=1) for move in motions]
    relative_speed_bound = np.linalg.norm(motions[1].velocity - motions[0].velocity, axis=1)
    relative_speed_bound += sum(w * far for w, far in zip(angular_speed, reach, strict=True))
    most = 2.0 * rate * relative_speed_bound + sum(w * w * far for w, far in zip(angular_speed, reach, strict=True))
    start, end = gap(0.0), gap(1.0)
    assert (start > 0.2).all() and (end < 0.0).any()
    end = np.where(end < 0.0, end / np.sinc(rate * ahead / np.pi), end)
    bend = most / np.cos(rate * ahead / 2.0)
    for share in np.linspace(0.0, 1.0, 41):
        past = share * ahead
        bound = start + (end - start) * share - bend * past * (ahead - past) / 2.0
        assert (gap(share) >= bound - 1e-12).all()


def test_up_to_the_root_of_the_bound_the_worst_case_is_above_zero():
    """The solution of g'' + r² g = H between the two gaps, in closed form; for r = 0 a parabola."""
    rng = np.random.default_rng(3)
    gap, bend, trial = 10.0 ** rng.uniform(-4.0, 1.0, (3, 3000))
    bend *= rng.integers(0, 2, 3000)
    after = gap * rng.normal(size=3000)
    angle = rng.random(3000) * rng.integers(0, 2, 3000)
    safe = conservative_advancement.proved_interval(gap, after, bend, trial, angle)
    assert ((safe > 0.0) & (safe <= trial)).all()
    rate = np.maximum(angle, 1e-4) / trial
    size = gap + np.abs(after) + bend * trial * trial

    def worst(u):
        ends = (gap * np.sin(rate * (trial - u)) + after * np.sin(rate * u)) / np.sin(rate * trial)
        middle = 2.0 * np.sin(rate * (trial - u) / 2.0) * np.sin(rate * u / 2.0) / np.cos(rate * trial / 2.0)
        return ends - bend * middle / rate**2

    for share in np.linspace(0.0, 1.0, 101):
        assert (worst(share * safe) >= -1e-7 * size).all()
    # For directions that stand still it is the very root.
    still = (angle == 0.0) & (safe < trial)
    np.testing.assert_allclose((worst(safe) / size)[still], 0.0, atol=1e-7)
    assert (safe < trial)[after < 0.0].all() and (safe == trial).sum() > 100 and still.sum() > 100


@kinds_
def test_few_steps_are_enough(kinds):
    """Conservative advancement by a bound on speed takes dozens; this is how one sees that secants are at work."""
    rng = np.random.default_rng([4, *kinds])
    shapes, motions = thrown(kinds, rng, 400)
    assert asked(shapes, motions, max_iterations=14).decided.mean() > 0.98
    hit = asked(shapes, motions)
    assert hit.decided.all()
    few = asked(shapes, motions, max_iterations=9)
    assert few.decided[hit.hit].mean() > 0.8


@kinds_
def test_the_bound_on_speed_finds_the_same(monkeypatch, kinds):
    rng = np.random.default_rng([5, *kinds])
    shapes, motions = thrown(kinds, rng, 60)
    found = asked(shapes, motions)
    with monkeypatch.context() as patch:
        patch.setattr(module, "readable", lambda *_: False)
        patch.setattr(module, "swept_spheres_disjoint", lambda a, b, radius, *_: np.zeros(len(radius), dtype=bool))
        slow = asked(shapes, motions, max_iterations=1000)
    both = slow.decided & found.decided
    assert both.mean() > 0.9 and found.hit.sum() > 3
    np.testing.assert_array_equal(found.hit[both], slow.hit[both])
    hit = both & found.hit
    # Each may be early by what it takes to close the last gap.
    np.testing.assert_allclose(found.time[hit], slow.time[hit], atol=1e-6)
    np.testing.assert_allclose(found.normal[hit], slow.normal[hit], atol=1e-4)
    np.testing.assert_allclose(found.point[hit], slow.point[hit], atol=1e-4)


def rod(length, kind):
    """A thing along x, of a half-length, a hundredth of a unit thin or less."""
    corner = np.array([[x, y, z] for x in (-length, length) for y in (-0.01, 0.01) for z in (-0.01, 0.01)])
    match kind:
        case "box":
            return ck.Boxes([[0, 0, 0]], [[length, 0.01, 0.01]]), 0.01
        case "hull":
            return ck.Hulls.from_points([corner]), 0.01
        case "mesh":
            return ck.Meshes.from_triangles([hull_mesh(corner)]), 0.01
        case "segment":
            return ck.Hulls.from_points([[[-length, 0, 0], [length, 0, 0]]]), 0.0
        case "triangle":
            return ck.Triangles([[[-length, 0, 0], [length, 0, 0], [0, 0, 0.01]]]), 0.0


@pytest.mark.parametrize("spin", [0.5, -1.7, 6.0])
@pytest.mark.parametrize("kind", ["box", "hull", "mesh", "segment", "triangle"])
def test_a_rod_swings_against_a_wall(kind, spin):
    """Turned by t about z, its corners are at ``length sin + thick cos``: they meet the wall at y = 1.5."""
    length = 2.0
    shape, thick = rod(length, kind)
    angle = np.arcsin(1.5 / np.hypot(length, thick)) - np.arctan2(thick, length)
    for wall in (ck.Boxes([[0, 2.5, 0]], [[5, 1, 5]]), ck.Triangles([[[-9, 1.5, -9], [9, 1.5, -9], [0, 1.5, 9]]])):
        found = ck.time_of_impact(shape, wall, angular_velocity_a=[[0, 0, spin]])
        time = angle / abs(spin)
        assert found.hit[0] == (time <= 1.0)
        if time <= 1.0:
            assert found.time[0] <= time + 1e-14
            np.testing.assert_allclose(found.time[0], time, atol=1e-8)
            np.testing.assert_allclose(found.normal, [[0, 1, 0]], atol=1e-6)
            np.testing.assert_allclose(found.point[0, 1], 1.5, atol=1e-8)


def test_a_wheel_with_teeth_turns_past_a_peg():
    """The peg is out of reach by this much, or not: what comes near and near without touching is decided."""
    angle = np.linspace(0.0, 2.0 * np.pi, 12, endpoint=False)
    rim = np.stack([np.cos(angle), np.sin(angle)], axis=1)
    wheel = ck.Hulls.from_points([np.vstack([np.c_[rim, np.full(12, z)] for z in (-0.1, 0.1)])])
    for gap in (1e-3, 1e-5, 1e-7):
        peg = ck.Boxes([[1.2 + gap, 0, 0]], [[0.2, 0.2, 0.05]])
        found = ck.time_of_impact(wheel, peg, angular_velocity_a=[[0, 0, 3.0]], pivot_a=[[0, 0, 0]])
        assert found.decided[0] and not found.hit[0] and found.safe[0] == 1.0
        peg = ck.Boxes([[1.2 - gap, 0, 0]], [[0.2, 0.2, 0.05]])
        turned = ck.RigidMotion(np.zeros((1, 3)), np.array([[0, 0, np.pi / 12]]), np.zeros((1, 3)))
        between = wheel.placed(*turned.pose(np.ones(1)))  # a flat side towards the peg
        found = ck.time_of_impact(between, peg, angular_velocity_a=[[0, 0, 3.0]])
        then = placed([between, peg], [ck.RigidMotion(np.zeros((1, 3)), np.array([[0, 0, 3.0]]), np.zeros((1, 3))),
                                       ck.RigidMotion(*np.zeros((3, 1, 3)))], found.time)  # fmt: skip
        assert found.hit[0] and found.time[0] > 0.0
        np.testing.assert_allclose(ck.distance(*then).distance, 0.0, atol=3e-9)


@pytest.mark.parametrize("kinds", [(K.BOX, K.BOX), (K.CAPSULE, K.HULL)])
def test_scale_place_and_order_change_nothing(kinds):
    rng = np.random.default_rng([6, *kinds])
    shapes, motions = thrown(kinds, rng, 150)
    found = asked(shapes, motions)
    swapped = asked(shapes[::-1], motions[::-1])
    np.testing.assert_array_equal(swapped.hit, found.hit)
    np.testing.assert_allclose(swapped.time, found.time, atol=1e-7)
    np.testing.assert_allclose(swapped.normal, -found.normal, atol=1e-4)
    turn = zoo.rotations(rng, 1)[0]
    for scale, shift in ((1e-4, 0.0), (1e4, 0.0), (1.0, 1e5)):
        offset = np.array([0.6, -0.7, 0.9]) * shift
        there = [zoo.placed(x, turn, scale, offset) for x in shapes]
        moves = [
            ck.RigidMotion(
                scale * move.velocity @ turn.T, move.angular_velocity @ turn.T, scale * move.pivot @ turn.T + offset
            )
            for move in motions
        ]
        other = asked(there, moves)
        np.testing.assert_array_equal(other.hit, found.hit)
        np.testing.assert_allclose(other.time, found.time, atol=1e-7)


@kinds_
def test_it_touches_when_as_near_as_the_margin(kinds):
    rng = np.random.default_rng([7, *kinds])
    shapes, motions = thrown(kinds, rng, 80)
    margin = 0.3 * rng.random(80)
    found, bare = asked(shapes, motions, margin=margin), asked(shapes, motions)
    assert found.decided.all()
    assert (found.hit >= bare.hit).all() and (found.time <= bare.time).all()
    hit = np.flatnonzero(found.hit & (found.time > 0.0))
    then = ck.distance(*placed(shapes, motions, np.where(found.hit, found.time, 0.0), hit))
    assert len(hit) > 4
    np.testing.assert_allclose(then.distance, margin[hit], atol=1e-8)
    np.testing.assert_allclose(found.point[hit], (then.point_a + then.point_b) / 2.0, atol=1e-5)
    for time in np.linspace(0.0, 1.0, 30):
        gap = ck.distance(*placed(shapes, motions, time)).distance
        assert (gap >= margin - 1e-12)[time < found.safe].all()


def test_balls_about_what_turns_are_left_out_only_when_it_never_comes_near():
    """Far pivots, quick turns: what is left out by the spheres is apart at all times."""
    rng = np.random.default_rng(8)
    shapes, motions = thrown((K.BOX, K.BOX), rng, 600)
    shapes = shapes[0], zoo.moved(shapes[1], 6.0 * rng.normal(size=(600, 3)))
    with ck.QueryStats() as seen:
        found = asked(shapes, motions, max_iterations=0)
    left_out = found.decided & ~found.hit
    assert seen.resolved_by["bounding spheres"] == np.count_nonzero(left_out) > 30
    rows = np.flatnonzero(left_out)
    for time in np.linspace(0.0, 1.0, 101):
        assert (ck.distance(*placed(shapes, motions, time, rows)).distance > 0.0).all()
    # What turns about its own center goes straight on, and is left out as if it did not turn.
    own = [ck.RigidMotion(m.velocity, m.angular_velocity, x.center) for x, m in zip(shapes, motions, strict=True)]
    straight = [ck.RigidMotion(m.velocity, 0.0 * m.velocity, 0.0 * m.velocity) for m in motions]
    with ck.QueryStats() as turning:
        asked(shapes, own, max_iterations=0)
    with ck.QueryStats() as displaced:
        asked(shapes, straight, max_iterations=0)
    assert turning.resolved_by["bounding spheres"] == displaced.resolved_by["bounding spheres"]


def test_points_get_no_farther_from_where_displacement_alone_takes_them_than_their_swing():
    rng = np.random.default_rng(9)
    point, velocity, spin, pivot = rng.normal(size=(4, 500, 3))
    spin *= rng.uniform(0.0, 5.0, (500, 1))
    motion = ck.RigidMotion(velocity, spin, pivot)
    swing, farthest = motion.max_deviation(point), np.zeros(500)
    for time in np.linspace(0.0, 1.0, 201):
        rotation, translation = motion.pose(np.full(500, time))
        there = np.einsum("nij,nj->ni", rotation, point) + translation
        away = np.linalg.norm(there - (point + time * velocity), axis=1)
        farthest = np.maximum(farthest, away)
        assert (away <= swing + 1e-12).all()
    np.testing.assert_allclose(farthest, swing, rtol=1e-3)


def test_it_is_as_near_as_is_promised():
    rng = np.random.default_rng(10)
    for kinds in KINDS:
        shapes, motions = thrown(kinds, rng, 150)
        found = asked(shapes, motions)
        hit = np.flatnonzero(found.hit & (found.time > 0.0))
        then = ck.distance(*placed(shapes, motions, np.where(found.hit, found.time, 0.0), hit))
        radii = sum(x.bounding_spheres()[1][hit] for x in shapes)
        assert (then.distance <= ADVANCEMENT * radii + 1e-14).all() and (then.distance > -1e-14).all()
        np.testing.assert_allclose(np.linalg.norm(found.normal[hit], axis=1), 1.0, atol=1e-12)
        spot = ck.Spheres(found.point[hit], np.zeros(len(hit)))
        for part in placed(shapes, motions, np.where(found.hit, found.time, 0.0), hit):
            np.testing.assert_allclose(ck.distance(part, spot).distance, 0.0, atol=1e-8)
