# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues that are the same for several objects are said once."""

import json

import bpy

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
