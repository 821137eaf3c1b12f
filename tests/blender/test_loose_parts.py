# SPDX-License-Identifier: GPL-3.0-or-later
"""Loose parts of meshes as bodies: the same answers as for objects of their own, whatever meshes they are in."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.session.collision_results import last_check
from tests.helpers.blender.bridge_scene import (
    CUBE_FACES,
    CUBE_VERTICES,
    TURNED,
    add,
    add_collection,
    add_instance,
    mesh,
)
from tests.helpers.blender.command_errors import run, save
from tests.helpers.report_schemas import mistakes

pytestmark = pytest.mark.usefixtures("scene")


def box_points(center, half, turn) -> np.ndarray:
    return np.array(CUBE_VERTICES) * half @ np.asarray(turn).T + center


def boxes_mesh(*boxes: np.ndarray, seams: bool = False):
    """One mesh of boxes, given by their corners; with seams, each face has vertices of its own, as files have it."""
    points = np.concatenate(boxes)
    faces = [[8 * n + c for c in face] for n in range(len(boxes)) for face in CUBE_FACES]
    if not seams:
        return mesh(points, faces)
    return mesh([points[c] for face in faces for c in face], [range(4 * n, 4 * n + 4) for n in range(len(faces))])


def drawn(seed: int, count: int) -> list[np.ndarray]:
    """Boxes, some along the axes of the scene and some turned, of which many meet."""
    random = np.random.default_rng(seed)
    found = []
    for number in range(count):
        turn = np.linalg.qr(random.normal(size=(3, 3)))[0] if number % 2 else np.eye(3)
        turn = turn * np.sign(np.linalg.det(turn))
        found.append(box_points(random.uniform(-3.0, 3.0, 3), random.uniform(0.2, 1.5, 3), turn))
    return found


def check(**options) -> api.CollisionReport:
    return api.check_collisions(scope="ALL", **options)


def answers(report: api.CollisionReport) -> list[tuple[str, float]]:
    """The verdict and the distance of each pair."""
    return sorted((pair.verdict.name, round(pair.gap, 4)) for pair in report.pairs)


@pytest.mark.parametrize("seams", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_parts_have_the_answers_of_objects_whatever_mesh_they_are_in(seed: int, seams: bool) -> None:
    boxes = drawn(seed, 12)
    objects = [add(f"Box {number}", boxes_mesh(box)) for number, box in enumerate(boxes)]
    expected = check(clearance=0.5)
    for ob in objects:
        bpy.data.objects.remove(ob)
    material = np.random.default_rng(seed).integers(0, 3, len(boxes))
    for number in range(3):
        some = [box for box, one in zip(boxes, material, strict=True) if one == number]
        add(f"Material {number}", boxes_mesh(*some, seams=seams))
    report = check(clearance=0.5, loose_parts=True)
    assert len(expected.pairs) > 10
    assert (len(report.bodies), report.tested["bodies"]) == (12, 12)
    assert answers(report) == answers(expected)
    assert not report.folded, "they are no parts of one asset"
    assert len(check().bodies) == 3


def test_what_is_one_part_and_what_has_a_shape_remains_as_it_is() -> None:
    one = add("One", boxes_mesh(box_points((0, 0, 0), (1, 1, 1), np.eye(3)), seams=True))
    both = boxes_mesh(*(box_points((x, 0, 0), (1, 1, 1), np.eye(3)) for x in (10, 20)))
    add("Set", both).collision_kit.shape = "BOX"
    add("Two", both, at=(0, 1.5, 0))
    report = check(loose_parts=True)
    assert [body.name for body in report.bodies] == ["One", "Set", "Two: part 1", "Two: part 2"]
    assert [body.part for body in report.bodies] == [0, 0, 1, 2]
    assert {api.names(report, pair) for pair in report.pairs} == {("Set", "Two: part 1"), ("Set", "Two: part 2")}
    assert report.bodies[0].key.session_uid == one.session_uid
    assert report.loose_parts
    assert {shape.reason for shape in report.shapes if shape.object == "Two"} == {"loose part"}


def test_instances_mirrored_objects_margins_and_layers_keep_what_they_are() -> None:
    two = boxes_mesh(*(box_points((x, 0, 0), (0.5, 0.5, 0.5), np.eye(3)) for x in (0, 4)))
    kit = add_collection("Kit")
    bpy.context.scene.collection.children.unlink(kit)
    add("Pair", two, collection=kit)
    for number in range(3):
        add_instance(f"Copy {number}", kit, location=(0, 0.875 * number, 0))
    mirrored = add("Mirrored", two, at=(0, 10, 0), scale=(-1.0, 1.0, 1.0), rotation_euler=TURNED)
    mirrored.collision_kit.margin = 0.25
    report = check(loose_parts=True)
    assert len(report.bodies) == 8
    found = {(api.names(report, pair), pair.verdict.name) for pair in report.pairs}
    assert found == {
        ((f"Copy {a}/Pair: part {part}", f"Copy {a + 1}/Pair: part {part}"), "PENETRATING")
        for a in range(2)
        for part in (1, 2)
    }
    assert {shape.margin for shape in report.shapes if shape.object == "Mirrored"} == {0.25}
    for ob in bpy.context.scene.objects:
        ob.collision_kit.own_groups = ob.name == "Copy 1"
    bpy.data.objects["Pair"].collision_kit.own_groups = True
    bpy.data.objects["Pair"].collision_kit.mask = [False] * 16
    report = check(loose_parts=True)
    assert not report.pairs
    assert report.tested["left_out"] == 4


def test_sides_are_those_of_the_objects() -> None:
    first, second = add_collection("Walls"), add_collection("Wood")
    near = [box_points((x, 0, 0), (1, 1, 1), np.eye(3)) for x in (0, 1.5)]
    add("Stone", boxes_mesh(*near), collection=first)
    add("Beam", boxes_mesh(box_points((3, 0, 0), (1, 1, 1), np.eye(3)), near[1] + (0, 20, 0)), collection=second)
    report = check(loose_parts=True)
    assert {api.names(report, pair) for pair in report.pairs} == {
        ("Beam: part 1", "Stone: part 2"),
        ("Stone: part 1", "Stone: part 2"),
    }
    report = api.check_collisions(scope="COLLECTIONS", collection="Walls", other_collection="Wood", loose_parts=True)
    (pair,) = report.pairs
    assert api.names(report, pair) == ("Stone: part 2", "Beam: part 1")
    np.testing.assert_allclose(pair.normal, (1.0, 0.0, 0.0), atol=1e-6)


def test_bad_combinations_are_said() -> None:
    add("One", boxes_mesh(box_points((0, 0, 0), (1, 1, 1), np.eye(3))))
    with pytest.raises(ValueError, match="in space only"):
        check(loose_parts=True, plane="XY")
    with pytest.raises(ValueError, match="exclude each other"):
        check(loose_parts=True, self_check=True)


def test_the_panel_keeps_the_parts_and_rechecks_after_a_move() -> None:
    both = boxes_mesh(*(box_points((x, 0, 0), (1, 1, 1), np.eye(3)) for x in (0, 1.5)))
    add("Gate", both)
    settings = bpy.context.scene.collision_kit
    settings.loose_parts, settings.self_check = True, True
    assert api.check_settings().loose_parts
    assert not api.check_settings().self_check
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    report = last_check.report
    assert [api.names(report, pair) for pair in report.pairs] == [("Gate: part 1", "Gate: part 2")]


def test_the_command_line_and_the_configuration_take_them(tmp_path: Path, capfd) -> None:
    both = boxes_mesh(*(box_points((x, 0, 0), (1, 1, 1), np.eye(3)) for x in (0, 1.5)))
    add("Gate", both)
    add("Far", both, at=(0, 50, 0))
    file = save(tmp_path / "house.blend")
    names = {("Far: part 1", "Far: part 2"), ("Gate: part 1", "Gate: part 2")}
    code, printed, _ = run(capfd, "check", file, "--loose-parts", "--format", "json")
    report = json.loads(printed)
    assert mistakes("check", report) == []
    assert (code, {(pair["a"], pair["b"]) for pair in report["pairs"]}) == (1, names)
    assert run(capfd, "check", file)[0] == 0
    (tmp_path / "collision-kit.toml").write_text("[check]\nloose_parts = true\n", "utf-8")
    assert run(capfd, "check", file)[0] == 1
    code, _, errors = run(capfd, "check", file, "--self", "--loose-parts")
    assert code == 2 and "not allowed with" in errors[-1]
