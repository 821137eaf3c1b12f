# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders fill nothing that is empty and make nothing collide that was apart, unless it is said."""

import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.colliders import decomposition
from collision_kit.addon.colliders.new_collisions import Before
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.scene.colliders.sources import read_sources
from collision_kit.core import fit
from tests.helpers.blender.bridge_scene import CUBE_FACES, CUBE_VERTICES, add, cube_mesh, mesh, sphere_mesh
from tests.helpers.blender.colliders_scene import select
from tests.helpers.blender.command_errors import run, save
from tests.helpers.report_schemas import mistakes

pytestmark = pytest.mark.usefixtures("scene")

HAS_PIECES = decomposition.is_available()


def boxes(*pairs):
    """One mesh of closed boxes, given by their lower and upper corners."""
    points, faces = [], []
    for low, high in pairs:
        middle, half = (np.array(high) + low) / 2.0, (np.array(high) - low) / 2.0
        faces += [[len(points) + corner for corner in face] for face in CUBE_FACES]
        points += (np.array(CUBE_VERTICES) * half + middle).tolist()
    return mesh(points, faces)


def extruded(columns, rows, missing, thick):
    """A wall of squares, closed; those that are missing are openings."""
    index = np.arange((columns + 1) * (rows + 1)).reshape(columns + 1, rows + 1)
    faces = [
        (index[x, z], index[x + 1, z], index[x + 1, z + 1], index[x, z + 1])
        for x in range(columns)
        for z in range(rows)
        if (x, z) not in missing
    ]
    count = index.size
    sides = {(face[i], face[(i + 1) % 4]) for face in faces for i in range(4)}
    border = [(a, b) for a, b in sides if (b, a) not in sides]
    points = [(x, y, z) for y in (0.0, thick) for x in range(columns + 1) for z in range(rows + 1)]
    back = [tuple(corner + count for corner in face[::-1]) for face in faces]
    return mesh(points, [*faces, *back, *((b, a, a + count, b + count) for a, b in border)])


def doorway():
    """A wall of 10 by 3 m with a doorway of 1 by 2 m, whose half width is far less than a tenth of the wall."""
    return extruded(10, 3, {(4, 0), (4, 1)}, 0.2)


def window():
    return extruded(10, 3, {(4, 1)}, 0.2)


def room():
    """Walls, floor and ceiling of a room of 6 m, of boxes that share no face."""
    return boxes(
        ((-3.0, -3.0, -0.2), (3.0, 3.0, 0.0)),
        ((-3.0, -3.0, 3.0), (3.0, 3.0, 3.2)),
        ((-3.2, -3.0, 0.0), (-3.0, 3.0, 3.0)),
        ((3.0, -3.0, 0.0), (3.2, 3.0, 3.0)),
        ((-3.0, 3.0, 0.0), (3.0, 3.2, 3.0)),
    )


def terrain():
    return mesh(
        [(x, y, float(x % 2 == 0) * 2.0 - 0.5 * y) for x in range(5) for y in range(5)],
        [(5 * x + y, 5 * x + 5 + y, 5 * x + 6 + y, 5 * x + 1 + y) for x in range(4) for y in range(4)],
    )


def crate(without: int):
    """A cube without one of its faces: 4 is the bottom, 5 the top."""
    return mesh(CUBE_VERTICES, [face for row, face in enumerate(CUBE_FACES) if row != without])


def ell():
    return boxes(((0, 0, 0), (3, 1, 1)), ((0, 1, 0), (1, 3, 1)))


def kinds(made):
    return sorted((one.owner, one.kind) for one in made.colliders)


def ids(made):
    return [(one.severity, one.id) for one in made.issues]


def active(ob):
    with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
        bpy.ops.rigidbody.object_add(type="ACTIVE")


@pytest.mark.parametrize("engine", ["GODOT", "UNITY", "GLTF"])
@pytest.mark.parametrize("shape", [doorway, window, terrain])
def test_the_best_of_what_is_concave_and_static_is_its_triangles(shape, engine: str) -> None:
    add("Level", shape())
    made = api.make_collider(["Level"], "BEST", engine=engine)
    assert kinds(made) == [("Level", "MESH")] and made.issues == ()


@pytest.mark.parametrize(("shape", "engine"), [(doorway, "GODOT"), (room, "UNREAL"), (ell, "UNREAL")])
def test_no_single_shape_is_fitted_where_the_hull_is_too_loose_already(shape, engine: str, monkeypatch) -> None:
    fitted = []
    monkeypatch.setattr(fit, "best_primitive", lambda *given, **options: fitted.append(given))
    add("Level", shape())
    assert len(api.make_collider(["Level"], "BEST", engine=engine).colliders) > (engine == "UNREAL")
    assert not fitted


def test_one_shape_is_fitted_after_all_to_what_moves_if_pieces_are_too_loose_too(monkeypatch) -> None:
    monkeypatch.setattr(decomposition, "is_available", lambda: False)
    fitted, best_primitive = [], fit.best_primitive
    monkeypatch.setattr(
        fit, "best_primitive", lambda *given, **options: fitted.append(given) or best_primitive(*given, **options)
    )
    ob = add("Bowl", terrain())
    active(ob)
    (one,) = api.make_collider(["Bowl"], "BEST", engine="GODOT").colliders
    assert one.kind != "MESH" and len(fitted) == 1


def test_the_best_of_convex_parts_is_those_parts() -> None:
    add(
        "Table",
        boxes(
            ((0, 0, 0.7), (1.6, 0.8, 0.75)), *(((x, y, 0), (x + 0.1, y + 0.1, 0.7)) for x in (0, 1.5) for y in (0, 0.7))
        ),
    )
    for engine in ("UNREAL", "GODOT"):
        made = api.make_collider(["Table"], "BEST", engine=engine)
        assert [one.kind for one in made.colliders] == ["HULL"] * 5 and made.issues == ()
        (whole,) = made.decomposed
        assert whole.quality.gap + whole.quality.gap_error < 1e-5


@pytest.mark.parametrize(
    ("shape", "issue"),
    [
        (doorway, "closes-opening"),
        (room, "collider-sticks-out"),
        (room, "collider-too-large"),
        (ell, "collider-sticks-out"),
        (terrain, "collider-sticks-out"),
    ],
)
def test_another_kind_that_is_too_loose_is_an_issue(shape, issue: str) -> None:
    add("Level", shape())
    made = api.make_collider(["Level"], "HULL", engine="GODOT")
    assert ("warning", issue) in ids(made)
    assert kinds(made) == [("Level", "HULL")]


def test_what_a_mesh_stands_on_may_be_open() -> None:
    for number, (name, without) in enumerate((("Crate", 4), ("Bin", 5))):
        add(name, crate(without), at=(5.0 * number, 0.0, 0.0))
    made = api.make_collider(["Crate", "Bin"], "BEST", engine="GODOT")
    assert kinds(made) == [("Bin", "MESH"), ("Crate", "BOX")]
    made = api.make_collider(["Crate", "Bin"], "BOX", engine="GODOT")
    assert [(one.id, one.object) for one in made.issues] == [("collider-sticks-out", "Bin_01-convcolonly")]


def test_a_gap_that_is_asked_for_is_not_said() -> None:
    add("Level", ell())
    made = api.make_collider(["Level"], "BEST", engine="GODOT", gap=2.0)
    assert len(made.colliders) == 1 and made.colliders[0].kind != "MESH" and made.issues == ()


@pytest.mark.skipif(not HAS_PIECES, reason="CoACD is not installed")
def test_what_moves_gets_pieces_and_no_triangles() -> None:
    ob = add("Level", doorway())
    active(ob)
    made = api.make_collider(["Level"], "BEST", engine="GODOT", selected_faces=False)
    assert {one.kind for one in made.colliders} == {"HULL"} and len(made.colliders) > 1


def test_unreal_gets_few_pieces() -> None:
    add("Wall", doorway())
    made = api.make_collider(["Wall"], "BEST", engine="UNREAL")
    assert len(made.colliders) > 1 and made.issues == ()


def test_unreal_gets_none_where_few_pieces_do_not_fit_and_it_says_what_to_set(monkeypatch) -> None:
    monkeypatch.setattr(decomposition, "LIBRARY", "a_library_that_is_nowhere")
    bpy.ops.mesh.primitive_torus_add(major_segments=16, minor_segments=8)
    bpy.context.object.name = "Ring"
    with pytest.raises(ValueError, match="Use Complex Collision As Simple"):
        api.make_collider(["Ring"], "BEST", engine="UNREAL")
    assert not api.colliders_of(["Ring"])


@pytest.mark.parametrize("shape", [doorway, window, ell])
def test_walls_with_openings_become_their_boxes_without_coacd(shape, monkeypatch) -> None:
    monkeypatch.setattr(decomposition, "LIBRARY", "a_library_that_is_nowhere")
    add("Wall", shape())
    made = api.make_collider(["Wall"], "BEST", engine="UNREAL")
    assert len(made.colliders) > 1 and made.issues == ()
    (together,) = made.decomposed
    assert together.quality.mesh_ratio == pytest.approx(1.0, abs=1e-4)


def test_bodies_that_only_touched_do_not_collide_with_the_best() -> None:
    for number in range(3):
        add(f"Ball {number}", sphere_mesh(1.0), at=(0.0, 0.0, 2.0 * number))
    loose = api.make_collider(["Ball 0", "Ball 1", "Ball 2"], "BUDGET_HULL", engine="GODOT", budget=8)
    assert [(one.a, one.b) for one in loose.new_collisions] == [("Ball 0", "Ball 1"), ("Ball 1", "Ball 2")]
    assert [one.id for one in loose.issues].count("new-collision") == 2
    for ob in api.colliders_of(["Ball 0", "Ball 1", "Ball 2"]):
        bpy.data.objects.remove(ob)
    best = api.make_collider(["Ball 0", "Ball 1", "Ball 2"], "BEST", engine="GODOT")
    assert best.new_collisions == () and best.issues == ()


def test_what_is_in_a_room_is_found_and_so_is_what_is_apart_now() -> None:
    add("Room", room())
    add("Ball", sphere_mesh(0.5), at=(0.0, 0.0, 1.0))
    add("Far", sphere_mesh(0.5), at=(30.0, 0.0, 1.0))
    made = api.make_collider(["Room"], "BOX", engine="GODOT")
    assert [(one.a, one.b) for one in made.new_collisions] == [("Ball", "Room")]
    bpy.data.objects.remove(made.colliders[0].object)
    bpy.data.objects["Ball"].location = (0.0, 0.0, 0.4)
    bpy.context.view_layer.update()
    made = api.make_collider(["Ball"], "BOX", engine="GODOT")
    assert made.new_collisions == made.gone_collisions == ()
    made.colliders[0].object.location.z += 9.0


def reported(path: Path) -> dict:
    report = json.loads(path.read_text("utf-8"))
    assert mistakes("make", report) == []
    return report


def test_the_command_says_what_has_changed(tmp_path: Path, capfd) -> None:
    add("Room", room())
    for number in range(2):
        add(f"Ball {number}", sphere_mesh(0.5), at=(2.0 * number - 1.0, 0.0, 1.0))
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    page = tmp_path / "made.html"
    make = ("make", file, "--engine", "godot", "--output", out, "--output", report, "--output", "-", "--output", page)
    code, output, _ = run(capfd, *make, "--kind", "hull", "--objects", "Room")
    assert code == 1
    found = reported(report)
    assert found["collisions"] == {"new": [{"a": f"Ball {n}", "b": "Room"} for n in (0, 1)], "gone": []}
    line = "2 pairs that were apart now collide: Ball 0 × Room, Ball 1 × Room"
    assert line in output.splitlines() and line in page.read_text("utf-8")
    assert {"closes-opening", "collider-sticks-out", "collider-too-large"} & {
        one.get("id") for one in found["findings"]
    }
    assert run(capfd, *make, "--kind", "hull", "--objects", "Room", "--fail-on", "none")[0] == 0
    code, output, _ = run(capfd, *make, "--kind", "best")
    assert code == 0 and "now collide" not in output
    found = reported(report)
    assert found["findings"] == [] and {one["owner"]: one["kind"] for one in found["colliders"]}["Room"] != "box"


def flat(name: str, outline, **fields):
    return add(name, mesh([(*point, 0.0) for point in outline], [range(len(outline))]), **fields)


def level_of_flat_things() -> None:
    turn = 2.0 * np.pi * np.arange(6) / 6
    flat("Rectangle", [(-2, -1), (2, -1), (2, 1), (-2, 1)], rotation_euler=(0.3, 0.2, 0.1))
    flat("Hexagon", np.stack([np.cos(turn), np.sin(turn)], axis=1).tolist(), at=(9.0, 0.0, 0.0))
    flat("Angle", [(0, 0), (2, 0), (2, 1), (1, 1), (1, 2), (0, 2)], at=(18.0, 0.0, 0.0))
    bpy.ops.curve.primitive_bezier_circle_add(location=(27.0, 0.0, 0.0))
    bpy.context.object.name = "Disk"
    bpy.context.object.data.dimensions, bpy.context.object.data.fill_mode = "2D", "BOTH"


@pytest.mark.parametrize("kind", ["best", "box", "hull", "budget-hull", "pieces"])
@pytest.mark.parametrize("engine", ["unreal", "godot", "unity", "gltf", "any", "usd"])
def test_what_is_flat_gets_a_box_with_a_thickness_that_the_engine_takes(
    kind: str, engine: str, tmp_path: Path, capfd
) -> None:
    level_of_flat_things()
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    make = ("make", file, "--kind", kind, "--engine", engine, "--output", out, "--output", report)
    assert run(capfd, *make)[0] == 0
    found = reported(report)
    assert {one["owner"]: one["kind"] for one in found["colliders"]} == dict.fromkeys(
        ("Rectangle", "Hexagon", "Angle", "Disk"), "box"
    )
    said = [(one["severity"], one["id"], one["message"]) for one in found["findings"]]
    assert said == [("info", "flat-mesh", "Mesh is flat: its box is 0.02 m thick.")] * 4
    code, output, _ = run(capfd, "validate", out, "--engine", engine)
    assert code == 0, output


def test_what_lies_on_a_flat_mesh_does_so_still() -> None:
    flat("Ground", [(-5, -5), (5, -5), (5, 5), (-5, 5)])
    flat("Wall", [(-5, -5), (5, -5), (5, 5), (-5, 5)], at=(0.0, 5.0, 5.0), rotation_euler=(0.5 * np.pi, 0.0, 0.0))
    add("Crate", cube_mesh(), at=(0.0, 4.0, 1.0))
    made = api.make_collider(["Ground", "Wall", "Crate"], "BEST", engine="UNREAL")
    assert made.new_collisions == ()
    (ground,) = api.colliders_of(["Ground"])
    heights = [(ground.matrix_world @ vertex.co).z for vertex in ground.data.vertices]
    assert (min(heights), max(heights)) == pytest.approx((-0.02, 0.0), abs=1e-6)


def test_paths_and_wires_get_none_and_are_no_issue(tmp_path: Path, capfd) -> None:
    add("Crate", cube_mesh())
    bpy.ops.curve.primitive_bezier_circle_add(radius=10.0)
    bpy.context.object.name = "Path"
    add("Wire", mesh([(0, 0, 0), (1, 0, 0), (1, 1, 1)], edges=[(0, 1), (1, 2)]), at=(5.0, 0.0, 0.0))
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    assert run(capfd, "make", file, "--kind", "best", "--engine", "unreal", "--output", out, "--output", report)[0] == 0
    found = reported(report)
    assert [one["owner"] for one in found["colliders"]] == ["Crate"]
    assert found["kept"] == [{"object": name, "message": "has no faces"} for name in ("Path", "Wire")]
    assert found["findings"] == []
    run(capfd, "validate", out, "--engine", "unreal", "--output", report)
    assert json.loads(report.read_text("utf-8"))["findings"] == []
    run(capfd, "validate", file, "--engine", "unreal", "--output", report)
    assert [one["object"] for one in json.loads(report.read_text("utf-8"))["findings"]] == ["Crate"]


def test_the_same_of_many_objects_is_one_line(tmp_path: Path, capfd) -> None:
    for number in range(12):
        flat(f"Sheet {number:02d}", [(-1, -1), (1, -1), (1, 1), (-1, 1)], at=(3.0 * number, 0.0, 0.0))
    file, out = save(tmp_path / "level.blend"), tmp_path / "out.blend"
    _, output, _ = run(capfd, "make", file, "--kind", "box", "--engine", "unity", "--output", out, "--output", "-")
    (line,) = (line for line in output.splitlines() if "is flat" in line)
    assert line.startswith("  12 objects (") and ", …): info  [flat-mesh] Mesh is flat" in line


def test_information_of_one_kind_about_many_objects_is_one_line(tmp_path: Path, capfd) -> None:
    for number in range(5):
        bpy.ops.mesh.primitive_grid_add(x_subdivisions=40 + number, y_subdivisions=40, location=(9.0 * number, 0, 0))
        for vertex in bpy.context.object.data.vertices:
            vertex.co.z = 0.2 * (vertex.index % 3)
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    make = ("make", file, "--kind", "mesh", "--engine", "godot", "--output", out)
    (line,) = (line for line in run(capfd, *make, "--output", "-")[1].splitlines() if "[triangle-budget]" in line)
    assert line.startswith("  5 objects (") and line.endswith(" 4 more like it.")
    run(capfd, *make, "--output", report)
    assert len({one["message"] for one in reported(report)["findings"]}) == 5


def test_a_triangle_mesh_larger_than_the_limit_is_an_issue(tmp_path: Path, capfd) -> None:
    bpy.ops.mesh.primitive_grid_add(x_subdivisions=40, y_subdivisions=40)
    bpy.context.object.name = "Ground"
    for vertex in bpy.context.object.data.vertices:
        vertex.co.z = 0.2 * (vertex.index % 3)
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    make = ("make", file, "--kind", "mesh", "--engine", "godot", "--output", out, "--output", report)
    assert run(capfd, *make)[0] == 0
    found = [(one["id"], one["severity"], one["object"]) for one in reported(report)["findings"]]
    assert found == [("triangle-budget", "info", "Ground_01-colonly")]


def test_instances_of_collections_get_none_and_are_named(tmp_path: Path, capfd) -> None:
    with_collider, without = (bpy.data.collections.new(name) for name in ("Tables", "Chairs"))
    table = add("Table", cube_mesh(), collection=with_collider)
    add("UBX_Table_01", cube_mesh(), collection=with_collider, parent=table)
    add("Chair", cube_mesh(), collection=without)
    for number, collection in enumerate((with_collider, without)):
        ob = add(f"{collection.name} 1", None, at=(9.0 * number, 0.0, 0.0))
        ob.instance_type, ob.instance_collection = "COLLECTION", collection
    add("Crate", cube_mesh(), at=(0.0, 9.0, 0.0))
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    make = ("make", file, "--kind", "box", "--engine", "unreal", "--output", out, "--output", report)
    assert run(capfd, *make)[0] == 0
    found = reported(report)
    assert [one["owner"] for one in found["colliders"]] == ["Crate"]
    (kept,) = found["kept"]
    assert kept["object"] == "Chairs 1" and "collection instance" in kept["message"]


def test_what_the_engine_calls_an_error_is_an_issue(tmp_path: Path, capfd) -> None:
    add("Ball", sphere_mesh(1.0, 64, 64))
    file, out, report = save(tmp_path / "level.blend"), tmp_path / "out.blend", tmp_path / "made.json"
    make = ("make", file, "--kind", "hull", "--engine", "unity", "--output", out, "--output", report)
    assert run(capfd, *make)[0] == 1
    found = {(one["id"], one["severity"]) for one in reported(report)["findings"]}
    assert found >= {("unity-vertices", "error"), ("unity-triangles", "error")}


def test_the_operator_makes_the_same() -> None:
    room_ = add("Room", room())
    add("Ball", sphere_mesh(0.5), at=(0.0, 0.0, 1.0))
    select(room_)
    assert bpy.ops.collision_kit.make_collider(kind="BEST", engine="GODOT") == {"FINISHED"}
    made = api.colliders_of(["Room"])
    assert made and all(ob.collision_kit.shape in {"HULL", "MESH"} for ob in made)
    assert not api.check_collisions().pairs
    for ob in made:
        bpy.data.objects.remove(ob)
    select(room_)
    assert bpy.ops.collision_kit.make_collider(kind="BOX", engine="GODOT") == {"FINISHED"}
    assert api.check_collisions().pairs


def test_what_has_triangles_in_the_end_is_not_said_to_be_apart() -> None:
    rock, ground = add("Rock", cube_mesh()), add("Ground", cube_mesh(), at=(0.0, 0.0, -1.5))
    sources, _ = read_sources(bpy.context, [rock, ground], "OBJECTS")
    before = exhausted(Before.reading(bpy.context, sources))
    # At first both have other shapes. Then the triangles of the ground, and of both, turn out to be better.
    for changed in ([rock, ground], [rock], []):
        found = exhausted(before.changes(bpy.context, [ob.session_uid for ob in changed]))
        assert (found.new, found.gone) == ((), ())
    rock.location.z = 3.0
    assert exhausted(before.changes(bpy.context, [rock.session_uid])).gone == (("Ground", "Rock"),)


@pytest.mark.parametrize("kind", ["HULL", "BUDGET_HULL"])
@pytest.mark.parametrize("seed", range(2))
def test_hulls_have_no_triangles_without_area_once_they_are_rounded(seed: int, kind: str) -> None:
    # The corners and the middles of edges and sides of a box, turned, so that they are rounded.
    turn = np.linalg.qr(np.random.default_rng(seed).normal(size=(3, 3)))[0]
    points = np.array([(x, y, z) for x in np.linspace(-1, 1, 5) for y in np.linspace(-1, 1, 5) for z in (-1, 1)])
    data = mesh((points @ turn).tolist(), [(0, 1, 2), (0, 2, 3), (0, 3, 1), (1, 3, 2)])
    ob = add("Rock", data, scale=(1.0, 0.7, 1.9))
    select(ob)
    assert bpy.ops.collision_kit.make_collider(kind=kind) == {"FINISHED"}
    assert "zero-area" not in {one.rule.id for one in api.validate_colliders().issues}


@pytest.mark.parametrize("engine", ["godot", "gltf"])
def test_colliders_come_back_from_gltf_without_a_vertex_for_each_normal(engine: str, tmp_path: Path, capfd) -> None:
    data = terrain()
    for ob in (
        add("Ground", data),
        add("Room", room(), at=(20.0, 0.0, 0.0)),
        add("Rock", crate(5), at=(40.0, 0.0, 0.0)),
    ):
        ob.data.shade_flat()
    file, out = save(tmp_path / "level.blend"), tmp_path / "level.glb"
    assert run(capfd, "make", file, "--kind", "best", "--engine", engine, "--output", out)[0] == 0
    code, output, _ = run(capfd, "validate", out, "--engine", engine, "--format", "json")
    found = json.loads(output)
    assert (code, found["tested"]["colliders"] >= 3) == (0, True)
    assert "duplicate-vertices" not in {one["id"] for one in found["findings"]}
