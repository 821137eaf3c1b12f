# SPDX-License-Identifier: GPL-3.0-or-later
"""Render the example scene: as it looks, and as its check shows it."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from .places import IMAGES, build_scenes, check, run
from .table import Render


def take(renders: list[Render]) -> Iterator[Path]:
    """Take these pictures."""
    with tempfile.TemporaryDirectory(prefix="renders-") as scratch:
        scene = build_scenes(Path(scratch), {"warehouse"}) / "warehouse.blend"
        for one in renders:
            RENDERED[one.name](scene, IMAGES / one.image)
            yield IMAGES / one.image


def warehouse(scene: Path, picture: Path) -> None:
    """Render what the camera of the scene sees, which takes minutes."""
    run([sys.executable, Path(__file__).with_name("render_scene.py"), scene, picture])


def demo(scene: Path, picture: Path) -> None:
    """Have the check render the worst pair, as `make demo` does."""
    check(scene, "--picture", picture)


RENDERED = {make.__name__: make for make in (warehouse, demo)}
