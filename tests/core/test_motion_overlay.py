# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing of a first contact: both bodies as they touch, the normal, and the way of the point of contact."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon.debug_draw.motion import MOST_PARTS, contact_primitives, path_primitives
from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.debug_draw.roles import Role


def lines(primitives: Primitives, role: Role) -> np.ndarray:
    return primitives.lines[primitives.line_role == role]


def points(primitives: Primitives, role: Role) -> np.ndarray:
    return primitives.points[primitives.point_role == role]


def touching() -> ck.World:
    """A box of two parts, a ball that touches one of them at the origin, and a floor."""
    return ck.World(
        [
            ck.Boxes([[-1.0, 0.0, 0.0], [-1.0, 5.0, 0.0]], [[1.0, 1.0, 1.0], [1.0, 1.0, 1.0]]),
            ck.Spheres([[0.5, 0.0, 0.0]], [0.5]),
            ck.HalfSpaces([[0.0, 0.0, 1.0]], [-9.0]),
        ]
    )


def drawn(rows_a: list[int], rows_b: list[int], **options: object) -> Primitives:
    given = {"point": np.zeros(3), "normal": np.array([1.0, 0.0, 0.0]), "length": 2.0, "size": 3.0} | options
    return contact_primitives(touching(), np.array(rows_a), np.array(rows_b), **given)


def test_each_body_is_drawn_in_its_role_with_all_its_parts() -> None:
    primitives = drawn([0, 1], [2])
    box, ball = lines(primitives, Role.SHAPE_A).reshape(-1, 3), lines(primitives, Role.SHAPE_B).reshape(-1, 3)
    np.testing.assert_allclose([box.min(axis=0), box.max(axis=0)], [[-2, -1, -1], [0, 6, 1]])
    np.testing.assert_allclose(np.linalg.norm(ball - [0.5, 0.0, 0.0], axis=1), 0.5)
    assert len(lines(primitives, Role.SHAPE_A)) == 24


def test_of_very_many_parts_only_the_first_are_drawn() -> None:
    count = MOST_PARTS + 10
    center = np.c_[np.arange(count) * 3.0, np.zeros((count, 2))]
    world = ck.World([ck.Boxes(center, np.ones((count, 3)))])
    primitives = contact_primitives(
        world, np.arange(count), np.arange(0), point=np.zeros(3), normal=np.eye(3)[0], length=1.0, size=1.0
    )
    box = lines(primitives, Role.SHAPE_A)
    assert len(box) == 12 * MOST_PARTS
    assert box[..., 0].max() == 3.0 * (MOST_PARTS - 1) + 1.0


def test_an_unbounded_body_is_drawn_around_the_point() -> None:
    floor = lines(drawn([3], [2], point=np.array([7.0, 8.0, 0.0])), Role.SHAPE_A)[:-5].reshape(-1, 3)
    np.testing.assert_allclose(floor[:, 2], -9.0)
    np.testing.assert_allclose(np.ptp(floor[:, :2], axis=0).max(), 6.0)
    np.testing.assert_allclose((floor.min(axis=0) + floor.max(axis=0))[:2] / 2.0, [7.0, 8.0])


def test_the_normal_starts_at_the_point_and_the_label_is_at_its_tip() -> None:
    normal = np.array([0.6, 0.0, -0.8])
    primitives = drawn([0], [2], normal=normal, point=np.array([1.0, 2.0, 3.0]), label="Frame 12.345")
    shaft = lines(primitives, Role.NORMAL)[0]
    np.testing.assert_allclose(shaft, [[1.0, 2.0, 3.0], [2.2, 2.0, 1.4]])
    np.testing.assert_allclose(points(primitives, Role.CONTACT), [[1.0, 2.0, 3.0]])
    np.testing.assert_allclose(primitives.label_at, [[2.2, 2.0, 1.4]])
    np.testing.assert_allclose(primitives.label_away, [[1.0, 2.0, 3.0]], err_msg="it covers neither point nor path")
    assert primitives.labels == ("Frame 12.345",)
    assert drawn([0], [2]).labels == ()


def path(*frames: float) -> np.ndarray:
    frame = np.array(frames)
    return np.c_[frame, frame * 10.0, frame**2, -frame]


def test_the_path_goes_from_place_to_place_and_has_a_dot_in_each_whole_frame() -> None:
    way = path(4.25, 5.0, 5.5, 6.0, 6.75)
    primitives = path_primitives(way)
    np.testing.assert_array_equal(lines(primitives, Role.PATH), np.stack([way[:-1, 1:], way[1:, 1:]], axis=1))
    np.testing.assert_array_equal(points(primitives, Role.PATH), way[[1, 3], 1:])
    assert len(primitives.points) == 2


def test_the_path_breaks_off_where_the_bodies_have_parted() -> None:
    way = path(-1.0, 0.0, 0.5, 3.0, 4.0)
    primitives = path_primitives(way)
    np.testing.assert_array_equal(
        lines(primitives, Role.PATH), np.stack([way[[0, 1, 3], 1:], way[[1, 2, 4], 1:]], axis=1)
    )


@pytest.mark.parametrize(("deepest", "row"), [(5.0, 1), (5.4, 2), (99.0, 3), (-99.0, 0)])
def test_the_deepest_place_is_marked(deepest: float, row: int) -> None:
    way = path(4.25, 5.0, 5.5, 6.0)
    np.testing.assert_array_equal(points(path_primitives(way, deepest), Role.DEPTH), way[[row], 1:])


def test_a_moment_has_a_place_and_no_way() -> None:
    primitives = path_primitives(path(3.0), 3.0)
    assert len(primitives.lines) == 0
    assert len(points(primitives, Role.PATH)) == 1
    assert len(points(primitives, Role.DEPTH)) == 1
    assert len(path_primitives(np.empty((0, 4)), 3.0).points) == 0
