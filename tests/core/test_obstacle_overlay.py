# SPDX-License-Identifier: GPL-3.0-or-later
"""The obstacle is drawn where it is: its lines lie on the surface of A - B, whose support is that of A and of B."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull as Qhull

import collision_kit.core as ck
from collision_kit.addon.debug_draw import obstacle
from collision_kit.addon.debug_draw.obstacle import MOST_SUMS, obstacle_lines, obstacle_primitives
from collision_kit.addon.debug_draw.roles import Role
from tests.helpers import zoo
from tests.helpers.offline import slow

ROUND = {ck.Kind.SPHERE, ck.Kind.CAPSULE}
KINDS = (ck.Kind.SPHERE, ck.Kind.CAPSULE, ck.Kind.CYLINDER, ck.Kind.BOX, ck.Kind.TRIANGLE, ck.Kind.HULL)
DIRECTIONS = np.random.default_rng(1).normal(size=(400, 3))
DIRECTIONS /= np.linalg.norm(DIRECTIONS, axis=1, keepdims=True)


def reach(world: ck.World, row: int, direction: np.ndarray) -> np.ndarray:
    """Return how far a shape goes along unit directions (D, 3)."""
    shape = world.batches[world.batch[row]].take(world.slot[[row]])
    return np.array([zoo.support(shape, d[None])[0] for d in direction])


def worlds(seed: int) -> list[tuple[ck.World, ck.Kind, ck.Kind]]:
    rng = np.random.default_rng(seed)
    made = []
    for a in KINDS:
        for b in KINDS:
            made.append((ck.World([zoo.generic(a, rng, 1), zoo.generic(b, rng, 1)]), a, b))
    return made


@pytest.mark.parametrize("case", worlds(3), ids=lambda case: f"{case[1].name}-{case[2].name}")
def test_the_lines_lie_on_the_surface_of_the_difference(case: tuple[ck.World, ck.Kind, ck.Kind]) -> None:
    world, kind_a, kind_b = case
    points = obstacle_lines(world, 0, 1).reshape(-1, 3)
    size = np.ptp(points, axis=0).max()
    limit = reach(world, 0, DIRECTIONS) + reach(world, 1, -DIRECTIONS)
    along = points @ DIRECTIONS.T
    assert (along <= limit + 1e-5 * size).all(), "nothing is drawn outside"
    # A direction's farthest point of the surface may lie between the lines, and an inscribed circle falls short;
    # along the middle of every kind there are lines all the same.
    short = (limit - along.max(axis=0)) / size
    curved = ROUND & {kind_a, kind_b} or ck.Kind.CYLINDER in (kind_a, kind_b)
    assert short.max() < (0.2 if curved else 1e-5)
    assert np.median(short) < (0.03 if curved else 1e-5)


@pytest.mark.parametrize("seed", range(12))
def test_between_polytopes_it_is_the_edges_of_the_hull_of_all_differences(seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = (np.float32(rng.normal(size=(int(rng.integers(4, 9)), 3)) + rng.normal(size=3) * 5) for _ in range(2))
    world = ck.World([ck.Hulls.from_points([a, b])])
    lines = obstacle_lines(world, 0, 1)
    differences = (a.astype(float)[:, None] - b.astype(float)).reshape(-1, 3)
    theirs = Qhull(differences)
    drawn = {tuple(sorted(map(tuple, np.round(line, 4)))) for line in lines}
    # An edge of theirs is one of the surface if the two triangles beside it are not in one plane.
    expected = set()
    for triangle, neighbors, plane in zip(theirs.simplices, theirs.neighbors, theirs.equations, strict=True):
        for corner, neighbor in enumerate(neighbors):
            if np.linalg.norm(plane[:3] - theirs.equations[neighbor][:3]) > 1e-4:
                ends = np.delete(triangle, corner)
                expected.add(tuple(sorted(map(tuple, np.round(differences[ends], 4)))))
    assert sum(edge in drawn for edge in expected) >= 0.98 * len(expected)
    total = sum(np.linalg.norm(np.subtract(*edge)) for edge in expected)
    assert np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum() == pytest.approx(total, rel=1e-3)


@pytest.mark.parametrize("seed", [0, *slow(1, 2)])
def test_flat_shapes_segments_and_points_have_one_too(seed: int) -> None:
    rng = np.random.default_rng(seed)
    for a in KINDS:
        for b in KINDS:
            world = ck.World([zoo.degenerate(a, rng, 1), zoo.degenerate(b, rng, 1)])
            lines = obstacle_lines(world, 0, 1)
            assert np.isfinite(lines).all()
            limit = reach(world, 0, DIRECTIONS[:50]) + reach(world, 1, -DIRECTIONS[:50])
            size = 1.0 + np.abs(lines).max(initial=0.0)
            assert (lines.reshape(-1, 3) @ DIRECTIONS[:50].T <= limit + 1e-5 * size).all()


def test_two_boxes_make_a_box_and_two_balls_a_ball() -> None:
    boxes = ck.World([ck.Boxes([[0, 0, 0], [5, 1, 0]], [[1, 2, 3], [0.5, 0.5, 0.5]])])
    lines = obstacle_lines(boxes, 0, 1)
    assert len(lines) == 12
    assert lines.reshape(-1, 3).min(axis=0) == pytest.approx([-6.5, -3.5, -3.5])
    assert lines.reshape(-1, 3).max(axis=0) == pytest.approx([-3.5, 1.5, 3.5])
    balls = ck.World([ck.Spheres([[1, 0, 0], [0, 2, 0]], [0.5, 1.0])])
    radius = np.linalg.norm(obstacle_lines(balls, 0, 1) - [1, -2, 0], axis=2)
    assert radius == pytest.approx(1.5)


def test_a_ball_and_a_box_make_a_box_with_rounded_edges() -> None:
    world = ck.World([ck.Spheres([[0, 0, 0]], [0.5]), ck.Boxes([[0, 0, 0]], [[1, 1, 1]])])
    points = obstacle_lines(world, 0, 1).reshape(-1, 3)
    from_box = np.linalg.norm(np.maximum(np.abs(points) - 1.0, 0.0), axis=1)
    assert from_box == pytest.approx(0.5, abs=0.01)
    flat = {tuple(np.round(p, 5)) for p in points} & {(1.5, y, z) for y in (-1.0, 1.0) for z in (-1.0, 1.0)}
    assert len(flat) == 4


def test_far_from_the_origin_flat_faces_stay_whole() -> None:
    shift = np.array([1e3, -2e3, 5e2])
    world = ck.World(
        [
            ck.Boxes(
                [shift, shift + 1.0],
                [[1, 1, 1], [0.5, 1, 2]],
                zoo.rotations(np.random.default_rng(0), 1).repeat(2, axis=0),
            )
        ]
    )
    assert len(obstacle_lines(world, 0, 1)) == 12


@pytest.mark.parametrize("most", [1 << 18, MOST_SUMS])
def test_very_detailed_hulls_are_drawn_from_some_of_their_corners(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(0)
    ball = rng.normal(size=(2, 600, 3))
    ball /= np.linalg.norm(ball, axis=2, keepdims=True)
    monkeypatch.setattr(obstacle, "MOST_SUMS", most)
    assert 1 << 18 < 600 * 600 < MOST_SUMS
    world = ck.World([ck.Hulls.from_points(list(ball), translation=[[0, 0, 0], [9, 0, 0]])])
    radius = np.linalg.norm(obstacle_lines(world, 0, 1) - np.array([-9, 0, 0]), axis=2)
    assert radius.max() <= 2.0 + 1e-6
    assert radius.min() > 1.95


@pytest.mark.parametrize("unbounded", [ck.HalfSpaces([[0, 0, 1]], [0]), ck.Planes([[0, 0, 1]], [0])])
def test_what_has_no_end_is_refused(unbounded: object) -> None:
    world = ck.World([ck.Spheres([[0, 0, 0]], [1]), unbounded])  # type: ignore[list-item]
    for a, b in ((0, 1), (1, 0)):
        with pytest.raises(ValueError, match="row 1 is unbounded"):
            obstacle_lines(world, a, b)


@pytest.mark.parametrize("gap", [-0.5, 0.75, 0.0])
def test_the_origin_and_the_way_to_the_surface_are_drawn_from_the_offset(gap: float) -> None:
    world = ck.World([ck.Boxes([[0, 0, 0], [2.0 + gap, 0, 0]], [[1, 1, 1], [1, 1, 1]])])
    found = world.distance([[0, 1]])
    way, offset = (found.point_a - found.point_b)[0], np.array([2.0 + gap, 0.0, 0.0])
    shown = obstacle_primitives(
        world, np.array([[0, 1]]), way, float(found.distance[0]), offset=offset, head=0.1, label="here"
    )
    role = Role.DEPTH if gap < 0.0 else Role.GAP
    arrow = shown.lines[shown.line_role == role]
    assert len(arrow) == (0 if gap == 0.0 else 5)
    if gap:
        assert arrow[0] == pytest.approx(np.array([offset, offset + way]))
        # The way ends on the surface: around A, where B's center may come no nearer than 2.
        assert arrow[0, 1, 0] == pytest.approx(2.0)
    assert shown.points == pytest.approx(offset[None])
    assert shown.point_role.tolist() == [Role.ORIGIN]
    assert (shown.labels, shown.label_role.tolist()) == (("here",), [role])
    obstacle = shown.lines[shown.line_role == Role.OBSTACLE].reshape(-1, 3)
    assert obstacle.min(axis=0) == pytest.approx([-2, -2, -2])
    assert obstacle.max(axis=0) == pytest.approx([2, 2, 2])


def test_a_compound_has_the_obstacle_of_each_of_its_parts() -> None:
    world = ck.World([ck.Boxes([[0, 0, 0], [4, 0, 0], [0, 4, 0]], np.full((3, 3), 0.5))])
    shown = obstacle_primitives(
        world, np.array([[0, 2], [1, 2]]), np.array([0, -3.0, 0]), 3.0, offset=np.zeros(3), head=0.1
    )
    assert (shown.line_role == Role.OBSTACLE).sum() == 24
    assert not shown.labels
