# SPDX-License-Identifier: GPL-3.0-or-later
"""Concave meshes in convex pieces, with CoACD where it is installed and without it."""

import os
import re
import signal
import subprocess
import sys
import zipfile
from pathlib import Path

import bpy
import numpy as np
import pytest
from mathutils import Euler, Matrix
from scipy.spatial import ConvexHull

from collision_kit import api
from collision_kit.addon.colliders import choosing
from collision_kit.addon.colliders import decomposition as colliders_pieces
from collision_kit.addon.colliders.fit import FitRequest
from collision_kit.addon.colliders.scene_making import MakeRequest, steps
from collision_kit.addon.model.steps import exhausted
from collision_kit.addon.scene.colliders.sources import source_of
from collision_kit.addon.scene.meshes.geometry import GeometryReader
from collision_kit.core.convexity import check_convexity
from collision_kit.core.query.queries import distance
from collision_kit.core.shapes import Hulls, Spheres
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, mesh, world_vertices
from tests.helpers.blender.colliders_scene import build, select

pytestmark = pytest.mark.usefixtures("scene")

needs_library = pytest.mark.skipif(not colliders_pieces.is_available(), reason="CoACD is not installed")


def make(**options) -> list[bpy.types.Object]:
    before = set(bpy.data.objects)
    assert bpy.ops.collision_kit.make_collider_pieces(**options) == {"FINISHED"}
    return sorted(set(bpy.data.objects) - before, key=lambda ob: ob.name)


def held_by_one(pieces: list[bpy.types.Object], points: np.ndarray) -> None:
    """Each point is in one of the pieces."""
    balls = Spheres(points, np.zeros(len(points)))
    apart = [distance(balls, Hulls.from_points([world_vertices(piece)])).distance for piece in pieces]
    assert np.min(apart, axis=0).max() <= 4e-6 * (1.0 + np.abs(points).max())


def convex(ob: bpy.types.Object) -> bool:
    ob.data.calc_loop_triangles()
    points = np.array([vertex.co for vertex in ob.data.vertices], np.float32)
    corner = np.array([triangle.vertices for triangle in ob.data.loop_triangles])
    polygon = np.array([triangle.polygon_index for triangle in ob.data.loop_triangles])
    return check_convexity(points, corner, polygon).convex


def table_mesh():
    """A top and four legs, none of which touch."""
    vertices, faces = [], []
    boxes = [((2.0, 1.0, 0.1), (0.0, 0.0, 1.2))]
    boxes += [((0.1, 0.1, 0.5), (x, y, 0.5)) for x in (-1.8, 1.8) for y in (-0.8, 0.8)]
    for half, center in boxes:
        one, start = cube_mesh(half, center), len(vertices)
        vertices += [tuple(vertex.co) for vertex in one.vertices]
        faces += [[start + corner for corner in polygon.vertices] for polygon in one.polygons]
    return mesh(vertices, faces)


def test_without_the_library_it_is_loose_parts_and_says_so(monkeypatch, capfd) -> None:
    monkeypatch.setattr(colliders_pieces, "LIBRARY", "a_library_that_is_nowhere")
    ob = build("uneven", table_mesh())
    made = make()
    assert [piece.name for piece in made] == [f"UCX_Rock_{number:02d}" for number in range(1, 6)]
    assert "CoACD" in capfd.readouterr().out
    held_by_one(made, world_vertices(ob))
    assert all(convex(piece) for piece in made)
    assert {piece.collision_kit.collider.kind for piece in made} == {"PIECE"}
    select(ob)
    make(pieces=4)
    assert "more parts" in capfd.readouterr().out


def test_budgets_hold_for_each_piece(monkeypatch) -> None:
    monkeypatch.setattr(colliders_pieces, "LIBRARY", "a_library_that_is_nowhere")
    points = np.random.default_rng(0).normal(size=(200, 3))
    hull = Hulls.from_points([points]).geometry[0]
    ob = build("plain", mesh(points.tolist(), [list(face) for face in hull.faces]))
    (piece,) = make(budget=12)
    assert len(piece.data.vertices) <= 12
    held_by_one([piece], world_vertices(ob)[hull.vertices])


def test_points_outside_all_pieces_join_the_nearest() -> None:
    cube = np.array([(x, y, z) for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
    extra = np.array([(-0.5, 0.5, 0.5), (0.5, 0.5, 0.5), (6.5, 0.5, 0.5)])
    shifted = cube + np.array((5.0, 0.0, 0.0))
    near, far = colliders_pieces.held(np.concatenate([cube, extra]), [cube, shifted])
    assert {tuple(point) for point in near} - {tuple(point) for point in cube} == {(-0.5, 0.5, 0.5)}
    assert {tuple(point) for point in far} - {tuple(point) for point in shifted} == {(6.5, 0.5, 0.5)}


def test_what_is_flat_has_a_box(monkeypatch) -> None:
    monkeypatch.setattr(colliders_pieces, "LIBRARY", "a_library_that_is_nowhere")
    build("plain", mesh([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [(0, 1, 2)]))
    assert bpy.ops.collision_kit.make_collider_pieces() == {"FINISHED"}
    assert {ob.name for ob in bpy.data.objects} == {"Rock", "UBX_Rock_01"}


class FakeLibrary:
    """Puts a module called like the library where the process that is started finds it, and has it used always."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path, body: str) -> None:
        (folder / f"{colliders_pieces.LIBRARY}.py").write_text(body)
        monkeypatch.syspath_prepend(str(folder))
        monkeypatch.setattr(colliders_pieces, "_cut_by_planes", lambda *_: [])


HALVES = """
import numpy
def set_log_level(level): pass
class Mesh:
    def __init__(self, points, triangles): self.points = points
def run_coacd(mesh, max_convex_hull, seed, **options):
    assert max_convex_hull == 2
    middle = mesh.points[:, 0].mean()
    sides = [mesh.points[:, 0] <= middle, mesh.points[:, 0] >= middle]
    return [(0.9 * mesh.points[side], None) for side in sides]
"""


def test_what_the_library_makes_becomes_colliders_that_hold_every_vertex(monkeypatch, tmp_path) -> None:
    FakeLibrary(monkeypatch, tmp_path, HALVES)
    ob = build("turned", l_mesh())
    made = make(pieces=2)
    assert len(made) == 2
    held_by_one(made, world_vertices(ob))


def test_what_the_library_says_when_it_fails_is_passed_on(monkeypatch, tmp_path) -> None:
    FakeLibrary(monkeypatch, tmp_path, HALVES.replace("assert max_convex_hull == 2", "raise OSError('out of clay')"))
    build("turned", l_mesh())
    with pytest.raises(RuntimeError, match="out of clay"):
        bpy.ops.collision_kit.make_collider_pieces()
    assert len(bpy.data.objects) == 1


def begun(monkeypatch, tmp_path):
    """The steps of a decomposition that never ends, and its process."""
    FakeLibrary(monkeypatch, tmp_path, "import time\ntime.sleep(600)\n")
    started = []
    usual = subprocess.Popen

    def popen(*arguments, **options):
        started.append(usual(*arguments, **options))
        return started[-1]

    monkeypatch.setattr(subprocess, "Popen", popen)
    ob = build("turned", l_mesh())
    geometry = GeometryReader().read(ob.evaluated_get(bpy.context.evaluated_depsgraph_get()))
    steps = colliders_pieces.steps([source_of(ob, geometry)], FitRequest("PIECE", "UNREAL"), 8, "FAST")
    for _ in range(3):
        next(steps)
    (process,) = started
    assert process.poll() is None
    return steps, process


def test_closing_the_steps_ends_the_process(monkeypatch, tmp_path) -> None:
    steps, process = begun(monkeypatch, tmp_path)
    steps.close()
    assert process.poll() is not None
    assert process.args[0] == sys.executable


def test_the_process_ends_when_blender_is_killed(monkeypatch, tmp_path) -> None:
    steps, process = begun(monkeypatch, tmp_path)
    # The system closes this end of the pipe when Blender ends, however it does.
    process.stdin.close()
    code = process.wait(60.0)
    assert code in ((1, -signal.SIGIO) if sys.platform == "linux" else (0,))
    steps.close()


def test_the_library_is_there_after_installing_the_zip() -> None:
    path = os.environ.get("COLLISION_KIT_ZIP")
    if path is None:
        pytest.skip("not the installed extension: run tests/run_in_blender.py")
    with zipfile.ZipFile(path) as archive:
        brings = any(name.startswith("wheels/coacd-") for name in archive.namelist())
    if not brings:
        pytest.skip("the zip was built without the wheel, or there is none for this platform")
    assert colliders_pieces.is_available()
    assert colliders_pieces.lacking() == ""


def test_where_there_is_no_library_it_says_whether_there_could_be_one(monkeypatch) -> None:
    monkeypatch.setattr(colliders_pieces, "LIBRARY", "a_library_that_is_nowhere")
    assert colliders_pieces.lacking().startswith("CoACD is not installed")
    monkeypatch.setattr(colliders_pieces.sys, "platform", "darwin")
    monkeypatch.setattr(colliders_pieces.platform, "machine", lambda: "x86_64")
    assert colliders_pieces.lacking().startswith("CoACD does not exist for this platform")


PRINTED = """
iter 0 ---- waiting pool: 1
Processing [0.0%]
iter 1 ---- waiting pool: 4
Processing [25.0%]
Processing [75.0%]
"""


def test_how_far_it_is_comes_from_what_the_library_prints() -> None:
    begin = colliders_pieces.Progress(1, 3)
    assert colliders_pieces._how_far(b"threshold 0.05", begin) == begin
    lines = PRINTED.encode().splitlines(keepends=True)
    seen = [colliders_pieces._how_far(b"".join(lines[:count]), begin) for count in range(len(lines) + 1)]
    assert [(one.round, one.part) for one in seen[-3:]] == [(2, 0.0), (2, 0.25), (2, 0.5)]
    shares = [one.share for one in seen]
    assert shares == sorted(shares)
    assert shares[0] == pytest.approx(1 / 3) and shares[-1] < 2 / 3


def torus_mesh(around: int = 24, across: int = 8):
    turn, tilt = (np.arange(count) * 2.0 * np.pi / count for count in (around, across))
    out = 1.0 + 0.25 * np.cos(tilt)
    points = [(r * np.cos(a), r * np.sin(a), z) for a in turn for r, z in zip(out, 0.25 * np.sin(tilt), strict=True)]
    corners = [(0, 0), (1, 0), (1, 1), (0, 1)]
    faces = [
        [((i + di) % around) * across + (j + dj) % across for di, dj in corners]
        for i in range(around)
        for j in range(across)
    ]
    return mesh(points, faces)


@needs_library
@pytest.mark.parametrize(
    "preset", ["FAST", *(pytest.param(preset, marks=pytest.mark.slow) for preset in ("BALANCED", "FINE"))]
)
def test_a_torus_is_followed_by_eight_pieces(preset: str, capfd) -> None:
    ob = build("turned", torus_mesh())
    made = make(pieces=8, preset=preset, budget=64)
    assert len(made) == 8
    assert all(convex(piece) for piece in made)
    points = world_vertices(ob)
    held_by_one(made, points)
    total = sum(ConvexHull(world_vertices(piece)).volume for piece in made)
    assert total <= 0.7 * ConvexHull(points).volume
    # What the message says is so: by another library, and within the three digits that are shown.
    said = capfd.readouterr().out
    ratio = re.search(r"([\d.]+) × the volume of the hull", said)
    assert ratio is not None and float(ratio[1]) == pytest.approx(total / ConvexHull(points).volume, rel=6e-3)
    assert "× the volume of the mesh" in said and "largest gap" in said


@needs_library
def test_scripts_are_told_how_well_the_pieces_stand_for_the_mesh() -> None:
    ob = build("even", l_mesh())
    made = api.make_collider_pieces([ob], pieces=4, preset="FAST")
    (one,) = made.decomposed
    assert one.owner == ob.name
    assert one.quality.count == len(made.colliders)
    volumes = [ConvexHull(world_vertices(each.object)).volume for each in made.colliders]
    assert one.quality.volume == pytest.approx(sum(volumes), rel=1e-5)
    assert one.quality.mesh_ratio == pytest.approx(sum(volumes) / (3.0 * 2.5**3), rel=1e-5)
    with pytest.raises(ValueError, match="preset"):
        api.make_collider_pieces([ob], preset="QUICK")


# The library takes seconds for each shape; others of these tests ask it for fewer pieces.
@pytest.mark.slow
@needs_library
def test_the_library_follows_a_hollow() -> None:
    ob = build("even", l_mesh())
    made = make(pieces=4)
    assert 2 <= len(made) <= 4
    held_by_one(made, world_vertices(ob))
    assert all(convex(piece) for piece in made)
    total = sum(Hulls.from_points([world_vertices(piece)]).geometry[0].volume for piece in made)
    assert total < 3.3 * 2.5**3, "the hull of all has 3.5, the mesh 3"


def test_copies_of_the_same_size_are_cut_up_once(monkeypatch) -> None:
    asked = []

    def cut(source, *_):
        yield from ()
        asked.append(source.owner)
        return [source.points, source.points[: len(source.points) - 3]]

    monkeypatch.setattr(colliders_pieces, "is_available", lambda: True)
    monkeypatch.setattr(colliders_pieces, "_decompose", cut)
    monkeypatch.setattr(colliders_pieces, "_cut_by_planes", lambda *_: [])
    shared = l_mesh()
    places = {
        "first": Matrix.Identity(4),
        "turned": Matrix.LocRotScale((7.0, -3.0, 1.0), Euler((0.5, 1.0, -2.0)), None),
        "larger": Matrix.LocRotScale((0.0, 9.0, 0.0), None, (2.0, 2.0, 2.0)),
        "mirrored": Matrix.LocRotScale((0.0, -9.0, 0.0), None, (-1.0, 1.0, 1.0)),
    }
    for name, matrix in places.items():
        add(name, shared).matrix_world = matrix
    # A copy whose turn is applied: its vertices are rounded elsewhere.
    baked = l_mesh()
    baked.transform(Matrix.LocRotScale((0.3, 0.0, 20.0), Euler((0.1, -0.7, 1.3)), None))
    add("baked", baked)
    add("other", cube_mesh())
    bpy.context.view_layer.update()
    order = MakeRequest("PIECES", "UNREAL")
    report = exhausted(steps(bpy.context, order))
    assert not report.problems
    # The cube is convex.
    assert sorted(asked) == ["first", "larger"]
    for name in ("mirrored", "baked"):
        pieces = [bpy.data.objects[f"UCX_{name}_{number:02d}"] for number in (1, 2)]
        held_by_one(pieces, world_vertices(bpy.data.objects[name]))
    there = np.array(places["turned"])
    for number in (1, 2):
        piece, copy = (bpy.data.objects[f"UCX_{name}_{number:02d}"] for name in ("first", "turned"))
        moved = world_vertices(piece) @ there[:3, :3].T + there[:3, 3]
        held_by_one([copy], moved)


def test_meshes_of_boxes_are_cut_along_their_faces_without_the_library(monkeypatch) -> None:
    def never(*_):
        raise AssertionError("a mesh of two boxes was given to CoACD")
        yield

    monkeypatch.setattr(colliders_pieces, "is_available", lambda: True)
    monkeypatch.setattr(colliders_pieces, "_decompose", never)
    ob = add("Angle", l_mesh())
    ob.matrix_world = Matrix.LocRotScale((7.0, -3.0, 1.0), Euler((0.5, 1.0, -2.0)), (1.0, 2.0, 1.0))
    bpy.context.view_layer.update()
    report = exhausted(steps(bpy.context, MakeRequest("PIECES", "UNREAL")))
    (together,) = report.pieces
    assert len(report.colliders) == 2
    assert together.mesh_ratio == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("available", [True, False])
def test_cuts_that_leave_wide_gaps_are_taken_only_without_the_library(available, monkeypatch) -> None:
    asked = []

    def cut(source, *_):
        yield from ()
        asked.append(source.owner)
        return [source.points]

    monkeypatch.setattr(colliders_pieces, "is_available", lambda: available)
    monkeypatch.setattr(colliders_pieces, "_decompose", cut)
    bpy.ops.mesh.primitive_torus_add(major_segments=12, minor_segments=6)
    bpy.context.object.name = "Ring"
    report = exhausted(steps(bpy.context, MakeRequest("PIECES", "UNREAL", pieces=3)))
    assert asked == ["Ring"] * available
    assert len(report.colliders) == (1 if available else 3)


def test_several_meshes_are_decomposed_at_once_and_copies_wait_for_the_first(monkeypatch) -> None:
    begun, running, most = [], set(), []

    def cut(source, *_):
        begun.append(source.owner)
        running.add(source.owner)
        for _ in range(5):
            most.append(len(running))
            yield colliders_pieces.Progress(0, 1)
        running.remove(source.owner)
        return [source.points]

    monkeypatch.setattr(choosing, "_AT_ONCE", 2)
    monkeypatch.setattr(colliders_pieces, "is_available", lambda: True)
    monkeypatch.setattr(colliders_pieces, "_cut_by_planes", lambda *_: [])
    monkeypatch.setattr(colliders_pieces, "_decompose", cut)
    first = l_mesh()
    outline = [(0, 0), (3, 0), (3, 1), (2, 1), (2, 2), (1, 2), (1, 1), (0, 1)]
    sides = [(i, (i + 1) % 8, (i + 1) % 8 + 8, i + 8) for i in range(8)]
    points = [(x, y, z) for z in (0, 1) for x, y in outline]
    other = mesh(points, [tuple(reversed(range(8))), tuple(range(8, 16)), *sides])
    for name, data in (("A", first), ("B", first), ("C", other), ("D", first)):
        add(name, data)
    bpy.context.view_layer.update()
    report = exhausted(steps(bpy.context, MakeRequest("PIECES", "UNREAL")))
    assert begun == ["A", "C"] and max(most) == 2
    assert [one.owner for one in report.colliders] == ["A", "B", "C", "D"]
