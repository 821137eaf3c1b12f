# SPDX-License-Identifier: GPL-3.0-or-later
"""The pictures of the documentation: each is taken by a script, is in the pages, and is written as PNG."""

import ast
import struct
import zlib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from scripts.pictures.clip import take as clips_taken
from scripts.pictures.pages import take as pages_taken
from scripts.pictures.places import Missing
from scripts.pictures.table import CLIPS, PAGES, RENDERS, TABLE, WINDOW, Page, Picture, Render
from tests.gui.screen import write_png

FOLDER = Path("scripts") / "pictures"


def functions(path: Path) -> set[str]:
    return {node.name for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.FunctionDef)}


def pages(root: Path) -> str:
    found = [root / "README.md", *(root / "docs").rglob("*.md")]
    return "\n".join(path.read_text(encoding="utf-8") for path in found)


@pytest.mark.parametrize("picture", WINDOW, ids=lambda picture: picture.name)
def test_a_picture_of_the_window_has_a_scene_and_steps_and_panels(picture: Picture, root: Path) -> None:
    assert picture.steps in functions(root / FOLDER / "steps.py")
    built = (root / "examples" / f"{picture.scene}.py").exists()
    assert built or picture.scene in functions(root / FOLDER / "scenes.py")
    panels = "\n".join(path.read_text(encoding="utf-8") for path in (root / "addon" / "ui" / "panels").glob("*.py"))
    for panel in picture.panels.split():
        assert f"class COLLISION_KIT_PT_{panel}(" in panels


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_picture_of_a_report_has_a_function_that_makes_it_and_a_heading(page: Page, root: Path) -> None:
    assert page.report in functions(root / FOLDER / "pages.py")
    assert f"<h2>{page.heading}</h2>" in (root / "addon" / "reports" / "html.py").read_text("utf-8") or not page.heading


@pytest.mark.parametrize("render", RENDERS, ids=lambda render: render.name)
def test_a_rendered_picture_has_a_function_of_its_name(render: Render, root: Path) -> None:
    assert render.name in functions(root / FOLDER / "renders.py")


def test_each_picture_of_the_documentation_is_taken_and_shown(root: Path) -> None:
    taken = sorted(image for picture in TABLE for image in picture.images)
    kept = sorted(path.name for path in (root / "docs" / "images").iterdir())
    assert taken == kept
    text = pages(root)
    assert [image for image in taken if f"images/{image}" not in text] == []
    others = [path for kind in ("png", "jpg", "jpeg", "gif", "webp") for path in (root / "docs").rglob(f"*.{kind}")]
    assert {path.parent for path in others} == {root / "docs" / "images"}


def test_a_name_stands_for_one_picture() -> None:
    names = [picture.name for picture in TABLE]
    assert len(names) == len(set(names))


@pytest.mark.parametrize(("take", "table"), [(pages_taken, PAGES), (clips_taken, CLIPS)], ids=["pages", "clips"])
def test_what_is_missing_is_said_before_anything_is_made(
    take: Any, table: tuple[Any, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(Missing, match="apt-get install"):
        list(take(list(table)))


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
