# SPDX-License-Identifier: GPL-3.0-or-later
"""The longest steps of tasks in scenes with dear pairs: how long Esc may have to wait.

python benchmarks/blender/bench_steps.py [--only SCENE …] [--tasks TASK …]

Each task runs in a process of its own. Figures are processor time: of the whole task, and of its longest step. "check"
is a check without evidence, and "evidence" one with the separating translations and contacts of all its pairs. "look"
measures what the window shows of each of the first pairs, one after the other, after such a check. "make" makes a hull
for each object, and "pieces" several. "motion" is for scenes that move, with the distances by frame of the first
contacts. The memory is the peak of the process less that of the scene. Scenes with statues read `bunny.ply` of the
Stanford 3D Scanning Repository in the folder of the environment variable MESHES.
"""

import argparse
import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Generator
from pathlib import Path

import bpy
import numpy as np
import scenes

import collision_kit  # noqa: F401  the add-on's modules are found through it
from collision_kit.addon import file_settings
from collision_kit.addon.colliders import scene_making
from collision_kit.addon.collisions import check
from collision_kit.addon.collisions.pair_evidence import measuring
from collision_kit.addon.fixes.moving import push_apart_steps
from collision_kit.addon.model.motion_report import MotionRequest
from collision_kit.addon.model.report import PairResults, Settings
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.motion import check as motion
from collision_kit.addon.validation import check as validation

# Number of pairs that are looked at.
_LOOKS = 20

Steps = Generator[object, None, object]


def checked(evidence: bool) -> Steps:
    """A check of everything."""
    return check.steps(bpy.context, Settings("ALL", "", "", None, 0.0), evidence=evidence)


def looked() -> Callable[[], Steps]:
    """Check everything, and return the steps that measure some pairs in full."""
    report, shapes = exhausted(check.steps(bpy.context, Settings("ALL", "", "", None, 0.0), evidence=False))
    pairs = report.pairs[:_LOOKS]

    def measured() -> Steps:
        for pair in pairs:
            yield from measuring(shapes.world, PairResults.of([pair]), np.array([0]))

    return measured


def made(kind: str) -> Steps:
    """Colliders of all objects."""
    return scene_making.steps(bpy.context, scene_making.MakeRequest(kind, "UNREAL"))


def moved() -> Steps:
    """A check of all frames."""
    scene = bpy.context.scene
    return motion.steps(bpy.context, MotionRequest(start=scene.frame_start, end=scene.frame_end))


# What returns the steps of each task. What it does itself is not measured.
TASKS: dict[str, Callable[[], Callable[[], Steps]]] = {
    "check": lambda: lambda: checked(False),
    "evidence": lambda: lambda: checked(True),
    "look": looked,
    "separate": lambda: (
        lambda: push_apart_steps(bpy.context, [one.session_uid for one in bpy.context.scene.objects][1:])
    ),
    "validate": lambda: lambda: validation.steps(bpy.context),
    "make": lambda: lambda: made("HULL"),
    "pieces": lambda: lambda: made("PIECES"),
    "motion": lambda: moved,
}


def bumpy(triangles: int, seed: int = 0, size: float = 1.0) -> bpy.types.Mesh:
    """A ball with bumps, of about this many triangles."""
    rows = max(4, round(np.sqrt(triangles / 4.0)))
    around = 2 * rows
    wave = np.random.default_rng(seed).uniform(0.0, 6.0, 3)
    u, v = np.meshgrid(np.arange(1, rows) * np.pi / rows, np.arange(around) * 2.0 * np.pi / around, indexing="ij")
    bumps = 0.08 * np.sin(7.0 * u + wave[0]) * np.sin(6.0 * v + wave[1])
    reach = size * (1.0 + bumps + 0.03 * np.cos(15.0 * v + wave[2]) * np.sin(u))
    points = np.stack([reach * np.sin(u) * np.cos(v), reach * np.sin(u) * np.sin(v), reach * np.cos(u)], axis=-1)
    at = np.arange((rows - 1) * around).reshape(rows - 1, around)
    after = np.roll(at, -1, axis=1)
    quads = np.stack([at[:-1], at[1:], after[1:], after[:-1]], axis=-1).reshape(-1, 4)
    top, bottom = (rows - 1) * around, (rows - 1) * around + 1
    faces = [*quads[:, [0, 1, 2]].tolist(), *quads[:, [0, 2, 3]].tolist()]
    faces += [[top, one, other] for one, other in zip(at[0].tolist(), after[0].tolist(), strict=True)]
    faces += [[bottom, other, one] for one, other in zip(at[-1].tolist(), after[-1].tolist(), strict=True)]
    ends = [[0.0, 0.0, size], [0.0, 0.0, -size]]
    return scenes.made("Bumpy", np.concatenate([points.reshape(-1, 3), ends]), faces)


def twice(triangles: int, shift: float = 0.0, turn: float = 0.0) -> scenes.Build:
    """A bumpy ball and its copy, which is shifted and turned."""

    def build(_rng: np.random.Generator, _count: int) -> None:
        mesh = bumpy(triangles)
        scenes.link(mesh, np.zeros(3), np.zeros(3))
        scenes.link(mesh, np.array([shift, shift / 2.0, -shift / 3.0]), np.array([turn, 0.0, turn]))

    return build


def copied(triangles: int) -> scenes.Build:
    """A bumpy ball and its copy in one place, with a mesh of its own."""

    def build(_rng: np.random.Generator, _count: int) -> None:
        mesh = bumpy(triangles)
        scenes.link(mesh, np.zeros(3), np.zeros(3))
        scenes.link(mesh.copy(), np.zeros(3), np.zeros(3))

    return build


def moving_balls(triangles: int) -> scenes.Build:
    """Three bumpy balls that move through a small room over 20 frames."""
    return lambda rng, _count: scenes.moving(rng, [bumpy(triangles)], 3, 20)


def details(triangles: int) -> scenes.Build:
    """Three levels of detail of a bumpy ball in one place."""

    def build(_rng: np.random.Generator, _count: int) -> None:
        for part in (1, 4, 16):
            scenes.link(bumpy(triangles // part), np.zeros(3), np.zeros(3))

    return build


def skins(triangles: int) -> scenes.Build:
    """Clothes on a body: bumpy balls whose surfaces are a thousandth apart, with other bumps here and there."""

    def build(_rng: np.random.Generator, _count: int) -> None:
        for number, size in enumerate((1.0, 1.001, 1.002)):
            scenes.link(bumpy(triangles, 0, size), np.zeros(3), np.array([0.0, 0.002 * number, 0.0]))

    return build


def loose(count: int) -> scenes.Build:
    """Two objects of this many loose cubes each, in each other."""

    def build(rng: np.random.Generator, _count: int) -> None:
        corners = np.array([(x, y, z) for x in (-1.0, 1.0) for y in (-1.0, 1.0) for z in (-1.0, 1.0)])
        side = round(np.cbrt(count))
        for number in range(2):
            points, faces = [], []
            for cell in range(count):
                at = 1.5 * np.array([cell % side, cell // side % side, cell // side**2])
                points.append(0.5 * corners + at + 0.4 * number + rng.uniform(-0.1, 0.1, 3))
                faces += [[8 * cell + one for one in face] for face in scenes.BOX_FACES]
            scenes.link(scenes.made(f"Loose{number}", np.concatenate(points), faces), np.zeros(3), np.zeros(3))

    return build


def equal(build: Callable[[], bpy.types.Mesh], count: int) -> scenes.Build:
    """Equal objects in one place."""

    def place(_rng: np.random.Generator, _count: int) -> None:
        mesh = build()
        for _ in range(count):
            scenes.link(mesh, np.zeros(3), np.zeros(3))

    return place


def statues(triangles: int) -> scenes.Build:
    """A scanned mesh of a folder, subdivided to this many triangles, deep in a turned copy that is its own mesh."""

    def build(_rng: np.random.Generator, _count: int) -> None:
        folder = os.environ.get("MESHES")
        if not folder:
            raise SystemExit("The environment variable MESHES is the folder with bunny.ply")
        bpy.ops.wm.ply_import(filepath=str(Path(folder, "bunny.ply")))
        made = bpy.context.view_layer.objects.active
        points = np.empty(3 * len(made.data.vertices))
        made.data.vertices.foreach_get("co", points)
        made.data.calc_loop_triangles()
        faces = np.empty(3 * len(made.data.loop_triangles), dtype=np.int32)
        made.data.loop_triangles.foreach_get("vertices", faces)
        bpy.data.objects.remove(made)
        points, faces = points.reshape(-1, 3), faces.reshape(-1, 3).astype(np.int64)
        low, high = points.min(axis=0), points.max(axis=0)
        points = (points - (low + high) / 2.0) * (2.0 / (high - low).max())
        while len(faces) < triangles:
            points, faces = subdivided(points, faces)
        for number in range(2):
            mesh = scenes.made(f"Statue{number}", points, faces.tolist())
            scenes.link(mesh, 0.4 * number * np.ones(3), 1.1 * number * np.ones(3))

    return build


def subdivided(points: np.ndarray, faces: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Four triangles for each. The new vertices are moved off the flat faces, by a hundredth of the edge."""
    edges = np.sort(np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    edges, number = np.unique(edges, axis=0, return_inverse=True)
    ends = points[edges]
    push = np.where(np.arange(len(edges)) % 2, 0.01, -0.01)[:, None] * (ends[:, 1] - ends[:, 0])[:, [1, 2, 0]]
    first, second, third = (number.reshape(3, -1) + len(points)).tolist()
    a, b, c = faces.T.tolist()
    parts = [(a, first, third), (first, b, second), (third, second, c), (first, second, third)]
    return np.concatenate([points, ends.mean(axis=1) + push]), np.concatenate([np.array(one).T for one in parts])


def kits(parts: int, count: int) -> scenes.Build:
    """Instances of this many concave kit parts on a grid, a tenth of them 2 cm out of place."""
    return lambda rng, _count: scenes.kit(rng, count, parts)


SCENES: dict[str, scenes.Build] = {
    "duplicate 2,000": twice(2_000),
    "duplicate 100,000": twice(100_000),
    "copy 100,000": copied(100_000),
    "copy 500,000": copied(500_000),
    "shifted 2,000": twice(2_000, 5e-4),
    "shifted 20,000": twice(20_000, 5e-4),
    "shifted 100,000": twice(100_000, 5e-4),
    "turned 100,000": twice(100_000, 0.0, 1e-3),
    "deep 100,000": twice(100_000, 0.3, 1.0),
    "details 20,000": details(20_000),
    "skins 20,000": skins(20_000),
    "loose 64": loose(64),
    "loose 2,000": loose(2_000),
    "1,000 cubes": equal(scenes.cube, 1_000),
    "1,000 rings": equal(lambda: scenes.torus(24, 12), 1_000),
    "terrain 80,000": lambda rng, _count: scenes.terrain(rng, 500, cells=200, sunk=True),
    "terrain 500,000": lambda rng, _count: scenes.terrain(rng, 500, cells=500, sunk=True),
    "terrain 2,000,000": lambda rng, _count: scenes.terrain(rng, 500, cells=1_000, sunk=True),
    "statues 60,000": statues(60_000),
    "statues 250,000": statues(250_000),
    "statues 1,000,000": statues(1_000_000),
    "kit 1,000": kits(50, 1_000),
    "kit 10,000": kits(50, 10_000),
    "colliders 2,000": lambda rng, _count: scenes.colliders(rng, 2_000),
    "moving rings": lambda rng, _count: scenes.moving_rings(rng, 50),
    "moving boxes": lambda rng, _count: scenes.moving_boxes(rng, 200),
    "moving balls 20,000": moving_balls(20_000),
    "moving balls 100,000": moving_balls(100_000),
}


def one(name: str, task: str) -> None:
    """Print the figures of a task in a scene."""
    file_settings.register()
    scenes.made_scene(SCENES[name], 0)
    for mesh in bpy.data.meshes:
        mesh.calc_loop_triangles()
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    task_steps = TASKS[task]()
    start = time.process_time()
    steps, longest, count, where = task_steps(), 0.0, 0, 0
    last = start
    while True:
        try:
            next(steps)
        except StopIteration:
            going = False
        else:
            going = True
        now = time.process_time()
        count += 1
        if now - last > longest:
            longest, where = now - last, count
        last = now
        if not going:
            break
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024.0
    print(json.dumps([last - start, longest, where, count, memory]))


def main() -> None:
    """Print a table, a row for each scene and task."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--only", nargs="+", choices=SCENES, default=list(SCENES))
    parser.add_argument("--tasks", nargs="+", choices=TASKS, default=["check", "evidence"])
    parser.add_argument("--one", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.one:
        return one(options.only[0], options.tasks[0])
    print("| scene | task | seconds | longest step | which | steps | MB |")
    print("|---|---|---|---|---|---|---|")
    for name in options.only:
        for task in options.tasks:
            command = [sys.executable, __file__, "--one", "--only", name, "--tasks", task]
            ran = subprocess.run(command, capture_output=True, text=True, check=False)
            if ran.returncode:
                print(f"| {name} | {task} | {ran.stderr.strip().splitlines()[-1:]} |", flush=True)
                continue
            total, longest, where, count, memory = json.loads(ran.stdout.strip().splitlines()[-1])
            print(f"| {name} | {task} | {total:.2f} | {longest:.2f} | {where} | {count} | {memory:.0f} |", flush=True)
    return None


if __name__ == "__main__":
    main()
