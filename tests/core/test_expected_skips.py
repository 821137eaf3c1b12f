# SPDX-License-Identifier: GPL-3.0-or-later
"""A run fails if a test is skipped for a reason that is not listed, or that is not true of the machine."""

import ast
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.expected_skips import LIST, ListError, read_list

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = [ROOT / "tests" / name for name in ("core", "blender", "gui")]

LISTED = """# A comment.

needs numba  if missing("numba_of_nobody")
needs json  if missing("json")
only (\\w+)  if match[1] != platform
could not import 'numba_of_nobody': .*  if missing("numba_of_nobody")
all of it  if root.is_dir()
"""
EXPECTED = """
import pytest

@pytest.mark.skipif(True, reason="needs numba")
def test_a():
    pass

def test_b():
    pytest.importorskip("numba_of_nobody")

@pytest.mark.xfail(strict=True)
def test_c():
    raise ValueError

def test_d():
    pass
"""
# One more skip, in every way that a test or a file can be skipped.
MORE = {
    "not listed": ("def test_e():\n    pytest.skip('too hard')", "::test_e: too hard", "not listed in"),
    "mark": ("@pytest.mark.skip(reason='later')\ndef test_e(): pass", "::test_e: later", "not listed in"),
    "without a reason": ("@pytest.mark.skip\ndef test_e(): pass", "::test_e: unconditional skip", "not l"),
    "condition is false": (
        "def test_e():\n    pytest.skip('needs json')",
        "::test_e: needs json",
        "condition is false in",
    ),
    "condition of the match is false": (
        f"def test_e():\n    pytest.skip('only {sys.platform}')",
        f"::test_e: only {sys.platform}",
        "condition is false in",
    ),
    "fixture": (
        "@pytest.fixture\ndef made():\n    pytest.skip('not made')\n\ndef test_e(made): pass",
        "::test_e: not made",
        "not listed in",
    ),
    "class": (
        "@pytest.mark.skipif('True', reason='no class')\nclass TestE:\n    def test_e(self): pass",
        "::TestE::test_e: no class",
        "not listed in",
    ),
    "all marks of a file": (
        "pytestmark = pytest.mark.skipif(True, reason='no file')\ndef test_e(): pass",
        "::test_e: no file",
        "not listed in",
    ),
    "whole file": ("pytest.skip('none', allow_module_level=True)", ": none", "not listed in"),
    "library of a file": (
        "pytest.importorskip('another_of_nobody')\ndef test_e(): pass",
        ": could not import 'another_of_nobody'",
        "not listed in",
    ),
    "unittest": (
        "import unittest\nclass TestE(unittest.TestCase):\n    def test_e(self): self.skipTest('old')",
        "::TestE::test_e: old",
        "not listed in",
    ),
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A folder of tests that uses the plugin as the folders of this project do."""
    (tmp_path / "pytest.ini").write_text(
        f"[pytest]\npythonpath = {ROOT}\naddopts = --import-mode=importlib -p no:cacheprovider\n"
    )
    (tmp_path / "conftest.py").write_text("from tests.conftest import pytest_configure\n")
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / LIST).write_text(LISTED)
    (tmp_path / "inner" / "test_some.py").write_text(EXPECTED)
    return tmp_path


def run(project: Path, *arguments: str) -> tuple[int, str]:
    command = [sys.executable, "-m", "pytest", "-q", *arguments, "inner"]
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    done = subprocess.run(
        command, cwd=project, env=environment, capture_output=True, text=True, timeout=120, check=False
    )
    return done.returncode, done.stdout + done.stderr


def test_a_run_whose_skips_are_all_expected_passes(project: Path) -> None:
    status, output = run(project, "-p", "no:xdist")
    assert status == 0, output
    assert "1 passed, 2 skipped, 1 xfailed" in output
    assert "unexpectedly" not in output


def test_a_run_in_which_one_more_test_is_skipped_fails_and_names_it(project: Path) -> None:
    add(project, "not listed")
    status, output = run(project, "-p", "no:xdist")
    assert status == 1, output
    assert "add a line REASON  if CONDITION to skips.txt" in output
    assert "1 skipped unexpectedly, so the run has failed" in output


# Workers report to the process that has started them. Each of them collects all files.
@pytest.mark.parametrize("how", [("-p", "no:xdist"), ("-n", "2")], ids=["one process", "workers"])
def test_every_way_to_skip_is_noticed_once(project: Path, how: tuple[str, ...]) -> None:
    for way in MORE:
        add(project, way)
    status, output = run(project, *how)
    assert status == 1, output
    for way, (_, named, why) in MORE.items():
        told = rf"^inner/{file_of(way)}{re.escape(named)}.*\n    .*{why}"
        assert len(re.findall(told, output, re.MULTILINE)) == 1, f"{way}\n{output}"
    assert f"{len(MORE)} skipped unexpectedly, so the run has failed" in output


def file_of(way: str) -> str:
    return f"test_{way.replace(' ', '_')}.py"


def add(project: Path, way: str) -> None:
    """Add a file of tests in which one is skipped in this way."""
    (project / "inner" / file_of(way)).write_text(f"import pytest\n\n{MORE[way][0]}\n")


def test_a_run_of_nothing_but_a_skip_fails_too_unless_it_is_expected(project: Path) -> None:
    for reason, expected in (("all of it", pytest.ExitCode.NO_TESTS_COLLECTED), ("none of it", 1)):
        source = f"import pytest\npytest.skip({reason!r}, allow_module_level=True)\n"
        (project / "inner" / "test_some.py").write_text(source)
        status, output = run(project, "-p", "no:xdist")
        assert status == expected, output


def test_without_a_list_no_skip_is_expected(project: Path) -> None:
    (project / "inner" / LIST).unlink()
    status, output = run(project, "-p", "no:xdist")
    assert status == 1, output
    assert "there is no skips.txt in its folder" in output


def test_other_failures_keep_their_status(project: Path) -> None:
    (project / "inner" / "test_more.py").write_text("import pytest\nfrom nowhere import nothing\n")
    (project / "inner" / LIST).write_text("")
    status, output = run(project, "-p", "no:xdist", "--continue-on-collection-errors")
    assert status == 1, output
    status, output = run(project, "-p", "no:xdist")
    assert status == pytest.ExitCode.INTERRUPTED, output


def test_a_condition_that_cannot_be_evaluated_fails_the_run_and_says_where(project: Path) -> None:
    (project / "inner" / LIST).write_text(LISTED.replace('missing("numba_of_nobody")', "mising('numba')"))
    status, output = run(project, "-p", "no:xdist")
    assert status == 1, output
    assert "skips.txt, line 3: NameError: name 'mising' is not defined" in output


@pytest.mark.parametrize("line", ["needs numba", "needs numba if True", "needs (numba  if True", "needs numba  if if"])
def test_a_line_that_is_none_is_an_error_that_names_it(tmp_path: Path, line: str) -> None:
    path = tmp_path / LIST
    path.write_text(f"# Reasons\n{line}\n")
    with pytest.raises(ListError, match=re.escape(f"{path}, line 2: ")):
        read_list(path)


def reasons(file: Path) -> Iterator[tuple[int, str]]:
    """The reasons of a file of tests that are written out, and their lines."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        called = ast.unparse(node.func)
        if called in ("pytest.skip", "pytest.importorskip", "pytest.mark.skipif", "pytest.mark.skip"):
            given = [word.value for word in node.keywords if word.arg == "reason"]
            if called != "pytest.mark.skipif":
                given = given or node.args[:1]
            for value in given:
                if isinstance(value, ast.Constant) and isinstance(value.value, str):
                    text = value.value
                    if called == "pytest.importorskip" and not node.keywords:
                        text = f"could not import {text!r}: No module named {text!r}"
                    yield node.lineno, text


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_every_reason_that_is_written_out_is_listed(folder: Path) -> None:
    listed = read_list(folder / LIST)
    files = [*folder.glob("*.py"), *(folder.parent.glob("*.py") if folder.name != "gui" else ())]
    found = [(file.name, line, reason) for file in files for line, reason in reasons(file)]
    assert len(found) > 5
    missing = [one for one in found if not any(entry.reason.fullmatch(one[2]) for entry in listed)]
    # No Blender is known that has no languages.
    assert [one for one in missing if "languages" not in one[2]] == []
