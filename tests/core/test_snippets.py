# SPDX-License-Identifier: GPL-3.0-or-later
"""Python snippets of the pages without Blender run and give the results in their comments; shell commands exist."""

import ast
import re
import shlex
import tomllib

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.addon.cli import usage as blender_usage
from collision_kit.command import usage
from tests.helpers.snippets import ROOT, Snippet, commands, snippets

PYTHON = [one for one in snippets("python") if not one.for_blender]
# `value  # [1.0, 2.0]`, with or without words after it.
SAID = re.compile(r"^(\S.*?)  # (\[.*\])(?:: .*)?$")

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]


@pytest.mark.parametrize("snippet", PYTHON, ids=str)
def test_a_python_snippet_does_what_its_comments_say(snippet: Snippet) -> None:
    rng = np.random.default_rng(1)
    points = rng.normal(size=(60, 3))
    known = {"ck": ck, "np": np, "points": points, "triangles": ck.convex_hull(points).faces}
    known |= {"many_point_sets": [points, 2.0 * points], "hulls": ck.convex_hulls([points[:30], points[30:]])}
    exec(compile(snippet.text, str(snippet), "exec"), known)
    for line in snippet.text.splitlines():
        if said := SAID.match(line):
            np.testing.assert_allclose(eval(said[1], known), ast.literal_eval(said[2]))


def test_some_snippets_say_what_they_give() -> None:
    said = [one for one in PYTHON for line in one.text.splitlines() if SAID.match(line)]
    assert len(PYTHON) >= 5 and len(said) >= 4


@pytest.mark.parametrize(("snippet", "line"), commands(), ids=lambda one: str(one)[:60])
def test_a_shell_command_is_one_that_there_is(snippet: Snippet, line: str) -> None:
    program, *arguments = shlex.split(line, comments=True)
    if program == "pip":
        for package in arguments[1:]:
            name, _, extras = package.rstrip("]").partition("[")
            assert name == PROJECT["name"]
            assert set(filter(None, extras.split(","))) <= set(PROJECT["optional-dependencies"])
    elif program == "make":
        makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
        assert re.search(rf"^{arguments[0]}:", makefile, re.MULTILINE)
    elif program == "collision-kit":
        assert usage.read(arguments, program).options.name == arguments[0]
    elif program == "blender" and "collision_kit" in arguments:
        assert blender_usage.read(program, arguments[arguments.index("collision_kit") + 1 :]).name
    elif program in ("blender", "python"):
        (script,) = [one for one in arguments if one.endswith(".py")]
        assert (ROOT / script).is_file()
    else:
        assert program == "dask" and arguments[0] in ("scheduler", "worker"), f"{snippet}: nothing runs this"
