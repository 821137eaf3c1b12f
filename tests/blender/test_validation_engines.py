# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of single engines: for each a scene that breaks it, and one that just does not; read from Blender."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.asset_rules.limits import ENGINES, SEVERITIES, Limits
from collision_kit.addon.engines.collider_roles import role_of
from collision_kit.addon.engines.rules import GENERAL, RULES, rules_for
from collision_kit.addon.validation.check import validate
from tests.helpers.blender.validated_scene import CORNERS, SIDES, add, round_mesh


def crate():
    return add("Crate")


def moving(ob):
    """Make an object a rigid body that moves."""
    with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
        bpy.ops.rigidbody.object_add(type="ACTIVE")


def fan(count):
    angle = 2.0 * np.pi * np.arange(count) / count
    points = [*np.stack([np.cos(angle), np.sin(angle), 0.0 * angle], axis=1), (0, 0, 1), (0, 0, -1)]
    faces = [(i, (i + 1) % count, count) for i in range(count)]
    return points, faces + [((i + 1) % count, i, count + 1) for i in range(count)]


def leaning(by):
    """A box whose top is shifted along X."""
    return [(x + by * (z + 1.0) / 2.0, y, z) for x, y, z in CORNERS]


def tapered():
    """A box whose top is small. The corners of any box lie on a sphere, so that to Unreal it is a capsule."""
    return [(x * (1.5 - z) / 2.5, y * (1.5 - z) / 2.5, 1.8 * z) for x, y, z in CORNERS]


def egg(stretch):
    points, faces = round_mesh()
    return points * (1.0, 1.0, stretch), faces


def of(name, *shape, **fields):
    """A crate and one collider."""
    add(name, *shape, parent=crate(), **fields)


def levels(name):
    """A crate in two levels of detail, and one collider."""
    for level in (0, 1):
        add(f"Crate_LOD{level}")
    add(name)


def instanced(name):
    """A crate and one collider, in a collection that is in the scene as an instance only."""
    of(name)
    kit = bpy.data.collections.new("Kit")
    for ob in tuple(bpy.context.scene.collection.objects):
        kit.objects.link(ob)
        bpy.context.scene.collection.objects.unlink(ob)
    host = bpy.data.objects.new("Here", None)
    host.instance_type, host.instance_collection = "COLLECTION", kit
    bpy.context.scene.collection.objects.link(host)


def mesh_named(name):
    """A crate with a collider of its own, and a mesh with this name."""
    of("Crate_01-convcolonly")
    bpy.data.objects["Crate"].data.name = name


def shared(*names):
    parent = crate()
    first = add(names[0], parent=parent)
    for name in names[1:]:
        add(name, parent=parent, mesh=first.data)


def triangle_mesh(*, active):
    add("Crate_01-colonly", parent=crate())
    if active:
        moving(bpy.data.objects["Crate"])


def numbered_parent():
    """To a human it is the collider of its parent, which Blender has numbered."""
    add("Box")
    add("UCX_Box_01", parent=add("Box_01.001"))


def longer_name():
    """The text after the prefix is the name of a mesh without its last part only."""
    add("UCX_Crate_Lid_01", parent=add("Crate_Lid"))


def nested(active):
    """A rigid body that moves, and a child that does or does not."""
    parent = crate()
    child = add("Lid", parent=parent)
    for ob in (parent, child):
        moving(ob)
    child.rigid_body.type = "ACTIVE" if active else "PASSIVE"


NO_MESH = {"unreal-no-render-mesh", "unreal-orphan"}

BROKEN = {
    "unreal-name": lambda: of("Crate_01-convcolonly"),
    "unreal-instanced": lambda: instanced("UCX_Crate_01"),
    "unreal-no-render-mesh": lambda: of("UCX_Crat_01"),
    "unreal-orphan": lambda: (crate(), add("UCX_Crat_01")),
    "unreal-other-mesh": numbered_parent,
    "unreal-ambiguous": lambda: (add("Crate_01"), add("UCX_Crate_01", parent=bpy.data.objects["Crate_01"]), crate()),
    "unreal-capitals": lambda: of("UCX_crate_01"),
    "unreal-lod": lambda: levels("UCX_Crate_LOD1_01"),
    "unreal-not-a-box": lambda: of("UBX_Crate_01", leaning(0.01)),
    "unreal-not-a-sphere": lambda: of("USP_Crate_01", *egg(1.06)),
    "unreal-not-a-capsule": lambda: of("UCP_Crate_01", tapered()),
    "godot-name": lambda: of("UCX_Crate_01"),
    "godot-number": lambda: of("Crate-convcolonly-001"),
    "godot-3-number": lambda: of("Crate-convcolonly_001"),
    "godot-empty-name": lambda: of("-convcolonly"),
    "godot-capitals": lambda: of("Crate_01-ConvColOnly"),
    "godot-mesh-name": lambda: mesh_named("Crate-convcol.001"),
    "godot-shared-mesh": lambda: shared("Crate_01-convcolonly", "Crate_02-colonly"),
    "godot-moving-mesh": lambda: triangle_mesh(active=True),
    "godot-capsule-height": lambda: of("UCP_Crate_01", *round_mesh(0.5, 1.0)),
    "unity-import-script": lambda: of("UCX_Crate_01"),
    "unity-vertices": lambda: of("UCX_Crate_01", *fan(254)),
    "unity-triangles": lambda: of("UCX_Crate_01", *fan(128)),
    "unity-moving-mesh": lambda: triangle_mesh(active=True),
    "gltf-not-the-shape": lambda: of("UBX_Crate_01", leaning(0.01)),
    "gltf-uneven-scale": lambda: of("USP_Crate_01", *round_mesh(), scale=(1.0, 1.0, 1.001)),
    "gltf-offset": lambda: of("UBX_Crate_01", np.add(CORNERS, (0.1, 0.0, 0.0))),
    "gltf-capsule-axis": lambda: of("UCP_Crate_01", *round_mesh(0.5, 1.0, axis=0)),
    "usd-uneven-scale": lambda: of("USP_Crate_01", *round_mesh(), scale=(1.0, 1.0, 1.001)),
    "usd-nested-body": lambda: nested(active=True),
    "usd-moving-mesh": lambda: triangle_mesh(active=True),
}
SOUND = {
    "unreal-name": lambda: of("UCX_Crate_01"),
    "unreal-instanced": lambda: of("UCX_Crate_01"),
    "unreal-no-render-mesh": longer_name,
    "unreal-orphan": lambda: (crate(), add("UCX_Crate_01")),
    "unreal-other-mesh": lambda: (add("Box"), of("UCX_Crate_01")),
    "unreal-ambiguous": lambda: (add("Crate_01"), add("UCX_Crate_01_01", parent=bpy.data.objects["Crate_01"]), crate()),
    "unreal-capitals": lambda: of("UCX_Crate_01"),
    "unreal-lod": lambda: levels("UCX_Crate_LOD0_01"),
    "unreal-not-a-box": lambda: of("UBX_Crate_01", rotation_euler=(0.3, 0.4, 0.5), scale=(1.0, 2.0, 3.0)),
    "unreal-not-a-sphere": lambda: of("USP_Crate_01", *egg(1.04)),
    "unreal-not-a-capsule": lambda: of("UCP_Crate_01", *round_mesh(0.5, 1.0)),
    "godot-name": lambda: of("Crate_01-colonly"),
    "godot-number": lambda: of("Crate-convcolonly_001"),
    "godot-3-number": lambda: of("Crate_001-convcolonly"),
    "godot-empty-name": lambda: of("1-convcolonly"),
    "godot-capitals": lambda: of("CRATE_01-convcolonly"),
    "godot-mesh-name": lambda: mesh_named("Crate-colonly"),
    "godot-shared-mesh": lambda: shared("Crate_01-convcolonly", "Crate_02-convcolonly"),
    "godot-moving-mesh": lambda: triangle_mesh(active=False),
    "godot-capsule-height": lambda: of("USP_Crate_01", *round_mesh()),
    "unity-import-script": lambda: of("UCX_Crate_collider"),
    "unity-vertices": lambda: of("UCX_Crate_01", *fan(253)),
    "unity-triangles": lambda: of("UCX_Crate_01", *fan(127)),
    "unity-moving-mesh": lambda: triangle_mesh(active=False),
    "gltf-not-the-shape": lambda: of("UBX_Crate_01", scale=(1.0, 2.0, 3.0)),
    "gltf-uneven-scale": lambda: of("USP_Crate_01", *round_mesh(), scale=(2.0, 2.0, 2.0)),
    "gltf-offset": lambda: of("UBX_Crate_01", location=(0.1, 0.0, 0.0)),
    "gltf-capsule-axis": lambda: of("UCP_Crate_01", *round_mesh(0.5, 1.0)),
    "usd-uneven-scale": lambda: of("USP_Crate_01", *round_mesh(), scale=(2.0, 2.0, 2.0)),
    "usd-nested-body": lambda: nested(active=False),
    "usd-moving-mesh": lambda: triangle_mesh(active=False),
}


def found(engine):
    report = validate(bpy.context, engine, limits=Limits(vertices=10**6))
    return [(one.rule.id, one.object) for one in report.issues]


def test_every_rule_has_a_scene_that_breaks_it_and_one_that_just_does_not():
    assert set(BROKEN) == set(SOUND) == {rule.id for rule in RULES} - {rule.id for rule in GENERAL}


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.engine != "any"], ids=lambda rule: rule.id)
def test_it_is_found_for_its_engine_only(scene, rule):
    BROKEN[rule.id]()
    assert [name for name, _ in found(rule.engine)].count(rule.id) == 1
    for engine in set(ENGINES) - {rule.engine}:
        assert rule.id not in [name for name, _ in found(engine)]


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.engine != "any"], ids=lambda rule: rule.id)
def test_what_just_keeps_it_is_left_alone(scene, rule):
    SOUND[rule.id]()
    assert rule.id not in [name for name, _ in found(rule.engine)]


# Rules of an engine that say more than the rules for any engine that their scenes break, too: that Unreal looks for a
# name, and which one; which height Godot gives a capsule.
SAYS_MORE = {"unreal-orphan": {"orphan-collider"}, "godot-capsule-height": {"collider-sticks-out"}}


def general(engine):
    """The rules for any engine that the scene breaks, each with the objects that break it."""
    return {(name, ob) for name, ob in found(engine) if name in {rule.id for rule in GENERAL}}


@pytest.mark.parametrize("rule", [rule for rule in RULES if rule.engine != "any"], ids=lambda rule: rule.id)
def test_no_rule_for_any_engine_says_it_already(scene, rule):
    BROKEN[rule.id]()
    objects = {ob for name, ob in found(rule.engine) if name == rule.id}
    broken = {name for name, ob in general(rule.engine) if ob in objects}
    bpy.data.batch_remove(bpy.data.objects)
    SOUND[rule.id]()
    repeated = broken - {name for name, _ in general(rule.engine)}
    assert repeated == SAYS_MORE.get(rule.id, set()), "is another rule needed where this one is broken already?"


def test_rules_are_named_once_and_have_what_they_need():
    assert len({rule.id for rule in RULES}) == len(RULES)
    for rule in RULES:
        assert rule.engine in ENGINES
        assert rule.severity in SEVERITIES
        assert rule.sentence.endswith(".")
        assert rule.advice.endswith(".")
        assert rule.engine == "any" or rule.id.startswith(f"{rule.engine}-")
    assert {rule.engine for rule in rules_for("godot")} == {"any", "godot"}


@pytest.mark.parametrize(
    ("name", "role"),
    [
        ("UBX_Crate_01", ("unreal", "BOX", True, "Crate_01")),
        ("mcdcx_Crate", ("unreal", "HULL", True, "Crate")),
        ("Crate-col", ("godot", "MESH", False, "Crate")),
        ("Crate_colonly_01", ("godot", "MESH", True, "Crate")),
        ("Crate-rigid_02", ("godot", "HULL", False, "Crate")),
        ("Crate-convcol.001", ("godot", "HULL", False, "Crate")),
        ("Crate$convcolonly_low", ("godot", "HULL", True, "Crate")),
        ("Crate-convcolonly 12", ("godot", "HULL", True, "Crate")),
        ("Protocol", None),
        ("Crate-column", None),
        ("Crate", None),
        ("UBXCrate", None),
    ],
)
def test_what_names_say(name, role):
    answer = role_of(name)
    assert (None if answer is None else (answer.system, answer.kind, answer.own, answer.stem)) == role
    assert answer is None or answer.read


# Whose collider it is, and what is read.


def test_hidden_colliders_count_where_they_are(scene):
    parent = add("Crate", location=(5.0, 0.0, 0.0), scale=(2.0, 2.0, 2.0))
    ob = add("UCX_Crate_01", parent=parent)
    assert ("unapplied-scale", ob.name) in found("any")
    for hide in (lambda: ob.hide_set(True), lambda: setattr(ob, "hide_viewport", True)):
        hide()
        parent.location.x += 1.0
        bpy.context.view_layer.update()
        names = found("any")
        assert ("unapplied-scale", ob.name) in names
        assert "collider-sticks-out" not in [name for name, _ in names], "it moves along with its parent"


def test_modifiers_of_what_is_shown_count(scene):
    of("UCX_Crate_01", faces=SIDES[1:])
    ob = bpy.data.objects["UCX_Crate_01"]
    assert ("open-mesh", ob.name) in found("any")
    ob.modifiers.new("Thick", "SOLIDIFY")
    assert "open-mesh" not in [name for name, _ in found("any")]


def test_scopes_take_bodies_whole(scene):
    of("UCX_Crate_01", scale=(2.0, 1.0, 1.0))
    add("Lamp", location=(9.0, 0.0, 0.0)).select_set(True)
    report = validate(bpy.context, "any", "SELECTED")
    assert [(one.rule.id, one.object) for one in report.issues] == [("no-collider", "Lamp")]
    bpy.data.objects["Lamp"].select_set(False)
    bpy.data.objects["Crate"].select_set(True)
    report = validate(bpy.context, "any", "SELECTED")
    assert ("unapplied-scale", "UCX_Crate_01") in [(one.rule.id, one.object) for one in report.issues]
    assert (report.bodies, report.colliders) == (1, 1)


def test_a_mesh_that_is_its_own_collider_for_godot(scene):
    add("Crate-col")
    assert found("godot") == []
    assert found("any") == []
    assert found("unreal") == [("no-collider", "Crate-col")]


def test_operands_of_booleans_need_no_collider(scene):
    wall, cutter, box = (
        add(name, location=(9.0 * x, 0.0, 0.0)) for x, name in enumerate(("Wall-col", "Cutter", "Cutter-col"))
    )
    for operand in (cutter, box):
        wall.modifiers.new("Cut", "BOOLEAN").object = operand
    assert found("any") == [("no-collider", "Cutter")]
    cutter.display_type = box.display_type = "WIRE"
    assert found("any") == []
    # Godot makes a collider of one that has a suffix.
    assert validate(bpy.context, "godot").bodies == 2


def test_objects_that_were_made_as_colliders_count(scene):
    parent = crate()
    ob = add("Crate_collider", parent=parent)
    ob.collision_kit.collider.kind = "HULL"
    assert found("gltf") == []
    assert ("unreal-name", "Crate_collider") in found("unreal")


def test_an_engine_that_there_is_not_is_refused(scene):
    with pytest.raises(ValueError, match="quake"):
        validate(bpy.context, "quake")


def test_the_least_thickness_is_in_meters(scene):
    of("UCX_Crate_01", np.multiply(CORNERS, (1.0, 1.0, 0.25)))
    assert "too-small" not in [one.rule.id for one in validate(bpy.context).issues]
    bpy.context.scene.unit_settings.scale_length = 0.01
    assert "too-small" in [one.rule.id for one in validate(bpy.context).issues]


@pytest.mark.parametrize("name", ["UCX_Crat_01", "UCX_ Crate_01", "UCX_Crate01", "UCX_Crate 01", "UBX_House_01"])
@pytest.mark.parametrize("parented", [False, True])
def test_a_name_that_fits_no_mesh_is_an_error_that_names_the_nearest_meshes(scene, name, parented):
    parent = crate()
    add("Barrel")
    empty = bpy.data.objects.new("House", None)
    bpy.context.scene.collection.objects.link(empty)
    add(name, parent=parent if parented else empty)
    bpy.context.view_layer.update()
    (one,) = (one for one in validate(bpy.context, "unreal").issues if one.rule.id in NO_MESH)
    assert (one.rule.severity, one.object, one.fixable) == ("error", name, parented)
    # What is like none of the meshes gets the names of all.
    assert one.values["nearest"] == ("Crate, Barrel" if name == "UBX_House_01" else "Crate")


def test_without_any_mesh_no_name_is_proposed(scene):
    add("UCX_Crate_01")
    bpy.context.view_layer.update()
    (one,) = (one for one in validate(bpy.context, "unreal").issues if one.rule.id in NO_MESH)
    assert one.values["nearest"] == "–"
