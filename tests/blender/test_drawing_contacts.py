# SPDX-License-Identifier: GPL-3.0-or-later
"""Many contacts are drawn so that their normals do not cover each other, and a few as they are."""

from collections.abc import Iterator

import bpy
import numpy as np
import pytest

from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import handler
from collision_kit.addon.viewport.thinning import MOST_NORMALS, prominent


@pytest.mark.parametrize("seed", range(20))
def test_chosen_contacts_are_apart_and_each_other_one_is_near_a_deeper_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = random.normal(size=(300, 3)) * [1.0, 1.0, seed % 2]
    depths = random.integers(0, 5, 300) / 4.0 if seed % 3 else random.random(300)
    spacing = random.uniform(0.1, 1.0)
    chosen = prominent(points, depths, spacing)
    away = np.linalg.norm(points[:, None] - points[None, chosen], axis=2)
    assert np.count_nonzero(away[chosen] <= spacing) == chosen.sum(), "each is near itself alone"
    deeper = (away <= spacing) & (depths[None, chosen] >= depths[:, None])
    assert deeper.any(axis=1).all()
    assert depths[chosen].max() == depths.max()


def test_the_choice_does_not_depend_on_the_order_of_contacts() -> None:
    random = np.random.default_rng(1)
    points, depths, order = random.random((200, 3)), random.random(200), random.permutation(200)
    assert (prominent(points, depths, 0.2)[order] == prominent(points[order], depths[order], 0.2)).all()


def test_a_few_all_have_normals_and_of_many_at_one_place_one_has() -> None:
    place = np.zeros((MOST_NORMALS + 1, 3))
    assert prominent(place[1:], np.zeros(MOST_NORMALS), 1.0).all()
    depths = np.zeros(MOST_NORMALS + 1)
    depths[3] = 1.0
    assert prominent(place, depths, 1.0).nonzero()[0].tolist() == [3]
    assert prominent(place[:0], depths[:0], 1.0).tolist() == []


@pytest.fixture
def shown(scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Primitives]]:
    """The primitives that the viewport would show of a fine ball half in a floor, in the order of drawing."""
    drawn: list[Primitives] = []
    monkeypatch.setattr(handler, "set_primitives", lambda primitives, uid=0: drawn.append(primitives))
    bpy.ops.mesh.primitive_plane_add(size=8.0)
    bpy.context.object.collision_kit.shape = "HALF_SPACE"
    bpy.ops.mesh.primitive_uv_sphere_add(segments=64, ring_count=32)
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    yield drawn
    bpy.context.window_manager.collision_kit.explanation.every_arrow = False


def counts(primitives: Primitives) -> tuple[int, int, int]:
    """Return how many contacts are large points, small ones, and normals."""
    lines = np.count_nonzero(primitives.line_role == Role.NORMAL)
    large, small = (np.count_nonzero(primitives.point_role == role) for role in (Role.CONTACT, Role.NORMAL))
    return large, small, lines


def test_of_many_contacts_all_have_points_and_some_have_normals(shown: list[Primitives]) -> None:
    pair = last_check.report.pairs[0]
    large, small, normals = counts(shown[-1])
    assert large + small == len(pair.contact_points) > 500
    assert MOST_NORMALS < normals == large < 100
    drawn = shown[-1].points[np.isin(shown[-1].point_role, [Role.CONTACT, Role.NORMAL])]
    assert sorted(map(tuple, drawn)) == sorted(map(tuple, pair.contact_points))
    # The deepest is among those with a normal: it begins there.
    shafts = shown[-1].lines[shown[-1].line_role == Role.NORMAL][:, 0]
    assert np.isclose(shafts, pair.contact_points[pair.contact_depths.argmax()]).all(axis=1).any()
    bpy.context.window_manager.collision_kit.explanation.every_arrow = True
    assert counts(shown[-1]) == (large + small, 0, large + small)
    bpy.context.window_manager.collision_kit.explanation.contacts = False
    assert counts(shown[-1]) == (0, 0, 0)
    bpy.context.window_manager.collision_kit.explanation.contacts = True
