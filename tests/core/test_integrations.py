# SPDX-License-Identifier: GPL-3.0-or-later
"""The GitHub Action, the hooks for pre-commit and the workflows call what there is."""

import os
import re
import subprocess
import textwrap
import tomllib
from pathlib import Path

import pytest

from collision_kit.addon.cli.options import CheckCommand
from collision_kit.addon.model.formats import SCENES
from collision_kit.command import usage

ROOT = Path(__file__).parents[2]
ACTION = (ROOT / "action.yml").read_text(encoding="utf-8")
HOOKS = (ROOT / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")


@pytest.mark.parametrize("entry", re.findall(r"^  entry: (.*)$", HOOKS, re.MULTILINE))
def test_hooks_call_commands_that_there_are(entry: str) -> None:
    program, *arguments = entry.split()
    (more,) = set(re.findall(r"^  args: \[(.*)\]$", HOOKS, re.MULTILINE))
    assert HOOKS.count("args:") == HOOKS.count("- id:")
    options = usage.read([*arguments, *more.split(", "), "--config=a.blend", "b.glb"], program).options
    empty = options.check.allow_empty if isinstance(options, CheckCommand) else options.allow_empty
    assert (program, options.name, empty) == ("collision-kit", arguments[0], True)
    assert options.paths == ("--config=a.blend", "b.glb")


def test_hooks_are_for_all_files_that_can_be_read() -> None:
    patterns = re.findall(r"^  files: '(.*)'$", HOOKS, re.MULTILINE)
    assert len(patterns) == HOOKS.count("- id:")
    for pattern in patterns:
        assert all(re.search(pattern, f"folder/name{ending}") for ending in SCENES)
        assert not re.search(pattern, "blend.txt")


@pytest.mark.skipif(os.name == "nt", reason="needs bash")
def test_the_action_calls_the_command_with_its_inputs(tmp_path: Path) -> None:
    stub = tmp_path / "collision-kit"
    stub.write_text('#!/bin/sh\nprintf "%s\\n" "$@" > "$ARGUMENTS"\nexit 1\n', encoding="utf-8")
    stub.chmod(0o755)
    script = textwrap.dedent(ACTION.rpartition("run: |\n")[2])
    inputs = dict(re.findall(r"^  (\w+):\n    description: .*\n    default: (.*)$", ACTION, re.MULTILINE))
    given = inputs | {"paths": "scenes\nprops/*.blend\n", "options": "--clearance 5mm"}
    named = re.findall(r"^        (\w+): \$\{\{ inputs\.(\w+) \}\}$", ACTION, re.MULTILINE)
    assert {name for _, name in named} == set(inputs)
    found = tmp_path / "arguments"
    environment = {variable: given[name] for variable, name in named}
    environment |= {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}", "ARGUMENTS": str(found)}
    done = subprocess.run(["bash", "-e", "-c", script], env=environment, check=False)
    assert done.returncode == 1, "the exit code is that of the command"
    arguments = found.read_text(encoding="utf-8").splitlines()
    assert arguments[0] == "check" and arguments[-3:] == ["--", "scenes", "props/*.blend"]
    options = usage.read(arguments).options
    assert options.check.clearance == 0.005
    assert [str(path) for path in options.output] == ["-", "collision-kit.xml"]


WORKFLOWS = sorted((ROOT / ".github" / "workflows").glob("*.yml"))


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_call_targets_and_extras_that_there_are(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    versions = re.findall(r'blender: "([\d.]+)"', text)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"^([a-z-]+):", makefile, re.MULTILINE))
    called = re.findall(r"run: make +\"?([^\s\"]+)", text)
    assert set(called) - {"test-blender-$BLENDER_VERSION"} <= targets
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    assert set(re.findall(r'"\.\[(\w+)\]"', text)) <= set(extras)
    if versions:
        assert versions == re.findall(r"^BLENDERS := (.*)$", makefile, re.MULTILINE)[0].split()
    assert called


@pytest.mark.parametrize("path", WORKFLOWS, ids=lambda path: path.name)
def test_a_workflow_that_others_call_is_in_no_group_of_theirs(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    (group,) = re.findall(r"^  group: (.*)$", text, re.MULTILINE)
    assert ("github.workflow " in group) != ("\n  workflow_call:" in text)


def test_commits_are_checked_with_tools_of_the_environment() -> None:
    hooks = (ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8")
    entries = re.findall(r"^        entry: (.*)$", hooks, re.MULTILINE)
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert len(entries) == 3
    for entry in entries:
        program, *words = entry.split()
        assert program == ".venv/bin/python" or (program == "make" and f"\n{words[-1]}:" in makefile)
