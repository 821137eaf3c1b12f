# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders keep their names, parents and places through Blender's own exporters and importers."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.helpers.blender.bridge_scene import body_names, read, world_vertices
from tests.helpers.blender.colliders_scene import PLACES, build, make, select
from tests.helpers.blender.round_trip import FORMATS, exporter_missing, through
from tests.helpers.offline import slow

pytestmark = pytest.mark.usefixtures("scene")

# What float32 in the file, and angles in degrees in FBX, leave of a coordinate of a few tens.
ROUNDING = 2e-4


def assert_same_places(found: np.ndarray, given: np.ndarray) -> None:
    """Each vertex is where one was; exporters may split and merge them."""
    for some, others in ((found, given), (given, found)):
        apart = np.linalg.norm(some[:, None] - others[None], axis=2).min(axis=1)
        assert apart.max() <= ROUNDING


# The others are placements of the same sorts.
QUICK = ("mirrored uneven", "sheared")


@pytest.mark.parametrize("place", [*QUICK, *slow(*(place for place in PLACES if place not in QUICK))])
def test_names_and_places_survive(place: str, tmp_path: Path) -> None:
    formats = [name for name in FORMATS if not exporter_missing(name)]
    if not formats:
        pytest.skip("this Blender has neither exporter")
    ob = build(place)
    for kind in ("ORIENTED_BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL"):
        select(ob)
        make(kind)
    given = {one.name: world_vertices(one) for one in bpy.data.objects if "_Rock_" in one.name}
    bodies = body_names(read())
    for name in through(formats, tmp_path):
        bpy.context.view_layer.update()
        assert {one.name for one in bpy.data.objects if "_Rock_" in one.name} == set(given), name
        for collider, vertices in given.items():
            assert bpy.data.objects[collider].parent == bpy.data.objects["Rock"]
            assert_same_places(world_vertices(bpy.data.objects[collider]), vertices)
        assert body_names(read()) == bodies, name


@pytest.mark.parametrize("engine", ["GODOT", "GLTF"])
def test_suffixes_survive_gltf(engine: str, tmp_path: Path) -> None:
    if exporter_missing("gltf"):
        pytest.skip("this Blender has no glTF exporter")
    build("turned")
    (made,) = make("HULL", engine=engine)
    name = made.name
    assert list(through(["gltf"], tmp_path)) == ["gltf"]
    assert {one.name for one in bpy.data.objects} == {"Rock", name}
