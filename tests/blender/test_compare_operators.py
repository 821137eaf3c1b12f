# SPDX-License-Identifier: GPL-3.0-or-later
"""*Compare with Render Mesh* in Blender: what it finds and draws, what makes it stale, cancel, undo and bad input."""

from collections.abc import Iterator

import bpy
import numpy as np
import pytest

from collision_kit.addon.debug_draw import heat_map
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.i18n.units import measured_text, spoken_range
from collision_kit.addon.model.report import Units
from collision_kit.addon.scene.settings import compared_list, scene_settings
from collision_kit.addon.session import coverage_results, dependencies
from collision_kit.addon.session.latest import Change
from collision_kit.addon.ui.operators import coverage as operators
from collision_kit.addon.ui.panels import layout, name_row
from collision_kit.addon.ui.panels.coverage import COLLISION_KIT_PT_coverage
from collision_kit.addon.viewport import coverage_map, heat_colors, stage
from collision_kit.core.world.hausdorff import distance_map
from tests.helpers.blender import panel_recorder
from tests.helpers.blender.bridge_scene import add, cube_mesh

ops = bpy.ops.collision_kit


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Coarse maps."""
    monkeypatch.setattr(distance_map, "_MAP_BUDGET", 1500)
    monkeypatch.setattr(distance_map, "_AREA_BUDGET", 3000)


@pytest.fixture
def level(scene: bpy.types.Scene) -> Iterator[bpy.types.Scene]:
    """The collider of a wall is 10 cm too thick on each side, that of a floor 20 cm too low, and a box has none."""
    add("Wall", cube_mesh((2.0, 0.1, 1.0)))
    add("UBX_Wall_01", cube_mesh((2.0, 0.2, 1.0))).hide_set(True)
    add("Floor", cube_mesh((5.0, 5.0, 0.1)), at=(0, 0, -2.0))
    add("UCX_Floor_01", cube_mesh((5.0, 5.0, 0.1)), at=(0, 0, -2.2))
    add("Good", cube_mesh((1.0, 1.0, 1.0)), at=(8, 0, 0))
    add("UBX_Good_01", cube_mesh((1.0, 1.0, 1.0)), at=(8, 0, 0))
    add("Alone", cube_mesh((1.0, 1.0, 1.0)), at=(12, 0, 0))
    bpy.context.view_layer.update()
    yield scene
    coverage_results.latest.forget()


def found() -> coverage_results.CoverageResult:
    result = coverage_results.latest.result
    assert result is not None
    return result


def drawn() -> coverage_map.MapDrawing:
    drawing = stage.current(coverage_map.MapDrawing)
    assert drawing is not None
    return drawing


def test_it_lists_what_is_wrong_the_worst_first(level: bpy.types.Scene) -> None:
    assert ops.compare_with_render_mesh() == {"FINISHED"}
    report = found().report
    assert [one.name for one in report.objects] == ["Floor", "Wall", "Good"]
    assert report.without_collider == ("Alone",)
    assert [one.failing for one in report.objects] == [
        ("collider-sticks-out", "collider-misses"),
        ("collider-sticks-out",),
        (),
    ]
    assert report.objects[1].outside_area.area == pytest.approx(2 * 8 + 0.05 * 2 * 12, rel=0.03)
    compared = compared_list(bpy.context.window_manager)
    assert (len(compared.rows), compared.active) == (3, 0)
    assert bpy.data.objects["UBX_Wall_01"].hide_get()


@pytest.mark.parametrize("width", [180.0, 200.0, 400.0])
def test_a_narrow_sidebar_cuts_no_sentence_about_the_chosen_object(
    level: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch, width: float
) -> None:
    bpy.data.objects["Floor"].name = "SM_Warehouse_floor_with_a_long_name"
    bpy.data.objects["UCX_Floor_01"].name = "UCX_SM_Warehouse_floor_with_a_long_name_01"
    assert ops.compare_with_render_mesh() == {"FINISHED"}
    for module in (layout, name_row):
        monkeypatch.setattr(module, "sidebar_width", lambda _context: width)
        monkeypatch.setattr(module, "measure", lambda _context: lambda text: 7.0 * len(text))
        monkeypatch.setattr(module, "scale", lambda _context: 1.0)
    panel = panel_recorder.drawn(COLLISION_KIT_PT_coverage, bpy.context)
    assert panel is not None
    texts = panel.texts
    (name,) = [text for text in texts if text.startswith("SM_W") and text.endswith("e")]
    room = width - layout.MARGIN - layout.ICON - layout.BOX
    assert 7.0 * len(name) <= room
    words = texts[texts.index(name) + 1 :]
    lines = words[: next(row for row, text in enumerate(words) if text == "Distance")]
    assert " ".join(lines) == "Colliders protrude"
    assert all(7.0 * len(line) <= room - layout.BUTTON or " " not in line for line in lines)


def test_colliders_that_are_disabled_in_viewports_count(level: bpy.types.Scene) -> None:
    ops.compare_with_render_mesh()
    before = [(one.name, one.outside) for one in found().report.objects]
    hidden = bpy.data.objects["UBX_Wall_01"]
    hidden.hide_set(False)
    hidden.hide_viewport = True
    assert ops.compare_with_render_mesh() == {"FINISHED"}
    assert [(one.name, one.outside) for one in found().report.objects] == before
    assert hidden.hide_viewport


def test_scopes(level: bpy.types.Scene) -> None:
    settings = scene_settings(bpy.context).coverage
    settings.scope = "SELECTED"
    for ob in bpy.context.view_layer.objects:
        ob.select_set(False)
    assert not ops.compare_with_render_mesh.poll()
    bpy.data.objects["Good"].select_set(True)
    ops.compare_with_render_mesh()
    assert [one.name for one in found().report.objects] == ["Good"]
    settings.scope = "ACTIVE"
    # Of a collider, the render mesh is meant.
    bpy.context.view_layer.objects.active = bpy.data.objects["UCX_Floor_01"]
    ops.compare_with_render_mesh()
    assert [one.name for one in found().report.objects] == ["Floor"]
    bpy.data.objects["Floor"].hide_set(True)
    ops.compare_with_render_mesh()
    assert not found().report.objects
    settings.include_hidden = True
    ops.compare_with_render_mesh()
    assert [one.name for one in found().report.objects] == ["Floor"]
    bpy.context.view_layer.objects.active = None
    assert not ops.compare_with_render_mesh.poll()


@pytest.mark.parametrize(
    ("length", "error", "text", "span"),
    [
        (1.1e-7, 0.0, "0 mm", "0 mm"),
        (2e-6, 0.0, "0.002 mm", "0.002 mm"),
        (0.1199, 1e-4, "119.9 mm", "119.9 mm – 120 mm"),
        (0.9999, 0.001, "999.9 mm", "0.9999 m – 1.001 m"),
    ],
)
def test_a_rounding_error_is_shown_as_zero(length: float, error: float, text: str, span: str) -> None:
    units = Units("METRIC", 1.0, "METERS")
    assert measured_text(length, units) == text
    assert spoken_range(length, error, units) == span


def test_the_heat_map_has_the_distances_and_the_worst_places(level: bpy.types.Scene) -> None:
    ops.compare_with_render_mesh()
    compared = compared_list(bpy.context.window_manager)
    assert compared.show
    primitives = drawn().primitives
    # Four times the limit, which is less than the worst.
    assert primitives.scale.ticks[0][0] == 0.0
    assert primitives.scale.ticks[-1] == (1.0, "200 mm")
    assert primitives.scale.ticks[1] == (0.25, "50 mm")
    assert primitives.grade.min() == 0.0
    assert primitives.grade.max() == pytest.approx(1.0, abs=1e-6)
    assert set(primitives.point_role.tolist()) == {Role.WORST_PLACE}
    assert len(primitives.points) == 3  # the wall sticks out, the floor does both
    assert len(primitives.labels) == 2  # of the chosen floor
    compared.surfaces = "OUTSIDE"
    outside = drawn().primitives
    assert len(outside.points) == 2
    # The wall of the collider is 10 cm away from what is seen.
    side = np.abs(np.abs(outside.graded[:, :, 1]) - 0.2).max(axis=1) < 1e-5
    side &= np.abs(outside.graded[:, :, 2]).max(axis=1) < 1.01
    assert outside.grade[side] == pytest.approx(0.5, abs=1e-4)
    compared.range = 0.05
    assert drawn().primitives.scale.ticks[-1] == (1.0, "≥ 50 mm")
    compared.range, compared.surfaces = 0.0, "INSIDE"
    assert len(drawn().primitives.points) == 1
    compared.show = False
    assert stage.current(coverage_map.MapDrawing) is None
    compared.show = True
    assert coverage_map.is_drawn()
    compared.surfaces = "BOTH"


def dented(depth: float) -> None:
    """A floor of one face, and a collider that is lower at one vertex."""
    bpy.data.batch_remove(list(bpy.data.objects))
    add("Floor", bpy.data.meshes.new("Floor")).data.from_pydata(
        [(-2, -2, 0), (2, -2, 0), (2, 2, 0), (-2, 2, 0)], [], [(0, 1, 2, 3)]
    )
    corners = [(x, y, -depth if x == y == 0 else 0.0) for y in (-2, 0, 2) for x in (-2, 0, 2)]
    faces = [(at, at + 1, at + 4, at + 3) for at in (0, 1, 3, 4)]
    add("Floor-colonly", bpy.data.meshes.new("Ground")).data.from_pydata(corners, [], faces)
    bpy.context.view_layer.update()


def test_a_dent_is_said_once_and_what_is_off_on_two_sides_twice(level: bpy.types.Scene) -> None:
    compared, counted = compared_list(bpy.context.window_manager), []
    for build in (lambda: None, lambda: dented(0.2)):
        build()
        assert ops.compare_with_render_mesh() == {"FINISHED"}
        (floor,) = [one for one in found().report.objects if one.name == "Floor"]
        assert floor.failing == ("collider-sticks-out", "collider-misses")
        compared.active = found().report.objects.index(floor)
        panel = panel_recorder.drawn(COLLISION_KIT_PT_coverage, bpy.context)
        assert panel is not None
        counted.append(panel.texts.count("Distance"))
        said = [str(label) for label in drawn().primitives.labels]
        counted.append(len(said))
        if floor.one_gap:
            assert said == ["Collider 200 mm off the render mesh"]
            assert "Collider off the render mesh" in " ".join(panel.texts)
            compared.surfaces = "INSIDE"
            assert [str(label) for label in drawn().primitives.labels] == said
            compared.surfaces = "BOTH"
    assert counted == [2, 2, 1, 1]


def test_a_click_selects_the_object(level: bpy.types.Scene) -> None:
    ops.compare_with_render_mesh()
    compared_list(bpy.context.window_manager).active = 1
    assert found().chosen == 1
    assert bpy.context.view_layer.objects.active.name == "Wall"
    assert drawn().primitives.labels[0].startswith("Collider protrudes")
    for side in ("OUTSIDE", "INSIDE"):
        assert ops.show_worst_place(row=0, side=side) == {"FINISHED"}
    assert ops.show_worst_place(row=9) == {"CANCELLED"}
    assert ops.select_objects_without_collider() == {"FINISHED"}
    assert [ob.name for ob in bpy.context.selected_objects] == ["Alone"]
    bpy.data.objects["Good"].hide_viewport = True
    assert ops.show_worst_place(row=2) == {"CANCELLED"}


@pytest.mark.parametrize(
    "change",
    ["move render mesh", "move collider", "new collider", "delete", "hide render mesh", "setting of the collider"],
)
def test_what_changes_makes_it_stale(level: bpy.types.Scene, change: str) -> None:
    ops.compare_with_render_mesh()
    if change == "move render mesh":
        bpy.data.objects["Wall"].location.x += 0.1
    elif change == "move collider":
        bpy.data.objects["UCX_Floor_01"].location.x += 0.1
    elif change == "new collider":
        add("UBX_Alone_01", cube_mesh((1.0, 1.0, 1.0)), at=(12, 0, 0))
    elif change == "delete":
        bpy.data.objects.remove(bpy.data.objects["Good"])
    elif change == "hide render mesh":
        bpy.data.objects["Wall"].hide_set(True)
    else:
        bpy.data.objects["UCX_Floor_01"].collision_kit.shape = "SPHERE"
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert found().change == Change.SCENE
    assert not coverage_map.is_drawn()
    if change == "move render mesh":
        ops.compare_with_render_mesh()
        assert found().change is None and coverage_map.is_drawn()


def test_what_does_not_matter_does_not(level: bpy.types.Scene) -> None:
    lamp = bpy.data.objects.new("Lamp", bpy.data.lights.new("Lamp", "POINT"))
    level.collection.objects.link(lamp)
    bpy.context.view_layer.update()
    ops.compare_with_render_mesh()
    lamp.location.x = 3.0
    bpy.data.objects["UBX_Good_01"].hide_set(True)
    bpy.data.objects["Floor"].select_set(True)
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert found().change is None and coverage_map.is_drawn()
    scene_settings(bpy.context).coverage.max_inside = 0.3
    assert found().change_for(operators.coverage_request(bpy.context)) == Change.SETTINGS


def test_undo_makes_it_stale_and_restores_nothing(level: bpy.types.Scene) -> None:
    bpy.ops.ed.undo_push(message="before")
    before = {ob.name: (ob.hide_get(), tuple(ob.location)) for ob in level.objects}
    ops.compare_with_render_mesh()
    assert before == {ob.name: (ob.hide_get(), tuple(ob.location)) for ob in bpy.context.scene.objects}
    bpy.data.objects["Wall"].location.x = 1.0
    bpy.ops.ed.undo_push(message="move")
    bpy.ops.ed.undo()
    assert found().change == Change.UNDO
    assert not coverage_map.is_drawn()


def test_clear(level: bpy.types.Scene) -> None:
    assert not ops.clear_comparison.poll()
    ops.compare_with_render_mesh()
    assert ops.clear_comparison() == {"FINISHED"}
    assert coverage_results.latest.result is None
    assert not coverage_map.is_drawn()
    assert len(compared_list(bpy.context.window_manager).rows) == 0
    assert not ops.show_worst_place.poll() and not ops.select_objects_without_collider.poll()


def test_it_works_in_steps_and_ends_between_them(level: bpy.types.Scene) -> None:
    from collision_kit.addon.validation import coverage as compared

    request = operators.coverage_request(bpy.context)
    steps = compared.steps(bpy.context, request, maps=True)
    seen = [next(steps) for _ in range(4)]
    assert seen[0] == (0, 3) and all(one.total == 3 for one in seen)
    hidden = bpy.data.objects["UBX_Wall_01"].hide_get()
    steps.close()
    assert hidden and coverage_results.latest.result is None
    disturbed = operators.undisturbed(bpy.context, compared.steps(bpy.context, request, maps=True))
    next(disturbed)
    bpy.data.objects["Wall"].location.x = 1.0
    bpy.context.view_layer.update()
    with pytest.raises(Exception, match="The scene changed"):
        for _ in disturbed:
            pass


def test_an_empty_scene_has_nothing_to_compare(scene: bpy.types.Scene) -> None:
    assert not ops.compare_with_render_mesh.poll()
    camera = bpy.data.objects.new("Camera", bpy.data.cameras.new("Camera"))
    scene.collection.objects.link(camera)
    assert ops.compare_with_render_mesh() == {"FINISHED"}
    assert not found().report.objects and not coverage_map.is_drawn()
    coverage_results.latest.forget()


def test_colors_fall_in_lightness_and_differ_from_gray() -> None:
    colors = heat_colors.heat_colors(np.linspace(0.25, 1.0, 20))
    light = colors @ (0.2126, 0.7152, 0.0722)
    assert (np.diff(light) < 0.0).all()
    corners = np.array([[[0, 0, 0], [1, 0, 0], [0, 1, 0]], [[0, 0, 0], [1, 0, 0], [0, 0, 1]]], np.float32)
    lit = heat_colors.lit_colors(corners, np.zeros((2, 3)))
    assert (lit[0] > lit[1]).all()


def test_the_eye_is_not_put_into_an_object() -> None:
    quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    points = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float32)
    corners = points[[[q[0], q[k], q[k + 1]] for q in quads for k in (1, 2)]]
    cube = heat_map.HeatMap(corners, np.zeros((12, 3), np.float32))
    across = np.array([0.6, 0.0, 0.8])
    # From the lower side, the way leads through the cube and out at its top.
    assert heat_map.outside_of(cube, (-0.7, 0.1, -1.0), across, 0.5) == pytest.approx(heat_map.BESIDE * 2.5)
    assert heat_map.outside_of(cube, (-0.7, 0.1, -1.0), across, 3.0) == 3.0
    assert heat_map.outside_of(cube, (-0.7, 0.1, -1.0), -across, 0.5) == 0.5
    assert heat_map.outside_of(cube, (5.0, 0.1, 0.2), across, 0.5) == 0.5
