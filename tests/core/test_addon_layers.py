# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages of `addon` stand in layers: imports go down, stand at the top of files and make no circle."""

import ast
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.core.test_layering import ROOT, files_by_module, internal_imports, sources, table_of_packages

# What `addon` is made of, lowest first: each imports what stands before it, and nothing after it.
LAYERS = (
    "system",
    "asset_rules",
    "debug_draw",
    "model",
    "i18n",
    "engines",
    "scene",
    "session",
    "collisions",
    "culling",
    "motion",
    "validation",
    "colliders",
    "gltf",
    "fixes",
    "viewport",
    "live",
    "reports",
    "picture",
    "ui",
    "cli",
    "api",
    "registration",
)
# The same for what is inside of the packages that are made of packages.
INSIDE = {
    "scene": (
        "settings",
        "meshes",
        "objects",
        "events",
        "overrides",
        "accepted_pairs",
        "arguments",
        "files",
        "reading",
        "cameras",
        "scope",
        "outlines",
        "animation",
        "colliders",
        "gltf",
    ),
    "ui": (
        "keymap",
        "manual",
        "verdicts",
        "texts",
        "result_list",
        "callbacks",
        "properties",
        "preferences",
        "operators",
        "panels",
    ),
}
# Imports inside functions, and why they are no others'.
HIDDEN = {
    "addon/__init__.py",  # the packages without Blender are at hand everywhere
    "addon/asset_rules/__init__.py",  # all rules, of which the properties need the limits only
    "addon/registration.py",  # what only the command line needs
    "addon/ui/callbacks",  # what `properties` need when they change, which is after everything has been imported
    "addon/ui/operators/save_report.py",  # what draws pictures
    "addon/cli/commands.py",  # the same
}


def place(path: Path, depth: int) -> str:
    """The name of a package or file at a depth of the tree; of the package itself, `__init__`."""
    return path.relative_to(ROOT).with_suffix("").parts[depth]


def loads_late(path: Path) -> bool:
    """Whether this is a package that loads its modules when they are first named; see `addon.system.late`."""
    return path.name == "__init__.py" and "__getattr__ = modules_of(__name__)" in path.read_text(encoding="utf-8")


def named_late(path: Path, modules: dict[str, Path]) -> Iterator[tuple[int, Path]]:
    """Line and file of each module that is reached through a package: of `motion.check.steps`, `motion/check.py`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    package = path.relative_to(ROOT).parts[:-1]
    packages = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.level:
            module = ".".join([*package[: len(package) - node.level + 1], *([node.module] if node.module else [])])
            packages.update({alias.asname or alias.name: f"{module}.{alias.name}".strip(".") for alias in node.names})
    # What an annotation names is no need: it is text.
    for node in ast.walk(tree):
        names = []
        one: ast.AST = node
        while isinstance(one, ast.Attribute):
            names.insert(0, one.attr)
            one = one.value
        if names and isinstance(one, ast.Name) and packages.get(one.id) in modules:
            found = packages[one.id]
            for name in names:
                if not loads_late(modules[found]) or f"{found}.{name}" not in modules:
                    break
                found += f".{name}"
            if found != packages[one.id]:
                yield node.lineno, modules[found]


def imported(path: Path, modules: dict[str, Path]) -> Iterator[tuple[int, bool, Path]]:
    """As `internal_imports`, with what is named late instead of the packages through which it is."""
    if not loads_late(path):
        for line, hidden, target in internal_imports(path, modules):
            if not loads_late(target):
                yield line, hidden, target
        for line, target in named_late(path, modules):
            yield line, False, target


@pytest.mark.parametrize("path", sources("addon"), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_of_the_add_on_go_down_and_stand_at_the_top(path: Path) -> None:
    modules = files_by_module("addon")
    init = modules["addon"]
    allowed = {str(one.relative_to(ROOT)) for one in (path, *path.parents) if one.is_relative_to(ROOT)} & HIDDEN
    for line, hidden, target in imported(path, modules):
        assert not hidden or allowed, f"line {line} imports inside a function or a block"
        # The add-on itself imports nothing before it is registered.
        if init not in (path, target):
            here, there = place(path, 1), place(target, 1)
            assert LAYERS.index(there) <= LAYERS.index(here), f"line {line} imports {there}"
            order = ("__init__", *INSIDE.get(here, ()))
            if here == there and here in INSIDE:
                assert order.index(place(target, 2)) <= order.index(place(path, 2)), f"line {line} imports {target}"


def test_the_add_on_is_made_of_its_layers_and_nothing_else() -> None:
    assert {place(path, 1) for path in sources("addon")} == {"__init__", *LAYERS}
    for package, order in INSIDE.items():
        assert {place(path, 2) for path in sources(f"addon/{package}")} == {"__init__", *order}


def test_the_page_of_the_architecture_lists_the_layers_in_order() -> None:
    assert table_of_packages("The packages of addon") == LAYERS


def test_the_list_of_hidden_imports_is_true() -> None:
    modules = files_by_module("addon")
    for name in HIDDEN:
        found = [ROOT / name] if name.endswith(".py") else sources(name)
        assert any(hidden for path in found for _, hidden, _ in internal_imports(path, modules)), name


def test_modules_of_the_add_on_make_no_circle() -> None:
    modules = files_by_module("addon")
    # That a package is imported with its modules is no need of theirs.
    graph = {
        path: {target for _, _, target in imported(path, modules)} - {path, modules["addon"]}
        for path in modules.values()
    }
    assert sum(map(len, graph.values())) > len(graph), "imports are found"
    TopologicalSorter(graph).prepare()
