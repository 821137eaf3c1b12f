# SPDX-License-Identifier: GPL-3.0-or-later
"""The process of ``collision-kit`` that runs Blender."""

import contextlib
import os
import sys
from collections.abc import Sequence
from typing import NoReturn

from ..addon.system.exits import BAD_INPUT, say
from ..addon.system.streams import switched
from . import usage
from .supervision import SIGNALLED, Ended, ending, exit_code, note_loaded, remove_temporary, watch


def work() -> NoReturn:
    """Run the command in this process, and exit with its code."""
    watch()
    code = BAD_INPUT
    try:
        code = exit_code(lambda: _command(sys.argv[1:]))
    finally:
        remove_temporary()
        # Blender as a module can crash or hang while Python shuts down: 4.2 and 4.5 do so after any property callback.
        os._exit(code)


def _command(arguments: Sequence[str]) -> int:
    # Before Blender is loaded, which takes a second and can fail.
    options = usage.read(arguments).options
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        # Blender 5.2 prints its color configuration on standard output when it is loaded.
        with switched(1, nowhere), switched(2, nowhere):
            from ..addon.cli import commands
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError) and error.name == "bpy"
        how = "is needed as a Python module: pip install collision-kit[blender]"
        say(f"error: Blender {how if missing else f'cannot be loaded: {error}'}")
        return BAD_INPUT
    finally:
        os.close(nowhere)
    note_loaded()
    with ending() as signals, contextlib.suppress(Ended):
        code, line = commands.main(options)
    if signals:
        return SIGNALLED + signals[0]
    if line:
        say(line)
    return code
