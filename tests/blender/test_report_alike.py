# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues that are the same for several objects are said once."""

import json
from pathlib import Path

import bpy
import pytest

from tests.helpers.blender.command_line import box, run

OPEN = "Mesh is not closed; tested as a surface, without an inside and without thickness. [open-mesh]"


def test_information_about_several_objects_is_one_line_with_their_number(save_scene, capfd) -> None:
    for number in range(5):
        ob = box(f"Open {number}", (3.0 * number, 0, 0))
        mesh = bpy.data.meshes.new("Open")
        points, faces = [tuple(one.co) for one in ob.data.vertices], [tuple(one.vertices) for one in ob.data.polygons]
        mesh.from_pydata(points, [], faces[1:])
        mesh.vertices[0].co *= 0.5
        ob.data = mesh
    path = save_scene()
    code, output, _ = run(capfd, "check", path)
    issues = [line for line in output.splitlines() if "open-mesh" in line]
    assert (code, issues) == (0, [f"  info     5 objects (Open 0, Open 1, Open 2, …): {OPEN}"])
    page = run(capfd, "check", path, "--format", "html")[1]
    assert page.count("Mesh is not closed") == 1 and "5 objects (Open 0, Open 1, Open 2, …)" in page
    report = json.loads(run(capfd, "check", path, "--format", "json")[1])
    assert len(report["findings"]) == 5


def test_issues_of_one_rule_are_one_block_with_the_names(save_scene, capfd) -> None:
    path = save_scene(A=(0, 0, 0), B=(3, 0, 0), C=(6, 0, 0))
    lines = run(capfd, "validate", path)[1].splitlines()
    place = next(number for number, line in enumerate(lines) if "[no-collider]" in line)
    assert lines[place].split() == ["info", "3", "objects", "[no-collider]"]
    assert lines[place + 1] == "    A, B, C"
    assert sum("[no-collider]" in line for line in lines) == 1
    assert len(json.loads(run(capfd, "validate", path, "--format", "json")[1])["findings"]) == 3


def test_warnings_and_hidden_objects_are_one_line_with_their_number(save_scene, capfd) -> None:
    for number in range(5):
        ob = box(f"Turned {number}", (6.0 * number, 0, 0))
        ob.rotation_euler.x = 0.6
        parent = bpy.data.objects.new(f"Scaled {number}", None)
        bpy.context.collection.objects.link(parent)
        parent.scale.z, ob.parent, ob.collision_kit.shape = 3.0, parent, "BOX"
        box(f"Hidden {number}", (0, 9.0 * number + 9.0, 0)).hide_set(True)
    box("Alone", (0, -9, 0)).hide_viewport = True
    path = save_scene()
    code, output, _ = run(capfd, "check", path)
    assert (code, output.count("[sheared-box]"), output.count("Hidden in")) == (0, 1, 1)
    assert "  warning  5 objects (Turned 0, Turned 1, Turned 2, …): Transform is sheared" in output
    assert "\n  5 objects (Hidden 0, Hidden 1, Hidden 2, …): Hidden in the viewport.\n  Alone: Disabled" in output
    page = run(capfd, "check", path, "--format", "html")[1]
    assert page.count("Transform is sheared") == page.count("Hidden in the viewport.") == 1
    report = json.loads(run(capfd, "check", path, "--format", "json")[1])
    assert (len(report["findings"]), len(report["skipped"])) == (5, 6)


def test_exports_do_not_report_how_checks_test_what_is_written_as_it_is(save_scene, capfd) -> None:
    ob = box("Tray", (0, 0, 0))
    mesh = bpy.data.meshes.new("Tray")
    mesh.from_pydata([one.co[:] for one in ob.data.vertices], [], [one.vertices[:] for one in ob.data.polygons][1:])
    mesh.vertices[0].co *= 0.5
    ob.data, ob.collision_kit.shape = mesh, "MESH"
    path = save_scene()
    for ending in ("glb", "usda", "urdf"):
        file = Path(path).with_name(f"tray.{ending}")
        code, output, _ = run(capfd, "export", path, "--output", str(file))
        assert (code, "not closed" in output) == (0, False), output


def test_pairs_that_look_the_same_are_one_line_with_their_number(save_scene, capfd) -> None:
    for number in range(5):
        box(f"Bolt {number}", (9.0 * number, 0, 0))
        box(f"Plate {number}", (9.0 * number + 0.75, 0, 0))
    box("Bolt 7", (60, 0, 0))
    box("Plate 7", (60.9, 0, 0))
    path = save_scene()
    code, output, _ = run(capfd, "check", path)
    lines = [line.split("  ") for line in output.splitlines() if line.startswith("  penetrating")]
    assert code == 1 and len(lines) == 2 and output.splitlines()[0].endswith("6 penetrating")
    assert [line[-1].strip() for line in lines] == ["and 4 pairs like this one", "4 contacts"]
    output = run(capfd, "check", path, "--unfold")[1]
    assert output.count("\n  penetrating") == 6 and "like this one" not in output
    assert len(json.loads(run(capfd, "check", path, "--format", "json")[1])["pairs"]) == 6


@pytest.mark.parametrize(("name", "lines"), [("Leaf", 2), ("Cube", 5)])
def test_pairs_with_names_of_their_own_are_similar_if_they_are_at_least_half_as_deep(
    name: str, lines: int, save_scene, capfd
) -> None:
    for number, depth in enumerate((0.25, 0.2, 0.15, 0.13, 0.05)):
        box(f"{name}.00{number}", (9.0 * number, 0, 0))
        box(f"Trunk.00{number}", (9.0 * number + 1.0 - depth, 0, 0))
    found = [line for line in run(capfd, "check", save_scene())[1].splitlines() if line.startswith("  penetrating")]
    assert len(found) == lines and "0.25 m deep" in found[0] and "0.05 m deep" in found[-1]
    assert found[0].endswith("and 3 pairs like this one, at least 0.13 m deep") == (name == "Leaf")
