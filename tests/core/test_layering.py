# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows point down only: the root, then addon, then core, then numpy; and bpy data only in addon/bridge."""

import ast
import subprocess
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BLENDER_MODULES = {"bpy", "bpy_extras", "bmesh", "mathutils", "gpu", "gpu_extras", "blf", "addon_utils"}
# Reading a mesh, a matrix or the depsgraph.
BLENDER_DATA = {"foreach_get", "matrix_world", "evaluated_get"}


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and absolute name of each import; one inside the package is `core.…` or `addon.…`."""
    package = path.relative_to(ROOT).parts[:-1]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}".strip(".")) for alias in node.names)


def names_used(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each name and each string of the code: getattr(x, "matrix_world") counts as well."""
    with path.open("rb") as file:
        for token in tokenize.tokenize(file.readline):
            if token.type == tokenize.NAME:
                yield token.start[0], token.string
            elif token.type == tokenize.STRING and '"""' not in token.string:
                yield token.start[0], token.string.strip("\"'")


@pytest.mark.parametrize("path", sources("core"), ids=lambda path: str(path.relative_to(ROOT)))
def test_core_imports_itself_numpy_and_the_standard_library_only(path: Path) -> None:
    # Itself relatively: an absolute `collision_kit` would be a second copy of what Blender knows as bl_ext.….
    modules = {name.partition(".")[0] for _, name in imports(path)}
    assert modules - sys.stdlib_module_names <= {"core", "numpy"}


@pytest.mark.parametrize("path", sources("addon"), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_add_on_imports_its_own_package_relatively(path: Path) -> None:
    assert not {name.partition(".")[0] for _, name in imports(path)} & {"collision_kit", "bl_ext"}


@pytest.mark.parametrize("path", sources("addon"), ids=lambda path: str(path.relative_to(ROOT)))
def test_only_the_bridge_reads_blender_data(path: Path) -> None:
    if (ROOT / "addon" / "bridge") in path.parents:
        return
    found = [f"line {line}: {name}" for line, name in names_used(path) if name in BLENDER_DATA]
    assert not found


def test_importing_core_never_imports_blender() -> None:
    code = """
import sys

class NoBlender:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in FORBIDDEN:
            raise AssertionError(f"{name} was imported")

sys.meta_path.insert(0, NoBlender())
import importlib, pkgutil
import collision_kit.core

for module in pkgutil.walk_packages(collision_kit.core.__path__, "collision_kit.core."):
    importlib.import_module(module.name)
loaded = {name.partition(".")[0] for name in sys.modules}
assert not loaded & FORBIDDEN, loaded & FORBIDDEN
assert not any(name.startswith("collision_kit.addon") for name in sys.modules)
"""
    code = f"FORBIDDEN = {BLENDER_MODULES!r}\n{code}"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr
