# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a scene whose colliders are all made with Collision Kit, for Unreal; and breaks a few of them on purpose.

Run it with the bpy package, with Collision Kit installed::

    python examples/colliders.py colliders.blend

or in a Blender that has the extension::

    blender --background --python examples/colliders.py -- colliders.blend

Everything in the collection "Sound" is as Unreal wants it. In "Faults" each thing has one fault, named in `PLANTED`; a
validation for Unreal finds these and no others. Lengths are meters.
"""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not add a script's own folder

from scene_program import own_arguments, save_scene
from warehouse import mesh_of
from warehouse_look import COOL, WARM, add_camera, add_light, set_up_pictures
from warehouse_parts import Asset, barrel, bollard, carton, crate
from warehouse_solids import Solid, block, capsule, extruded, join, moved, sphere

ENGINE = "UNREAL"

STEP = 1.6  # from one thing to the next
FAULTS_AT = -2.2  # the row of the faults, in Y


@dataclass(frozen=True)
class Fault:
    """A rule that an object breaks."""

    rule: str
    object: str
    why: str


PLANTED = (
    Fault("unreal-no-render-mesh", "UBX_Crat_01", "its name was mistyped: there is no Crat"),
    Fault("unapplied-scale", "UCX_Barrel_Faulty_01", "it was scaled after it was made"),
    Fault("collider-sticks-out", "UBX_Carton_Faulty_01", "it was pushed aside"),
    Fault("mesh-sticks-out", "Carton_Faulty", "and so the carton is not in it"),
    Fault("open-mesh", "UCX_Ramp_Faulty_01", "one of its faces was deleted"),
    Fault("no-collider", "Ball_Faulty", "it was forgotten"),
)


def bracket() -> Asset:
    """An angle of three bars that touch nowhere: three loose parts, and concave as a whole."""
    parts = (((0.6, 0.1, 0.1), (0.0, 0.0)), ((0.1, 0.1, 0.6), (-0.25, 0.102)), ((0.1, 0.1, 0.6), (0.25, 0.102)))
    return Asset("Bracket", join(*(moved(block(size, "mast_metal"), (x, 0.0, z)) for size, (x, z) in parts)))


def painted(solid: Solid, material: str) -> Solid:
    """Return a solid of one material."""
    return replace(solid, materials=(material,) * len(solid.faces))


def ball() -> Asset:
    """A ball that rests on the floor."""
    return Asset("Ball", painted(sphere(0.3, 0.3), "cone"))


def buoy() -> Asset:
    """A rod with round ends, which stands on one of them."""
    return Asset("Buoy", painted(moved(capsule(0.18, 0.9), (0.0, 0.0, 0.0)), "safety_yellow"))


def ramp() -> Asset:
    """A wedge to drive over."""
    return Asset("Ramp", extruded([(-0.5, 0.0), (0.5, 0.0), (0.5, 0.3)], (-0.4, 0.4), "rack_blue"))


def table() -> Asset:
    """A top on four legs, a little apart from it: five loose parts."""
    legs = [block((0.08, 0.08, 0.6), "pallet_block", (x, y, 0.0)) for x in (-0.4, 0.4) for y in (-0.25, 0.25)]
    return Asset("Table", join(block((1.0, 0.7, 0.06), "pallet_wood", (0.0, 0.0, 0.602)), *legs))


@dataclass(frozen=True)
class Made:
    """Recipe for the colliders of one object: an operator of Collision Kit and its settings."""

    asset: Asset
    operator: str
    settings: dict[str, object]


def things() -> dict[str, Made]:
    """The names in the row of sound colliders."""
    collider, pieces = "make_collider", "make_collider_pieces"
    return {
        "Crate": Made(crate(), collider, {"kind": "BOX"}),
        "Carton": Made(carton((0.6, 0.45, 0.4)), collider, {"kind": "BEST"}),
        "Barrel": Made(barrel("barrel_blue"), collider, {"kind": "CYLINDER"}),
        "Buoy": Made(buoy(), collider, {"kind": "CAPSULE"}),
        "Ball": Made(ball(), collider, {"kind": "SPHERE"}),
        "Ramp": Made(ramp(), collider, {"kind": "HULL"}),
        "Bollard": Made(bollard(), collider, {"kind": "BUDGET_HULL", "budget": 32}),
        "Table": Made(table(), collider, {"kind": "BOX", "source": "PARTS"}),
        "Bracket": Made(bracket(), pieces, {"pieces": 3, "budget": 16}),
    }


def place(collection: bpy.types.Collection, asset: Asset, name: str, at: tuple[float, float]) -> bpy.types.Object:
    """Add a thing as one sees it, without colliders."""
    thing = bpy.data.objects.new(name, mesh_of(asset.name, asset.render))
    thing.location = (*at, 0.0)
    collection.objects.link(thing)
    return thing


def make(thing: bpy.types.Object, made: Made) -> list[bpy.types.Object]:
    """Select a thing and make its colliders, as one does by hand; they end up selected."""
    bpy.context.view_layer.update()
    for ob in bpy.context.view_layer.objects:
        ob.select_set(ob == thing)
    bpy.context.view_layer.objects.active = thing
    operator = getattr(bpy.ops.collision_kit, made.operator)
    assert operator(engine=ENGINE, **made.settings) == {"FINISHED"}
    return list(bpy.context.view_layer.objects.selected)


def build_sound(collection: bpy.types.Collection) -> None:
    """Add the row in which nothing is wrong."""
    for number, (name, made) in enumerate(things().items()):
        make(place(collection, made.asset, name, (STEP * number, 0.0)), made)


def build_faults(collection: bpy.types.Collection) -> None:
    """Add the row in which each thing has a fault: made well, then broken."""
    known = things()

    def broken(kind: str, number: int) -> bpy.types.Object:
        thing = place(collection, known[kind].asset, f"{kind}_Faulty", (STEP * number, FAULTS_AT))
        (collider,) = make(thing, known[kind])
        return collider

    broken("Crate", 0).name = "UBX_Crat_01"
    broken("Barrel", 1).scale = (1.0, 1.0, 1.02)
    broken("Carton", 2).location.x += 0.2
    collider = broken("Ramp", 3)
    mesh = collider.data
    largest = max(range(len(mesh.polygons)), key=lambda face: mesh.polygons[face].area)
    points = [tuple(vertex.co) for vertex in mesh.vertices]
    faces = [list(polygon.vertices) for polygon in mesh.polygons if polygon.index != largest]
    mesh.clear_geometry()
    mesh.from_pydata(points, [], faces)
    place(collection, ball(), "Ball_Faulty", (STEP * 4, FAULTS_AT))


def build() -> tuple[Fault, ...]:
    """Replace the open file by the scene, and return its faults."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.name = "Colliders"
    scene.collision_kit.engine = ENGINE
    rows = {}
    for name in ("Sound", "Faults"):
        rows[name] = bpy.data.collections.new(name)
        scene.collection.children.link(rows[name])
    build_sound(rows["Sound"])
    build_faults(rows["Faults"])
    middle = STEP * (len(things()) - 1) / 2.0
    add_light(scene.collection, "Sun", "SUN", (middle, -6.0, 8.0), (middle, 0.0, 0.0), 4.0, WARM, 0.05)
    add_light(scene.collection, "Skylight", "AREA", (middle, -2.0, 7.0), (middle, 0.0, 0.0), 200.0, COOL, 6.0)
    scene.camera = add_camera(scene.collection, (middle, -12.0, 5.5), (middle, 0.0, 0.3), 35.0)
    set_up_pictures(scene)
    scene.collision_kit.engine = ENGINE
    bpy.context.view_layer.update()
    return PLANTED


def main(arguments: list[str]) -> int:
    """Build the scene, save it and say what is wrong with it; return the exit code."""
    registered = hasattr(bpy.types, "COLLISION_KIT_OT_make_collider")
    if not registered:
        import collision_kit

        collision_kit.register()
    try:
        return save_scene("colliders.py", arguments, build, lambda fault: f"{fault.object}: {fault.why} [{fault.rule}]")
    finally:
        # Blender as a module crashes or hangs at its end if anything is still registered.
        if not registered:
            collision_kit.unregister()


if __name__ == "__main__":
    sys.exit(main(own_arguments()))
