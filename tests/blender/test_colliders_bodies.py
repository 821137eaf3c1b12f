# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders made for any engine belong to the body of what they stand for."""

import pytest

from tests.helpers.blender.bridge_scene import body_names, read
from tests.helpers.blender.colliders_scene import build, make, select

pytestmark = pytest.mark.usefixtures("scene")


@pytest.mark.parametrize("engine", ["GODOT", "UNITY", "GLTF"])
def test_colliders_of_every_engine_belong_to_their_body(engine: str) -> None:
    ob = build("turned")
    names = []
    for kind in ("BOX", "HULL"):
        select(ob)
        names += [one.name for one in make(kind, engine=engine)]
    assert body_names(read()) == {"Rock": sorted(names)}
