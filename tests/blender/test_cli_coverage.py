# SPDX-License-Identifier: GPL-3.0-or-later
"""``collision-kit coverage`` and `api.coverage`: distances, thresholds, formats, many files, and what is bad."""

import json
import re
from base64 import b64decode
from pathlib import Path
from xml.etree import ElementTree

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.core.world.hausdorff import distance_map
from tests.helpers.blender.bridge_scene import add, cube_mesh
from tests.helpers.blender.command_line import run
from tests.helpers.report_schemas import mistakes


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coarse maps."""
    monkeypatch.setattr(distance_map, "_MAP_BUDGET", 2000)
    monkeypatch.setattr(distance_map, "_AREA_BUDGET", 8000)


@pytest.fixture
def level(scene: bpy.types.Scene, tmp_path: Path) -> str:
    """A saved scene: the hidden collider of a wall is 5 cm too thick, that of a floor 10 cm too low."""
    add("Wall", cube_mesh((2.0, 0.1, 1.0)))
    add("UBX_Wall_01", cube_mesh((2.0, 0.15, 1.0))).hide_viewport = True
    add("Floor", cube_mesh((5.0, 5.0, 0.1)), at=(0, 0, -2.0))
    add("UCX_Floor_01", cube_mesh((5.0, 5.0, 0.1)), at=(0, 0, -2.1))
    add("Good", cube_mesh((1.0, 1.0, 1.0)), at=(8, 0, 0))
    add("UBX_Good_01", cube_mesh((1.0, 1.0, 1.0)), at=(8, 0, 0))
    add("Alone", cube_mesh((1.0, 1.0, 1.0)), at=(12, 0, 0))
    props = bpy.data.collections.new("Props")
    scene.collection.children.link(props)
    props.objects.link(bpy.data.objects["Wall"])
    path = tmp_path / "level.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return str(path)


def found(text: str) -> dict[str, dict]:
    return {one["name"]: one for one in json.loads(text)["objects"]}


def test_distances_places_and_what_has_no_collider(level: str) -> None:
    shown = [ob.name for ob in bpy.context.scene.objects if not ob.hide_viewport]
    report = api.coverage()
    objects = {one.name: one for one in report.objects}
    assert {*objects} == {"Wall", "Floor", "Good"}
    assert report.without_collider == ("Alone",)
    wall, floor, good = objects["Wall"], objects["Floor"], objects["Good"]
    assert wall.outside == pytest.approx(0.05, abs=1e-6)
    assert abs(wall.outside_point[1]) == pytest.approx(0.15, abs=1e-6)
    assert (wall.inside, wall.inside_point, wall.outside_collider) == (0.0, None, "UBX_Wall_01")
    assert floor.outside == pytest.approx(0.1, abs=1e-6)
    assert floor.inside == pytest.approx(0.1, abs=1e-6)
    assert floor.inside_point[2] == pytest.approx(-1.9, abs=1e-6)
    assert good.outside == good.inside == 0.0
    assert all(one.outside <= one.outside_bound <= one.outside + 0.02 for one in report.objects)
    assert not report.fails
    # Nothing of the scene has changed.
    assert [ob.name for ob in bpy.context.scene.objects if not ob.hide_viewport] == shown


def test_round_colliders_are_no_triangles(scene: bpy.types.Scene) -> None:
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.0, segments=12, ring_count=8)
    bpy.context.object.name = "Ball"
    bpy.ops.mesh.primitive_uv_sphere_add(radius=1.0, segments=12, ring_count=8)
    bpy.context.object.name = "USP_Ball_01"
    (ball,) = api.coverage().objects
    # The sphere rises above the triangles of the mesh by what a chord of 12 and 8 segments leaves.
    assert 0.03 < ball.outside < 0.12
    assert ball.inside == pytest.approx(0.0, abs=1e-6)


def test_thresholds_make_issues(level: str) -> None:
    report = api.coverage(max_outside=0.06, max_inside=0.05)
    assert [(one.name, one.failing) for one in report.failing] == [
        ("Floor", ("collider-sticks-out", "collider-misses"))
    ]
    floor, wall, good = (next(one for one in report.objects if one.name == name) for name in ("Floor", "Wall", "Good"))
    # The bottom of the collider and the top of the mesh of 10 by 10 m, and a strip of the sides.
    assert floor.outside_area.area == pytest.approx(100.0 + 40.0 * 0.04, rel=0.02)
    assert floor.inside_area.area == pytest.approx(100.0 + 40.0 * 0.05, rel=0.02)
    assert floor.inside_area.share == pytest.approx(102.0 / 208.0, rel=0.02)
    assert floor.inside_area.least <= floor.inside_area.area <= floor.inside_area.most
    # What the bound proves needs no map.
    assert wall.outside_area == good.outside_area == good.inside_area == (0.0, 0.0, 0.0, 0.0)
    report = api.coverage(max_outside=0.2)
    assert all(one.inside_area is None for one in report.objects)
    report = api.coverage(max_outside=0.2, by_collection={"Props": (0.01, None)})
    assert [(one.name, one.failing) for one in report.failing] == [("Wall", ("collider-sticks-out",))]
    assert not api.coverage("COLLECTION", collection="Props", max_outside=0.06).fails
    with pytest.raises(ValueError, match="max_outside"):
        api.coverage(max_outside=-1.0)
    with pytest.raises(ValueError, match="Nowhere"):
        api.coverage("COLLECTION", collection="Nowhere")


def test_reports_and_exit_codes(level: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    code, out, error = run(
        capfd, "coverage", level, "--max-outside", "11cm", "--max-inside", "0.11", "--format", "json"
    )
    assert code == 0, error
    report = json.loads(out)
    assert mistakes("coverage", report) == []
    assert (report["kind"], report["without_collider"], report["max_outside"]) == ("coverage", ["Alone"], 0.11)
    outputs = [tmp_path / name for name in ("report.txt", "report.json", "report.xml", "report.html")]
    given = [word for path in outputs for word in ("--output", str(path))]
    code, _, error = run(capfd, "coverage", level, "--max-outside", "4cm", *given)
    assert code == 1, error
    text, values, junit, page = (path.read_text(encoding="utf-8") for path in outputs)
    assert "fails  Floor" in text
    assert re.search(r"Floor +sticks out by 0\.1 m .* \(\d+ %\) by more than 0\.04 m +misses", text)
    assert found(values)["Wall"]["outside_area"]["least"] > 7.9
    assert found(values)["Wall"]["inside_area"] is None
    assert "Without collider: Alone" in text
    assert {name: one["verdict"] for name, one in found(values).items()} == {
        "Floor": "fails",
        "Wall": "fails",
        "Good": "ok",
    }
    suite = ElementTree.fromstring(junit)
    assert (suite.get("failures"), suite.get("tests")) == ("2", "4")
    assert all(f">{name}<" in page for name in ("Floor", "Wall", "Good", "Alone"))
    heat = {name: b64decode(data) for data, name in re.findall(r'base64,([^"]+)" alt="Heat map of ([^"]+)"', page)}
    assert set(heat) == {"Floor", "Wall"}
    for name, data in heat.items():
        (tmp_path / f"{name}.png").write_bytes(data)
        picture = bpy.data.images.load(str(tmp_path / f"{name}.png"))
        assert tuple(picture.size) == (720, 450)
        pixels = np.array(picture.pixels[:]).reshape(450, 720, 4)
        # Something is as far away as the scale goes, and it has the color of its end.
        hot = (pixels[:, :, 0] > 1.6 * pixels[:, :, 1]) & (pixels[:, :, 0] > 0.2)
        assert hot[120:].mean() > 0.02
    assert run(capfd, "coverage", level, "--require-colliders")[0] == 1
    assert run(capfd, "coverage", level, "--scope", "collection:Nowhere")[0] == 2


def test_a_second_file_has_the_colliders(
    scene: bpy.types.Scene, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    add("chair", cube_mesh((0.5, 0.5, 1.0)))
    add("table", cube_mesh((1.0, 1.0, 0.5)), at=(4, 0, 0))
    seen = tmp_path / "visual.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(seen), compress=False)
    bpy.data.objects["chair"].scale.x = 1.2
    bpy.data.objects.remove(bpy.data.objects["table"])
    bpy.data.objects["chair"].name = "chair_collision"
    solid = tmp_path / "collision.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(solid), compress=False)
    given = ("coverage", str(seen), "--with", str(solid), "--max-outside", "5cm")
    code, out, error = run(capfd, *given, "--format", "json")
    assert code == 1, error
    report = json.loads(out)
    assert mistakes("coverage", report) == []
    (chair,) = report["objects"]
    assert (chair["name"], chair["outside"]) == ("chair", pytest.approx(0.1, abs=1e-6))
    assert report["without_collider"] == ["table"]
    assert report["coverage"]["second_file"] == "collision.blend"
    assert "colliders from collision.blend" in run(capfd, *given)[1]
    assert run(capfd, "coverage", str(seen), "--with", str(tmp_path / "none.glb"))[0] == 2
    assert run(capfd, *given, "--scene", "Scene")[0] == 2


def test_the_configuration_has_thresholds(level: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    config = tmp_path / "collision-kit.toml"
    config.write_text(
        '[coverage]\nmax_outside = "20cm"\n[coverage.engines.unreal]\nmax_outside = "7cm"\n'
        '[coverage.collections.Props]\nmax_outside = "1cm"\n'
    )

    def failing(*more: str) -> set[str]:
        code, out, error = run(capfd, "coverage", level, "--format", "json", *more)
        assert code in (0, 1), error
        return {name for name, one in found(out).items() if one["verdict"] == "fails"}

    assert failing() == {"Wall"}
    assert failing("--engine", "unreal") == {"Wall", "Floor"}
    assert failing("--max-outside", "6cm") == {"Floor"}
    config.write_text('[coverage]\nmax_outsid = "20cm"\n')
    code, _, error = run(capfd, "coverage", level)
    assert code == 2
    assert "coverage.max_outsid: unknown key" in error


def test_validation_has_the_thresholds(level: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    def rules(*more: str) -> set[tuple[str, str]]:
        _, out, _ = run(capfd, "validate", level, "--format", "json", *more)
        kept = {"collider-sticks-out", "collider-misses"}
        return {(one["id"], one["object"]) for one in json.loads(out)["findings"] if one["id"] in kept}

    assert rules() == set()
    wanted = {("collider-sticks-out", "UCX_Floor_01"), ("collider-misses", "Floor")}
    assert rules("--max-outside", "6cm", "--max-inside", "6cm") == wanted
    (tmp_path / "collision-kit.toml").write_text('[coverage]\nmax_outside = "4cm"\n')
    assert rules() == {("collider-sticks-out", "UCX_Floor_01"), ("collider-sticks-out", "UBX_Wall_01")}
    assert run(capfd, "validate", level)[0] == 1
