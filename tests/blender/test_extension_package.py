# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension zip: what it holds, what Blender's validator says to it, and its life in a new profile."""

import hashlib
import importlib.util
import os
import re
import subprocess
import sys
import tomllib
import zipfile
from pathlib import Path

import pytest

from scripts import bundled_wheels, kernel_wheels
from scripts.build_extension import ExtensionError, blender_tool, build, validate
from scripts.bundled_wheels import WHEELS, DownloadError, this_platform, wheel_file
from tests.helpers.offline import slow

ROOT = Path(__file__).resolve().parents[2]
TIME_LIMIT = 120  # seconds


@pytest.fixture(scope="module")
def extension_zip() -> Path:
    if "COLLISION_KIT_ZIP" not in os.environ:
        pytest.skip("not the installed extension: run tests/run_in_blender.py")
    return Path(os.environ["COLLISION_KIT_ZIP"])


def test_these_tests_run_on_the_installed_extension(extension_zip: Path) -> None:
    import collision_kit.addon.model.report
    import collision_kit.core

    profile = Path(os.environ["BLENDER_USER_RESOURCES"]).resolve()
    for module in (collision_kit, collision_kit.core, collision_kit.addon.model.report):
        assert module.__file__ is not None
        assert Path(module.__file__).resolve().is_relative_to(profile)
        assert not Path(module.__file__).resolve().is_relative_to(ROOT)
    assert sys.modules["collision_kit.core"] is sys.modules["bl_ext.user_default.collision_kit.core"]
    assert collision_kit.core.__spec__ is not None
    assert collision_kit.core.__spec__.name == "bl_ext.user_default.collision_kit.core"
    import tests.run_in_blender

    assert Path(tests.run_in_blender.__file__).is_relative_to(ROOT)


def test_the_zip_holds_what_blender_needs_and_nothing_else(extension_zip: Path) -> None:
    with zipfile.ZipFile(extension_zip) as archive:
        names = set(archive.namelist())
    files = (path for part in ("core", "addon") for path in (ROOT / part).rglob("*.*"))
    modules = {path.relative_to(ROOT) for path in files if path.suffix in {".css", ".js", ".po", ".py"}}
    wheel, kernels = WHEELS[this_platform()], kernel_wheels.wheel()
    brought = {name.removeprefix("wheels/") for name in names if name.startswith("wheels/")}
    assert {kernels.name} <= brought <= {kernels.name, wheel.name if wheel else kernels.name}
    assert {name for name in names if not name.startswith("wheels/")} == {path.as_posix() for path in modules} | {
        "__init__.py",
        "_version.py",
        "blender_manifest.toml",
        "LICENSE",
        "addon/README.md",
        "engines/godot/collision_kit_import.gd",
        "engines/unity/CollisionKitPostprocessor.cs",
    }


def test_the_kernels_are_those_of_the_zip(extension_zip: Path) -> None:
    import collision_kit_kernels

    from collision_kit.core.kernels import loading, trees
    from collision_kit.core.kernels.sources import digest

    assert loading.mode == "compiled"
    profile = Path(os.environ["BLENDER_USER_RESOURCES"]).resolve()
    assert Path(collision_kit_kernels.__file__).resolve().is_relative_to(profile)
    assert trees.traverse is collision_kit_kernels.trees_traverse
    assert digest() == collision_kit_kernels.DIGEST


# CoACD has wheels for some of them. The kernels are compiled for each.
@pytest.mark.parametrize("platform", slow(*WHEELS))
def test_the_zip_of_each_platform_names_it_and_brings_its_wheels(platform: str, tmp_path: Path) -> None:
    wheel = WHEELS[platform]
    try:
        path = build(tmp_path, platform)
    except DownloadError as error:
        pytest.skip(str(error))
    with zipfile.ZipFile(path) as archive:
        manifest = tomllib.loads(archive.read("blender_manifest.toml").decode())
        wheels = {name: archive.read(name) for name in archive.namelist() if name.startswith("wheels/")}
    assert manifest["platforms"] == [platform]
    assert path.name == f"collision_kit-{manifest['version']}-{platform.replace('-', '_')}.zip"
    kernels = kernel_wheels.wheel(platform)
    assert manifest["wheels"] == [f"./wheels/{one.name}" for one in (kernels, wheel) if one]
    assert {*wheels} == {name.removeprefix("./") for name in manifest["wheels"]}
    assert wheels[f"wheels/{kernels.name}"] == kernels.read_bytes()
    assert len(wheels[f"wheels/{kernels.name}"]) < 2_000_000
    assert wheel is None or hashlib.sha256(wheels[f"wheels/{wheel.name}"]).hexdigest() == wheel.sha256
    # Blender's own tool says for which platform a wheel is, by its name, and for which Python.
    for name in wheels:
        assert blender_platforms(name) == [platform]
    assert magic(kernels) == MAGIC[platform]


# How the files of modules begin, up to the processor.
MAGIC = {
    "linux-arm64": ("ELF", 183),
    "linux-x64": ("ELF", 62),
    "macos-arm64": ("Mach-O", 0x0100000C),
    "macos-x64": ("Mach-O", 0x01000007),
    "windows-arm64": ("PE", 0xAA64),
    "windows-x64": ("PE", 0x8664),
}


def magic(wheel: Path) -> tuple[str, int]:
    """The format of the module in a wheel, and the processor that it is for."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith((".so", ".pyd")))
        data = archive.read(name)
    if data[:4] == b"\x7fELF":
        return "ELF", int.from_bytes(data[18:20], "little")
    if data[:4] == b"\xcf\xfa\xed\xfe":
        return "Mach-O", int.from_bytes(data[4:8], "little")
    assert data[:2] == b"MZ"
    header = int.from_bytes(data[60:64], "little")
    assert data[header : header + 4] == b"PE\0\0"
    return "PE", int.from_bytes(data[header + 4 : header + 6], "little")


def blender_platforms(name: str) -> list[str]:
    spec = importlib.util.spec_from_file_location("blender_ext", blender_tool()[0])
    assert spec is not None and spec.loader is not None
    tool = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = tool
    spec.loader.exec_module(tool)
    tag = name.removesuffix(".whl").rsplit("-", 1)[-1].split(".")[-1]
    # Blender 4.2 and 4.5 have this function as well, by the same name.
    return list(tool.blender_platforms_from_wheel_platform(tag))


def test_a_wheel_that_is_not_the_pinned_file_is_refused(monkeypatch, tmp_path: Path) -> None:
    monkeypatch.setattr(bundled_wheels, "CACHE", tmp_path)
    (wheel,) = (one for platform, one in WHEELS.items() if platform == "windows-x64" and one)
    other = wheel._replace(sha256="0" * 64)
    (tmp_path / other.name).write_bytes(b"something else")
    with pytest.raises(DownloadError, match=re.escape(wheel.name)):
        wheel_file(other)
    assert not (tmp_path / other.name).exists(), "nothing is left that could be taken for it"


@pytest.mark.parametrize(
    ("right", "wrong", "complaint"),
    [
        ('"Physics"', '"Colliding"', "Colliding"),
        ('rules and reports"', 'rules and reports."', "files"),
        ('id = "collision_kit"', 'id = "collision-kit"', "id"),
    ],
)
def test_the_validator_would_say_so(right: str, wrong: str, complaint: str, tmp_path: Path) -> None:
    manifest = (ROOT / "blender_manifest.toml").read_text(encoding="utf-8")
    assert right in manifest
    (tmp_path / "__init__.py").touch()
    (tmp_path / "blender_manifest.toml").write_text(manifest, encoding="utf-8")
    validate(tmp_path)
    (tmp_path / "blender_manifest.toml").write_text(manifest.replace(right, wrong), encoding="utf-8")
    with pytest.raises(ExtensionError, match=complaint):
        validate(tmp_path)


# As a Python module Blender tidies up when the last reference to `bpy` goes. If something keeps one for ever,
# 4.2 crashes at exit and 4.5 hangs. Such are a class or a draw handler left registered; on both, any use of
# `bpy.app.driver_namespace`; and on 4.2, which never lets go of them, a property's callback or a property
# group's method that has `bpy`, or something that has it, among the globals of its module.
@pytest.mark.parametrize("at_exit", ["enabled", *slow("disabled", "uninstalled", "reloaded")])
def test_install_check_disable_enable_and_leave(extension_zip: Path, at_exit: str, tmp_path: Path) -> None:
    environment = os.environ | {"BLENDER_USER_RESOURCES": str(tmp_path)}
    life = Path(__file__).parents[1] / "helpers" / "blender" / "extension_life.py"
    result = subprocess.run(
        [sys.executable, str(life), str(extension_zip), at_exit],
        env=environment,
        capture_output=True,
        text=True,
        timeout=TIME_LIMIT,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert "the extension has lived" in result.stdout
    assert "Traceback" not in result.stdout + result.stderr


@pytest.mark.parametrize("ending", ["", "collision_kit.unregister()"], ids=["on", "off"])
def test_a_script_that_has_blender_as_a_module_ends_well(tmp_path, ending):
    (tmp_path / "collision_kit").symlink_to(ROOT)
    script = f"import bpy, collision_kit; collision_kit.register(); bpy.ops.wm.read_homefile(); {ending}"
    environment = os.environ | {"PYTHONPATH": str(tmp_path), "BLENDER_USER_RESOURCES": str(tmp_path / "profile")}
    ended = subprocess.run(
        [sys.executable, "-c", script], env=environment, capture_output=True, text=True, timeout=TIME_LIMIT, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
