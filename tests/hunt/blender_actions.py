# SPDX-License-Identifier: GPL-3.0-or-later
"""The operations of `blender_operations`: what an artist, a script and Blender itself do to scenes and files."""

import contextlib
import random
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import bpy

from tests.helpers.blender.footprint import footprint
from tests.hunt.blender_extension import EXTENSION, enabled, kit

MOST_OBJECTS = 24

FOLDER = Path(tempfile.mkdtemp())

# What is being done, for what is found.
DOING: list[str] = []


class Found(Exception):
    """Something is wrong; its text says what in a few words, and `told` all that is known."""

    def __init__(self, what: str, told: str = "") -> None:
        super().__init__(what)
        self.told = told


def last_line(text: str, where: str) -> str:
    """The name of an exception, and the function of ours that it comes from, without numbers."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    places = [line.strip() for line in lines if line.strip().startswith("File ")]
    place = places[-1].rpartition("/")[2].split('"')[0] + places[-1].rpartition(" in ")[1:][1] if places else ""
    error = next((line for line in reversed(lines) if "Error" in line and not line.startswith(" ")), lines[-1])
    return f"{error.partition(':')[0]} in {place} at {where}"


def live_on(on: bool) -> None:
    bpy.context.window_manager.collision_kit.live = on


# The scene.


def objects(*types: str) -> list[bpy.types.Object]:
    return [ob for ob in bpy.context.view_layer.objects if not types or ob.type in types]


def local(*types: str) -> list[bpy.types.Object]:
    return [ob for ob in objects(*types) if ob.library is None and ob.override_library is None]


def near(rng: random.Random) -> list[float]:
    return [rng.uniform(-1.5, 1.5) for _ in range(3)]


def link(ob: bpy.types.Object, rng: random.Random) -> bpy.types.Object:
    places = [bpy.context.scene.collection, *bpy.context.scene.collection.children_recursive]
    rng.choice([place for place in places if place.is_editable]).objects.link(ob)
    return ob


def mesh_of(kind: str, name: str) -> bpy.types.Mesh:
    import bmesh

    mesh = bpy.data.meshes.new(name)
    if kind == "wire":
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 1)], [(0, 1), (1, 2)], [])
    elif kind == "points":
        mesh.from_pydata([(0, 0, 0), (1, 0, 0)], [], [])
    elif kind == "loose":
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0), (3, 3, 1)], [(2, 3)], [(0, 1, 2)])
    elif kind == "flaw":
        mesh.from_pydata([(0, 0, 0), (1, 0, 0), (2, 0, 0), (0, 1, 0)], [], [(0, 1, 2), (0, 1, 3), (1, 0, 3)])
    elif kind != "empty":
        edit = bmesh.new()
        if kind == "cube":
            bmesh.ops.create_cube(edit, size=2.0)
        elif kind == "ball":
            bmesh.ops.create_icosphere(edit, subdivisions=2, radius=1.0)
        elif kind == "grid":
            bmesh.ops.create_grid(edit, x_segments=3, y_segments=3, size=1.5)
        elif kind == "cone":
            bmesh.ops.create_cone(edit, segments=8, radius1=1.0, radius2=0.3, depth=2.0, cap_ends=True)
        else:
            bmesh.ops.create_monkey(edit)
            bmesh.ops.delete(edit, geom=edit.faces[:][::2], context="FACES")
        edit.to_mesh(mesh)
        edit.free()
    return mesh


SOLID = ("cube", "ball", "cone", "monkey", "grid")
MESHES = (*SOLID, "cube", "ball", "grid", "cone", "monkey", "wire", "points", "loose", "flaw", "empty")

OPERATIONS: list[Callable[[random.Random], None]] = []


def often(times: int) -> Callable[[Callable[[random.Random], None]], Callable[[random.Random], None]]:
    def note(function: Callable[[random.Random], None]) -> Callable[[random.Random], None]:
        OPERATIONS.extend([function] * times)
        return function

    return note


def populate(rng: random.Random) -> None:
    """Meshes in each other, and no more frames than are looked at in no time."""
    for number in range(8):
        name = f"Solid {number}"
        ob = link(bpy.data.objects.new(name, mesh_of(rng.choice(SOLID), name)), rng)
        ob.location = near(rng)
    bpy.context.scene.frame_end = 8
    live_on(True)


def object_mode() -> None:
    if bpy.context.mode != "OBJECT":
        bpy.ops.object.mode_set(mode="OBJECT")


@often(8)
def add(rng: random.Random) -> None:
    if len(bpy.data.objects) > MOST_OBJECTS:
        return
    prefix = rng.choice(["", "", "", "UCX_", "UBX_", "USP_", "UCP_"])
    others = [ob.name for ob in objects("MESH")]
    name = f"{prefix}{rng.choice(others)}_01" if prefix and others else rng.choice(["Thing", "Stein", "돌", "A" * 63])
    ob = link(bpy.data.objects.new(name, mesh_of(rng.choice(MESHES), name)), rng)
    ob.location = near(rng)


@often(3)
def add_other(rng: random.Random) -> None:
    if len(bpy.data.objects) > MOST_OBJECTS:
        return
    kind = rng.choice(["EMPTY", "CURVE", "FONT", "META", "CAMERA", "LIGHT", "ARMATURE", "LATTICE", "SURFACE"])
    makers: dict[str, Callable[[], Any]] = {
        "EMPTY": lambda: None,
        "CURVE": lambda: bpy.data.curves.new("Curve", "CURVE"),
        "FONT": lambda: bpy.data.curves.new("Text", "FONT"),
        "SURFACE": lambda: bpy.data.curves.new("Surface", "SURFACE"),
        "META": lambda: bpy.data.metaballs.new("Ball"),
        "CAMERA": lambda: bpy.data.cameras.new("Camera"),
        "LIGHT": lambda: bpy.data.lights.new("Light", "POINT"),
        "ARMATURE": lambda: bpy.data.armatures.new("Armature"),
        "LATTICE": lambda: bpy.data.lattices.new("Lattice"),
    }
    data = makers[kind]()
    ob = link(bpy.data.objects.new(kind.title(), data), rng)
    ob.location = near(rng)
    if kind == "CURVE":
        spline = data.splines.new("POLY")
        spline.points.add(3)
        for point in spline.points:
            point.co = (*near(rng), 1.0)
        data.bevel_depth = rng.choice([0.0, 0.2])
    elif kind == "FONT":
        data.body = "ab"
    elif kind == "META":
        data.elements.new()
    elif kind == "EMPTY":
        ob.collision_kit.shape = rng.choice(["BOX", "SPHERE", "AUTO"])
    elif kind == "CAMERA":
        bpy.context.scene.camera = ob
        data.type = rng.choice(["PERSP", "ORTHO", "PANO"])


@often(6)
def delete(rng: random.Random) -> None:
    found = objects()
    for ob in found if rng.random() < 0.2 else found and [rng.choice(found)]:
        if bpy.context.mode == "OBJECT" or ob != bpy.context.edit_object:
            bpy.data.objects.remove(ob)


@often(10)
def hide(rng: random.Random) -> None:
    found, how, on = objects(), rng.randrange(5), rng.random() < 0.5
    for ob in found if rng.random() < 0.5 else found and [rng.choice(found)]:
        if how <= 1:
            ob.hide_set(on)
        elif how == 2:
            ob.hide_viewport = on
        elif how == 3:
            ob.hide_render = on
        else:
            ob.display_type = rng.choice(["WIRE", "BOUNDS", "TEXTURED"])


@often(2)
def collections(rng: random.Random) -> None:
    layers = list(bpy.context.view_layer.layer_collection.children)
    if not layers or rng.random() < 0.3:
        made = bpy.data.collections.new(rng.choice(["Shelf", "Colliders", "Thing_pieces"]))
        bpy.context.scene.collection.children.link(made)
        return
    layer, how = rng.choice(layers), rng.randrange(5)
    if how == 0:
        layer.exclude = not layer.exclude
    elif how == 1:
        layer.hide_viewport = not layer.hide_viewport
    elif how == 2:
        layer.collection.hide_viewport = not layer.collection.hide_viewport
    elif how == 3 and layer.collection.library is None:
        for ob in local():
            if rng.random() < 0.3 and ob.name not in layer.collection.objects:
                layer.collection.objects.link(ob)
                if rng.random() < 0.5:
                    for other in ob.users_collection:
                        if other != layer.collection and other.is_editable:
                            other.objects.unlink(ob)
    elif how == 4:
        bpy.data.collections.remove(layer.collection)


@often(8)
def move(rng: random.Random) -> None:
    for ob in rng.sample(objects(), min(len(objects()), rng.choice([1, 1, 3]))):
        ob.location = [value + rng.uniform(-1, 1) for value in ob.location]
        if rng.random() < 0.3:
            ob.rotation_euler = near(rng)


@often(3)
def scale(rng: random.Random) -> None:
    if found := objects():
        ob, values = rng.choice(found), [0.0, -1.0, 1.0, 1.0, 0.5, 2.0, 1e-4, 50.0]
        ob.scale = [rng.choice(values)] * 3 if rng.random() < 0.5 else [rng.choice(values) for _ in range(3)]


@often(1)
def not_finite(rng: random.Random) -> None:
    if found := objects():
        rng.choice(found).location.x = rng.choice([1e30, float("inf"), float("nan"), 0.0])


@often(2)
def parent(rng: random.Random) -> None:
    if len(found := objects()) > 1:
        child, other = rng.sample(found, 2)
        with contextlib.suppress(RuntimeError, AttributeError):  # loops, and what is linked
            child.parent = None if child.parent else other


@often(4)
def modify(rng: random.Random) -> None:
    if not (found := local("MESH")):
        return
    ob = rng.choice(found)
    if ob.modifiers and rng.random() < 0.5:
        ob.modifiers.remove(ob.modifiers[0])
        return
    kind = rng.choice(["ARRAY", "MIRROR", "BOOLEAN", "BOOLEAN", "SOLIDIFY", "DECIMATE", "BEVEL", "WIREFRAME", "SKIN"])
    modifier: Any = ob.modifiers.new(kind, kind)
    if modifier is not None and kind == "BOOLEAN":
        others = [other for other in local("MESH") if other != ob]
        if others and rng.random() < 0.7:
            modifier.object = rng.choice(others)
        elif bpy.data.collections:
            modifier.operand_type = "COLLECTION"
            modifier.collection = rng.choice(list(bpy.data.collections))


@often(4)
def edit(rng: random.Random) -> None:
    if bpy.context.mode == "EDIT_MESH":
        how = rng.randrange(4)
        if how == 0:
            bpy.ops.mesh.select_all(action=rng.choice(["SELECT", "INVERT"]))
            bpy.ops.mesh.subdivide()
        elif how == 1:
            bpy.ops.mesh.delete(type=rng.choice(["VERT", "FACE", "ONLY_FACE"]))
        elif how == 2:
            bpy.ops.transform.translate(value=near(rng))
        else:
            object_mode()
    elif bpy.context.mode == "OBJECT":
        found = [ob for ob in local("MESH") if ob.visible_get() and len(ob.data.vertices) < 200]
        if found:
            bpy.context.view_layer.objects.active = rng.choice(found)
            bpy.ops.object.mode_set(mode="EDIT")


@often(1)
def edit_data(rng: random.Random) -> None:
    found = [ob for ob in local("MESH") if ob.mode == "OBJECT" and len(ob.data.vertices) and ob.data.library is None]
    if found:
        mesh = rng.choice(found).data
        if rng.random() < 0.3:
            mesh.clear_geometry()
        else:
            mesh.vertices[rng.randrange(len(mesh.vertices))].co = near(rng)
        mesh.update()


@often(5)
def select(rng: random.Random) -> None:
    if bpy.context.mode != "OBJECT":
        return
    for ob in objects():
        ob.select_set(rng.random() < 0.5)
    if found := objects():
        bpy.context.view_layer.objects.active = rng.choice([*found, None])


@often(1)
def rename(rng: random.Random) -> None:
    if found := local():
        rng.choice(found).name = rng.choice(["Z", "Thing", f"UCX_{rng.choice(found).name}_02", "돌", "UBX_"])


@often(1)
def instance(rng: random.Random) -> None:
    if (found := local("EMPTY")) and bpy.data.collections:
        ob = rng.choice(found)
        ob.instance_type = rng.choice(["NONE", "COLLECTION"])
        chosen = rng.choice(list(bpy.data.collections))
        if ob.name not in chosen.all_objects:
            ob.instance_collection = chosen


@often(1)
def rigid_body(rng: random.Random) -> None:
    found = local("MESH")
    if found and bpy.context.mode == "OBJECT":
        ob = rng.choice(found)
        with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
            if ob.rigid_body is None:
                bpy.ops.rigidbody.object_add(type="PASSIVE")
                ob.rigid_body.collision_shape = rng.choice(["BOX", "CAPSULE", "MESH", "CONVEX_HULL", "COMPOUND"])
            else:
                bpy.ops.rigidbody.object_remove()


@often(2)
def keyframe(rng: random.Random) -> None:
    if rng.random() < 0.5 and (found := local()):
        ob = rng.choice(found)
        ob.keyframe_insert("location", frame=rng.randrange(1, 20))
    bpy.context.scene.frame_set(rng.randrange(0, 20))


@often(8)
def undo(rng: random.Random) -> None:
    for _ in range(rng.choice([1, 1, 2, 5])):
        if bpy.ops.ed.undo.poll():
            with contextlib.suppress(RuntimeError):  # no further
                bpy.ops.ed.undo()


@often(5)
def redo(rng: random.Random) -> None:
    for _ in range(rng.choice([1, 1, 3])):
        if bpy.ops.ed.redo.poll():
            with contextlib.suppress(RuntimeError):
                bpy.ops.ed.redo()


@often(1)
def new_file(rng: random.Random) -> None:
    if rng.random() < 0.5:
        bpy.ops.wm.read_homefile(use_empty=rng.random() < 0.5, use_factory_startup=True)
    else:
        bpy.ops.wm.read_homefile()
    populate(rng)


@often(2)
def save(rng: random.Random) -> None:
    object_mode()
    bpy.ops.wm.save_as_mainfile(filepath=str(FOLDER / f"{rng.randrange(3)}.blend"), check_existing=False)


@often(2)
def load(rng: random.Random) -> None:
    files = sorted(FOLDER.glob("*.blend"))
    if files:
        bpy.ops.wm.open_mainfile(filepath=str(rng.choice(files)), load_ui=rng.random() < 0.5)
        live_on(True)


@often(1)
def back_to_saved(_rng: random.Random) -> None:
    if bpy.data.filepath and Path(bpy.data.filepath).exists():
        bpy.ops.wm.revert_mainfile()
        live_on(True)


@often(2)
def append(rng: random.Random) -> None:
    files = [file for file in sorted(FOLDER.glob("*.blend")) if str(file) != bpy.data.filepath]
    if not files or len(bpy.data.objects) > MOST_OBJECTS:
        return
    object_mode()
    with bpy.data.libraries.load(str(rng.choice(files)), link=rng.random() < 0.4) as (source, target):
        target.objects = rng.sample(list(source.objects), min(3, len(source.objects)))
    for ob in target.objects:
        if ob is not None and ob.name not in bpy.context.scene.collection.objects:
            bpy.context.scene.collection.objects.link(ob)


@often(2)
def scenes(rng: random.Random) -> None:
    object_mode()
    how, others = rng.randrange(3), [scene for scene in bpy.data.scenes if scene != bpy.context.scene]
    if how == 0 and len(others) < 2:
        made = bpy.data.scenes.new("Other")
        for ob in local()[:4]:
            made.collection.objects.link(ob)
    elif how == 1 and others and bpy.context.window is not None:
        bpy.context.window.scene = rng.choice(others)
    elif how == 2 and others:
        bpy.data.scenes.remove(rng.choice(others))


@often(2)
def live_switch(rng: random.Random) -> None:
    live_on(rng.random() < 0.8)


@often(1)
def enable(_rng: random.Random) -> None:
    bpy.ops.preferences.addon_disable(module=EXTENSION)
    if left := footprint(EXTENSION):
        raise Found("something is left after the extension is disabled", str(left))
    bpy.context.view_layer.update()
    bpy.ops.preferences.addon_enable(module=EXTENSION)
    if not enabled():
        raise Found("the extension cannot be enabled again")
    live_on(True)


@often(1)
def reload_scripts(_rng: random.Random) -> None:
    object_mode()
    bpy.ops.script.reload()
    live_on(True)


@often(4)
def settings(rng: random.Random) -> None:
    """Of the scene and of an object, whatever they are."""
    found = local()
    groups = [bpy.context.scene.collision_kit, bpy.context.scene.collision_kit.planar]
    groups += [rng.choice(found).collision_kit] if found else []
    for group in groups if rng.random() < 0.2 else groups[-1:]:
        for name, value in chosen(group, rng).items():
            if rng.random() < 0.3:
                with contextlib.suppress(TypeError):
                    setattr(group, name, value)
    kept = bpy.context.scene.collision_kit
    kept.clearance = min(kept.clearance, 0.5)
    if rng.random() < 0.7:
        kept.planar.dimension, kept.scope = "SPACE", "VISIBLE"
    elif found and bpy.data.collections:
        kept.collection_a, kept.collection_b = (rng.choice(list(bpy.data.collections)) for _ in range(2))
    if found and len(found) > 1:
        with contextlib.suppress(TypeError):
            found[0].collision_kit.part_of = rng.choice([None, *found[1:]])


@often(30)
def operator(rng: random.Random) -> None:
    """One of the extension's own."""
    classes = kit("addon.ui.operators").CLASSES
    names = [cls.bl_idname.partition(".")[2] for cls in classes]
    name = rng.choice(
        [*names, *["check_collisions"] * 6, *["make_collider", "push_apart", "fix_issues", "validate_colliders"] * 3]
    )
    function = getattr(bpy.ops.collision_kit, name)
    DOING.append(name)
    if not function.poll():
        return
    given = {}
    for key, value in chosen(function.get_rna_type(), rng).items():
        if rng.random() < 0.5:
            given[key] = value
    if name == "save_report":
        given["filepath"] = str(FOLDER / f"report{rng.choice(['.json', '.txt', '.xml', '.html'])}")
        given.pop("pictures", None)
    given.pop("folder", None)
    if name == "make_collider_pieces":
        # The library takes minutes for the finest pieces of a mesh of some hundred triangles.
        given["preset"] = "FAST"
    if name == "add_check_preset":
        given = {"name": rng.choice(["One", "Two"])}
    DOING.append(f"{name}({given})")
    before = counts()
    try:
        done = function(**given)
    except RuntimeError as error:
        if "Traceback" in str(error):
            raise Found(last_line(str(error), name), str(error)) from None
        done = {"CANCELLED"}
    except (TypeError, ValueError):  # what no user can give
        return
    if done == {"CANCELLED"} and counts() != before:
        raise Found(f"{name} gives up and leaves something behind", f"{before} {counts()}")


def counts() -> dict[str, int]:
    """Return how much of each there is."""
    return {name: len(getattr(bpy.data, name)) for name in ("objects", "meshes", "collections", "materials", "scenes")}


def chosen(owner: Any, rng: random.Random) -> dict[str, Any]:
    """A value for each plain property of a group or an operator."""
    values: dict[str, Any] = {}
    rna = owner if isinstance(owner, bpy.types.Struct) else owner.bl_rna
    for rule in rna.properties:
        if rule.identifier in {"rna_type", "name"} or rule.is_readonly:
            continue
        if rule.type == "BOOLEAN":
            values[rule.identifier] = [rng.random() < 0.5 for _ in range(rule.array_length)] or rng.random() < 0.5
        elif rule.type == "ENUM":
            items = [item.identifier for item in rule.enum_items]
            picked = rng.choice(items) if items else None
            if picked is not None:
                values[rule.identifier] = {picked} if rule.is_enum_flag else picked
        elif rule.type == "FLOAT" and not rule.array_length:
            values[rule.identifier] = rng.choice([rule.soft_min, min(rule.soft_max, 1.0), 0.1])
        elif rule.type == "INT" and not rule.array_length:
            values[rule.identifier] = rng.randint(max(rule.hard_min, -1), min(rule.soft_max, 40))
    return values
