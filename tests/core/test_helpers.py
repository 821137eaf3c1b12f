# SPDX-License-Identifier: GPL-3.0-or-later
"""Shared code of tests is in `tests/helpers`: no test imports a file of tests, and no other folder has helpers."""

import ast
from pathlib import Path

import pytest

from tests.helpers.imports import ROOT, import_statements

TESTS = ROOT / "tests"
FILES = sorted(TESTS.rglob("*.py"))
# Programs that the tests start, each in a folder of its own, and the program that runs tests in Blender.
PROGRAMS = {TESTS / "gui", TESTS / "hunt"}
RUNNER = TESTS / "run_in_blender.py"


def is_test(path: Path) -> bool:
    return path.name.startswith("test_")


def test_each_file_is_a_test_or_a_helper_or_part_of_a_program() -> None:
    others = [path for path in FILES if not is_test(path) and path.name != "conftest.py" and path != RUNNER]
    assert others
    assert [path for path in others if not ({TESTS / "helpers", *PROGRAMS} & {*path.parents})] == []


def test_no_helper_is_named_like_a_test() -> None:
    assert [path for path in FILES if is_test(path) and TESTS / "helpers" in path.parents] == []


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(TESTS)))
def test_no_file_of_tests_is_imported(path: Path) -> None:
    for statement, _ in import_statements(path):
        match statement:
            case ast.ImportFrom():
                names = [statement.module or "", *(f"{statement.module}.{one.name}" for one in statement.names)]
            case _:
                names = [one.name for one in statement.names]
        modules = [TESTS.parent.joinpath(*name.split(".")).with_suffix(".py") for name in names if name]
        assert not [module for module in modules if is_test(module) and module.is_file()], ast.unparse(statement)
