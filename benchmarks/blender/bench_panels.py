# SPDX-License-Identifier: GPL-3.0-or-later
"""The cost of a redraw of the sidebar among thousands of objects: milliseconds for `poll` and `draw`.

    python benchmarks/blender/bench_panels.py [--objects N] [--repeats N] [--all]

Wants bpy, and `collision_kit` and `tests` on the path. Every panel, menu and list is drawn and every operator polled
with results of every kind at hand: with one object selected, with all of them, and at the first redraw after a click
in the scene. The best of several times is taken.
"""

import argparse
import time
from collections.abc import Callable
from typing import Any

import bpy

import collision_kit
from collision_kit.addon.ui import operators, panels
from tests.helpers.blender import panel_recorder

# Units between the middles of two cubes of side 2: those of one row touch, rows are apart.
STEP, ROW = 2.0, 3.0
# Clicks in the scene, each of which is followed by one redraw.
CLICKS = 3
# Objects in a row.
LENGTH = 10


class Layout:
    """A layout that takes everything and keeps nothing: what is measured is the add-on."""

    def __getattr__(self, _name: str) -> Callable[..., "Layout"]:
        return self.take

    def __setattr__(self, _name: str, _value: Any) -> None:
        pass

    def take(self, *_values: Any, **_options: Any) -> "Layout":
        """Stand for whatever is added to the layout."""
        return self


def build(count: int) -> list[bpy.types.Object]:
    """Rows of cubes, an Unreal collider for every tenth, a moving one, and a camera that sees some of them."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.mesh.primitive_cube_add()
    mesh = bpy.context.object.data
    bpy.data.objects.remove(bpy.context.object)
    for number in range(count):
        collider = number % 10 == 9
        name = f"UCX_Cube_{number - 1:05d}_01" if collider else f"Cube_{number:05d}"
        ob = bpy.data.objects.new(name, mesh)
        place = number - 1 if collider else number
        ob.location = (STEP * (place % LENGTH), ROW * (place // LENGTH), 0.0)
        bpy.context.collection.objects.link(ob)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location = (0.0, 0.0, 20.0)
    bpy.context.collection.objects.link(camera)
    bpy.context.scene.camera = camera
    bpy.context.view_layer.update()
    return [ob for ob in bpy.context.scene.objects if ob.type == "MESH"]


def select(objects: list[bpy.types.Object], chosen: list[bpy.types.Object]) -> None:
    """Select these and no others; the first of them becomes active."""
    for ob in objects:
        ob.select_set(False)
    for ob in chosen:
        ob.select_set(True)
    bpy.context.view_layer.objects.active = chosen[0]
    bpy.context.view_layer.update()


def find_results(objects: list[bpy.types.Object]) -> None:
    """Have a result of every kind at hand."""
    kit: Any = bpy.ops.collision_kit  # type: ignore[attr-defined]
    scene: Any = bpy.context.scene
    select(objects, objects[:2])
    mover = objects[0]
    for frame, height in ((1, 5.0), (10, -5.0)):
        mover.location.z = height
        mover.keyframe_insert("location", frame=frame)
    scene.frame_set(1)
    scene.collision_kit.scope = "SELECTED"
    scene.collision_kit.motion.frames = "OWN"
    scene.collision_kit.motion.frame_start, scene.collision_kit.motion.frame_end = 1, 10
    kit.check_motion()
    kit.cull_to_camera()
    scene.collision_kit.validation.scope = "SELECTED"
    kit.validate_colliders()
    kit.check_convexity()
    scene.collision_kit.scope = "VISIBLE"
    kit.check_collisions()


def once(function: Callable[[], object]) -> float:
    """Milliseconds of a call."""
    begin = time.perf_counter()
    function()
    return 1e3 * (time.perf_counter() - begin)


def best(function: Callable[[], object], repeats: int) -> float:
    """Milliseconds of the fastest of several calls."""
    return min(once(function) for _ in range(repeats))


def things() -> dict[str, Callable[[], object]]:
    """The calls of a redraw, by name."""
    context = bpy.context
    calls: dict[str, Callable[[], object]] = {}
    for cls in panels.CLASSES:
        name = cls.__name__.removeprefix("COLLISION_KIT_")
        if issubclass(cls, bpy.types.UIList):
            fake = panel_recorder.stand_in(cls)

            def row(fake: Any = fake) -> None:
                fake.draw_item(context, Layout(), None, None, 0, None, "", 0, 0)

            calls[f"draw {name}"] = row
            continue

        def drawn(cls: Any = cls) -> None:
            if hasattr(cls, "poll") and not cls.poll(context):
                return
            fields = {
                name: value for base in reversed(cls.__mro__) for name, value in vars(base).items() if name.isupper()
            }
            fake = panel_recorder.stand_in(cls, layout=Layout(), **fields)
            for part in ("draw_header", "draw_header_preset", "draw"):
                if part in vars(fake):
                    getattr(fake, part)(context)

        calls[f"draw {name}"] = drawn
    for cls in operators.CLASSES:
        if "poll" in {name for base in cls.__mro__ for name in vars(base)}:
            calls[f"poll {cls.__name__.removeprefix('COLLISION_KIT_OT_')}"] = lambda cls=cls: cls.poll(context)
    return calls


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--objects", type=int, default=5000)
    parser.add_argument("--repeats", type=int, default=20)
    parser.add_argument("--all", action="store_true", help="list what takes less than 0.2 ms, too")
    options = parser.parse_args()
    collision_kit.register()
    objects = build(options.objects)
    find_results(objects)
    columns: dict[str, dict[str, float]] = {}
    select(objects, objects[:1])
    columns["one selected"] = {name: best(call, options.repeats) for name, call in things().items()}
    select(objects, objects)
    columns["all selected"] = {name: best(call, options.repeats) for name, call in things().items()}
    after = columns["after a click"] = {}
    for name, call in things().items():
        times = []
        for _ in range(CLICKS):
            objects[1].select_set(not objects[1].select_get())
            bpy.context.view_layer.update()
            times.append(once(call))
        after[name] = min(times)
    print(f"{'':36}" + "".join(f"{column:>16}" for column in columns) + "   ms")
    rows = sorted(after, key=lambda name: -max(column[name] for column in columns.values()))
    for name in rows:
        times = [column[name] for column in columns.values()]
        if options.all or max(times) >= 0.2:
            print(f"{name:36}" + "".join(f"{value:16.3f}" for value in times))
    for kind in ("draw", "poll"):
        sums = [sum(value for name, value in column.items() if name.startswith(kind)) for column in columns.values()]
        print(f"{'all ' + kind:36}" + "".join(f"{value:16.3f}" for value in sums))
    collision_kit.unregister()


if __name__ == "__main__":
    main()
