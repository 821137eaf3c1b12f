# SPDX-License-Identifier: GPL-3.0-or-later
"""Boolean operands: what only cuts others is left out of checks, told, and can be taken in."""

import bpy
import pytest

from collision_kit.addon import api
from collision_kit.addon.cli import commands
from collision_kit.addon.collisions.check import check
from collision_kit.addon.scene.settings import check_settings
from collision_kit.addon.session import dependencies
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.session.latest import Change
from collision_kit.addon.ui.panels.check import COLLISION_KIT_PT_check
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.live_scene import assert_same_as_fresh, results, settle
from tests.helpers.blender.panel_recorder import drawn

pytestmark = pytest.mark.usefixtures("scene")

REASONS = {
    "WIRE": "Boolean operand that is displayed as wire.",
    "BOUNDS": "Boolean operand that is displayed as bounds.",
    "not rendered": "Boolean operand that is not rendered.",
}


def display(ob: bpy.types.Object, look: str) -> bpy.types.Object:
    if look == "not rendered":
        ob.hide_render = True
    else:
        ob.display_type = look
    return ob


def cut(wall: bpy.types.Object, cutter: bpy.types.Object) -> None:
    wall.modifiers.new("Cut", "BOOLEAN").object = cutter


def wall_and_cutter(look: str = "WIRE") -> tuple[bpy.types.Object, bpy.types.Object]:
    """A cutter that reaches into its wall and beyond it."""
    wall, cutter = add("Wall", cube_mesh()), display(add("Cutter", cube_mesh(), at=(1.5, 0, 0)), look)
    cut(wall, cutter)
    bpy.context.view_layer.update()
    return wall, cutter


def found(**options) -> tuple[set[str], dict[str, str]]:
    """The bodies of a check, and what it skipped."""
    report, _ = check(bpy.context, "ALL", **options)
    return {body.name for body in report.bodies}, {entry.object: entry.reason for entry in report.skipped}


@pytest.mark.parametrize("plane", [None, "XY"])
@pytest.mark.parametrize("look", REASONS)
def test_an_operand_that_is_not_displayed_or_rendered_as_a_body_is_left_out_and_told(look: str, plane) -> None:
    wall_and_cutter(look)
    assert found(plane=plane) == ({"Wall"}, {"Cutter": REASONS[look]})
    assert found(plane=plane, include_operands=True) == ({"Wall", "Cutter"}, {})


def test_an_operand_that_looks_like_a_body_is_one_and_so_is_a_wire_that_cuts_nothing() -> None:
    wall_and_cutter("TEXTURED")
    display(add("Cage", cube_mesh(), at=(0, 9, 0)), "WIRE")
    assert found() == ({"Wall", "Cutter", "Cage"}, {})


def test_what_is_displayed_as_wire_and_not_rendered_is_a_helper_but_no_collider_or_if_nothing_is_rendered() -> None:
    wall = add("Wall", cube_mesh())
    holes = [display(add(name, cube_mesh(), at=(x, 0, 0)), "BOUNDS") for name, x in (("Hole", 1.5), ("UCX_Wall", 0.0))]
    for ob in holes:
        ob.hide_render = True
    unseen = {"Hole": "Displayed as wire or bounds, and not rendered, unlike other objects in the scene."}
    assert found()[1]["Hole"] == unseen["Hole"] and found()[0] == {"Wall"}
    assert "Hole" in found(include_operands=True)[0]
    holes[0].display_type = "TEXTURED"
    assert "Hole" in found()[0]
    holes[0].display_type = "BOUNDS"
    wall.hide_render = True
    assert "Hole" in found()[0]


@pytest.mark.parametrize(("kind", "body"), [("GAS", False), ("LIQUID", False), ("mesh", True)])
def test_the_domain_of_a_fluid_is_no_body_unless_it_is_the_mesh_of_a_liquid(kind: str, body: bool) -> None:
    add("Wall", cube_mesh())
    modifier = add("Domain", cube_mesh((4.0, 4.0, 4.0))).modifiers.new("Fluid", "FLUID")
    modifier.fluid_type = "DOMAIN"
    modifier.domain_settings.domain_type = "GAS" if kind == "GAS" else "LIQUID"
    modifier.domain_settings.use_mesh = body
    names, skipped = found()
    assert ("Domain" in names) == body
    assert skipped == ({} if body else {"Domain": "Domain of a fluid simulation."})


def test_operands_of_a_collection_are_left_out_and_so_are_those_of_modifiers_that_are_off() -> None:
    wall = add("Wall", cube_mesh())
    cutters, inner = bpy.data.collections.new("Cutters"), bpy.data.collections.new("Inner")
    cutters.children.link(inner)
    for name, group in (("One", cutters), ("Two", inner)):
        group.objects.link(display(add(name, cube_mesh(), at=(1.5, 0, 0)), "BOUNDS"))
    # What is in the collection of its own modifier is not its operand.
    cutters.objects.link(display(wall, "not rendered"))
    modifier = wall.modifiers.new("Cut", "BOOLEAN")
    modifier.operand_type, modifier.collection = "COLLECTION", cutters
    modifier.show_viewport = modifier.show_render = False
    assert found() == ({"Wall"}, dict.fromkeys(["One", "Two"], REASONS["BOUNDS"]))


@pytest.mark.parametrize("given", ["input", "node", "group"])
def test_operands_of_geometry_nodes_with_a_boolean_are_left_out(given: str) -> None:
    wall, cutter = add("Wall", cube_mesh()), display(add("Cutter", cube_mesh(), at=(1.5, 0, 0)), "WIRE")
    other = display(add("Other", cube_mesh(), at=(0, 9, 0)), "WIRE")
    plain, tree = (bpy.data.node_groups.new(name, "GeometryNodeTree") for name in ("Plain", "Cut"))
    for each, used in ((plain, other), (tree, cutter)):
        each.interface.new_socket("Geometry", in_out="OUTPUT", socket_type="NodeSocketGeometry")
        socket = each.interface.new_socket("Object", in_out="INPUT", socket_type="NodeSocketObject")
        inner = each
        if given == "group":
            inner = bpy.data.node_groups.new("Inner", "GeometryNodeTree")
            each.nodes.new("GeometryNodeGroup").node_tree = inner
        modifier = wall.modifiers.new("Nodes", "NODES")
        modifier.node_group = each
        if given == "input":
            if hasattr(modifier, "properties"):
                getattr(modifier.properties.inputs, socket.identifier).value = used
            else:
                modifier[socket.identifier] = used
        else:
            inner.nodes.new("GeometryNodeObjectInfo").inputs["Object"].default_value = used
    tree.nodes.new("GeometryNodeMeshBoolean")
    names, skipped = found()
    assert skipped["Cutter"] == REASONS["WIRE"]
    assert "Other" in names


@pytest.mark.parametrize("declared", ["shape", "rigid body", "name"])
def test_an_operand_that_was_made_a_collider_is_tested(declared: str) -> None:
    _, cutter = wall_and_cutter()
    if declared == "shape":
        cutter.collision_kit.shape = "HULL"
    elif declared == "name":
        cutter.name = "UCX_Other"
    else:
        with bpy.context.temp_override(object=cutter, active_object=cutter, selected_objects=[cutter]):
            bpy.ops.rigidbody.object_add(type="PASSIVE")
    names, skipped = found()
    assert len(names) == 2
    assert not skipped


def test_operands_in_an_instanced_collection_are_left_out() -> None:
    wall, cutter = wall_and_cutter()
    group = bpy.data.collections.new("Group")
    for ob in (wall, cutter):
        group.objects.link(ob)
        bpy.context.scene.collection.objects.unlink(ob)
    add("House", instance_type="COLLECTION", instance_collection=group, at=(5, 0, 0))
    names, skipped = found()
    assert names == {"House/Wall"}
    assert skipped == {"House/Cutter": REASONS["WIRE"]}


def test_scripts_and_the_command_line_leave_them_out_and_take_them_in(tmp_path, capfd) -> None:
    wall_and_cutter()
    add("Beam", cube_mesh(), at=(3.0, 0, 0))
    for included in (False, True):
        assert bool(api.check_collisions(scope="ALL", include_operands=included).pairs) == included
        assert bool(api.check_collisions(["Beam", "Cutter"], include_operands=included).pairs) == included
        assert bool(api.check_motion(start=1, end=2, include_operands=included).contacts) == included
        moved = api.push_apart(["Beam"], include_operands=included).moved
        assert bool(moved) == included
        if moved:
            bpy.data.objects["Beam"].location = (3, 0, 0)
    file = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=file)
    assert commands.command(["check", file]) == 0
    assert REASONS["WIRE"] in capfd.readouterr().out
    assert commands.command(["check", file, "--include-operands"]) == 1
    assert commands.command(["motion", file, "--frames", "1:2", "--fail-on", "started"]) == 0
    assert commands.command(["motion", file, "--frames", "1:2", "--fail-on", "started", "--include-operands"]) == 1


def test_the_panel_has_the_setting_and_live_mode_and_results_know_of_it() -> None:
    wall, cutter = wall_and_cutter("TEXTURED")
    assert (bpy.context.scene.collision_kit, "include_operands") in drawn(COLLISION_KIT_PT_check, bpy.context).props
    assert not check_settings(bpy.context).include_operands
    bpy.ops.collision_kit.check_collisions()
    assert last_check.change_for(check_settings(bpy.context)) is None
    cutter.display_type = "WIRE"
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert last_check.change_for(check_settings(bpy.context)) is Change.SCENE
    results().live = True
    try:
        for number, change in enumerate(
            [
                lambda: None,
                lambda: setattr(cutter, "display_type", "SOLID"),
                lambda: setattr(cutter, "hide_render", True),
                lambda: setattr(wall.modifiers["Cut"], "object", None),
                lambda: setattr(wall.modifiers["Cut"], "object", cutter),
                lambda: setattr(bpy.context.scene.collision_kit, "include_operands", True),
            ]
        ):
            change()
            settle()
            assert_same_as_fresh()
            assert len(last_check.report.bodies) == [1, 2, 1, 2, 1, 2][number], number
    finally:
        results().live = False
        last_check.forget()
