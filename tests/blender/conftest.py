# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for tests inside Blender: the registered add-on and an empty scene.

`python tests/run_in_blender.py tests/blender` runs them against the installed extension. Plain pytest, where
bpy and `collision_kit` can be imported, runs them against the checkout, for quick work on one of them.
"""

from collections.abc import Iterator

import pytest

bpy = pytest.importorskip("bpy", reason="needs Blender: pip install 'collision-kit[blender]'")

import collision_kit  # noqa: E402
from collision_kit.addon.picture import shading  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def add_on() -> Iterator[None]:
    """The add-on is registered: the installed extension already is, a checkout is for these tests."""
    if collision_kit.__name__.startswith("bl_ext."):
        yield
    else:
        collision_kit.register()
        yield
        collision_kit.unregister()


@pytest.fixture
def scene() -> bpy.types.Scene:
    """The only scene of a new, empty file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return bpy.context.scene


@pytest.fixture(autouse=True)
def coarse_shadows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw coarser shadows in half the time, but not in slow tests and not in what a module draws for all its tests."""
    if request.node.get_closest_marker("slow"):
        return
    monkeypatch.setattr(shading, "SHADOW_SIZE", 256)
    monkeypatch.setattr(shading, "CREVICE_TAPS", 4)
