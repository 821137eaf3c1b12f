# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python package: what the wheel and the sdist hold, and that they install with numpy alone."""

import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import venv
import zipfile
from pathlib import Path

import numpy as np
import pytest

import collision_kit
from collision_kit.core.kernels.sources import MODULE

ROOT = Path(__file__).resolve().parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
MANIFEST = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))
NOT_SOURCE = (".git", ".venv", "build", "dist", "__pycache__", "*.egg-info", ".hypothesis", ".*_cache")


def completed(*command: Path | str, cwd: Path) -> subprocess.CompletedProcess[str]:
    # Only the installed package may be found, and it chooses its kernels itself.
    environment = {
        name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "COLLISION_KIT_KERNELS"}
    }
    return subprocess.run(
        list(map(str, command)), cwd=cwd, env=environment, capture_output=True, text=True, timeout=180, check=False
    )


def run(*command: Path | str, cwd: Path) -> str:
    result = completed(*command, cwd=cwd)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def catalogs() -> set[str]:
    """The package's translations, as paths below the root."""
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / "addon").rglob("*.po")}


def styles() -> set[str]:
    """The styles and scripts of HTML pages, as paths below the root."""
    found = [path for part in ("addon", "command") for path in (ROOT / part).rglob("*.*")]
    return {path.relative_to(ROOT).as_posix() for path in found if path.suffix in {".css", ".js"}}


def scripts() -> set[str]:
    """The import scripts for engines, as paths below the root."""
    return {path.relative_to(ROOT).as_posix() for path in (ROOT / "engines").glob("*/*")}


def modules() -> set[str]:
    """The package's modules, as paths below the root."""
    found = {path.relative_to(ROOT) for part in ("core", "addon", "command") for path in (ROOT / part).rglob("*.py")}
    return {path.as_posix() for path in found} | {"__init__.py", "__main__.py", "_version.py"}


@pytest.fixture(scope="module")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from a copy, whose name is not the package's and into which nothing old can leak."""
    folder = tmp_path_factory.mktemp("sdist")
    clone = folder / "a clone of-any.name"
    shutil.copytree(ROOT, clone, ignore=shutil.ignore_patterns(*NOT_SOURCE), symlinks=True)
    # The build back end itself: pip is no front end for sdists, and this way no network is needed.
    code = "import sys; from setuptools import build_meta; print(build_meta.build_sdist(sys.argv[1]))"
    return folder / run(sys.executable, "-c", code, folder, cwd=clone).splitlines()[-1]


@pytest.fixture(scope="module")
def wheel(sdist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Built from the sdist, as an installer does that finds no wheel."""
    folder = tmp_path_factory.mktemp("wheel")
    pip = [sys.executable, "-m", "pip", "wheel", "--no-deps", "--no-index", "--no-build-isolation"]
    run(*pip, "--wheel-dir", folder, sdist, cwd=folder)
    (path,) = folder.glob("*.whl")
    return path


def test_both_distributions_have_the_same_version_and_license() -> None:
    # The version stands in __init__.py, from where the wheel has it; Blender and citations need a copy.
    assert "version" in PYPROJECT["project"]["dynamic"]
    assert MANIFEST["version"] == collision_kit.__version__
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert re.findall("^version: (.*)$", citation, re.MULTILINE) == [collision_kit.__version__]
    assert PYPROJECT["project"]["urls"]["Homepage"] == MANIFEST["website"]
    assert [f"SPDX:{PYPROJECT['project']['license']}"] == MANIFEST["license"]


def test_every_package_is_listed() -> None:
    folders = {Path(module).parent for module in modules()}
    expected = {".".join(["collision_kit", *folder.parts]) for folder in folders}
    assert set(PYPROJECT["tool"]["setuptools"]["packages"]) == expected
    missing = [str(folder) for folder in folders if not (ROOT / folder / "__init__.py").is_file()]
    assert not missing, f"folders without __init__.py: {missing}"


def test_the_wheel_holds_modules_translations_styles_and_scripts_and_nothing_else(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    assert catalogs()
    assert scripts()
    assert styles()
    kernels = {f"{MODULE}.abi3.so", f"{MODULE}.pyd"} & names
    assert len(kernels) == 1
    rest = {f"collision_kit/{path}" for path in modules() | catalogs() | scripts() | styles() | {"py.typed"}}
    assert names == rest | kernels


def test_the_wheel_states_its_license_and_that_it_needs_numpy_alone(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        info = {Path(name).name: name for name in archive.namelist() if ".dist-info/" in name}
        metadata = archive.read(info["METADATA"]).decode()
    assert "LICENSE" in info
    assert "License-Expression: GPL-3.0-or-later" in metadata
    assert f"\nVersion: {collision_kit.__version__}\n" in metadata
    required = [line for line in metadata.splitlines() if line.startswith("Requires-Dist")]
    assert [line for line in required if "extra ==" not in line] == ["Requires-Dist: numpy>=1.24"]


def test_the_wheel_works_with_numpy_alone(wheel: Path, tmp_path: Path) -> None:
    venv.create(tmp_path / "venv", with_pip=False)
    programs = tmp_path / "venv" / ("Scripts" if sys.platform == "win32" else "bin")
    python = programs / "python"
    pip = [sys.executable, "-m", "pip", "--python", python]
    run(*pip, "install", "--no-deps", "--no-index", wheel, cwd=tmp_path)
    (site,) = (tmp_path / "venv").rglob("site-packages")
    # numpy, and beside it the libraries that it is linked with.
    for folder in Path(np.__file__).parents[1].glob("numpy*"):
        (site / folder.name).symlink_to(folder)
    code = """
import json, sys
import collision_kit.core
print(json.dumps([collision_kit.core.__file__, "bpy" in sys.modules, collision_kit.core.__all__]))
import importlib.util
assert importlib.util.find_spec("bpy") is None
"""
    path, blender, names = json.loads(run(python, "-c", code, cwd=tmp_path))
    assert Path(path).is_relative_to(site)
    assert not blender
    assert names

    # Help, bad usage and a missing file need no Blender; to check a scene does, and says so.
    (tmp_path / "scene.blend").touch()
    for arguments, code, words in (
        (["--help"], 0, "usage: collision-kit"),
        (["--version"], 0, f"Collision Kit {collision_kit.__version__}, kernels compiled\n"),
        (["check", "--help"], 0, "--clearance"),
        ([], 2, "the following arguments are required: COMMAND"),
        (["cull", "scene.blend", "--frames", "9:1"], 2, "is not a frame range"),
        (["check", "scene.blend", "--scope", "all", "--against", "Left"], 2, "--against needs --scope"),
        (["check", "scene.blend", "--format", "yaml"], 2, "invalid choice: 'yaml'"),
        (["check", "other.blend"], 2, "other.blend: no such file"),
        (["check", "scene.blend"], 2, "pip install collision-kit[blender]"),
    ):
        result = completed(programs / "collision-kit", *arguments, cwd=tmp_path)
        assert result.returncode == code, result.stderr
        told, silent = (result.stderr, result.stdout) if code else (result.stdout, result.stderr)
        assert words in told
        assert not silent
        assert not code or len(told.splitlines()) == 1
