# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes against themselves: loose parts and faces that cross, in scripts, the panel and on the command line."""

import json

import bpy
import numpy as np
import pytest
from mathutils import Euler

import collision_kit.core as ck
from collision_kit import api
from collision_kit.addon.cli import commands
from collision_kit.addon.session.collision_results import last_check
from tests.helpers.blender.bridge_scene import CUBE_FACES, CUBE_VERTICES, TURNED, add, cube_mesh, mesh

ops = bpy.ops.collision_kit


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


def cubes_mesh(*places):
    """One mesh of cubes of side 2."""
    points = [np.add(vertex, place) for place in places for vertex in CUBE_VERTICES]
    return mesh(points, [[8 * n + c for c in face] for n in range(len(places)) for face in CUBE_FACES])


def rows(report) -> dict[tuple[str, str], str]:
    return {api.names(report, pair): pair.verdict.name for pair in report.pairs}


def check(**options):
    return api.check_collisions(scope="ALL", self_check=True, **options)


def test_loose_parts_have_the_verdicts_of_objects() -> None:
    places = [(0, 0, 0), (1.5, 0, 0), (10, 0, 0), (12, 0, 0), (20, 0, 0), (20, 0, 0)]
    add("Gate", cubes_mesh(*places))
    report = check()
    assert rows(report) == {
        ("Gate: part 1", "Gate: part 2"): "PENETRATING",
        ("Gate: part 3", "Gate: part 4"): "TOUCHING",
        ("Gate: part 5", "Gate: part 6"): "DUPLICATE",
        ("Gate", "Gate: crossing faces"): "PENETRATING",
    }
    # The same as of objects.
    for number, place in enumerate(places):
        add(f"Cube{number}", cube_mesh(), location=place)
    bpy.data.objects.remove(bpy.data.objects["Gate"])
    objects = api.check_collisions(scope="ALL")
    depths = [pair.distance for pair in report.pairs if not pair.faces]
    assert depths == pytest.approx([pair.distance for pair in objects.pairs])
    assert not api.check_collisions(scope="ALL").bodies[0].part


def closed_parts(*parts, shared=False):
    """One mesh of cubes: places, half sizes, and whether they face inward."""
    points, faces = [], []
    for place, size, inward in parts:
        faces += [[len(points) + c for c in (face[::-1] if inward else face)] for face in CUBE_FACES]
        points += [np.multiply(vertex, size) + place for vertex in CUBE_VERTICES]
    if shared:
        points, number = np.unique(points, axis=0, return_inverse=True)
        faces = [[int(number.reshape(-1)[c]) for c in face] for face in faces]
    return mesh(points, faces)


@pytest.mark.parametrize("turn", [(0.0, 0.0, 0.0), TURNED])
@pytest.mark.parametrize("inward", [(False, False), (True, False), (True, True)])
@pytest.mark.parametrize("shared", [False, True])
@pytest.mark.parametrize("place", [(2, 0, 0), (2, 0.75, 0.5), (1.5, 0, 2)], ids=["all of it", "a part", "two edges"])
def test_parts_that_share_a_face_touch(turn, inward, shared, place) -> None:
    parts = closed_parts(((0, 0, 0), 1.0, inward[0]), (place, 1.0, inward[1]), shared=shared)
    add("Pair", parts, location=(0.3, 4.0, 7.0), rotation_euler=turn)
    report = check()
    connected = shared and place == (2, 0, 0)
    assert rows(report) == ({} if connected else {("Pair: part 1", "Pair: part 2"): "TOUCHING"})
    assert not api.faults(report) and all(pair.interference == 0.0 for pair in report.pairs)


def test_parts_whose_faces_nearly_lie_on_each_other_touch() -> None:
    # Turned before they are stored, which rounds the corners of each.
    turn = np.array(Euler(TURNED).to_matrix())
    points = [turn @ np.add(vertex, place) for place in ((0, 0, 0), (2, 0.5, 0.25)) for vertex in CUBE_VERTICES]
    add("Pair", mesh(points, [[8 * n + c for c in face] for n in range(2) for face in CUBE_FACES]))
    assert rows(check()) == {("Pair: part 1", "Pair: part 2"): "TOUCHING"}


@pytest.mark.parametrize("whole", [False, True])
def test_a_cavity_belongs_to_the_part_that_it_is_in(whole) -> None:
    solid, cavity = ((0, 0, 0), 2.0, whole), ((0, 0, 0), 1.0, not whole)
    add("Void", closed_parts(solid, cavity))
    island, filling, beside = ((0, 0, 0), 0.5, whole), ((1.4, 0, 0), 0.2, whole), ((5, 20, 0), 0.5, whole)
    add("Full", closed_parts(solid, cavity, island, filling, beside), location=(30, 0, 0))
    (pair,) = check().pairs
    assert rows(check()) == {("Full: part 1", "Full: part 4"): "CONTAINED"}
    assert pair.interference == pytest.approx(0.5, rel=2e-3)


def test_a_part_in_another_that_faces_the_same_way_is_contained() -> None:
    add("Gate", closed_parts(((0, 0, 0), 2.0, False), ((0, 0, 0), 1.0, False)))
    assert rows(check()) == {("Gate: part 1", "Gate: part 2"): "CONTAINED"}


def test_an_inverted_part_that_overlaps_another_penetrates() -> None:
    add("Gate", closed_parts(((0, 0, 0), 1.0, False), ((1.5, 0.25, 0.25), 1.0, True)))
    report = check()
    assert rows(report) == {
        ("Gate: part 1", "Gate: part 2"): "PENETRATING",
        ("Gate", "Gate: crossing faces"): "PENETRATING",
    }
    assert all(isinstance(pair.interference, float) for pair in report.pairs)


def test_a_face_that_is_there_twice_crosses_itself() -> None:
    add("Fold", mesh([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1)], [(0, 1, 2, 3), (3, 2, 1, 0), (0, 1, 4)]))
    assert rows(check()) == {("Fold", "Fold: crossing faces"): "PENETRATING"}


def test_faces_that_cross() -> None:
    # A bow: a strip of quads that comes back through itself.
    points = [
        (0, 0, 0),
        (0, 1, 0),
        (4, 0, 0),
        (4, 1, 0),
        (4, 0, 2),
        (4, 1, 2),
        (2, 0, 2),
        (2, 1, 2),
        (2, 0, -2),
        (2, 1, -2),
    ]
    add(
        "Bow",
        mesh(points, [(0, 1, 3, 2), (2, 3, 5, 4), (4, 5, 7, 6), (6, 7, 9, 8)]),
        location=(5, 6, 7),
        rotation_euler=TURNED,
    )
    report = check()
    assert rows(report) == {("Bow", "Bow: crossing faces"): "PENETRATING"}
    (pair,) = report.pairs
    assert pair.faces == (0, 3)
    back = np.array(bpy.data.objects["Bow"].matrix_world.inverted())
    local = pair.contact_points @ back[:3, :3].T + back[:3, 3]
    assert np.allclose(local[:, [0, 2]], [2.0, 0.0], atol=1e-5) and (abs(local[:, 1] - 0.5) < 0.5).all()
    assert len(report.world) == 2 and isinstance(report.world, ck.World)
    assert report.shapes[pair.shape_b].reason == "crossing faces"
    assert api.faults(report) == [pair]


def test_modifiers_count_and_clean_meshes_add_nothing() -> None:
    ob = add("A", cube_mesh())
    assert not check().pairs
    array = ob.modifiers.new("Array", "ARRAY")
    array.count, array.relative_offset_displace = 3, (0.75, 0.0, 0.0)
    found = rows(check())
    assert found["A: part 1", "A: part 2"] == "PENETRATING" and ("A: part 1", "A: part 3") not in found


def test_an_instanced_object_is_tested_once_and_colliders_are_named() -> None:
    collection = bpy.data.collections.new("Shelf")
    collection.objects.link(bpy.data.objects.new("Crate", cubes_mesh((0, 0, 0), (1, 0, 0))))
    for name, x in (("One", 0), ("Two", 50)):
        holder = add(name, location=(x, 0, 0))
        holder.instance_type, holder.instance_collection = "COLLECTION", collection
    found = rows(check())
    assert sorted(name for name, _ in found) == ["One/Crate", "One/Crate: part 1"]


def test_accepting_selecting_and_the_panel() -> None:
    add("Gate", cubes_mesh((0, 0, 0), (1.5, 0, 0), (3, 0, 0)))
    settings = bpy.context.scene.collision_kit
    settings.scope, settings.self_check = "ALL", True
    ops.check_collisions()
    assert len(last_check.report.pairs) == 3 and len(last_check.report.tested_bodies) == 1
    ops.select_pair(row=0)
    assert [ob.name for ob in bpy.context.selected_objects] == ["Gate"]
    report = check()
    api.accept_pair(report, report.pairs[0], "glued")
    assert len(api.faults(check())) == 2
    bpy.data.objects["Gate"].name = "Door"
    names = {last_check.pair_name(pair) for pair in last_check.report.pairs}
    last_check.names = {ob.session_uid: ob.name for ob in bpy.data.objects}
    names = {last_check.pair_name(pair) for pair in last_check.report.pairs}
    assert "Door: part 1 × Door: part 2" in names and "Door × Door: crossing faces" in names
    settings.planar.dimension = "PLANE"
    assert api.check_settings().self_check is False
    with pytest.raises(ValueError, match="plane"):
        check(plane="XY")


def test_divided_into_steps_it_finds_the_same() -> None:
    add("Gate", cubes_mesh((0, 0, 0), (1.5, 0, 0), (3, 0, 0)))
    steps = api.check_collisions_steps(scope="ALL", self_check=True)
    while True:
        try:
            next(steps)
        except StopIteration as end:
            assert rows(end.value) == rows(check())
            break


def run(capfd, *arguments: str) -> tuple[int, str]:
    capfd.readouterr()
    code = commands.command(arguments)
    output = capfd.readouterr()
    return code, output.out or output.err


def test_the_command_line(tmp_path, capfd) -> None:
    add("Gate", cubes_mesh((0, 0, 0), (1.5, 0, 0)))
    path, before = str(tmp_path / "scene.blend"), str(tmp_path / "before.json")
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    code, output = run(capfd, "check", path)
    assert code == 0 and "Nothing to collide with: only 1 body" in output and "--self" in output
    code, output = run(capfd, "check", path, "--self")
    assert code == 1 and "Gate: part 1  ×  Gate: part 2" in output and "faces cross" in output
    assert "1 body tested, 2 penetrating" in output
    assert run(capfd, "check", path, "--self", "--output", before)[0] == 1
    found = json.loads((tmp_path / "before.json").read_text(encoding="utf-8"))
    pairs = {(pair["a"], pair["b"]): pair["faces"] for pair in found["pairs"]}
    assert pairs["Gate: part 1", "Gate: part 2"] == [] and pairs["Gate", "Gate: crossing faces"]
    assert [body["part"] for body in found["bodies"]] == [None, 1, 2, -1]
    assert run(capfd, "check", path, "--self", "--baseline", before)[0] == 0
    (tmp_path / "collision-kit.toml").write_text("[check]\nself = true\n", encoding="utf-8")
    assert run(capfd, "check", path)[0] == 1
    (tmp_path / "collision-kit.toml").write_text(
        '[check]\nself = true\n[[ignore]]\na = ["Gate: part *"]\nb = ["Gate: part *"]\n'
        '[[ignore]]\na = ["Gate"]\nb = ["Gate: crossing faces"]\n',
        encoding="utf-8",
    )
    assert run(capfd, "check", path)[0] == 0
    code, output = run(capfd, "check", path, "--plane", "xy")
    assert code == 2 and "in space only" in output
