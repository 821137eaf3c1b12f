# SPDX-License-Identifier: GPL-3.0-or-later
"""Run programs of Collision Kit in separate processes, isolated from files in the working directory."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import IO

import bpy

from .search_path import search_path

# Makes Blender's Python behave like Python: the arguments are those after two dashes.
_IN_BLENDER = 'import sys; sys.argv[1:] = sys.argv[sys.argv.index("--") + 1 :]\n'

# Otherwise Windows opens a console for each process.
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
        Its ``sys.argv[1:]``.
    folder : Path
        Its working directory, also for its temporary files. It must not contain other files.
    errors : file or int
        Its standard error, as for `subprocess.Popen`.
    output : file or int
        Its standard output. Default: discarded.
    given : int
        Its standard input. Default: empty.

    Raises
    ------
    OSError
        If no process can be started.
    """
    command, path = _command(program, arguments)
    # Python gets the search path of this process instead of the one from the environment.
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
    """Return the command, and the search path for modules, which is empty for Blender because it sets its own."""
    path = bpy.app.binary_path
    # If Blender was built without a separate Python executable, it names itself.
    if path and (not sys.executable or os.path.samefile(sys.executable, path)):
        given = ["--background", "--factory-startup", "--python-exit-code", "1", "--python-expr"]
        return [path, *given, _IN_BLENDER + program, "--", *arguments], []
    # If Blender is a module, its scripts folder comes first once it is loaded. The part of `bpy` in it cannot be loaded
    # before the other part.
    own = os.path.dirname(os.path.dirname(bpy.__file__))
    entries = [entry for entry in search_path() if entry != own]
    # Neither the working directory nor the user's site packages are searched.
    return [sys.executable, "-P", "-s", "-c", program, *arguments], entries
