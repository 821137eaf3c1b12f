# SPDX-License-Identifier: GPL-3.0-or-later
"""Where operators are in Blender's menus, which is where F3 finds them."""

from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from typing import Any
from unittest.mock import MagicMock

import bpy
import pytest

from collision_kit.addon.scene.settings import preferences_of
from collision_kit.addon.ui import operators, shown_panels
from collision_kit.addon.ui.panels import menus
from tests.helpers.blender import checked_scene
from tests.helpers.blender.panel_recorder import ICONS, stand_in

# Without what only lists presets of the user, of which there are none here.
VERBS = {operator.bl_idname for operator in operators.CLASSES} - {"collision_kit.apply_name_preset"}


class Walk:
    """Takes the place of a menu's layout, whoever's menu it is, and draws the menus in it, too.

    Attributes
    ----------
    found : dict
        The paths on which each of the add-on's operators is, as lists of the names of menus.
    props : list of str
    """

    def __init__(self, context: Any, path: tuple[str, ...] = (), found: Any = None, props: Any = None) -> None:
        self.context, self.path = context, path
        self.found: dict[str, list[tuple[str, ...]]] = defaultdict(list) if found is None else found
        self.props: list[str] = [] if props is None else props
        self.operator_context = "INVOKE_DEFAULT"

    def __getattr__(self, name: str) -> Callable[..., Any]:
        # A row, a column or a template of Blender's own.
        return lambda *_arguments, **_options: self

    def operator(self, name: str, *, icon: str = "NONE", **_looks: Any) -> Any:
        assert icon in ICONS, icon
        if name.startswith("collision_kit."):
            assert name in VERBS
            self.found[name].append(self.path)
            return Settings(name)
        return MagicMock()

    def operator_enum(self, *_arguments: Any, **_options: Any) -> None: ...

    def prop(self, data: Any, name: str, **_looks: Any) -> None:
        if "COLLISION_KIT" in type(data).__name__:
            assert name in data.bl_rna.properties
            self.props.append(name)

    def menu(self, name: str, **_looks: Any) -> None:
        self.walk(name)

    def menu_contents(self, name: str) -> None:
        self.walk(name)

    def walk(self, name: str) -> None:
        """Draw a menu, unless it is one of those in which it is."""
        menu = getattr(bpy.types, name, None)
        if menu is None or name in self.path or "draw" not in dir(menu):
            return
        if hasattr(menu, "poll") and not menu.poll(self.context):
            return
        layout = Walk(self.context, (*self.path, name), self.found, self.props)
        attributes = {"ENTRIES": getattr(menu, "ENTRIES", ()), "bl_idname": name, "bl_label": menu.bl_label}
        drawn = stand_in(menu, layout=layout, path_menu=MagicMock(), **attributes)
        # Menus of Blender's own may need more than there is without a window.
        with suppress(*() if name.startswith("COLLISION_KIT") else (Exception,)):
            drawn.draw(self.context)


class Settings:
    """The settings of an operator, which take only what it has."""

    def __init__(self, name: str) -> None:
        verb = name.partition(".")[2]
        object.__setattr__(self, "known", getattr(bpy.ops.collision_kit, verb).get_rna_type().properties)

    def __setattr__(self, name: str, value: Any) -> None:
        setting = self.known[name]
        assert not hasattr(setting, "enum_items") or value in setting.enum_items


@pytest.fixture(autouse=True)
def in_viewport(scene: bpy.types.Scene) -> Iterator[None]:
    """The context of a 3D view, which Blender has without a window, too."""
    area = next(area for area in bpy.context.screen.areas if area.type == "VIEW_3D")
    region = next(region for region in area.regions if region.type == "HEADER")
    with bpy.context.temp_override(area=area, region=region):
        yield


def walked(capfd: pytest.CaptureFixture[str], *names: str) -> Walk:
    """The entries of menus, and of the menus in them."""
    walk = Walk(bpy.context)
    for name in names:
        walk.walk(name)
    # An error in a menu's drawing is printed, and does not end the drawing.
    said = capfd.readouterr().err
    assert "collision_kit/addon/" not in said, said
    return walk


def mesh_in_edit_mode() -> None:
    mesh = bpy.data.meshes.new("Edited")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], [], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    ob = bpy.data.objects.new("Edited", mesh)
    bpy.context.scene.collection.objects.link(ob)
    bpy.context.view_layer.objects.active = ob
    ob.select_set(True)
    bpy.ops.object.mode_set(mode="EDIT")


def test_blenders_menus_lead_to_every_operator_in_object_mode(capfd: pytest.CaptureFixture[str]) -> None:
    found = walked(capfd, "VIEW3D_MT_editor_menus").found
    assert set(found) == VERBS
    twice = {name: paths for name, paths in found.items() if len(set(paths)) > 1}
    assert not twice, "one place is enough: F3 lists each"


def test_blenders_menus_lead_to_every_operator_that_edit_mode_has(capfd: pytest.CaptureFixture[str]) -> None:
    # Whatever an operator needs but Object Mode is there.
    checked_scene.build()
    bpy.context.scene.camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    bpy.context.scene.collection.objects.link(bpy.context.scene.camera)
    bpy.context.scene.collision_kit.engine = "UNREAL"
    bpy.data.objects["First"].name = "UCX_Nothing_01"
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.validate_colliders()
    bpy.ops.collision_kit.find_floating()
    mesh_in_edit_mode()
    found = walked(capfd, "VIEW3D_MT_editor_menus").found
    assert set(found) < VERBS, "what is for Object Mode is left out"
    for name in sorted(VERBS - set(found)):
        operator = getattr(bpy.ops.collision_kit, name.partition(".")[2])
        with pytest.raises(RuntimeError, match="Not in Object Mode"):
            operator()
    assert not {name for name, paths in found.items() if len(set(paths)) > 1}


@pytest.mark.parametrize(
    ("menu", "same"),
    [
        ("VIEW3D_MT_object_context_menu", "VIEW3D_MT_object"),
        ("VIEW3D_MT_edit_mesh_context_menu", "VIEW3D_MT_edit_mesh"),
    ],
)
def test_the_right_mouse_button_leads_to_the_same(capfd: pytest.CaptureFixture[str], menu: str, same: str) -> None:
    if "edit" in menu:
        mesh_in_edit_mode()
    beside, above = walked(capfd, menu), walked(capfd, same)
    assert set(beside.found) == set(above.found) >= {"collision_kit.check_collisions", "collision_kit.make_collider"}


def test_what_selects_and_what_is_drawn_is_in_blenders_menus_for_that(capfd: pytest.CaptureFixture[str]) -> None:
    assert "collision_kit.select_colliders" in walked(capfd, "VIEW3D_MT_select_object").found
    view = walked(capfd, "VIEW3D_MT_view")
    assert {"collision_kit.cull_to_camera", "collision_kit.show_obstacle"} <= set(view.found)
    # There are no switches if the add-on was registered without being enabled.
    switches = shown_panels.PANELS if preferences_of(bpy.context) is not None else ()
    assert sorted(view.props) == sorted(["live", "show_overlay", "by_verdict", *switches])
    mesh_in_edit_mode()
    assert set(walked(capfd, "VIEW3D_MT_select_edit_mesh").found) == {"collision_kit.select_intersecting_faces"}


def test_markers_are_in_the_timelines_menu(capfd: pytest.CaptureFixture[str]) -> None:
    there = [name for name in menus.MARKER_MENUS if hasattr(bpy.types, name)]
    assert there
    for name in there:
        assert set(walked(capfd, name).found) == {
            "collision_kit.add_contact_markers",
            "collision_kit.remove_contact_markers",
        }


def test_the_menus_go_with_the_add_on() -> None:
    hosts = [getattr(bpy.types, name) for name in (*menus.SUBMENU_OF, *menus.MARKER_MENUS) if hasattr(bpy.types, name)]
    before = [len(menu._dyn_ui_initialize()) for menu in hosts]
    menus.unregister()
    try:
        assert [len(menu._dyn_ui_initialize()) for menu in hosts] == [count - 1 for count in before]
    finally:
        menus.register()
    assert [len(menu._dyn_ui_initialize()) for menu in hosts] == before
