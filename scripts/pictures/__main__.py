# SPDX-License-Identifier: GPL-3.0-or-later
"""Take pictures of the documentation anew, from a Blender with a window: all, or those that are named.

``python -m scripts.pictures [NAME …]``. Needs what the tests of the window need: Blender in $BLENDER, on PATH, or
Debian's, which is installed in build/debian; and Xvfb.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.build_extension import build
from tests.gui.screen import read_screen, write_png
from tests.gui.start import Failed, NoWindow, find_window, play

from .table import TABLE

ROOT = Path(__file__).resolve().parents[2]
IMAGES = ROOT / "docs" / "images"
# The window: a 3D view of 1000 × 835 pixels between Blender's menus and its status bar.
SIZE = (1000, 888)
EXAMPLES = ("warehouse", "colliders", "motion")
LIMIT = 60.0  # seconds for the start, and for each picture
# Pixels below the last panel of a sidebar, and of the round corners of an area.
MARGIN, CORNER = 6, 12


def main() -> int:
    """Take the pictures; return the exit code."""
    parser = argparse.ArgumentParser(prog="make pictures", description="Take pictures of the documentation anew.")
    known = [picture.name for picture in TABLE]
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"one of: {', '.join(known)}")
    names = parser.parse_args().names or known
    unknown = sorted(set(names) - set(known))
    if unknown:
        parser.error(f"there is no picture {', '.join(unknown)}; there are {', '.join(known)}")
    try:
        taken, output = take(names)
        for path in taken:
            print(path.relative_to(ROOT))
        if len(taken) < count_of(names):
            raise Failed(f"not all pictures could be taken\n{output}")
    except (NoWindow, Failed) as error:
        print(f"error: {error}", file=sys.stderr)
        return 1
    return 0


def count_of(names: list[str]) -> int:
    """Return how many pictures these are in all their languages."""
    return sum(len(picture.languages) for picture in TABLE if picture.name in names)


def take(names: list[str]) -> tuple[list[Path], str]:
    """Take these pictures, in all their languages; return the files, and what Blender wrote."""
    with tempfile.TemporaryDirectory(prefix="pictures-") as scratch:
        folder = Path(scratch)
        scenes = {picture.scene for picture in TABLE if picture.name in names}
        output = play_script("studio.py", scenes, [",".join(names)], folder, LIMIT * (count_of(names) + 1))
        if not (folder / "seen.json").exists():
            raise Failed(output)
        taken = [
            keep(folder / f"{name}.xwd", part, IMAGES / f"{name}.png")
            for name, part in json.loads((folder / "seen.json").read_text(encoding="utf-8")).items()
        ]
        return taken, output


def play_script(script: str, scenes: set[str], arguments: list[str], folder: Path, limit: float) -> str:
    """Have a Blender with a window run a script beside this one; return what it wrote."""
    (folder / "screen").mkdir()
    wanted = os.environ.get("BLENDER") or shutil.which("blender") or "debian"
    seen = [ROOT / "tests", ROOT / "scripts", folder]
    window = find_window(wanted, SIZE, folder / "screen", seen, own=True)
    files = build_scenes(folder / "scenes", scenes)
    given = map(str, [build(folder / "zip"), folder, window.screen, files])
    return play(window, Path(__file__).with_name(script), [*given, *arguments], folder, limit)


def build_scenes(folder: Path, names: set[str]) -> Path:
    """Build the files of the example scenes among these."""
    folder.mkdir()
    for name in names & set(EXAMPLES):
        script = ROOT / "examples" / f"{name}.py"
        subprocess.run([sys.executable, script, folder / f"{name}.blend"], check=True, stdout=subprocess.DEVNULL)
    return folder


def keep(dump: Path, part: dict[str, object], path: Path) -> Path:
    """Write the part of a screen that is kept."""
    left, top, width, height = part["box"]  # type: ignore[misc]
    image = read_screen(dump)[top : top + height, left : left + width]
    write_png(path, trimmed(image) if part["trim"] else image)
    return path


def trimmed(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Leave out the rows below the last one that shows something."""
    shown = (image[:-CORNER] != image[-CORNER]).any(axis=(1, 2))
    return image[: int(np.flatnonzero(shown)[-1]) + 1 + MARGIN]


if __name__ == "__main__":
    sys.exit(main())
