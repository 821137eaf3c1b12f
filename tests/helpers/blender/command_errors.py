# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line in this process, with a list of its errors, and the file that it reads."""

from pathlib import Path

import bpy

from tests.helpers.blender import command_line


def save(path: Path, *, compress: bool = False) -> Path:
    """Save the open file, and return its path."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=compress)
    return path


def run(capfd, *arguments):
    """Exit code, standard output and the errors of one command."""
    code, output, error = command_line.run(capfd, *map(str, arguments))
    return code, output, error.splitlines()
