# SPDX-License-Identifier: GPL-3.0-or-later
"""``collision-kit cull`` and ``check --scope camera``: what they print and write, and how they end."""

import json
from collections.abc import Callable
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.camera_scene import add_camera
from tests.helpers.blender.command_line import run

Save = Callable[[], str]


@pytest.fixture
def saved(scene: bpy.types.Scene, tmp_path: Path) -> Save:
    """A function that saves a scene, to which the test may add, and closes it.

    Seen are X and Y from -2 to 2. Mover is inside in frames 1 to 3 and outside from frame 8 on.
    """
    scene.render.resolution_x = scene.render.resolution_y = 64
    scene.frame_start, scene.frame_end = 1, 10
    add_camera(type="ORTHO", ortho_scale=4.0, at=(0, 0, 10))
    for name, x in (("In", 0.0), ("Half", 2.0), ("Out", 5.0), ("Mover", 0.5)):
        add(name, cube_mesh((0.5, 0.5, 0.5)), at=(x, 0, 0))
    mover = bpy.data.objects["Mover"]
    for frame, x in ((1, 0.5), (3, 0.5), (8, 9.0)):
        mover.location.x = x
        mover.keyframe_insert("location", frame=frame)
    scene.frame_set(1)

    def save() -> str:
        path = tmp_path / "scene.blend"
        bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        return str(path)

    return save


def cull(capfd, *arguments: str) -> dict:
    code, output, error = run(capfd, "cull", *arguments, "--format", "json")
    assert (code, error) == (0, "")
    return json.loads(output)


def verdicts(report: dict) -> dict[str, str]:
    return {entry["name"]: entry["verdict"] for entry in report["objects"]}


def test_text_lists_every_object_with_totals(saved: Save, capfd) -> None:
    code, output, error = run(capfd, "cull", saved())
    assert (code, error) == (0, "")
    assert output.splitlines() == [
        "scene.blend, scene Scene, frame 1, seen by Camera: 4 objects, 2 inside, 1 crossing, 1 outside",
        "exact",
        "",
        "  inside    In",
        "  inside    Mover",
        "  crossing  Half",
        "  outside   Out",
    ]


def test_json_has_what_is_documented(saved: Save, capfd) -> None:
    bpy.data.objects["Half"].hide_set(True)
    path = saved()
    report = cull(capfd, path)
    assert list(report) == [
        "schema_version",
        "tool",
        "file",
        "scene",
        "cameras",
        "frames",
        "exact",
        "coverage",
        "counts",
        "objects",
        "findings",
        "skipped",
    ]
    assert report["schema_version"] == 1
    assert (report["file"], report["scene"], report["cameras"]) == (path, "Scene", ["Camera"])
    assert report["frames"] == {"first": 1, "last": 1}
    assert report["counts"] == {"inside": 2, "crossing": 0, "outside": 1}
    assert report["objects"][0] == {"name": "In", "verdict": "inside", "frames_seen": 1}
    assert report["skipped"] == [{"object": "Half", "reason": "Hidden in the viewport."}]
    documented = (Path(__file__).parents[2] / "docs" / "report.md").read_text(encoding="utf-8")
    for field in (*report, *report["objects"][0], *report["frames"]):
        assert f"`{field}`" in documented, field


def test_frames(saved: Save, capfd) -> None:
    path = saved()
    for frames, expected in (("1:3", "inside"), ("3:8", "crossing"), ("8:9", "outside"), ("scene", "crossing")):
        report = cull(capfd, path, "--frames", frames)
        assert verdicts(report)["Mover"] == expected
    assert report["frames"] == {"first": 1, "last": 10}
    seen = {entry["name"]: entry["frames_seen"] for entry in report["objects"]}
    assert (seen["In"], seen["Out"]) == (10, 0)
    assert 3 < seen["Mover"] < 8
    text = run(capfd, "cull", path, "--frames", "1:10")[1]
    assert f"  crossing  Mover  (seen in {seen['Mover']} of 10 frames)" in text.splitlines()
    assert "  inside    In" in text.splitlines()


def test_a_named_camera(saved: Save, capfd) -> None:
    active = bpy.context.scene.camera
    other = add_camera("Other", type="ORTHO", ortho_scale=4.0, at=(5, 0, 10))
    other.hide_set(True)
    bpy.context.scene.camera = active
    report = cull(capfd, saved(), "--camera", "Other")
    assert report["cameras"] == ["Other"]
    assert verdicts(report) == {"In": "outside", "Half": "outside", "Out": "inside", "Mover": "outside"}


def test_exact_and_conservative(saved: Save, capfd) -> None:
    add("Beam", cube_mesh((6.0, 0.1, 0.1)), at=(3.0, 3.0, 0.0), rotation_euler=(0, 0, -0.785))
    path = saved()
    for options, verdict, exact in (((), "outside", True), (("--exact",), "outside", True)):
        report = cull(capfd, path, *options)
        assert (verdicts(report)["Beam"], report["exact"]) == (verdict, exact)
    report = cull(capfd, path, "--conservative")
    assert (verdicts(report)["Beam"], report["exact"]) == ("crossing", False)
    assert "planes only" in run(capfd, "cull", path, "--conservative")[1]


def test_output_goes_to_a_file(saved: Save, capfd, tmp_path: Path) -> None:
    target = tmp_path / "cull.json"
    code, output, _ = run(capfd, "cull", saved(), "--format", "json", "--output", str(target))
    assert (code, output) == (0, "")
    assert json.loads(target.read_text(encoding="utf-8"))["counts"]["outside"] == 1


def test_an_imported_scene_has_no_camera_unless_it_brings_one(saved: Save, capfd, tmp_path: Path) -> None:
    target = tmp_path / "cube.ply"
    target.write_text(
        "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
        "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n"
    )
    assert run(capfd, "cull", str(target)) == (2, "", "error: The scene has no active camera")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--camera", "None such"), 'error: Object "None such" is not in the scene'),
        (("--camera", "In"), 'error: "In" is not a camera'),
        (
            ("--camera", "Round"),
            'error: Camera "Round" is panoramic: only perspective and orthographic cameras are supported',
        ),
        (("--frames", "9:3"), "'9:3' is not a frame range A:B"),
        (("--frames", "soon"), "'soon' is not a frame range A:B"),
        (("--frames", "1:99999999"), "Frame out of range:"),
        (("--exact", "--conservative"), "not allowed with argument"),
        (("--format", "poem"), "invalid choice: 'poem'"),
    ],
)
def test_bad_usage_is_one_line_and_two(saved: Save, capfd, arguments: tuple[str, ...], message: str) -> None:
    active = bpy.context.scene.camera
    add_camera("Round", type="PANO")
    bpy.context.scene.camera = active
    code, output, error = run(capfd, "cull", saved(), *arguments)
    assert (code, output) == (2, "")
    assert message in error
    assert "\n" not in error


def test_without_a_camera_neither_command_has_an_answer(saved: Save, capfd) -> None:
    bpy.context.scene.camera = None
    path = saved()
    for arguments in (("cull", path), ("check", path, "--scope", "camera")):
        assert run(capfd, *arguments) == (2, "", "error: The scene has no active camera")


def test_an_object_with_coordinates_that_are_no_numbers_is_bad_input(saved: Save, capfd) -> None:
    bpy.data.objects["In"].data.vertices[0].co.x = float("nan")
    code, output, error = run(capfd, "cull", saved())
    assert code == 2
    assert error.startswith("error: In: ")
    assert "  outside   Out" in output


def test_a_check_of_what_the_camera_sees(saved: Save, capfd) -> None:
    add("Out too", cube_mesh((0.5, 0.5, 0.5)), at=(5.25, 0, 0))
    path = saved()
    code, output, _ = run(capfd, "check", path, "--scope", "camera", "--format", "json")
    report = json.loads(output)
    assert (code, report["scope"]) == (1, "camera")
    assert [body["name"] for body in report["bodies"]] == ["Half", "In", "Mover"]
    assert [(pair["a"], pair["b"]) for pair in report["pairs"]] == [("In", "Mover")]
    everything = json.loads(run(capfd, "check", path, "--format", "json")[1])
    assert ("Out", "Out too") in [(pair["a"], pair["b"]) for pair in everything["pairs"]]
