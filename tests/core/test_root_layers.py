# SPDX-License-Identifier: GPL-3.0-or-later
"""The root of the tree stands in layers: the command of pip, the add-on, the library; no arrow up and no circle."""

import ast
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.helpers.imports import ROOT, internal_imports, sources

# Lowest first. A file or a folder imports what stands before it.
ORDER = ("_version", "core", "addon", "command", "__init__", "__main__")


def files() -> dict[str, Path]:
    """All files of the package, by the names of their modules below the root; the root itself has none."""
    paths = [*ROOT.glob("*.py"), *(path for folder in ("core", "addon", "command") for path in sources(folder))]
    found = {}
    for path in paths:
        parts = path.relative_to(ROOT).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    del found["setup"]  # For setuptools, and not part of the package.
    return found


def layer(path: Path) -> int:
    return ORDER.index(path.relative_to(ROOT).with_suffix("").parts[0])


def test_the_package_is_made_of_these_and_nothing_else() -> None:
    assert {ORDER[layer(path)] for path in files().values()} == set(ORDER)


@pytest.mark.parametrize("folder", ["core", "addon", "command"])
def test_imports_go_down(folder: str) -> None:
    names = files()
    for path in sources(folder):
        for line, _, target in internal_imports(path, names):
            assert layer(target) <= layer(path), f"{path}:{line} imports {target.relative_to(ROOT)}"


def test_the_add_on_imports_nothing_of_the_root() -> None:
    """It may be under any name in Blender: of what is beside it, it names `core` only."""
    for path in sources("addon"):
        depth = len(path.relative_to(ROOT).parts) - 1
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ImportFrom) and node.level > depth:
                named = [node.module.partition(".")[0]] if node.module else [alias.name for alias in node.names]
                assert node.level == depth + 1 and set(named) == {"core"}, f"{path}:{node.lineno}"


def test_the_files_of_the_command_make_no_circle() -> None:
    names = {name: path for name, path in files().items() if not name.startswith(("core", "addon"))}
    graph = {path: {target for _, _, target in internal_imports(path, names)} - {path} for path in names.values()}
    assert sum(map(len, graph.values())) > len(graph) / 2, "imports are found"
    # Each file of the command is imported with its package, which loads nothing by itself.
    package = names["command"]
    for path, targets in graph.items():
        if path.parent == package.parent:
            targets.discard(package)
    list(TopologicalSorter(graph).static_order())


def test_the_root_loads_nothing_before_it_is_asked() -> None:
    """Python searches the working directory for what ``python -m collision_kit`` imports before `__main__` begins."""
    tree = ast.parse((ROOT / "__init__.py").read_text(encoding="utf-8"))
    top = [ast.unparse(node) for node in tree.body if isinstance(node, ast.Import | ast.ImportFrom)]
    assert top == ["from __future__ import annotations"]
