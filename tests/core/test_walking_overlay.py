# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing of a walk: floors as few quads that cover the columns, poses, and the way."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon.debug_draw import walking
from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.debug_draw.roles import Role
from tests.helpers import probe_levels as levels

DOWN = np.array([0.0, 0.0, -1.0])


def floor(places: np.ndarray, normal: np.ndarray, spacing: float, gravity: np.ndarray = DOWN) -> np.ndarray:
    """The triangles of a floor, all of which have its role."""
    drawn = walking.floor_primitives(places, normal, spacing, gravity, Role.REACHED)
    assert (drawn.triangle_role == Role.REACHED).all()
    return drawn.triangles


def area(triangles: np.ndarray, gravity: np.ndarray = DOWN) -> float:
    """The area as seen along gravity."""
    sides = triangles[:, 1:] - triangles[:, :1]
    return float(0.5 * np.abs(np.cross(sides[:, 0], sides[:, 1]) @ gravity).sum())


def turned_to(gravity: np.ndarray) -> np.ndarray:
    """Axes, as rows, of which the third is against gravity: those of the grid that is drawn."""
    return ck.walking.ground.Frame.of(gravity, np.zeros(3)).rotation


@pytest.mark.parametrize("gravity", [DOWN, np.array([0.6, 0.0, -0.8]), np.array([0.0, 0.0, 1.0])])
@pytest.mark.parametrize("seed", range(4))
def test_quads_cover_each_column_once_at_the_height_of_its_plane(seed: int, gravity: np.ndarray) -> None:
    rng = np.random.default_rng(seed)
    spacing = float(rng.choice([0.1, 0.25, 0.5]))
    column = np.argwhere(rng.random((14, 9)) < 0.7) - (5, 3)
    # Three floors: level, a slope, and rough ground whose normals are all different.
    normals = [[0.0, 0.0, 1.0], [0.3, -0.1, 0.9], *np.add(rng.normal(0.0, 0.2, (len(column), 3)), (0.0, 0.0, 1.0))]
    normals = [one / np.linalg.norm(one) for one in normals]
    rotation, shift = turned_to(gravity), rng.uniform(-9.0, 9.0, 3)
    for kind in range(3):
        normal = np.array(normals[2:] if kind == 2 else [normals[kind]] * len(column))
        local = np.column_stack([column * spacing, np.zeros(len(column))])
        if kind < 2:
            local[:, 2] = 2.0 - (local[:, :2] * normal[:, :2]).sum(axis=1) / normal[:, 2]
        else:
            local[:, 2] = rng.uniform(0.0, 1.0, len(column))
        triangles = floor(local @ rotation + shift, normal @ rotation, spacing, gravity)
        assert area(triangles, gravity) == pytest.approx(len(column) * spacing**2)
        back = (triangles - shift) @ rotation.T
        low, high = back[..., :2].min(axis=(0, 1)), back[..., :2].max(axis=(0, 1))
        np.testing.assert_allclose(low, (column.min(axis=0) - 0.5) * spacing, atol=1e-9)
        np.testing.assert_allclose(high, (column.max(axis=0) + 0.5) * spacing, atol=1e-9)
        # The middle of each square lies in a triangle, at its height.
        for place in local:
            sides = np.concatenate([back, back[:, :1]], axis=1)[..., :2]
            along, away = np.diff(sides, axis=1), place[:2] - sides[:, :3]
            turn = along[..., 0] * away[..., 1] - along[..., 1] * away[..., 0]
            over = back[(turn >= -1e-9).all(axis=1) | (turn <= 1e-9).all(axis=1)]
            assert len(over)
            planes = np.cross(over[:, 1] - over[:, 0], over[:, 2] - over[:, 0])
            np.testing.assert_allclose(((place - over[:, 0]) * planes).sum(axis=1), 0.0, atol=1e-9)


def test_a_level_floor_is_a_quad_for_each_row_and_floors_above_each_other_stay_apart() -> None:
    x, y = (each.ravel() for each in np.meshgrid(np.arange(40), np.arange(30)))
    plate = np.column_stack([x, y, np.zeros(len(x))]) * 0.25
    both = np.concatenate([plate, np.add(plate, (0.0, 0.0, 3.0))])
    triangles = floor(both, np.tile([0.0, 0.0, 1.0], (len(both), 1)), 0.25)
    assert len(triangles) == 2 * 2 * 30
    assert set(np.round(triangles[..., 2], 9).ravel().tolist()) == {0.0, 3.0}


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(walking, "MOST_QUADS", 100)
    rng = np.random.default_rng(1)
    x, y = (each.ravel() for each in np.meshgrid(np.arange(64), np.arange(64)))
    places = np.column_stack([x * 0.5, y * 0.5, rng.uniform(0.0, 1.0, len(x))])
    triangles = floor(places, np.tile([0.0, 0.0, 1.0], (len(places), 1)), 0.5)
    assert len(triangles) <= 200
    assert area(triangles) == pytest.approx(64 * 64 * 0.25)


def test_nothing_is_drawn_of_nothing() -> None:
    assert len(floor(np.empty((0, 3)), np.empty((0, 3)), 0.25)) == 0


@pytest.mark.parametrize("angle", [0, 40])
def test_the_drawn_floor_is_that_of_the_level(angle: float) -> None:
    turn = levels.turned(angle)
    result = ck.probe(levels.ramp(30.0).world(angle), [turn @ np.array([1.0, 0.1, 0.0])])
    over = result.over_ground
    triangles = floor(result.ground[over], result.normal[over], result.spacing)
    assert area(triangles) == pytest.approx(result.reached_area)
    middle = triangles.mean(axis=1)
    assert middle[:, 2].min() > -0.2 and middle[:, 2].max() < 1.7
    pit = ck.probe(levels.pit(1.0).world(angle), [turn @ np.array([1.0, 0.1, 0.0])])
    (stuck,) = pit.findings
    assert len(stuck.ground) * pit.spacing**2 == pytest.approx(stuck.area)
    np.testing.assert_allclose(stuck.ground[:, 2], -1.0, atol=1e-6)
    slot = ck.probe(levels.slot(1.0).world(angle), [turn @ np.array([1.0, 0.1, 0.0])])
    unreached = next(one for one in slot.findings if one.kind == "unreachable")
    assert len(unreached.ground) * slot.spacing**2 == pytest.approx(unreached.area)
    assert (unreached.ground @ turn)[:, 0].min() >= 5.0 - 1e-9
    assert all(len(one.ground) == 0 for one in slot.findings if one.kind == "fall")


def reach(drawn: Primitives, foot: np.ndarray, axis: np.ndarray) -> tuple[float, float, float]:
    """Return how far lines reach along an axis from a point, and how far aside of it."""
    away = drawn.lines.reshape(-1, 3) - foot
    along = away @ axis
    return float(along.min()), float(along.max()), float(np.linalg.norm(away - along[:, None] * axis, axis=1).max())


@pytest.mark.parametrize("height", [1.8, 0.8])
def test_a_pose_is_the_character_on_its_lowest_point(height: float) -> None:
    foot, gravity = np.array([1.0, 2.0, 3.0]), np.array([0.6, 0.0, -0.8])
    drawn = walking.pose_primitives(foot, 0.4, height, gravity, Role.START)
    assert (drawn.line_role == Role.START).all()
    low, high, aside = reach(drawn, foot, -gravity)
    assert (low, high, aside) == pytest.approx((0.0, height, 0.4), abs=2e-3)


def test_the_way_leads_through_its_points() -> None:
    points = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [1.0, 1.0, 0.5]])
    drawn = walking.way_primitives(points)
    assert drawn.lines.tolist() == [points[:2].tolist(), points[1:].tolist()]
    assert (drawn.line_role == Role.PATH).all()
