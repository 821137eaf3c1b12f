# SPDX-License-Identifier: GPL-3.0-or-later
"""REVIEW.md is true: what the code in the zip of the extension imports, starts and changes."""

import ast
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "REVIEW.md").read_text(encoding="utf-8")
MANIFEST = tomllib.loads((ROOT / "blender_manifest.toml").read_text(encoding="utf-8"))

NETWORK = {
    "socket",
    "ssl",
    "http",
    "ftplib",
    "smtplib",
    "requests",
    "urllib.request",
    "asyncio",
    "xmlrpc",
    "socketserver",
}
THREADS = {"threading", "concurrent", "multiprocessing"}


def zipped() -> list[Path]:
    """The Python files that the manifest leaves in the zip."""
    kept = [pattern[2:] for pattern in MANIFEST["build"]["paths_exclude_pattern"] if pattern.startswith("!/")]
    assert "command" not in kept
    return [path for name in kept for path in ([ROOT / name] if name.endswith(".py") else (ROOT / name).rglob("*.py"))]


FILES = zipped()


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def named(tree: ast.AST) -> Iterator[str]:
    """Names and attributes, such as `sys.path`, in what a file loads, changes and calls."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Attribute | ast.Name):
            yield ast.unparse(node)


def programs(tree: ast.AST) -> Iterator[ast.AST]:
    """The file, and the programs in its texts, which run in other processes."""
    yield tree
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and "import " in node.value
            and "\n" in node.value
        ):
            try:
                yield ast.parse(node.value)
            except SyntaxError:
                continue


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_no_socket_no_thread_and_no_change_of_python(path: Path) -> None:
    for tree in programs(ast.parse(path.read_text(encoding="utf-8"))):
        modules = set(imported(tree))
        roots = {name.partition(".")[0] for name in modules}
        assert not roots & (NETWORK | THREADS) and not modules & NETWORK
        assert not any(name.startswith("urllib.") for name in modules - {"urllib.parse.unquote"})
        names = set(named(tree))
        assert not names & {"os._exit", "sys.modules", "eval", "exec", "signal.signal", "os.fork", "os.system"}
        changed = [node for node in ast.walk(tree) if isinstance(node, ast.Subscript | ast.Attribute | ast.Name)]
        stored = {ast.unparse(node) for node in changed if isinstance(node.ctx, ast.Store | ast.Del)}
        calls = {ast.unparse(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
        assert not any(text.startswith("sys.path") for text in (*stored, *calls)), stored


def test_the_programs_in_texts_are_looked_at() -> None:
    tree = ast.parse((ROOT / "addon/colliders/decomposition.py").read_text(encoding="utf-8"))
    assert any("coacd" in set(imported(one)) for one in programs(tree))


def listed(word: str) -> set[str]:
    """The files that the last table of the page has for a word."""
    row = next(line for line in PAGE.splitlines() if line.startswith(f"| `{word}`"))
    return set(re.findall(r"`([\w/]+\.py)`", row.split("|")[2]))


@pytest.mark.parametrize("word", ["__file__", "_thread", "ctypes", "atexit", "importlib"])
def test_the_words_that_a_search_finds_are_explained(word: str) -> None:
    found = {
        str(path.relative_to(ROOT)) for path in FILES if re.search(rf"\b{word}\b", path.read_text(encoding="utf-8"))
    }
    assert listed(word) == found


def test_each_place_that_starts_a_process_is_listed() -> None:
    starting = {
        str(path.relative_to(ROOT))
        for path in FILES
        if re.search(r"\bstarted\(\w*PROGRAM|subprocess\.(?:run|Popen|call)\(", path.read_text(encoding="utf-8"))
    }
    section = PAGE.partition("## What it starts")[2].partition("## ")[0]
    assert starting == set(re.findall(r"`(addon/[\w/]+\.py)`", section))


def test_nothing_is_extended_by_software_from_elsewhere() -> None:
    for path in (*FILES, *(ROOT / "addon").rglob("*.po"), ROOT / "blender_manifest.toml", ROOT / "addon/README.md"):
        assert not re.search(r"\bnumba\b", path.read_text(encoding="utf-8"), re.IGNORECASE), path
    for path in (ROOT / "addon").rglob("*.*"):
        if path.suffix in {".py", ".po"}:
            assert "usd-core" not in path.read_text(encoding="utf-8"), path


def test_the_permissions_say_what_they_are_for() -> None:
    assert MANIFEST["permissions"].keys() == {"files", "clipboard"}
    assert {"import", "export", "scenes", "rules", "reports"} <= set(
        re.findall("[a-z]+", MANIFEST["permissions"]["files"].lower())
    )
    assert all(len(text) <= 64 and not text.endswith(".") for text in MANIFEST["permissions"].values())


@pytest.mark.parametrize("name", ["unity/CollisionKitPostprocessor.cs", "godot/collision_kit_import.gd"])
def test_scripts_for_engines_may_be_used_under_either_license(name: str) -> None:
    text = (ROOT / "engines" / name).read_text(encoding="utf-8")
    assert "SPDX-License-Identifier: GPL-3.0-or-later OR MIT" in text.splitlines()[0]
    assert "Permission is hereby granted, free of charge" in text
