# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in USD files, those of other programs among them, are colliders when commands read the file."""

import json
import random
import re
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.scene.files import open_scene
from collision_kit.addon.usd.importing import stand_in, take_physics
from collision_kit.addon.usd.library import lacking
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh
from tests.helpers.blender.colliders_scene import make, select
from tests.helpers.blender.command_errors import run

pytestmark = [pytest.mark.usefixtures("scene")]

if lacking():
    pytest.skip(lacking(), allow_module_level=True)

from pxr import Usd, UsdGeom, UsdPhysics  # noqa: E402  # where there is OpenUSD

CUBE = """
    point3f[] points = [({0}, -1, -1), ({1}, -1, -1), ({1}, 1, -1), ({0}, 1, -1),
                        ({0}, -1, 1), ({1}, -1, 1), ({1}, 1, 1), ({0}, 1, 1)]
    int[] faceVertexCounts = [4, 4, 4, 4, 4, 4]
    int[] faceVertexIndices = [0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7]
"""
# As Isaac Sim and others write it: bodies with folders of what is seen and of what collides.
FOREIGN = """#usda 1.0
( defaultPrim = "World"
  metersPerUnit = 1
  upAxis = "Z" )

def Xform "World"
{
    def Xform "Arm" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] )
    {
        def Xform "visuals"
        {
            def Mesh "shell" { CUBE }
            def Mesh "cover" { CUBE }
        }
        def Xform "collisions"
        {
            def Cube "box" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) {
                uniform token purpose = "guide"
            }
            def Sphere "ball" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) {
                uniform token purpose = "guide"
            }
            def Mesh "skin" ( prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"] )
            {
                uniform token physics:approximation = "convexDecomposition"
                uniform token purpose = "guide"
                CUBE
            }
        }
    }
    def Mesh "Floor" ( prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"] )
    {
        uniform token physics:approximation = "boundingCube"
        CUBE
    }
    def Xform "Rail" ( prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"] )
    {
        uniform token physics:approximation = "convexHull"
        def Mesh "rail" { CUBE }
    }
    def Mesh "Off" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )
    {
        bool physics:collisionEnabled = 0
        CUBE
    }
    def Mesh "Plain" { CUBE }
}
""".replace("CUBE", CUBE.format(-1, 1))


def in_lines(text: str) -> str:
    """USD wants a line for each brace."""
    return re.sub(r"([{}])", r"\n\1\n", text)


def read_file(path: Path) -> dict[str, bpy.types.Object]:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.wm.usd_import(filepath=str(path), import_guide=True, import_proxy=True, import_render=True)
    take_physics(bpy.context, path)
    return {ob.name: ob for ob in bpy.context.scene.objects}


def shapes(found: dict[str, bpy.types.Object]) -> dict[str, tuple[str, str]]:
    """The shape and the kind of collider of each mesh."""
    return {
        name: (ob.collision_kit.shape, ob.collision_kit.collider.kind)
        for name, ob in found.items()
        if ob.type == "MESH"
    }


def extent(ob: bpy.types.Object) -> np.ndarray:
    """Size along the axes of the world."""
    return np.ptp([ob.matrix_world @ vertex.co for vertex in ob.data.vertices], axis=0)


def test_colliders_of_another_program_are_read(tmp_path: Path) -> None:
    file = tmp_path / "arm.usda"
    file.write_text(FOREIGN)
    found = read_file(file)
    assert shapes(found) == {
        "shell": ("AUTO", "NONE"),
        "cover": ("AUTO", "NONE"),
        "box": ("BOX", "BOX"),
        "ball": ("SPHERE", "SPHERE"),
        "skin": ("MESH", "MESH"),
        "Floor": ("BOX", "NONE"),
        "Rail": ("HULL", "NONE"),
        "Off": ("AUTO", "NONE"),
        "Plain": ("AUTO", "NONE"),
    }
    owner = {name: api.render_mesh_of(name) for name in ("box", "ball", "skin")}
    assert set(owner.values()) == {found["shell"]}


def test_render_meshes_of_our_files_come_back_with_their_names_colliders_and_places(tmp_path: Path) -> None:
    rock = add("Rock", cube_mesh(), at=(1.0, 2.0, 3.0))
    rock.rotation_euler = (0.1, 0.2, 0.3)
    bpy.context.view_layer.update()
    add("Case", l_mesh(), parent=rock, at=(5.0, 0.0, 0.0))
    rock.data.name, bpy.data.objects["Case"].data.name = "One", "Two"
    select(rock)
    for kind in ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL"):
        select(rock)
        make(kind, engine="GLTF")
    before = {ob.name: ob.matrix_world.copy() for ob in bpy.data.objects}
    file = tmp_path / "rock.usdc"
    assert api.export_usd(file) == ()
    found = read_file(file)
    renders = {name: ob for name, ob in found.items() if ob.type == "MESH" and "collider" not in name}
    assert set(renders) == {"Rock", "Case"} and renders["Case"].parent == renders["Rock"]
    for name, ob in renders.items():
        assert np.abs(np.array(ob.matrix_world) - np.array(before[name])).max() < 1e-5
    assert {kind for name, (_, kind) in shapes(found).items() if "collider" in name} == {
        "BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL",
    }  # fmt: skip
    assert {api.render_mesh_of(ob) for name, ob in found.items() if "collider" in name and ob.type == "MESH"} == {
        found["Rock"]
    }
    assert "orphan-collider" not in {one.rule.id for one in api.validate_colliders("USD").issues}


@pytest.mark.parametrize("engine", ["USD", "GLTF", "UNREAL", "GODOT", "UNITY"])
def test_colliders_made_here_have_no_issues_when_they_come_back(engine: str, tmp_path: Path) -> None:
    """A box is a cube with a scale in the file, a cylinder has vertices twice, and each is placed by an empty."""
    for number, kind in enumerate(("BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL")):
        name = f"{kind.title()}Prop"
        halves = (2.0, 1.0, 0.5) if kind == "BOX" else (0.5, 0.5, 1.0)
        shaped = add(name, cube_mesh(halves), at=(5.0 * number, 0.0, 0.0))
        shaped.rotation_euler = (0.1, 0.2, 0.3)
        bpy.context.view_layer.update()
        api.make_collider([name], kind, engine="GLTF" if engine == "USD" else engine)
    bpy.context.view_layer.update()
    # USD has no hyphens in names.
    before = {ob.name.replace("-", "_"): extent(ob) for ob in bpy.data.objects}
    issues = {one.rule.id for one in api.validate_colliders(engine).issues}
    file = tmp_path / "props.usda"
    api.export_usd(file)
    found = read_file(file)
    assert {one.rule.id for one in api.validate_colliders(engine).issues} == issues
    assert {ob.name for ob in found.values() if ob.type == "EMPTY"} <= {"root"}
    assert {ob.name for ob in found.values() if ob.type == "MESH"} == set(before)
    for name, size in before.items():
        assert tuple(found[name].matrix_world.to_scale()) == pytest.approx((1.0, 1.0, 1.0), abs=1e-6)
        # Blender makes round meshes of round primitives, with vertices of its own.
        round_one = any(kind in name for kind in ("Sphere", "Capsule", "Cylinder"))
        assert extent(found[name]) == pytest.approx(size, rel=0.06 if round_one else 1e-5)


def test_objects_whose_data_has_their_name_come_back_without_numbers(tmp_path: Path) -> None:
    names = [f"Crate{letter}" for letter in "ABCDEFGH"]
    for number, name in enumerate(names):
        add(name, cube_mesh(), at=(3.0 * number, 0.0, 0.0)).data.name = name
    api.make_collider(names, "BOX", engine="GLTF")
    api.export_usd(tmp_path / "scene.usda")
    open_scene(tmp_path / "scene.usda")
    assert take_physics(bpy.context, tmp_path / "scene.usda") == ()
    assert sorted(body.name for body in api.check_collisions().bodies) == names


def test_two_objects_with_one_name_are_told_apart(tmp_path: Path) -> None:
    file = tmp_path / "two.usda"
    place = """
def Xform "NAME"
{
    def Mesh "hit" ( prepend apiSchemas = ["PhysicsCollisionAPI"] )
    {
        uniform token purpose = "guide"
        CUBE
    }
    def Mesh "seen" { CUBE }
}
"""
    parts = (("A", CUBE.format(0, 2)), ("B", CUBE.format(10, 12)))
    text = "".join(place.replace("NAME", name).replace("CUBE", cube) for name, cube in parts)
    file.write_text(f'#usda 1.0\n( upAxis = "Z"\n  metersPerUnit = 1 )\n{text}')
    found = read_file(file)
    assert {ob.name for ob in found.values() if ob.type == "MESH" and ob.collision_kit.collider.kind == "NONE"} == {
        "A",
        "B",
    }
    for name, low in (("A", 0.0), ("B", 10.0)):
        (hit,) = api.colliders_of([name])
        assert min((hit.matrix_world @ vertex.co).x for vertex in hit.data.vertices) == pytest.approx(low)


LINKS = """#usda 1.0
( defaultPrim = "Robot"
  metersPerUnit = 1
  upAxis = "Z" )
def Scope "Seen" { token visibility = "invisible"
    def Xform "v" { def Mesh "m" { CUBE } } }
def Scope "Solid" { token visibility = "invisible"
    def Xform "c" { def Mesh "m" ( prepend apiSchemas = ["PhysicsCollisionAPI", "PhysicsMeshCollisionAPI"] ) {
        uniform token physics:approximation = "convexHull"
        uniform token purpose = "guide"
        CUBE } } }
def Xform "Robot" {
LINKS
}
""".replace("CUBE", CUBE.format(-1, 1))
LINK = """    def Xform "NAME" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] ) {
        double3 xformOp:translate = (PLACE, 0, 0)
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def Xform "visuals" ( instanceable = FLAG
          prepend references = </Seen/v> ) { }
        def Xform "collisions" ( instanceable = FLAG
          prepend references = </Solid/c> ) { } }"""


@pytest.mark.parametrize("flag", ["true", "false"])
def test_what_is_in_a_rigid_body_is_one_body_with_its_colliders(flag: str, tmp_path: Path) -> None:
    links = "".join(LINK.replace("NAME", name).replace("PLACE", x) for name, x in (("Left", "0"), ("Right", "1.5")))
    file = tmp_path / "links.usda"
    file.write_text(in_lines(LINKS.replace("LINKS", links).replace("FLAG", flag)))
    open_scene(file)
    assert take_physics(bpy.context, file) == ()
    report = api.check_collisions()
    assert [one.name for one in report.bodies] == ["Left", "Right"]
    (pair,) = report.pairs
    assert pair.distance == pytest.approx(-0.5, abs=1e-5)
    assert not {one.rule.id for one in api.validate_colliders("USD").issues} & {"orphan-collider", "no-collider"}


@pytest.mark.parametrize("joint", ["PhysicsFixedJoint", "PhysicsRevoluteJoint", "filtered", "collides", "off"])
def test_what_joints_link_is_folded(joint: str, tmp_path: Path) -> None:
    links = "".join(LINK.replace("NAME", name).replace("PLACE", x) for name, x in (("Left", "0"), ("Right", "1.5")))
    ends = "rel physics:body0 = </Robot/Left>\nrel physics:body1 = </Robot/Right/visuals>"
    if joint == "filtered":
        links = links.replace(
            '"Left" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] ) {',
            '"Left" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsFilteredPairsAPI"] ) {\n'
            "        rel physics:filteredPairs = </Robot/Right>",
        )
    else:
        more = {"collides": "bool physics:collisionEnabled = true", "off": "bool physics:jointEnabled = false"}
        kind = "PhysicsFixedJoint" if joint in more else joint
        links += f'    def {kind} "weld" {{\n{ends}\n{more.get(joint, "")}\n}}'
    file = tmp_path / "links.usda"
    file.write_text(in_lines(LINKS.replace("LINKS", links).replace("FLAG", "false")))
    open_scene(file)
    assert take_physics(bpy.context, file) == ()
    report = api.check_collisions()
    assert [one.name for one in report.bodies] == ["Left", "Right"]
    assert len(report.pairs) == 1
    assert bool(report.folded) == (joint not in ("collides", "off"))
    constraints = [ob.rigid_body_constraint for ob in bpy.data.objects if ob.rigid_body_constraint is not None]
    expected = "GENERIC" if joint in ("PhysicsRevoluteJoint", "filtered") else "FIXED"
    assert [one.type for one in constraints] == [expected]


def test_all_that_is_seen_of_a_rigid_body_is_tested_as_its_colliders(tmp_path: Path) -> None:
    file = tmp_path / "arm.usda"
    file.write_text(FOREIGN)
    read_file(file)
    report = api.check_collisions()
    assert {one.name for one in report.bodies} == {"Arm", "Floor", "Rail", "Off", "Plain"}
    assert {one.object for one in report.shapes} & {"shell", "cover"} == set()
    found = {one.object for one in api.validate_colliders("USD").issues if one.rule.id == "no-collider"}
    assert found == {"Off", "Plain"}


def test_objects_have_the_names_of_prims_that_tell_them_apart(tmp_path: Path) -> None:
    file = tmp_path / "chess.usda"
    board = 'def Xform "Board" { def Mesh "Geom" { CUBE } def Scope "Looks" { } }'
    pawn = 'def Xform "NAME" { def Mesh "Body" { CUBE } def Mesh "Top" { CUBE } }'
    pawns = "".join(pawn.replace("NAME", name) for name in ("White", "Black"))
    text = f'def Xform "Chess" {{ {board} {pawns} def Xform "Geom" {{ def Mesh "Geom" {{ CUBE }} }} }}'
    text = in_lines(text.replace("CUBE", CUBE.format(-1, 1)))
    file.write_text(f'#usda 1.0\n( defaultPrim = "Chess"\n  upAxis = "Z"\n  metersPerUnit = 1 )\n{text}')
    open_scene(file)
    take_physics(bpy.context, file)
    names = {ob.name for ob in bpy.context.scene.objects if ob.type == "MESH"}
    assert names == {"Board", "Geom", "White/Body", "White/Top", "Black/Body", "Black/Top"}


@pytest.mark.parametrize("seed", range(3))
def test_prims_of_one_name_have_the_shapes_of_their_own_paths(seed: int, tmp_path: Path) -> None:
    draw = random.Random(seed)
    parts = []
    for number in range(12):
        kind = draw.choice(("Cube", "Cylinder", "Sphere", "Mesh"))
        place = ", ".join(str(round(draw.uniform(-9, 9), 3)) for _ in range(3))
        size = str(round(draw.uniform(0.1, 2), 3))
        body, shape = ("PhysicsRigidBodyAPI",), ("PhysicsCollisionAPI",)
        outer, inner = draw.choice(((body, shape), ((), (*body, *shape)), ((), shape), ((), ())))
        seen = f'def Xform "pillar_{number}" {schemas(outer)} {{\nfloat3 xformOp:scale = ({size}, {size}, {size})\n'
        seen += f"double3 xformOp:translate = ({place})\n"
        seen += 'uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]\n'
        mesh = CUBE.format(-1, 1) if kind == "Mesh" else ""
        parts.append(f'{seen}def {kind} "geom" {schemas(inner)} {{ {mesh} }} }}')
    if draw.random() < 0.5:
        # Of the first three, their copies are instances.
        copy = 'def "more_{0}" (\ninstanceable = true\nprepend references = </pillar_{0}>\n) {{ }}'
        parts += [copy.format(one) for one in range(3)]
    file = tmp_path / "level.usda"
    file.write_text(in_lines('#usda 1.0\n( upAxis = "Z"\n  metersPerUnit = 1 )\n' + "\n".join(parts)))
    open_scene(file, stand_in=stand_in)
    take_physics(bpy.context, file)
    # OpenUSD measures the prims itself.
    stage = Usd.Stage.Open(str(file))
    boxes = UsdGeom.BBoxCache(Usd.TimeCode.Default(), ["default"])
    ranges = [
        (prim.GetPath().pathString, boxes.ComputeWorldBound(prim).ComputeAlignedRange())
        for prim in Usd.PrimRange(stage.GetPseudoRoot(), Usd.TraverseInstanceProxies())
        if prim.IsA(UsdGeom.Gprim)
    ]
    assert len(ranges) == len(parts)
    for path, wanted in ranges:
        ob = bpy.data.objects[path.split("/")[1]]
        assert "collision_kit_prim" not in {*ob.keys(), *ob.data.keys()}
        middle = np.mean([ob.matrix_world @ vertex.co for vertex in ob.data.vertices], axis=0)
        np.testing.assert_allclose(middle, wanted.GetMidpoint(), atol=1e-5)
        prim = stage.GetPrimAtPath(path)
        shape = {"Cube": "BOX", "Cylinder": "CYLINDER", "Sphere": "SPHERE", "Mesh": "MESH"}[prim.GetTypeName()]
        collides = any(one.HasAPI(UsdPhysics.CollisionAPI) for one in (prim, prim.GetParent()))
        assert ob.collision_kit.shape == (shape if collides else "AUTO")


def schemas(names: tuple[str, ...]) -> str:
    """The schemas that a prim has, as text of the file."""
    return f"( prepend apiSchemas = {json.dumps(names)} )" if names else ""


# As robots are written: what has no type groups what is seen and what collides, and a joint has the name of a body.
GROUPED = """#usda 1.0
( defaultPrim = "Robot"
  metersPerUnit = 0.01
  upAxis = "Z"
  endTimeCode = 20 )
class "Bricks" { def "inside" { def Mesh "brick" { CUBE } } }
def Xform "Robot" {
    double3 xformOp:translate = (0, 0, 300)
    uniform token[] xformOpOrder = ["xformOp:translate"]
    def "joints" { def PhysicsRevoluteJoint "foot" { rel physics:body0 = </Robot/leg>
        rel physics:body1 = </Robot/foot> } }
    def Xform "leg" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] ) {
        def "visuals" { def OfSomeProgram "more" { def Mesh "part" { CUBE } } }
        def "collisions" { def Cube "part" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) {
            uniform token purpose = "guide"
            double3 xformOp:translate = (5, 0, 0)
            uniform token[] xformOpOrder = ["xformOp:translate"] } } }
    def Xform "foot" ( prepend apiSchemas = ["PhysicsRigidBodyAPI"] ) {
        double3 xformOp:translate.timeSamples = SAMPLES
        uniform token[] xformOpOrder = ["xformOp:translate"]
        def "visuals" ( instanceable = FLAG
            prepend references = </Bricks> ) { } } }
""".replace("CUBE", CUBE.format(-1, 1))


def grouped(flag: str) -> str:
    """The text of that file; `flag` says whether the bricks are an instance."""
    return in_lines(GROUPED.replace("FLAG", flag)).replace("SAMPLES", "{ 1: (400, 0, 0), 11: (900, 0, 0) }")


@pytest.mark.parametrize("flag", ["true", "false"])
def test_what_is_below_prims_without_a_type_is_where_the_file_says(flag: str, tmp_path: Path) -> None:
    file = tmp_path / "robot.usda"
    file.write_text(grouped(flag))
    open_scene(file, stand_in=stand_in)
    assert take_physics(bpy.context, file) == ()
    places = {}
    for frame in (1, 11):
        bpy.context.scene.frame_set(frame)
        report = api.check_collisions()
        assert [one.name for one in report.bodies] == ["foot", "leg"]
        places[frame] = [
            tuple(round(x, 4) for x in ob.matrix_world.translation) for ob in bpy.data.objects if ob.type == "MESH"
        ]
    assert sorted(places[1]) == [(0.0, 0.0, 3.0), (0.05, 0.0, 3.0), (4.0, 0.0, 3.0)]
    assert sorted(places[11]) == [(0.0, 0.0, 3.0), (0.05, 0.0, 3.0), (9.0, 0.0, 3.0)]
    assert {Path(cache.filepath) for cache in bpy.data.cache_files} == {file}


def test_a_file_stands_in_only_where_it_must(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plain, robot, broken = (tmp_path / f"{name}.usda" for name in ("plain", "robot", "broken"))
    plain.write_text(FOREIGN)
    robot.write_text(grouped("true"))
    broken.write_text("#usda 1.0\ndef {")
    assert [stand_in(one)[0] == one for one in (plain, robot, broken)] == [True, False, True]
    assert robot.read_text() == grouped("true")
    monkeypatch.setattr("collision_kit.addon.usd.importing.lacking", lambda: "no OpenUSD")
    assert stand_in(robot) == (robot, 1.0)


def test_physics_that_cannot_be_read_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file, plain = tmp_path / "arm.usda", tmp_path / "plain.usda"
    file.write_text(FOREIGN)
    plain.write_text(f'#usda 1.0\ndef Mesh "Plain" {{ {CUBE.format(-1, 1)} }}')
    monkeypatch.setattr("collision_kit.addon.usd.importing.lacking", lambda: "no OpenUSD")
    open_scene(file)
    (found,) = take_physics(bpy.context, file)
    assert (found.id, found.severity) == ("not-imported", "error") and "no OpenUSD" in found.message
    open_scene(plain)
    assert take_physics(bpy.context, plain) == ()


@pytest.mark.parametrize(("text", "severity"), [(FOREIGN, "error"), ('#usda 1.0\ndef Xform "Plain" {}\n', "warning")])
def test_what_openusd_cannot_read_is_said_and_the_meshes_are_tested(text: str, severity: str, tmp_path: Path) -> None:
    file = tmp_path / "arm.usda"
    file.write_text(text)
    open_scene(file)
    file.write_text(text + 'def Xform "Late" {\n  float x.timeSamples = {1: 2\n}\n')
    (found,) = take_physics(bpy.context, file)
    assert (found.id, found.severity) == ("not-imported", severity)
    assert f"OpenUSD failed: {file}:" in found.message and "Expected }" in found.message and "\n" not in found.message


def test_commands_read_them(tmp_path: Path, capfd) -> None:
    file = tmp_path / "arm.usda"
    file.write_text(FOREIGN)
    output = run(capfd, "validate", file, "--engine", "usd", "--format", "json")[1]
    named = {(one["id"], one["object"]) for one in json.loads(output)["findings"]}
    assert not {one for one in named if one[0] in ("orphan-collider", "no-collider") and one[1] in ("box", "shell")}
