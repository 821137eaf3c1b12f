# SPDX-License-Identifier: GPL-3.0-or-later
"""The explanation of a pair: rulers that carry the intervals, and features that lie on the shapes that they name."""

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

import collision_kit.core as ck
from collision_kit.addon.debug_draw.explanation import (
    axis_primitives,
    coplanar_primitives,
    crossing_primitives,
    pair_axes,
    patch_primitives,
)
from collision_kit.addon.debug_draw.features import feature_primitives
from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.debug_draw.ruler import offset_direction
from collision_kit.addon.debug_draw.shapes import shape_at
from tests.helpers.offline import slow

RNG = np.random.default_rng


def rotation(rng: np.random.Generator) -> np.ndarray:
    q, _ = np.linalg.qr(rng.normal(size=(3, 3)))
    return q * np.sign(np.linalg.det(q))


def shapes(rng: np.random.Generator) -> list:
    """One of each bounded convex kind, turned and placed at random."""
    start = rng.normal(size=(1, 3))
    return [
        ck.Spheres(rng.normal(size=(1, 3)), [rng.uniform(0.5, 1.0)]),
        ck.Capsules(start, start + rng.normal(size=(1, 3)), [rng.uniform(0.2, 0.5)]),
        ck.Cylinders(start, start + rng.normal(size=(1, 3)), [rng.uniform(0.2, 0.8)]),
        ck.Boxes(rng.normal(size=(1, 3)), rng.uniform(0.3, 1.0, (1, 3)), rotation(rng)[None]),
        ck.Triangles(rng.normal(size=(1, 3, 3))),
        ck.Hulls.from_points([rng.normal(size=(12, 3))], rng.normal(size=(1, 3)), rotation(rng)[None]),
    ]


def points_of(shown: Primitives, role: Role) -> np.ndarray:
    return np.concatenate(
        [
            shown.lines[shown.line_role == role].reshape(-1, 3),
            shown.points[shown.point_role == role],
            shown.triangles[shown.triangle_role == role].reshape(-1, 3),
        ]
    )


@pytest.mark.parametrize("most", [6, *slow(1000)])
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_bars_carry_the_intervals_and_lines_come_from_the_shapes(seed: int, most: int) -> None:
    rng = RNG(seed)
    kinds = shapes(rng)
    a, b = (kinds[i] for i in rng.integers(0, len(kinds), 2))
    world = ck.World([a, b])
    axes = pair_axes(world, 0, 1)
    assert axes is not None
    for which in rng.permutation(len(axes))[:most].tolist():
        shown = axis_primitives(world, 0, 1, axes, which, middle=np.zeros(3), size=1.0, label="gap")
        if axes.status[which]:
            assert Role.INTERVAL_A not in shown.line_role
            continue
        axis = axes.axis[which]
        low, high = (
            max(axes.interval_a[which, 0], axes.interval_b[which, 0]),
            min(axes.interval_a[which, 1], axes.interval_b[which, 1]),
        )
        for role, interval in (
            (Role.INTERVAL_A, axes.interval_a[which]),
            (Role.INTERVAL_B, axes.interval_b[which]),
        ):
            bar = shown.lines[shown.line_role == role] @ axis
            # What reaches far beyond the other is cut off.
            expected = np.clip(interval, min(low, high) - 1.5, max(low, high) + 1.5)
            assert [bar.min(), bar.max()] == pytest.approx(expected, abs=1e-9)
        gap = axes.gap[which]
        stretch = shown.lines[shown.line_role == (Role.DEPTH if gap < 0.0 else Role.GAP)]
        assert len(stretch) == (gap != 0.0)
        assert np.abs((stretch[:, 1] - stretch[:, 0]) @ axis).sum() == pytest.approx(abs(gap), abs=1e-9)
        # Thin lines run across the axis, from points of the shapes.
        thin = shown.lines[shown.line_role == Role.RULER]
        assert (thin[:, 1] - thin[:, 0]) @ axis == pytest.approx(np.zeros(len(thin)), abs=1e-9)
        feet = ck.Spheres(thin[:, 0], np.zeros(len(thin)))
        nearest = np.minimum(*(np.abs(ck.distance(shape, feet).distance) for shape in (a, b)))
        assert nearest == pytest.approx(np.zeros(len(thin)), abs=1e-7)
        assert shown.labels == (("gap",) if gap != 0.0 else ())


@pytest.mark.parametrize("most", [6, *slow(1000)])
@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1))
def test_features_of_a_face_axis_lie_in_the_plane_that_supports_the_shape(seed: int, most: int) -> None:
    rng = RNG(seed)
    kinds = shapes(rng)
    a, b = (kinds[i] for i in rng.integers(0, len(kinds), 2))
    world = ck.World([a, b])
    axes = pair_axes(world, 0, 1)
    assert axes is not None
    tested = np.flatnonzero(axes.status == ck.AxisStatus.TESTED)
    for which in rng.permutation(tested)[:most]:
        shown = axis_primitives(world, 0, 1, axes, int(which), middle=np.zeros(3), size=1.0, label="")
        for role, source, reach, shape in (
            (Role.FEATURE_A, ck.AxisSource.FACE_A, axes.interval_a[which, 1], a),
            (Role.FEATURE_B, ck.AxisSource.FACE_B, axes.interval_b[which, 0], b),
        ):
            points = points_of(shown, role)
            feature = axes.feature_a[which] if role == Role.FEATURE_A else axes.feature_b[which]
            if axes.source[which] == source and feature[0] == ck.FeatureKind.FACE:
                assert len(points)
                assert points @ axes.axis[which] == pytest.approx(np.full(len(points), reach), abs=1e-9)
            if len(points):
                # A capsule's segment and a cylinder's axis lie inside, all else on the surface.
                assert (ck.distance(shape, ck.Spheres(points, np.zeros(len(points)))).distance <= 1e-7).all()


@settings(deadline=None, max_examples=25)
@given(st.integers(0, 2**32 - 1))
def test_of_two_boxes_the_edges_shown_are_those_that_face_each_other(seed: int) -> None:
    rng = RNG(seed)
    half = rng.uniform(0.3, 1.0, (2, 1, 3))
    a, b = (ck.Boxes(rng.normal(size=(1, 3)), half[k], rotation(rng)[None]) for k in range(2))
    world = ck.World([a, b])
    axes = pair_axes(world, 0, 1)
    assert axes is not None
    for which in np.flatnonzero((axes.source == ck.AxisSource.EDGES) & (axes.status == ck.AxisStatus.TESTED)):
        shown = axis_primitives(world, 0, 1, axes, int(which), middle=np.zeros(3), size=1.0, label="")
        for role, reach in ((Role.FEATURE_A, axes.interval_a[which, 1]), (Role.FEATURE_B, axes.interval_b[which, 0])):
            assert points_of(shown, role) @ axes.axis[which] == pytest.approx([reach, reach], abs=1e-9)


def test_a_half_space_is_shown_where_the_pair_is() -> None:
    floor = ck.HalfSpaces([[0.0, 0.0, 1.0]], [0.5])
    world = ck.World([ck.Boxes([[40.0, 0.0, 1.0]], [[1.0, 1.0, 1.0]]), floor])
    axes = pair_axes(world, 0, 1)
    assert axes is not None and len(axes) == 1
    shown = axis_primitives(world, 0, 1, axes, 0, middle=np.array([40.0, 0.0, 0.25]), size=2.0, label="overlap")
    patch = points_of(shown, Role.FEATURE_B)
    assert patch[:, 2] == pytest.approx(np.full(len(patch), 0.5))
    assert np.abs(patch[:, :2] - (40.0, 0.0)).max() == pytest.approx(2.0)
    # It goes on for ever: the bar ends in an arrow, which no thin line meets.
    assert np.isfinite(shown.lines).all()
    assert np.count_nonzero(shown.line_role == Role.RULER) == 3


@pytest.mark.parametrize("axis", [[0, 0, 1], [0, 0, -1], [1, 0, 0], [0.6, 0.0, 0.8], [0.6, 0.8, 0.0]])
def test_a_ruler_stands_off_at_right_angles(axis: list[float]) -> None:
    away = offset_direction(np.array(axis, float))
    assert np.linalg.norm(away) == pytest.approx(1.0)
    assert away @ axis == pytest.approx(0.0, abs=1e-12)


def test_a_cylinder_shows_its_caps_its_rims_and_its_side() -> None:
    cylinder = ck.Cylinders([[0, 0, -1]], [[0, 0, 2]], [0.5])
    show = {"focus": np.zeros(3), "size": 1.0}
    for index, height in ((0, -1.0), (1, 2.0)):
        cap = feature_primitives(cylinder, np.array([ck.FeatureKind.FACE, index]), Role.FEATURE_A, **show)
        rim = feature_primitives(cylinder, np.array([ck.FeatureKind.EDGE, index]), Role.FEATURE_A, **show)
        assert len(cap.triangles) and not len(rim.triangles)
        for points in (points_of(cap, Role.FEATURE_A), points_of(rim, Role.FEATURE_A)):
            assert points[:, 2] == pytest.approx(np.full(len(points), height))
            assert np.hypot(*points[:, :2].T) == pytest.approx(np.full(len(points), 0.5))
    side = feature_primitives(cylinder, np.array([ck.FeatureKind.EDGE, 2]), Role.FEATURE_A, **show)
    assert side.lines.tolist() == [[[0, 0, -1], [0, 0, 2]]]


def test_a_feature_that_names_nothing_shows_nothing() -> None:
    ball = ck.Spheres([[0, 0, 0]], [1.0])
    for feature in ([-1, -1], [ck.FeatureKind.FACE, 0]):
        shown = feature_primitives(ball, np.array(feature), Role.FEATURE_A, focus=np.zeros(3), size=1.0)
        assert not (len(shown.lines) + len(shown.points) + len(shown.triangles))


@settings(deadline=None, max_examples=50)
@given(st.integers(0, 2**32 - 1), st.integers(3, 8))
def test_a_patch_covers_what_contacts_span(seed: int, count: int) -> None:
    rng = RNG(seed)
    angle = np.sort(rng.uniform(0.0, 2.0 * np.pi, count))
    ring = np.stack([np.cos(angle), np.sin(angle), np.zeros(count)], axis=1)
    turn = rotation(rng)
    # Some are inside, and above or below: what they span is the outline around all of them.
    inside = rng.dirichlet(np.ones(count), rng.integers(0, 20)) @ ring + rng.normal(size=(1, 1)) * [0.0, 0.0, 1.0]
    points = rng.permutation(np.concatenate([ring, inside])) @ turn.T
    shown = patch_primitives(points, turn[:, 2])
    sides = shown.triangles[:, 1:] - shown.triangles[:, :1]
    area = np.linalg.norm(np.cross(sides[:, 0], sides[:, 1]), axis=1).sum() / 2.0
    following = np.roll(ring, -1, axis=0)
    expected = abs((ring[:, 0] * following[:, 1] - ring[:, 1] * following[:, 0]).sum()) / 2.0
    assert area == pytest.approx(expected, abs=1e-12)
    assert len(shown.lines) == count


def test_two_contacts_are_a_line_and_one_is_nothing() -> None:
    two = patch_primitives(np.array([[0.0, 0, 0], [1, 0, 0]]), np.array([0.0, 0, 1]))
    assert two.lines.tolist() == [[[0, 0, 0], [1, 0, 0]]] and not len(two.triangles)
    assert not len(patch_primitives(np.zeros((1, 3)), np.array([0.0, 0, 1])).lines)


def test_crossing_lines_lie_on_both_surfaces() -> None:
    rng = RNG(4)
    world = ck.World(
        [
            ck.Boxes([[0, 0, 0]], [[1, 1, 1]], rotation(rng)[None]),
            ck.Hulls.from_points([rng.normal(size=(20, 3))]),
        ]
    )
    ends = crossing_primitives(world, 0, 1).lines.reshape(-1, 3)
    assert len(ends)
    specks = ck.Spheres(ends, np.zeros(len(ends)))
    for row in range(2):
        # On the surface of a convex shape: neither inside nor outside.
        distance = ck.distance(shape_at(world, row), specks).distance
        assert distance == pytest.approx(np.zeros(len(ends)), abs=1e-9)


def test_round_shapes_have_no_crossing_lines() -> None:
    world = ck.World([ck.Boxes([[0, 0, 0]], [[1, 1, 1]]), ck.Spheres([[1, 0, 0]], [0.5])])
    assert not len(crossing_primitives(world, 0, 1).lines)


def test_what_is_not_convex_has_no_axes() -> None:
    mesh = ck.Meshes.from_triangles([(np.eye(3), [[0, 1, 2]])])
    world = ck.World([mesh, ck.Boxes([[0, 0, 0]], [[1, 1, 1]])])
    assert pair_axes(world, 0, 1) is None


def cells(filled: np.ndarray, size: float, place: np.ndarray, turn: np.ndarray, rng: np.random.Generator) -> ck.Meshes:
    """A sheet of the filled cells of a grid, each of two triangles that look along the third axis of the frame."""
    corners = []
    for x, y in np.argwhere(filled).tolist():
        square = np.array([(x, y, 0), (x + 1, y, 0), (x + 1, y + 1, 0), (x, y + 1, 0)]) * size
        square = np.roll(square, rng.integers(0, 2), axis=0)
        corners += [square[[0, 1, 2]], square[[0, 2, 3]]]
    points = np.concatenate(corners) @ turn.T + place
    return ck.Meshes.from_triangles([(points, np.arange(len(points)).reshape(-1, 3))])


def lengths(lines: np.ndarray) -> float:
    return float(np.linalg.norm(lines[:, 1] - lines[:, 0], axis=1).sum())


@settings(deadline=None, max_examples=40)
@given(seed=st.integers(0, 2**32 - 1), far=st.sampled_from([0.0, 1e3]), size=st.sampled_from([0.01, 1.0, 40.0]))
@example(seed=38287, far=1000.0, size=0.01)  # two sides on one line, on both sides of a half of the last decimal
def test_coplanar_faces_have_one_border_however_they_are_divided(seed: int, far: float, size: float) -> None:
    rng = RNG(seed)
    turn, place = (np.eye(3) if rng.random() < 0.5 else rotation(rng)), far * rng.normal(size=3)
    filled = rng.random((5, 6)) < 0.6
    filled[2, 2] = True
    sheet = cells(filled, size, place, turn, rng)
    # A sheet of other cells, which covers the first and is shifted by no multiple of either.
    other = 0.83 * size
    ground = cells(np.ones((12, 12), np.bool_), other, place + turn @ [-1.37 * other, -1.61 * other, 0.0], turn, rng)
    found = ck.coplanar_faces(sheet, ground, tolerance=1e-9 * max(size, far))
    assert found.area.sum() == pytest.approx(filled.sum() * size**2, rel=1e-6)
    shown = coplanar_primitives(found)
    framed = np.pad(filled, 1)
    exposed = sum(int((framed & ~np.roll(framed, step, axis)).sum()) for step in (1, -1) for axis in (0, 1))
    assert lengths(shown.lines) == pytest.approx(exposed * size, rel=1e-5)
    # Each part of the border has a filled cell on one side alone.
    middle = (shown.lines.mean(axis=1) - place) @ turn / size
    along = (shown.lines[:, 1] - shown.lines[:, 0]) @ turn
    across = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    beside = [np.floor(middle[:, :2] + way * across).astype(int) + 1 for way in (0.1, -0.1)]
    first, second = (framed[tuple(np.clip(one, 0, [[6, 7]]).T)] for one in beside)
    assert (first != second).all()


def test_faces_on_both_sides_of_an_edge_keep_the_edge() -> None:
    box = ck.Boxes([[0.0, 0.0, 0.0]], [[1.0, 1.0, 1.0]])
    in_corner = ck.Boxes([[0.5, 0.5, 0.0]], [[0.5, 0.5, 0.25]])
    shown = coplanar_primitives(ck.coplanar_faces(box, in_corner, tolerance=1e-9))
    # Two rectangles of 1 by 0.5, which meet in an edge that both have.
    assert lengths(shown.lines) == pytest.approx(6.0)


def test_no_coplanar_faces_draw_nothing() -> None:
    box = ck.Boxes([[0.0, 0.0, 0.0], [5.0, 0.0, 0.0]], [[1.0, 1.0, 1.0]] * 2)
    shown = coplanar_primitives(ck.coplanar_faces(box, box, [[0, 1]], tolerance=1e-9))
    assert not len(shown.lines) and not len(shown.triangles)
