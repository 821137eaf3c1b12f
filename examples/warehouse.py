# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the example scene: a corner of a warehouse in which a few things collide, and which ones is known.

Run it with the bpy package or in Blender::

    python examples/warehouse.py warehouse.blend
    blender --background --python examples/warehouse.py -- warehouse.blend

Things rest on each other exactly or keep a clear gap, except for the faults in `PLANTED`. Every length of a
fault is stated once: the scene is built from it. Lengths are meters.
"""

import sys
from dataclasses import dataclass
from math import cos, radians, sin
from pathlib import Path

import bpy
import numpy as np
from numpy.typing import NDArray

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not add a script's own folder

from scene_program import own_arguments, save_scene
from warehouse_forklift import carriage, truck
from warehouse_look import COOL, WARM, add_camera, add_light, material, set_up_pictures
from warehouse_parts import (
    CRATE,
    FORK_HEEL,
    FORK_THICKNESS,
    PALLET,
    PALLET_DECK,
    Asset,
    barrel,
    bollard,
    carton,
    crate,
    gas_bottle,
    lamp,
    pallet,
    rack,
    traffic_cone,
    wall_sign,
)
from warehouse_solids import Solid, block, panel_box

Vector3 = tuple[float, float, float]

# The room. The floor's top is Z = 0; the walls' faces are at X = LEFT and Y = BACK.
LEFT, BACK, RIGHT, FRONT, WALL_HEIGHT = -4.5, 3.0, 8.0, -7.0, 5.2
LANE, LANE_HALF = -0.3, 1.3  # the middle of the driving lane in Y, and half its width

RACK_AT = (-4.2, 1.9)  # the outer corner of its first post
BAY, LEVELS, RACK_HEIGHT = 2.7, (1.5, 2.8), 3.7

# The faults: how deep each goes.
CRATE_IN_POST = 0.03
BARREL_IN_PALLET = 0.02
CARTON_IN_CRATE = 0.025
FORK_IN_PALLET = 0.015
LAMP_IN_BEAM = 0.04
BOTTLE_IN_WALL = 0.012
CRATE_IN_CRATE = 0.008

LAMP_CLEAR = 0.3  # from the lamp's middle to the beam, which its shade clears
BIG_CARTON, INNER_SCALE, INNER_LIFT = (0.8, 0.6, 0.6), 0.75, 0.05

# The drive: the truck runs straight ahead at constant speed, and its load meets the goods in the lane.
TRUCK_X, LIFT = 2.6, 0.25
DRIVE, FIRST_FRAME, LAST_FRAME = 2.4, 1, 73
LANE_PALLET_X = -1.9
LOAD_GAP = 0.02  # between the carriage and the pallet it carries


@dataclass(frozen=True)
class Fault:
    """One pair of bodies that must be reported, and nothing else may be."""

    a: str
    b: str
    verdict: str  # "penetrating" or "contained"
    distance: float  # minus the penetration depth
    why: str


def distance_to_separate(size: Vector3, scale: float, lift: float) -> float:
    """Return how far a shrunken copy of a box, `lift` above its floor, must move to leave it."""
    sideways = min(size[0], size[1]) * (1.0 + scale) / 2
    return min(sideways, size[2] - lift, lift + size[2] * scale)


PLANTED = (
    Fault("Crate_07", "Rack", "penetrating", -CRATE_IN_POST, "shoved into an upright of the rack"),
    Fault("Barrel_03", "Pallet_D", "penetrating", -BARREL_IN_PALLET, "sunk into the pallet's deck"),
    Fault("Carton_20", "Crate_20", "penetrating", -CARTON_IN_CRATE, "leans through the crate's edge"),
    Fault("Forklift_Carriage", "Pallet_E", "penetrating", -FORK_IN_PALLET, "forks pierce the deck they carry"),
    Fault("Lamp_02", "Rack", "penetrating", -LAMP_IN_BEAM, "its collider is larger than its shade"),
    Fault("Bottle_03", "Wall_Left", "penetrating", -BOTTLE_IN_WALL, "stands a little inside the wall"),
    Fault("Crate_13", "Crate_14", "penetrating", -CRATE_IN_CRATE, "stacked a little too low"),
    Fault(
        "Carton_21",
        "Carton_21.001",
        "contained",
        -distance_to_separate(BIG_CARTON, INNER_SCALE, INNER_LIFT),
        "a forgotten, shrunken duplicate inside the original",
    ),
)

# The frame at which the carried `Pallet_E` meets the goods in the lane, `Crate_16` and `Crate_18`.
DRIVE_GAP = (TRUCK_X - FORK_HEEL - LOAD_GAP - PALLET[0]) - (LANE_PALLET_X + CRATE[0])
DRIVE_MEETS_AT = FIRST_FRAME + DRIVE_GAP / DRIVE * (LAST_FRAME - FIRST_FRAME)


def mesh_of(name: str, solid: Solid) -> bpy.types.Mesh:
    """Return the mesh of that name, made when first asked for: things of one kind share it."""
    known = bpy.data.meshes.get(name)
    if known is not None:
        return known
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(solid.vertices.tolist(), [], [list(face) for face in solid.faces])
    slots = [used for used in dict.fromkeys(solid.materials) if used]
    for used in slots:
        mesh.materials.append(material(used))
    if slots:
        mesh.polygons.foreach_set("material_index", [slots.index(used) for used in solid.materials])
    mesh.polygons.foreach_set("use_smooth", solid.smooth)
    if any(solid.smooth):
        mesh.set_sharp_from_angle(angle=radians(35.0))
    mesh.update()
    return mesh


def place(
    collection: bpy.types.Collection,
    asset: Asset,
    name: str,
    at: Vector3,
    *,
    turn: float = 0.0,
    tilt: float = 0.0,
    parent: bpy.types.Object | None = None,
) -> bpy.types.Object:
    """Add one thing and its colliders; `turn` is about Z and `tilt` then about the world's Y, in radians."""
    thing = bpy.data.objects.new(name, mesh_of(asset.name, asset.render))
    thing.location = at
    thing.rotation_mode = "ZYX"  # the order in which the turns are made
    thing.rotation_euler = (0.0, tilt, turn)
    thing.parent = parent
    collection.objects.link(thing)
    for i, (prefix, solid) in enumerate(asset.colliders, start=1):
        shape = mesh_of(f"{prefix} {asset.name} {i}", solid)
        collider = bpy.data.objects.new(f"{prefix}_{name}_{i:02d}", shape)
        collider.parent = thing
        collider.display_type = "WIRE"
        collider.hide_render = True
        collection.objects.link(collider)
    return thing


def pile(
    collection: bpy.types.Collection,
    asset: Asset,
    size: Vector3,
    names: list[str],
    corner: Vector3,
    grid: tuple[int, int, int],
    parent: bpy.types.Object | None = None,
) -> None:
    """Stack boxes side by side and on top of each other, all touching, from a lower corner up."""
    spots = [(i, j, k) for k in range(grid[2]) for j in range(grid[1]) for i in range(grid[0])]
    for name, (i, j, k) in zip(names, spots, strict=False):
        at = (corner[0] + (i + 0.5) * size[0], corner[1] + (j + 0.5) * size[1], corner[2] + k * size[2])
        place(collection, asset, name, at, parent=parent)


def numbered(kind: str, first: int, last: int) -> list[str]:
    """Return names like Crate_01, both ends included."""
    return [f"{kind}_{i:02d}" for i in range(first, last + 1)]


def build_room(collection: bpy.types.Collection) -> None:
    """Add the floor with its painted lane, two walls and a sign."""

    def floor_paint(axis: int, side: int, center: NDArray[np.float64]) -> str:
        on_line = abs(abs(center[1] - LANE) - LANE_HALF) < 0.05 and center[0] > LEFT
        return "lane" if axis == 2 and side > 0 and on_line else "concrete"

    def wall_paint(axis: int, side: int, center: NDArray[np.float64]) -> str:
        return "wall_lower" if center[2] < 1.2 else "wall_upper"

    line = [LANE + side * LANE_HALF + edge for side in (-1, 1) for edge in (-0.05, 0.05)]
    floor = panel_box(((LEFT - 0.2, LEFT + 0.6, RIGHT), (FRONT, *line, BACK + 0.2), (-0.2, 0.0)), floor_paint)
    heights = (0.0, 1.2, WALL_HEIGHT)
    back = panel_box(((LEFT - 0.2, RIGHT), (BACK, BACK + 0.2), heights), wall_paint)
    left = panel_box(((LEFT - 0.2, LEFT), (FRONT, BACK), heights), wall_paint)
    for name, solid in (("Floor", floor), ("Wall_Back", back), ("Wall_Left", left)):
        place(collection, Asset(name, solid), name, (0.0, 0.0, 0.0))
    place(collection, wall_sign(0.9, 0.22, ("safety_yellow", "black")), "Sign_01", (2.9, BACK - 0.01, 2.3))


def build_rack(collection: bpy.types.Collection) -> None:
    """Add the rack and what stands in it; one crate is pushed into an upright."""
    x, y = RACK_AT
    place(collection, rack(2, BAY, LEVELS, RACK_HEIGHT), "Rack", (x, y, 0.0))
    bay_1, bay_2 = x + 0.1, x + 0.1 + BAY + 0.1  # where the bays begin
    low, high = LEVELS
    deck = PALLET[2]
    place(collection, pallet(), "Pallet_A", (bay_1 + 1.5, y + 0.5, 0.0))
    pile(collection, crate(), CRATE, numbered("Crate", 1, 6), (bay_1 + 0.9, y + 0.1, deck), (2, 2, 2))
    place(collection, pallet(), "Pallet_B", (bay_2 + 0.8, y + 0.5, 0.0))
    for i, paint in enumerate(("barrel_blue", "barrel_red")):
        at = (bay_2 + 0.5 + 0.6 * i, y + 0.5, deck)
        place(collection, barrel(paint), f"Barrel_0{i + 1}", at, turn=0.7 * i)

    post = bay_1 + BAY  # the face of the upright in the middle
    at = (post + CRATE_IN_POST - CRATE[0] / 2, y + 0.23, low)
    place(collection, crate(), "Crate_07", at)
    pile(collection, crate(), CRATE, numbered("Crate", 8, 10), (bay_1 + 0.15, y + 0.3, low), (2, 1, 2))
    small, flat = (0.4, 0.3, 0.3), (0.6, 0.5, 0.25)
    pile(collection, carton(small), small, numbered("Carton", 1, 7), (bay_2 + 0.2, y + 0.15, low), (3, 2, 2))
    pile(collection, carton(flat), flat, numbered("Carton", 8, 10), (bay_2 + 1.8, y + 0.2, low), (1, 1, 3))
    pile(collection, carton(flat), flat, numbered("Carton", 11, 14), (bay_1 + 0.5, y + 0.2, high), (2, 1, 2))
    place(collection, barrel("barrel_blue"), "Barrel_05", (bay_1 + 2.2, y + 0.5, high))
    place(collection, crate(), "Crate_11", (bay_2 + 0.6, y + 0.5, high), turn=0.2)
    place(collection, crate(), "Crate_12", (bay_2 + 1.9, y + 0.5, high), turn=-0.1)


def build_floor_goods(collection: bpy.types.Collection) -> None:
    """Add what stands on the floor: the pallet in the lane, a leaning carton, barrels, bottles, bollards."""
    deck = PALLET[2]
    place(collection, pallet(), "Pallet_C", (LANE_PALLET_X, LANE, 0.0))
    corner = (LANE_PALLET_X - CRATE[0], LANE - CRATE[1], deck)
    pile(collection, crate(), CRATE, numbered("Crate", 15, 19), corner, (2, 2, 2))

    place(collection, pallet(), "Pallet_D", (-2.6, -2.7, 0.0), turn=0.35)
    along = np.array((cos(0.35), sin(0.35))) * 0.3
    for name, paint, side, sunk in (
        ("Barrel_03", "barrel_red", 1, BARREL_IN_PALLET),
        ("Barrel_04", "barrel_blue", -1, 0.0),
    ):
        x, y = np.array((-2.6, -2.7)) + side * along
        place(collection, barrel(paint), name, (x, y, deck - sunk), turn=0.35 + side)

    place(collection, crate(), "Crate_13", (-4.0, -1.95, 0.0), turn=0.1)
    place(collection, crate(), "Crate_14", (-4.0, -1.95, CRATE[2] - CRATE_IN_CRATE), turn=0.25)
    leaning_carton(collection, crate_at=(-3.75, -0.9))
    big = carton(BIG_CARTON)
    place(collection, big, "Carton_21", (-4.0, 0.3, 0.0))
    inner = place(collection, big, "Carton_21.001", (-4.0, 0.3, INNER_LIFT))
    inner.scale = (INNER_SCALE,) * 3

    radius = 0.12
    for name, y, pushed in (
        ("Bottle_01", 1.0, 0.0),
        ("Bottle_02", 1.0 + 2 * radius, 0.0),
        ("Bottle_03", 1.6, BOTTLE_IN_WALL),
    ):
        place(collection, gas_bottle(), name, (LEFT + radius - pushed, y, 0.0), turn=y)
    for name, x in (("Bollard_01", -1.35), ("Bollard_02", 1.75)):
        place(collection, bollard(), name, (x, 1.62, 0.0))
    for name, x, y in (("Cone_01", 0.4, -2.3), ("Cone_02", 1.5, -2.6)):
        place(collection, traffic_cone(), name, (x, y, 0.0), turn=x)
    for i in range(6):
        place(collection, pallet(), f"Pallet_{'FGHIJK'[i]}", (2.9, 2.35, i * deck))


def leaning_carton(collection: bpy.types.Collection, crate_at: tuple[float, float]) -> None:
    """Add a crate, and a carton that stands on one corner and leans its upright edge over the crate's edge.

    The two edges cross at right angles to `across`, the only direction in which the overlap is this small.
    """
    size, turn, tilt = (0.45, 0.36, 0.75), radians(50.0), radians(-24.0)
    place(collection, crate(), "Crate_20", (*crate_at, 0.0))
    lean = np.array([[cos(tilt), 0.0, sin(tilt)], [0.0, 1.0, 0.0], [-sin(tilt), 0.0, cos(tilt)]])
    spin = np.array([[cos(turn), -sin(turn), 0.0], [sin(turn), cos(turn), 0.0], [0.0, 0.0, 1.0]])
    turned = block(size).vertices @ (lean @ spin).T
    lift = -turned[:, 2].min()
    across = np.array((cos(tilt), 0.0, -sin(tilt)))  # at right angles to the crate's edge and to the carton's
    edge = np.array((crate_at[0] + CRATE[0] / 2, crate_at[1], CRATE[2]))
    overlap = edge @ across - (turned @ across).min() - lift * across[2]
    x = (overlap - CARTON_IN_CRATE) / across[0]
    place(collection, carton(size), "Carton_20", (x, crate_at[1] + 0.02, lift), turn=turn, tilt=tilt)


def build_forklift(collection: bpy.types.Collection) -> None:
    """Add the forklift with a load on its forks, and let it drive down the lane."""
    lift_truck = place(collection, truck(), "Forklift", (TRUCK_X, LANE, 0.0), turn=radians(180.0))
    forks = place(collection, carriage(), "Forklift_Carriage", (0.0, 0.0, LIFT), parent=lift_truck)
    under = FORK_THICKNESS - FORK_IN_PALLET - (PALLET[2] - PALLET_DECK)
    middle = FORK_HEEL + LOAD_GAP + PALLET[0] / 2
    load = place(collection, pallet(), "Pallet_E", (middle, 0.0, under), parent=forks)
    size = (0.5, 0.36, 0.34)
    corner = (-size[0], -size[1], PALLET[2])
    pile(collection, carton(size), size, numbered("Carton", 15, 19), corner, (2, 2, 2), parent=load)

    lift_truck.keyframe_insert("location", index=0, frame=FIRST_FRAME)
    lift_truck.location.x = TRUCK_X - DRIVE
    lift_truck.keyframe_insert("location", index=0, frame=LAST_FRAME)
    action = lift_truck.animation_data.action
    layered = bpy.app.version >= (4, 4)  # where an action keeps its curves; from 5.0 nowhere else
    curves = action.layers[0].strips[0].channelbags[0].fcurves if layered else action.fcurves
    for key in curves[0].keyframe_points:
        key.interpolation = "LINEAR"
    lift_truck.location.x = TRUCK_X


def build_lights(collection: bpy.types.Collection, scene: bpy.types.Scene) -> None:
    """Add the hanging lamps, the daylight and the camera."""
    beam = LEVELS[1] - 0.09  # the middle of the upper beam
    place(collection, lamp(0.27), "Lamp_01", (-2.75, RACK_AT[1] - 1.2, beam - 0.12))
    faulty = LAMP_CLEAR + LAMP_IN_BEAM
    place(collection, lamp(faulty), "Lamp_02", (0.05, RACK_AT[1] - LAMP_CLEAR, beam - 0.12))
    for name, x, y in (("Glow_01", -2.75, RACK_AT[1] - 1.2), ("Glow_02", 0.05, RACK_AT[1] - LAMP_CLEAR)):
        add_light(collection, name, "POINT", (x, y, beam - 0.16), (x, y, 0.0), 60.0, WARM, 0.06)
    add_light(collection, "Sun", "SUN", (6.5, -0.7, 4.9), (0.0, 0.0, 0.0), 6.0, (1.0, 0.86, 0.7), 0.03)
    add_light(collection, "Skylight", "AREA", (0.5, -1.0, 6.5), (-0.5, 0.5, 0.0), 80.0, COOL, 4.0)
    scene.camera = add_camera(collection, (4.3, -7.4, 2.9), (-0.1, 0.0, 1.26), 32.5)


def build() -> tuple[Fault, ...]:
    """Replace the open file by the warehouse, at the first frame of the drive, and return its faults."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.name = "Warehouse"
    collections = {}
    for name in ("Building", "Racking", "Goods", "Forklift", "Lighting"):
        collections[name] = bpy.data.collections.new(name)
        scene.collection.children.link(collections[name])
    build_room(collections["Building"])
    build_rack(collections["Racking"])
    build_floor_goods(collections["Goods"])
    build_forklift(collections["Forklift"])
    build_lights(collections["Lighting"], scene)
    set_up_pictures(scene)
    scene.frame_start, scene.frame_end = FIRST_FRAME, LAST_FRAME
    scene.frame_set(FIRST_FRAME)
    return PLANTED


def main(arguments: list[str]) -> int:
    """Build the scene, save it and say what is wrong with it; return the exit code."""
    return save_scene(
        "warehouse.py",
        arguments,
        build,
        lambda fault: f"{fault.a} and {fault.b}: {fault.verdict}, {-fault.distance * 1000:.0f} mm: {fault.why}",
    )


if __name__ == "__main__":
    sys.exit(main(own_arguments()))
