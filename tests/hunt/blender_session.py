# SPDX-License-Identifier: GPL-3.0-or-later
"""The Blender of `blender_operations`: rounds of random operations, played in this process with the extension in it.

``python tests/hunt/blender_session.py JSON``: seed, number (of the first round), rounds, count (of operations), steps
(of a round that is played again, or null), told (a file: a line of JSON before each operation and after each round).
With no rounds, `count` operations of a kind that is repeated, for memory.
"""

import contextlib
import importlib
import io
import json
import os
import random
import resource
import sys
import tempfile
import time
import traceback
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

import bpy  # noqa: E402
import numpy as np  # noqa: E402

from scripts.build_extension import build  # noqa: E402
from tests.blender.footprint import footprint  # noqa: E402
from tests.blender.panel_recorder import drawn  # noqa: E402

EXTENSION = "bl_ext.user_default.collision_kit"

ROUND, MOST_OBJECTS = 40, 24
# Seconds of processor time that an update of live mode may take that has no time. A pair of meshes is measured in one
# go, which takes up to 3 here where meshes of some hundred triangles that are not closed lie deep in each other.
SLOW = 8.0

FOLDER = Path(tempfile.mkdtemp())


class Found(Exception):
    """Something is wrong; its text says what in a few words, and `told` all that is known."""

    def __init__(self, what: str, told: str = "") -> None:
        super().__init__(what)
        self.told = told


def kit(name: str) -> Any:
    """A module of the extension as it is now."""
    return importlib.import_module(f"{EXTENSION}.{name}")


def enabled() -> bool:
    return EXTENSION in bpy.context.preferences.addons


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
        ob.empty_display_type = rng.choice(["CUBE", "SPHERE", "PLAIN_AXES"])
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
    # Of a new name of what is hidden Blender tells nobody.
    if found := [ob for ob in local() if ob.visible_get()]:
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
        [*names, *["check_collisions"] * 6, *["make_collider", "separate", "fix_all", "validate_colliders"] * 3]
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
    """How much of each there is."""
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


# What must hold after each.


def live_on(on: bool) -> None:
    bpy.context.window_manager.collision_kit.live = on


def last_line(text: str, where: str) -> str:
    """What an exception is called, and the function of ours that it comes from, without numbers."""
    lines = [line for line in text.strip().splitlines() if line.strip()]
    places = [line.strip() for line in lines if line.strip().startswith("File ")]
    place = places[-1].rpartition("/")[2].split('"')[0] + places[-1].rpartition(" in ")[1:][1] if places else ""
    error = next((line for line in reversed(lines) if "Error" in line and not line.startswith(" ")), lines[-1])
    return f"{error.partition(':')[0]} in {place} at {where}"


def settle(rng: random.Random) -> None:
    """Bring live mode up to date, with no time at all or with all of it."""
    mode = kit("addon.live.live_mode")
    bpy.context.view_layer.update()
    seconds = rng.choice([0.0, 0.001, 60.0])
    for _ in range(rng.choice([1, 3, 2000])):
        begin = time.process_time()
        done = mode.update(bpy.context, seconds) if mode.is_on() else True
        took = time.process_time() - begin
        if seconds < 1.0 and took > SLOW:
            raise Found("a step of live mode takes long", f"{took:.2f} s")
        STEPS.append(took if seconds < 1.0 else 0.0)
        if mode.is_on() and mode.status().name == "STUCK" and "Error" in str(mode.status_values()["reason"]):
            raise Found(f"live mode is stuck: {LOG.getvalue() and last_line(LOG.getvalue(), 'live')}", LOG.getvalue())
        if done:
            return


def compare() -> None:
    """Live mode, once it is up to date, says what a check of everything says."""
    mode = kit("addon.live.live_mode")
    if not mode.is_on():
        return
    # An update that is not told of is not known; those of the panels are not either.
    bpy.context.view_layer.update()
    for _ in range(5000):
        if mode.update(bpy.context, 60.0) and not mode._live.changes:
            break
    else:
        raise Found("live mode never finishes")
    asked = mode._live.check.settings if mode._live.check is not None else None
    if mode.status().name != "CURRENT" or asked is None or asked.scope in {"SELECTED", "ACTIVE"}:
        return
    report = kit("addon.session.collision_results").last.report
    fresh, shapes = kit("addon.collisions.check").check(bpy.context, **asked._asdict())
    for name in ("scope", "bodies", "shapes", "findings", "skipped", "scene"):
        if getattr(report, name) != getattr(fresh, name):
            told = f"{getattr(report, name)}\n{getattr(fresh, name)}"
            raise Found(f"live mode says other {name} than a check", told)
    bounds = np.stack(shapes.world.bounds()) if len(shapes.world) else np.zeros((2, 0, 3))
    size = np.where(np.isfinite(bounds), np.abs(bounds), 0.0).max(initial=1.0)
    ours, theirs = ({(pair.body_a, pair.body_b): pair for pair in one.pairs} for one in (report, fresh))
    for key in ours.keys() | theirs.keys():
        one, other = ours.get(key), theirs.get(key)
        there = one or other
        level = [fresh.touching, asked.clearance]
        near_level = any(abs(abs(there.distance) - each) < 1e-9 * size for each in level)
        if one is None or other is None or one.verdict != other.verdict:
            if not near_level:
                names = [fresh.bodies[row].name for row in key]
                raise Found("live mode judges a pair otherwise than a check", f"{names}\n{one}\n{other}")
        elif abs(one.distance - other.distance) > 1e-8 * size:
            raise Found("live mode measures a pair otherwise than a check", f"{one}\n{other}")


def draw_panels() -> None:
    """Every panel can be drawn."""
    for panel in kit("addon.ui.panels").CLASSES:
        if issubclass(panel, bpy.types.Panel) and hasattr(panel, "draw"):
            drawn(panel, bpy.context)


DOING: list[str] = []
STEPS: list[float] = []
LOG = io.StringIO()


class _Tee(io.TextIOBase):
    """What is written to standard error, kept as well: Blender prints the exceptions of handlers there."""

    def write(self, text: str) -> int:
        LOG.write(text)
        return sys.__stderr__.write(text)

    def flush(self) -> None:
        sys.__stderr__.flush()


def do(step: int, seed: str, tell: Callable[[dict[str, Any]], None]) -> None:
    """Do one operation, and see what came of it."""
    rng = random.Random(f"{seed} {step}")
    operation = rng.choice(OPERATIONS)
    DOING[:] = [operation.__name__]
    LOG.seek(0)
    LOG.truncate()
    if operation is operator:
        # Said before it is done, for crashes.
        DOING.append("operator")
    tell({"doing": operation.__name__})
    try:
        operation(rng)
    except Found:
        raise
    except RuntimeError as error:
        # Blender's own operators refuse; ours do so by `operator`.
        if "Traceback" in str(error):
            raise Found(last_line(str(error), DOING[0]), str(error)) from None
    tell({"doing": f"undo push after {operation.__name__}"})
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="Operation")
    tell({"doing": f"live update after {' '.join(DOING[:2])}"})
    settle(rng)
    if "Traceback" in LOG.getvalue():
        raise Found(last_line(LOG.getvalue(), DOING[0]), LOG.getvalue())
    if rng.random() < 0.3:
        tell({"doing": f"panels after {DOING[0]}"})
        draw_panels()
    if rng.random() < 0.25:
        tell({"doing": f"fresh check after {DOING[0]}"})
        compare()


def play(seed: str, steps: list[int], tell: Callable[[dict[str, Any]], None]) -> tuple[int, str, str]:
    """Play a round: how many steps it went, and what was found at the last."""
    if not enabled():
        bpy.ops.preferences.addon_enable(module=EXTENSION)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for file in FOLDER.glob("*.blend*"):
        file.unlink()
    populate(random.Random(seed))
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="New")
    for done, step in enumerate(steps, start=1):
        try:
            do(step, seed, lambda line, done=done: tell(line | {"round": seed, "steps": done}))
        except Found as found:
            return done, str(found), f"{DOING}\n{found.told}"
        except Exception as error:
            return done, last_line(traceback.format_exc(), DOING[0]), f"{DOING}\n{traceback.format_exc()}\n{error}"
    return len(steps), "", ""


def memory(count: int, tell: Callable[[dict[str, Any]], None]) -> None:
    """Check, change, undo, redo, and disable and enable, again and again: memory must not grow for ever."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    rng = random.Random(1)
    for _ in range(12):
        add(rng)
    live_on(True)
    bpy.ops.ed.undo_push(message="New")
    sizes, quarter = [], max(count // 4, 1)
    for number in range(count):
        if number % quarter == 0:
            sizes.append(resident())
        move(rng)
        bpy.context.view_layer.update()
        bpy.ops.ed.undo_push(message="Moved")
        kit("addon.live.live_mode").update(bpy.context, 60.0)
        bpy.ops.ed.undo()
        kit("addon.live.live_mode").update(bpy.context, 60.0)
        if number % 10 == 0:
            bpy.ops.collision_kit.check_collisions()
            draw_panels()
        if number % 50 == 0:
            enable(rng)
    sizes.append(resident())
    grown = sizes[-1] - sizes[len(sizes) // 2]
    what = "memory grows" if grown > 0.03 * sizes[-1] else ""
    told = f"resident memory in MB, four times and at the end of {count} rounds: {sizes}"
    tell({"round": "memory", "steps": count, "what": what, "told": told})


def resident() -> int:
    """Resident memory in MB."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return int(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss) // 1024
    return pages * resource.getpagesize() // 2**20


def main(asked: dict[str, Any]) -> None:
    """Install the extension in this process's profile, and play."""
    with tempfile.TemporaryDirectory() as folder:
        extension_zip = build(Path(folder))
        bpy.ops.extensions.package_install_files(
            filepath=str(extension_zip), repo="user_default", enable_on_install=True
        )
    assert enabled()
    sys.stderr = _Tee()
    with Path(asked["told"]).open("a", encoding="utf-8") as file:

        def tell(line: dict[str, Any]) -> None:
            print(json.dumps(line), file=file, flush=True)

        if not asked["rounds"]:
            memory(asked["count"], tell)
        left = asked["count"]
        for number in range(asked["number"], asked["number"] + asked["rounds"]):
            steps = asked["steps"] or list(range(min(ROUND, left)))
            seed = f"{asked['seed']} {number}"
            done, what, told = play(seed, steps, tell)
            left -= done
            slowest = max(STEPS, default=0.0)
            STEPS.clear()
            tell({"round": seed, "steps": done, "what": what, "told": told[-3000:], "slowest": round(slowest, 3)})
            if left <= 0:
                break
        tell({"doing": "disabling", "round": "end", "steps": 0})
        bpy.ops.preferences.addon_disable(module=EXTENSION)
        if left_behind := footprint(EXTENSION):
            tell({"round": "end", "steps": 0, "what": "something is left at the end", "told": str(left_behind)})


if __name__ == "__main__":
    try:
        main(json.loads(sys.argv[1]))
        code = 0
    except BaseException:
        traceback.print_exc()
        code = 3
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)
