# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies left on top of each other: the verdict, the list, the reports, and what accepts and compares them."""

import csv
import io
import json
from xml.etree import ElementTree

import bmesh
import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.cli import commands
from collision_kit.addon.model.rules import IgnoreRule
from collision_kit.addon.session.collision_results import last_check
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import TURNED, add, cube_mesh, l_mesh, mesh, sphere_mesh, with_setting
from tests.helpers.blender.live_scene import settle
from tests.helpers.offline import slow

ops = bpy.ops.collision_kit


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


def grid_mesh(seed: int = 1):
    """An open surface of 200 triangles, no two of which are alike."""
    rng = np.random.default_rng(seed)
    points = [(x, y, rng.uniform(0.0, 1.0)) for x in range(11) for y in range(11)]
    corners = [(11 * x + y, 11 * x + y + 11, 11 * x + y + 12, 11 * x + y + 1) for x in range(10) for y in range(10)]
    return mesh(points, [tri for a, b, c, d in corners for tri in ((a, b, c), (a, c, d))])


def place(ob: bpy.types.Object, like: bpy.types.Object) -> bpy.types.Object:
    bpy.context.view_layer.update()
    ob.matrix_world = like.matrix_world.copy()
    return ob


def verdicts(**options) -> dict[tuple[str, str], str]:
    report = api.check_collisions(scope="ALL", **options)
    return {api.names(report, pair): pair.verdict.name for pair in report.pairs}


def only(**options) -> str:
    found = verdicts(**options)
    assert len(found) == 1, found
    return next(iter(found.values()))


@pytest.mark.parametrize("made", [cube_mesh, l_mesh, sphere_mesh, grid_mesh], ids=lambda made: made.__name__)
@pytest.mark.parametrize("linked", [True, False], ids=["linked", "copied"])
def test_a_copy_in_the_same_place(made, linked: bool) -> None:
    data = made()
    first = add("Crate", data, location=(3.0, -2.0, 1.0), rotation_euler=TURNED)
    place(add("Crate.001", data if linked else data.copy()), first)
    assert verdicts() == {("Crate", "Crate.001"): "DUPLICATE"}


@pytest.mark.parametrize("made", [cube_mesh, l_mesh, grid_mesh], ids=lambda made: made.__name__)
def test_a_copy_that_was_moved_scaled_or_turned(made) -> None:
    first = add("A", made(), location=(3.0, -2.0, 1.0))
    other = place(add("B", made()), first)
    other.location.x += 0.01
    assert only() != "DUPLICATE"
    assert only(touching=0.1) == "DUPLICATE"
    other.location.x -= 0.01
    other.scale = (1.01, 1.01, 1.01)
    assert only() != "DUPLICATE"
    other.scale, other.rotation_euler = (1.0, 1.0, 1.0), (0.0, 0.0, 0.02)
    assert only() != "DUPLICATE"


def test_a_mirrored_copy_is_one_only_if_the_mesh_is_symmetric() -> None:
    for name, data, x in (("Cube", cube_mesh(), 0.0), ("L", l_mesh(), 10.0), ("Grid", grid_mesh(), 20.0)):
        add(name, data, location=(x, 0.0, 0.0))
        add(f"{name}.mirrored", data, location=(x, 0.0, 0.0)).scale = (-1.0, 1.0, 1.0)
    found = verdicts()
    assert found["Cube", "Cube.mirrored"] == "DUPLICATE"
    assert "DUPLICATE" not in {found["L", "L.mirrored"], found["Grid", "Grid.mirrored"]}


def test_vertices_in_another_order_and_applied_transforms() -> None:
    data = grid_mesh()
    first = add("A", data, location=(3.0, -2.0, 1.0), rotation_euler=TURNED)
    other = data.copy()
    order = np.random.default_rng(2).permutation(len(other.vertices))
    work = bmesh.new()
    work.from_mesh(other)
    for vertex, number in zip(work.verts, order.tolist(), strict=True):
        vertex.index = number
    work.verts.sort()
    for face in work.faces[:50]:
        face.normal_flip()
    work.to_mesh(other)
    work.free()
    bpy.context.view_layer.update()
    other.transform(first.matrix_world)
    add("B", other)
    assert [vertex.co[:] for vertex in data.vertices] != [vertex.co[:] for vertex in other.vertices]
    assert only() == "DUPLICATE"


def test_primitives_with_the_same_measures() -> None:
    for name in ("A", "B"):
        with_setting(add(name, sphere_mesh(), location=(1.0, 0.0, 0.0)), "SPHERE")
    assert only() == "DUPLICATE"
    with_setting(bpy.data.objects["B"], "BOX")
    assert only() != "DUPLICATE"


def test_bodies_of_several_colliders() -> None:
    for name in ("A", "B"):
        add(name, cube_mesh((3.0, 3.0, 3.0)))
        for number, x in enumerate((0.0, 2.0)):
            add(f"UBX_{name}_{number:02d}", cube_mesh(center=(x, 0.0, 0.0)))
    assert verdicts() == {("A", "B"): "DUPLICATE"}
    bpy.data.objects["UBX_B_01"].location.x = 0.5
    assert only() != "DUPLICATE"


def test_in_a_plane_there_are_none() -> None:
    add("A", cube_mesh())
    add("B", cube_mesh(), location=(0.0, 0.0, 5.0))
    assert only(plane="XY") == "CONTAINED"


def test_accepted_ignored_and_selected() -> None:
    names = ["Box", "Box.001", "Box.002", "Ball", "Ball.001", "Wall"]
    for name in names:
        data = sphere_mesh() if name.startswith("Ball") else cube_mesh()
        add(name, data, location=({"B": 0.0, "W": 9.0}[name[0]] + 5.0 * name.startswith("Ball"), 0.0, 0.0))
    bpy.context.scene.collision_kit.scope = "ALL"
    ops.check_collisions()
    assert [pair.verdict for pair in last_check.report.pairs] == [Verdict.DUPLICATE] * 4
    report = api.check_collisions(scope="ALL")
    assert api.duplicates_of(report) == ["Ball.001", "Box.001", "Box.002"]
    assert ops.select_duplicates() == {"FINISHED"}
    assert sorted(ob.name for ob in bpy.context.selected_objects) == ["Ball.001", "Box.001", "Box.002"]
    ball = next(pair for pair in report.pairs if "Ball" in api.names(report, pair))
    api.accept_pair(report, ball, "the shader needs both")
    assert api.duplicates_of(report) == ["Box.001", "Box.002"]
    assert api.accepted_reason(report, ball) == "the shader needs both"
    # A rule for depths takes no duplicates; one without a depth takes them.
    api.set_ignore_rules([IgnoreRule(("Box*",), ("Box*",), max_depth=100.0)])
    assert api.duplicates_of(report) == ["Box.001", "Box.002"]
    api.set_ignore_rules([IgnoreRule(("Box*",), ("Box*",))])
    assert api.duplicates_of(report) == []
    assert ops.select_duplicates() == {"CANCELLED"}


def test_a_copy_is_selected_with_its_colliders(capsys: pytest.CaptureFixture[str]) -> None:
    for number in (1, 2):
        crate = add(f"Crate{number}", grid_mesh())
        add(f"UCX_Crate{number}_01", grid_mesh()).parent = crate
    ops.check_collisions()
    assert [pair.verdict for pair in last_check.report.pairs] == [Verdict.DUPLICATE]
    assert ops.select_duplicates() == {"FINISHED"}
    assert {ob.name for ob in bpy.context.selected_objects} == {"Crate2", "UCX_Crate2_01"}
    assert "1 duplicate selected" in capsys.readouterr().out


def test_a_pair_that_was_accepted_as_touching_and_became_a_duplicate() -> None:
    add("A", grid_mesh())
    other = add("B", grid_mesh(), location=(10.0, 0.0, 0.0))
    report = api.check_collisions(scope="ALL")
    assert [pair.verdict for pair in report.pairs] == [Verdict.TOUCHING]
    api.accept_pair(report, report.pairs[0])
    other.location.x = 0.0
    report = api.check_collisions(scope="ALL")
    assert api.faults(report) == list(report.pairs) and report.pairs[0].verdict == Verdict.DUPLICATE
    # Accepted as a duplicate, nothing is worse.
    api.accept_pair(report, report.pairs[0])
    assert not api.faults(api.check_collisions(scope="ALL"))
    other.location.x = 0.5
    report = api.check_collisions(scope="ALL")
    assert report.pairs and not api.faults(report)


def test_instances_are_not_selected() -> None:
    collection = bpy.data.collections.new("Shelf")
    collection.objects.link(bpy.data.objects.new("Crate", cube_mesh()))
    for name in ("One", "Two"):
        empty = add(name)
        empty.instance_type, empty.instance_collection = "COLLECTION", collection
    report = api.check_collisions(scope="ALL")
    assert [pair.verdict for pair in report.pairs] == [Verdict.DUPLICATE]
    assert api.duplicates_of(report) == []


def test_live_mode_finds_and_forgets_them() -> None:
    first = add("A", l_mesh())
    other = add("B", l_mesh(), location=(9.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    results = bpy.context.window_manager.collision_kit
    bpy.context.scene.collision_kit.scope = "ALL"
    results.live = True
    try:
        for place_x, verdict in ((0.0, [Verdict.DUPLICATE]), (0.1, [Verdict.PENETRATING]), (0.0, [Verdict.DUPLICATE])):
            other.location.x = first.location.x + place_x
            settle()
            assert [pair.verdict for pair in last_check.report.pairs] == verdict
    finally:
        results.live = False


# The command line


def run(capfd, *arguments: str) -> tuple[int, str]:
    capfd.readouterr()
    code = commands.command(arguments)
    return code, capfd.readouterr().out


@pytest.mark.parametrize("mesh", [cube_mesh, *slow(l_mesh)])
def test_reports_exit_codes_and_baselines(tmp_path, capfd, mesh) -> None:
    add("Crate", mesh())
    other = add("Crate.001", mesh(), location=(0.0, 0.0, 0.5))
    path, before = str(tmp_path / "scene.blend"), str(tmp_path / "before.json")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    assert run(capfd, "check", path, "--output", before)[0] == 1
    other = bpy.data.objects["Crate.001"]
    other.location.z = 0.0
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)

    code, output = run(capfd, "check", path)
    assert code == 1 and "1 duplicate" in output.splitlines()[0]
    assert "duplicate  Crate  ×  Crate.001  same geometry in the same place" in output
    code, output = run(capfd, "check", path, "--format", "json", "--baseline", before)
    (pair,) = json.loads(output)["pairs"]
    assert code == 1 and (pair["verdict"], pair["new"], pair["worse"]) == ("duplicate", False, True)
    assert pair["distance"] < 0.0 and json.loads(output)["counts"]["duplicate"] == 1
    again = tmp_path / "again.json"
    again.write_text(output, encoding="utf-8")
    assert run(capfd, "check", path, "--baseline", str(again))[0] == 0
    assert run(capfd, "check", path, "--fail-on", "penetrating,contained")[0] == 0
    assert run(capfd, "check", path, "--fail-on", "duplicate")[0] == 1
    _, output = run(capfd, "check", path, "--format", "csv")
    assert next(csv.DictReader(io.StringIO(output)))["verdict"] == "duplicate"
    _, output = run(capfd, "check", path, "--format", "junit")
    failure = ElementTree.fromstring(output.encode()).find(".//failure")
    assert (failure.get("type"), failure.get("message")) == ("duplicate", "duplicate, same geometry in the same place")
    html = tmp_path / "report.html"
    run(capfd, "check", path, "--output", str(html))
    assert "1 duplicate" in html.read_text(encoding="utf-8")


def test_the_configuration_names_them(tmp_path, capfd) -> None:
    for name in ("A", "B"):
        add(name, cube_mesh())
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    config = tmp_path / "collision-kit.toml"
    for names, wanted in (('"penetrating"', 0), ('"duplicate"', 1)):
        config.write_text(f"[check]\nfail_on = [{names}]\n", encoding="utf-8")
        assert run(capfd, "check", path)[0] == wanted
