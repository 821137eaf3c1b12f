# SPDX-License-Identifier: GPL-3.0-or-later
"""Names in docstrings and on pages: each name between backticks exists, and docstrings begin with a verb or a noun."""

import ast
import builtins
import re
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path

from tests.helpers.imports import ROOT, parsed

FOLDERS = ("addon", "command", "core", "scripts", "tests", "benchmarks", "examples")
FILES = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")) + sorted(ROOT.glob("*.py"))
PAGES = sorted({*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")})
DOCUMENTED = ast.Module | ast.ClassDef | ast.FunctionDef

# A name, or names with dots between them, between backticks.
NAMED = re.compile(r"(?<!`)`([A-Za-z_]\w*(?:\.[A-Za-z_]\w*)*)(?:\(\))?`(?!`)")
# A path of the project between backticks.
PATH = re.compile(r"`((?:addon|command|core|scripts|tests|benchmarks|examples|docs|engines)/[\w./-]+)`")
# Files that builds and tests make.
MADE = ("docs/site",)

# Names that are not of this project, or no longer: where they are from.
ELSEWHERE = {
    "resource_importer_scene.cpp": "Godot",
    "gltf_physics_shape.cpp": "Godot",
    "floor_max_angle": "Godot, CharacterBody3D",
    "MaxStepHeight": "Unreal",
    "WalkableFloorZ": "Unreal",
    "MCDCX_": "Unreal",
    "sdf": "OpenUSD",
    "meshSimplification": "OpenUSD",
    "PhysicsMassAPI": "OpenUSD",
    "rigidBodyEnabled": "OpenUSD",
    "mathutils": "Blender",
    "Guide": "Blender, a purpose of USD",
    "Ground_piece_1": "an object in an example",
    "Ground_pieces": "a collection in an example",
    "Rock_trigger": "an object in an example",
    "result.columns": "a method of the results of core",
    "contact.penetration_depth": "python-fcl",
    "result.getNearestPoint1": "Coal",
    "request.security_margin": "Coal",
    "shapely": "shapely",
    "LineString": "shapely",
    "pandas": "pandas",
    "ComputeSeparation": "the pseudocode that the planar queries follow",
    "box_box": "a file of an earlier version, on the page about its hunts",
    "box_box_contacts": "the same",
    "box_triangle": "the same",
}
# Parts of names and paths that stand for any.
ANY = re.compile(r"[A-Z]+(\.\w+)?")


def docstrings(path: Path) -> Iterator[tuple[int, str]]:
    """Line and text of each docstring of a file."""
    for node in ast.walk(parsed(path)):
        if isinstance(node, DOCUMENTED) and (text := ast.get_docstring(node)):
            yield node.body[0].lineno, text


@cache
def names_in(path: Path) -> frozenset[str]:
    """The words of the code and the texts of a file: definitions, attributes, arguments, options and fields."""
    found = {path.stem, *path.relative_to(ROOT).parts}
    tree = parsed(path)
    prose = {id(node.body[0].value) for node in ast.walk(tree) if isinstance(node, DOCUMENTED) and has_prose(node)}
    for node in ast.walk(tree):
        match node:
            case ast.FunctionDef() | ast.ClassDef():
                found.add(node.name)
            case ast.Name():
                found.add(node.id)
            case ast.Attribute():
                found.add(node.attr)
            case ast.arg():
                found.add(node.arg)
            case ast.keyword():
                found.add(node.arg or "")
            case ast.alias():
                found |= {*node.name.split("."), node.asname or ""}
            case ast.Constant(value=str()) if id(node) not in prose:
                found |= {*re.findall(r"\w+", node.value)}
    return frozenset(found)


@cache
def known() -> frozenset[str]:
    """The words of all code, and of the files that describe and build it."""
    found = {*dir(builtins)}.union(*map(names_in, FILES))
    for file in (*(ROOT / "docs" / "schemas").glob("*.json"), *ROOT.glob("*.toml"), ROOT / "Makefile"):
        found |= {*re.findall(r"\w+", file.read_text(encoding="utf-8"))}
    return frozenset(found)


def has_prose(node: DOCUMENTED) -> bool:
    return ast.get_docstring(node) is not None


@cache
def modules() -> dict[str, list[Path]]:
    """The files and folders of each name."""
    found: dict[str, list[Path]] = {}
    for path in FILES:
        found.setdefault(path.stem, []).append(path)
        if path.name == "__init__.py":
            found.setdefault(path.parent.name, []).append(path)
    return found


@cache
def words(path: Path) -> frozenset[str]:
    """The words of a file; of a package those of all files below it."""
    files = path.parent.rglob("*.py") if path.name == "__init__.py" else [path]
    return frozenset().union(*map(names_in, files))


def unknown(name: str) -> bool:
    """Whether a name is not in the code; of one with dots, whether any file of the name before a dot lacks the rest."""
    parts = name.split(".")
    if parts[-1] == "py" and len(parts) == 2:
        return parts[0] not in modules()
    if parts[-1] == "md" and len(parts) == 2:
        return not any(page.name == name for page in PAGES)
    if name in ELSEWHERE or parts[0] in ELSEWHERE:
        return False
    if any(part not in known() for part in parts):
        return True
    return any(
        first in modules() and not any(second in words(path) for path in modules()[first])
        for first, second in pairwise(parts)
    )


def test_docstrings_begin_with_a_verb_or_a_noun() -> None:
    texts = [(path, line, text) for path in FILES for line, text in docstrings(path)]
    assert [f"{path}, line {line}" for path, line, text in texts if text.startswith(first_words(path))] == []


def first_words(path: Path) -> tuple[str, ...]:
    """Return the beginnings that docstrings of a file may not have."""
    if ROOT / "tests" in path.parents:
        return ("What",)
    return tuple(
        f"{word} " for word in ("What", "Which", "How", "Where", "When", "Why", "Who", "That", "Of", "As", "If")
    )


def test_docstrings_name_what_exists() -> None:
    texts = [(path, line, text) for path in FILES for line, text in docstrings(path)]
    assert len(texts) > 1000
    named = [(path, line, name) for path, line, text in texts for name in NAMED.findall(text)]
    assert [f"{path}, line {line}: {name}" for path, line, name in named if unknown(name)] == []


def test_pages_name_what_exists() -> None:
    texts = {page: prose_of(page) for page in PAGES}
    assert [f"{page}: {name}" for page, text in texts.items() for name in NAMED.findall(text) if unknown(name)] == []
    paths = [(page, name) for page, text in texts.items() for name in PATH.findall(text)]
    assert len(paths) > 50
    missing = [(page, name) for page, name in paths if not ((ROOT / name).exists() or name.startswith(MADE))]
    assert [f"{page}: {name}" for page, name in missing if not ANY.fullmatch(Path(name).name)] == []


def prose_of(page: Path) -> str:
    """A page without its blocks of code."""
    return re.sub(r"^```.*?^```", "", page.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE)


def test_names_of_other_projects_are_in_some_text() -> None:
    texts = [text for path in FILES for _, text in docstrings(path)]
    texts += [page.read_text(encoding="utf-8") for page in PAGES]
    named = {name for text in texts for name in NAMED.findall(text)}
    assert [name for name in ELSEWHERE if not any(one == name or one.startswith(f"{name}.") for one in named)] == []
