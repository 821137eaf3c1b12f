# SPDX-License-Identifier: GPL-3.0-or-later
"""``collision-kit probe`` and `api.probe`: what they find and write, and how they end."""

import itertools
import json
import math
from pathlib import Path
from xml.etree import ElementTree

import bpy
import pytest

from collision_kit import api
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.command_line import run
from tests.helpers.blender.command_process import finish, start
from tests.helpers.report_schemas import mistakes


def level(hole: float = 1.2) -> None:
    """Two plates with a gap between them, rails around both, and a start."""
    add("Near", cube_mesh((2, 2, 0.25)), at=(0, 0, -0.25))
    add("Far", cube_mesh((2, 2, 0.25)), at=(4 + hole, 0, -0.25))
    for name, half, at in (
        ("Rail.left", (6, 0.1, 1), (2.6, 2, 1)),
        ("Rail.right", (6, 0.1, 1), (2.6, -2, 1)),
        ("Rail.start", (0.1, 2, 1), (-2, 0, 1)),
        ("Rail.end", (0.1, 2, 1), (6 + hole, 0, 1)),
    ):
        add(name, cube_mesh(half), at=at)
    add("Start", None, at=(0, 0, 0.1))


@pytest.fixture
def saved(scene: bpy.types.Scene, tmp_path: Path) -> str:
    level()
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return str(path)


def probed(capfd, *arguments: str, code: int = 1) -> dict:
    found, output, error = run(capfd, "probe", *arguments, "--format", "json")
    assert (found, error) == (code, "")
    report = json.loads(output)
    assert mistakes("probe", report) == []
    return report


def test_json_has_the_area_the_spacing_and_the_issues(saved: str, capfd) -> None:
    report = probed(capfd, saved, "--start", "Start")
    assert (report["kind"], report["spacing"], report["starts"]) == ("probe", 0.25, ["Start"])
    assert 0.8 < report["undetected_below"] < 0.84
    assert report["reached_area"] == pytest.approx(3.5 * 3.1, rel=0.15)
    fall, floor = report["findings"]
    assert (fall["kind"], fall["objects"], fall["depth"]) == ("fall", ["Near"], None)
    assert fall["measure"] == pytest.approx(1.2, abs=1e-3)
    assert fall["point"][0] == pytest.approx(2.4, abs=0.05) and fall["point"][2] == pytest.approx(0.0)
    assert (floor["kind"], floor["objects"]) == ("unreachable", ["Far"])
    assert report["counts"]["fall"] == 1
    path = fall["path"]
    assert path[0][:2] == pytest.approx([0.0, 0.0], abs=0.2)
    assert max(math.dist(one[:2], other[:2]) for one, other in itertools.pairwise(path)) < 0.36


def test_sizes_decide_what_is_found(saved: str, capfd) -> None:
    assert [one["kind"] for one in probed(capfd, saved, "--radius", "0.65", code=0)["findings"]] == []
    wide = probed(capfd, saved, "--character", "unreal", "--spacing", "20cm")
    assert wide["character"] == {
        **{"shape": "capsule", "radius": 0.34, "height": 1.76, "step": 0.45, "slope": 44.765, "drop": 2.0}
    }
    ball = probed(capfd, saved, "--ball", "--radius", "0.3")
    assert ball["character"]["height"] == pytest.approx(0.6)


def test_ids_stay_and_accepted_and_known_issues_are_no_faults(saved: str, tmp_path: Path, capfd) -> None:
    first = probed(capfd, saved)
    (tmp_path / "before.json").write_text(json.dumps(first), encoding="utf-8")
    ids = [one["id"] for one in first["findings"]]
    again = probed(capfd, saved, "--spacing", "0.3")
    assert [one["id"] for one in again["findings"]] == ids
    known = probed(capfd, saved, "--baseline", str(tmp_path / "before.json"), code=0)
    assert [one["new"] for one in known["findings"]] == [False, False]
    assert [one["accepted"] for one in probed(capfd, saved, "--accept", ids[0])["findings"]] == [True, False]
    probed(capfd, saved, "--accept", ids[0], "--accept", ids[1], code=0)


def test_text_junit_and_html(saved: str, tmp_path: Path, capfd) -> None:
    code, output, error = run(capfd, "probe", saved)
    assert (code, error) == (1, "")
    assert output.startswith("scene.blend, scene Scene, probe: 1 fall, 1 unreachable floor\n")
    assert "Near: gap 1.2 m wide, out of the level" in output
    names = [tmp_path / name for name in ("probe.xml", "probe.html", "probe.txt")]
    assert run(capfd, "probe", saved, *(f"--output={name}" for name in names))[0] == 1
    (suite,) = ElementTree.parse(names[0]).getroot()
    assert (suite.get("tests"), suite.get("failures")) == ("2", "2")
    page = names[1].read_text(encoding="utf-8")
    assert "<svg" in page and "gap 1.2 m wide" in page
    assert "</span> reached" in page and "</span> not reached" in page and "no way back" not in page
    assert page.count("Floor 1 from above") == 1


@pytest.mark.slow
def test_many_files_are_one_report(saved: str, tmp_path: Path, environment: dict[str, str]) -> None:
    other = tmp_path / "other.blend"
    other.write_bytes(Path(saved).read_bytes())
    code, output, error = finish(start(environment, "probe", saved, str(other), "--format", "json"))
    assert code == 1, error
    report = json.loads(output)
    assert mistakes("project", report) == []
    assert [one["outcome"] for one in report["files"]] == ["found", "found"]
    assert all(one["report"]["kind"] == "probe" for one in report["files"])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--start", "Nobody"], "There is no object 'Nobody' to start from"),
        (["--radius", "3"], "height: 1.8, but at least twice the radius 3"),
        (["--height", "0.3"], "height: 0.3, but at least twice the radius"),
        (["--spacing", "0"], "spacing: 0"),
        (["--slope", "95"], "no angle"),
        (["--baseline", "none.json"], "none.json: cannot be read"),
    ],
)
def test_bad_input_is_one_line(saved: str, capfd, arguments: list[str], message: str) -> None:
    code, output, error = run(capfd, "probe", saved, *arguments)
    assert (code, output) == (2, "")
    assert error.startswith("error: ") and message in error and "Traceback" not in error


def test_a_scene_without_starts_or_colliders(scene: bpy.types.Scene, tmp_path: Path, capfd) -> None:
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    assert "No start" in run(capfd, "probe", path)[2]
    add("spawn point", None)
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    assert run(capfd, "probe", path)[0] == 2
    assert run(capfd, "probe", path, "--allow-empty")[0] == 0


def test_scripts_get_the_same(scene: bpy.types.Scene) -> None:
    level()
    bpy.context.view_layer.update()
    report = api.probe(["Start"], spacing=0.3)
    assert [(one.kind, one.objects) for one in report.found] == [("fall", ("Near",)), ("unreachable", ("Far",))]
    with pytest.raises(ValueError, match="Nobody"):
        api.probe(["Nobody"])
    with pytest.raises(ValueError, match="starts"):
        api.probe("Start")
