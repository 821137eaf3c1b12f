# SPDX-License-Identifier: GPL-3.0-or-later
"""Hidden objects and other scenes that a check has not looked at are said beside the verdict, and can be looked at."""

import gzip
import json
import re
from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.model.coverage import not_tested
from collision_kit.addon.model.report import HIDDEN, Skipped
from collision_kit.addon.scene.files import why_unreadable
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.command_line import box, run
from tests.helpers.blender.command_process import finish, start
from tests.helpers.report_schemas import mistakes


@pytest.fixture
def hidden(tmp_path: Path) -> str:
    """Seven cubes: two that are shown and apart, and five that are not shown, each for another reason."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    scene = bpy.context.scene
    for number, name in enumerate(("Left", "Right", "Closed", "Off", "Packed", "Packed off", "Backup")):
        box(name, (3.0 * number, 0, 0))
    bpy.data.objects["Closed"].location.x = 0.5
    for name, thing in (("Packed", "Packed"), ("Off", "Packed off"), ("Old", "Backup")):
        collection = bpy.data.collections.new(name)
        scene.collection.children.link(collection)
        scene.collection.objects.unlink(bpy.data.objects[thing])
        collection.objects.link(bpy.data.objects[thing])
    bpy.data.objects["Off"].hide_viewport = True
    bpy.data.objects["Closed"].hide_set(True)
    layers = bpy.context.view_layer.layer_collection.children
    layers["Packed"].hide_viewport = layers["Old"].exclude = True
    bpy.data.collections["Off"].hide_viewport = True
    light = bpy.data.objects.new("Light", bpy.data.lights.new("Light", "POINT"))
    scene.collection.objects.link(light)
    light.hide_set(True)
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    camera.location.z = 40.0
    scene.collection.objects.link(camera)
    scene.camera = camera
    path = tmp_path / "hidden.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return str(path)


LINE = (
    "5 of 7 objects not tested: 2 in a hidden collection, 1 disabled in viewports, 1 hidden in the viewport, "
    '1 not in view layer "ViewLayer"'
)


@pytest.mark.parametrize("command", ["check", "motion", "cull"])
def test_hidden_objects_are_counted_beside_the_verdict(hidden: str, capfd, command: str) -> None:
    output = run(capfd, command, hidden)[1].splitlines()
    counts, hint = output[1].split(" (")
    assert sorted(counts.partition(": ")[2].split(", ")) == sorted(LINE.partition(": ")[2].split(", "))
    assert (counts.partition(":")[0], hint) == ("5 of 7 objects not tested", "--include-hidden tests hidden objects)")
    page = run(capfd, command, hidden, "--format", "html")[1]
    assert page.index("5 of 7 objects not tested: ") < page.index('<ul class="chips">')
    report = json.loads(run(capfd, command, hidden, "--format", "json")[1])
    assert mistakes(command, report) == []
    coverage = report["coverage"]
    assert (coverage["objects"], coverage["not_tested"], coverage["include_hidden"]) == (7, 5, False)
    assert sum(coverage["left_out"].values()) == 5


def test_the_only_other_reason_is_named() -> None:
    lid, path = Skipped("Lid", "Hidden in the viewport.", HIDDEN), Skipped("Path", "Mesh has no faces.")
    one = "2 of 4 objects not tested: 1 hidden in the viewport, 1 for another reason (mesh has no faces)"
    assert not_tested(2, [lid, path]) == one
    several = not_tested(2, [lid, path, Skipped("Dust", "Particles are not tested.")])
    assert several == "3 of 5 objects not tested: 1 hidden in the viewport, 2 for other reasons"


@pytest.mark.parametrize("command", ["check", "motion", "cull"])
def test_hidden_objects_can_be_included(hidden: str, capfd, command: str) -> None:
    code, output, _ = run(capfd, command, hidden, "--include-hidden", "--format", "json")
    report = json.loads(output)
    coverage = report["coverage"]
    assert (coverage["objects"], coverage["not_tested"], coverage["include_hidden"]) == (7, 1, True)
    assert [one["object"] for one in report["skipped"]] == ["Backup"]
    assert code == (1 if command == "check" else 0)
    if command == "check":
        assert [(one["a"], one["b"]) for one in report["pairs"]] == [("Closed", "Left")]


def test_hidden_objects_are_hidden_again(hidden: str) -> None:
    bpy.ops.wm.open_mainfile(filepath=hidden)
    before = states()
    report = api.check_collisions(scope="ALL", include_hidden=True)
    assert [api.names(report, pair) for pair in report.pairs] == [("Closed", "Left")]
    assert report.coverage.include_hidden and states() == before
    assert not api.check_collisions(scope="ALL").pairs
    steps = api.check_collisions_steps(scope="ALL", include_hidden=True)
    next(steps)
    steps.close()
    assert states() == before
    assert len(api.check_motion(scope="ALL", start=1, end=2, include_hidden=True).bodies) == 6
    assert len(api.cull_to_camera(include_hidden=True).objects) == 6
    assert states() == before


def states() -> dict[str, object]:
    layers = bpy.context.view_layer.layer_collection.children
    return {
        **{ob.name: (ob.hide_viewport, ob.name in bpy.context.view_layer.objects) for ob in bpy.data.objects},
        **{f"eye {ob.name}": ob.hide_get() for ob in bpy.context.view_layer.objects},
        **{f"layer {one.name}": (one.hide_viewport, one.exclude) for one in layers},
        **{f"collection {one.name}": one.hide_viewport for one in bpy.data.collections},
    }


def test_a_fix_of_hidden_objects_saves_them_hidden(hidden: str, capfd, tmp_path: Path) -> None:
    out = tmp_path / "fixed.blend"
    assert run(capfd, "fix", hidden, "--repair", "penetrations", "--output", str(out))[0] == 0
    assert bpy.data.objects["Closed"].location.x == pytest.approx(0.5)
    options = ("--repair", "penetrations", "--include-hidden", "--output", str(out))
    assert run(capfd, "fix", hidden, *options)[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(out))
    apart = abs(bpy.data.objects["Closed"].location.x - bpy.data.objects["Left"].location.x)
    assert apart >= 1.0 and bpy.data.objects["Closed"].hide_get()


@pytest.fixture
def scenes(tmp_path: Path) -> str:
    """A file whose active scene is an empty menu, and whose game has two cubes in each other."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.name = "Menu"
    game, room = bpy.data.scenes.new("Game"), bpy.data.scenes.new("Room: 1/2")
    for scene, *places in ((game, 0.0, 0.5, 9.0), (room, 0.0, 3.0)):
        for number, x in enumerate(places):
            thing = box(f"{scene.name} {number}", (x, 0, 0))
            bpy.context.scene.collection.objects.unlink(thing)
            scene.collection.objects.link(thing)
    path = tmp_path / "scenes.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return str(path)


def test_other_scenes_are_named(scenes: str, capfd) -> None:
    others = "Game (3 objects), Room: 1/2 (2 objects)"
    code, output, error = run(capfd, "check", scenes)
    assert (code, output.splitlines()[1]) == (2, f"other scenes not tested: {others} (--scene tests them)")
    said = f"nothing to test: no body with a collision shape in scene Menu; other scenes have: {others}"
    assert error == f"error: {said} (see --allow-empty)"
    code, output, error = run(capfd, "validate", scenes)
    assert code == 2 and f"in scene Menu; other scenes have: {others}" in error
    report = json.loads(run(capfd, "check", scenes, "--format", "json")[1])
    others = [{"name": "Game", "objects": 3}, {"name": "Room: 1/2", "objects": 2}]
    assert report["coverage"]["other_scenes"] == others


def test_another_scene_is_checked(scenes: str, capfd, tmp_path: Path) -> None:
    code, output, _ = run(capfd, "check", scenes, "--scene", "Game", "--format", "json")
    report = json.loads(output)
    assert (code, report["scene"], [one["b"] for one in report["pairs"]]) == (1, "Game", ["Game 1"])
    assert report["coverage"]["other_scenes"] == [{"name": "Room: 1/2", "objects": 2}]
    code, output, _ = run(capfd, "motion", scenes, "--scene", "Room: 1/2", "--format", "json")
    report = json.loads(output)
    assert (code, report["scene"], report["tested"]["bodies"]) == (0, "Room: 1/2", 2)
    code, output, _ = run(capfd, "validate", scenes, "--scene", "Game", "--format", "json")
    assert json.loads(output)["tested"]["bodies"] == 3
    made = tmp_path / "made.blend"
    code, *_ = run(
        capfd, "make", scenes, "--scene", "Game", "--kind", "box", "--engine", "unreal", "--output", str(made)
    )
    assert code == 0
    bpy.ops.wm.open_mainfile(filepath=str(made))
    assert {scene.name: len(scene.objects) for scene in bpy.data.scenes} == {"Menu": 0, "Game": 6, "Room: 1/2": 2}
    code, _, error = run(capfd, "check", scenes, "--scene", "Nowhere")
    assert (code, error) == (2, "error: There is no scene 'Nowhere'; there are: 'Game', 'Menu', 'Room: 1/2'")
    bpy.ops.wm.open_mainfile(filepath=scenes)
    report = api.check_collisions(scope="ALL", scene="Game")
    assert (report.scene, len(report.pairs), bpy.context.scene.name) == ("Game", 1, "Menu")
    with pytest.raises(ValueError, match="There is no scene 'Nowhere'"):
        api.check_motion(scene="Nowhere")


def test_all_scenes_are_one_report(scenes: str, environment: dict[str, str], tmp_path: Path) -> None:
    arguments = ("check", scenes, "--scene", "all", "--jobs", "2", "--resume", "run.jsonl", "--output=out/")
    code, _, error = finish(start(environment, *arguments, "--output=report.json"))
    assert (code, error) == (1, "")
    report = json.loads(Path("report.json").read_text(encoding="utf-8"))
    assert mistakes("project", report) == []
    outcomes = [(one["path"], one["outcome"], one["report"]["scene"]) for one in report["files"]]
    assert outcomes == [
        ("scenes.blend", "clean", "Menu"),
        ("scenes.blend/Game", "found", "Game"),
        ("scenes.blend/Room%3A 1%2F2", "clean", "Room: 1/2"),
    ]
    assert Path("out", "pages", "scenes.blend", "Game.html").is_file()
    # Each scene is taken from the file with results.
    lines = Path("run.jsonl").read_text(encoding="utf-8").splitlines()
    assert finish(start(environment, *arguments, "--output=again.json"))[0] == 1
    again = json.loads(Path("again.json").read_text(encoding="utf-8"))
    assert Path("run.jsonl").read_text(encoding="utf-8").splitlines() == lines
    assert again["files"] == report["files"]


@pytest.mark.skipif(bpy.app.version >= (5, 0), reason="the header of the file is another one")
@pytest.mark.parametrize("command", ["check", "motion", "validate"])
def test_a_file_of_a_newer_blender_is_told(hidden: str, capfd, command: str) -> None:
    file = Path(hidden)
    file.write_bytes(re.sub(rb"\ABLENDER-v4\d\d", b"BLENDER-v499", file.read_bytes()))
    output = run(capfd, command, hidden)[1]
    assert "saved with Blender 4.99, which is newer: what only that version has was not read" in output
    report = json.loads(run(capfd, command, hidden, "--format", "json")[1])
    assert report["coverage"]["newer_blender"] == "4.99"


@pytest.mark.parametrize("packed", ["no", "gzip", "zstd"])
def test_a_file_whose_format_is_too_new_says_so(packed: str, tmp_path: Path, capfd) -> None:
    content = b"BLENDER17-01v9907" + bytes(1000)
    if packed == "gzip":
        content = gzip.compress(content)
    if packed == "zstd":
        # A frame of one block that is not compressed: sizes and flags as RFC 8878 has them.
        block = (len(content) << 3 | 1).to_bytes(3, "little")
        content = b"\x28\xb5\x2f\xfd\x60" + (len(content) - 256).to_bytes(2, "little") + block + content
    file = tmp_path / "new.blend"
    file.write_bytes(content)
    code, _, error = run(capfd, "check", str(file))
    assert code == 2
    assert (
        error.strip()
        == f"error: {file}: Blender cannot read it: it was saved with Blender 99.7, which is newer than this one"
    )
    file.write_bytes(content[:6])
    assert "newer" not in run(capfd, "check", str(file))[2]


def test_a_library_that_blender_lacks_is_named() -> None:
    error = OSError("/some/python/lib/libextern_draco.so: cannot open shared object file: No such file or directory")
    assert (
        why_unreadable(Path("a.glb"), error) == "its meshes are compressed with Draco, whose library this Blender lacks"
    )


def test_an_fbx_file_in_ascii_says_what_to_do(tmp_path: Path, capfd) -> None:
    told = (
        "it is an ASCII FBX file, and this Blender reads binary ones only: export it as binary, convert it with "
        "Autodesk's FBX Converter, or use Blender 4.5 or newer"
    )
    assert why_unreadable(Path("a.fbx"), RuntimeError("Error: ASCII FBX files are not supported 'a.fbx'\n")) == told
    if not hasattr(bpy.types, "WM_OT_fbx_import"):
        path = tmp_path / "ascii.fbx"
        path.write_text("; FBX 7.3.0 project file\nFBXHeaderExtension:  {\n}\n", encoding="utf-8")
        assert run(capfd, "check", str(path))[2].strip() == f"error: {path}: Blender cannot read it: {told}"


def test_steps_take_another_scene_and_leave_the_current_one_in_between() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    here = bpy.context.scene
    game = bpy.data.scenes.new("Other game")
    for name, x in (("Left", 0.0), ("Right", 1.5)):
        add(name, cube_mesh(), at=(x, 0.0, 0.0), collection=game.collection)
    for steps, pairs in (
        (api.check_collisions_steps(scope="ALL", scene="Other game"), "pairs"),
        (api.check_motion_steps(scope="ALL", scene="Other game", start=1, end=3), "contacts"),
    ):
        seen = 0
        while True:
            try:
                next(steps)
            except StopIteration as end:
                report = end.value
                break
            seen += 1
            assert bpy.context.scene == here
        assert seen and report.scene == "Other game"
        assert [body.name for body in report.bodies] == ["Left", "Right"]
        assert len(getattr(report, pairs)) == 1
    with pytest.raises(ValueError, match="There is no scene 'None'"):
        next(api.check_collisions_steps(scene="None"))
    stopped = api.check_motion_steps(scope="ALL", scene="Other game", start=1, end=3, include_hidden=True)
    next(stopped)
    stopped.close()
    assert bpy.context.scene == here
