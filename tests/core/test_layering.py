# SPDX-License-Identifier: GPL-3.0-or-later
"""Arrows point down only: the root, then addon, then core and its layers, then numpy."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.imports import ROOT, files_by_module, import_statements, internal_imports, sources, table_of_packages

BLENDER_MODULES = {"bpy", "bpy_extras", "bmesh", "mathutils", "gpu", "gpu_extras", "blf", "addon_utils"}


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and absolute name of each import; one inside the package is `core.…` or `addon.…`."""
    package = path.relative_to(ROOT).parts[:-1]
    for node, _ in import_statements(path):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        else:
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join([*above, *([node.module] if node.module else [])])
            yield from ((node.lineno, f"{module}.{alias.name}".strip(".")) for alias in node.names)


def test_core_imports_itself_numpy_and_the_standard_library_only() -> None:
    # Itself relatively: an absolute `collision_kit` would be a second copy of what Blender knows as bl_ext.….
    for path in sources("core"):
        modules = {name.partition(".")[0] for _, name in imports(path)}
        assert modules - sys.stdlib_module_names <= {"core", "numpy"}, path


def test_the_add_on_imports_its_own_package_relatively() -> None:
    named = [(str(path), line, name) for path in sources("addon") for line, name in imports(path)]
    assert len(named) > 1000
    assert not [one for one in named if one[2].partition(".")[0] in {"collision_kit", "bl_ext"}]


# What `core` is made of, lowest first: each imports what stands before it, and nothing after it.
LAYERS = (
    "constants",
    "numerics",
    "kernels",
    "results",
    "hull",
    "broad_phase",
    "geometry",
    "convexity",
    "mesh",
    "shapes",
    "convex",
    "narrow_phase",
    "query",
    "continuous",
    "rays",
    "persistent_contacts",
    "fit",
    "frustum",
    "world",
    "walking",
    "planar",
)
# Packages of `addon` that go without Blender.
WITHOUT_BLENDER = ("asset_rules", "debug_draw")


def layer(path: Path) -> str:
    """The package of `core`, or the file that lies beside the packages."""
    return path.relative_to(ROOT / "core").with_suffix("").parts[0]


def test_core_is_made_of_its_layers_and_nothing_else() -> None:
    found = {layer(path) for path in sources("core")}
    assert found == {"__init__", "public", *LAYERS}
    assert len(found) <= 23


def test_the_page_of_the_architecture_lists_the_layers_in_order() -> None:
    assert table_of_packages("The packages of core") == LAYERS


def test_imports_of_core_go_down_and_stand_at_the_top() -> None:
    order = (*LAYERS, "public", "__init__")
    for path in sources("core"):
        for line, hidden, target in internal_imports(path, files_by_module("core")):
            assert not hidden or layer(path) == "__init__", f"{path}:{line} imports inside a function or a block"
            assert order.index(layer(target)) <= order.index(layer(path)), f"{path}:{line} imports {layer(target)}"
            whole = layer(target) in {"public", "__init__"} and layer(path) != "__init__"
            assert not whole, f"{path}:{line} imports the whole of core"


def test_no_files_of_core_import_each_other_in_a_circle() -> None:
    names = files_by_module("core")
    graph = {path: {target for _, _, target in internal_imports(path, names)} - {path} for path in names.values()}
    while free := [path for path, targets in graph.items() if not targets & graph.keys()]:
        for path in free:
            del graph[path]
    assert not graph, sorted(str(path.relative_to(ROOT)) for path in graph)


@pytest.mark.parametrize("package", WITHOUT_BLENDER)
def test_packages_without_blender_import_nothing_that_needs_it(package: str) -> None:
    """Nor anything else of `addon`, most of which does, but what loads modules late."""
    for path in sources(f"addon/{package}"):
        found = {name for _, name in imports(path)}
        assert not {name.partition(".")[0] for name in found} & BLENDER_MODULES, path
        own = {name for name in found if name.startswith("addon")} - {"addon.system.late.modules_of"}
        assert all(name.startswith(f"addon.{package}") for name in own), path


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
for package in WITHOUT_BLENDER:
    importlib.import_module(f"collision_kit.addon.{package}")
"""
    code = f"FORBIDDEN = {BLENDER_MODULES!r}\nWITHOUT_BLENDER = {WITHOUT_BLENDER!r}\n{code}"
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr


def test_each_package_of_core_can_be_the_first_that_is_imported() -> None:
    code = f"""
import importlib, sys

for layer in {LAYERS!r}:
    for name in [name for name in sys.modules if name.startswith("collision_kit")]:
        del sys.modules[name]
    importlib.import_module("collision_kit.core." + layer)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr


def test_the_constants_of_core_are_at_hand_without_numpy() -> None:
    code = """
import sys
import collision_kit.core
from collision_kit.core.constants import Verdict

assert "numpy" not in sys.modules
assert collision_kit.core.Verdict is Verdict
assert "numpy" in sys.modules
assert set(collision_kit.core.__all__) <= set(dir(collision_kit.core))
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=False)
    assert result.returncode == 0, result.stderr


def test_the_root_loads_nothing_that_takes_time() -> None:
    code = """
import os, sys
before = set(sys.modules)
import collision_kit
print(*set(sys.modules) - before)
"""
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True)
    assert set(result.stdout.split()) <= {"collision_kit", "__future__"}
