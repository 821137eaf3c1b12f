# SPDX-License-Identifier: GPL-3.0-or-later
"""Walk the Level in the window: the starts, the list and its filters, the drawing, paths, accepting, what is stale."""

import itertools
import math
import re
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon import probing
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.i18n.units import limited_walk_message, spoken_text
from collision_kit.addon.model.probe_report import CHARACTERS, ProbeIssue, ProbeRequest
from collision_kit.addon.scene import object_states
from collision_kit.addon.scene.settings import probe_request
from collision_kit.addon.session import dependencies, probe_results, stored_walks
from collision_kit.addon.session.latest import Change
from collision_kit.addon.ui.operators.probe import COLLISION_KIT_OT_walk_level
from collision_kit.addon.ui.panels.probe import (
    COLLISION_KIT_PT_probe,
    COLLISION_KIT_PT_probe_skipped,
    COLLISION_KIT_PT_walk_issue,
    COLLISION_KIT_UL_starts,
)
from collision_kit.addon.ui.panels.walk_issue_list import COLLISION_KIT_UL_walk_issues
from collision_kit.addon.ui.texts.probe import KIND_TEXTS
from collision_kit.addon.viewport import legend, stage
from collision_kit.addon.viewport import probe as probe_overlay
from collision_kit.addon.viewport.palette import LOOKS
from tests.helpers.blender.bridge_scene import add, add_collection, cube_mesh
from tests.helpers.blender.command_line import run
from tests.helpers.blender.panel_recorder import Recorder, drawn, drawn_row, stand_in
from tests.helpers.blender.stepped import taken

ops = bpy.ops.collision_kit


def box(name: str, low: tuple[float, float, float], high: tuple[float, float, float], **fields) -> bpy.types.Object:
    half = tuple((b - a) / 2.0 for a, b in zip(low, high, strict=True))
    return add(name, cube_mesh(half), at=[(a + b) / 2.0 for a, b in zip(low, high, strict=True)], **fields)


@pytest.fixture(autouse=True)
def level(scene: bpy.types.Scene) -> dict[str, bpy.types.Object]:
    """Two floors with a gap of 1.1 m, a stage of 0.36 m, and a pit of 1 m behind a sill; with a start."""
    made = [
        box("Near", (-4, -3, -0.2), (2, 3, 0)),
        box("Far", (3.1, -3, -0.2), (8, 3, 0)),
        box("Stage", (-4, 1, 0), (-2, 3, 0.36)),
        box("Bottom", (-4, -6, -1.2), (2, -3, -1)),
        box("Wall", (-4, -6.1, -1.2), (2, -6, 1.5)),
        box("Left", (-4.1, -6, -1.2), (-4, 3, 1.5)),
        box("Right", (2, -6.1, -1.2), (2.1, -3, 1.5)),
        add("Start", None, at=(0, 0, 0.1)),
    ]
    bpy.context.view_layer.update()
    return {ob.name: ob for ob in made}


@pytest.fixture(autouse=True)
def filters():
    """The filters of the list, which outlive a file without a window, as they are at first."""
    yield
    view = bpy.context.window_manager.collision_kit.walk_issues
    for name in (*KIND_TEXTS, "accepted"):
        view.property_unset(name)
    probe_results.latest.forget()


def walked() -> probe_results.ProbeResult:
    assert ops.walk_level() == {"FINISHED"}
    found = probe_results.latest.result
    assert found is not None
    return found


def kinds(found: probe_results.ProbeResult) -> list[str]:
    return [one.kind for one in found.report.found]


def selected() -> set[str]:
    return {ob.name for ob in bpy.context.view_layer.objects.selected}


def primitives():
    drawing = stage.current(probe_overlay.ProbeDrawing)
    assert drawing is not None
    return drawing.primitives


def shown(panel: type[bpy.types.Panel] = COLLISION_KIT_PT_probe) -> Recorder:
    recorder = drawn(panel, bpy.context)
    assert recorder is not None
    return recorder


def sentence(panel: type[bpy.types.Panel] = COLLISION_KIT_PT_probe) -> str:
    return " ".join(shown(panel).texts).replace("\N{NO-BREAK SPACE}", " ")


def listed() -> list[int]:
    """The rows that the list shows."""
    view = bpy.context.window_manager.collision_kit.walk_issues
    fake = stand_in(COLLISION_KIT_UL_walk_issues, filter_name="", use_filter_sort_alpha=False, bitflag_filter_item=1)
    flags, _ = fake.filter_items(bpy.context, view, "rows")
    return [row for row, flag in enumerate(flags) if flag]


# The walk


def test_it_lists_what_it_finds_draws_the_floors_and_changes_nothing(level) -> None:
    before = {ob.name: np.array(ob.matrix_world).tobytes() for ob in bpy.data.objects}
    found = walked()
    assert {ob.name: np.array(ob.matrix_world).tobytes() for ob in bpy.data.objects} == before
    assert kinds(found) == ["fall", "stuck", "step", "unreachable", "unreachable"]
    rows = bpy.context.window_manager.collision_kit.walk_issues.rows
    assert len(rows) == 5 and found.chosen == -1
    drawing = primitives()
    for role, area in ((Role.REACHED, found.report.reached_area), (Role.TRAP, found.report.found[1].area)):
        sides = drawing.triangles[drawing.triangle_role == role]
        sides = sides[:, 1:] - sides[:, :1]
        assert 0.5 * np.abs(np.cross(sides[:, 0], sides[:, 1])[:, 2]).sum() == pytest.approx(area)
    assert (drawing.triangle_role == Role.UNREACHED).any()
    assert np.count_nonzero(drawing.point_role == Role.FOUND) == 5
    start = drawing.lines[drawing.line_role == Role.START]
    assert start[..., 2].max() == pytest.approx(1.8, abs=1e-3) and np.abs(start[..., :2]).max() < 0.8


def test_what_is_missing_is_said() -> None:
    stored = bpy.context.scene.collision_kit.probe
    for scope, text in (("SELECTED", "Select the objects to walk on"), ("COLLECTION", "Choose the collection")):
        stored.scope = scope
        assert COLLISION_KIT_OT_walk_level.missing(bpy.context).startswith(text)
    stored.scope = "VISIBLE"
    assert COLLISION_KIT_OT_walk_level.missing(bpy.context) == ""
    bpy.data.objects["Start"].name = "Here"
    assert COLLISION_KIT_OT_walk_level.missing(bpy.context).startswith("No start")
    with pytest.raises(RuntimeError, match="poll"):
        ops.walk_level()


def test_a_start_in_the_air_is_named_and_nothing_is_kept() -> None:
    bpy.data.objects["Start"].location = (50, 0, 0)
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="Start: there is no floor below it"):
        ops.walk_level()
    assert probe_results.latest.result is None and not probe_overlay.is_drawn()


def test_the_collection_decides_what_is_walked_on(level) -> None:
    group = add_collection("Floors")
    group.objects.link(level["Near"])
    stored = bpy.context.scene.collision_kit.probe
    stored.scope, stored.collection = "COLLECTION", group
    found = walked()
    assert {name for one in found.report.found for name in one.objects} == {"Near"}
    assert found.report.bodies == 1
    for ob in (level["Near"],):
        group.objects.unlink(ob)
    assert walked().report.bodies == 0
    assert "Nothing to walk on" in sentence()


def test_steps_can_be_ended_and_leave_what_was_found_before(level) -> None:
    found = walked()
    steps = probing.check.steps(bpy.context, probe_request(bpy.context))
    seen = [next(steps) for _ in range(3)]
    steps.close()
    assert all(0 <= one.done <= 100 for one in seen)
    assert probe_results.latest.result is found and probe_overlay.is_drawn()
    seen, report = taken(probing.check.steps(bpy.context, probe_request(bpy.context)))
    assert [one.id for one in report.found] == [one.id for one in found.report.found]
    assert seen[-1].done == 100


# Starts and characters


def test_the_list_of_starts_is_kept_in_the_scene_and_follows_names(level, tmp_path: Path) -> None:
    stored = bpy.context.scene.collision_kit.probe
    other = add("Beyond", None, at=(6, 0, 0.1))
    bpy.context.view_layer.update()
    for ob in (level["Start"], other):
        ob.select_set(True)
    assert ops.add_starts() == {"FINISHED"} and ops.add_starts() == {"CANCELLED"}
    assert len(stored.starts) == 2
    assert "unreachable" in kinds(walked()), "the stage"
    assert kinds(walked()).count("unreachable") == 1
    other.name = "Renamed"
    assert probe_request(bpy.context).starts == ("Start", "Renamed")
    path = str(tmp_path / "starts.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    bpy.ops.wm.open_mainfile(filepath=path)
    assert probe_request(bpy.context).starts == ("Start", "Renamed")
    bpy.data.objects.remove(bpy.data.objects["Renamed"])
    assert probe_request(bpy.context).starts == ("Start",)
    stored = bpy.context.scene.collision_kit.probe
    assert not drawn_start(1).parts[0].active if len(stored.starts) > 1 else True
    stored.active_start = 0
    assert ops.remove_start() == {"FINISHED"}
    assert probe_request(bpy.context).starts == ()
    while len(stored.starts):
        ops.remove_start()
    assert not ops.remove_start.poll()


def test_the_panel_says_where_the_character_begins(level: dict[str, bpy.types.Object]) -> None:
    named = 'Without starts, it begins at objects whose names begin with "start" or "spawn"'
    assert named in sentence()
    level["Start"].name = "Entrance"
    assert named not in sentence() and "click the plus button" in sentence()
    assert not ops.walk_level.poll()
    level["Start"].select_set(True)
    ops.add_starts()
    assert named not in sentence() and "click the plus button" not in sentence()
    assert ops.walk_level.poll()


def drawn_start(index: int) -> Recorder:
    recorder = Recorder()
    item = bpy.context.scene.collision_kit.probe.starts[index]
    stand_in(COLLISION_KIT_UL_starts).draw_item(bpy.context, recorder, None, item, 0, None, "", index, 0)
    return recorder


@pytest.mark.parametrize("meters", [1.0, 0.01])
@pytest.mark.parametrize("name", CHARACTERS)
def test_characters_of_engines_are_in_the_units_of_the_scene(name: str, meters: float) -> None:
    bpy.context.scene.unit_settings.scale_length = meters
    assert ops.apply_character_preset(shipped=name.upper()) == {"FINISHED"}
    request, preset = probe_request(bpy.context), CHARACTERS[name]
    assert request.radius * meters == pytest.approx(preset.radius, rel=1e-6)
    assert request.height * meters == pytest.approx(preset.height, rel=1e-6)
    assert request.step * meters == pytest.approx(preset.step, rel=1e-6)
    assert request.slope == pytest.approx(preset.slope, rel=1e-6)
    assert not request.ball


def test_the_settings_are_those_of_the_request() -> None:
    stored = bpy.context.scene.collision_kit.probe
    usual = probe_request(bpy.context)
    assert [round(value, 6) for value in (usual.radius, usual.height, usual.step, usual.slope, usual.drop)] == [
        *(0.4, 1.8, 0.35, 45.0, 2.0)
    ]
    assert (usual.spacing, usual.ball, usual.margin) == (0.25, False, None)
    stored.shape, stored.slope, stored.margin_mode, stored.margin = "BALL", math.radians(30.0), "MANUAL", 0.125
    request = probe_request(bpy.context)
    assert (request.ball, request.margin, round(request.slope, 4)) == (True, 0.125, 30.0)
    assert "Step Height" not in shown().texts
    names = [name for _, name in shown().props]
    assert "height" not in names and "step" not in names and "margin" in names


# Places

# What protanopes, deuteranopes and tritanopes see of linear RGB: Machado, Oliveira and Fernandes, A Physiologically-
# based Model for Simulation of Color Vision Deficiency, 2009, severity 1.
SEEN = (
    np.eye(3),
    np.array([[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]]),
    np.array([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.011820, 0.042940, 0.968881]]),
    np.array([[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.303900]]),
)
XYZ = np.array([[0.4124, 0.3576, 0.1805], [0.2126, 0.7152, 0.0722], [0.0193, 0.1192, 0.9505]])


@pytest.mark.parametrize(
    ("kind", "measure", "deep", "said"),
    [
        ("fall", 0.9, 2.8, "gap 900 mm wide, 2.8 m deep (at most 2 m)"),
        ("fall", 0.9, math.inf, "gap 900 mm wide, out of the level"),
        ("stuck", 1.0, 1.0, "no way back from 4 m², 1 m deep"),
        ("snag", 0.01, 0.0, "edge 10 mm high"),
        ("squeeze", 0.75, 0.0, "passage 750 mm wide (at least 800 mm)"),
        ("step", 0.37, 0.0, "step 370 mm high (at most 350 mm)"),
        ("slope", 45.5, 0.0, "slope of 45.50° (at most 45°)"),
        ("unreachable", 0.5, 0.0, "floor of 4 m² not reached, 500 mm above what is"),
    ],
)
def test_an_issue_is_said_with_the_limit_that_it_exceeds(kind: str, measure: float, deep: float, said: str) -> None:
    place = (0.0, 0.0, 0.0)
    one = ProbeIssue("", kind, place, place, place, place, (), measure, deep, 4.0, 0, ())
    message = limited_walk_message(one, ProbeRequest(), bpy.context.scene.unit_settings, spoken_text)
    assert str(message) == said


def in_lab(color: tuple[float, float, float], seen: np.ndarray) -> np.ndarray:
    """CIELAB, in which a difference of 2.3 is just noticeable."""
    linear = np.where(np.array(color) <= 0.04045, np.array(color) / 12.92, ((np.array(color) + 0.055) / 1.055) ** 2.4)
    part = XYZ @ np.clip(seen @ linear, 0.0, 1.0) / XYZ.sum(axis=1)
    x, y, z = np.where(part > 0.008856, np.cbrt(part), 7.787 * part + 16.0 / 116.0)
    return np.array([116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)])


@pytest.mark.parametrize("seen", SEEN)
def test_all_colors_of_the_legend_of_a_walk_are_different_for_everyone(seen: np.ndarray) -> None:
    places = {role: in_lab(LOOKS[role].color, seen) for role in legend.WALK}
    differences = {
        (one.name, other.name): float(np.linalg.norm(places[one] - places[other]))
        for one, other in itertools.combinations(places, 2)
    }
    assert min(differences.values()) > 10.0, min(differences, key=lambda both: differences[both])


def test_a_click_selects_the_objects_and_draws_both_poses(level) -> None:
    found = walked()
    bpy.context.window_manager.collision_kit.walk_issues.active = 1
    assert found.chosen == 1 and selected() == {"Bottom", "Near"}
    one, drawing = found.report.found[1], primitives()
    for role, foot in ((Role.POSE_BEFORE, one.before), (Role.POSE_AFTER, one.after)):
        points = drawing.lines[drawing.line_role == role].reshape(-1, 3)
        assert points[:, 2].min() == pytest.approx(foot[2], abs=2e-3)
        np.testing.assert_allclose((points.min(axis=0) + points.max(axis=0))[:2] / 2.0, foot[:2], atol=2e-3)
    assert drawing.points[drawing.point_role == Role.CONTACT].tolist() == [list(one.contact)]
    assert [str(label) for label in drawing.labels] == ["no way back from 11.81 m², 1 m deep"]
    # The sentence of the others does not say the kind.
    for row, label in ((0, "Fall: gap {} wide, out of the level"), (2, "High Step: step {} high (at most {})")):
        bpy.context.window_manager.collision_kit.walk_issues.active = row
        (told,) = map(str, primitives().labels)
        assert re.fullmatch(re.escape(label).replace(r"\{\}", r"[\d.]+ m?m"), told), told
        assert told.split(": ", 1)[1] in sentence(COLLISION_KIT_PT_walk_issue)
    bpy.context.window_manager.collision_kit.walk_issues.active = 1
    poses = drawing.lines[drawing.line_role == Role.POSE_AFTER].reshape(-1, 3)
    assert drawing.label_at[0, 2] >= poses[:, 2].max() - 1e-9, "it covers neither the character nor its floor"
    np.testing.assert_allclose(drawing.label_at[0, :2], one.after[:2], atol=1e-9)
    drawn = {*drawing.line_role.tolist(), *drawing.point_role.tolist(), *drawing.triangle_role.tolist()}
    assert {role for (role,), _ in drawing.legend} == drawn
    way = drawing.lines[drawing.line_role == Role.PATH]
    np.testing.assert_allclose(way[0, 0], np.add(one.path[0], (0.0, 0.0, 0.1)), atol=1e-9)
    np.testing.assert_allclose(way[-1, 1], np.add(one.path[-1], (0.0, 0.0, 0.1)), atol=1e-9)
    text = sentence(COLLISION_KIT_PT_walk_issue)
    assert "No Way Back" in text and "1 m deep" in text and "Bottom" in text
    assert ops.select_walk_issue(row=99) == {"CANCELLED"} and found.chosen == 1


def test_a_renamed_object_is_selected_and_a_deleted_one_is_told(level) -> None:
    walked()
    level["Far"].name = "Other"
    row = next(row for row, one in enumerate(probe_results.latest.result.report.found) if one.objects == ("Far",))
    assert ops.select_walk_issue(row=row) == {"FINISHED"} and selected() == {"Other"}
    level["Stage"].hide_set(True)
    row = next(row for row, one in enumerate(probe_results.latest.result.report.found) if one.objects == ("Stage",))
    ops.select_walk_issue(row=row)
    assert selected() == {"Other"}


def test_kinds_are_filtered_in_the_list_and_in_the_viewport(level) -> None:
    walked()
    view = bpy.context.window_manager.collision_kit.walk_issues
    assert listed() == [0, 1, 2, 3, 4]
    view.unreachable = view.fall = False
    assert listed() == [1, 2]
    assert np.count_nonzero(primitives().point_role == Role.FOUND) == 2
    assert "2 of 5 listed" in sentence()
    assert ops.show_all_walk_issues() == {"FINISHED"}
    assert listed() == [0, 1, 2, 3, 4]
    assert "1 fall" in sentence() and "2 unreachable floors" in sentence()


def test_rows_have_the_objects_and_the_measure_in_the_unit_of_the_scene(level) -> None:
    walked()
    assert drawn_row(COLLISION_KIT_UL_walk_issues, bpy.context, 0).texts == ["Near", "1.1 m"]
    bpy.context.scene.unit_settings.length_unit = "CENTIMETERS"
    assert drawn_row(COLLISION_KIT_UL_walk_issues, bpy.context, 2).texts == ["Near", "Stage", "36 cm"]
    assert drawn_row(COLLISION_KIT_UL_walk_issues, bpy.context, 9).texts == []


def test_a_path_is_a_curve_from_the_start_to_the_place_that_no_check_tests(level) -> None:
    found = walked()
    assert not ops.show_path.poll()
    ops.select_walk_issue(row=1)
    assert ops.show_path() == {"FINISHED"}
    ob = bpy.context.view_layer.objects.active
    assert ob.name == "Path to place without a way back" and selected() == {ob.name}
    points = [ob.matrix_world @ point.co.to_3d() for point in ob.data.splines[0].points]
    np.testing.assert_allclose(points, found.report.way(found.report.found[1]), atol=1e-5)
    away = np.linalg.norm(np.diff(points, axis=0)[:, :2], axis=1)
    assert away.max() < 0.8, "from column to column"
    bpy.context.view_layer.update()
    assert [one.id for one in walked().report.found] == [one.id for one in found.report.found]
    assert ob.name not in {body.name for body in api.check_collisions(scope="ALL").bodies}


def test_an_accepted_place_is_kept_in_the_file_and_fails_no_build(level, tmp_path: Path, capfd) -> None:
    found = walked()
    ops.select_walk_issue(row=1)
    assert not ops.stop_accepting_walk_issue.poll()
    assert ops.accept_walk_issue(reason=" a trap ") == {"FINISHED"}
    assert api.accepted_walk_issues() == {found.report.found[1].id: "a trap"}
    assert listed() == [0, 2, 3, 4]
    assert "Accepted: a trap" in sentence(COLLISION_KIT_PT_walk_issue) and "1 accepted" in sentence()
    assert not drawn_row(COLLISION_KIT_UL_walk_issues, bpy.context, 1).parts[0].active
    bpy.context.window_manager.collision_kit.walk_issues.accepted = True
    assert listed() == [0, 1, 2, 3, 4]
    path = str(tmp_path / "accepted.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    _, output, _ = run(capfd, "probe", path)
    assert "1 fall, 1 high step, 2 unreachable floors, 1 accepted or known" in output
    bpy.ops.wm.open_mainfile(filepath=path)
    report = api.probe()
    assert [one.accepted for one in report.found] == [False, True, False, False, False]
    assert report.counts()["stuck"] == 0
    walked()
    ops.select_walk_issue(row=1)
    assert ops.stop_accepting_walk_issue() == {"FINISHED"}
    assert api.accepted_walk_issues() == {} and not any(one.accepted for one in api.probe().found)
    ops.accept_walk_issue()
    assert ops.stop_accepting_walk_issue(which="ALL") == {"FINISHED"}
    assert api.accepted_walk_issues() == {}


# What makes it stale


CHANGES = {
    "a collider moves": lambda level: setattr(level["Far"], "location", (5.0, 0.0, -0.1)),
    "the start moves": lambda level: setattr(level["Start"], "location", (1.0, 0.0, 0.1)),
    "a collider is hidden": lambda level: level["Wall"].hide_set(True),
    "a collider is deleted": lambda level: bpy.data.objects.remove(level["Wall"]),
    "gravity turns": lambda level: setattr(bpy.context.scene, "gravity", (0.0, 1.0, -9.0)),
    "a shape is set": lambda level: setattr(level["Far"].collision_kit, "shape", "NONE"),
    "a collider is added": lambda level: box("New", (0, 0, 0), (1, 1, 1)),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_changes_the_level_makes_it_stale(level, change: str) -> None:
    found = walked()
    ops.select_walk_issue(row=0)
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert found.change is None and probe_overlay.is_drawn(), "a selection is no change"
    CHANGES[change](level)
    bpy.context.view_layer.update()
    dependencies.review(bpy.context)
    assert found.change is Change.SCENE and not probe_overlay.is_drawn()
    assert "The scene has changed since this check" in sentence()
    assert not drawn_row(COLLISION_KIT_UL_walk_issues, bpy.context, 0).parts[0].active


def test_other_settings_are_told(level) -> None:
    walked()
    bpy.context.scene.collision_kit.probe.radius = 0.3
    assert "The settings have changed since this check" in sentence()
    assert probe_overlay.is_drawn(), "what was found still holds"


def test_it_is_cleared_and_shown_again(level) -> None:
    walked()
    view = bpy.context.window_manager.collision_kit.walk_issues
    view.show = False
    assert not probe_overlay.is_drawn() and not view.show
    view.show = True
    assert probe_overlay.is_drawn()
    assert ops.clear_walk_results() == {"FINISHED"}
    assert probe_results.latest.result is None and len(view.rows) == 0 and not probe_overlay.is_drawn()
    assert not ops.clear_walk_results.poll() and not ops.show_all_walk_issues.poll()
    assert drawn(COLLISION_KIT_PT_walk_issue, bpy.context) is None


def test_a_level_without_faults_says_so_and_what_was_left_out_is_listed(level) -> None:
    for name in ("Far", "Stage", "Bottom"):
        bpy.data.objects.remove(level[name])
    for name, low, high in (
        ("A", (1.9, -3, -0.2), (2.1, 3, 2)),
        ("B", (-4, 3, -0.2), (2, 3.1, 2)),
        ("C", (-4, -3.1, -0.2), (2, -3, 2)),
    ):
        box(name, low, high)
    add("Camera", bpy.data.cameras.new("Camera"))
    add("Nothing", bpy.data.meshes.new("Nothing"))
    bpy.context.view_layer.update()
    assert kinds(walked()) == []
    assert "Nothing found" in sentence()
    assert "Nothing" in shown(COLLISION_KIT_PT_probe_skipped).texts


def again(path: Path) -> bool:
    """Save the file and open it, and restore the walk as Blender's timer does in a window."""
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    bpy.ops.wm.open_mainfile(filepath=str(path))
    assert probe_results.latest.result is None and not probe_overlay.is_drawn()
    return stored_walks.restore(bpy.context)


def kept() -> probe_results.ProbeResult:
    found = probe_results.latest.result
    assert found is not None
    return found


def test_a_walk_is_saved_with_the_file_and_drawn_again(tmp_path: Path) -> None:
    ops.walk_level()
    before = kept().report
    ops.select_walk_issue(row=1)
    assert again(tmp_path / "walked.blend")
    after = kept().report
    assert [(one.id, one.kind, one.point, one.objects) for one in after.found] == [
        (one.id, one.kind, one.point, one.objects) for one in before.found
    ]
    assert after.reached_area == before.reached_area and len(after.reached.places) == len(before.reached.places)
    assert kept().chosen == 1 and kept().change is None and probe_overlay.is_drawn()
    assert kept().change_for(probe_request(bpy.context)) is None
    # A click works as before: the objects are those of this session.
    ops.select_walk_issue(row=0)
    assert {ob.name for ob in bpy.context.selected_objects} == set(after.found[0].objects)
    # Saved once more without another walk, and cleared.
    assert again(tmp_path / "walked.blend") and kept().chosen == 0
    ops.clear_walk_results()
    assert not again(tmp_path / "walked.blend")


@pytest.mark.parametrize("what", ["moved", "edited", "deleted", "added", "gravity"])
def test_what_changed_between_saving_and_opening_is_told(tmp_path: Path, what: str) -> None:
    ops.walk_level()
    path = tmp_path / "walked.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    # Another program, which does not know of the walk.
    data = object_states.stored_results(bpy.context.scene, "walk")
    probe_results.latest.forget()
    match what:
        case "moved":
            bpy.data.objects["Stage"].location.z += 0.1
        case "edited":
            bpy.data.objects["Stage"].data.vertices[0].co.z += 0.1
        case "deleted":
            bpy.data.objects.remove(bpy.data.objects["Stage"])
        case "added":
            box("More", (0, 0, 1), (1, 1, 2))
        case "gravity":
            bpy.context.scene.gravity = (0.0, -9.81, 0.0)
    assert again(path)
    assert object_states.stored_results(bpy.context.scene, "walk") == data
    assert kept().change is Change.SCENE and not probe_overlay.is_drawn()


def test_a_damaged_walk_is_told_and_ignored(tmp_path: Path) -> None:
    ops.walk_level()
    path = tmp_path / "walked.blend"
    again(path)
    probe_results.latest.forget()
    object_states.store_results(bpy.context.scene, b"damaged", "walk")
    assert not again(path)
    panel = drawn(COLLISION_KIT_PT_probe, bpy.context)
    assert panel is not None and any("damaged" in text for text in panel.texts)
    ops.walk_level()
    assert not stored_walks.problem()
