# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the clip of the documentation anew: `make clip`. Needs what pictures of the window need, and ffmpeg.

What a step shows is kept as a still and put together here, so that the clip plays at its own speed, however slowly the
window is drawn. The pointer is drawn here, too: nobody moves the one of the screen.
"""

import json
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tests.gui.screen import read_screen, write_png
from tests.gui.start import Failed

from .places import IMAGES, ROOT, Missing
from .table import Render
from .window import SIZE, play_script

CLIP, POSTER = ROOT / "docs" / "assets" / "clip.webm", IMAGES / "clip.png"
# Seconds: a step takes longer than it is shown.
LIMIT = 1200.0
# Of VP9: from 0, the best, to 63.
QUALITY = 34
SCENES = {"warehouse", "motion"}
# Corners of the pointer, from its tip, to the right and down.
POINTER = ((0, 0), (0, 22), (5, 17), (9, 25), (13, 23), (9, 15), (16, 15))
BLACK, WHITE, PRESSED = (0, 0, 0), (255, 255, 255), (255, 170, 60)


def take(_clips: list[Render]) -> Iterator[Path]:
    """Make the clip and its still."""
    if shutil.which("ffmpeg") is None:
        raise Missing("the clip needs ffmpeg on PATH: apt-get install ffmpeg")
    with tempfile.TemporaryDirectory(prefix="clip-") as scratch:
        folder = Path(scratch)
        output = play_script("reel.py", SCENES, [], folder, LIMIT)
        if not (folder / "clip.json").exists():
            raise Failed(output)
        if not assemble(folder):
            raise Failed(f"a scene of the clip has failed\n{output}")
    yield from (CLIP, POSTER)


def assemble(folder: Path) -> bool:
    """Put the stills together, each as long as it is shown; return whether all scenes came to their ends."""
    seen = json.loads((folder / "clip.json").read_text(encoding="utf-8"))
    still = lru_cache(maxsize=2)(lambda number: read_screen(folder / f"clip_{number}.xwd"))
    size = f"{SIZE[0]}x{SIZE[1]}"
    given = ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", str(seen["fps"]), "-i", "-"]
    coded = ["-c:v", "libvpx-vp9", "-crf", str(QUALITY), "-b:v", "0", "-row-mt", "1", "-cpu-used", "5"]
    command = ["ffmpeg", "-loglevel", "error", "-y", *given, *coded, "-pix_fmt", "yuv420p", str(CLIP)]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as encoder:
        assert encoder.stdin is not None
        for number, x, y, pressed in seen["frames"]:
            encoder.stdin.write(pointed(still(number), (x, SIZE[1] - y), pressed).tobytes())
    if encoder.returncode:
        raise Failed("ffmpeg has failed")
    write_png(POSTER, still(seen["frames"][seen["poster"]][0]))
    return not seen["failed"]


def pointed(image: NDArray[np.uint8], tip: tuple[int, int], pressed: bool) -> NDArray[np.uint8]:
    """Return the image with a pointer in it."""
    shown = image.copy()
    height, width = image.shape[:2]
    for color, mask in ((BLACK, OUTLINE), (PRESSED if pressed else WHITE, ARROW)):
        rows, columns = np.nonzero(mask)
        rows, columns = rows + tip[1] - 1, columns + tip[0] - 1
        inside = (rows >= 0) & (rows < height) & (columns >= 0) & (columns < width)
        shown[rows[inside], columns[inside]] = color
    return shown


def filled(corners: tuple[tuple[int, int], ...]) -> NDArray[np.bool_]:
    """Return the pixels inside a polygon, with a pixel of room around it."""
    points = np.array(corners) + 1
    y, x = np.mgrid[: points[:, 1].max() + 2, : points[:, 0].max() + 2] + 0.01
    inside = np.zeros(x.shape, bool)
    for (ax, ay), (bx, by) in zip(points, np.roll(points, -1, axis=0), strict=True):
        if ay != by:
            inside ^= ((ay > y) != (by > y)) & (x < ax + (y - ay) * (bx - ax) / (by - ay))
    return inside


def grown(mask: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return a mask with the pixels beside it."""
    return np.logical_or.reduce([np.roll(mask, (i, j), (0, 1)) for i in (-1, 0, 1) for j in (-1, 0, 1)])


ARROW = filled(POINTER)
OUTLINE = grown(ARROW)
