# SPDX-License-Identifier: GPL-3.0-or-later
"""The probe finds planted faults in every rotation and invents none, and each of its moves can be checked."""

import itertools

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import probe_levels as levels
from tests.helpers import zoo
from tests.helpers.probe_levels import WIDTH, turned

ANGLES = list(range(0, 360, 30))
QUICK = [0, 30, *(pytest.param(angle, marks=pytest.mark.slow) for angle in ANGLES[2:])]


def probed(parts, angle, start=(1.0, 0.1, 0.0), **options):
    """The result, with the names of the shapes of each finding."""
    result = ck.probe(parts.world(angle), [turned(angle) @ np.array(start)], **options)
    return result, [(one.kind, parts.named(one.shapes)) for one in result.findings]


def kinds(found):
    return [kind for kind, _ in found]


@pytest.mark.parametrize("angle", QUICK)
class TestPlantedFaults:
    def test_a_level_without_faults_has_none(self, angle):
        result, found = probed(levels.corridor(), angle)
        assert found == []
        inner = (levels.LONG - WIDTH) * (2.0 * levels.SIDE - WIDTH)
        # The grid may be off by half a column on each side.
        assert abs(result.reached_area - inner) < 0.25 * (levels.LONG + 2.0 * levels.SIDE)

    @pytest.mark.parametrize("share", [1.05, 1.3, 2.0, 3.0])
    def test_gaps_across_the_way(self, angle, share):
        result, found = probed(levels.slot(share * WIDTH), angle)
        assert found[0] == ("fall", ["near"])
        assert set(kinds(found[1:])) <= {"unreachable"}
        assert result.findings[0].measure == pytest.approx(share * WIDTH, abs=1e-3)
        assert result.findings[0].deep == np.inf

    @pytest.mark.parametrize("share", [1.05, 1.3, 2.0, 3.0])
    @pytest.mark.parametrize("at", [(4.0, -1.3), (3.87, -1.31), (4.11, -1.22)])
    def test_square_holes(self, angle, share, at):
        result, found = probed(levels.square_hole(share * WIDTH, at), angle, start=(1.0, 1.0, 0.0))
        assert kinds(found) == ["fall"]
        assert set(found[0][1]) <= {"west", "east", "south", "north"}
        assert result.findings[0].measure == pytest.approx(share * WIDTH, abs=1e-3)

    @pytest.mark.parametrize("share", [0.3, 0.95, 0.99])
    def test_narrower_gaps_are_no_falls(self, angle, share):
        assert probed(levels.slot(share * WIDTH), angle)[1] == []
        assert probed(levels.square_hole(share * WIDTH, (4.0, -1.3)), angle, start=(1.0, 1.0, 0.0))[1] == []

    @pytest.mark.parametrize("over", [-0.001, 0.0, 0.001])
    def test_steps(self, angle, over):
        result, found = probed(levels.stage(levels.STEP + over), angle)
        if over <= 0.0:
            assert found == []
            return
        assert found == [("step", ["floor", "stage"]), ("unreachable", ["stage"])]
        assert result.findings[0].measure == pytest.approx(levels.STEP + over, abs=1e-9)

    @pytest.mark.parametrize("over", [-0.5, 0.5])
    def test_slopes(self, angle, over):
        result, found = probed(levels.ramp(45.0 + over), angle)
        if over <= 0.0:
            assert found == []
            assert result.floor[:, 2].max() == pytest.approx(1.5)
            return
        assert found == [("slope", ["ramp"])]
        assert result.findings[0].measure == pytest.approx(45.0 + over, abs=1e-6)

    def test_a_pit(self, angle):
        result, found = probed(levels.pit(1.0), angle)
        assert kinds(found) == ["stuck"]
        assert "bottom" in found[0][1]
        assert result.findings[0].measure == pytest.approx(1.0)
        assert probed(levels.pit(0.35), angle)[1] == []
        assert kinds(probed(levels.pit(2.1), angle)[1]) == ["fall"]

    @pytest.mark.parametrize("height", [0.002, 0.01])
    def test_seams(self, angle, height):
        result, found = probed(levels.seam(height), angle)
        assert found == [("snag", ["low", "high"])]
        assert result.findings[0].measure == pytest.approx(height, abs=1e-9)
        assert probed(levels.seam(0.0), angle)[1] == []

    def test_a_floor_without_a_collider(self, angle):
        parts = levels.corridor(floor=False).box("floor", (0, -levels.SIDE, -0.5), (5, levels.SIDE, 0))
        result, found = probed(parts, angle)
        assert found == [("fall", ["floor"])]
        assert result.findings[0].measure == pytest.approx(3.0, abs=0.1)

    @pytest.mark.parametrize("aside", [0.07, -0.31])
    def test_doors(self, angle, aside):
        for width in (0.81, 0.84, 1.0, 1.3):
            result, found = probed(levels.door(width, aside=aside), angle)
            assert found == []
            assert (result.poses @ turned(angle))[:, 0].max() > 6.5
        result, found = probed(levels.door(0.77, aside=aside), angle)
        assert found == [("squeeze", ["jamb.right", "jamb.left"]), ("unreachable", ["floor"])]
        assert result.findings[0].measure == pytest.approx(0.77, abs=1e-6)
        assert kinds(probed(levels.door(0.7, aside=aside), angle)[1]) == ["unreachable"]

    def test_stairs_are_climbed(self, angle):
        parts = levels.stairs(0.18, 0.28, 10)
        result, found = probed(parts, angle)
        assert found == []
        assert result.floor[:, 2].max() == pytest.approx(1.8)
        # From the side, two steps at a time are too high. It is no fault: the stairs lead there.
        result, found = probed(levels.stairs(0.18, 0.28, 10, side=0.0), angle)
        assert found == []

    def test_a_ball_rolls_over_steps_that_touch_it_low_enough(self, angle):
        ball = ck.Character.ball(0.35)
        assert probed(levels.stage(ball.step - 0.001), angle, (1.0, 0.1, 0.1), character=ball)[1] == []
        found = probed(levels.stage(ball.step + 0.001), angle, (1.0, 0.1, 0.1), character=ball)[1]
        assert kinds(found) == ["step", "unreachable"]


# The wheel of a toy car.
WHEEL = ck.Character.ball(0.3)


@pytest.mark.parametrize("angle", QUICK)
class TestTracksAndTerrain:
    def test_seams_of_a_track(self, angle):
        start = levels.on_track()
        assert probed(levels.track(), angle, start, character=WHEEL)[1] == []
        result, found = probed(levels.track(raised=0.002), angle, start, character=WHEEL)
        # The plate is beside two others.
        assert sorted(found) == [("snag", ["plate 3", "plate 4"]), ("snag", ["plate 4", "plate 5"])]
        assert [one.measure for one in result.findings] == pytest.approx([0.002, 0.002], abs=1e-9)

    def test_a_gap_in_a_track(self, angle):
        # Each angle tries another width. The inner side of a plate is as long as 2.6 times that of the wheel.
        share = (1.05, 1.3, 1.7, 2.2)[angle // 30 % 4]
        width = 2.0 * WHEEL.radius
        result, found = probed(levels.track(gap=share * width), angle, levels.on_track(), character=WHEEL)
        assert kinds(found) == ["fall"]
        assert set(found[0][1]) <= {"plate 9", "plate 10"}
        assert result.findings[0].measure == pytest.approx(share * width, rel=0.05)
        assert probed(levels.track(gap=0.95 * width), angle, levels.on_track(), character=WHEEL)[1] == []

    def test_rocks_on_terrain_are_no_faults_and_a_hole_is_one(self, angle):
        start, share = (1.0, 1.0, 1.0), (1.05, 1.3, 2.0, 3.0)[angle // 30 % 4]
        assert probed(levels.terrain(), angle, start)[1] == []
        assert probed(levels.terrain(0.95 * WIDTH), angle, start)[1] == []
        result, found = probed(levels.terrain(share * WIDTH), angle, start)
        assert found == [("fall", ["ground"])]
        assert result.findings[0].measure == pytest.approx(share * WIDTH, abs=0.01)
        assert result.findings[0].deep == np.inf


def certified(world, result, gravity=(0.0, 0.0, -1.0)):
    """Whether the capsule of each pose touches what carries it, and overlaps nothing, by other algorithms."""
    up = -np.array(gravity) / np.linalg.norm(gravity)
    character = result.character
    start = result.poses + character.radius * up
    end = result.poses + (character.height - character.radius) * up
    some = np.linspace(0, len(start) - 1, min(len(start), 200)).astype(int)
    capsules = ck.Capsules(start[some], end[some], np.full(len(some), character.radius))
    pairs = np.stack([each.ravel() for each in np.indices((len(some), len(world)))], axis=1)
    away = ck.distance(capsules, world, pairs).distance.reshape(len(some), len(world))
    assert away.min() > -1e-5
    assert np.abs(away[np.arange(len(some)), result.shape[some]]).max() < 1e-5


def sweeps_free(world, result):
    """Whether the sweeps of each way between two poses on a path are free: up, across and down."""
    character, slack = result.character, 1e-5
    low, high = np.array([0.0, 0.0, character.radius]), np.array([0.0, 0.0, character.height - character.radius])
    for finding in result.findings:
        path = result.path(finding.pose)
        for one, other in itertools.pairwise(path):
            blocked = []
            # As little as possible: some lift up to a step must let it pass.
            for lift in np.linspace(0.0, character.step + 0.36, 25):
                raised, across = np.array([0.0, 0.0, lift + slack]), np.array([*(other - one)[:2], 0.0])
                capsule = ck.Capsules(one + low + raised, one + high + raised, character.radius - slack)
                blocked.append(bool(world.sweep(capsule, [across]).hit[0]))
            assert not all(blocked)


@pytest.mark.parametrize("angle", [0, 40])
def test_poses_touch_what_carries_them_and_overlap_nothing(angle):
    hole = levels.square_hole(1.0, (4.0, -1.3))
    for parts in (levels.stairs(0.18, 0.28, 10), levels.ramp(40.0), hole, levels.door(0.81)):
        world = parts.world(angle)
        certified(world, ck.probe(world, [turned(angle) @ np.array([1.0, 1.0, 0.0])]))


def test_ways_on_a_path_are_free():
    for parts in (levels.slot(1.0), levels.pit(1.0), levels.stage(0.36), levels.ramp(45.5)):
        world = parts.world(20)
        result = ck.probe(world, [turned(20) @ np.array([1.0, 0.1, 0.0])])
        assert result.findings
        sweeps_free(world, result)


@pytest.mark.parametrize("gravity", [(1.0, 0.0, 0.0), (0.0, 0.0, 9.81), (0.3, -0.5, -0.8), (0.0, 1.0, 0.0)])
def test_gravity_may_have_any_direction(gravity):
    down = np.array(gravity) / np.linalg.norm(gravity)
    # A rotation that maps -Z to the direction of gravity.
    other = np.cross(down, [0.31, 0.87, 0.11])
    other /= np.linalg.norm(other)
    turn = np.column_stack([np.cross(other, -down), other, -down])
    assert np.linalg.det(turn) == pytest.approx(1.0)
    parts = levels.square_hole(1.2, (4.0, -1.3))
    world, start = parts.world(), np.array([[1.0, 1.0, 0.0]])
    plain = ck.probe(world, start)
    shapes = world.batches[0].placed(np.broadcast_to(turn, (len(world), 3, 3)), np.zeros((len(world), 3)))
    result = ck.probe(shapes, start @ turn.T, gravity=gravity)
    assert [one.kind for one in result.findings] == [one.kind for one in plain.findings] == ["fall"]
    assert result.findings[0].measure == pytest.approx(plain.findings[0].measure, abs=1e-3)
    certified(shapes, result, gravity)


SQUARE = [[-3, -3, 0], [3, -3, 0], [3, 3, 0], [-3, 3, 0]]
FLOORS = {
    "half-space": lambda: ck.HalfSpaces([0, 0, 1], 0),
    "plane": lambda: ck.Planes([0, 0, -1], 0),
    "ellipsoid": lambda: ck.Ellipsoids([0, 0, -1], [2.5, 2.5, 1]),
    "cylinder": lambda: ck.Cylinders([0, 0, -1], [0, 0, 0], 3),
    "lying cylinder": lambda: ck.Cylinders([-3, 0, -3], [3, 0, -3], 3),
    "cone": lambda: ck.Cones([0, 0, -0.5], [0, 0, 0], 3),
    "sphere": lambda: ck.Spheres([0, 0, -4], 4),
    "capsule": lambda: ck.Capsules([-3, 0, -2], [3, 0, -2], 2),
    "triangle": lambda: ck.Triangles([[[-4, -4, 0], [6, 0, 0], [-4, 4, 0]]]),
    "mesh": lambda: ck.Meshes.from_triangles([(SQUARE, [[0, 1, 2], [0, 2, 3]])]),
    "hull": lambda: ck.Hulls.from_points([[[x, y, z] for x in (-3, 3) for y in (-3, 3) for z in (-1, 0)]]),
    "compound": lambda: ck.Assemblies([[ck.Boxes([0, 0, -1], [3, 3, 1])]]),
}


@pytest.mark.parametrize("kind", FLOORS)
def test_every_kind_of_shape_is_a_floor(kind):
    floor = FLOORS[kind]()
    result = ck.probe(floor, [[0.1, 0.2, 0.5]], spacing=0.5)
    assert len(result.poses) > 20
    certified(floor, result)
    # A pole beside the start is in the way.
    world = ck.World([floor, ck.Cylinders([0.8, 0.2, -5], [0.8, 0.2, 5], 0.1)])
    result = ck.probe(world, [[0.1, 0.2, 0.5]], spacing=0.5)
    certified(world, result)
    away = result.poses[:, :2] - (0.8, 0.2)
    assert np.hypot(*away.T).min() > 0.5 - 1e-5


def test_a_margin_makes_shapes_larger():
    floor = ck.World([ck.Boxes([0, 0, -1], [3, 3, 1])], margin=[0.25])
    result = ck.probe(floor, [[0, 0, 1]])
    assert result.floor[0, 2] == pytest.approx(0.25)
    certified(floor, result)


@pytest.mark.parametrize("seed", range(6))
def test_holes_wider_than_stated_are_found_wherever_they_are(seed):
    rng = np.random.default_rng(seed)
    for _ in range(4):
        spacing = rng.choice([0.2, 0.25, 0.5])
        at = rng.uniform(3.0, 4.5), rng.uniform(-1.35, -0.9)
        angle = rng.uniform(0.0, 360.0)
        width = ck.probe(levels.corridor().world(), [[1, 0, 0]], spacing=spacing).undetected_below
        assert WIDTH < width < 1.05 * WIDTH
        # A round hole: the most that a polygon of boxes leaves of a circle of this diameter.
        wide = levels.round_hole(1.001 * width, at)
        assert "fall" in kinds(probed(wide, angle, start=(1.0, 1.0, 0.0), spacing=spacing)[1])
        narrow = levels.round_hole(0.97 * WIDTH, at)
        assert "fall" not in kinds(probed(narrow, angle, start=(1.0, 1.0, 0.0), spacing=spacing)[1])


def test_a_floor_above_another_one():
    parts = levels.corridor().box("gallery", (3, -levels.SIDE, 2.2), (levels.LONG, levels.SIDE, 2.4))
    world = parts.world(30)
    starts = [turned(30) @ np.array(one) for one in ([1.0, 0.1, 0.0], [5.0, 0.1, 2.5])]
    result = ck.probe(world, starts)
    heights = {round(one, 6) for one in result.floor[:, 2].tolist()}
    assert heights == {0.0, 2.4}
    assert "fall" in [one.kind for one in result.findings]
    low = parts.box("ceiling", (4, -levels.SIDE, 1.7), (levels.LONG, levels.SIDE, 1.8)).world(30)
    reached = ck.probe(low, [turned(30) @ np.array([1.0, 0.1, 0.0])]).poses @ turned(30)
    assert reached[:, 0].max() < 4.0


def test_parts_that_only_fit_below_a_lintel_are_entered():
    # A door as high as the capsule, behind a step: lifted by a whole step, the capsule does not fit.
    parts = levels.corridor().box("lintel", (4, -levels.SIDE, 1.9), (4.2, levels.SIDE, 3))
    assert probed(parts, 30)[1] == []
    parts.box("sill", (3.9, -levels.SIDE, -0.5), (4.3, levels.SIDE, 0.09))
    assert probed(parts, 30)[1] == []
    parts.box("higher sill", (3.9, -levels.SIDE, -0.5), (4.3, levels.SIDE, 0.11))
    assert kinds(probed(parts, 30)[1]) == ["unreachable"]


def test_steps_tell_how_far_they_are_and_give_the_same_result():
    world = levels.pit(1.0).world(30)
    start = [turned(30) @ np.array([1.0, 0.1, 0.0])]
    going, shares = ck.probe_steps(world, start), []
    while True:
        try:
            shares.append(next(going))
        except StopIteration as done:
            result = done.value
            break
    assert shares[0] == 0.0 and shares[-1] == 1.0 and all(0.0 <= one <= 1.0 for one in shares)
    again = ck.probe(world, start)
    assert (result.poses == again.poses).all()
    assert [one.measure for one in result.findings] == [one.measure for one in again.findings]


def test_findings_do_not_depend_on_the_order_of_the_shapes():
    parts = levels.square_hole(1.2, (4.0, -1.3))
    world = parts.world(30)
    start = [turned(30) @ np.array([1.0, 1.0, 0.0])]
    order = np.random.default_rng(1).permutation(len(world))
    one, other = ck.probe(world, start), ck.probe(world.batches[0].take(order), start)
    assert len(one.poses) == len(other.poses)
    assert [each.kind for each in one.findings] == [each.kind for each in other.findings]
    rows = [tuple(sorted(order[list(each.shapes)].tolist())) for each in other.findings]
    assert rows == [each.shapes for each in one.findings]


@pytest.mark.parametrize("gravity", [(0.0, 0.0, -1.0), (0.3, -0.5, -0.8)])
def test_what_is_near_the_character_is_that_of_a_capsule_at_each_pose(gravity):
    down = np.array(gravity) / np.linalg.norm(gravity)
    other = np.cross(down, [0.31, 0.87, 0.11])
    other /= np.linalg.norm(other)
    turn = np.column_stack([np.cross(other, -down), other, -down])
    parts = levels.stairs(0.18, 0.28, 10)
    world = parts.world()
    shapes = world.batches[0].placed(np.broadcast_to(turn, (len(world), 3, 3)), np.zeros((len(world), 3)))
    result = ck.probe(shapes, np.array([[1.0, 1.0, 0.0]]) @ turn.T, gravity=gravity)
    near, up, radius = result.near(0.3), -down, result.character.radius
    assert len(near) < len(result.poses) / 2
    rng = np.random.default_rng(2)
    points = result.poses[rng.integers(0, len(result.poses), 400)] + 1.2 * rng.normal(size=(400, 3))
    rows = np.indices((len(near), 400)).reshape(2, -1).T
    least = ck.signed_distance(near, points, rows).reshape(len(near), -1).min(axis=0)
    # The segments of all poses, and between two of a row half a spacing beside them.
    start, tall = result.poses + radius * up, result.character.height - 2.0 * radius
    along = np.clip((points[:, None] - start[None]) @ up, 0.0, tall)
    away = np.linalg.norm(points[:, None] - start[None] - along[:, :, None] * up, axis=2).min(axis=1) - radius - 0.3
    outside = away > 0.0
    assert 50 < np.count_nonzero(outside) < 350
    assert (least <= away + 1e-9).all()
    assert (least >= away - 0.5 * result.spacing - 1e-9)[outside].all()
    with pytest.raises(ValueError, match="reach: "):
        result.near(-1.0)


def test_fewer_neighbors_reach_the_same_rooms():
    result = ck.probe(levels.stairs(0.18, 0.28, 10).world(30), [turned(30) @ np.array([1.0, 0.1, 0.0])], neighbors=4)
    assert result.findings == () and result.floor[:, 2].max() == pytest.approx(1.8)


FLOOR = ck.Boxes([0, 0, -1], [3, 3, 1])


@pytest.mark.parametrize(
    ("arguments", "options", "message"),
    [
        ((None, [[0, 0, 0]]), {}, "shapes: NoneType"),
        ((FLOOR, []), {}, "starts: "),
        ((FLOOR, [[0, 0]]), {}, "starts: "),
        ((FLOOR, [[0, 0, np.nan]]), {}, "starts: row 0 is not finite"),
        ((FLOOR, [[9, 0, 0]]), {}, "starts: row 0: there is no floor below it"),
        ((FLOOR, [[0, 0, 0], [0, 0, -3]]), {}, "starts: row 1: there is no floor below it"),
        ((FLOOR, [[0, 0, 0]], 3), {}, "character: int"),
        ((FLOOR, [[0, 0, 0]]), {"spacing": 0.0}, "spacing: 0"),
        ((FLOOR, [[0, 0, 0]]), {"spacing": 1e-6}, "spacing: 1e-06 is too small"),
        ((FLOOR, [[0, 0, 0]]), {"gravity": [0, 0, 0]}, "gravity: zero"),
        ((FLOOR, [[0, 0, 0]]), {"neighbors": 6}, "neighbors: 6"),
        ((FLOOR, [[0, 0, 0]]), {"margin": -1.0}, "margin: "),
        ((FLOOR, [[0, 0, 0]]), {"slope_margin": -1.0}, "slope_margin: "),
    ],
)
def test_bad_arguments_are_named(arguments, options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        ck.probe(*arguments, **options)


def _ramp(degrees):
    """A floor that falls off along x by an angle, through the origin."""
    run, rise = 4.0 * np.cos(np.radians(degrees)), 4.0 * np.sin(np.radians(degrees))
    corners = np.array([[-run, -4, rise], [run, -4, -rise], [run, 4, -rise], [-run, 4, rise]])
    return ck.Meshes.from_triangles([(corners, [[0, 1, 2], [0, 2, 3]])], solid=False)


@pytest.mark.parametrize(
    ("others", "start", "cause", "shape"),
    [
        # In a wall that is wider than the character, and in a narrow one.
        ([ck.Boxes([0, 0, 2], [1, 1, 2])], [0.2, 0.1, 1.0], "inside", 1),
        ([ck.Boxes([0, 0, 2], [1, 0.1, 2])], [0.2, 0.05, 1.0], "inside", 1),
        # In the air beside the floor, below it, and on a slope of 50 degrees.
        ([], [3.5, 0, 1], "air", -1),
        ([], [0, 0, -2.5], "air", -1),
        ([_ramp(50)], [0, 0, 0.0], "steep", 1),
        ([_ramp(50)], [-0.5, 0, 2.0], "steep", 1),
        # Below a ceiling at 1 m, and in a shaft.
        ([ck.Boxes([0, 0, 6], [3, 3, 5])], [0, 0, 0.5], "narrow", 0),
        ([ck.Boxes([[0.45, 0, 2], [-0.45, 0, 2]], [0.1, 3, 2])], [0, 0, 1], "narrow", 0),
    ],
)
@pytest.mark.parametrize("degrees", [0, 120])
def test_what_is_wrong_with_a_start_is_named(others, start, cause, shape, degrees):
    turn = turned(degrees)
    placed = [zoo.placed(one, turn, 1.0, np.zeros(3)) for one in (FLOOR, *others)]
    with pytest.raises(ck.NoStart) as caught:
        ck.probe(ck.World(placed), [turn @ start])
    assert (caught.value.row, caught.value.cause, caught.value.shape) == (0, cause, shape)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"radius": 0.0}, "radius: 0"),
        ({"radius": np.nan}, "radius: "),
        ({"height": 0.7}, "height: 0.7, but at least twice the radius"),
        ({"slope": 89.5}, "slope: 89.5"),
        ({"slope": np.nan}, "slope: "),
        ({"step": -0.1}, "step: "),
        ({"drop": -0.1}, "drop: "),
    ],
)
def test_bad_characters_are_named(options, message):
    with pytest.raises(ValueError, match=f"^{message}"):
        ck.Character(**options)
