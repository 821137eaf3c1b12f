# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of scenes, objects and collections that belong to another file: what is made, and what is told."""

import json
from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.fixes.shortest_ways import ways
from collision_kit.addon.session import validation_results
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui import panels
from collision_kit.addon.ui.panels.active_pair import COLLISION_KIT_PT_pair
from tests.helpers.blender.bridge_scene import add, add_collection, cube_mesh
from tests.helpers.blender.command_errors import run, save
from tests.helpers.blender.panel_recorder import drawn
from tests.helpers.offline import slow

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """A file with the collection Kit: two crates, of which one has a collider."""
    kit = add_collection("Kit")
    add("Crate", cube_mesh(), collection=kit)
    add("Barrel", cube_mesh(), at=(5.0, 0.0, 0.0), collection=kit)
    bpy.context.view_layer.update()
    (made,) = api.make_collider(["Crate"]).colliders
    kit.objects.link(made.object)
    bpy.context.scene.collection.children.unlink(bpy.data.collections["Colliders"])
    bpy.context.scene.name = "Level"
    return save(tmp_path / "library.blend")


def linked(path: Path, **wanted: list[str]) -> None:
    """An empty scene, and data that is linked from a file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(path), link=True, relative=False) as (_, data):
        for kind, names in wanted.items():
            setattr(data, kind, names)
    for collection in bpy.data.collections if "collections" in wanted else ():
        bpy.context.scene.collection.children.link(collection)
    bpy.context.view_layer.update()


def objects_of(path: Path) -> list[tuple[str, bool]]:
    bpy.ops.wm.open_mainfile(filepath=str(path))
    return sorted((ob.name, ob.library is not None) for ob in bpy.context.scene.objects)


@pytest.mark.slow
@pytest.mark.parametrize("hidden", [False, True])
def test_a_linked_scene_is_one_error_and_nothing_is_written(library: Path, tmp_path: Path, capfd, hidden: bool) -> None:
    bpy.data.objects["Barrel"].hide_viewport = hidden
    save(library)
    linked(library, scenes=["Level"])
    bpy.context.window.scene = bpy.data.scenes["Level"]
    file, out = save(tmp_path / "level.blend"), tmp_path / "out.blend"
    code, output, errors = run(capfd, "make", file, "--kind", "box", "--engine", "unreal", "--output", out)
    assert (code, output) == (2, "")
    assert errors == ['error: Scene "Level" is linked from //library.blend: open that file instead']
    assert not out.exists()
    with pytest.raises(ValueError, match='"Level" is linked'):
        api.make_collider(["Barrel"])
    assert not bpy.ops.collision_kit.make_collider.poll()  # type: ignore[attr-defined]
    assert {ob.name for ob in bpy.data.objects} == {"Crate", "Barrel", "UBX_Crate_01"}
    assert {one.name for one in bpy.data.collections} == {"Kit"}


def test_linked_objects_get_colliders_in_the_file_that_links_them(library: Path, tmp_path: Path, capfd) -> None:
    linked(library, collections=["Kit"])
    file, out = save(tmp_path / "level.blend"), tmp_path / "out.blend"
    assert run(capfd, "make", file, "--kind", "box", "--engine", "unreal", "--output", out)[0] == 0
    assert objects_of(out) == [("Barrel", True), ("Crate", True), ("UBX_Barrel_01", False), ("UBX_Crate_01", True)]
    assert bpy.data.objects["UBX_Barrel_01"].parent == bpy.data.objects["Barrel"]


@pytest.mark.parametrize("override", [False, *slow(True)])
def test_linked_colliders_are_not_replaced(library: Path, tmp_path: Path, capfd, override: bool) -> None:
    linked(library, collections=["Kit"])
    if override:
        bpy.data.collections["Kit"].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
        bpy.context.scene.collection.children.unlink(
            next(one for one in bpy.data.collections if one.library is not None)
        )
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    arguments = ("make", file, "--kind", "sphere", "--engine", "unreal", "--existing", "replace", "--output", out)
    assert run(capfd, *arguments, "--output", report)[::2] == (1, [])
    made = json.loads(report.read_text("utf-8"))
    assert [one["object"] for one in made["colliders"]] == ["USP_Barrel_01"]
    # The ball around the barrel is told to be loose.
    assert [(one["object"], one["message"]) for one in made["findings"] if one["object"] != "USP_Barrel_01"] == [
        ("Crate", '"Crate" has a linked collider, "UBX_Crate_01": replace it in its own file')
    ]
    names = [name for name, _ in objects_of(out)]
    assert names == ["Barrel", "Crate", "UBX_Crate_01", "USP_Barrel_01"]


def test_linked_colliders_are_not_changed_and_their_copies_are_the_files_own(library: Path) -> None:
    linked(library, collections=["Kit"])
    ob = bpy.data.objects["UBX_Crate_01"]
    (own,) = api.make_collider(["Barrel"]).colliders
    before = set(bpy.data.objects)
    for change in (
        lambda: api.convert_collider([ob], "SPHERE"),
        lambda: api.rename_colliders([own.object, ob], "UNITY"),
        lambda: api.mirror_collider([ob], copy=False),
        lambda: api.copy_collider_settings(own.object, [ob], ["SHAPE"]),
    ):
        with pytest.raises(ValueError, match='"UBX_Crate_01" is linked: change it in its own file'):
            change()
    assert set(bpy.data.objects) == before and own.object.name == "UBX_Barrel_01"
    (copy,) = api.mirror_collider([ob])
    assert copy.is_editable and [one.name for one in copy.users_collection] == ["Colliders"]


def test_operators_tell_of_linked_colliders_and_change_the_others(library: Path) -> None:
    linked(library, collections=["Kit"])
    ob = bpy.data.objects["UBX_Crate_01"]
    (own,) = api.make_collider(["Barrel"]).colliders
    ops = bpy.ops.collision_kit  # type: ignore[attr-defined]

    def select(*objects: bpy.types.Object) -> None:
        for one in bpy.context.scene.objects:
            one.select_set(one in objects)
        bpy.context.view_layer.objects.active = objects[0]

    select(ob)
    assert ops.convert_collider(kind="SPHERE") == {"CANCELLED"}
    with pytest.raises(RuntimeError, match='"UBX_Crate_01" is linked: change it in its own file'):
        ops.rename_colliders(engine="UNITY")
    select(own.object, ob)
    assert not ops.copy_collider_settings.poll()
    assert ops.convert_collider(kind="SPHERE") == {"FINISHED"}
    assert own.object.name == "USP_Barrel_01" and ob.name == "UBX_Crate_01"


@pytest.mark.parametrize("editable", [False, True])
def test_of_overrides_only_those_that_users_may_edit_are_converted(library: Path, editable: bool) -> None:
    linked(library, collections=["Kit"])
    bpy.data.collections["Kit"].override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=editable
    )
    ob = next(ob for ob in bpy.data.objects if ob.name == "UBX_Crate_01" and ob.library is None)
    if editable:
        api.convert_collider([ob], "SPHERE")
    else:
        with pytest.raises(ValueError, match='"UBX_Crate_01" is linked: change it in its own file'):
            api.convert_collider([ob], "SPHERE")
    assert ob.name == ("USP_Crate_01" if editable else "UBX_Crate_01")


def test_settings_are_not_copied_to_linked_objects_which_would_lose_them(library: Path) -> None:
    linked(library, collections=["Kit"])
    crate, barrel = bpy.data.objects["Crate"], bpy.data.objects["Barrel"]
    own, other = add("Own", cube_mesh()), add("Other", cube_mesh())
    own.collision_kit.margin = crate.collision_kit.margin = 0.25
    ops = bpy.ops.collision_kit  # type: ignore[attr-defined]
    bpy.context.view_layer.update()

    def select(*objects: bpy.types.Object) -> None:
        for one in bpy.context.scene.objects:
            one.select_set(one in objects)
        bpy.context.view_layer.objects.active = objects[0]

    select(own, barrel)
    with pytest.raises(RuntimeError, match="are linked: change them in their own file"):
        ops.copy_collision_settings()
    select(own, barrel, other)
    assert ops.copy_collision_settings() == {"FINISHED"}
    assert (barrel.collision_kit.margin, other.collision_kit.margin) == (0.0, 0.25)
    select(crate)
    with pytest.raises(RuntimeError, match="are linked: change them in their own file"):
        ops.reset_collision_settings()
    select(crate, other)
    assert ops.reset_collision_settings() == {"FINISHED"}
    assert (crate.collision_kit.margin, other.collision_kit.margin) == (0.25, 0.0)


@pytest.mark.parametrize("editable", [False, True])
def test_only_what_users_may_edit_counts_as_their_own(library: Path, editable: bool) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(library))
    bpy.data.objects["UBX_Crate_01"].scale.x = -1.0
    bpy.ops.wm.save_mainfile()
    linked(library, collections=["Kit"])
    bpy.data.collections["Kit"].override_hierarchy_create(
        bpy.context.scene, bpy.context.view_layer, do_fully_editable=editable
    )
    ours = {ob.name: ob for ob in bpy.data.objects if ob.library is None}
    issues = [one for one in api.validate_colliders().issues if one.rule.id == "negative-scale"]
    assert {one.uid: one.linked for one in issues}[ours["UBX_Crate_01"].session_uid] == (not editable)
    add("Own", cube_mesh(), at=(0.5, 0.0, 0.0))
    bpy.context.view_layer.objects.active = ours["Crate"]
    bpy.ops.collision_kit.check_collisions()  # type: ignore[attr-defined]
    assert last_check.report is not None
    keys = [{body.key.session_uid for body in last_check.bodies_of(pair)} for pair in last_check.report.pairs]
    pair = last_check.report.pairs[keys.index({ours["Crate"].session_uid, bpy.data.objects["Own"].session_uid})]
    assert [way.body.name for way in ways(bpy.context, pair)] == (["Crate", "Own"] if editable else ["Own"])


def test_an_issue_of_a_linked_collider_says_where_it_can_be_fixed(library: Path) -> None:
    bpy.ops.wm.open_mainfile(filepath=str(library))
    bpy.data.objects["UBX_Crate_01"].scale.x = -1.0
    bpy.ops.wm.save_mainfile()
    linked(library, collections=["Kit"])
    bpy.ops.collision_kit.validate_colliders()  # type: ignore[attr-defined]
    found = validation_results.kept_here(bpy.context)
    assert found is not None
    (row,) = found.report.by_rule["negative-scale"].rows
    assert found.report.issues[row].linked
    shown = drawn(panels.COLLISION_KIT_PT_validation, bpy.context)
    said = '"UBX_Crate_01" is linked: change it in its own file'
    assert shown is not None
    assert said in " ".join(shown.texts).replace("\N{NO-BREAK SPACE}", " ")
    assert bpy.ops.collision_kit.fix_issue(row=row) == {"CANCELLED"}  # type: ignore[attr-defined]


def test_of_a_pair_the_object_that_is_not_linked_is_to_be_moved(library: Path) -> None:
    linked(library, collections=["Kit"])
    add("Own", cube_mesh(), at=(0.5, 0.0, 0.0))
    bpy.context.view_layer.objects.active = bpy.data.objects["Crate"]
    bpy.ops.collision_kit.check_collisions()  # type: ignore[attr-defined]
    bpy.context.window_manager.collision_kit.active = 0
    pair, fixes = drawn(COLLISION_KIT_PT_pair, bpy.context), drawn(panels.fixes.COLLISION_KIT_PT_fixes, bpy.context)
    assert pair is not None and fixes is not None
    assert 'move "Own" by 1.5 m' in " ".join(pair.texts).replace("\N{NO-BREAK SPACE}", " ")
    assert [text for text in fixes.texts if " along " in text] == ["Own: 1.5 m along +X"]


def test_colliders_beside_those_of_an_override_are_in_a_collection_that_can_hold_them(library: Path) -> None:
    linked(library, collections=["Kit"])
    bpy.data.collections["Kit"].override_hierarchy_create(bpy.context.scene, bpy.context.view_layer)
    theirs = next(ob for ob in bpy.data.objects if ob.name == "UBX_Crate_01" and ob.library is None)
    (own,) = api.make_collider([next(ob for ob in bpy.data.objects if ob.name == "Barrel")]).colliders
    api.copy_collider_settings(theirs, [own.object], ["COLLECTION"])
    assert [one.name for one in own.object.users_collection] == ["Colliders"]
    (copy,) = api.mirror_collider([theirs])
    assert [one.name for one in copy.users_collection] == ["Colliders"]
    assert copy.override_library is None and theirs.override_library is not None
