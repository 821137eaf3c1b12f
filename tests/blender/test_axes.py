# SPDX-License-Identifier: GPL-3.0-or-later
"""The explanation of a chosen pair: its axes, what is drawn of each, stepping, and the colors of all bodies."""

from typing import Any

import bpy
import numpy as np
import pytest
from mathutils import Euler

from collision_kit.addon.debug_draw.primitives import Primitives
from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.panels import axes as axes_panel
from collision_kit.addon.ui.panels import name_row
from collision_kit.addon.ui.panels.axes import COLLISION_KIT_PT_axes, COLLISION_KIT_UL_axes, axis_name
from collision_kit.addon.ui.panels.drawing import COLLISION_KIT_PT_drawing
from collision_kit.addon.viewport import axis_explorer, handler, verdict_colors
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.core import AxisSource, AxisStatus, Verdict, convex_hull
from tests.helpers.blender.panel_recorder import Recorder, drawn, drawn_row


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    last_check.forget()
    shown.clear()
    original = handler.set_primitives
    monkeypatch.setattr(handler, "set_primitives", lambda *given: (shown.append(given[0]), original(*given))[1])


# What the viewport would show, the last last.
shown: list[Primitives] = []


def box(name: str, place: tuple[float, float, float], turn: tuple[float, float, float] = (0, 0, 0)) -> bpy.types.Object:
    bpy.ops.mesh.primitive_cube_add(size=2.0, location=place, rotation=Euler(turn))
    ob = bpy.context.object
    ob.name = name
    ob.collision_kit.shape = "BOX"
    return ob


def check() -> None:
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)


def explanation() -> object:
    return bpy.context.window_manager.collision_kit.explanation


def lines(role: Role) -> np.ndarray:
    return shown[-1].lines[shown[-1].line_role == role]


def test_two_boxes_have_fifteen_axes_and_the_deciding_one_comes_first() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0.2, 0.1), (0.3, 0.2, 0.1))
    check()
    found = axis_explorer.explored()
    assert found is not None and found.total == len(found.order) == 15
    gaps = found.axes.gap[found.order]
    assert (np.diff(gaps) <= 0.0).all()
    assert gaps[0] == pytest.approx(-abs(last_check.pair(0).distance), abs=1e-6)  # type: ignore[union-attr]
    assert len(explanation().axes) == 15


def test_axes_that_many_edges_of_hulls_make_are_listed_once() -> None:
    for name, place in (("A", (0, 0, 0)), ("B", (1.5, 0.2, 0.1))):
        mesh = bpy.data.meshes.new(name)
        corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
        mesh.from_pydata(corners, [], [face.tolist() for face in convex_hull(corners).faces])
        ob = bpy.data.objects.new(name, mesh)
        ob.location, ob.collision_kit.shape = place, "HULL"
        if name == "B":
            ob.rotation_euler = (0.3, 0.2, 0.1)
        bpy.context.scene.collection.objects.link(ob)
    check()
    found = axis_explorer.explored()
    axes = found.axes.axis[found.order]
    assert found.total == len(found.order) == 15
    assert found.order[0] == found.axes.best[0]
    among = np.abs(axes @ axes.T)[np.triu_indices(15, 1)]
    assert among.max() < 1.0 - 1e-9


def test_the_ruler_shows_what_each_covers_of_each_axis() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0.2, 0.1), (0.3, 0.2, 0.1))
    check()
    found = axis_explorer.explored()
    assert found is not None
    for place, row in enumerate(found.order):
        axis_explorer.look_at(place)
        pair_overlay.show(bpy.context, 0)
        axis = found.axes.axis[row]
        for role, interval in (
            (Role.INTERVAL_A, found.axes.interval_a[row]),
            (Role.INTERVAL_B, found.axes.interval_b[row]),
        ):
            along = lines(role) @ axis
            assert [along.min(), along.max()] == pytest.approx(interval, abs=1e-6)
        overlap = lines(Role.DEPTH) @ axis
        assert np.ptp(overlap, axis=1).max() == pytest.approx(-found.axes.gap[row], abs=1e-6)


def test_stepping_goes_round_and_back_to_what_decides() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0.2, 0.1), (0.3, 0.2, 0.1))
    check()
    step = bpy.ops.collision_kit.step_axis
    step(step="PREVIOUS")
    assert axis_explorer.place() == 14
    step(step="NEXT")
    assert axis_explorer.place() == 0
    step(step="NEXT")
    step(step="NEXT")
    assert axis_explorer.place() == explanation().axis == 2
    step(step="DECIDING")
    assert axis_explorer.place() == 0
    explanation().axis = 7  # as a click does
    assert axis_explorer.place() == 7


def test_another_pair_begins_with_its_own_deciding_axis() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0.2, 0.1), (0.3, 0.2, 0.1))
    box("C", (0, 1.6, 0))
    check()
    bpy.ops.collision_kit.step_axis(step="NEXT")
    bpy.ops.collision_kit.select_pair(row=1)
    assert axis_explorer.place() == 0
    assert axis_explorer.explored().pair is last_check.pair(1)  # type: ignore[union-attr]


@pytest.mark.parametrize(("shape", "parallel"), [("BOX", 3), ("HULL", 48)])
def test_two_cubes_have_three_axes_and_one_line_for_their_parallel_edges(shape: str, parallel: int) -> None:
    box("A", (0, 0, 0)).collision_kit.shape = shape
    box("B", (1.5, 0, 0)).collision_kit.shape = shape
    check()
    found = axis_explorer.explored()
    assert found is not None
    assert found.axes.status[found.order].tolist() == [AxisStatus.TESTED] * 3 + [AxisStatus.PARALLEL]
    assert (found.total, found.parallel) == (3, parallel)
    assert np.abs(found.axes.axis[found.order[:3]]).sum(axis=0).tolist() == [1.0, 1.0, 1.0]
    assert len(explanation().axes) == 4
    assert drawn_row(COLLISION_KIT_UL_axes, bpy.context, 3).texts == [f"{parallel} parallel, skipped"]
    bpy.ops.collision_kit.step_axis(step="PREVIOUS")
    assert axis_explorer.place() == 3
    assert not len(lines(Role.INTERVAL_A))
    assert len(lines(Role.FEATURE_A)) == len(lines(Role.FEATURE_B)) == 1
    texts = drawn(COLLISION_KIT_PT_axes, bpy.context).texts
    assert any("parallel" in text for text in texts)


@pytest.mark.parametrize("gap", [-(2.0**-23), 2.0**-22])
def test_boxes_that_touch_up_to_rounding_are_said_to_touch(gap: float) -> None:
    box("A", (0, 0, 0))
    box("B", (0.3, 0.2, 2.0 + gap))
    bpy.context.scene.unit_settings.length_unit = "MILLIMETERS"
    check()
    found, pair = axis_explorer.explored(), last_check.pair(0)
    assert found is not None and pair is not None and pair.verdict == Verdict.TOUCHING
    assert float(found.axes.gap[found.order[0]]) == pytest.approx(gap)
    assert list(map(str, shown[-1].labels)) == ["touching"]
    texts = drawn(COLLISION_KIT_PT_axes, bpy.context).texts
    assert texts[texts.index("Gap") + 1] == "0 mm"
    assert drawn_row(COLLISION_KIT_UL_axes, bpy.context, 0).texts[-1] == "0 mm"


def test_both_ends_of_both_ranges_have_one_unit() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0, 0))
    check()
    texts = drawn(COLLISION_KIT_PT_axes, bpy.context).texts
    ranges = {texts[texts.index(name) + 1] for name in ("Range of A", "Range of B")}
    assert ranges == {"−1 m … 1 m", "0.5 m … 2.5 m"}


@pytest.mark.parametrize("width", [150.0, 217.0, 292.0, 400.0])
def test_a_row_shows_the_whole_value_and_the_panel_the_whole_name(
    monkeypatch: pytest.MonkeyPatch, width: float
) -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0.2, 0.1), (0.3, 0.2, 0.1))
    check()
    shares = list[float]()

    class Row(Recorder):
        def _part(self, **options: Any) -> "Recorder":
            shares.extend(options[name] for name in options if name == "factor")
            return self

    monkeypatch.setattr(axes_panel, "sidebar_width", lambda _context: width)
    monkeypatch.setattr(axes_panel, "scale", lambda _context: 1.0)
    monkeypatch.setattr(axes_panel, "measure", lambda _context: lambda text: 7.0 * len(text))
    recorded = Row()
    COLLISION_KIT_UL_axes.draw_item(None, bpy.context, recorded, None, None, 0, None, "", 0)
    room = (1.0 - shares[0]) * (width - name_row.BESIDE)
    assert room >= min(7.0 * len(recorded.texts[-1]), width - name_row.BESIDE) - 1e-6
    found = axis_explorer.explored()
    assert found is not None
    name = axis_name(found.axes, int(found.order[0]))
    texts = drawn(COLLISION_KIT_PT_axes, bpy.context).texts
    assert texts[texts.index("Axis") + 1] == f"1 / {found.total}: {name}"


def test_names_tell_what_made_an_axis() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0.2, 0.1), (0.3, 0.2, 0.1))
    check()
    found = axis_explorer.explored()
    assert found is not None
    words = {AxisSource.FACE_A: "of A", AxisSource.FACE_B: "of B", AxisSource.EDGES: "×"}
    for row in found.order:
        assert words[AxisSource(int(found.axes.source[row]))] in axis_name(found.axes, int(row))


def test_a_mesh_that_is_not_convex_shows_where_it_crosses() -> None:
    bpy.ops.mesh.primitive_torus_add(major_radius=2.0, minor_radius=0.5)
    box("Block", (2.0, 0, 0))
    check()
    assert axis_explorer.explored() is None
    assert not len(lines(Role.INTERVAL_A))
    curve = lines(Role.CURVE)
    assert len(curve)
    # All of it lies on the block.
    inside = np.abs(curve.reshape(-1, 3) - (2.0, 0.0, 0.0))
    assert inside.max(axis=1) == pytest.approx(np.ones(len(inside)), abs=1e-5)
    assert not bpy.ops.collision_kit.step_axis.poll()
    assert any("Non-convex" in text for text in drawn(COLLISION_KIT_PT_axes, bpy.context).texts)


def test_what_is_not_wanted_is_not_drawn() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0, 0))
    check()
    everything = {Role(int(role)) for role in shown[-1].line_role}
    assert {Role.INTERVAL_A, Role.NORMAL, Role.PATCH, Role.CURVE} <= everything
    for name, roles in (
        ("ruler", {Role.INTERVAL_A, Role.INTERVAL_B, Role.RULER, Role.FEATURE_A, Role.FEATURE_B}),
        ("contacts", {Role.NORMAL, Role.PATCH}),
        ("crossing", {Role.CURVE}),
    ):
        setattr(explanation(), name, False)
        assert {Role(int(role)) for role in shown[-1].line_role}.isdisjoint(roles)
        setattr(explanation(), name, True)
        assert {Role(int(role)) for role in shown[-1].line_role} == everything


def test_every_body_has_the_color_of_its_worst_verdict() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0, 0))  # penetrates A
    box("C", (3.5, 0, 0))  # touches B
    box("D", (9.0, 0, 0))
    explanation().by_verdict = True
    try:
        check()
        role = verdict_colors.worst_roles(last_check.report)
        by_name = {body.name: Role(int(worst)) for body, worst in zip(last_check.report.bodies, role, strict=True)}
        assert by_name == {
            "A": Role.WORST_PENETRATING,
            "B": Role.WORST_PENETRATING,
            "C": Role.WORST_TOUCHING,
            "D": Role.CLEAR,
        }
        for name, role in by_name.items():
            center = np.array(bpy.data.objects[name].location)
            mine = lines(role)
            near = (np.abs(mine - center) <= 1.0 + 1e-6).all(axis=(1, 2))
            assert np.count_nonzero(near) >= 12
        # What has moved since is left out, and what has not stays.
        bpy.data.objects["A"].location.x = -5.0
        bpy.context.view_layer.update()
        assert len(lines(Role.WORST_PENETRATING)) == 12
        assert len(lines(Role.CLEAR)) == 12
    finally:
        explanation().by_verdict = False


def test_worst_is_the_greatest_of_all_verdicts_on_a_body() -> None:
    assert sorted(verdict_colors.ROLES) == sorted(Verdict)


def test_the_panel_has_a_switch_for_each_part() -> None:
    box("A", (0, 0, 0))
    box("B", (1.5, 0, 0))
    check()
    recorder = drawn(COLLISION_KIT_PT_drawing, bpy.context)
    assert {"ruler", "contacts", "every_arrow", "crossing", "by_verdict"} <= {name for _, name in recorder.props}
