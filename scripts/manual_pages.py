# SPDX-License-Identifier: GPL-3.0-or-later
"""Print the pages that *Online Manual* opens, as files of the site."""

import ast
from pathlib import Path

UI = Path(__file__).resolve().parents[1] / "addon" / "ui"


def pages() -> list[str]:
    """Return the pages that operators and groups of settings name, without the extension."""
    found = set()
    for path in (UI / "operators").glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "manual":
                found.add(ast.literal_eval(node.value))
    for statement in ast.parse((UI / "manual.py").read_text(encoding="utf-8")).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "PAGES":
            found |= set(ast.literal_eval(statement.value))
    return sorted(found - {""})


if __name__ == "__main__":
    print(*(f"{page}.html" for page in pages()))
