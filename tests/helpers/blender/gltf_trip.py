# SPDX-License-Identifier: GPL-3.0-or-later
"""A scene written as glTF and read back in another Blender, and assertions that the file conforms to the extensions."""

import json
from pathlib import Path

import bpy

import collision_kit
from tests.helpers.blender.gltf_scene import read_shapes
from tests.helpers.blender.other_blender import OtherBlender
from tests.helpers.gltf_files import File, Found, declared, read_file

# The setup of each Blender. The extension is enabled as an add-on, so that Blender's own glTF add-on finds its hooks.
BEGIN = """
import bpy, sys
extension, root = {extension!r}, {root!r}
if extension:
    import addon_utils
    addon_utils.enable(extension, default_set=True)
else:
    sys.path.insert(0, root)
    import collision_kit
    collision_kit.register()
    bpy.context.preferences.addons.new().module = "collision_kit"
"""
TRIP = """
import bpy, importlib, json
folder, extension, options = arguments
notes = importlib.import_module((extension or "collision_kit") + ".addon.exchange.issues")
bpy.ops.wm.open_mainfile(filepath=folder + "/before.blend")
bpy.ops.export_scene.gltf(filepath=folder + "/scene.glb", **json.loads(options))
said = [list(notes.last_lines())]
bpy.ops.wm.read_homefile(use_empty=True)
bpy.ops.import_scene.gltf(filepath=folder + "/scene.glb")
said.append(list(notes.last_lines()))
open(folder + "/notes.json", "w").write(json.dumps(said))
bpy.ops.wm.save_as_mainfile(filepath=folder + "/after.blend", compress=False)
"""
EXTENSION = collision_kit.__name__ if collision_kit.__name__.startswith("bl_ext.") else ""
OTHER = OtherBlender(BEGIN.format(extension=EXTENSION, root=str(Path(collision_kit.__file__).parent.parent)))


class Trip:
    """The scene written to a file; `back` loads the scene that is read from it."""

    def __init__(self, folder: Path, **options: object) -> None:
        self.folder = folder
        bpy.context.view_layer.update()
        self.shapes = read_shapes()
        self.names = {ob.name for ob in bpy.data.objects}
        bpy.ops.wm.save_as_mainfile(filepath=str(folder / "before.blend"), compress=False)
        told = OTHER.run(TRIP, str(folder), EXTENSION, json.dumps(options))
        assert (folder / "after.blend").exists(), told
        self.notes, self.read_notes = json.loads((folder / "notes.json").read_text())
        self.file: File = read_file(folder / "scene.glb")
        self.declared: list[Found] = declared(self.file)

    def back(self) -> dict[str, object]:
        bpy.ops.wm.open_mainfile(filepath=str(self.folder / "after.blend"))
        return read_shapes()

    def node(self, name: str) -> dict:
        (found,) = (node for node in self.file.nodes if node["name"] == name)
        return found


def assert_valid(file: File) -> None:
    """Assert that the JSON conforms to the schemas of the KHR drafts (October 2025, January 2026) and OMI."""
    assert_omi_valid(file)
    used = file.json.get("extensionsUsed", [])
    root = file.json.get("extensions", {})
    assert not {"KHR_implicit_shapes", "KHR_physics_rigid_bodies"} & set(file.json.get("extensionsRequired", []))
    assert ("KHR_implicit_shapes" in used) == ("KHR_implicit_shapes" in root)
    extended = [node["extensions"] for node in file.nodes if "extensions" in node]
    with_physics = [one["KHR_physics_rigid_bodies"] for one in extended if "KHR_physics_rigid_bodies" in one]
    assert ("KHR_physics_rigid_bodies" in used) == bool(with_physics)
    shapes = root.get("KHR_implicit_shapes", {"shapes": [None]})["shapes"]
    assert len(shapes) >= 1
    for shape in shapes:
        if shape is None:
            continue
        assert set(shape) == {"type", shape["type"]} if shape["type"] != "plane" else set(shape) <= {"type", "plane"}
        fields = shape.get(shape["type"], {})
        allowed = {
            "box": {"size"},
            "sphere": {"radius"},
            "capsule": {"height", "radiusBottom", "radiusTop"},
            "cylinder": {"height", "radiusBottom", "radiusTop"},
            "plane": {"doubleSided"},
        }[shape["type"]]
        assert set(fields) <= allowed
        numbers = [number for value in fields.values() for number in (value if isinstance(value, list) else [value])]
        assert all(number > 0.0 for number in numbers) or shape["type"] == "plane"
        assert len(fields.get("size", [1, 2, 3])) == 3
    lists = root.get("KHR_physics_rigid_bodies", {})
    assert set(lists) <= {"physicsMaterials", "collisionFilters"}
    for content in with_physics:
        assert set(content) <= {"motion", "collider", "trigger"} and content
        for role in {"collider", "trigger"} & set(content):
            one = content[role]
            geometry = one["geometry"]
            assert len({"shape", "mesh", "node"} & set(geometry)) == 1
            assert set(geometry) <= {"shape", "mesh", "node", "convexHull"}
            for name, entries in (("shape", shapes), ("mesh", file.json.get("meshes", [])), ("node", file.nodes)):
                assert geometry.get(name, 0) in range(max(len(entries), 1))
            fields = {"geometry", "collisionFilter", "extras"} | ({"physicsMaterial"} if role == "collider" else set())
            assert set(one) <= fields
            assert one.get("physicsMaterial", 0) in range(max(len(lists.get("physicsMaterials", [])), 1))
            assert one.get("collisionFilter", 0) in range(max(len(lists.get("collisionFilters", [])), 1))


OMI_FIELDS = {
    "box": {"size"},
    "sphere": {"radius"},
    "capsule": {"height", "radiusBottom", "radiusTop", "radius"},
    "cylinder": {"height", "radiusBottom", "radiusTop", "radius"},
    "convex": {"mesh"},
    "trimesh": {"mesh"},
}


def assert_omi_valid(file: File) -> None:
    """Assert that the JSON conforms to the schemas of OMI_physics_shape and OMI_physics_body, of November 2024."""
    used, root = file.json.get("extensionsUsed", []), file.json.get("extensions", {})
    assert not {"OMI_physics_shape", "OMI_physics_body"} & set(file.json.get("extensionsRequired", []))
    assert ("OMI_physics_shape" in used) == ("OMI_physics_shape" in root)
    bodies = [node["extensions"]["OMI_physics_body"] for node in file.nodes if is_omi(node)]
    assert ("OMI_physics_body" in used) == bool(bodies)
    shapes = root.get("OMI_physics_shape", {}).get("shapes", [])
    assert shapes or "OMI_physics_shape" not in root
    for shape in shapes:
        kind = shape["type"]
        assert set(shape) == {"type", kind}
        assert set(shape[kind]) <= OMI_FIELDS[kind] and shape[kind]
        if kind in {"convex", "trimesh"}:
            assert shape[kind]["mesh"] in range(len(file.json["meshes"]))
            continue
        values = list(shape[kind].values())
        numbers = [number for value in values for number in (value if isinstance(value, list) else [value])]
        assert all(number > 0.0 for number in numbers)
        assert len(shape[kind].get("size", [1, 2, 3])) == 3
    lists = root.get("OMI_physics_body", {})
    assert set(lists) <= {"physicsMaterials", "collisionFilters"}
    for body in bodies:
        assert body and set(body) <= {"motion", "collider", "trigger"}
        if "motion" in body:
            assert body["motion"]["type"] in {"static", "kinematic", "dynamic"}
            assert set(body["motion"]) <= {"type", "mass"}
        for role, fields in (("collider", {"physicsMaterial"}), ("trigger", set())):
            if role not in body:
                continue
            assert set(body[role]) <= {"shape", "collisionFilter", "extras"} | fields
            assert body[role]["shape"] in range(len(shapes))
            assert body[role].get("physicsMaterial", 0) in range(max(len(lists.get("physicsMaterials", [])), 1))
            assert body[role].get("collisionFilter", 0) in range(max(len(lists.get("collisionFilters", [])), 1))
    for entry in lists.get("collisionFilters", []):
        assert not {"collideWithSystems", "notCollideWithSystems"} <= set(entry)
        assert entry.get("collideWithSystems", ["some"])


def is_omi(node: dict) -> bool:
    return "OMI_physics_body" in node.get("extensions", {})
