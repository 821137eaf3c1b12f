# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for tests inside Blender: the registered add-on and an empty scene.

`python tests/run_in_blender.py tests/blender` runs them against the installed extension. Plain pytest, where
bpy and `collision_kit` can be imported, runs them against the checkout, for quick work on one of them.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import pytest

bpy = pytest.importorskip("bpy", reason="needs Blender: pip install 'collision-kit[blender]'")

import collision_kit  # noqa: E402
from collision_kit.addon.model.report import Report  # noqa: E402
from collision_kit.addon.picture import shading  # noqa: E402
from collision_kit.addon.scene.gltf.transfer import own_window  # noqa: E402
from collision_kit.addon.ui import shown_panels  # noqa: E402
from tests.helpers.blender.command_line import box  # noqa: E402
from tests.helpers.blender.report_readers import nasty_report  # noqa: E402


@pytest.fixture(scope="session", autouse=True)
def add_on() -> Iterator[None]:
    """The add-on is registered: the installed extension already is, a checkout is for these tests."""
    if collision_kit.__name__.startswith("bl_ext."):
        yield
    else:
        collision_kit.register()
        yield
        collision_kit.unregister()


@pytest.fixture(scope="session", autouse=True)
def owned_window() -> Iterator[None]:
    """The window is owned by a scene that exists, whatever earlier tests have read; see `own_window`."""

    @bpy.app.handlers.persistent
    def own(*_file: object) -> None:
        own_window()

    bpy.app.handlers.load_post.append(own)
    yield
    bpy.app.handlers.load_post.remove(own)


@pytest.fixture
def scene() -> bpy.types.Scene:
    """The only scene of a new, empty file."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return bpy.context.scene


@pytest.fixture
def all_panels(monkeypatch: pytest.MonkeyPatch) -> None:
    """The preferences hide no panel."""
    monkeypatch.setattr(shown_panels, "is_shown", lambda *_asked: True)


@pytest.fixture
def save_scene(tmp_path: Path) -> Callable[..., str]:
    """A function that makes an empty file of boxes and what else the test adds, and saves it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)

    def saved(**boxes: Sequence[float]) -> str:
        for name, place in boxes.items():
            box(name, place)
        path = tmp_path / "scene.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        return str(path)

    return saved


@pytest.fixture
def environment(root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """The package under its name, an empty folder for temporary files, and an empty working directory."""
    for name in ("packages", "temporary", "here"):
        (tmp_path / name).mkdir()
    (tmp_path / "packages" / "collision_kit").symlink_to(root)
    monkeypatch.chdir(tmp_path / "here")
    changed = {"PYTHONPATH": str(tmp_path / "packages"), "TMPDIR": str(tmp_path / "temporary")}
    return {key: value for key, value in os.environ.items() if key not in ("TEMP", "TMP")} | changed


@pytest.fixture
def nasty() -> Report:
    """A report of names that formats could stumble over."""
    return nasty_report()


@pytest.fixture(autouse=True)
def coarse_shadows(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Draw coarser shadows in half the time, but not in slow tests and not in what a module draws for all its tests."""
    if request.node.get_closest_marker("slow"):
        return
    monkeypatch.setattr(shading, "SHADOW_SIZE", 256)
    monkeypatch.setattr(shading, "CREVICE_TAPS", 4)
