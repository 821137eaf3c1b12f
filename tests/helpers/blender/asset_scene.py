# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes and empties of assets, and the faults and folded pairs that a check finds."""

from collections.abc import Sequence
from pathlib import Path

import bpy
import pytest

from collision_kit.addon import api
from collision_kit.addon.cli import commands
from collision_kit.addon.model.report import Report

CORNERS = [(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)]


FACES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]


Point = Sequence[float]


def box(
    name: str, low: Point, high: Point, parent: bpy.types.Object | None = None, collection: str = ""
) -> bpy.types.Object:
    data = bpy.data.meshes.new(name)
    data.from_pydata([[(low, high)[c][axis] for axis, c in enumerate(corner)] for corner in CORNERS], [], FACES)
    ob = bpy.data.objects.new(name, data)
    place = bpy.data.collections[collection] if collection else bpy.context.scene.collection
    place.objects.link(ob)
    ob.parent = parent
    return ob


def empty(name: str, parent: bpy.types.Object | None = None) -> bpy.types.Object:
    ob = bpy.data.objects.new(name, None)
    bpy.context.scene.collection.objects.link(ob)
    ob.parent = parent
    return ob


def checked(**settings: object) -> Report:
    return api.check_collisions(scope="ALL", **settings)  # type: ignore[arg-type]


def faults(report: Report) -> list[tuple[str, ...]]:
    return sorted(tuple(sorted(api.names(report, pair))) for pair in api.faults(report))


def assets(report: Report) -> dict[str, str]:
    return {body.name: body.asset for body in report.bodies if body.asset}


def folded(report: Report) -> dict[str, int]:
    """Return how many pairs each line stands for, by its kind and its name."""
    count: dict[str, int] = {}
    for fold in report.folded.values():
        key = f"{fold.kind.value} {fold.name}".strip()
        count[key] = count.get(key, 0) + 1
    return count


def character(name: str = "Character", x: float = 0.0) -> bpy.types.Object:
    """An empty with a torso, and with arms that are 10 cm in it."""
    root = empty(name)
    box(f"{name} torso", (x - 0.5, -0.3, 1.0), (x + 0.5, 0.3, 2.0), root)
    box(f"{name} left", (x + 0.4, -0.1, 1.2), (x + 0.7, 0.1, 1.9), root)
    box(f"{name} right", (x - 0.7, -0.1, 1.2), (x - 0.4, 0.1, 1.9), root)
    return root


def rigid(ob: bpy.types.Object, kind: str) -> bpy.types.Object:
    bpy.context.view_layer.objects.active = ob
    ob.select_set(True)
    bpy.ops.rigidbody.object_add(type=kind)
    ob.select_set(False)
    return ob


def check_file(capfd: pytest.CaptureFixture, path: Path, *options: str) -> tuple[int, str]:
    """Run `check` on a file. Return the exit code and the output."""
    capfd.readouterr()
    code = commands.command(["check", str(path), *options])
    return code, capfd.readouterr().out
