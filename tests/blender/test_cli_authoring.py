# SPDX-License-Identifier: GPL-3.0-or-later
"""`make`, `fix` and `export`: what is written, where, and that the input stays as it is."""

import hashlib
import json
import math
import os
import re
import subprocess
import sys
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.cli import usage
from collision_kit.addon.colliders import decomposition
from collision_kit.addon.exports.table import EXPORTS
from collision_kit.addon.model.errors import UserError
from collision_kit.addon.model.formats import SCENES, USD
from collision_kit.addon.system.files import write_with
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh
from tests.helpers.blender.colliders_scene import make
from tests.helpers.blender.command_errors import run, save
from tests.helpers.blender.skinned_figure import figure
from tests.helpers.gltf_files import read_file
from tests.helpers.report_schemas import mistakes

pytestmark = pytest.mark.usefixtures("scene")

HALF = (1.0, 0.5, 0.25)
RADIUS, HEIGHT = 0.75, 2.0


def circle(radius: float, height: float) -> list[tuple[float, float, float]]:
    turns = [2.0 * math.pi * number / 16 for number in range(16)]
    return [(radius * math.cos(turn), radius * math.sin(turn), height) for turn in turns]


def points_of(kind: str) -> list[tuple[float, float, float]]:
    """Points whose tightest shape of a kind is known: that of HALF, of RADIUS and of HEIGHT between centers or caps."""
    x, y, z = HALF
    top = RADIUS + HEIGHT / 2.0
    return {
        "box": [(a * x, b * y, c * z) for a in (-1, 1) for b in (-1, 1) for c in (-1, 1)],
        "sphere": [*circle(RADIUS, 0.0), (0.0, 0.0, RADIUS), (0.0, 0.0, -RADIUS)],
        "capsule": [
            *circle(RADIUS, HEIGHT / 2.0),
            *circle(RADIUS, -HEIGHT / 2.0),
            (0.0, 0.0, top),
            (0.0, 0.0, -top),
        ],
        "cylinder": [*circle(RADIUS, HEIGHT / 2.0), *circle(RADIUS, -HEIGHT / 2.0)],
        "hull": [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 2.0, 0.0), (0.0, 0.0, 3.0), (0.5, 0.5, 3.0)],
    }[kind]


def props(folder: Path, kinds=("box", "sphere", "capsule", "cylinder", "hull")) -> Path:
    """A Godot project's meshes: one for each kind, turned."""
    for number, kind in enumerate(kinds):
        mesh = bpy.data.meshes.new(kind)
        mesh.from_pydata(points_of(kind), [], [(0, 1, 2), (1, 2, 3)])
        ob = bpy.data.objects.new(kind.title(), mesh)
        bpy.context.scene.collection.objects.link(ob)
        # Far from the origin, where float32 has locations to 1e-5 only.
        ob.location, ob.rotation_euler = (100.0 + 10.0 * number, 30.2, -0.4), (0.1, 0.2, 0.3)
    return save(folder / "props.blend")


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def reported(path: Path, name: str) -> dict:
    report = json.loads(path.read_text("utf-8"))
    assert mistakes(name, report) == []
    return report


def shape_of(file, node: dict, physics: str, shapes: str) -> dict:
    number = node["extensions"][physics]["collider"]
    number = number["shape"] if "shape" in number else number["geometry"]["shape"]
    return file.json["extensions"][shapes]["shapes"][number]


@pytest.mark.parametrize("kind", ["box", "sphere", "capsule", "cylinder", "hull"])
def test_a_shape_made_for_godot_is_in_the_glb_as_omi_and_khr_have_it(kind: str, tmp_path: Path, capfd) -> None:
    file = props(tmp_path)
    before = digest(file)
    out, report = tmp_path / "out.glb", tmp_path / "made.json"
    more = ("--omi-capsules", "between-centers") if kind == "capsule" else ()
    code, _, errors = run(
        capfd, "make", file, "--kind", kind, "--engine", "godot", "--objects", kind.title(), "--output", out,
        "--output", report, *more,
    )  # fmt: skip
    assert (code, errors) == (0, [])
    assert digest(file) == before
    (made,) = reported(report, "make")["colliders"]
    assert (made["owner"], made["kind"]) == (kind.title(), kind)
    glb = read_file(out)
    (node,) = (node for node in glb.nodes if "OMI_physics_body" in node.get("extensions", {}))
    omi = shape_of(glb, node, "OMI_physics_body", "OMI_physics_shape")
    wanted = {
        "box": {"size": [2.0 * HALF[0], 2.0 * HALF[2], 2.0 * HALF[1]]},
        "sphere": {"radius": RADIUS},
        "capsule": {"height": HEIGHT, "radiusTop": RADIUS, "radiusBottom": RADIUS},
        "cylinder": {"height": HEIGHT, "radiusTop": RADIUS, "radiusBottom": RADIUS},
    }
    assert omi["type"] == ("convex" if kind == "hull" else kind)
    if kind == "hull":
        assert "convexHull" in node["extensions"]["KHR_physics_rigid_bodies"]["collider"]["geometry"]
        return
    khr = shape_of(glb, node, "KHR_physics_rigid_bodies", "KHR_implicit_shapes")
    assert khr["type"] == kind
    # Turned corners are rounded to float32 before the shape is measured.
    for name, value in wanted[kind].items():
        np.testing.assert_allclose(omi[kind][name], value, rtol=0.0, atol=1e-6, err_msg=name)
        np.testing.assert_allclose(khr[kind][name], value, rtol=0.0, atol=1e-6, err_msg=name)


def test_capsules_are_as_tall_as_godot_reads_them(tmp_path: Path, capfd) -> None:
    file = props(tmp_path, ["capsule"])
    run(capfd, "make", file, "--kind", "capsule", "--engine", "godot", "--output", tmp_path / "out.glb")
    (shape,) = read_file(tmp_path / "out.glb").json["extensions"]["OMI_physics_shape"]["shapes"]
    assert shape["capsule"]["height"] == pytest.approx(HEIGHT + 2.0 * RADIUS, rel=1e-6)


def test_a_blend_file_has_the_names_of_the_engine_and_is_what_the_other_formats_have(tmp_path: Path, capfd) -> None:
    file = props(tmp_path)
    arguments = ("make", file, "--kind", "hull", "--engine", "unreal")
    outs = [tmp_path / f"out{ending}" for ending in EXPORTS]
    assert run(capfd, *arguments, *(f"--output={out}" for out in outs), "--collider-meshes", "keep")[0] == 0
    names = {"UCX_Box_01", "UCX_Sphere_01", "UCX_Capsule_01", "UCX_Cylinder_01", "UCX_Hull_01"}
    for out in [out for out in outs if out.suffix in SCENES]:
        run(capfd, "validate", out, "--engine", "unreal", "--format", "json", "--fail-on", "none")
        assert names <= {ob.name for ob in bpy.context.scene.objects}, out
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        ["props.blend", "out.bin", "out_meshes", *(path.name for path in outs)]
    )


def test_best_is_the_simplest_shape_within_the_largest_gap(tmp_path: Path, capfd) -> None:
    add("Box", cube_mesh(HALF), rotation_euler=(0.1, 0.2, 0.3))
    file = save(tmp_path / "props.blend")
    found = {}
    for gap in ("10m", "1mm"):
        arguments = ("make", file, "--kind", "best", "--engine", "unreal", "--max-gap", gap)
        report, out = tmp_path / f"{gap}.json", tmp_path / f"{gap}.blend"
        assert run(capfd, *arguments, f"--output={report}", f"--output={out}")[0] == 0
        (found[gap],) = reported(report, "make")["colliders"]
    # A sphere is within ten meters, and only the box and the hull are within a millimeter.
    assert [one["object"] for one in found.values()] == ["USP_Box_01", "UBX_Box_01"]
    assert found["10m"]["gap"] > 0.1
    assert found["1mm"]["gap"] <= 1e-3


def test_objects_that_have_colliders_keep_them_unless_they_are_to_be_replaced(tmp_path: Path, capfd) -> None:
    file, out = props(tmp_path, ["box", "hull"]), tmp_path / "out.blend"
    make = ("--kind", "box", "--engine", "unreal", "--output", tmp_path / "made.json")
    run(capfd, "make", file, "--objects", "B*", *make, "--output", out)
    run(capfd, "make", out, *make, "--output", tmp_path / "second.blend")
    report = reported(tmp_path / "made.json", "make")
    assert [one["object"] for one in report["kept"]] == ["Box"]
    assert [one["object"] for one in report["colliders"]] == ["UBX_Hull_01"]
    run(capfd, "make", out, "--kind", "sphere", *make[2:], "--existing", "replace", "--in-place")
    assert {ob.name for ob in api.colliders_of(["Box"])} == {"USP_Box_01"}
    before = digest(out)
    assert run(capfd, "make", out, *make, "--in-place")[0] == 0
    assert digest(out) == before, "nothing was made, so nothing is saved"


def test_what_has_no_collider_is_an_issue_and_the_rest_is_made(tmp_path: Path, capfd) -> None:
    mesh = bpy.data.meshes.new("nowhere")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, float("nan")), (0, 1, 0)], [], [(0, 1, 2, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Sheet", mesh))
    file = props(tmp_path, ["box"])
    out, report = tmp_path / "out.glb", tmp_path / "made.json"
    make = ("make", file, "--kind", "hull", "--engine", "gltf", "--output", out)
    assert run(capfd, *make, "--output", report)[::2] == (1, [])
    found = reported(report, "make")
    assert [(one["object"], one["severity"]) for one in found["findings"]] == [("Sheet", "error")]
    assert [one["owner"] for one in found["colliders"]] == ["Box"] and out.exists()
    out.unlink()
    code, _, errors = run(capfd, *make, "--objects", "Nobody")
    assert (code, len(errors)) == (2, 1) and "no render mesh whose name matches Nobody" in errors[0]


def test_a_name_that_is_too_long_is_an_issue_and_the_rest_is_made(tmp_path: Path, capfd) -> None:
    # In bytes, of which a Korean letter has three.
    most = bpy.types.ID.bl_rna.properties["name"].length_max - 1
    longest = "x" * (most - len("UBX__01"))
    for place, name in enumerate(("Crate", longest, "x" + longest, "상" * (most // 3))):
        add(name, cube_mesh(), at=(5.0 * place, 0.0, 0.0))
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    make = ("make", file, "--kind", "box", "--engine", "unreal", "--output", out, "--output", report)
    assert run(capfd, *make)[::2] == (1, [])
    made = reported(report, "make")
    assert [one["owner"] for one in made["colliders"]] == ["Crate", longest]
    assert [one["object"] for one in made["findings"]] == ["x" + longest, "상" * (most // 3)]
    assert f'Collider name "UBX_x{longest}_01" is too long' in made["findings"][0]["message"]
    assert len(bpy.data.objects) == 6


def test_colliders_are_kept_where_the_names_of_new_ones_would_be_too_long(tmp_path: Path, capfd) -> None:
    most = bpy.types.ID.bl_rna.properties["name"].length_max - 1
    owner = add("x" * (most - 4), cube_mesh())
    add("UBX_Old", cube_mesh(), parent=owner)
    file, report = save(tmp_path / "level.blend"), tmp_path / "made.json"
    make = ("make", file, "--kind", "box", "--engine", "unreal", "--existing", "replace", "--in-place")
    assert run(capfd, *make, "--output", report)[0] == 1
    assert reported(report, "make")["colliders"] == [] and "UBX_Old" in bpy.data.objects


def test_a_collider_of_a_flat_mesh_has_no_ratio_to_its_hull(tmp_path: Path, capfd) -> None:
    mesh = bpy.data.meshes.new("flat")
    mesh.from_pydata([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)], [], [(0, 1, 2, 3)])
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("Sheet", mesh))
    file, page = save(tmp_path / "sheet.blend"), tmp_path / "made.html"
    make = ("make", file, "--kind", "sphere", "--engine", "unreal", "--output", tmp_path / "out.blend")
    code, output, _ = run(capfd, *make, "--output", "-", "--output", page, "--fail-on", "none")
    assert (code, output.splitlines()[2].split("  ")[1:5]) == (0, ["USP_Sheet_01", "sphere", "Sheet", "flat mesh"])
    assert ">flat mesh</td>" in page.read_text("utf-8")


def test_parts_of_a_decomposition_that_have_no_points_are_left_out(
    tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch
) -> None:
    def parts(source, *_settings):
        yield from ()
        return [source.points[:0], source.points]

    monkeypatch.setattr(decomposition, "is_available", lambda: True)
    monkeypatch.setattr(decomposition, "_decompose", parts)
    monkeypatch.setattr(decomposition, "_cut_by_planes", lambda *_: [])
    add("Angle", l_mesh())
    file, report = save(tmp_path / "level.blend"), tmp_path / "made.json"
    make = ("make", file, "--kind", "pieces", "--engine", "unreal", "--output", tmp_path / "out.blend")
    assert run(capfd, *make, "--output", report)[0] == 1
    made = reported(report, "make")
    assert [one["owner"] for one in made["colliders"]] == ["Angle"]
    assert [(one["id"], one["object"]) for one in made["findings"]] == [("collider-sticks-out", "UCX_Angle_01")]


@pytest.mark.skipif(bpy.app.version >= (5, 0), reason="the header of the file is another one")
def test_a_file_of_a_newer_blender_is_not_overwritten(tmp_path: Path, capfd) -> None:
    add("Crate", cube_mesh())
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    file.write_bytes(re.sub(rb"\ABLENDER-v4\d\d", b"BLENDER-v499", file.read_bytes()))
    before = digest(file)
    make = ("make", file, "--kind", "box", "--engine", "unreal")
    code, _, errors = run(capfd, *make, "--in-place")
    assert (code, digest(file)) == (2, before)
    assert errors == [f"error: cannot write {file}: it was saved with Blender 4.99, and this one would lose data"]
    assert run(capfd, *make, "--output", out, "--output", report)[0] == 0
    assert reported(report, "make")["notes"] == [
        "out.blend: FILE was saved with Blender 4.99, so that data may be lost"
    ]


@pytest.mark.parametrize("error", [UserError("OpenUSD failed: disk full"), OSError("disk full")])
def test_what_goes_wrong_in_writing_is_one_error(
    tmp_path: Path, capfd, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    def failing(_context, path, _wanted):
        def write(_temporary):
            raise error

        write_with(path, write)

    add("Crate", cube_mesh())
    file, out = save(tmp_path / "level.blend"), tmp_path / "out.fbx"
    monkeypatch.setitem(EXPORTS, ".fbx", EXPORTS[".fbx"]._replace(write=failing))
    code, _, errors = run(capfd, "export", file, out)
    assert (code, errors) == (2, [f"error: cannot write {out}: {error}"])
    assert sorted(os.listdir(tmp_path)) == ["level.blend"]


def test_fix_leaves_nothing_wrong_and_what_is_accepted_as_it_is(tmp_path: Path, capfd) -> None:
    floor = add("Floor", cube_mesh(), at=(0.0, 0.0, -1.0))
    floor.scale = (10.0, 10.0, 1.0)
    crate = add("Crate", cube_mesh(), at=(0.0, 0.0, 0.9))
    add("Lamp", cube_mesh(), at=(5.0, 0.0, 0.5))
    add("Ball", cube_mesh(), at=(-5.0, 0.0, 1.0015))
    add("UCX_Crate_01", cube_mesh()).parent = crate
    bpy.data.objects["UCX_Crate_01"].scale = (1.0, 1.0, -1.0)
    bpy.context.view_layer.update()
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "fixed.blend", tmp_path / "fix.json"
    (tmp_path / "collision-kit.toml").write_text('[[ignore]]\na = ["Lamp"]\nreason = "set into the floor"\n')
    before = digest(file)
    arguments = ("fix", file, "--close-gaps", "2mm", "--output", out, "--output", report)
    assert run(capfd, *arguments)[::2] == (0, [])
    assert digest(file) == before
    found = reported(report, "fix")
    moved = {one["object"]: one for one in found["moved"]}
    assert set(moved) == {"Crate", "Ball"}, "the floor is larger, and the lamp is meant to be in it"
    np.testing.assert_allclose(moved["Crate"]["offset"], (0.0, 0.0, 0.1), atol=1e-5)
    np.testing.assert_allclose(moved["Ball"]["offset"], (0.0, 0.0, -0.0015), atol=1e-5)
    assert moved["Ball"]["onto"] == "Floor"
    assert {one["id"] for one in found["fixed"]} == {"negative-scale"}
    assert (found["left"], found["findings"]) == ([], [])
    assert run(capfd, "check", out)[0] == 0
    # Without the rule the lamp is moved; without moves, all that penetrates is left.
    (tmp_path / "collision-kit.toml").unlink()
    code = run(capfd, "fix", file, "--repair", "colliders", "--output", out, "--output", report)[0]
    assert (code, reported(report, "fix")["moved"]) == (0, [])
    run(capfd, "fix", file, "--repair", "penetrations", "--output", out, "--output", report)
    assert {one["object"] for one in reported(report, "fix")["moved"]} == {"Crate", "Lamp"}


def test_what_cannot_be_moved_is_left_and_fails(tmp_path: Path, capfd) -> None:
    a, b = add("A", cube_mesh()), add("B", cube_mesh(), at=(1.0, 0.0, 0.0))
    a.lock_location = b.lock_location = (True, True, True)
    file, report = save(tmp_path / "level.blend"), tmp_path / "fix.json"
    assert run(capfd, "fix", file, "--in-place", "--output", report)[0] == 1
    found = reported(report, "fix")
    assert [one["verdict"] for one in found["left"]] == ["penetrating"] and found["refused"]
    assert found["written"] == []


def kit(folder: Path) -> Path:
    """Two assets, one of two meshes; a collider of each, of which one is not a child; one that Unreal does not read."""
    shelf, crate = add("Shelf", cube_mesh()), add("Crate", cube_mesh(), at=(4.0, 0.0, 0.0))
    add("Board", cube_mesh()).parent = shelf
    add("UBX_Shelf_01", cube_mesh()).parent = shelf
    add("UBX_Crate_01", cube_mesh(), at=(4.0, 0.0, 0.0)).hide_viewport = True
    add("Crate_hitbox", cube_mesh(), at=(4.0, 0.0, 0.0)).parent = crate
    bpy.data.objects["Crate_hitbox"].collision_kit.collider.kind = "BOX"
    return save(folder / "kit.blend")


@pytest.mark.parametrize("ending", [".glb", ".fbx"])
def test_each_asset_is_a_file_with_its_colliders(ending: str, tmp_path: Path, capfd) -> None:
    file, report = kit(tmp_path), tmp_path / "e.json"
    (tmp_path / "out").mkdir()
    assert run(capfd, "export", file, tmp_path / "out" / f"{{asset}}{ending}", "--output", report)[::2] == (0, [])
    wanted = {"Shelf": {"Shelf", "Board", "UBX_Shelf_01"}, "Crate": {"Crate", "Crate_hitbox", "UBX_Crate_01"}}
    written = reported(report, "export")["written"]
    assert sorted(Path(path).stem for path in written) == sorted(wanted)
    for path in written:
        run(capfd, "check", path, "--allow-empty")
        assert {ob.name for ob in bpy.context.scene.objects} == wanted[Path(path).stem]
    assert [collection.name for collection in bpy.data.collections if "Export" in collection.name] == []
    code, _, errors = run(capfd, "export", file, tmp_path / "{asset}.blend")
    assert code == 2 and "cannot be written as .blend" in errors[0]


@pytest.mark.parametrize("ending", [".glb", ".gltf", ".fbx", ".usda", ".urdf"])
def test_missing_folders_of_scenes_are_made(ending: str, tmp_path: Path, capfd) -> None:
    file = kit(tmp_path)
    for out in (f"deep/down/all{ending}", f"each/{{asset}}/{{asset}}{ending}"):
        assert run(capfd, "export", file, tmp_path / out)[::2] == (0, [])
    made = {path.relative_to(tmp_path).as_posix() for path in tmp_path.rglob(f"*{ending}")}
    assert made == {f"deep/down/all{ending}", f"each/Shelf/Shelf{ending}", f"each/Crate/Crate{ending}"}


def test_missing_folders_are_made_for_what_is_written_only(tmp_path: Path, capfd) -> None:
    file, out = kit(tmp_path), tmp_path / "new" / "o.blend"
    made = ("make", file, "--engine", "unreal", "--kind", "box")
    assert run(capfd, *made, "--objects", "nothing*", "--output", out)[0] == 2
    assert [path.name for path in tmp_path.iterdir()] == ["kit.blend"]
    assert run(capfd, *made, "--output", out)[::2] == (0, [])
    assert run(capfd, "fix", file, "--output", tmp_path / "other" / "o.glb")[2] == []
    assert out.is_file() and (tmp_path / "other" / "o.glb").is_file()


def test_names_of_assets_are_names_of_files_and_stay_apart(tmp_path: Path, capfd) -> None:
    names = ["../up", "..", "a/b", "a\\b", "a?b", "CON", "con", "rock", "Rock", "나무", "-rf", "{asset}", "나" * 20]
    for number, name in enumerate(names):
        add(name, cube_mesh(), at=(4.0 * number, 0.0, 0.0))
    assert {ob.name for ob in bpy.context.scene.objects} == set(names)
    file = save(tmp_path / "kit.blend")
    before = digest(file)
    (tmp_path / "out").mkdir()
    for _ in range(2):
        assert run(capfd, "export", file, tmp_path / "out" / "{asset}.glb")[::2] == (0, [])
        made = [path.stem for path in (tmp_path / "out").iterdir()]
        assert len(made) == len({one.casefold() for one in made}) == len(names)
        assert not {one.casefold() for one in made} & {"con", "nul"}
    assert {one.name for one in tmp_path.iterdir()} == {"kit.blend", "out"}
    assert digest(file) == before
    assert {node["name"] for path in (tmp_path / "out").iterdir() for node in read_file(path).nodes} == set(names)


def test_no_asset_is_written_if_one_would_replace_a_file_that_the_scene_uses(tmp_path: Path, capfd) -> None:
    add("First", cube_mesh())
    add("Rock", cube_mesh(), at=(4.0, 0.0, 0.0))
    source = tmp_path / "Rock.glb"
    assert run(capfd, "export", save(tmp_path / "kit.blend"), source)[0] == 0
    before = digest(source)
    code, _, errors = run(capfd, "export", source, tmp_path / "{asset}.glb")
    assert code == 2 and "a file that the scene uses" in errors[0]
    assert digest(source) == before and not (tmp_path / "First.glb").exists()


def test_an_asset_has_the_armature_and_the_colliders_of_its_bones(tmp_path: Path, capfd) -> None:
    figure(scale=1.0)
    make("BOX", source="GROUPS", engine="GLTF")
    file = save(tmp_path / "figure.blend")
    assert run(capfd, "export", file, tmp_path / "{asset}.glb")[::2] == (0, [])
    found = read_file(tmp_path / "Body.glb")
    assert len(found.json["skins"]) == 1
    assert len([node for node in found.nodes if "OMI_physics_body" in node.get("extensions", {})]) == 3


def test_what_the_engine_will_not_take_stops_the_export_or_is_only_said(tmp_path: Path, capfd) -> None:
    file, out, report = kit(tmp_path), tmp_path / "out.fbx", tmp_path / "e.json"
    arguments = ("export", file, out, "--validate", "unreal", "--output", report)
    assert run(capfd, *arguments)[::2] == (1, [])
    found = reported(report, "export")
    assert ("unreal-name", "Crate_hitbox") in {(one["id"], one["object"]) for one in found["findings"]}
    assert found["written"] == [] and not out.exists()
    assert run(capfd, *arguments, "--fail-on", "none")[::2] == (0, [])
    # Its hidden collider is written.
    assert reported(report, "export")["findings"][:-1] == found["findings"] and out.exists()


@pytest.mark.parametrize("ending", sorted(EXPORTS))
def test_export_writes_each_format(ending: str, tmp_path: Path, capfd) -> None:
    file, out, report = props(tmp_path, ["box"]), tmp_path / f"out{ending}", tmp_path / "e.json"
    before = digest(file)
    assert run(capfd, "export", file, out, "--output", report)[::2] == (0, [])
    assert digest(file) == before
    assert reported(report, "export")["written"] == [out.as_posix()]
    if ending not in SCENES:
        return
    assert run(capfd, "check", out, "--allow-empty")[0] == 0
    # Blender's USD importer names objects after their meshes.
    assert ending in USD or "Box" in bpy.context.scene.objects


def test_a_texture_beside_the_input_is_not_written_over(tmp_path: Path, capfd) -> None:
    image = bpy.data.images.new("wall", 4, 4)
    image.filepath_raw, image.file_format = str(tmp_path / "wall.png"), "PNG"
    image.save()
    material = bpy.data.materials.new("Wall")
    material.use_nodes = True
    node = material.node_tree.nodes.new("ShaderNodeTexImage")
    node.image = image
    shader = next(one for one in material.node_tree.nodes if one.type == "BSDF_PRINCIPLED")
    material.node_tree.links.new(node.outputs["Color"], shader.inputs["Base Color"])
    add("Crate", cube_mesh()).data.materials.append(material)
    file = save(tmp_path / "in.blend")
    before = digest(tmp_path / "wall.png")
    assert run(capfd, "export", file, tmp_path / "out.gltf")[::2] == (0, [])
    assert digest(tmp_path / "wall.png") == before
    # Another image has the same name, and the one in the file is used by nothing but the file.
    other = bpy.data.images["wall"]
    other.name, other.use_fake_user = "old", True
    for one in bpy.data.materials["Wall"].node_tree.nodes:
        if one.type == "TEX_IMAGE":
            one.image = bpy.data.images.new("wall", 8, 8)
            one.image.pack()
    save(file)
    code, _, errors = run(capfd, "export", file, tmp_path / "out.gltf")
    assert (code, digest(tmp_path / "wall.png")) == (2, before) and "the scene uses" in errors[0]


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("make", "{file}", "--kind", "box", "--engine", "unreal"), "make needs --output OUT"),
        (("make", "{file}", "--engine", "unreal", "--output", "o.glb"), "--kind"),
        (("make", "{file}", "--kind", "box", "--engine", "unreal", "--output", "{file}"), "it is the input file"),
        (("make", "{file}", "--kind", "box", "--engine", "unreal", "--output", "o.glb", "--in-place"), "--in-place"),
        (("fix", "{file}"), "fix needs --output OUT"),
        (("fix", "{file}", "--repair", "all", "--in-place"), "'all' is not some of"),
        (("export", "{file}"), "Blender could not open"),
        (("export", "{file}", "{folder}/out.dae"), "no format that can be written"),
        (("export", "{file}", "{file}/out.glb"), "props.blend is not a folder"),
    ],
)
def test_what_cannot_be_is_one_error_and_nothing_is_written(tmp_path: Path, capfd, arguments, complaint) -> None:
    file = props(tmp_path, ["box"])
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    before = digest(file)
    given = [text.format(file=file, folder=tmp_path) for text in arguments]
    code, _, errors = run(capfd, *given)
    assert code == 2 and len(errors) == 1 and complaint in errors[0], errors
    assert digest(file) == before and [path.name for path in tmp_path.iterdir()] == ["props.blend"]


def test_in_blender_out_alone_is_of_the_open_file() -> None:
    for given, file in ((["o.glb"], None), (["a.blend", "o.glb"], "a.blend")):
        options = usage.read("blender", ["export", *given])
        assert (options.file, options.saved) == (file, (Path("o.glb"),))


@pytest.mark.parametrize("count", [2, pytest.param(50, marks=pytest.mark.slow)])
def test_many_meshes_are_made_by_two_jobs_and_none_is_changed(count: int, tmp_path: Path) -> None:
    folder = tmp_path / "meshes" / "sub"
    folder.mkdir(parents=True)
    for number in range(count):
        size = 1.0 + 0.01 * number
        lines = [f"v {a * size} {b} {c}" for a in (0, 1) for b in (0, 1) for c in (0, 1)]
        faces = ["f 1 2 4 3", "f 5 7 8 6", "f 1 5 6 2", "f 3 4 8 7", "f 1 3 7 5", "f 2 6 8 4"]
        (folder / f"m{number:02d}.obj").write_text("\n".join(["o Mesh", *lines, *faces]) + "\n")
    before = {path: digest(path) for path in folder.iterdir()}
    # Jobs are of the command of the Python package, which the extension does not have.
    packages = tmp_path / "packages"
    packages.mkdir()
    (packages / "collision_kit").symlink_to(Path(__file__).resolve().parents[2])
    code = subprocess.run(
        [sys.executable, "-P", "-c", "import sys; from collision_kit.command import main; sys.exit(main())", "make",
         "meshes", "--kind", "box", "--engine", "godot", "--output-dir", "made", "--to", "glb", "--jobs", "2",
         "--output", "report.json"],
        cwd=tmp_path, env={**os.environ, "PYTHONPATH": str(packages)}, check=False,
    ).returncode  # fmt: skip
    report = reported(tmp_path / "report.json", "project")
    assert (code, report["totals"]["outcomes"]["clean"]) == (0, count)
    assert {path: digest(path) for path in folder.iterdir()} == before
    made = sorted((tmp_path / "made" / "sub").iterdir())
    assert [path.name for path in made] == [f"m{number:02d}.glb" for number in range(count)]
    for number, path in enumerate(made):
        (shape,) = read_file(path).json["extensions"]["OMI_physics_shape"]["shapes"]
        np.testing.assert_allclose(sorted(shape["box"]["size"]), [1.0, 1.0, 1.0 + 0.01 * number], rtol=1e-6)


@pytest.mark.parametrize("suffix", [".glb", ".gltf"])
def test_an_object_that_is_too_large_for_gltf_is_named(tmp_path, capfd, suffix):
    add("Crate", cube_mesh())
    add("Giant", cube_mesh()).scale = (1e30, 1e30, 1e30)
    out = tmp_path / f"out{suffix}"
    code, _, errors = run(capfd, "export", save(tmp_path / "in.blend"), out)
    said = 'Blender cannot write glTF: The scale of "Giant" is too large for glTF'
    assert (code, errors) == (2, [f"error: {said}"])
    assert not out.exists()
