# SPDX-License-Identifier: GPL-3.0-or-later
"""Build the rooms of three floors, and their named tests: what the pictures of reports of many files show.

``python rooms.py FOLDER LANGUAGE``. Reports are in English; names are in this language. Lengths are meters.
"""

import sys
from itertools import product
from math import cos, pi, sin
from pathlib import Path
from typing import NamedTuple

import bpy

Vector3 = tuple[float, float, float]


class Names(NamedTuple):
    """The names of files, objects, collections and tests."""

    floor: str
    room: str
    wall: str
    door: str
    pipe: str
    shelf: str
    box: str
    walls: str
    doors: str
    pipes: str
    furniture: str
    # The named tests: of doors, of pipes, and of furniture.
    tests: tuple[str, str, str]


ENGLISH = Names(
    *("floor", "room", "Wall", "Door", "Pipe", "Shelf", "Box", "Walls", "Doors", "Pipes", "Furniture"),
    tests=("doors", "pipes against walls", "furniture"),
)
KOREAN = Names(
    *("층", "방", "벽", "문", "배관", "선반", "상자", "벽", "문", "배관", "가구"),
    tests=("문", "배관과 벽", "가구"),
)
NAMES = {"en": ENGLISH, "ko": KOREAN}

# How many doors and pipes of a room are in a wall, and how many boxes are in their shelves.
ROOMS = {
    (1, 101): (3, 1, 4),
    (1, 102): (0, 0, 0),
    (1, 103): (0, 0, 0),
    (1, 104): (0, 0, 0),
    (2, 201): (0, 3, 2),
    (2, 202): (6, 5, 9),
    (2, 203): (3, 1, 2),
    (2, 204): (1, 6, 5),
    (3, 301): (0, 0, 0),
    (3, 302): (4, 4, 5),
    (3, 303): (0, 0, 0),
    (3, 304): (0, 0, 3),
}
# The room whose own report is shown.
SHOWN = (2, 202)
# A room: half its width, height, thickness of the walls.
HALF, HEIGHT, THICK = 4.0, 2.8, 0.2
DOORS, PIPES, BOXES = 6, 6, 11
# Gap beside what does not collide. The deepest is this deep, and each of the others a share as deep as the one before.
GAP, DEEPEST, SHARE = 0.05, 0.3, 0.7


def solid(name: str, collection: str, corners: list[Vector3], faces: list[list[int]], at: Vector3) -> None:
    """Add a mesh to a collection."""
    into = bpy.data.collections.get(collection)
    if into is None:
        into = bpy.data.collections.new(collection)
        bpy.context.scene.collection.children.link(into)
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(corners, [], faces)
    ob = bpy.data.objects.new(name, mesh)
    ob.location = at
    into.objects.link(ob)


def block(name: str, collection: str, size: Vector3, at: Vector3) -> None:
    """Add a box around a place."""
    corners = [(x * size[0] / 2, y * size[1] / 2, z * size[2] / 2) for x, y, z in product((-1, 1), repeat=3)]
    faces = [[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]]
    solid(name, collection, corners, faces, at)


def pipe(name: str, collection: str, radius: float, at: Vector3) -> None:
    """Add an upright pipe around a place."""
    count = 16
    turns = [2 * pi * k / count for k in range(count)]
    corners = [(radius * cos(a), radius * sin(a), z) for z in (-0.45 * HEIGHT, 0.45 * HEIGHT) for a in turns]
    sides = [[k, (k + 1) % count, count + (k + 1) % count, count + k] for k in range(count)]
    solid(name, collection, corners, [[*range(count)][::-1], [*range(count, 2 * count)], *sides], at)


def depth(number: int, faults: int, deepest: float) -> float:
    """Return how deep one of several is in something; below zero: how far it is from it."""
    return deepest * SHARE**number if number < faults else -GAP


def build(names: Names, faults: tuple[int, int, int]) -> None:
    """Fill an empty file with a room."""
    bpy.ops.wm.read_factory_settings(use_empty=True)
    side, length = HALF + THICK / 2, 2 * HALF
    walls = [((0, side), (length, THICK)), ((0, -side), (length, THICK))]
    walls += [((x, 0), (THICK, length)) for x in (side, -side)]
    for number, ((x, y), (width, along)) in enumerate(walls, 1):
        block(f"{names.wall} {number}", names.walls, (width, along, HEIGHT), (x, y, HEIGHT / 2))
    for number in range(DOORS):
        sunk = depth(number, faults[0], 0.03)
        y = (HALF + sunk - 0.03) * (1 if number % 2 else -1)
        block(f"{names.door} {number + 1}", names.doors, (0.9, 0.06, 2.0), (1.2 * (number - 2.5), y, 1.05))
    for number in range(PIPES):
        sunk = depth(number, faults[1], 0.1)
        x = (HALF + sunk - 0.06) * (1 if number % 2 else -1)
        pipe(f"{names.pipe} {number + 1}", names.pipes, 0.06, (x, 0.9 * (number - 2.5), HEIGHT / 2))
    for number in range(BOXES):
        # Three of those that are not sunk stand on their shelves.
        sunk = max(depth(number, faults[2], DEEPEST), 0.0 if number < faults[2] + 3 else -GAP)
        x, y = 1.1 * (number % 6 - 2.5), 1.4 * (number // 6 - 0.5)
        block(f"{names.shelf} {number + 1}", names.furniture, (0.8, 0.4, 1.0), (x, y, 0.55))
        block(f"{names.box} {number + 1}", names.furniture, (0.5, 0.3, 0.4), (x, y, 1.25 - sunk))


def tests(names: Names) -> str:
    """Return the configuration with the named tests."""
    sides = (names.doors, names.walls), (names.pipes, names.walls), (names.furniture, names.furniture)
    return "\n".join(
        f'[[test]]\nname = "{name}"\na = ["collection:{a}"]\nb = ["collection:{b}"]\n'
        for name, (a, b) in zip(names.tests, sides, strict=True)
    )


def main(folder: Path, language: str) -> None:
    """Build all rooms, and the shown one once more by itself, beside their folder."""
    names = NAMES[language]
    for (floor, room), faults in ROOMS.items():
        place = folder / "rooms" / f"{names.floor}_{floor}"
        place.mkdir(parents=True, exist_ok=True)
        build(names, faults)
        bpy.ops.wm.save_as_mainfile(filepath=str(place / f"{names.room}_{room}.blend"), compress=False)
        if (floor, room) == SHOWN:
            bpy.ops.wm.save_as_mainfile(filepath=str(folder / f"{names.room}_{room}.blend"), copy=True)
    (folder / "rooms" / "collision-kit.toml").write_text(tests(names), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
