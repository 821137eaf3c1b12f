# SPDX-License-Identifier: GPL-3.0-or-later
"""The overlay says how a pair stands in one label, where the two meet, and draws what its verdict is about."""

from collections.abc import Callable

import bpy
import numpy as np
import pytest

from collision_kit.addon.debug_draw.roles import Role
from collision_kit.addon.fixes.shortest_ways import ways
from collision_kit.addon.scene import events
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.panels import COLLISION_KIT_PT_pair
from collision_kit.addon.viewport import axis_explorer, framing, verdict_colors
from collision_kit.addon.viewport import pair as pair_overlay
from collision_kit.addon.viewport.palette import LOOKS
from collision_kit.core import Verdict
from tests.helpers.blender.bridge_scene import add, cube_mesh, mesh
from tests.helpers.blender.on_screen import on_screen
from tests.helpers.blender.panel_recorder import drawn


@pytest.fixture(autouse=True)
def forgotten(scene: bpy.types.Scene):
    yield
    last_check.forget()


def sunk() -> None:
    add("Floor", cube_mesh((2.0, 2.0, 0.1)), at=(0.0, 0.0, -0.1))
    add("Post", cube_mesh((0.3, 0.3, 0.5)), at=(0.0, 0.0, 0.497))


def copied() -> None:
    add("Crate", cube_mesh())
    add("Copy", cube_mesh())


def swallowed() -> None:
    add("Pillar", cube_mesh((0.3, 0.3, 2.0)))
    add("Cup", cube_mesh((0.04, 0.04, 0.05)), at=(0.1, 0.0, 0.5))


def flush() -> None:
    add("Wall", cube_mesh((2.0, 0.1, 1.0)))
    add("Poster", mesh([(-0.5, -0.1, -0.5), (0.5, -0.1, -0.5), (0.5, -0.1, 0.5), (-0.5, -0.1, 0.5)], [(0, 1, 2, 3)]))


def stacked() -> None:
    add("Lower", cube_mesh())
    add("Upper", cube_mesh(), at=(0.0, 0.0, 2.0))


def through() -> None:
    add("Wall", cube_mesh((1.5, 0.1, 1.25)))
    add("Pipe", cube_mesh((0.05, 1.5, 0.05)), at=(0.5, 0.2, 0.2))


def near() -> None:
    bpy.context.scene.collision_kit.clearance = 0.05
    add("Left", cube_mesh())
    add("Right", cube_mesh(), at=(2.02, 0.0, 0.0))


CASES = (
    (sunk, Verdict.PENETRATING, "3 mm inside", None),
    (copied, Verdict.DUPLICATE, "same place as {b}", Role.WORST_DUPLICATE),
    (swallowed, Verdict.CONTAINED, "240 mm inside Pillar", Role.CONTAINED),
    (flush, Verdict.COPLANAR, "in one plane: flickers", Role.COPLANAR),
    (stacked, Verdict.TOUCHING, "touching", None),
    # A pipe of 100 mm cannot be 1.05 m inside anything: that is the way out.
    (through, Verdict.PENETRATING, "goes through: move 1.05 m to be free", None),
    (near, Verdict.WITHIN_CLEARANCE, "20 mm apart, closer than 50 mm", None),
)


@pytest.mark.parametrize(("build", "verdict", "label", "filled"), CASES)
def test_one_label_says_how_a_pair_stands_where_it_is_seen(
    build: Callable[[], None], verdict: Verdict, label: str, filled: Role | None
) -> None:
    build()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    assert bpy.ops.collision_kit.select_pair(row=0) == {"FINISHED"}
    pair, shown, report = last_check.pair(0), on_screen(), last_check.report
    assert pair is not None and pair.verdict == verdict and shown is not None and report is not None
    assert list(map(str, shown.labels)) == [label.format(b=last_check.body_name(last_check.bodies_of(pair)[1]))]
    assert last_check.world is not None
    center, radius = framing.place_of(report, last_check.world, pair)
    assert np.linalg.norm(shown.label_at[0] - center) < radius
    # In the color of the verdict, which is not that of a fault for what is none.
    colors = {role: LOOKS[role].color for role in verdict_colors.ROLES.values()}
    assert LOOKS[Role(int(shown.label_role[0]))].color == colors[verdict_colors.ROLES[verdict]]
    assert list(colors.values()).count(colors[verdict_colors.ROLES[verdict]]) == 1
    # Both are named: in the legend, or by the label.
    told = " ".join([*shown.labels, *(str(text) for _, text in shown.legend)])
    assert all(last_check.body_name(body) in told for body in last_check.bodies_of(pair))
    of_verdict = {Role.WORST_DUPLICATE, Role.CONTAINED, Role.COPLANAR}
    drawn = of_verdict.intersection(Role(int(role)) for role in shown.triangle_role)
    assert drawn == ({filled} if filled is not None else set())
    if filled is not None:
        own = {Role.RULER, Role.DEPTH, Role.NORMAL}
        assert own.isdisjoint(Role(int(role)) for role in shown.line_role), "it is not about how deep the two are"


def arrow() -> tuple[np.ndarray, np.ndarray]:
    """Return the tail of the only arrow that is drawn, and the way to its tip."""
    shown = on_screen()
    lines = shown.lines[shown.line_role == int(Role.WAY)]
    shaft, *barbs = sorted(lines, key=lambda line: -np.linalg.norm(line[1] - line[0]))
    assert len(barbs) == 4 and all(np.allclose(barb[0], shaft[1]) for barb in barbs), "one arrow, with one head"
    return shaft[0], shaft[1] - shaft[0]


def told_in_panel() -> str:
    panel = drawn(COLLISION_KIT_PT_pair, bpy.context)
    assert panel is not None
    return " ".join(panel.texts).replace("\N{NO-BREAK SPACE}", " ")


@pytest.mark.parametrize("active", ["Floor", "Post"])
def test_the_arrow_is_that_of_the_object_of_which_the_panel_says_how_to_move_it(active: str) -> None:
    sunk()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    bpy.context.view_layer.objects.active = bpy.data.objects[active]
    events.on_settled.publish()
    pair, explanation = last_check.pair(0), bpy.context.window_manager.collision_kit.explanation
    assert pair is not None
    sign = "−" if active == "Floor" else "+"
    assert f'move "{active}" by 3 mm along {sign}Z' in told_in_panel()
    for translated, label in ((False, "3 mm inside"), (True, f"move {active} by 3 mm to be free")):
        explanation.separating_translation = translated
        try:
            tail, way = arrow()
            assert list(map(str, on_screen().labels)) == [label]
        finally:
            explanation.separating_translation = False
        way = way if active == "Post" else -way
        assert way[2] > 0.003 and np.allclose(way[:2], 0.0), "longer than the depth, to be seen"
        np.testing.assert_allclose(on_screen().label_at, [tail], atol=1e-6, err_msg="it does not cover the arrow")
        # It begins where the object is deepest in the other.
        assert tail[2] == pytest.approx(-0.003 if active == "Post" else 0.0, abs=1e-6)
        legend = {str(text): roles for roles, text in on_screen().legend}
        assert legend[f"move {active} this way (not to scale)"] == (Role.WAY,)


def test_the_way_out_of_a_contained_body_is_drawn_as_long_as_the_panel_says() -> None:
    swallowed()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    tail, way = arrow()
    np.testing.assert_allclose(tail, [0.1, 0.0, 0.5], atol=1e-6)
    np.testing.assert_allclose(way, [0.24, 0.0, 0.0], atol=1e-6)
    text = told_in_panel()
    assert "240 mm inside Pillar" in text and 'move "Cup" by 240 mm along +X' in text


def fitted() -> None:
    """A key that is pressed into a frame."""
    points, faces = [], []
    for x, y, half in ((3, 0, (1, 4, 0.5)), (-3, 0, (1, 4, 0.5)), (0, 3, (1.99, 1, 0.5)), (0, -3, (1.99, 1, 0.5))):
        first = len(points)
        wall = cube_mesh(half)
        points += [(v.co.x + x, v.co.y + y, v.co.z) for v in wall.vertices]
        faces += [[first + index for index in face.vertices] for face in wall.polygons]
    add("Frame", mesh(points, faces))
    add("Key", cube_mesh((2.01, 2.01, 0.5)), at=(0.0, 0.0, 0.1))


@pytest.mark.parametrize("build", [copied, flush, stacked])
def test_no_arrow_is_drawn_where_the_panel_tells_of_no_move(build: Callable[[], None]) -> None:
    build()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    assert int(Role.WAY) not in on_screen().line_role
    assert "To separate" not in told_in_panel() and "shortest" not in told_in_panel()


@pytest.mark.parametrize("build", [sunk, copied, swallowed, flush, near])
def test_the_panel_and_the_view_say_the_same(build: Callable[[], None]) -> None:
    build()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    (label,) = map(str, on_screen().labels)
    assert label in told_in_panel()


def test_while_another_axis_is_looked_at_the_label_is_the_overlap_along_that() -> None:
    add("A", cube_mesh())
    add("B", cube_mesh(), at=(1.5, 0.0, 0.0))
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    assert list(map(str, on_screen().labels)) == ["500 mm inside"]
    axis_explorer.look_at(1)
    pair_overlay.show(bpy.context, 0)
    assert list(map(str, on_screen().labels)) == ["overlap along this axis: 2 m"]
    axis_explorer.look_at(0)
    pair_overlay.show(bpy.context, 0)
    assert list(map(str, on_screen().labels)) == ["500 mm inside"]


@pytest.mark.parametrize("share", [-0.5, 0.0, 0.2, 0.5])
@pytest.mark.parametrize("half_length", [0.4, 1.1, 3.0, 20.0])
def test_the_way_out_of_a_pipe_through_a_wall_is_drawn_within_the_view(half_length: float, share: float) -> None:
    add("Wall", cube_mesh((1.5, 0.1, 1.25)))
    add("Pipe", cube_mesh((0.05, half_length, 0.05)), at=(0.5, share * half_length, 0.2))
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    pair, shown, report = last_check.pair(0), on_screen(), last_check.report
    assert pair is not None and shown is not None and report is not None and last_check.world is not None
    assert framing.goes_through(last_check.world, pair)
    center, radius = framing.place_of(report, last_check.world, pair)
    assert radius < 1.8, "the wall around the pipe"
    lines = shown.lines[shown.line_role == int(Role.WAY)]
    _, way = arrow()
    assert abs(way @ pair.normal) > 0.2 * radius, "long enough to be seen"
    assert np.linalg.norm(lines.reshape(-1, 3) - center, axis=1).max() < radius


@pytest.mark.parametrize("wall", ["A Wall", "Wall"])
def test_right_after_a_check_the_pipe_goes_first_and_not_the_wall(wall: str) -> None:
    add(wall, cube_mesh((1.5, 0.1, 1.25)))
    add("Pipe", cube_mesh((0.05, 1.5, 0.05)), at=(0.5, 0.2, 0.2))
    bpy.context.view_layer.objects.active = add("Ball", cube_mesh(), at=(9.0, 0.0, 0.0))
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    pair = last_check.pair(last_check.chosen)
    assert pair is not None
    assert [way.body.name for way in ways(bpy.context, pair)] == ["Pipe", wall]
    bpy.context.view_layer.objects.active = bpy.data.objects[wall]
    assert [way.body.name for way in ways(bpy.context, pair)] == [wall, "Pipe"]


def test_the_legend_names_both_objects_and_what_is_drawn_of_them() -> None:
    bpy.context.window_manager.collision_kit.explanation.by_verdict = True
    try:
        sunk()
        add("Away", cube_mesh(), at=(9.0, 0.0, 0.0))
        bpy.context.view_layer.update()
        bpy.ops.collision_kit.check_collisions()
        shown = on_screen()
    finally:
        bpy.context.window_manager.collision_kit.explanation.by_verdict = False
    drawn = {*shown.line_role.tolist(), *shown.point_role.tolist(), *shown.triangle_role.tolist()}
    legend = {str(text): roles for roles, text in shown.legend}
    assert legend == {
        "Floor": (Role.WITNESS_A,),
        "Post": (Role.WITNESS_B,),
        "the surfaces cross": (Role.CURVE,),
        "contacts and normals": (Role.CONTACT,),
        "depth": (Role.DEPTH,),
        "move Post this way (not to scale)": (Role.WAY,),
        "Penetrating": (Role.WORST_PENETRATING,),
        "No Collision": (Role.CLEAR,),
    }
    # The lines of objects are lighter than their colors in the legend.
    lighter = {Role.WITNESS_A: Role.SHAPE_A, Role.WITNESS_B: Role.SHAPE_B}
    assert {lighter.get(role, role) for roles in legend.values() for role in roles} <= drawn


@pytest.mark.parametrize(("half", "filled"), [(8.0, 1), (0.4, 2)])
def test_of_colors_by_verdict_the_fill_of_a_much_larger_body_does_not_cover_the_pair(half: float, filled: int) -> None:
    add("Floor", cube_mesh((half, half, 0.1)), at=(0.0, 0.0, -0.1))
    add("Post", cube_mesh((0.3, 0.3, 0.5)), at=(0.0, 0.0, 0.497))
    bpy.context.view_layer.update()
    bpy.context.window_manager.collision_kit.explanation.by_verdict = True
    try:
        bpy.ops.collision_kit.check_collisions()
        shown = on_screen()
    finally:
        bpy.context.window_manager.collision_kit.explanation.by_verdict = False
    of_verdict = shown.triangles[shown.triangle_role == int(Role.WORST_PENETRATING)]
    assert len(of_verdict) == filled * 12
    lines = shown.lines[shown.line_role == int(Role.WORST_PENETRATING)]
    assert len(lines) == 2 * 12, "both have lines"


@pytest.mark.parametrize(
    ("build", "named"),
    [
        (copied, {"{a} and {b} (Duplicate)": Role.WORST_DUPLICATE}),
        (swallowed, {"Cup (Contained)": Role.CONTAINED, "move Cup this way": Role.WAY}),
        (flush, {"Coplanar": Role.COPLANAR}),
        (through, {"move Pipe this way": Role.WAY, "the surfaces cross": Role.CURVE}),
        (near, {"gap": Role.GAP, "move Left this way (not to scale)": Role.WAY}),
    ],
)
def test_the_legend_names_what_is_drawn_between_the_objects(build: Callable[[], None], named: dict[str, Role]) -> None:
    build()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    shown, pair = on_screen(), last_check.pair(0)
    assert pair is not None
    names = {last_check.body_name(body) for body in last_check.bodies_of(pair)}
    told = {str(text): roles for roles, text in shown.legend if str(text) not in names}
    usual = ("contacts and normals", "ranges along the axis")
    first, second = map(last_check.body_name, last_check.bodies_of(pair))
    assert {text: roles for text, roles in told.items() if text not in usual} == {
        text.format(a=first, b=second): (role,) for text, role in named.items()
    }


def shelved() -> None:
    add("Shelf", cube_mesh((0.6, 0.2, 9.0)))
    add("Crate", cube_mesh((0.05, 0.05, 0.05)), at=(0.0, 0.24, 0.0))


@pytest.mark.parametrize(("build", "seen"), [(near, True), (shelved, False)])
def test_the_ranges_are_drawn_only_where_the_view_shows_them(build: Callable[[], None], seen: bool) -> None:
    build()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    shown, pair, report = on_screen(), last_check.pair(0), last_check.report
    assert pair is not None and report is not None and last_check.world is not None
    center, radius = framing.place_of(report, last_check.world, pair)
    bars = shown.lines[shown.line_role == int(Role.INTERVAL_A)]
    along = np.linspace(bars[:, 0], bars[:, 1], 101)
    assert (np.linalg.norm(along - center, axis=2) < radius).any() == seen
    # Lines to bars that are not seen would only run out of the view.
    assert (int(Role.RULER) in shown.line_role) == bool(len(bars)) == seen
    legend = {str(text): roles for roles, text in shown.legend}
    assert legend.get("ranges along the axis") == ((Role.INTERVAL_A, Role.INTERVAL_B) if seen else None)


def test_of_a_possible_press_fit_only_the_depth_is_drawn_and_the_panel_says_how_to_take_it_out() -> None:
    fitted()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    pair = last_check.pair(0)
    assert pair is not None and pair.verdict == Verdict.PENETRATING and pair.held
    assert set(map(str, on_screen().labels)) == {"10 mm inside"}
    assert int(Role.WAY) not in on_screen().line_role
    text = told_in_panel()
    assert "10 mm inside" in text and "Perhaps a press fit" in text
    assert 'To take it out: move "Key" by 900 mm along +Z' in text


def test_of_what_is_held_the_panel_says_why_the_way_out_is_longer_than_it_is_deep() -> None:
    fitted()
    # Deeper than a fit.
    for vertex in bpy.data.objects["Key"].data.vertices:
        vertex.co.x, vertex.co.y = (2.03 * (1.0 if one > 0.0 else -1.0) for one in vertex.co.xy)
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    pair = last_check.pair(0)
    assert pair is not None and pair.verdict == Verdict.PENETRATING and pair.held
    assert set(map(str, on_screen().labels)) == {"30 mm inside", "shortest move to be free: 900 mm"}
    text = told_in_panel()
    assert "30 mm inside" in text
    assert 'No short move separates them. The shortest one: move "Key" by 900 mm along +Z' in text
    _, way = arrow()
    np.testing.assert_allclose(way, [0.0, 0.0, 0.9], atol=1e-6)
    report, world = last_check.report, last_check.world
    assert report is not None and world is not None
    center, radius = framing.place_of(report, world, pair)
    at = on_screen().label_at
    assert (np.linalg.norm(at - center, axis=1) < radius).all()


@pytest.mark.parametrize(("active", "direction"), [("Left", "−X"), ("Right", "+X")])
def test_of_a_pair_within_the_clearance_the_panel_says_how_to_keep_it(active: str, direction: str) -> None:
    near()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    bpy.context.view_layer.objects.active = bpy.data.objects[active]
    assert f'To keep 50 mm: move "{active}" by 30 mm along {direction}' in told_in_panel()
    events.on_settled.publish()
    _, way = arrow()
    sign = 1.0 if active == "Right" else -1.0
    assert sign * way[0] > 0.03 and np.allclose(way[1:], 0.0), "longer than the move, to be seen"
    bpy.data.objects[active].location.x += 0.03001 if active == "Right" else -0.03001
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    assert last_check.report is not None and not last_check.report.pairs


def test_the_panel_says_that_a_changed_pair_is_not_drawn_only_if_it_is_not() -> None:
    sunk()
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    drawn_row = pair_overlay.shown_row()
    assert drawn_row == 0 and "Not drawn" not in told_in_panel()
    for followed in (True, False):
        last_check.followed = followed
        last_check.mark_changed([bpy.data.objects["Post"].session_uid])
        events.on_settled.publish()
        # Live mode is about to test the pair again, and leaves it drawn meanwhile.
        assert (pair_overlay.shown_row() == 0) == followed
        assert ("Not drawn: the objects have changed" in told_in_panel()) != followed
        assert ("To separate: move" in told_in_panel()) == followed, "what was true before is no advice"
        panel = drawn(COLLISION_KIT_PT_pair, bpy.context)
        assert panel is not None
        assert panel.operators.count("collision_kit.check_collisions") == (not followed)


def test_a_named_test_tells_its_own_clearance() -> None:
    add("Left", cube_mesh())
    add("Right", cube_mesh(), at=(2.02, 0.0, 0.0))
    one = bpy.context.scene.collision_kit.tests.add()
    one.label, one.side_a, one.side_b, one.use_clearance, one.clearance = "near", "Left", "Right", True, 0.03
    bpy.context.view_layer.update()
    bpy.ops.collision_kit.check_collisions()
    bpy.ops.collision_kit.select_pair(row=0)
    assert list(map(str, on_screen().labels)) == ["20 mm apart, closer than 30 mm"]


def test_a_shaft_that_is_hardly_too_thick_for_its_bore_may_be_a_press_fit() -> None:
    """Four blocks around a shaft of 1 m, each 1 mm in it, and then 100 mm."""
    for depth, said in ((0.001, True), (0.1, False)):
        for ob in list(bpy.data.objects):
            bpy.data.objects.remove(ob)
        points, faces = [], []
        for corner in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            block = np.array([(x, y, z) for x in (-0.5, 0.5) for y in (-0.5, 0.5) for z in (-1.0, 1.0)])
            first = len(points)
            points += (block + np.array([*corner, 0.0]) * (1.0 - depth)).tolist()
            quads = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
            faces += [tuple(first + number for number in quad) for quad in quads]
        add("Housing", mesh(points, faces))
        add("Shaft", cube_mesh((0.5, 0.5, 3.0)))
        bpy.context.view_layer.update()
        bpy.ops.collision_kit.check_collisions()
        bpy.ops.collision_kit.select_pair(row=0)
        pair = last_check.pair(0)
        assert pair is not None and pair.held
        assert ("Perhaps a press fit" in told_in_panel()) is said
