# SPDX-License-Identifier: GPL-3.0-or-later
"""Argument, file and output that the programs which build example scenes have in common."""

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import bpy

_Planted = TypeVar("_Planted")


def save_scene(
    program: str,
    arguments: Sequence[str],
    build: Callable[[], Sequence[_Planted]],
    line: Callable[[_Planted], str],
    planted: str = "faults",
) -> int:
    """Build a scene, save it, and print a line about each thing that was planted in it.

    Parameters
    ----------
    program : str
        Its name, in messages.
    arguments : sequence of str
        The file to be written, and nothing else.
    build : callable
        Replaces the open file by the scene, and returns what was planted.
    line : callable
        Returns the line about one of these.
    planted : str
        What they are called.

    Returns
    -------
    int
        The exit code.
    """
    if len(arguments) != 1:
        print(f"usage: {program} OUT.blend", file=sys.stderr)
        return 2
    path = Path(arguments[0]).resolve()
    path.parent.mkdir(parents=True, exist_ok=True)
    found = build()
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=True)
    print(f"{path}: {len(found)} planted {planted}")
    for one in found:
        print(f"  {line(one)}")
    return 0


def own_arguments() -> list[str]:
    """Return the arguments of the program; in Blender, those after ``--``."""
    return sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]
