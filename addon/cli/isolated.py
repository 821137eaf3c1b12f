# SPDX-License-Identifier: GPL-3.0-or-later
"""The option ``--isolate`` of ``blender --command``: a second Blender process reads the file, because it may crash."""

import os
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

import bpy

from ..model.errors import CommandError
from ..scene.settings import ROOT
from ..system.exits import BAD_INPUT, FOLDER, crash_text, say
from ..system.streams import ERRORS, OUTPUT, switched
from .options import Command


def run(options: Command, arguments: Sequence[str]) -> int:
    """Run a command of this Blender in a second process, and return its exit code.

    A crash counts as bad input, with a message of one line. The add-on does not have to be enabled in the preferences.
    """
    if options.file is None:
        raise CommandError("--isolate needs FILE: it cannot isolate a file that Blender has already opened")
    with switched(OUTPUT, ERRORS):
        pass  # Output that Blender printed through C is still in C's buffer and does not belong to the report.
    again = [bpy.app.binary_path, "--background", "--addons", ROOT, "--command", "collision_kit"]
    with tempfile.TemporaryDirectory(prefix="collision-kit-", ignore_cleanup_errors=True) as folder:
        environment = {**os.environ, FOLDER: folder, **dict.fromkeys(("TMPDIR", "TEMP", "TMP"), folder)}
        code = subprocess.run([*again, *arguments], stdin=subprocess.DEVNULL, env=environment, check=False).returncode
        if 0 <= code < 256:
            return code
        say(f"error: {crash_text(code, Path(folder))}")
    return BAD_INPUT
