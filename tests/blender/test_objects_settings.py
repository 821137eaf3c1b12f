# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups, bodies and surfaces of objects; copying and resetting what is set."""

import json
import math

import bpy
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.motion.check import motion
from collision_kit.addon.reports.json import as_json
from collision_kit.addon.reports.text import as_text
from collision_kit.addon.scene.objects.collision_settings import ANY, CollisionTraits, groups_of, traits_of
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui import panels
from collision_kit.addon.ui.panels.active_pair import COLLISION_KIT_PT_pair
from collision_kit.addon.ui.panels.object import COLLISION_KIT_PT_object_groups, COLLISION_KIT_PT_object_surface
from collision_kit.addon.ui.panels.results import COLLISION_KIT_PT_results
from tests.helpers.blender.bridge_scene import add, cube_mesh, rigid_body
from tests.helpers.blender.live_scene import assert_same_as_fresh, results, settle
from tests.helpers.blender.panel_recorder import drawn

pytestmark = pytest.mark.usefixtures("scene")


def cubes(*names: str) -> list[bpy.types.Object]:
    """Cubes in a row, each deep in the next and no other."""
    made = [add(name, cube_mesh(), at=(1.5 * place, 0.0, 0.0)) for place, name in enumerate(names)]
    bpy.context.view_layer.update()
    return made


def test_a_number_in_a_file_that_is_none_counts_as_its_default() -> None:
    settings, (first, _) = bpy.context.scene.collision_kit, cubes("A", "B")
    settings.touching_mode, first.collision_kit.own_surface = "MANUAL", True
    test, rule = settings.tests.add(), settings.ignore_rules.add()
    test.side_a, test.use_touching, test.use_clearance = "*", True, True
    rule.side_a, rule.use_max_depth = "nothing", True
    groups = (settings, first.collision_kit, test, rule)
    names = ("touching", "clearance", "margin", "friction", "restitution", "max_depth")
    stored = [(group, name) for group in groups for name in names if hasattr(group, name)]
    reports = []
    for value in (None, math.nan):
        for group, name in stored:
            default = group.bl_rna.properties[name].default
            setattr(group, name, default if value is None else value)
        assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
        reports.append(as_json(last_check.report))
    assert reports[0] == reports[1] and len(last_check.report.pairs) == 1
    results().live = True
    settle()
    assert_same_as_fresh()
    results().live = False


def grouped(ob: bpy.types.Object, groups: set[int], mask: set[int]) -> None:
    settings = ob.collision_kit
    settings.own_groups = True
    settings.groups = [number in groups for number in range(16)]
    settings.mask = [number in mask for number in range(16)]


def pairs(**settings) -> set[tuple[str, str]]:
    report = check(bpy.context, "ALL", **settings)[0]
    return {(report.bodies[pair.body_a].name, report.bodies[pair.body_b].name) for pair in report.pairs}


def test_each_must_be_in_a_group_that_the_other_meets() -> None:
    a, b = cubes("A", "B")
    assert pairs() == {("A", "B")}
    grouped(a, {1}, {1, 2})
    grouped(b, {2}, {1})
    assert pairs() == {("A", "B")}
    grouped(b, {2}, {2})
    assert not pairs()
    grouped(b, {3}, {1})
    assert not pairs()
    # To what has no groups of its own the first group is what counts.
    b.collision_kit.own_groups = False
    assert not pairs()
    grouped(a, {5}, {0})
    assert pairs() == {("A", "B")}
    grouped(a, set(), set(range(16)))
    assert not pairs() and not pairs(plane="XY")


def test_the_report_counts_what_was_left_out() -> None:
    a, b, _ = cubes("A", "B", "C")
    assert json.loads(as_json(check(bpy.context, "ALL")[0]))["tested"]["left_out"] == 0
    grouped(a, {1}, {1})
    report = check(bpy.context, "ALL")[0]
    assert report.tested["left_out"] == 1 and report.tested["candidates"] == 1
    assert "1 pair of shapes excluded by collision layers" in as_text(report)
    # What belongs together is not left out by anything.
    b.collision_kit.part_of = a
    assert check(bpy.context, "ALL")[0].tested["left_out"] == 0
    last_check.forget()
    b.collision_kit.part_of = None
    bpy.context.scene.collision_kit.scope = "ALL"
    bpy.ops.collision_kit.check_collisions()
    recorder = drawn(COLLISION_KIT_PT_results, bpy.context)
    assert "1 pair by collision layers" in recorder.texts


def test_rigid_bodies_go_by_their_collision_collections_among_themselves() -> None:
    a, b, c = cubes("A", "B", "C")
    for ob in (a, b):
        rigid_body(ob, "BOX")
    assert pairs() == {("A", "B"), ("B", "C")}
    b.rigid_body.collision_collections = [number == 3 for number in range(20)]
    assert pairs() == {("B", "C")}
    a.rigid_body.collision_collections = [number in (0, 3) for number in range(20)]
    assert pairs() == {("A", "B"), ("B", "C")}
    a.rigid_body.collision_collections = [number == 0 for number in range(20)]
    grouped(a, {0}, {0})
    assert pairs() == {("A", "B"), ("B", "C")}, "one of them has groups of its own, and the other is in the first"
    grouped(a, {0}, {1})
    assert pairs() == {("B", "C")}
    grouped(c, {0}, {4})
    assert not pairs()


def test_the_default_is_the_first_group_and_all() -> None:
    (a,) = cubes("A")
    assert traits_of(a) == CollisionTraits() and groups_of(a) == ANY
    a.collision_kit.own_groups = True
    assert groups_of(a) == ANY, "switching them on changes nothing before a group is changed"


def test_motion_and_live_checks_obey_groups_and_margins() -> None:
    a, b = cubes("A", "B")
    grouped(a, {1}, {1})
    assert not motion(bpy.context, "ALL", start=1, end=2).contacts
    a.collision_kit.own_groups = False
    assert len(motion(bpy.context, "ALL", start=1, end=2).contacts) == 1
    bpy.context.scene.collision_kit.scope = "ALL"
    results().live = True
    try:
        settle()
        assert len(last_check.report.pairs) == 1
        for change in (
            lambda: grouped(a, {1}, {1}),
            lambda: grouped(b, {1}, {1}),
            lambda: setattr(b, "location", (4.0, 0.0, 0.0)),
            lambda: setattr(a.collision_kit, "margin", 1.0),
            lambda: setattr(b.collision_kit, "margin", 1.5),
            lambda: setattr(b, "location", (4.25, 0.0, 0.0)),
            lambda: setattr(b.collision_kit, "shape", "SPHERE"),
            lambda: setattr(b.collision_kit, "part_of", a),
            lambda: setattr(b.collision_kit, "part_of", None),
            lambda: setattr(a.collision_kit, "own_surface", True),
            lambda: setattr(a.collision_kit, "friction", 2.0),
        ):
            change()
            bpy.context.view_layer.update()
            settle()
            assert_same_as_fresh()
        assert last_check.report.pairs and last_check.report.surface_of(last_check.report.pairs[0]).friction == 1.0
        assert last_check.report.tested["left_out"] == 0
    finally:
        results().live = False


def test_a_setting_that_changes_makes_results_stale() -> None:
    a, _ = cubes("A", "B")
    bpy.context.scene.collision_kit.scope = "ALL"
    for change in (
        lambda: setattr(a.collision_kit, "margin", 0.1),
        lambda: setattr(a.collision_kit, "own_groups", True),
        lambda: setattr(a.collision_kit, "part_of", bpy.data.objects["B"]),
        lambda: setattr(a.collision_kit, "own_surface", True),
    ):
        bpy.ops.collision_kit.check_collisions()
        assert not last_check.body_is_stale(last_check.report.bodies[0])
        change()
        assert last_check.body_is_stale(last_check.report.bodies[0])


def test_parts_of_a_body_are_never_tested_against_each_other() -> None:
    a, b, c = cubes("A", "B", "C")
    b.collision_kit.part_of = a
    assert pairs() == {("A", "C")}, "the body goes by the name of what the others are part of"
    c.collision_kit.part_of = b
    report = check(bpy.context, "ALL")[0]
    assert [body.name for body in report.bodies] == ["A"] and len(report.shapes) == 3
    assert not report.issues
    # Who tests the whole tests its parts.
    c.collision_kit.part_of = None
    a.select_set(True)
    c.select_set(True)
    assert {shape.object for shape in check(bpy.context, "SELECTED")[0].shapes} == {"A", "B", "C"}


def test_a_circle_of_parts_is_one_body_and_one_issue() -> None:
    a, b, c = cubes("A", "B", "C")
    a.collision_kit.part_of, b.collision_kit.part_of, c.collision_kit.part_of = b, c, a
    report = check(bpy.context, "ALL")[0]
    assert len(report.bodies) == 1 and not report.pairs
    (issue,) = report.issues
    assert issue.id == "circular-body" and issue.severity == "warning"
    assert "→" in issue.message and all(name in issue.message for name in "ABC")
    a.collision_kit.part_of = a
    b.collision_kit.part_of = c.collision_kit.part_of = None
    (issue,) = check(bpy.context, "ALL")[0].issues
    assert (issue.id, issue.object) == ("circular-body", "A")
    assert pairs() == {("A", "B"), ("B", "C")}


def test_an_object_cannot_be_chosen_as_part_of_what_is_part_of_it() -> None:
    from collision_kit.addon.ui.callbacks.objects import may_be_part_of

    a, b, c = cubes("A", "B", "C")
    b.collision_kit.part_of = a
    c.collision_kit.part_of = b
    assert not may_be_part_of(a.collision_kit, a)
    assert not may_be_part_of(a.collision_kit, c)
    assert may_be_part_of(c.collision_kit, a)


def test_what_is_part_of_something_elsewhere_is_a_body_of_its_own() -> None:
    a, b = cubes("A", "B")
    b.collision_kit.part_of = a
    bpy.context.scene.collection.objects.unlink(a)
    bpy.context.view_layer.update()
    report = check(bpy.context, "ALL")[0]
    (issue,) = report.issues
    assert issue.id == "lost-body" and '"A"' in issue.message
    assert [body.name for body in report.bodies] == ["B"]


def test_a_collider_stands_for_what_it_is_part_of() -> None:
    a, other = cubes("Crate", "Other")
    collider = add("UBX_Other", cube_mesh((0.5, 0.5, 0.5)))
    collider.collision_kit.part_of = a
    bpy.context.view_layer.update()
    report = check(bpy.context, "ALL", clearance=5.0)[0]
    assert {(shape.object, report.bodies[shape.body].name) for shape in report.shapes} == {
        ("UBX_Other", "Crate"),
        ("Other", "Other"),
    }
    assert other.collision_kit.part_of is None


def test_surfaces_are_those_of_the_rigid_bodies_unless_set_and_contacts_combine_them() -> None:
    a, b = cubes("A", "B")
    rigid_body(a, "BOX")
    a.rigid_body.friction, a.rigid_body.restitution = 0.8, 0.25
    report = check(bpy.context, "ALL")[0]
    surface = report.surface_of(report.pairs[0])
    assert surface.friction == pytest.approx(math.sqrt(0.8 * 0.5), abs=1e-6)
    assert surface.restitution == pytest.approx(0.25)
    b.collision_kit.own_surface = True
    b.collision_kit.friction, b.collision_kit.restitution = 0.2, 0.75
    for plane in (None, "XY"):
        told = json.loads(as_json(check(bpy.context, "ALL", plane=plane)[0]))
        (pair,) = told["pairs"]
        assert pair["friction"] == pytest.approx(math.sqrt(0.8 * 0.2), abs=1e-6)
        assert pair["restitution"] == pytest.approx(0.75)
        shape = told["bodies"][1]["shapes"][0]
        assert (shape["friction"], shape["restitution"]) == (pytest.approx(0.2), pytest.approx(0.75))
    bpy.context.scene.collision_kit.scope = "ALL"
    bpy.ops.collision_kit.check_collisions()
    assert {"Friction", "Bounciness", "0.4", "0.75"} <= set(drawn(COLLISION_KIT_PT_pair, bpy.context).texts)


def test_panels_say_what_holds_where_nothing_is_set() -> None:
    (a,) = cubes("A")
    bpy.context.view_layer.objects.active = a
    assert "In layer 1, collides with all layers" in " ".join(drawn(COLLISION_KIT_PT_object_groups, bpy.context).texts)
    assert "0.5" in drawn(COLLISION_KIT_PT_object_surface, bpy.context).texts
    rigid_body(a, "BOX")
    a.rigid_body.friction = 0.125
    texts = drawn(COLLISION_KIT_PT_object_surface, bpy.context).texts
    assert "0.125" in texts and "Rigid Body" in texts
    assert "collision collections" in " ".join(drawn(COLLISION_KIT_PT_object_groups, bpy.context).texts)
    grouped(a, set(), {1})
    recorder = drawn(COLLISION_KIT_PT_object_groups, bpy.context)
    assert [name for _, name in recorder.props] == ["own_groups", "groups", "mask"]
    assert "Not tested" in " ".join(recorder.texts)
    a.collision_kit.own_surface = True
    recorder = drawn(COLLISION_KIT_PT_object_surface, bpy.context)
    assert [name for _, name in recorder.props] == ["own_surface", "friction", "restitution"]


def all_set(ob: bpy.types.Object, part_of: bpy.types.Object) -> None:
    grouped(ob, {2, 3}, {1})
    settings = ob.collision_kit
    settings.shape, settings.margin, settings.part_of = "SPHERE", 0.25, part_of
    settings.own_surface, settings.friction, settings.restitution = True, 0.75, 0.125


def test_settings_are_copied_to_the_other_selected_objects() -> None:
    a, b, c, d = cubes("A", "B", "C", "D")
    copy = bpy.ops.collision_kit.copy_collision_settings
    with pytest.raises(RuntimeError, match="active"):
        copy()
    bpy.context.view_layer.objects.active = a
    a.select_set(True)
    with pytest.raises(RuntimeError, match="in addition"):
        copy()
    all_set(a, d)
    for ob in (b, c):
        ob.select_set(True)
    copy()
    for ob in (b, c):
        assert traits_of(ob) == traits_of(a)._replace(part_of=0)
        assert ob.collision_kit.shape == "SPHERE"
    assert traits_of(d) == CollisionTraits() and d.collision_kit.shape == "AUTO"
    d.select_set(True)
    copy(what={"BODY", "MARGIN"})
    assert b.collision_kit.part_of == d and d.collision_kit.part_of is None
    assert d.collision_kit.margin == 0.25 and d.collision_kit.shape == "AUTO"


def test_resetting_takes_everything_back_and_is_undone() -> None:
    a, b = cubes("A", "B")
    reset = bpy.ops.collision_kit.reset_collision_settings
    with pytest.raises(RuntimeError, match="Select"):
        reset()
    a.select_set(True)
    with pytest.raises(RuntimeError, match="default collision settings"):
        reset()
    all_set(a, b)
    all_set(b, None)
    a.collision_kit.collider.kind = "BOX"
    bpy.ops.ed.undo_push(message="set")
    before = traits_of(a)
    reset()
    assert traits_of(a) == CollisionTraits() and a.collision_kit.shape == "AUTO"
    assert not any(a.collision_kit.is_property_set(name) for name in ("margin", "groups", "friction"))
    assert a.collision_kit.part_of is None
    assert a.collision_kit.collider.kind == "BOX" and traits_of(b).margin == 0.25
    bpy.ops.ed.undo_push(message="reset")
    bpy.ops.ed.undo()
    assert traits_of(bpy.data.objects["A"]) == before


PANELS = ("", "_groups", "_surface")


@pytest.mark.parametrize("own", [True, False])
def test_the_physics_tab_shows_what_the_sidebar_shows(own: bool) -> None:
    ob = add("Crate", cube_mesh())
    add("Other", cube_mesh())
    bpy.context.view_layer.objects.active = ob
    ob.collision_kit.own_groups = ob.collision_kit.own_surface = own
    for part in PANELS:
        sidebar = getattr(panels.object, f"COLLISION_KIT_PT_object{part}")
        physics = getattr(panels.object, f"COLLISION_KIT_PT_physics{part}")
        assert (physics.bl_space_type, physics.bl_region_type, physics.bl_context) == (
            "PROPERTIES",
            "WINDOW",
            "physics",
        )
        one, other = drawn(sidebar, bpy.context), drawn(physics, bpy.context)
        assert one is not None and other is not None
        # The Properties editor has the object's name above its panels.
        texts = one.texts if part else one.texts[1:]
        assert (one.props, one.operators, texts) == (other.props, other.operators, other.texts)
        assert one.props


@pytest.mark.parametrize("width", [100.0, 400.0])
def test_where_a_panel_is_narrow_names_are_above_their_values(monkeypatch: pytest.MonkeyPatch, width: float) -> None:
    monkeypatch.setattr(panels.layout, "sidebar_width", lambda _context: width)
    bpy.context.view_layer.objects.active = add("Crate", cube_mesh())
    shown = drawn(panels.object.COLLISION_KIT_PT_physics, bpy.context)
    assert shown is not None
    assert ("Shape" in shown.texts) == ("Part Of" in shown.texts) == (width == 100.0)
    assert {"Tested As", "Triangle Mesh"} <= set(shown.texts)


def test_the_physics_tab_shows_the_object_that_is_pinned() -> None:
    pinned = add("Crate", cube_mesh())
    bpy.context.view_layer.objects.active = add("Other", cube_mesh())
    with bpy.context.temp_override(object=pinned):
        shown = drawn(panels.object.COLLISION_KIT_PT_physics, bpy.context)
        assert shown is not None
        assert shown.props[0] == (pinned.collision_kit, "shape")
        assert (pinned.collision_kit, "shape") in shown.props
        assert shown.operators == [], "they would copy from the active object"
    bpy.context.view_layer.objects.active = None
    assert drawn(panels.object.COLLISION_KIT_PT_physics, bpy.context) is None
