# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes, boxes with bevels, and colliders around vertex groups."""

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.core.shapes import Meshes
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, mesh, read, world_vertices
from tests.helpers.blender.colliders_scene import PLACES, build, make, select

pytestmark = pytest.mark.usefixtures("scene")

PLANES = {"KDOP10": 10, "KDOP18": 18, "KDOP26": 26}


@pytest.mark.parametrize("place", ["plain", "uneven", "mirrored", "sheared"])
@pytest.mark.parametrize("kind", PLANES)
def test_a_dop_touches_its_mesh_along_each_of_its_directions(kind: str, place: str) -> None:
    ob = build(place, mesh(np.random.default_rng(3).normal(size=(400, 3)).tolist(), [(0, 1, 2), (0, 2, 3)]))
    points = world_vertices(ob)
    (made,) = make(kind, engine="UNREAL")
    hull = api.collider_quality(made)
    corners = world_vertices(made)
    to_world = made.matrix_world.to_3x3().inverted().transposed()
    faces = {tuple(np.round((to_world @ one.normal).normalized(), 4)) for one in large(made)}
    # A bevel that cuts nothing off is no face, so there are no more than these.
    assert 6 < len(faces) <= PLANES[kind]
    slack = 1e-5 * np.abs(points).max()
    for normal in faces:
        way = np.array(normal) / np.linalg.norm(normal)
        assert abs((corners @ way).max() - (points @ way).max()) <= 40.0 * slack
    assert hull is not None and hull.protrusion <= slack
    if place == "plain":
        box = api.collider_quality(make_again(ob, "BOX"))
        assert 1.0 <= hull.hull_ratio < box.hull_ratio


def large(ob: bpy.types.Object) -> list[bpy.types.MeshPolygon]:
    """The faces that are no slivers, whose normals float32 does not tell."""
    most = max(one.area for one in ob.data.polygons)
    return [one for one in ob.data.polygons if one.area > 1e-3 * most]


def make_again(ob: bpy.types.Object, kind: str) -> bpy.types.Object:
    select(ob)
    return make(kind, engine="UNREAL")[0]


def test_more_directions_are_never_larger() -> None:
    ob = build("plain", mesh(np.random.default_rng(5).normal(size=(200, 3)).tolist(), [(0, 1, 2), (0, 2, 3)]))
    volumes = [api.collider_quality(make_again(ob, kind)).volume for kind in ("HULL", "KDOP26", "KDOP18", "KDOP10")]
    assert volumes == sorted(volumes)


@pytest.mark.parametrize("place", PLACES)
def test_a_triangle_mesh_is_the_mesh_itself_wound_outward(place: str) -> None:
    ob = build(place, l_mesh())
    (made,) = make("MESH", engine="GODOT")
    assert made.name == "Rock_01-colonly"
    slack = 2e-6 * (1.0 + np.abs(world_vertices(ob)).max())
    np.testing.assert_allclose(world_vertices(made), world_vertices(ob), atol=slack)
    shapes = read([made])
    assert isinstance(shapes.world.batches[shapes.world.batch[0]], Meshes)
    quality = api.collider_quality(made)
    assert 0.0 < quality.hull_ratio < 1.0 and quality.mesh_ratio == 1.0
    assert not [one for one in api.validate_colliders("GODOT").issues if one.rule.id == "inside-out"]


def test_unreal_has_no_triangle_mesh_by_name() -> None:
    build("plain", l_mesh())
    with pytest.raises(ValueError, match="Use Complex Collision As Simple"):
        api.make_collider(["Rock"], "MESH", engine="UNREAL")
    assert len(bpy.data.objects) == 1


def test_each_vertex_group_gets_a_collider_of_the_vertices_that_weigh_most_in_it() -> None:
    ob = add("Arm", cube_mesh())
    ob.modifiers.new("", "MIRROR").use_axis = (False, False, False)
    for name, side, weight in (("Upper", 1.0, 0.7), ("Lower", -1.0, 1.0), ("All", 0.0, 0.2)):
        group = ob.vertex_groups.new(name=name)
        group.add([one.index for one in ob.data.vertices if one.co.x * side >= 0.0], weight, "REPLACE")
    select(ob)
    made = make("BOX", source="GROUPS", thickness=0.1, engine="UNREAL")
    middles = sorted(float(world_vertices(one)[:, 0].mean()) for one in made)
    edge = max(one.co.x for one in ob.data.vertices)
    # The vertices of each side lie in a plane, and the box is behind it.
    np.testing.assert_allclose(middles, [0.05 - edge, edge - 0.05], atol=1e-6)
    bare = add("Bare", cube_mesh())
    with pytest.raises(ValueError, match="no vertex groups"):
        api.make_collider([bare], "BOX", source="GROUPS")
