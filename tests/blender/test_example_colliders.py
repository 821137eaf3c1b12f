# SPDX-License-Identifier: GPL-3.0-or-later
"""The example whose colliders are made with the tool: its planted faults are found, and nothing else is."""

import contextlib
import io

import bpy
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.validation.check import validate
from examples import colliders


@pytest.fixture(scope="module", autouse=True)
def printed(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The output of the script; the file that it saved is open."""
    file = tmp_path_factory.mktemp("example") / "new folder" / "colliders.blend"
    with contextlib.redirect_stdout(io.StringIO()) as output:
        assert colliders.main([str(file)]) == 0
    bpy.ops.wm.open_mainfile(filepath=str(file))
    return output.getvalue()


def faults() -> set[tuple[str, str]]:
    return {(fault.rule, fault.object) for fault in colliders.PLANTED}


def test_the_planted_faults_and_only_they_are_found() -> None:
    report = validate(bpy.context, "unreal")
    assert {(one.rule.id, one.object) for one in report.issues} == faults()
    assert report.colliders > 15


def test_everything_outside_the_marked_part_is_sound_for_unreal() -> None:
    report = validate(bpy.context, "unreal", "COLLECTION", collection="Sound")
    assert report.issues == ()
    assert report.bodies == len(colliders.things())


def test_every_collider_was_made_by_the_tool() -> None:
    made = [ob for ob in bpy.data.objects if ob.name[:4] in {"UBX_", "USP_", "UCP_", "UCX_"}]
    assert {ob.name for ob in made} == {ob.name for ob in bpy.data.collections["Colliders"].objects}
    for ob in made:
        assert ob.collision_kit.collider.kind != "NONE"
        assert ob.parent is not None and ob.display_type == "WIRE" and ob.hide_render
    assert {ob.name[:3] for ob in made} == {"UBX", "USP", "UCP", "UCX"}
    assert {ob.collision_kit.collider.kind for ob in made} >= {
        made.settings.get("kind", "PIECE") for made in colliders.things().values()
    }


def test_each_thing_is_tested_as_its_colliders() -> None:
    report = check(bpy.context)[0]
    bodies = {body.name for body in report.bodies}
    assert set(colliders.things()) <= bodies
    assert not any(name.startswith("U") for name in bodies)


def test_the_script_tells_the_faults_of_the_scene_that_it_saves(printed: str) -> None:
    assert all(fault.why in printed for fault in colliders.PLANTED)
    assert {fault.object for fault in colliders.PLANTED} <= set(bpy.data.objects.keys())


def test_without_a_file_to_write_the_script_says_so(capsys: pytest.CaptureFixture[str]) -> None:
    assert colliders.main([]) == 2
    assert "OUT.blend" in capsys.readouterr().err
