# SPDX-License-Identifier: GPL-3.0-or-later
"""Live mode among a thousand objects: milliseconds for an update, Blender's own evaluation apart.

    python benchmarks/blender/bench_live.py [--objects N] [--updates N] [--concave] [--near N]

Wants bpy, and `collision_kit` on the path. Each update follows one change; for comparison, in turn with them, a whole
check of the same scene. Of a busy machine the CPU time is the truer one. With ``--concave``, a torus and a monkey take
the places of the sphere and the cone. With ``--near``, only so many objects are close together, and the others stand
apart from each other, as in a large level.
"""

import argparse
import random
import time
from collections.abc import Callable, Iterable

import bpy
import numpy as np
from mathutils import Matrix

import collision_kit
from collision_kit.addon.collisions.check import check
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.model import steps
from collision_kit.addon.scene import settings as stored
from collision_kit.addon.session.collision_results import last_check

# Objects in a cube of so many units a side, cubed, for each of them.
ROOM = 27.0
# Units from the middle of one object that stands apart to that of the next.
APART = 5.0

CONVEX = (
    bpy.ops.mesh.primitive_cube_add,
    lambda: bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=2),
    bpy.ops.mesh.primitive_cone_add,
)
CONCAVE = (
    bpy.ops.mesh.primitive_cube_add,
    lambda: bpy.ops.mesh.primitive_torus_add(major_segments=24, minor_segments=8),
    bpy.ops.mesh.primitive_monkey_add,
)


def build(count: int, near: int, adds: Iterable[Callable[[], object]]) -> list[bpy.types.Object]:
    """Objects of three meshes: so many anyhow, so that most touch another, and the others in rows below them."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    meshes = []
    for add in adds:
        add()
        meshes.append(bpy.context.object.data)
        bpy.data.objects.remove(bpy.context.object)
    rng, side = random.Random(1), (ROOM * near) ** (1.0 / 3.0)
    row = max(int((count - near) ** 0.5), 1)
    for number in range(count):
        ob = bpy.data.objects.new(f"Object {number}", meshes[number % 3])
        ob.location = [rng.uniform(0.0, side) for _ in range(3)]
        if number >= near:
            ob.location = [APART * ((number - near) % row), APART * ((number - near) // row), -2.0 * APART]
        ob.rotation_euler = [rng.uniform(-3.0, 3.0) for _ in range(3)]
        bpy.context.collection.objects.link(ob)
    bpy.context.view_layer.update()
    return list(bpy.context.scene.objects)


def timed(function: Callable[[], object]) -> tuple[float, float]:
    """Wall clock and CPU milliseconds of a call."""
    wall, cpu = time.perf_counter(), time.process_time()
    function()
    return 1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu)


def update() -> None:
    """One update without a limit, which must leave nothing to do."""
    if not live.update(bpy.context, float("inf")) or live.status() is not live.Status.CURRENT:
        raise RuntimeError(f"not up to date: {live.status_values()}")


def shown(seconds: float) -> None:
    """Updates of so long, until the depths are up to date. Folds of pairs are found when nothing moves any more."""
    while not live.update(bpy.context, seconds) and live.status() is not live.Status.CURRENT:
        pass


def in_parts(name: str, seconds: float) -> None:
    """A line about one change that is taken in by updates of so long."""
    spent, done = [], False
    while not done:
        begin = time.process_time()
        done = live.update(bpy.context, seconds)
        spent.append(1e3 * (time.process_time() - begin))
    print(f"{name:36} {len(spent)} updates, the longest {max(spent):.0f}, all {sum(spent):.0f}", flush=True)


def tell(name: str, times: list[tuple[float, float]]) -> None:
    """A line of the table."""
    wall, cpu = np.array(times).T
    print(
        f"{name:36} median {np.median(wall):7.1f}  95th percentile {np.percentile(wall, 95):7.1f}   "
        f"CPU {np.median(cpu):7.1f} {np.percentile(cpu, 95):7.1f}",
        flush=True,
    )


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--objects", type=int, default=1000)
    parser.add_argument("--updates", type=int, default=200)
    parser.add_argument("--concave", action="store_true", help="with a torus and a monkey")
    parser.add_argument("--near", type=int, help="how many objects are close together; all of them, unless given")
    options = parser.parse_args()
    near = options.objects if options.near is None else min(options.near, options.objects)
    objects, rng = build(options.objects, near, CONCAVE if options.concave else CONVEX), random.Random(2)
    live.start()
    tell("from nothing", [timed(update)])
    assert last_check.report is not None
    print(f"{len(last_check.report.pairs)} pairs of {len(last_check.report.bodies)} bodies")

    def moved(count: int) -> Callable[[], None]:
        def change() -> None:
            for ob in rng.sample(objects, count):
                ob.location.x += rng.uniform(-0.2, 0.2)

        return change

    def selected() -> None:
        ob = rng.choice(objects)
        ob.select_set(not ob.select_get())

    def edited() -> None:
        scale(rng.choice(objects).data)

    def added() -> None:
        ob = rng.choice(objects).copy()
        ob.location.x += 1.0
        bpy.context.collection.objects.link(ob)
        copies.append(ob)

    def deleted() -> None:
        bpy.data.objects.remove(copies.pop())

    def scale(mesh: bpy.types.Mesh) -> None:
        # As convex as before: what it costs to test triangles is another question.
        mesh.transform(Matrix.Scale(rng.uniform(0.99, 1.01), 4))
        mesh.update()

    def edited_alone() -> None:
        scale(alone.data)

    settings = stored.check_settings(bpy.context)._asdict()
    dragged, alone = objects[0], objects[1]
    alone.data = alone.data.copy()
    copies: list[bpy.types.Object] = []

    def drag() -> None:
        dragged.location.x += 0.02

    cases = (
        ("one object dragged", drag, options.updates),
        ("one object moved, another each time", moved(1), options.updates),
        ("ten objects moved", moved(10), options.updates // 4),
        ("all objects moved", moved(len(objects)), options.updates // 20),
        ("something selected", selected, options.updates // 10),
        ("an object added", added, options.updates // 10),
        ("an object deleted", deleted, options.updates // 10),
        ("a mesh edited, of one of them", edited_alone, options.updates // 10),
        ("a mesh edited, of a third of them", edited, options.updates // 20),
    )
    for name, change, count in cases:
        times = []
        for _ in range(count):
            change()
            bpy.context.view_layer.update()
            times.append(timed(update))
        tell(name, times)
    budget = stored.LIVE_BUDGET / 1000.0
    # On a busy machine, more updates would be needed by the wall clock.
    steps.monotonic = time.process_time
    print(f"\nby updates of {1000.0 * budget:.0f} ms of processor time")
    times = []
    for _ in range(options.updates):
        drag()
        bpy.context.view_layer.update()
        times.append(timed(lambda: shown(budget)))
    tell("one object dragged, without folds", times)
    for name, change in (("something selected", selected), ("an object added", added), ("an object deleted", deleted)):
        for _ in range(3):
            change()
            bpy.context.view_layer.update()
            in_parts(name, budget)

    def renamed() -> None:
        rng.choice(objects).name = f"Renamed {rng.random()}"

    renamed()
    bpy.context.view_layer.update()
    in_parts("an object renamed", budget)
    bpy.ops.ed.undo_push(message="Before")
    drag()
    bpy.context.view_layer.update()
    bpy.ops.ed.undo_push(message="After")
    in_parts("one object dragged", budget)
    bpy.ops.ed.undo()
    bpy.context.view_layer.update()
    in_parts("that undone", budget)
    live.stop()
    live.start()
    in_parts("from nothing", budget)
    tell("a whole check", [timed(lambda: check(bpy.context, **settings)) for _ in range(5)])
    live.stop()


if __name__ == "__main__":
    collision_kit.register()
    try:
        main()
    finally:
        collision_kit.unregister()
