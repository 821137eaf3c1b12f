# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds an animated scene in which five things first touch at frames that are known, and others come near.

Run it with the bpy package or in Blender::

    python examples/motion.py motion.blend
    blender --background --python examples/motion.py -- motion.blend

Nothing touches in the first frame. The frame of each first contact follows from the lengths and speeds that the scene
is built from, none of it is read off a picture. Lengths are meters.
"""

import sys
from dataclasses import dataclass
from math import asin, cos, hypot, pi, radians, sin
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not add a script's own folder

from scene_program import own_arguments, save_scene

Vector3 = tuple[float, float, float]

FIRST_FRAME, LAST_FRAME = 1, 60
LANE = 6.0  # from one act to the next, in Y

# A cart runs into a bumper: position, speed by the frame, and where the bumper's face is.
CART_HALF, CART_FROM, CART_START, CART_SPEED, BUMPER_FACE = 0.5, -6.0, 10, 0.7, 2.15

# A door swings about its hinge into a post: its length and thickness, and the post's corners in X and Y.
DOOR_LENGTH, DOOR_THICKNESS, SWING, SWING_FROM, SWING_TO = 1.2, 0.06, radians(110.0), 5, 45
POST_X, POST_Y = (0.35, 0.55), (0.6, 0.8)

# A sledge slides along X of a parent that is stretched and turned, into a wall that stands across its way.
STRETCH, TURN, SLEDGE_HALF = (2.0, 0.5, 1.5), radians(25.0), 0.3
SLEDGE_FROM, SLEDGE_TO, SLIDE_FROM, SLIDE_TO, WALL_FACE = -1.0, 1.5, 8, 48, 2.4

# A driver moves a piston up and down as a sine of the frame, into a plate.
STROKE, PERIOD, PISTON_HALF, PLATE_BOTTOM = 0.8, 90.0, 0.4, 1.03

# A bolt flies through a sheet between two frames, and touches it in neither.
BOLT_HALF, BOLT_FROM, BOLT_START, BOLT_SPEED = 0.1, -40.0, 20, 8.0
SHEET_HALF, SHEET_AT = 0.005, -40.0 + 8.0 * 7.37

# How far those stay apart that only come near.
PASSING_GAP, FAN_GAP, LANDING_GAP = 0.01, 0.005, 0.002
FAN_HALF = (0.9, 0.12, 0.05)


@dataclass(frozen=True)
class FirstContact:
    """Two objects that touch, and the frame in which they first do."""

    a: str
    b: str
    frame: float
    why: str


def door_frame() -> float:
    """Return when the door's face meets the post.

    A corner at distance r and angle phi from the hinge is on the face, half a thickness off the door's middle plane,
    when the door has turned by phi less the angle whose sine is that half over r. The first corner is what counts.
    """
    corners = [(x, y) for x in POST_X for y in POST_Y]
    within = [(x, y) for x, y in corners if hypot(x, y) < DOOR_LENGTH]
    angle = min(asin(y / hypot(x, y)) - asin(DOOR_THICKNESS / 2.0 / hypot(x, y)) for x, y in within)
    return SWING_FROM + angle / SWING * (SWING_TO - SWING_FROM)


def sledge_frame() -> float:
    """Return when the front of the sledge, stretched like its parent, reaches the wall."""
    place = WALL_FACE / STRETCH[0] - SLEDGE_HALF
    return SLIDE_FROM + (place - SLEDGE_FROM) / (SLEDGE_TO - SLEDGE_FROM) * (SLIDE_TO - SLIDE_FROM)


PLANTED = (
    FirstContact(
        "Bumper",
        "Cart",
        CART_START + (BUMPER_FACE - CART_HALF - CART_FROM) / CART_SPEED,
        "a fast translation",
    ),
    FirstContact("Door", "Post", door_frame(), "a door that swings about its hinge"),
    FirstContact("Sledge", "Wall", sledge_frame(), "a child of a parent that is stretched unevenly"),
    FirstContact(
        "Piston",
        "Plate",
        FIRST_FRAME + PERIOD / (2.0 * pi) * asin((PLATE_BOTTOM - PISTON_HALF) / STROKE),
        "a driver",
    ),
    FirstContact(
        "Bolt",
        "Sheet",
        BOLT_START + (SHEET_AT - SHEET_HALF - BOLT_HALF - BOLT_FROM) / BOLT_SPEED,
        "in and out again between two frames",
    ),
)


def block(half: Vector3, center: Vector3 = (0.0, 0.0, 0.0)) -> bpy.types.Mesh:
    """A box, by its half-extents, about a point of the object."""
    corners = [
        tuple(c + sign * h for c, h, sign in zip(center, half, signs, strict=True))
        for signs in [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    ]
    mesh = bpy.data.meshes.new("block")
    mesh.from_pydata(corners, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
    return mesh


def place(
    name: str, mesh: bpy.types.Mesh | None, at: Vector3, parent: bpy.types.Object | None = None, turned: float = 0.0
) -> bpy.types.Object:
    """Add an object, turned about Z."""
    ob = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(ob)
    ob.parent, ob.location, ob.rotation_euler = parent, at, (0.0, 0.0, turned)
    return ob


def move(ob: bpy.types.Object, field: str, index: int, *keys: tuple[float, float]) -> None:
    """Key one component of a property, evenly between frames."""
    for frame, value in keys:
        getattr(ob, field)[index] = value
        ob.keyframe_insert(field, index=index, frame=frame)
    action = ob.animation_data.action
    layered = bpy.app.version >= (4, 4)  # where an action keeps its curves; from 5.0 nowhere else
    curves = action.layers[0].strips[0].channelbags[0].fcurves if layered else action.fcurves
    for curve in curves:
        for key in curve.keyframe_points:
            key.interpolation = "LINEAR"


def build_contacts() -> None:
    """Add the five that touch, one to a lane."""
    span = LAST_FRAME - CART_START
    cart = place("Cart", block((CART_HALF, 0.4, 0.3)), (CART_FROM, 0.0, 0.0))
    move(cart, "location", 0, (CART_START, CART_FROM), (LAST_FRAME, CART_FROM + CART_SPEED * span))
    place("Bumper", block((0.2, 0.6, 0.5)), (BUMPER_FACE + 0.2, 0.0, 0.0))

    door = place(
        "Door", block((DOOR_LENGTH / 2.0, DOOR_THICKNESS / 2.0, 1.0), (DOOR_LENGTH / 2.0, 0.0, 0.0)), (0.0, LANE, 0.0)
    )
    move(door, "rotation_euler", 2, (SWING_FROM, 0.0), (SWING_TO, SWING))
    middle = [sum(side) / 2.0 for side in (POST_X, POST_Y)]
    half = [(side[1] - side[0]) / 2.0 for side in (POST_X, POST_Y)]
    place("Post", block((half[0], half[1], 0.8)), (middle[0], LANE + middle[1], 0.0))

    frame = place("Stretched", None, (0.0, 2.0 * LANE, 0.0), turned=TURN)
    frame.scale = STRETCH
    sledge = place("Sledge", block((SLEDGE_HALF, 0.6, 0.2)), (SLEDGE_FROM, 0.0, 0.0), parent=frame)
    move(sledge, "location", 0, (SLIDE_FROM, SLEDGE_FROM), (SLIDE_TO, SLEDGE_TO))
    far = WALL_FACE + 0.1
    place("Wall", block((0.1, 1.2, 0.8)), (far * cos(TURN), 2.0 * LANE + far * sin(TURN), 0.0), turned=TURN)

    piston = place("Piston", block((0.3, 0.3, PISTON_HALF)), (0.0, 3.0 * LANE, 0.0))
    driver = piston.driver_add("location", 2).driver
    driver.type = "SCRIPTED"
    driver.expression = f"{STROKE} * sin(2 * pi * (frame - {FIRST_FRAME}) / {PERIOD})"
    place("Plate", block((0.5, 0.5, 0.05)), (0.0, 3.0 * LANE, PLATE_BOTTOM + 0.05))

    bolt = place("Bolt", block((BOLT_HALF, 0.05, 0.05)), (BOLT_FROM, 4.0 * LANE, 0.0))
    flight = LAST_FRAME - BOLT_START
    move(bolt, "location", 0, (BOLT_START, BOLT_FROM), (LAST_FRAME, BOLT_FROM + BOLT_SPEED * flight))
    place("Sheet", block((SHEET_HALF, 1.0, 1.0)), (SHEET_AT, 4.0 * LANE, 0.0))


def build_near_misses() -> None:
    """Add what comes near without touching: beside a kerb, around an axle, and on to the ground."""
    tram = place("Tram", block((0.8, 0.4, 0.3)), (-8.0, 5.0 * LANE, 0.0))
    move(tram, "location", 0, (FIRST_FRAME, -8.0), (LAST_FRAME, 8.0))
    place("Kerb", block((2.0, 0.2, 0.3)), (0.0, 5.0 * LANE + 0.4 + PASSING_GAP + 0.2, 0.0))

    fan = place("Fan", block(FAN_HALF), (0.0, 6.0 * LANE, 0.0))
    move(fan, "rotation_euler", 2, (FIRST_FRAME, 0.0), (LAST_FRAME, 6.0 * pi))
    reach = hypot(FAN_HALF[0], FAN_HALF[1])
    place("Shroud", block((0.1, 1.5, 0.5)), (reach + FAN_GAP + 0.1, 6.0 * LANE, 0.0))

    lander = place("Lander", block((0.4, 0.4, 0.4)), (0.0, 7.0 * LANE, 3.0))
    low = 0.4 + LANDING_GAP
    move(lander, "location", 2, (FIRST_FRAME, 3.0), (30, low), (LAST_FRAME, 3.0))
    place("Ground", block((1.0, 1.0, 0.1)), (0.0, 7.0 * LANE, -0.1))


def build() -> tuple[FirstContact, ...]:
    """Replace the open file by the scene, at its first frame, and return the contacts that are planted in it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.name = "Motion"
    scene.frame_start, scene.frame_end = FIRST_FRAME, LAST_FRAME
    build_contacts()
    build_near_misses()
    scene.frame_set(FIRST_FRAME)
    return PLANTED


def main(arguments: list[str]) -> int:
    """Build the scene, save it and say who touches in it; return the exit code."""
    return save_scene(
        "motion.py",
        arguments,
        build,
        lambda contact: f"frame {contact.frame:.4f}: {contact.a} and {contact.b}: {contact.why}",
        "contacts",
    )


if __name__ == "__main__":
    sys.exit(main(own_arguments()))
