# SPDX-License-Identifier: GPL-3.0-or-later
"""Commands of build servers: no name of a file becomes an option of the command."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from collision_kit.addon.cli.options import CheckCommand
from collision_kit.command import usage

ROOT = Path(__file__).parents[2]
HOSTILE = [
    "--enable-autoexec",
    "--config=x.toml",
    "--resume=x",
    "-h",
    "--",
    "a b.blend",
    "c\nd.blend",
    "-é.blend",
    "$(id).blend",
]

# Writes what it was given, each argument after a zero.
_STAND_IN = """#!/bin/sh
for one in "$@"; do printf '\\0%s' "$one"; done > "$ARGUMENTS"
"""


@pytest.fixture
def called(tmp_path: Path):
    """Runs shell lines with a stand-in for the command, and returns what the stand-in was given."""
    program = tmp_path / "bin" / "collision-kit"
    program.parent.mkdir()
    program.write_text(_STAND_IN, encoding="utf-8")
    program.chmod(0o755)
    path = f"{program.parent}{os.pathsep}{os.environ['PATH']}"

    def run(lines: str, **environment: str) -> list[str]:
        given = {**os.environ, "PATH": path, "ARGUMENTS": str(tmp_path / "arguments"), **environment}
        subprocess.run(["bash", "-e", "-c", lines], env=given, check=True, cwd=tmp_path)
        return (tmp_path / "arguments").read_text(encoding="utf-8").split("\0")[1:]

    return run


def understood(arguments: list[str]):
    return usage.read(arguments)


def action_lines() -> str:
    """The shell lines of the action."""
    text = (ROOT / "action.yml").read_text(encoding="utf-8")
    return re.sub("^ {8}", "", text[text.rindex("run: |") + 7 :], flags=re.MULTILINE)


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_the_action_takes_no_path_for_an_option(called) -> None:
    names = [name for name in HOSTILE if not set(name) & set(" \n") and name != "--"]
    given = {"COMMAND": "check", "OPTIONS": "--clearance 5mm --allow-empty", "OUTPUT": "out.xml"}
    given["PATHS"] = "\n".join(names)
    variables = {f"COLLISION_KIT_{name}": text for name, text in given.items()}
    options, many = understood(called(action_lines(), **variables))
    assert options.paths == tuple(names)
    assert not options.enable_autoexec and options.config is None and many.resume is None
    assert options.check.clearance == 0.005 and options.check.allow_empty
    assert [str(path) for path in options.output] == ["-", "out.xml"]


@pytest.mark.parametrize("hook", ["check", "validate"])
def test_the_hooks_take_no_name_for_an_option(hook: str) -> None:
    """As pre-commit calls them: the entry, its arguments, the names of files."""
    text = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    own = text[text.index(f"entry: collision-kit {hook}") :]
    arguments = re.search(r"^  args: \[(.*)\]", own, re.MULTILINE)[1].split(", ")
    options, _ = understood([hook, *arguments, *HOSTILE])
    assert options.paths == tuple(HOSTILE)
    allowed = options.check.allow_empty if isinstance(options, CheckCommand) else options.allow_empty
    assert allowed and not options.enable_autoexec
