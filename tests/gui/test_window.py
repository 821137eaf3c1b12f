# SPDX-License-Identifier: GPL-3.0-or-later
"""The extension in a Blender with a window: installed, clicked through, removed; then left on until Blender ends.

Needs Blender 4.2 or later as a program, $BLENDER or `blender` on PATH, and a display or `xvfb-run`. BLENDER=debian has
the Blender of Debian stable (4.3) installed in build/debian, which takes some minutes, and root; BLENDER=debian:sid
that of Debian unstable (5.2). Under `xvfb-run` pictures of what was on the screen are kept in build/gui.
"""

import json
import os
import re
import shutil
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from scripts.build_extension import build
from tests.gui.screen import colors, read_screen, write_png
from tests.gui.start import Failed, NoWindow, Window, find_window, play

TIME_LIMIT = 270  # seconds; without a graphics card Blender draws slowly
WIDTH, HEIGHT = 1280, 1000

# What Blender or Python writes when something went wrong; nothing of it belongs into a day's work.
WRONG = re.compile(r"Traceback|\bError\b|Exception|not freed|leak|Segmentation|collision_kit", re.IGNORECASE)
# What the script writes to tell how far it is.
STEP = re.compile(r"^[\d.]+ s: \w+$", re.MULTILINE)


class Run(NamedTuple):
    """The observations of the script, its output, and the folder of its pictures."""

    seen: dict[str, Any]
    output: str
    folder: Path


@pytest.fixture(scope="module")
def window(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Window:
    wanted = os.environ.get("BLENDER") or shutil.which("blender") or ""
    if not wanted:
        pytest.skip("no Blender with a window: put `blender` on PATH, set BLENDER to the program, or BLENDER=debian")
    folders = [root / "tests", tmp_path_factory.getbasetemp()]
    try:
        return find_window(wanted, (WIDTH, HEIGHT), tmp_path_factory.mktemp("screen"), folders)
    except NoWindow as error:
        pytest.skip(str(error))


@pytest.fixture(scope="module")
def extension_zip(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("zip"))


def run(window: Window, extension_zip: Path, story: str, folder: Path) -> Run:
    """Have Blender play a story to its end."""
    script = Path(__file__).with_name("window.py")
    arguments = [story, str(extension_zip), str(folder), str(window.screen or "")]
    try:
        output = play(window, script, arguments, folder, TIME_LIMIT)
    except Failed as error:
        pytest.fail(str(error))
    written = folder / "seen.json"
    assert written.exists(), output
    return Run(json.loads(written.read_text(encoding="utf-8")), output, folder)


@pytest.fixture(scope="module")
def first_day(window: Window, extension_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """The extension installed, used and removed."""
    return run(window, extension_zip, "first_day", tmp_path_factory.mktemp("window"))


@pytest.fixture(scope="module")
def seen(first_day: Run) -> dict[str, Any]:
    """The observations of the script in the window."""
    return first_day.seen


def test_the_installer_enables_it_and_the_sidebar_shows_the_tab(seen: dict[str, Any]) -> None:
    assert seen["enabled"]
    assert seen["tab"] == "Collision"


def test_the_button_checks_and_lists_the_pairs_that_penetrate(seen: dict[str, Any]) -> None:
    assert seen["verdicts"] == ["PENETRATING"] * 2
    assert seen["depths"] == pytest.approx([0.5, 0.2], abs=1e-5)
    assert seen["rows"] == 2


def test_the_overlay_is_drawn_and_disappears(seen: dict[str, Any]) -> None:
    # Of 700,000 pixels; a few differ, because edges grow smoother from redraw to redraw.
    assert seen["pixels changed by the same view drawn twice"] < 500
    assert seen["pixels changed by the overlay"] > 1000
    assert seen["draws over 3D views"] == [True, False]
    assert seen["pixels changed by clearing"] > 1000


def test_a_click_on_a_row_selects_and_draws_that_pair(seen: dict[str, Any]) -> None:
    assert seen["row drawn"] == 1
    assert seen["row chosen"] == ["A", "C"]
    assert seen["selected"] == ["A", "C"]
    # A and B and what lies between them are there in their colors.
    assert all(count > 30 for count in seen["pixels in the color of"].values()), seen["pixels in the color of"]


def test_the_arrows_step_through_the_axes(seen: dict[str, Any]) -> None:
    assert seen["places in the list of axes"] == [0, 1, 2, 0]
    assert min(seen["pixels changed by stepping"]) > 500


def test_separate_moves_the_active_object_out_and_ctrl_z_puts_it_back(seen: dict[str, Any]) -> None:
    before, separated, undone = seen["places"]
    assert before == undone == [-1.8, 0.0, 0.0]
    # Of two of equal size C moves, which is in one pair, and not A, which stands between two others.
    assert separated == pytest.approx([-2.0, 0.0, 0.0], abs=1e-4)
    assert seen["verdicts after separating"] == ["TOUCHING"]
    assert seen["verdicts after undoing"] == ["PENETRATING"]
    assert seen["change told"] == [None, None], "what undo has changed is tested again"


def test_drawing_takes_no_more_for_a_thousand_contacts_than_for_a_few(seen: dict[str, Any]) -> None:
    (few, first_few, again_few), (many, first_many, again_many) = seen["contacts drawn"]
    assert few < 100 < 1000 <= many
    assert first_few["made"] == first_many["made"] > 0
    assert again_few["made"] == again_many["made"] == 0
    per_view = {count["drawn"] / count["views"] for count in (first_few, again_few, first_many, again_many)}
    assert len(per_view) == 1
    assert 0 < per_view.pop() < 100
    # The label, and the rows of the legend: both objects, the depth, contacts, the curve where they cross, the arrow.
    assert {count["texts"] / count["views"] for count in (again_few, again_many)} == {7.0}


def test_it_speaks_korean_and_english_again(seen: dict[str, Any]) -> None:
    if seen["korean"] is None:
        pytest.skip("this Blender was built without languages")
    assert seen["korean"] == ["충돌 검사", "분리축"]
    # Its own words come before Blender's.
    assert seen["words in korean"] == ["볼록 껍질", True, "물체 1개 검사함"]
    assert seen["words of blender"] == []
    assert seen["rows in korean"] == 7  # the floor has no end: all five others stand in it
    # The label, and the legend.
    assert seen["labels"] == [
        [
            *("500 mm 들어감", "A", "B", "B 오브젝트를 옮길 방향 (실제 길이 아님)"),
            *("깊이", "접촉점과 노멀", "축 위의 구간", "표면이 만나는 선"),
        ],
        [
            *("500 mm inside", "A", "B", "contacts and normals", "depth", "move B this way (not to scale)"),
            *("ranges along the axis", "the surfaces cross"),
        ],
    ]
    assert seen["english again"] == ["Check Collisions", "Separating Axes"]


def test_removing_it_leaves_nothing_behind(seen: dict[str, Any]) -> None:
    assert seen["left behind"] == []
    assert seen["files left"] == []


def test_the_pictures_show_a_window(first_day: Run, root: Path) -> None:
    if not first_day.seen["pictures"]:
        pytest.skip("no pictures: the display is not one of xvfb-run")
    kept = root / "build" / "gui"
    kept.mkdir(parents=True, exist_ok=True)
    for name in first_day.seen["pictures"]:
        image = read_screen(first_day.folder / f"{name}.xwd")
        write_png(kept / f"{name}.png", image)
        assert image.shape == (HEIGHT, WIDTH, 3)
        assert colors(image) > 200, name


def test_nothing_goes_wrong_on_the_way(first_day: Run) -> None:
    assert wrong(first_day) == []


@pytest.fixture(scope="module")
def waited(window: Window, extension_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Operators that take long, and what is done meanwhile."""
    return run(window, extension_zip, "waiting", tmp_path_factory.mktemp("waiting"))


def test_while_it_waits_one_can_look_around_and_nothing_else_until_esc_or_right_click(waited: Run) -> None:
    seen, motion = waited.seen, ["COLLISION_KIT_OT_check_motion"]
    assert seen["waiting"] == [motion, motion, [], ["COLLISION_KIT_OT_select_outside_camera"], []]
    assert seen["view turned"]
    assert seen["frames visited"]
    assert seen["frame after Esc"] == seen["frame after right-click"] == 1
    assert all(seen["nothing found"]) and not seen["culled"]
    assert seen["told"].count("Canceled: nothing was changed") == 2


def test_a_scene_that_changes_meanwhile_ends_it_and_otherwise_it_comes_to_its_end(waited: Run) -> None:
    assert not waited.seen["validated"]
    assert "The scene changed while the operator ran" in waited.seen["told"]
    assert waited.seen["contacts"] > 0
    assert waited.seen["validated in the end"]


def test_seen_from_the_camera_the_border_of_the_picture_is_not_drawn_over(waited: Run) -> None:
    elsewhere, from_camera = waited.seen["lines drawn"]
    assert "FRUSTUM" in elsewhere
    assert set(from_camera) == set(elsewhere) - {"FRUSTUM"} != set()


def test_a_file_browser_can_be_closed_again(waited: Run) -> None:
    assert waited.seen["name suggested"].endswith(".html")
    assert waited.seen["windows left"] == 1


def test_an_export_goes_on_after_its_question(waited: Run) -> None:
    assert waited.seen["export suggested"] == "untitled.fbx"
    names = waited.seen["colliders renamed"]
    assert len(names) == 3 and not any(name.startswith("UCX_") for name in names)


def test_an_error_while_drawing_hides_the_overlay_and_is_told_once(waited: Run) -> None:
    assert waited.seen["tries to draw"] == 1
    assert waited.seen["told in the log"] == ["The overlay cannot be drawn"]


def test_nothing_goes_wrong_while_it_waits(waited: Run) -> None:
    assert wrong(waited) == []


@pytest.fixture(scope="module")
def interrupted(window: Window, extension_zip: Path, tmp_path_factory: pytest.TempPathFactory) -> Run:
    """Operators that take long, and what ends them from outside."""
    return run(window, extension_zip, "interrupted", tmp_path_factory.mktemp("interrupted"))


def test_whatever_ends_it_no_timer_and_no_text_in_the_status_bar_is_left(interrupted: Run) -> None:
    seen, motion = interrupted.seen, ["COLLISION_KIT_OT_check_motion"]
    assert seen["waiting"] == [["COLLISION_KIT_OT_failing"], motion, [], motion, []]
    assert seen["while waiting"] == [True, True]
    for ended in ("before", "after a fault", "after opening", "after disabling"):
        assert seen[ended] == [False, False], ended
    assert seen["frame after opening"] == seen["frame after disabling"] == 1


def test_an_error_on_the_way_closes_the_steps_and_is_told_with_its_traceback(interrupted: Run) -> None:
    assert interrupted.seen["steps closed"] == [True]
    assert "ZeroDivisionError: no such luck" in interrupted.output
    assert "in failing" in interrupted.output


def test_blender_ends_well_with_live_on_and_a_pair_drawn(window: Window, extension_zip: Path, tmp_path: Path) -> None:
    ended = run(window, extension_zip, "left_on", tmp_path)
    assert ended.seen == {"pictures": [], "live": True, "row drawn": 0}
    assert wrong(ended) == []


def wrong(ended: Run) -> list[str]:
    """Lines that tell of something that went wrong; paths of the test's own do not count."""
    output = STEP.sub("", ended.output).replace(str(ended.folder), "")
    return [line for line in output.splitlines() if WRONG.search(line)]
