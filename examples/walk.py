# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a hall with a mezzanine for *Walk the Level*, in which a character falls, gets stuck and is stopped.

Run it with the bpy package, with Collision Kit installed::

    python examples/walk.py walk.blend

or in a Blender that has the extension::

    blender --background --python examples/walk.py -- walk.blend

A probe with its usual character finds what `PLANTED` names and nothing else. Lengths are meters.
"""

import sys
from dataclasses import dataclass
from pathlib import Path

import bpy

sys.path.insert(0, str(Path(__file__).resolve().parent))  # Blender does not add a script's own folder

from scene_program import own_arguments, save_scene
from warehouse import mesh_of
from warehouse_look import COOL, WARM, add_camera, add_light, set_up_pictures
from warehouse_solids import span

Corner = tuple[float, float, float]

# The mezzanine: its height, and the height and depth of each stair.
HEIGHT, RISE, TREAD = 2.8, 0.175, 0.28
STAIRS = round(HEIGHT / RISE)
# The hall: its length and its depth.
LONG, DEEP = 14.0, 10.0


@dataclass(frozen=True)
class Fault:
    """Something that a character finds, with the objects beside it."""

    kind: str
    objects: tuple[str, ...]
    why: str


PLANTED = (
    Fault("fall", ("Mezzanine_A",), "the next plate of the mezzanine is 0.9 m away"),
    Fault("stuck", ("Floor_C", "Pit_Bottom"), "the pit has no ladder"),
    Fault("snag", ("Floor_A", "Floor_B"), "one floor is 4 mm higher than the other"),
    Fault("snag", ("Floor_A", "Floor_C"), "so is the one beside it"),
    Fault("squeeze", ("Door_Left", "Door_Right"), "the door is 0.77 m wide"),
    Fault("step", ("Floor_B", "Stage"), "the stage is 0.38 m high"),
    Fault("unreachable", ("Mezzanine_B",), "nobody gets over the gap"),
    Fault("unreachable", ("Closet_Floor",), "nor through the door"),
    Fault("unreachable", ("Stage",), "nor onto the stage"),
)


def solid(name: str, low: Corner, high: Corner, material: str = "concrete") -> None:
    """Add a box between two corners."""
    ob = bpy.data.objects.new(name, mesh_of(name, span(low, high, material)))
    bpy.context.scene.collection.objects.link(ob)


def build_hall() -> None:
    """Add two floors, between them a seam, a pit, and walls around all."""
    solid("Floor_A", (0.0, 0.0, -0.3), (7.0, DEEP, 0.0))
    # Around the pit, which is 2 m wide.
    solid("Floor_B", (7.0, 4.0, -0.3), (LONG, DEEP, 0.004))
    solid("Floor_C", (7.0, 0.0, -0.3), (9.0, 4.0, 0.004))
    solid("Floor_D", (11.0, 0.0, -0.3), (LONG, 4.0, 0.004))
    solid("Floor_E", (9.0, 3.0, -0.3), (11.0, 4.0, 0.004))
    solid("Pit_Bottom", (8.8, -0.2, -1.5), (11.2, 3.2, -1.2))
    for name, low, high in (
        ("Pit_West", (8.8, 0.0, -1.2), (9.0, 3.0, -0.3)),
        ("Pit_East", (11.0, 0.0, -1.2), (11.2, 3.0, -0.3)),
        ("Pit_North", (9.0, 3.0, -1.2), (11.0, 3.2, -0.3)),
        ("Wall_South", (-0.2, -0.2, -1.2), (LONG + 0.2, 0.0, 3.0)),
        ("Wall_North", (-0.2, DEEP, -0.3), (LONG + 0.2, DEEP + 0.2, 5.0)),
        ("Wall_West", (-0.2, 0.0, -0.3), (0.0, DEEP, 5.0)),
        ("Wall_East", (LONG, 0.0, -0.3), (LONG + 0.2, DEEP, 3.0)),
    ):
        solid(name, low, high)
    solid("Stage", (12.0, 4.5, 0.004), (LONG, 7.0, 0.384), "plank")


def build_mezzanine() -> None:
    """Add two plates with a gap between them, railings, and stairs up to the first."""
    solid("Mezzanine_A", (0.0, 7.0, HEIGHT - 0.1), (6.0, DEEP, HEIGHT), "mast_metal")
    solid("Mezzanine_B", (6.9, 7.0, HEIGHT - 0.1), (11.0, DEEP, HEIGHT), "mast_metal")
    top = HEIGHT + 1.1
    solid("Railing_South", (1.2, 6.95, HEIGHT - 0.1), (11.0, 7.0, top), "safety_yellow")
    solid("Railing_East", (11.0, 6.95, HEIGHT - 0.1), (11.05, DEEP, top), "safety_yellow")
    begin = 7.0 - STAIRS * TREAD
    for number in range(STAIRS):
        y = begin + number * TREAD
        low, high = (0.0, y, 0.0), (1.2, y + TREAD, (number + 1) * RISE)
        solid(f"Stair_{number + 1:02}", low, high, "mast_metal")
    # One does not fall off the stairs, nor climb them from the side.
    solid("Railing_Stairs", (1.2, begin, 0.0), (1.25, 6.95, top), "safety_yellow")


def build_closet() -> None:
    """Add a closet with a narrow door."""
    solid("Closet_Floor", (LONG - 3.0, 7.5, 0.004), (LONG, DEEP, 0.044), "plank")
    solid("Door_Left", (LONG - 3.1, 7.4, 0.004), (LONG - 3.0, 8.3, 2.5), "crate_frame")
    solid("Door_Right", (LONG - 3.1, 9.07, 0.004), (LONG - 3.0, DEEP, 2.5), "crate_frame")
    solid("Closet_Wall", (LONG - 3.0, 7.4, 0.004), (LONG, 7.5, 2.5), "crate_frame")
    solid("Closet_Roof", (LONG - 3.1, 7.4, 2.5), (LONG, DEEP, 2.55), "crate_frame")


def build() -> tuple[Fault, ...]:
    """Replace the open file by the scene, and return its faults."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    scene.name = "Hall"
    build_hall()
    build_mezzanine()
    build_closet()
    start = bpy.data.objects.new("Start", None)
    start.location, start.empty_display_type, start.empty_display_size = (3.0, 2.0, 0.0), "SINGLE_ARROW", 1.0
    scene.collection.objects.link(start)
    middle = (LONG / 2.0, DEEP / 2.0, 1.0)
    add_light(scene.collection, "Sun", "SUN", (4.0, -8.0, 12.0), middle, 3.0, WARM, 0.05)
    add_light(scene.collection, "Skylight", "AREA", (LONG / 2.0, DEEP / 2.0, 9.0), middle, 400.0, COOL, 8.0)
    scene.camera = add_camera(scene.collection, (-4.0, -9.0, 10.0), middle, 28.0)
    set_up_pictures(scene)
    bpy.context.view_layer.update()
    return PLANTED


def main(arguments: list[str]) -> int:
    """Build the scene, save it and say what is wrong with it; return the exit code."""
    return save_scene(
        "walk.py", arguments, build, lambda fault: f"{fault.kind}, {' and '.join(fault.objects)}: {fault.why}"
    )


if __name__ == "__main__":
    sys.exit(main(own_arguments()))
