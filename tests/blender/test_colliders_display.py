# SPDX-License-Identifier: GPL-3.0-or-later
"""How colliders are displayed: as translucent surfaces in colors or as wires, hidden and shown."""

import bpy
import pytest

from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.colliders_scene import build, make, select

pytestmark = pytest.mark.usefixtures("scene")

OPS = bpy.ops.collision_kit
WHITE = (1.0, 1.0, 1.0)


def scene_of_all() -> dict[str, bpy.types.Object]:
    """Colliders of two render meshes: two boxes and a sphere for Unreal, and a box for Godot, on layer 3."""
    found = {}
    for owner, kind, engine in (("Rock", "BOX", "UNREAL"), ("Rock", "SPHERE", "UNREAL"), ("Rock", "BOX", "GODOT")):
        select(bpy.data.objects.get(owner) or build("plain", name=owner))
        (found[f"{kind} {engine}"],) = make(kind, engine=engine)
    tree = add("Tree", cube_mesh())
    select(tree)
    (found["BOX Tree"],) = make("BOX", engine="UNREAL")
    settings = found["BOX GODOT"].collision_kit
    settings.own_groups, settings.groups = True, [number == 2 for number in range(len(settings.groups))]
    return found


def shown(found: dict[str, bpy.types.Object]) -> dict[str, tuple[float, ...]]:
    return {name: tuple(ob.color) for name, ob in found.items()}


@pytest.mark.parametrize(
    ("color", "groups"),
    [
        ("KIND", [{"BOX UNREAL", "BOX GODOT", "BOX Tree"}, {"SPHERE UNREAL"}]),
        ("ENGINE", [{"BOX UNREAL", "SPHERE UNREAL", "BOX Tree"}, {"BOX GODOT"}]),
        ("RENDER_MESH", [{"BOX UNREAL", "SPHERE UNREAL", "BOX GODOT"}, {"BOX Tree"}]),
        ("LAYER", [{"BOX UNREAL", "SPHERE UNREAL", "BOX Tree"}, {"BOX GODOT"}]),
    ],
)
def test_colliders_of_one_group_have_one_color_and_those_of_others_another(color: str, groups: list[set[str]]) -> None:
    found = scene_of_all()
    assert OPS.display_colliders(style="SOLID", color=color, opacity=0.25) == {"FINISHED"}
    colors = shown(found)
    by_color: dict[tuple[float, ...], set[str]] = {}
    for name, value in colors.items():
        by_color.setdefault(value, set()).add(name)
    assert sorted(by_color.values(), key=sorted) == sorted(groups, key=sorted)
    assert all(value[3] == pytest.approx(0.25) and value[:3] != WHITE for value in colors.values())
    assert {ob.display_type for ob in found.values()} == {"SOLID"}


def test_render_meshes_keep_their_display_and_wires_are_as_before() -> None:
    found = scene_of_all()
    before = shown(found)
    bpy.data.objects["Rock"].color = (0.1, 0.2, 0.3, 1.0)
    OPS.display_colliders(style="SOLID", color="KIND")
    assert shown(found) != before
    assert tuple(bpy.data.objects["Rock"].color) == pytest.approx((0.1, 0.2, 0.3, 1.0))
    assert bpy.data.objects["Rock"].display_type == "TEXTURED"
    OPS.display_colliders(style="WIRE", color="NONE")
    assert shown(found) == before
    assert {ob.display_type for ob in found.values()} == {"WIRE"}


def test_no_more_colors_are_alike_than_there_are_render_meshes() -> None:
    for number in range(40):
        rock = build("plain", name=f"Rock{number}")
        select(rock)
        make("BOX")
    OPS.display_colliders(style="SOLID", color="RENDER_MESH")
    colors = {tuple(ob.color) for ob in bpy.data.objects if ob.display_type == "SOLID"}
    assert len(colors) == 40


def test_all_are_hidden_and_shown_and_nothing_else_is() -> None:
    found = scene_of_all()
    found["BOX Tree"].hide_set(True)
    assert OPS.hide_colliders() == {"FINISHED"}
    assert all(ob.hide_get() for ob in found.values())
    assert not bpy.data.objects["Rock"].hide_get()
    assert OPS.hide_colliders() == {"CANCELLED"}
    assert OPS.hide_colliders(hidden=False) == {"FINISHED"}
    assert not any(ob.hide_get() for ob in found.values())


def test_undo_restores_the_display() -> None:
    scene_of_all()
    bpy.ops.ed.undo_push(message="before")
    OPS.display_colliders("EXEC_DEFAULT", True, style="SOLID", color="KIND")
    OPS.hide_colliders("EXEC_DEFAULT", True)
    assert bpy.data.objects["UBX_Tree_01"].display_type == "SOLID"
    bpy.ops.ed.undo()
    bpy.ops.ed.undo()
    ob = bpy.data.objects["UBX_Tree_01"]
    assert (ob.display_type, tuple(ob.color), ob.hide_get()) == ("WIRE", (*WHITE, 1.0), False)


def test_a_scene_without_colliders_is_left_alone() -> None:
    build("plain")
    assert OPS.display_colliders() == {"CANCELLED"}
    assert OPS.hide_colliders() == {"CANCELLED"}
