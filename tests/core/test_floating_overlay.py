# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing of floating bodies: their edges, and the way down to what is below them."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon.debug_draw.floating import (
    ARROW,
    MOST_PARTS,
    MOST_TRIANGLES,
    filled_primitives,
    gap_primitives,
    outline_primitives,
    way_down_primitives,
)
from collision_kit.addon.debug_draw.roles import Role

DOWN = np.array([0.0, 0.0, -1.0])


def boxes(count: int) -> ck.World:
    return ck.World([ck.Boxes(np.c_[3.0 * np.arange(count), np.zeros((count, 2))], np.ones((count, 3)))])


def test_the_given_bodies_are_drawn_and_no_others() -> None:
    drawn = outline_primitives(boxes(3), np.array([0, 2]))
    assert set(drawn.line_role) == {Role.FLOATING} and not len(drawn.triangles)
    assert len(drawn.lines) == 2 * 12
    assert (np.abs(drawn.lines[..., 0] - 3.0) > 1.5).all(), "the one in the middle is not"
    many = outline_primitives(boxes(MOST_PARTS + 5), np.arange(MOST_PARTS + 5))
    assert len(many.lines) == 12 * MOST_PARTS


def test_a_filled_body_is_closed_unless_it_has_very_many_triangles() -> None:
    filled = filled_primitives(boxes(3), np.array([1]))
    assert set(filled.triangle_role) == {Role.FLOATING}
    a, b, c = filled.triangles.transpose(1, 0, 2) - [3.0, 0.0, 0.0]
    assert np.einsum("ti,ti->t", a, np.cross(b, c)).sum() / 6.0 == pytest.approx(8.0)
    side = np.linspace(0.0, 1.0, 40)
    points = np.stack([*np.meshgrid(side, side), np.zeros((40, 40))], axis=2).reshape(-1, 3)
    corner = (np.arange(39)[:, None] * 40 + np.arange(39)).reshape(-1, 1, 1)
    faces = (corner + np.array([[0, 1, 41], [0, 41, 40]])).reshape(-1, 3)
    assert len(faces) > MOST_TRIANGLES
    grid = ck.World([ck.Meshes.from_triangles([(points, faces)])])
    assert not len(filled_primitives(grid, np.array([0])).triangles)


@pytest.mark.parametrize("seed", range(5))
def test_the_way_down_joins_both_places_and_its_text_is_between_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    places = rng.normal(size=(2, 3))
    drawn = way_down_primitives(places, rng.normal(size=3), DOWN, size=2.0, label="120 mm above Floor")
    np.testing.assert_array_equal(drawn.lines, places[None])
    np.testing.assert_array_equal(drawn.points, places)
    assert {*drawn.line_role, *drawn.point_role, *drawn.label_role} == {Role.GAP}
    np.testing.assert_allclose(drawn.label_at, [(places[0] + places[1]) / 2.0])
    assert drawn.labels == ("120 mm above Floor",)


def test_an_arrow_points_down_where_nothing_is_below() -> None:
    lowest = np.array([1.0, 2.0, 3.0])
    drawn = way_down_primitives(np.full((2, 3), np.nan), lowest, DOWN, size=2.0, label="nothing below")
    shaft = drawn.lines[0]
    np.testing.assert_allclose(shaft, [lowest, lowest + 2.0 * ARROW * DOWN])
    assert np.isfinite(drawn.lines).all() and len(drawn.lines) == 5
    assert drawn.labels == ("nothing below",)
    assert drawn.label_at[0, 2] < 3.0


def test_a_gap_has_a_line_and_a_text_only_if_there_is_one() -> None:
    drawn = gap_primitives(np.array([[0.0, 0.0, 0.0], [0.0, 0.0, 1.0]]), label="")
    assert len(drawn.lines) == 1 and drawn.labels == ()
