# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures that are taken of a window: each can be taken, is in the documentation, and is written as PNG."""

import ast
import struct
import zlib
from pathlib import Path

import numpy as np
import pytest

from scripts.pictures.table import ENGLISH, TABLE, Picture
from tests.gui.screen import write_png

NAMES = [picture.name for picture in TABLE]


def functions(path: Path) -> set[str]:
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


@pytest.mark.parametrize("picture", TABLE, ids=NAMES)
def test_a_picture_has_a_scene_and_steps_and_a_place_in_the_pages(picture: Picture, root: Path) -> None:
    folder = root / "scripts" / "pictures"
    assert picture.steps in functions(folder / "steps.py")
    built = (root / "examples" / f"{picture.scene}.py").exists()
    assert built or picture.scene in functions(folder / "scenes.py")
    panels = "\n".join(path.read_text(encoding="utf-8") for path in (root / "addon" / "ui" / "panels").glob("*.py"))
    for panel in picture.panels.split():
        assert f"class COLLISION_KIT_PT_{panel}(" in panels
    pages = "\n".join(path.read_text(encoding="utf-8") for path in (root / "docs").rglob("*.md"))
    for language in picture.languages:
        name = picture.name if language == ENGLISH else f"{picture.name}_{language[:2]}"
        assert (root / "docs" / "images" / f"{name}.png").exists()
        assert f"images/{name}.png" in pages


def test_a_picture_has_one_line() -> None:
    assert len(NAMES) == len(set(NAMES))


def test_a_written_png_is_read_as_what_was_written(tmp_path: Path) -> None:
    rng = np.random.default_rng(7)
    image = rng.integers(0, 256, (40, 30, 3), dtype=np.uint8)
    image[10:20] = np.arange(90, dtype=np.uint8).reshape(30, 3)  # less is left by the filters
    image[20:30] = image[9]
    write_png(tmp_path / "image.png", image)
    assert np.array_equal(read_png(tmp_path / "image.png"), image)


def read_png(path: Path) -> np.ndarray:
    """Undo the filters byte by byte, as the definition has them."""
    data = path.read_bytes()
    width, height = struct.unpack(">II", data[16:24])
    begin = data.index(b"IDAT")
    (size,) = struct.unpack(">I", data[begin - 4 : begin])
    rows = zlib.decompress(data[begin + 4 : begin + 4 + size])
    above, kinds, image = bytearray(3 * width), set(), []
    for y in range(height):
        kind, *row = rows[y * (3 * width + 1) : (y + 1) * (3 * width + 1)]
        kinds.add(kind)
        for x in range(3 * width):
            row[x] = (row[x] + {0: 0, 1: row[x - 3] if x >= 3 else 0, 2: above[x]}[kind]) % 256
        image.append(row)
        above = bytearray(row)
    assert kinds == {0, 1, 2}
    return np.array(image, np.uint8).reshape(height, width, 3)
