# SPDX-License-Identifier: GPL-3.0-or-later
"""The faults of three scenes are found and mended with few clicks, which are counted.

They are clicks of the screen's mouse if Blender is drawn on a screen of Xvfb and xdotool is there, else simulated ones.
"""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from scripts.build_extension import build
from tests.gui.screen import read_screen, write_png
from tests.gui.start import Failed, NoWindow, find_window, play

# Seconds; without a graphics card Blender draws slowly.
TIME_LIMIT = 270
WIDTH, HEIGHT = 1280, 1000


@pytest.fixture(scope="module")
def extension_zip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("zip"))


def played(story: str, extension_zip: Path, root: Path, folder: Path) -> dict[str, Any]:
    """Have Blender play a story; return what it saw."""
    wanted = os.environ.get("BLENDER") or shutil.which("blender") or ""
    if not wanted:
        pytest.skip("no Blender with a window: put `blender` on PATH, set BLENDER to the program, or BLENDER=debian")
    (folder / "screen").mkdir()
    try:
        window = find_window(wanted, (WIDTH, HEIGHT), folder / "screen", [root / "tests", extension_zip.parent, folder])
        script = Path(__file__).with_name("clicks.py")
        arguments = [story, str(extension_zip), str(folder), str(window.screen or "")]
        output = play(window, script, arguments, folder, TIME_LIMIT, with_mouse=window.has_mouse)
    except NoWindow as error:
        pytest.skip(str(error))
    except Failed as error:
        pytest.fail(str(error))
    if not (folder / "seen.json").exists():
        pytest.fail(output)
    for picture in folder.glob("*.xwd"):
        kept = root / "build" / "gui"
        kept.mkdir(parents=True, exist_ok=True)
        write_png(kept / f"{picture.stem}.png", read_screen(picture))
    seen: dict[str, Any] = json.loads((folder / "seen.json").read_text(encoding="utf-8"))
    print(f"{story}: {seen['clicks']} clicks, {seen['keys']} keys")
    return seen


def test_the_quick_start(extension_zip: Path, root: Path, tmp_path: Path) -> None:
    seen = played("quick_start", extension_zip, root, tmp_path)
    assert seen["found"] == [["Cube", "Cube.001", 500.0]]
    assert seen["separated"] == []
    assert seen["undone"] == [["Cube", 0.0], ["Cube.001", 1.5]]
    assert seen["collider"] == ["UBX_Cube_01"]
    assert seen["issues"] == ["no-collider"]
    assert (seen["clicks"], seen["keys"]) == (10, 1)


@pytest.mark.parametrize(
    ("story", "mended"),
    [("room", {"Staff", "Vase", "Chair", "Poster 1", "Poster 2"}), ("mechanism", {"Pin", "Plate", "Bolt"})],
)
def test_each_fault_takes_two_clicks(
    story: str, mended: set[str], extension_zip: Path, root: Path, tmp_path: Path
) -> None:
    seen = played(story, extension_zip, root, tmp_path)
    assert len(seen["found"]) >= len(mended)
    assert set(seen["moved"]) == mended, "the small ones are moved, not what they stand in"
    assert seen["left"] == []
    # One for the check, and for each fault its row and the button.
    assert seen["clicks"] == 1 + 2 * len(mended)
    if story == "room":
        ((poster, wall, depth),) = seen["undone"]
        assert poster in {"Poster 1", "Poster 2"} and (wall, depth) == ("Wall", 0.0)


def test_the_first_contact_takes_three_clicks(extension_zip: Path, root: Path, tmp_path: Path) -> None:
    seen = played("animation", extension_zip, root, tmp_path)
    assert seen["found"] == [["Cart", "Post"]]
    # The front of the cart, half a meter before its middle, reaches the post at 0.85 m in mid course.
    assert 30.0 < seen["frame"] < 45.0
    assert seen["clicks"] == 3


def test_a_walk_is_accepted_and_kept_with_three_clicks(extension_zip: Path, root: Path, tmp_path: Path) -> None:
    seen = played("hall", extension_zip, root, tmp_path)
    assert [one[0] for one in seen["found"]] == ["fall", "unreachable"]
    assert seen["selected"] == seen["found"][0][1:] == ["Near"]
    assert seen["accepted"] == 1
    assert seen["again"] == seen["found"]
    assert seen["drawn"] and not seen["changed"]
    # One for the walk, the first row and its button, after one that opens the panel.
    assert seen["clicks"] == 4


def test_after_a_push_and_undo_every_row_is_valid(extension_zip: Path, root: Path, tmp_path: Path) -> None:
    """In the example warehouse, or in the file that OPENED names."""
    file = os.environ.get("OPENED")
    if file is None:
        file = str(tmp_path / "warehouse.blend")
        script = root / "examples" / "warehouse.py"
        subprocess.run([sys.executable, script, file], check=True, capture_output=True, timeout=TIME_LIMIT)
    folder = tmp_path / "seen"
    folder.mkdir()
    shutil.copy(file, folder / "opened.blend")
    assert_undone(played("file", extension_zip, root, folder))


def test_after_a_push_and_undo_all_rows_of_a_long_list_are_valid(
    extension_zip: Path, root: Path, tmp_path: Path
) -> None:
    seen = played("stacks", extension_zip, root, tmp_path)
    assert seen["rows"] == 337
    assert seen["found"] == [["Floor", "Sunk"]]
    assert seen["left"] == []
    assert_undone(seen)


def assert_undone(seen: dict[str, Any]) -> None:
    """Assert that a push has mended its pair, and that after the undo all rows are valid and the same one is chosen."""
    print(f"{seen['rows']} rows, {len(seen['found'])} faults, pushed {seen['pushed']}, {len(seen['left'])} left")
    assert seen["moved"] and seen["pushed"] not in seen["left"]
    assert seen["back"]
    assert (seen["rows after undo"], seen["stale"]) == (seen["rows"], 0)
    assert sorted(seen["found again"]) == sorted(seen["found"])
    assert seen["chosen"] == [seen["pushed"]]


@pytest.mark.parametrize(("story", "faults"), [("bearings", 3), ("level_kit", 4)])
def test_the_next_morning_shows_what_is_new_and_nothing_else(
    story: str, faults: int, extension_zip: Path, root: Path, tmp_path: Path
) -> None:
    seen = played(story, extension_zip, root, tmp_path)
    print(f"[faults mended, pairs tested, seconds] of each fix: {seen['fixes']}; undo: {seen['undone']}")
    assert len(seen["found"]) == faults
    assert seen["left"] == []
    # One click for the check, one for the first row, and one for each fault, as the next one is chosen.
    assert len(seen["fixes"]) == faults
    assert all(mended == 1 and 1 <= tested <= 12 for mended, tested, _ in seen["fixes"])
    moved = set(seen["moved"])
    assert len(seen["new"]) == 3
    assert all(len(moved.intersection(pair)) == 1 for pair in seen["new"])
    assert set().union(*seen["new"]) >= moved
    assert sorted(seen["on top"]) == sorted(seen["new"]) == sorted(seen["open"])
    undone = seen["undone"]
    assert undone["rows"] == undone["rows before"] and undone["stale"] == 0
    assert 2 <= undone["tested"] <= 24, "those of what was moved, there and back"
    assert sorted(undone["open"]) == sorted(seen["new"])
    # The second day has a click for the check, one for the row and one for the fix.
    assert seen["clicks"] == 2 + faults + 3
