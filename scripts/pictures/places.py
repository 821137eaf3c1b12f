# SPDX-License-Identifier: GPL-3.0-or-later
"""Folders of pictures, and the files of the example scenes that they show."""

import subprocess
import sys
from pathlib import Path

from tests.gui.start import Failed

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
EXAMPLES = ("warehouse", "colliders", "motion", "walk")


# What a check ends with if there are issues.
FOUND = 1


class Missing(Exception):
    """A program that pictures need is not there; the message says which."""


def build_scenes(folder: Path, names: set[str]) -> Path:
    """Build the files of the example scenes among these."""
    folder.mkdir(exist_ok=True)
    for name in names & set(EXAMPLES):
        run([sys.executable, ROOT / "examples" / f"{name}.py", folder / f"{name}.blend"])
    return folder


def run(command: list[str | Path], *, expected: tuple[int, ...] = (0,)) -> None:
    """Run a program that writes files, and show what it says if it fails."""
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False)
    if done.returncode not in expected:
        raise Failed(f"{Path(command[0]).name} has failed\n{done.stdout}")


def check(path: Path, *options: str | Path, command: str = "check") -> None:
    """Run a command of the command line on a file or a folder in which it finds something."""
    run([Path(sys.executable).with_name("collision-kit"), command, path, *options], expected=(FOUND,))
