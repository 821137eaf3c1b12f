# SPDX-License-Identifier: GPL-3.0-or-later
"""The packages of `addon` stand in layers: imports go down, stand at the top of files and make no circle.

What is in the open file is read and changed in `addon/scene` only.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

from tests.helpers.imports import (
    ROOT,
    files_by_module,
    import_statements,
    internal_imports,
    parsed,
    sources,
    table_of_packages,
)

# What `addon` is made of, lowest first: each imports what stands before it, and nothing after it.
LAYERS = (
    "system",
    "asset_rules",
    "debug_draw",
    "model",
    "i18n",
    "engines",
    "config",
    "scene",
    "session",
    "collisions",
    "culling",
    "motion",
    "probing",
    "validation",
    "colliders",
    "exchange",
    "gltf",
    "usd",
    "urdf",
    "exports",
    "fixes",
    "viewport",
    "live",
    "reports",
    "picture",
    "api",
    "ui",
    "file_settings",
    "cli",
    "registration",
)
# The same for what is inside of the packages that are made of packages.
INSIDE = {
    "scene": (
        "settings",
        "open_file",
        "meshes",
        "objects",
        "background_sets",
        "coverage",
        "events",
        "older_files",
        "overrides",
        "rules",
        "topics",
        "accepted_pairs",
        "accepted_walk_issues",
        "arguments",
        "files",
        "reading",
        "cameras",
        "object_states",
        "scope",
        "outlines",
        "animation",
        "exporting",
        "colliders",
        "second_file",
        "gltf",
        "bodies",
        "joints",
        "usd",
    ),
    "ui": (
        "keymap",
        "verdicts",
        "texts",
        "result_list",
        "callbacks",
        "properties",
        "shown_panels",
        "preferences",
        "operators",
        "manual",
        "panels",
    ),
}
# Imports inside functions, and why they are no others'.
HIDDEN = {
    "addon/__init__.py",  # the packages without Blender are at hand everywhere
    "addon/registration.py",  # what only the command line needs
    "addon/ui/callbacks",  # what `properties` need when they change, which is after everything has been imported
    "addon/ui/operators/reports.py",  # what draws pictures
    "addon/cli/commands.py",  # the same
}

# What only `scene` says, of objects and what they consist of. Names that others use for things of their own, such as
# `vertices`, are not among them: whoever gets at those of a mesh has to come by the mesh.
FILE_CONTENT = {
    *("blend_data", "foreach_get", "foreach_set", "evaluated_get", "object_instances", "to_mesh", "from_pydata"),
    *("matrix_world", "matrix_local", "matrix_basis", "matrix_parent_inverse", "bound_box", "location"),
    *("rotation_euler", "rotation_quaternion", "modifiers", "constraints", "rigid_body", "animation_data"),
    *("keyframe_insert", "frame_set", "children_recursive", "users_collection", "instance_collection", "is_instancer"),
    *("hide_get", "hide_set", "hide_viewport", "hide_render", "select_set"),
}
# Blender's operators are called by the operators and panels of the add-on, too.
OPERATORS = ("scene", "ui")


def place(path: Path, depth: int) -> str:
    """The name of a package or file at a depth of the tree; of the package itself, `__init__`."""
    return path.relative_to(ROOT).with_suffix("").parts[depth]


@cache
def loads_late(path: Path) -> bool:
    """Whether this is a package that loads its modules when they are first named; see `addon.system.late`."""
    return path.name == "__init__.py" and "__getattr__ = modules_of(__name__)" in path.read_text(encoding="utf-8")


def named_late(path: Path, modules: dict[str, Path]) -> Iterator[tuple[int, Path]]:
    """Line and file of each module that is reached through a package: of `motion.check.steps`, `motion/check.py`."""
    tree = parsed(path)
    package = path.relative_to(ROOT).parts[:-1]
    packages = {}
    for node, _ in import_statements(path):
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


@cache
def imported(path: Path) -> tuple[tuple[int, bool, Path], ...]:
    """As `internal_imports`, with what is named late instead of the packages through which it is."""
    if loads_late(path):
        return ()
    modules = files_by_module("addon")
    found = [one for one in internal_imports(path, modules) if not loads_late(one[2])]
    return (*found, *((line, False, target) for line, target in named_late(path, modules)))


def test_imports_of_the_add_on_go_down_and_stand_at_the_top() -> None:
    init = files_by_module("addon")["addon"]
    for path in sources("addon"):
        allowed = {str(one.relative_to(ROOT)) for one in (path, *path.parents) if one.is_relative_to(ROOT)} & HIDDEN
        for line, hidden, target in imported(path):
            assert not hidden or allowed, f"{path}:{line} imports inside a function or a block"
            # The add-on itself imports nothing before it is registered.
            if init not in (path, target):
                here, there = place(path, 1), place(target, 1)
                assert LAYERS.index(there) <= LAYERS.index(here), f"{path}:{line} imports {there}"
                order = ("__init__", *INSIDE.get(here, ()))
                if here == there and here in INSIDE:
                    inner, outer = (order.index(place(one, 2)) for one in (target, path))
                    assert inner <= outer, f"{path}:{line} imports {target}"


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
    graph = {path: {target for _, _, target in imported(path)} - {path, modules["addon"]} for path in modules.values()}
    assert sum(map(len, graph.values())) > len(graph), "imports are found"
    TopologicalSorter(graph).prepare()


def content_named(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of what names content of the open file, or calls Blender's operators, also by `getattr`."""
    blender = {
        alias.asname or alias.name
        for node in ast.walk(tree)
        if isinstance(node, ast.Import)
        for alias in node.names
        if alias.name == "bpy"
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute):
            of_blender = isinstance(node.value, ast.Name) and node.value.id in blender
            if node.attr in FILE_CONTENT or (of_blender and node.attr in {"data", "ops"}):
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Call) and ast.unparse(node.func) in {"getattr", "setattr", "hasattr"}:
            text = node.args[1].value if isinstance(node.args[1], ast.Constant) else ""
            if text in FILE_CONTENT | {"data", "ops"}:
                yield node.lineno, ast.unparse(node)
        elif isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names if alias.name in {"bmesh", "bpy.ops"})
        elif isinstance(node, ast.ImportFrom) and node.module in {"bpy", "bmesh", "bpy.ops"} and not node.level:
            of = node.module.partition(".")[0]
            named = [alias.name for alias in node.names if of == "bmesh" or alias.name in {"data", "ops"}]
            yield from ((node.lineno, f"{of}.{name}") for name in named or [""] if named or node.module == "bpy.ops")


def scenes_written(tree: ast.AST) -> Iterator[tuple[int, str]]:
    """Line and text of each attribute that is set of what a context leads to, as `context.scene.camera = …`.

    The window manager is none of the file.
    """
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute) and isinstance(node.ctx, ast.Store | ast.Del):
            text = ast.unparse(node)
            if re.match(r"(bpy\.)?context\.(?!window_manager\b)", text):
                yield node.lineno, text


def test_only_the_scene_package_reads_and_changes_what_is_in_the_open_file() -> None:
    for path in sources("addon"):
        package, tree = place(path, 1), parsed(path)
        if package == "scene":
            continue
        found = [*content_named(tree), *scenes_written(tree)]
        if package in OPERATORS:
            found = [(line, text) for line, text in found if not text.startswith("bpy.ops")]
        assert not found, path


@pytest.mark.parametrize(
    "code",
    [
        "import bpy\nnames = [ob.name for ob in bpy.data.objects]",
        "import bpy as blender\nblender.data.objects.remove(ob)",
        "from bpy import data",
        "import bpy\ngetattr(bpy, 'data')",
        "import bpy\nbpy.ops.object.delete()",
        "from bpy import ops",
        "import bmesh",
        "from bmesh import new",
        "context.blend_data.objects",
        "ob.matrix_world = matrix",
        "place = ob.matrix_world",
        "getattr(ob, 'matrix_world')",
        "setattr(ob, 'location', place)",
        "ob.modifiers.clear()",
        "context.scene.frame_set(1)",
        "context.scene.camera = ob",
        "del context.object['key'].value",
        "bpy.context.view_layer.objects.active = ob",
    ],
)
def test_what_touches_the_open_file_is_noticed(code: str) -> None:
    tree = ast.parse(code)
    assert [*content_named(tree), *scenes_written(tree)]


# Classes of the add-on with the same name, and why.
SHARED_NAMES = {
    "Body",  # what rules are about, and what a report has of it
    "Collider",  # the same
    "Progress",  # of each check: `check.Progress`
}


@cache
def files_of_classes() -> dict[str, list[str]]:
    """The files that define each public class of the add-on."""
    found: dict[str, list[str]] = {}
    for path in sources("addon"):
        for node in parsed(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(path.relative_to(ROOT).as_posix())
    return found


def test_each_class_has_a_name_of_its_own() -> None:
    assert {name: files for name, files in files_of_classes().items() if len(files) > 1}.keys() == SHARED_NAMES


def test_each_kind_of_shape_is_one_class() -> None:
    shapes = {name for name, files in files_of_classes().items() if "addon/model/shapes.py" in files}
    assert len(shapes) > 8 and not shapes & SHARED_NAMES


def test_exporters_take_nothing_from_each_other() -> None:
    """Code that several formats need is in `exchange`."""
    formats = ("gltf", "usd", "urdf")
    modules = files_by_module("addon")
    found = [
        (path.relative_to(ROOT).as_posix(), target.relative_to(ROOT).as_posix())
        for name in formats
        for path in sources(f"addon/{name}")
        for _, _, target in internal_imports(path, modules)
        if place(target, 1) in set(formats) - {name}
    ]
    assert found == []
