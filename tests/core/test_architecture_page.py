# SPDX-License-Identifier: GPL-3.0-or-later
"""The page on the architecture: the records of one check, and the files and names that it gives."""

import ast
import re

from tests.helpers.imports import ROOT

PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
SECTION = PAGE.partition("## One check from the click to the list\n")[2].partition("\n## ")[0]
RECORDS = re.findall(r"^\| `(\w+)` \| `(\S+)` \|", SECTION, re.MULTILINE)


def classes(file: str) -> set[str]:
    """The names of the classes of a file of the project, and of kinds of a generic class."""
    nodes = list(ast.walk(ast.parse((ROOT / file).read_text(encoding="utf-8"))))
    kinds = [
        node.targets[0] for node in nodes if isinstance(node, ast.Assign) and isinstance(node.value, ast.Subscript)
    ]
    return {node.name for node in nodes if isinstance(node, ast.ClassDef)} | {ast.unparse(kind) for kind in kinds}


def test_each_record_of_a_check_is_in_its_file() -> None:
    assert len(RECORDS) > 12
    assert [(name, file) for name, file in RECORDS if name not in classes(file)] == []


def test_the_package_that_reads_the_scene_names_the_same_records_in_the_same_order() -> None:
    text = (ROOT / "addon" / "scene" / "reading" / "__init__.py").read_text(encoding="utf-8")
    named = re.findall(r"`(\w+)`", ast.get_docstring(ast.parse(text)) or "")
    made_there = [name for name, file in RECORDS if file.startswith("addon/scene/")]
    assert named == made_there


def test_each_file_of_the_page_exists() -> None:
    files = set(re.findall(r"`((?:addon|core|command|scripts|tests|benchmarks)/[\w/]+\.py)`", PAGE))
    assert len(files) > 15
    assert sorted(file for file in files if not (ROOT / file).is_file()) == []


def test_the_operator_that_the_page_begins_with_exists() -> None:
    operator, file = re.findall(r"`(\w+)` in `(\S+\.py)`", SECTION)[0]
    assert operator in classes(file)
