# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages of `addon` stand in layers: imports go down, stand at the top of files and make no circle."""

from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.core.test_layering import ROOT, files_by_module, imports, internal_imports, sources, table_of_packages

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
    "addon/registration.py",  # what only the command line needs
    "addon/ui/callbacks",  # what `properties` need when they change, which is after everything has been imported
    "addon/ui/operators/save_report.py",  # what draws pictures
    "addon/cli/commands.py",  # the same
}


def place(path: Path, depth: int) -> str:
    """The name of a package or file at a depth of the tree; of the package itself, `__init__`."""
    return path.relative_to(ROOT).with_suffix("").parts[depth]


def module_name(path: Path) -> str:
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def needs(path: Path, modules: set[str]) -> Iterator[str]:
    """The modules of the add-on that a file imports; of `from a import b`, `b` if that is one and else `a`."""
    for _, name in imports(path):
        while name and name not in modules:
            name = name.rpartition(".")[0]
        if name and name != module_name(path):
            yield name


@pytest.mark.parametrize("path", sources("addon"), ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_of_the_add_on_go_down_and_stand_at_the_top(path: Path) -> None:
    modules = files_by_module("addon")
    init = modules["addon"]
    allowed = {str(one.relative_to(ROOT)) for one in (path, *path.parents) if one.is_relative_to(ROOT)} & HIDDEN
    for line, hidden, target in internal_imports(path, modules):
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
    paths = {module_name(path): path for path in sources("addon")}
    # That a package is imported with its modules is no need of theirs.
    graph = {name: set(needs(path, set(paths))) - {"addon"} for name, path in paths.items()}
    assert sum(map(len, graph.values())) > len(graph), "imports are found"
    TopologicalSorter(graph).prepare()
