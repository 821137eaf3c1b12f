# SPDX-License-Identifier: GPL-3.0-or-later
"""Uses of the settings that Blender allows: keys, and library overrides."""

from pathlib import Path

import bpy
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.ui.properties import scene as properties
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, cube_mesh

pytestmark = pytest.mark.usefixtures("scene")


def test_no_setting_can_be_animated() -> None:
    """They say what is asked; a key on one of them would change what was asked from frame to frame."""
    animatable = [
        f"{group.__name__}.{name}"
        for group in properties.CLASSES
        for name in group.__annotations__
        if group.bl_rna.properties[name].type not in {"POINTER", "COLLECTION"}
        and group.bl_rna.properties[name].is_animatable
    ]
    assert not animatable
    with pytest.raises(TypeError):
        bpy.context.scene.collision_kit.keyframe_insert("clearance")


@pytest.mark.parametrize(
    ("colliders", "validation", "engine"),
    [(1, 5, "GODOT"), (0, 3, "UNREAL"), (None, 3, "UNITY"), (3, None, "GLTF"), (None, None, "ANY")],
)
def test_the_engine_of_an_older_file_is_kept(
    colliders: int | None, validation: int | None, engine: str, tmp_path: Path
) -> None:
    settings = bpy.context.scene.collision_kit
    for group, number in ((settings.colliders, colliders), (settings.validation, validation)):
        if number is not None:
            group["engine"] = number
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "older.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "older.blend"))
    settings = bpy.context.scene.collision_kit
    assert settings.engine == engine
    assert "engine" not in {*settings.colliders.keys(), *settings.validation.keys()}


VALUES = {
    "shape": "BOX",
    "margin": 0.25,
    "own_groups": True,
    "groups": (False, True, *(False,) * 14),
    "mask": (True, *(False,) * 15),
    "own_surface": True,
    "friction": 0.125,
    "restitution": 0.75,
}


@pytest.fixture
def overridden(tmp_path: Path) -> bpy.types.Object:
    """A crate that is linked from another file and overridden here, beside an object of this file."""
    add("Crate", cube_mesh())
    library = tmp_path / "library.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(library))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(library), link=True) as (_, wanted):
        wanted.objects = ["Crate"]
    linked = wanted.objects[0]
    made = linked.override_create(remap_local_usages=True)
    bpy.context.scene.collection.objects.link(made)
    add("Floor", cube_mesh(), at=(0.0, 0.0, 2.1))
    bpy.context.view_layer.update()
    return made


def test_what_is_set_for_a_linked_object_is_an_override_and_saved(overridden: bpy.types.Object, tmp_path: Path) -> None:
    settings = overridden.collision_kit
    for name, value in VALUES.items():
        assert settings.is_property_overridable_library(name), name
        setattr(settings, name, value)
    settings.part_of = bpy.data.objects["Floor"]
    settings.collider.trigger = True
    path = str(tmp_path / "scene.blend")
    bpy.ops.ed.undo_push(message="Before")
    # The second time nothing is new to the linked object.
    for _ in range(2):
        bpy.ops.wm.save_as_mainfile(filepath=path)
        bpy.ops.wm.open_mainfile(filepath=path)
    ob = next(ob for ob in bpy.context.scene.objects if ob.name == "Crate")
    assert ob.override_library is not None
    for name, value in VALUES.items():
        kept = getattr(ob.collision_kit, name)
        assert (tuple(kept) if isinstance(value, tuple) else kept) == value, name
    assert ob.collision_kit.part_of == bpy.data.objects["Floor"]
    assert ob.collision_kit.collider.trigger


def test_an_overridden_margin_counts(overridden: bpy.types.Object) -> None:
    assert check(bpy.context)[0].pairs == ()
    overridden.collision_kit.margin = 0.2
    assert [pair.verdict for pair in check(bpy.context)[0].pairs] == [Verdict.PENETRATING]
