# SPDX-License-Identifier: GPL-3.0-or-later
"""Fails a run in which a test is skipped that this machine could run.

Each folder of tests has a file `skips.txt`. A line contains the reason of a skip, as a regular expression, and the
condition under which it is expected. The condition is a Python expression that can use the names in `CONDITIONS`,
`match` (the match of the reason) and `root` (the checkout):

    needs Mono: .*  if not program("mcs")

The condition is evaluated on the machine that runs the tests, and finds out independently of the test whether the
requirement is met. A skip fails the run if no line matches its reason, or if the conditions of all matching lines are
false.
"""

import ctypes.util
import importlib.util
import os
import re
import shutil
import socket
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pytest

LIST = "skips.txt"
SEPARATOR = "  if "
# Seconds to wait for a server that a test downloads from.
PATIENCE = 10.0


class Expected(NamedTuple):
    """A line of a list: skips with this reason are expected if the condition is true."""

    reason: re.Pattern[str]
    condition: Any
    place: str


class ListError(Exception):
    """Raised if a line of a list is invalid; the message names the line."""


def missing(module: str) -> bool:
    """Whether a module cannot be found."""
    try:
        return importlib.util.find_spec(module) is None
    except ModuleNotFoundError:  # the package that contains it
        return True


def program(name: str) -> bool:
    """Whether a program is on PATH."""
    return shutil.which(name) is not None


def library(name: str) -> bool:
    """Whether the system has a shared library."""
    return ctypes.util.find_library(name) is not None


def reachable(host: str, port: int = 443) -> bool:
    """Whether a server answers without a proxy, because a program may ignore the proxy of the environment."""
    try:
        socket.create_connection((host, port), PATIENCE).close()
    except OSError:
        return False
    return True


def blender() -> Any:
    """Blender's version and build: `bpy.app`."""
    import bpy

    return bpy.app


def runs(*command: str) -> bool:
    """Whether a command succeeds."""
    try:
        return subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False).returncode == 0
    except (OSError, subprocess.TimeoutExpired):
        return False


def wheel(name: str | None = None) -> bool:
    """Whether there is a wheel for the extension, with this file name or, without a name, for this platform."""
    from scripts.bundled_wheels import WHEELS, DownloadError, this_platform, wheel_file

    wanted = (
        WHEELS.get(this_platform())
        if name is None
        else next(one for one in WHEELS.values() if one and one.name == name)
    )
    try:
        return wanted is not None and wheel_file(wanted).is_file()
    except DownloadError:
        return False


CONDITIONS: Mapping[str, Any] = {
    **{one.__name__: one for one in (missing, program, library, runs, reachable, blender, wheel)},
    "environ": os.environ,
    "os": os,
    "platform": sys.platform,
    "python": sys.version_info[:2],
}


def read_list(path: Path) -> list[Expected]:
    """The lines of a list.

    Raises
    ------
    ListError
        If a line does not consist of a reason and a condition.
    """
    found = []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if not line.strip() or line.startswith("#"):
            continue
        place = f"{path}, line {number}"
        reason, separator, condition = line.rpartition(SEPARATOR)
        if not separator:
            raise ListError(f"{place}: REASON{SEPARATOR}CONDITION is needed")
        try:
            found.append(Expected(re.compile(reason.strip()), compile(condition.strip(), place, "eval"), place))
        except (re.error, SyntaxError) as error:
            raise ListError(f"{place}: {error}") from None
    return found


class ExpectedSkips:
    """Plugin of the reporting process: it collects the skips that are not expected, and fails the run.

    Parameters
    ----------
    root : Path
        The folder to which the names of tests are relative.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._lists: dict[Path, list[Expected]] = {}
        self._known: dict[tuple[str, str], bool] = {}
        # The test, the reason, and why the reason is not expected; listed once, although every worker collects.
        self._unexpected: dict[tuple[str, str], str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Check the skip of a test."""
        # A test that fails as expected is reported like one that is skipped.
        if report.skipped and not hasattr(report, "wasxfail"):
            self._check(report)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Check the skip of a whole file."""
        if report.skipped:
            self._check(report)

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        """Fail the run."""
        if self._unexpected and session.exitstatus in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        """Name the tests, the reasons, and what to do."""
        if not self._unexpected:
            return
        terminalreporter.section("skipped unexpectedly", red=True, bold=True)
        for (test, reason), why in self._unexpected.items():
            terminalreporter.write_line(f"{test}: {reason}")
            terminalreporter.write_line(f"    {why}")
        terminalreporter.write_line(
            f"Have the tests run, or add a line REASON{SEPARATOR}CONDITION to {LIST}, "
            "as tests/helpers/expected_skips.py describes"
        )
        count = len(self._unexpected)
        terminalreporter.write_sep("=", f"{count} skipped unexpectedly, so the run has failed", red=True, bold=True)

    def _check(self, report: pytest.TestReport | pytest.CollectReport) -> None:
        said = report.longrepr[2] if isinstance(report.longrepr, tuple) else str(report.longrepr)
        reason = said.removeprefix("Skipped: ")
        path = self._list_of(report.nodeid)
        try:
            matching = [(one, match) for one in self._entries(path) if (match := one.reason.fullmatch(reason))]
            if any(self._is_expected(one, match) for one, match in matching):
                return
            why = f"not listed in {path}" if path else f"there is no {LIST} in its folder"
            if matching:
                why = f"not expected here: the condition is false in {', '.join(one.place for one, _ in matching)}"
        except ListError as error:
            why = str(error)
        self._unexpected[report.nodeid, reason] = why

    def _list_of(self, test: str) -> Path | None:
        """The nearest list in the folders above a test."""
        file = self._root / test.partition("::")[0]
        folders = [folder for folder in file.parents if folder.is_relative_to(self._root)]
        return next((folder / LIST for folder in folders if (folder / LIST).is_file()), None)

    def _entries(self, path: Path | None) -> list[Expected]:
        if path is None:
            return []
        if path not in self._lists:
            self._lists[path] = read_list(path)
        return self._lists[path]

    def _is_expected(self, one: Expected, match: re.Match[str]) -> bool:
        key = one.place, match[0]
        if key not in self._known:
            try:
                self._known[key] = bool(eval(one.condition, {**CONDITIONS, "match": match, "root": self._root}))
            except Exception as error:
                raise ListError(f"{one.place}: {type(error).__name__}: {error}") from error
        return self._known[key]
