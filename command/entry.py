# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``collision-kit``, from its arguments to its exit code.

The first process reads the arguments and starts the processes in which Blender runs: one for a single file, or one for
each of many. Those begin in `worker.work`.
"""

import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ..addon.model.scene_files import why_no_scene
from ..addon.system.exits import BAD_INPUT, say
from . import many, usage
from .supervision import blender_command, exit_code, supervised


def main() -> NoReturn:
    """Run the command ``collision-kit`` and end the process with its exit code."""
    _open_streams()
    os._exit(exit_code(lambda: _first(sys.argv[1:])))


def _first(arguments: Sequence[str]) -> int:
    """Run the command: a single file in one Blender process, many files in a process each."""
    given = usage.read(arguments)
    if given.many is not None:
        _interruptible()
        return many.main(given.options, given.many)
    file = given.options.paths[0]
    why = why_no_scene(Path(file))
    if why:
        say(f"error: {file}: {why}")
        return BAD_INPUT
    _interruptible()
    try:
        return supervised([*blender_command(), *arguments])
    except OSError as error:
        say(f"error: Python cannot be started: {error}")
        return BAD_INPUT


def _interruptible() -> None:
    """Make Ctrl-C raise KeyboardInterrupt, unless it is ignored. Until now it ended the process at once."""
    if signal.getsignal(signal.SIGINT) not in (signal.SIG_IGN, None):
        signal.signal(signal.SIGINT, signal.default_int_handler)


def _open_streams() -> None:
    """Occupy closed standard streams, so that no opened file gets their number. Writing to them still fails."""
    for stream, mode in ((0, os.O_RDONLY), (1, os.O_RDONLY), (2, os.O_WRONLY)):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, mode)  # gets the lowest free number, which is this one
            os.set_inheritable(stream, True)
