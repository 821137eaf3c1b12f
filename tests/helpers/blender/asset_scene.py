# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes and empties of assets, and the faults that a check finds."""

from collections.abc import Sequence

import bpy

from collision_kit.addon import api
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
