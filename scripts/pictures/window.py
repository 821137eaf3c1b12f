# SPDX-License-Identifier: GPL-3.0-or-later
"""Take pictures of a Blender with a window.

Needs what the tests of the window need: Blender in $BLENDER, on PATH, or Debian's, which is installed in build/debian;
and Xvfb.
"""

import json
import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from scripts.build_extension import build
from tests.gui.screen import read_screen, write_png
from tests.gui.start import Failed, find_window, play

from .places import IMAGES, ROOT, build_scenes
from .table import Picture

# The window: a 3D view of 1000 × 835 pixels between Blender's menus and its status bar.
SIZE = (1000, 888)
LIMIT = 60.0  # seconds for the start, and for each picture
# Pixels below the last panel of a sidebar, and of the round corners of an area.
MARGIN, CORNER = 6, 12


def take(pictures: list[Picture]) -> Iterator[Path]:
    """Take these pictures, in all their languages."""
    names, count = [picture.name for picture in pictures], sum(len(picture.images) for picture in pictures)
    with tempfile.TemporaryDirectory(prefix="pictures-") as scratch:
        folder = Path(scratch)
        scenes = {picture.scene for picture in pictures}
        output = play_script("studio.py", scenes, [",".join(names)], folder, LIMIT * (count + 1))
        seen = folder / "seen.json"
        parts = json.loads(seen.read_text(encoding="utf-8")) if seen.exists() else {}
        for image, part in parts.items():
            yield keep(folder / f"{image}.xwd", part, IMAGES / image)
        if len(parts) < count:
            raise Failed(f"not all pictures of the window could be taken\n{output}")


def play_script(script: str, scenes: set[str], arguments: list[str], folder: Path, limit: float) -> str:
    """Have a Blender with a window run a script beside this one; return what it wrote."""
    (folder / "screen").mkdir()
    wanted = os.environ.get("BLENDER") or shutil.which("blender") or "debian"
    seen = [ROOT / "tests", ROOT / "scripts", folder]
    window = find_window(wanted, SIZE, folder / "screen", seen, own=True)
    files = build_scenes(folder / "scenes", scenes)
    given = map(str, [build(folder / "zip"), folder, window.screen, files])
    return play(window, Path(__file__).with_name(script), [*given, *arguments], folder, limit)


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
