# SPDX-License-Identifier: GPL-3.0-or-later
"""The HTML pages of motion, culling, validation, and of commands that write; and culling as JUnit XML."""

import json
from pathlib import Path

import bpy
import pytest

from collision_kit.addon.cli import commands
from tests.helpers.blender.motion_scene import box, slider
from tests.helpers.blender.report_readers import Page, outcomes, suite_of

# Markup, and what XML cannot hold.
NASTY = "<b>Wall</b> & \a"
SHOWN = NASTY.replace("\a", "\N{REPLACEMENT CHARACTER}")


@pytest.fixture
def path(scene: bpy.types.Scene, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """The name of a file in which Mover meets a wall at 5.25, and leaves it at 7.25, below a camera."""
    monkeypatch.chdir(tmp_path)
    scene.frame_start, scene.frame_end = 1, 12
    slider()
    box("Wall", (0.25, 0.0, 0.0)).name = NASTY
    bpy.ops.object.camera_add(location=(0.0, 0.0, 9.0))
    scene.camera = bpy.context.object
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"), compress=False)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return "scene.blend"


def page_of(path: str, command: str, *options: str, code: int = 0) -> tuple[Page, dict]:
    """The page that a command writes, and its report as JSON."""
    assert commands.command([command, path, *options, "--output", "page.html", "--output", "page.json"]) == code
    text = Path("page.html").read_text(encoding="utf-8")
    # A name is never markup, and a page loads nothing.
    assert "<b>" not in text and "\a" not in text and "default-src 'none'" in text
    return Page(text), json.loads(Path("page.json").read_text(encoding="utf-8"))


def columns(page: Page) -> list[str]:
    """The headings of the table that can be sorted."""
    assert [one for one in page.all("table") if one.get("class") == "pairs"]
    return page.texts["button"]


def sorted_by(page: Page) -> list[str]:
    """The keys by which cells of the table are sorted, where these are not their texts."""
    return [cell["data-sort"] or "" for cell in page.all("td") if "data-sort" in cell]


def test_motion(path: str) -> None:
    page, report = page_of(path, "motion", code=1)
    assert page.texts["h1"] == ["1 new contact"]
    (contact,) = report["contacts"]
    assert columns(page) == [
        *("#", "Status", "A", "B", "First frame", "Seconds", "Last frame", "Depth", "Deepest frame", "Along", "Info")
    ]
    keys = [contact["first"]["frame"], contact["first"]["seconds"], contact["last"]["frame"]]
    keys += [contact["deepest"]["depth"], contact["deepest"]["frame"]]
    assert sorted_by(page) == ["1", "0", *map(str, keys)]
    assert "".join(page.texts["bdi"]) == f"{SHOWN}Mover{SHOWN} × Mover", "in the table, and over the curve"
    assert page.texts["span"] == ["new"]


def test_motion_that_is_ignored_and_named_is_dimmed_with_its_reason(path: str) -> None:
    Path("collision-kit.toml").write_text(
        '[[test]]\nname = "Sliders"\na = ["Mover"]\nb = ["*"]\n[[ignore]]\na = ["Mover"]\nreason = "it <slides>"\n',
        encoding="utf-8",
    )
    page, _ = page_of(path, "motion")
    assert page.texts["h1"] == ["No new contacts"]
    assert page.texts["li"] == ["1 ignored by rules"]
    assert {"class": "is-accepted"} in page.all("tr")
    assert {"test Sliders", "ignored"} <= set(page.texts["span"])
    assert "it <slides>" in "".join(page.texts["bdi"])
    assert {"Tests", "Ignored by rules"} <= set(page.texts["h2"])


def test_validation(path: str) -> None:
    page, report = page_of(path, "validate", "--engine", "unreal")
    assert columns(page) == ["#", "Severity", "Rule", "Object", "Issue", "What to do"]
    found = report["findings"]
    assert len(found) >= 2
    assert page.texts["h1"] == [f"{len(found)} issues"]
    severities = ["error", "warning", "info"]
    assert sorted_by(page)[1::2] == [str(severities.index(one["severity"])) for one in found]
    for one in found:
        assert {one["id"], one["message"], one["advice"]} <= {text.strip() for text in page.texts["td"]}


def test_culling(path: str) -> None:
    page, report = page_of(path, "cull", "--frames", "1:12")
    assert columns(page) == ["#", "View", "Object", "Frames seen"]
    assert page.texts["h1"] == ["2 objects seen by Camera: 1 seen in every frame, 1 in some frames, 0 never seen"]
    assert page.texts["span"] == [one["verdict"] for one in report["objects"]]
    assert sorted_by(page)[2::3] == [str(one["frames_seen"]) for one in report["objects"]]


def test_culling_as_tests_of_build_servers(path: str) -> None:
    assert commands.command(["cull", path, "--output", "cull.xml", "--output", "cull.json"]) == 0
    suite = suite_of(Path("cull.xml").read_text(encoding="utf-8"))
    assert outcomes(suite) == ["passed", "passed"]
    assert [case.get("name") for case in suite.findall("testcase")] == [SHOWN, "Mover"]
    seen = json.loads(Path("cull.json").read_text(encoding="utf-8"))["objects"]
    said = [f"{one['verdict']}, seen in {one['frames_seen']} frame{'s' * (one['frames_seen'] != 1)}" for one in seen]
    assert [out.text for out in suite.iter("system-out")] == said


def test_make_fix_and_export(path: str) -> None:
    made, report = page_of(path, "make", "--kind", "box", "--engine", "unreal", "--output", "made.blend")
    assert made.texts["h1"] == ["2 colliders made"]
    assert columns(made) == ["#", "Collider", "Kind", "Made for", "Volume of the hull", "Gap", "Protrusion"]
    for place, name in ((2, "gap"), (3, "protrusion")):
        assert sorted_by(made)[place::4] == [str(one[name]) for one in report["colliders"]]
    assert made.texts["bdi"][-1] == "made.blend"
    fixed, report = page_of(path, "fix", "--output", "fixed.blend")
    assert fixed.texts["h1"] == [f"{len(report['left'])} problems left"]
    exported, _ = page_of(path, "export", "out.glb")
    assert exported.texts["h1"] == ["1 file written"] and exported.texts["bdi"] == ["out.glb"]
    stopped, report = page_of(path, "export", "none.glb", "--validate", "unreal", "--fail-on", "info", code=1)
    assert stopped.texts["h1"] == ["0 files written"]
    assert report["findings"] and report["findings"][0]["id"] in stopped.texts["span"]
