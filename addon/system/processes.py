# SPDX-License-Identifier: GPL-3.0-or-later
"""Programs that Collision Kit runs in processes of their own, apart from whatever lies in the working directory."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import bpy

from .search_path import search_path

# Blender's Python is asked to be like it: the arguments are those after two dashes.
_IN_BLENDER = 'import sys; sys.argv[1:] = sys.argv[sys.argv.index("--") + 1 :]\n'

# On Windows a console would open for each process.
_NO_WINDOW: int = getattr(subprocess, "CREATE_NO_WINDOW", 0)


def started(
    program: str,
    arguments: Sequence[str],
    folder: Path,
    errors: IO[bytes] | int,
    *,
    output: IO[bytes] | int = subprocess.DEVNULL,
    given: int = subprocess.DEVNULL,
) -> subprocess.Popen[bytes]:
    """Run the source of a program.

    Parameters
    ----------
    program : str
    arguments : sequence of str
        What it finds in ``sys.argv[1:]``.
    folder : Path
        Its working directory, and where its temporary files go; nobody else's files are to be in it.
    errors : file or int
        Where its standard error goes, as `subprocess.Popen` takes it.
    output : file or int
        Where what it prints goes; by default it is lost.
    given : int
        Its standard input; by default it is empty.

    Raises
    ------
    OSError
        If no process can be started.
    """
    command, path = _command(program, arguments)
    # Python gets the search path of this one instead of what the environment says.
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    environment |= {"PYTHONPATH": os.pathsep.join(path)} if path else {}
    return subprocess.Popen(
        command,
        cwd=folder,
        env={**environment, **dict.fromkeys(("TMPDIR", "TEMP", "TMP", "PWD"), str(folder))},
        stdin=given,
        stdout=output,
        stderr=errors,
        creationflags=_NO_WINDOW,
    )


def _command(program: str, arguments: Sequence[str]) -> tuple[list[str], list[str]]:
    """Return the command, and the search path for modules; empty for Blender, which sets its own."""
    path = bpy.app.binary_path
    # Where Blender was built without a Python of its own beside it, it names itself.
    if path and (not sys.executable or os.path.samefile(sys.executable, path)):
        given = ["--background", "--factory-startup", "--python-exit-code", "1", "--python-expr"]
        return [path, *given, _IN_BLENDER + program, "--", *arguments], []
    # Where Blender is a module, its scripts come first once it is loaded. Their part of `bpy` cannot be loaded before
    # the other part.
    own = os.path.dirname(os.path.dirname(bpy.__file__))
    entries = [entry for entry in search_path() if entry != own]
    # Neither the working directory nor the user's own packages are searched.
    return [sys.executable, "-P", "-s", "-c", program, *arguments], entries
