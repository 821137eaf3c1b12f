# SPDX-License-Identifier: GPL-3.0-or-later
"""The imports of the project's files, and the tables of packages in the docs."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def sources(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


@cache
def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file."""
    return ast.parse(path.read_text(encoding="utf-8"))


def statements(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """All statements of a body, including nested ones. Expressions are not searched."""
    for node in body:
        yield node
        for field in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from statements(getattr(node, field, []))


@cache
def import_statements(path: Path) -> list[tuple[ast.Import | ast.ImportFrom, bool]]:
    """The imports of a file, and whether each is inside a function or a block."""
    tree = parsed(path)
    found = (node for node in statements(tree.body) if isinstance(node, ast.Import | ast.ImportFrom))
    return [(node, node not in tree.body) for node in found]


def internal_imports(path: Path, names: dict[str, Path]) -> Iterator[tuple[int, bool, Path]]:
    """Line, whether it is inside a function or a block, and file, for each import of the package's own modules."""
    package = path.relative_to(ROOT).parts[:-1]
    for node, hidden in import_statements(path):
        if isinstance(node, ast.ImportFrom) and node.level:
            above = package[: len(package) - node.level + 1]
            module = ".".join([*above, *([node.module] if node.module else [])])
            for alias in node.names:
                target = names.get(f"{module}.{alias.name}".strip(".")) or names.get(module)
                if target is not None:
                    yield node.lineno, hidden, target


@cache
def files_by_module(folder: str) -> dict[str, Path]:
    result = {}
    for path in sources(folder):
        parts = path.relative_to(ROOT).with_suffix("").parts
        result[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return result


def table_of_packages(title: str) -> tuple[str, ...]:
    """The entries of a table on the page about the architecture."""
    page = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    section = page.partition(f"## {title}\n")[2].partition("\n## ")[0]
    return tuple(line.split("`")[1] for line in section.splitlines() if line.startswith("| `"))
