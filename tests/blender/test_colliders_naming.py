# SPDX-License-Identifier: GPL-3.0-or-later
"""Names by a studio's own template, and colliders of levels of detail."""

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.engines.name_templates import check_template, name_by
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.colliders_scene import build, make, select
from tests.helpers.blender.command_errors import run, save

pytestmark = pytest.mark.usefixtures("scene")

OWN = "COL-{kind}.{mesh}.{index:03}"


@pytest.mark.parametrize(
    ("template", "owner", "names"),
    [
        ("{prefix}_{mesh}_{index}", "Rock", ["UBX_Rock_01", "UBX_Rock_02"]),
        ("{base}_{lod}_{kind}", "Rock_LOD0", ["Rock_LOD0_box", "Rock_LOD0_box_02"]),
        ("{base}_{lod}_{kind}", "Rock", ["Rock_box", "Rock_box_02"]),
        ("{mesh}-{suffix}", "Rock", ["Rock-convcolonly", "Rock-convcolonly_02"]),
        ("{engine}/{mesh}{index:3}", "Rock", ["unreal/Rock  1", "unreal/Rock  2"]),
    ],
)
def test_a_template_is_filled_in(template: str, owner: str, names: list[str]) -> None:
    check_template(template)
    assert [name_by(template, "UNREAL", "BOX", owner, number) for number in (1, 2)] == names


@pytest.mark.parametrize(
    ("template", "complaint"),
    [
        ("{mesh", "braces do not match"),
        ("{mesh}_{size}", 'no field "size"; there are mesh, base, lod'),
        ("{mesh.x}", 'no field "mesh.x"'),
        ("{mesh:9}", 'no field "mesh:9"'),
        ("{index:999999999}{mesh}", "no field"),
        ("box_{index}", "needs {mesh} or {base}"),
    ],
)
def test_a_template_that_makes_no_names_is_refused_and_nothing_is_made(template: str, complaint: str) -> None:
    build("plain")
    bpy.context.scene.collision_kit.colliders.name_unreal = template
    with pytest.raises(ValueError) as error:
        api.make_collider(["Rock"], "BOX")
    assert complaint in str(error.value)
    assert len(bpy.data.objects) == 1


def test_new_colliders_are_called_by_the_template_of_their_engine_and_belong_to_their_mesh() -> None:
    rock = build("plain")
    bpy.context.scene.collision_kit.colliders.name_unreal = OWN
    assert [one.name for one in make("BOX", engine="UNREAL")] == ["COL-box.Rock.001"]
    select(rock)
    assert [one.name for one in make("SPHERE", engine="UNREAL")] == ["COL-sphere.Rock.001"]
    select(rock)
    assert [one.name for one in make("BOX", engine="GODOT")] == ["Rock_01-convcolonly"]
    assert len(api.colliders_of([rock])) == 3
    found = {one.object for one in api.validate_colliders("UNREAL").issues if one.rule.id == "unreal-name"}
    assert "COL-box.Rock.001" in found, "Unreal does not know this name"


def test_colliders_are_renamed_and_stay_colliders_of_their_meshes() -> None:
    rock, crate = add("Rock", cube_mesh()), add("Crate", cube_mesh())
    for name in ("UBX_Rock_01", "UCX_Rock_02", "UCX_Crate"):
        add(name, cube_mesh())
    add("UCX_Nothing_01", cube_mesh())
    select(rock, bpy.data.objects["UCX_Crate"])
    assert bpy.ops.collision_kit.rename_colliders(engine="GODOT") == {"FINISHED"}
    assert sorted(ob.name for ob in bpy.data.objects) == [
        "Crate", "Crate_01-convcolonly", "Rock", "Rock_01-convcolonly", "Rock_02-convcolonly", "UCX_Nothing_01",
    ]  # fmt: skip
    renamed = api.rename_colliders(api.colliders_of([rock, crate]), "UNREAL", template=OWN)
    assert sorted(ob.name for ob in renamed) == ["COL-hull.Crate.001", "COL-hull.Rock.001", "COL-hull.Rock.002"]
    assert {ob.name for ob in api.colliders_of([rock])} == {"COL-hull.Rock.001", "COL-hull.Rock.002"}
    assert all(ob.data.name == ob.name for ob in renamed)
    assert api.rename_colliders(renamed, "UNREAL", template=OWN) == []
    with pytest.raises(ValueError, match="too long"):
        api.rename_colliders(renamed, "UNREAL", template="x" * 300 + "{mesh}")
    assert {ob.name for ob in api.colliders_of([rock])} == {"COL-hull.Rock.001", "COL-hull.Rock.002"}


def test_the_collider_of_a_level_of_detail_belongs_to_it_and_that_of_none_to_the_first() -> None:
    first, second = add("Rock_LOD0", cube_mesh()), add("Rock_LOD1", cube_mesh())
    owners = {"UCX_Rock_LOD0": first, "UCX_Rock_LOD0_01": first, "UCX_Rock_LOD1_02": second, "UCX_Rock_03": first}
    for name in owners:
        add(name, cube_mesh())
    assert {name: api.render_mesh_of(name) for name in owners} == owners
    found = {(one.rule.id, one.object) for one in api.validate_colliders("UNREAL").issues}
    assert {one for one in found if one[0] == "unreal-lod"} == {("unreal-lod", "UCX_Rock_LOD1_02")}
    assert ("unreal-no-render-mesh", "UCX_Rock_03") in found and ("unreal-no-render-mesh", "UCX_Rock_LOD0") not in found
    api.fix_issues(api.validate_colliders("UNREAL"))
    assert "UCX_Rock_03" not in bpy.data.objects


def test_make_takes_a_template(tmp_path, capfd) -> None:
    build("plain")
    file, out = save(tmp_path / "in.blend"), tmp_path / "out.blend"
    arguments = ("make", file, "--kind", "box", "--engine", "unity", "--output", out)
    assert run(capfd, *arguments, "--name", OWN)[::2] == (0, [])
    assert "COL-box.Rock.001" in bpy.context.scene.objects
    assert bpy.context.scene.collision_kit.colliders.name_unity == OWN
    code, _, errors = run(capfd, *arguments, "--name", "{size}")
    assert code == 2 and len(errors) == 1 and 'no field "size"' in errors[0]


def test_templates_are_in_the_configuration(tmp_path, capfd) -> None:
    build("plain")
    settings = bpy.context.scene.collision_kit.colliders
    settings.name_unreal = OWN
    path = api.export_configuration(tmp_path / "collision-kit.toml")
    settings.name_unreal = ""
    file = save(tmp_path / "in.blend")
    arguments = ("make", file, "--kind", "box", "--engine", "unreal", "--output", tmp_path / "out.blend")
    assert run(capfd, *arguments)[::2] == (1, [])  # a box around the rock is told to be loose
    assert "COL-box.Rock.001" in bpy.context.scene.objects
    api.import_configuration(path)
    assert bpy.context.scene.collision_kit.colliders.name_unreal == OWN
    path.write_text('[names]\nunreal = "{size}"\n')
    code, _, errors = run(capfd, *arguments)
    assert code == 2 and len(errors) == 1 and "names.unreal" in errors[0]
