# SPDX-License-Identifier: GPL-3.0-or-later
"""The check in a plane: its verdicts are those of `core.planar`; the report, the panel and the overlay take them."""

import json
import math

import bpy
import numpy as np
import pytest

from collision_kit.addon.cli import commands
from collision_kit.addon.collisions.check import check
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.picture import write_picture
from collision_kit.addon.reports.json import as_json
from collision_kit.addon.reports.text import as_text
from collision_kit.addon.scene.cameras.camera import UnusableCamera
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.session.latest import Change
from collision_kit.addon.ui.operators.check import COLLISION_KIT_OT_check_collisions as CHECK
from collision_kit.addon.ui.panels import COLLISION_KIT_PT_check, COLLISION_KIT_PT_pair, COLLISION_KIT_PT_results
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.core import Verdict, planar
from tests.helpers.blender.bridge_scene import cube_mesh
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import drawn
from tests.helpers.blender.planar_scene import HOLE, SQUARE, L, curve, flat_mesh, frame_mesh, link

pytestmark = pytest.mark.usefixtures("scene")


def pairs(report):
    return {(report.bodies[pair.body_a].name, report.bodies[pair.body_b].name): pair for pair in report.pairs}


def checked(plane="XY", **options):
    bpy.context.view_layer.update()
    return check(bpy.context, "ALL", plane=plane, **options)[0]


def planar_mode(plane="XY") -> None:
    bpy.context.scene.collision_kit.scope = "ALL"
    bpy.context.scene.collision_kit.planar.dimension = "PLANE"
    bpy.context.scene.collision_kit.planar.plane = plane
    bpy.context.view_layer.update()


def add_camera(kind="ORTHO", **fields) -> bpy.types.Object:
    lens = bpy.data.cameras.new("Camera")
    lens.type = kind
    camera = link("Camera", lens, **fields)
    bpy.context.scene.camera = camera
    bpy.context.view_layer.update()
    return camera


def test_the_verdicts_are_those_of_the_known_outlines() -> None:
    rng = np.random.default_rng(8)
    shapes = {}
    for number in range(14):
        place, angle = np.round(rng.uniform(0.0, 10.0, 2), 3), 0.0
        # Places that float32 keeps, so that the outlines are known to the last bit.
        place = place.astype(np.float32).astype(float)
        name, kind = f"Thing {number:02}", number % 4
        if kind == 0:
            frame_mesh(name, location=(*place, 0.1 * number))
            shapes[name] = planar.Regions([(SQUARE, [HOLE])], [place], [angle])
        elif kind == 1:
            curve(name, [L], location=(*place, 0.0))
            shapes[name] = planar.Regions([(L, [])], [place])
        elif kind == 2:
            ob = link(name, None, location=(*place, -1.0))
            ob.empty_display_type, ob.empty_display_size = "SPHERE", 1.5
            ob.collision_kit.shape = "SPHERE"
            shapes[name] = planar.Circles([place], [1.5])
        else:
            flat_mesh(name, [SQUARE], location=(*place, 2.0))
            shapes[name] = planar.Polygons([SQUARE], [place])
    report = checked(clearance=0.5)
    found = pairs(report)
    names = sorted(shapes)
    compared = 0
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            measured = planar.distance(shapes[a], shapes[b])
            verdict = Verdict(int(planar.classify(shapes[a], shapes[b], touching=report.touching, clearance=0.5)[0]))
            assert ((a, b) in found) == (verdict != Verdict.SEPARATED)
            if verdict == Verdict.SEPARATED:
                continue
            pair = found[a, b]
            compared += 1
            assert pair.verdict == verdict
            assert pair.distance == pytest.approx(measured.distance[0], abs=1e-6)
            np.testing.assert_allclose(pair.point_b - pair.point_a, pair.distance * pair.normal, atol=1e-9)
            assert pair.normal[2] == 0.0
            contacts = planar.contacts(shapes[a], shapes[b], margin=report.touching)
            deep = contacts.depth[contacts.depth >= -report.touching]
            np.testing.assert_allclose(np.sort(pair.contact_depths), np.sort(deep), atol=1e-6)
            assert pair.contact_normals.shape == pair.contact_points.shape
    assert compared > 20
    assert {pair.verdict for pair in report.pairs} >= {Verdict.PENETRATING, Verdict.WITHIN_CLEARANCE}


def test_what_is_apart_in_height_meets_in_the_plane_and_only_there() -> None:
    flat_mesh("Low", [SQUARE])
    flat_mesh("High", [SQUARE], location=(3.0, 0.5, 5.0))
    report = checked()
    (pair,) = report.pairs
    assert (pair.verdict, pair.distance) == (Verdict.PENETRATING, -1.0)
    assert {float(z) for z in pair.contact_points[:, 2]} == {5.0}, "in front of both"
    assert not checked(plane="XZ").pairs
    assert not check(bpy.context, "ALL")[0].pairs


def test_what_lies_in_a_hole_touches_nothing_and_what_lies_in_a_solid_is_contained() -> None:
    frame_mesh("Frame")
    flat_mesh("In the hole", [[(1.5, 1.5), (2.5, 1.5), (2.5, 2.5), (1.5, 2.5)]])
    assert not checked().pairs
    flat_mesh("Plate", [SQUARE])
    found = pairs(checked())
    assert found["In the hole", "Plate"].verdict == Verdict.CONTAINED
    assert found["Frame", "Plate"].verdict == Verdict.CONTAINED


@pytest.mark.parametrize(("plane", "normal"), [("XY", (1, 0, 0)), ("XZ", (1, 0, 0)), ("YZ", (0, 1, 0))])
def test_each_plane_tells_its_own_normal(plane, normal) -> None:
    half = 1.0
    for name, shift in (("A", 0.0), ("B", 1.9)):
        ob = link(name, None, location=np.array(normal) * shift)
        ob.empty_display_type, ob.empty_display_size = "CUBE", half
        ob.collision_kit.shape = "BOX"
    (pair,) = checked(plane).pairs
    np.testing.assert_allclose(pair.normal, normal)
    assert pair.distance == pytest.approx(-0.1)
    assert len(pair.contact_points) == 2


def test_the_cameras_plane_is_what_it_sees() -> None:
    for name, place in (("A", (0.0, 0.0, 0.0)), ("B", (0.0, 7.0, 0.5))):
        ob = link(name, None, location=place)
        ob.empty_display_type, ob.empty_display_size = "SPHERE", 1.0
        ob.collision_kit.shape = "SPHERE"
    # From the front, one ball hides the other; from the side they are far apart.
    camera = add_camera(location=(0.0, -20.0, 0.0), rotation_euler=(math.pi / 2, 0.0, 0.0), scale=(3.0, 3.0, 3.0))
    (pair,) = checked("CAMERA").pairs
    assert pair.distance == pytest.approx(-1.5, abs=1e-6)
    np.testing.assert_allclose(pair.normal, (0.0, 0.0, 1.0), atol=1e-6)
    assert pair.contact_points[0, 1] == pytest.approx(-1.0, abs=1e-6), "at the front of the one that is nearer"
    camera.rotation_euler = (math.pi / 2, 0.0, math.pi / 2)
    assert not checked("CAMERA").pairs
    camera.rotation_euler = (math.pi / 2, 0.3, math.pi)
    assert checked("CAMERA").pairs[0].distance == pytest.approx(-1.5, abs=1e-5), "rolled"


@pytest.mark.parametrize("kind", ["PERSP", "PANO"])
def test_a_camera_without_a_parallel_view_is_refused(kind) -> None:
    flat_mesh("A", [SQUARE])
    flat_mesh("B", [SQUARE])
    add_camera(kind)
    with pytest.raises(UnusableCamera, match="Camera"):
        checked("CAMERA")
    planar_mode("CAMERA")
    assert not CHECK.poll(bpy.context)
    bpy.context.scene.camera = None
    with pytest.raises(UnusableCamera, match="no active camera"):
        checked("CAMERA")
    with pytest.raises(ValueError, match="no plane 'XX'"):
        checked("XX")


def test_the_report_says_which_plane_it_is_about() -> None:
    flat_mesh("A", [SQUARE])
    flat_mesh("B", [SQUARE], location=(3.0, 0.0, 0.0))
    report = checked()
    told = json.loads(as_json(report))
    assert told["plane"] == "XY"
    assert told["schema_version"] == 1
    (shape,) = told["bodies"][0]["shapes"]
    assert (shape["object"], shape["kind"], shape["reason"]) == ("A", "polygon", "flat mesh")
    assert [contact["depth"] for contact in told["pairs"][0]["contacts"]] == [1.0, 1.0]
    assert "in the plane XY" in as_text(report)
    assert json.loads(as_json(check(bpy.context, "ALL")[0]))["plane"] is None


def test_thousands_of_things_are_checked_without_a_loop_over_pairs(monkeypatch) -> None:
    mesh = flat_mesh("Tile 0", [[(0, 0), (1, 0), (1, 1), (0, 1)]]).data
    for number in range(1, 900):
        link(f"Tile {number}", mesh, location=(0.9 * (number % 30), 0.9 * (number // 30), 0.0))
    asked = []
    distance = planar.queries.distance
    monkeypatch.setattr(planar.queries, "distance", lambda *args: asked.append(1) or distance(*args))
    report = checked()
    assert report.tested["bodies"] == 900
    assert report.counts()[Verdict.PENETRATING] == 2 * 30 * 29 + 2 * 29 * 29
    assert len(asked) == 1


def test_the_panel_checks_shows_and_draws_in_the_plane() -> None:
    frame_mesh("Frame")
    flat_mesh("L", [L], location=(2.5, 2.5, 1.0))
    planar_mode()
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    assert last_check.report is not None
    assert last_check.report.plane == "XY"
    assert pair_overlay.shown_row() == 0
    shown = on_screen()
    assert shown is not None
    assert len(shown.triangles)
    assert np.abs(shown.lines[..., 2] - 1.0).max() < 0.5, "at the front of both"
    panel = drawn(COLLISION_KIT_PT_check, bpy.context)
    assert panel is not None
    assert {"dimension", "plane"} <= {name for _, name in panel.props}
    pair = drawn(COLLISION_KIT_PT_pair, bpy.context)
    assert pair is not None
    assert any("convex pieces" in text for text in pair.texts)
    assert drawn(COLLISION_KIT_PT_results, bpy.context) is not None
    bpy.context.scene.collision_kit.planar.dimension = "SPACE"
    assert "plane" not in {name for _, name in drawn(COLLISION_KIT_PT_check, bpy.context).props}


def test_every_way_of_drawing_takes_a_planar_pair() -> None:
    frame_mesh("Frame")
    flat_mesh("L", [L], location=(2.5, 2.5, 0.0))
    ball = link("Ball", None)
    ball.empty_display_type = "SPHERE"
    ball.collision_kit.shape = "SPHERE"
    planar_mode()
    explanation = bpy.context.window_manager.collision_kit.explanation
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    for name in ("ruler", "contacts", "crossing", "by_verdict"):
        for wanted in (True, False):
            setattr(explanation, name, wanted)
            assert on_screen() is not None


def test_the_results_become_stale_as_in_space() -> None:
    flat_mesh("A", [SQUARE])
    moved = flat_mesh("B", [SQUARE], location=(3.0, 0.0, 0.0))
    planar_mode()
    bpy.ops.collision_kit.check_collisions()
    settings = last_check.settings
    assert last_check.change_for(settings) is None
    bpy.context.scene.collision_kit.planar.plane = "XZ"
    from collision_kit.addon.scene.settings import check_settings

    assert last_check.change_for(check_settings(bpy.context)) is Change.SETTINGS
    bpy.context.scene.collision_kit.planar.plane = "XY"
    assert last_check.change_for(check_settings(bpy.context)) is None
    moved.location.y = 0.5
    bpy.context.view_layer.update()
    assert last_check.change_for(settings) is Change.SCENE
    assert last_check.pair_is_stale(last_check.report.pairs[0])
    assert pair_overlay.shown_row() == -1


@pytest.mark.parametrize("change", ["turned", "other lens"])
def test_a_camera_that_changes_makes_all_of_its_plane_stale(change) -> None:
    flat_mesh("A", [SQUARE])
    flat_mesh("B", [SQUARE], location=(3.0, 0.0, 0.0))
    camera = add_camera(location=(0.0, 0.0, 10.0))
    planar_mode("CAMERA")
    bpy.ops.collision_kit.check_collisions()
    pair = last_check.report.pairs[0]
    assert not last_check.pair_is_stale(pair)
    if change == "turned":
        camera.rotation_euler.x = 0.4
    else:
        camera.data.type = "PERSP"
    bpy.context.view_layer.update()
    assert last_check.pair_is_stale(pair)
    assert last_check.change_for(last_check.settings) is Change.SCENE


def test_live_mode_says_that_it_does_not_follow_outlines() -> None:
    flat_mesh("A", [SQUARE])
    planar_mode()
    live.start()
    try:
        live.update(bpy.context, 1.0)
        assert live.status() is live.Status.STUCK
        assert "does not support" in str(live.status_values()["reason"])
    finally:
        live.stop()


def test_an_obstacle_is_not_drawn_of_a_planar_result() -> None:
    from collision_kit.addon.viewport import obstacle

    flat_mesh("A", [SQUARE])
    flat_mesh("B", [SQUARE], location=(3.0, 0.0, 0.0))
    planar_mode()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.object.select_all(action="DESELECT")
    assert "in a plane" in obstacle.missing(bpy.context)


def test_the_command_line_checks_in_a_plane(tmp_path, capsys) -> None:
    flat_mesh("A", [SQUARE])
    flat_mesh("B", [SQUARE], location=(3.0, 0.0, 9.0))
    add_camera("PERSP")
    path = tmp_path / "flat.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    capsys.readouterr()

    def run(*options):
        code = commands.command(["check", str(path), "--format", "json", *options])
        return code, capsys.readouterr()

    code, told = run()
    assert (code, json.loads(told.out)["plane"]) == (0, None)
    code, told = run("--plane", "xy")
    assert (code, json.loads(told.out)["plane"]) == (1, "XY")
    assert json.loads(told.out)["counts"]["penetrating"] == 1
    code, told = run("--plane", "xz")
    assert code == 0
    code, told = run("--plane", "camera")
    assert code == 2
    assert "is not orthographic" in told.err
    assert run("--plane", "zz")[0] == 2


@pytest.mark.slow
def test_a_planar_pair_has_its_picture(tmp_path) -> None:
    frame_mesh("Frame")
    flat_mesh("L", [L], location=(2.5, 2.5, 1.0))
    report, shapes = check(bpy.context, "ALL", plane="XY")
    write_picture(bpy.context, report, shapes, tmp_path / "out.png", (320, 200))
    assert (tmp_path / "out.png").read_bytes().startswith(b"\x89PNG")


@pytest.mark.parametrize("scope", ["ACTIVE", "COLLECTIONS", "SELECTED"])
def test_each_scope_pairs_as_in_space(scope) -> None:
    things = [flat_mesh(name, [SQUARE], location=(x, 0.0, 0.0)) for name, x in (("A", 0.0), ("B", 3.0), ("C", 1.0))]
    names = []
    for members in (things[:1], things[1:]):
        collection = bpy.data.collections.new("Set")
        names.append(collection.name)
        bpy.context.scene.collection.children.link(collection)
        for ob in members:
            collection.objects.link(ob)
    for ob in things:
        ob.select_set(True)
    bpy.context.view_layer.objects.active = things[0]
    bpy.context.view_layer.update()
    report, _ = check(bpy.context, scope, collection_a=names[0], collection_b=names[1], plane="XY")
    wanted = {("A", "B"), ("A", "C")} | ({("B", "C")} if scope == "SELECTED" else set())
    assert set(pairs(report)) == wanted


@pytest.mark.parametrize("plane", ["XY", "XZ", "YZ", "CAMERA"])
def test_what_is_contained_in_space_is_contained_in_every_plane(plane) -> None:
    for name, size, location in (("Large", 10.0, (0.0, 0.0, 0.0)), ("Small", 1.0, (0.5, 1.0, -2.0))):
        link(name, cube_mesh((size / 2.0,) * 3), location=location)
    add_camera(location=(9.0, -7.0, 20.0), rotation_euler=(0.7, 0.2, 0.4))
    (pair,) = checked(plane).pairs
    assert pair.verdict == check(bpy.context, "ALL")[0].pairs[0].verdict == Verdict.CONTAINED
    bpy.data.objects["Small"].location = (40.0, 50.0, 60.0)
    bpy.context.view_layer.update()
    assert not checked(plane).pairs


def test_what_fits_exactly_touches_and_what_is_too_tight_penetrates() -> None:
    """A block held by the walls of a U from either side, turned: far to separate, but no point is deep in it."""
    walls = [(-2, -1), (2, -1), (2, 1), (1, 1), (1, 0), (-1, 0), (-1, 1), (-2, 1)]
    turn = 0.37
    flat_mesh("U", [walls], location=(3.0, 5.0, 0.0), rotation_euler=(0.0, 0.0, turn))
    block = flat_mesh(
        "Block", [[(-1, 0), (1, 0), (1, 1), (-1, 1)]], location=(3.0, 5.0, 1.0), rotation_euler=(0, 0, turn)
    )
    for scale, verdict in ((1.0, Verdict.TOUCHING), (1.0 + 1e-7, Verdict.TOUCHING), (1.001, Verdict.PENETRATING)):
        block.scale.x = scale
        (pair,) = checked().pairs
        assert pair.verdict == verdict
        assert len(pair.contact_depths) >= 2
        assert (pair.contact_depths <= scale - 1.0 + 1e-5).all()
    assert not [pair for pair in checked(touching=0.01).pairs if pair.verdict != Verdict.TOUCHING]
