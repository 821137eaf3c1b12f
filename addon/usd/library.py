# SPDX-License-Identifier: GPL-3.0-or-later
"""OpenUSD, which USD files with colliders need: whether it is available, and the programs that use it."""

import re
import subprocess
from importlib.machinery import PathFinder
from pathlib import Path

import bpy

from ..model.errors import UserError
from ..model.message import Message
from ..system.processes import started
from ..system.search_path import search_path

# The Python modules of OpenUSD. Blender has them since 4.4.
LIBRARY = "pxr"

# An error that OpenUSD prints: where in its own sources it was raised, and the message.
_ERROR = re.compile(r"Error in '[^']*' at line \d+ in file .*? : '(.*?)'\s*$", re.MULTILINE | re.DOTALL)

# Runs a file with OpenUSD in a separate process.
PROGRAM = "import runpy, sys; sys.argv.pop(0); runpy.run_path(sys.argv[0], run_name='__main__')"


def lacking() -> str:
    """Return what is missing, in English. Empty if nothing is."""
    if not bpy.app.build_options.usd:
        return Message("This Blender was built without USD")
    if PathFinder.find_spec(LIBRARY, search_path()) is None:
        # Since 4.4, Blender as a module has OpenUSD in a folder that it adds to the path on request.
        if hasattr(bpy.utils, "expose_bundled_modules"):
            bpy.utils.expose_bundled_modules()
        if PathFinder.find_spec(LIBRARY, search_path()) is not None:
            return ""
        return Message("This Blender has no Python modules of OpenUSD")
    return ""


def run(program: str, arguments: list[str], folder: Path) -> str:
    """Run one of the programs beside this file in a separate process, and return the last line of its output.

    Parameters
    ----------
    program : str
        The name of the file.
    arguments : list of str
        What the program is called with.
    folder : Path
        An existing folder for what the process writes.

    Raises
    ------
    UserError
        If the program fails, with the messages of OpenUSD.
    """
    said = folder / "errors.txt"
    with said.open("wb") as errors:
        file = str(Path(__file__).with_name(program))
        process = started(PROGRAM, [file, *arguments], folder, errors, output=subprocess.PIPE)
        printed, _ = process.communicate()
    if process.returncode:
        raise UserError("OpenUSD failed: {reason}", reason=_reason(said) or process.returncode)
    return printed.decode("utf-8").strip().splitlines()[-1]


def _reason(said: Path) -> str:
    """Return the messages of OpenUSD in one line. If there are none, the last line of the errors."""
    text = said.read_text("utf-8", "replace").strip()
    messages = [" ".join(message.split()) for message in _ERROR.findall(text)]
    return "; ".join(messages) if messages else text.rpartition("\n")[2]
