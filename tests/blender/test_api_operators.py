# SPDX-License-Identifier: GPL-3.0-or-later
"""Every click has a function: `api` does what the operators do, on the same scene and with the same result."""

import inspect
from collections.abc import Callable

import bpy
import numpy as np
import pytest

from collision_kit import api
from collision_kit.addon.session import (
    collision_results,
    convexity_results,
    culling_results,
    motion_results,
    validation_results,
)
from collision_kit.addon.ui.operators import CLASSES
from collision_kit.addon.viewport import obstacle
from tests.helpers.blender.bridge_scene import add, cube_mesh, mesh, with_setting, world_vertices
from tests.helpers.blender.colliders_scene import cloud_mesh, select

# Operators whose function is a question, and has a word of its own for what it returns. The others have the same name.
QUESTIONS = {
    "compare_with_render_mesh": "coverage",
    "copy_report": "report_text",
    "edit_rules": "set_pair_tests",
    "edit_pair_status": "set_pair_topic",
    "find_floating": "floating",
    "rename_before_export": "rename_colliders",
    "select_colliders": "colliders_of",
    "select_duplicates": "duplicates_of",
    "select_intersecting_faces": "find_intersecting_faces",
    "select_outside_camera": "culled_objects",
    "select_render_mesh": "render_mesh_of",
    "show_convex_pieces": "find_convex_pieces",
    "show_obstacle": "find_obstacle",
    "step_axis": "candidate_axes",
    "walk_level": "probe",
}
# Operators that do nothing but change what the interface shows, or what is selected of a result.
SHOW_ONLY = {
    "cancel_preview",
    "clear_camera_culling",
    "clear_comparison",
    "clear_walk_results",
    "clear_floating",
    "clear_motion_results",
    "clear_results",
    "compare_types",
    "confirm_preview",
    "display_colliders",
    "filter_by_status",
    "filter_results",
    "hide_colliders",
    "hide_convex_pieces",
    "hide_obstacle",
    "isolate_pair",
    "jump_to_contact",
    "next_result",
    "pairs_by_collection",
    "preview_type",
    "previous_result",
    "results_table",
    "select_checked",
    "select_walk_issue",
    "select_floating",
    "select_issue",
    "select_objects_without_collider",
    "select_pair",
    "select_by_verdict",
    "show_all_walk_issues",
    "show_all_results",
    "show_worst_place",
}
# What Blender's own operator for presets does: a script keeps its settings in variables.
PRESETS = {
    "add_character_preset",
    "add_check_preset",
    "add_name_preset",
    "apply_character_preset",
    "apply_name_preset",
}
# What fills in the list of starts in the panel: a script names the starts.
STARTS = {"add_starts", "remove_start"}

# Arguments that an operator and its function have in common have the same values if none are given.
SAME_DEFAULTS = (
    "kind",
    "source",
    "budget",
    "thickness",
    "engine",
    "pieces",
    "axis",
    "copy",
    "push_apart_first",
    "what",
)

ops = bpy.ops.collision_kit


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""


OPERATORS = {cls.bl_idname.partition(".")[2] for cls in CLASSES}


def test_every_operator_that_does_work_has_a_function() -> None:
    assert set(QUESTIONS.values()) <= set(api.__all__)
    groups = [OPERATORS & set(api.__all__), set(QUESTIONS), SHOW_ONLY, PRESETS, STARTS]
    assert sorted(name for group in groups for name in group) == sorted(OPERATORS)


@pytest.mark.parametrize("name", sorted(OPERATORS & set(api.__all__)))
def test_defaults_are_those_of_the_operator(name: str) -> None:
    rna = getattr(ops, name).get_rna_type().properties
    for argument in inspect.signature(getattr(api, name)).parameters.values():
        if argument.name in SAME_DEFAULTS and argument.name in rna:
            usual = rna[argument.name]
            default = usual.default_flag if getattr(usual, "is_enum_flag", False) else usual.default
            given = argument.default
            if isinstance(default, set):
                given = set(given)
            assert given == default, argument.name


def copied(function: Callable[[], object]) -> object:
    """The result of a function that is called on the scene as it is now; the scene is put back."""
    path = bpy.app.tempdir + "before.blend"
    bpy.ops.wm.save_as_mainfile(filepath=path, copy=True)
    found = function()
    bpy.ops.wm.open_mainfile(filepath=path)
    return found


def everything() -> dict[str, object]:
    """The objects of the file: where they are, whose children, in which collections, their vertices and settings."""
    bpy.context.view_layer.update()
    found: dict[str, object] = {}
    for ob in bpy.data.objects:
        settings = api.collision_settings(ob)
        found[ob.name] = (
            np.round(np.array(ob.matrix_world), 5).tolist(),
            ob.parent.name if ob.parent is not None else "",
            sorted(collection.name for collection in ob.users_collection),
            np.round(world_vertices(ob), 5).tolist() if ob.type == "MESH" else [],
            (settings.shape, settings.margin, settings.layers, settings.mask, settings.friction, settings.restitution),
            settings.part_of.name if settings.part_of is not None else "",
            (ob.display_type, ob.hide_render, ob.hide_get(), ob.collision_kit.collider.kind),
        )
    return found


def agree(click: Callable[[], object], call: Callable[[], object]) -> None:
    """A click and a call change the scene alike, and change it."""
    before = everything()
    clicked = copied(lambda: (click(), everything())[1])
    assert clicked != before
    assert everything() == before
    call()
    assert everything() == clicked


def pair_of(report: api.CollisionReport) -> list[tuple[object, ...]]:
    return [(api.names(report, pair), pair.verdict, round(pair.distance, 9)) for pair in report.pairs]


@pytest.fixture
def row() -> list[bpy.types.Object]:
    """A and B overlap by 0.5, B and C touch, D is 0.25 beyond C."""
    return [add(name, cube_mesh(), at=(x, 0, 0)) for name, x in zip("ABCD", (0, 1.5, 3.5, 5.75), strict=True)]


# Checks


@pytest.mark.usefixtures("row")
def test_check_with_the_settings_of_the_scene() -> None:
    bpy.context.scene.collision_kit.clearance = 0.5
    assert ops.check_collisions() == {"FINISHED"}
    clicked = collision_results.last_check.report
    called = api.check_collisions(**vars(api.check_settings()))
    assert len(clicked.pairs) == 3
    assert pair_of(called) == pair_of(clicked)


@pytest.mark.usefixtures("row")
def test_presets() -> None:
    ops.apply_check_preset(shipped="MECHANICAL")
    clicked = api.check_settings()
    ops.apply_check_preset(shipped="GAME_LEVEL")
    assert api.check_settings() != clicked
    assert api.apply_check_preset("MECHANICAL") == clicked == api.check_settings()


@pytest.mark.usefixtures("row")
def test_accepting() -> None:
    ops.check_collisions()
    ops.accept_pair(reason="glued")
    (entry,) = api.accepted_pairs()
    assert (entry.name_a, entry.name_b, entry.reason, entry.present) == ("A", "B", "glued", True)
    report = api.check_collisions()
    assert api.accepted_reason(report, report.pairs[0]) == "glued"
    assert api.stop_accepting_pair(report, report.pairs[0])
    assert not api.stop_accepting_pair(report, report.pairs[0])
    assert api.accepted_pairs() == ()
    assert len(api.faults(report)) == 1
    api.accept_pair(report, report.pairs[0], " glued ")
    assert api.accepted_pairs() == (entry,)
    assert api.faults(report) == []
    ops.stop_accepting_pair(which="CHOSEN")
    assert api.accepted_pairs() == ()
    api.accept_pair(report, report.pairs[1])
    assert api.accepted_reason(report, report.pairs[1]) == ""
    assert api.stop_accepting_all_pairs() == 1
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.name = "Other"
    with pytest.raises(ValueError, match=r"^report: it is of the scene 'Scene'"):
        api.accept_pair(report, report.pairs[0])


@pytest.mark.usefixtures("row")
def test_reports_as_text() -> None:
    ops.check_collisions()
    ops.copy_report()
    # Blender without a window has no clipboard, and keeps none.
    assert "A" in api.report_text(api.check_collisions())
    for report in (api.check_collisions(), api.check_motion(start=1, end=2), api.validate_colliders()):
        assert api.report_text(report).endswith("\n")
        assert api.report_text(report, "json").startswith("{")
    assert api.report_text(api.check_collisions(), "junit").startswith("<?xml")
    with pytest.raises(ValueError, match=r"^format: 'csv' is not one of text, json"):
        api.report_text(api.validate_colliders(), "csv")


def moving() -> None:
    add("Post", cube_mesh(), at=(5, 0, 0))
    cart = add("Cart", cube_mesh())
    for frame, x in ((1, 0.0), (11, 10.0)):
        cart.location.x = x
        cart.keyframe_insert("location", frame=frame)
    bpy.context.scene.frame_end = 11
    bpy.context.scene.frame_set(1)


def test_motion_and_its_markers() -> None:
    moving()
    assert ops.check_motion() == {"FINISHED"}
    report = api.check_motion()
    clicked = motion_results.latest.result.report
    assert [contact.first for contact in report.contacts] == [contact.first for contact in clicked.contacts] != []
    ops.add_contact_markers()
    markers = [(marker.name, marker.frame) for marker in bpy.context.scene.timeline_markers]
    assert api.remove_contact_markers() == 1
    assert not bpy.context.scene.timeline_markers
    assert api.add_contact_markers(report) == 1
    assert [(marker.name, marker.frame) for marker in bpy.context.scene.timeline_markers] == markers
    assert api.add_contact_markers(report) == 0
    assert ops.remove_contact_markers() == {"FINISHED"}


def test_motion_in_steps() -> None:
    moving()
    steps, seen = api.check_motion_steps(), []
    while True:
        try:
            seen.append(next(steps))
        except StopIteration as end:
            report = end.value
            break
    assert len(seen) > 10
    assert [contact.first for contact in report.contacts] == [c.first for c in api.check_motion().contacts]


def test_culling() -> None:
    bpy.context.scene.camera = add("Camera", bpy.data.cameras.new("Camera"), at=(0, 0, 20))
    add("Seen", cube_mesh())
    add("Unseen", cube_mesh(), at=(90, 0, 0))
    ops.cull_to_camera()
    clicked = culling_results.latest.result.report
    report = api.cull_to_camera()
    assert report.objects == clicked.objects
    assert [ob.name for ob in api.culled_objects(report, "OUTSIDE")] == ["Unseen"]
    assert [ob.name for ob in api.culled_objects(report, "INSIDE")] == ["Seen"]
    ops.select_outside_camera()
    assert [ob.name for ob in bpy.context.selected_objects] == ["Unseen"]
    agree(ops.hide_outside_camera, lambda: api.hide_outside_camera(api.cull_to_camera()))


# Fixes


@pytest.mark.usefixtures("row")
def test_fixes() -> None:
    with_setting(add("Floor", at=(0, 0, -5)), "HALF_SPACE")
    select(bpy.data.objects["A"])
    agree(ops.push_apart, lambda: api.push_apart(["A"]))
    bpy.data.objects["D"].location.x, bpy.data.objects["D"].rotation_euler.z = 7.0, 0.3
    select(bpy.data.objects["D"])
    agree(lambda: ops.drop_to_surface(direction="NEGATIVE_X"), lambda: api.drop_to_surface(["D"], "NEGATIVE_X"))
    select(bpy.data.objects["D"])
    agree(ops.drop_to_surface, lambda: api.drop_to_surface(["D"]))


def test_snapping() -> None:
    add("A", cube_mesh())
    add("B", cube_mesh(), at=(2.25, 0, 0))
    bpy.context.scene.collision_kit.clearance = 0.5
    select(bpy.data.objects["B"])

    def click() -> None:
        ops.check_collisions()
        ops.snap_to_contact()

    agree(click, lambda: api.snap_to_contact("B", "A"))
    assert bpy.data.objects["B"].location.x == pytest.approx(2.0, abs=1e-5)


def test_moving_away() -> None:
    add("A", cube_mesh())
    add("B", cube_mesh(), at=(2.25, 0, 0))
    bpy.context.scene.collision_kit.clearance = 0.5
    select(bpy.data.objects["B"])

    def click() -> None:
        ops.check_collisions()
        ops.move_away()

    agree(click, lambda: api.move_away("B", "A", 0.5))
    assert bpy.data.objects["B"].location.x == pytest.approx(2.5, abs=1e-5)


# Colliders


def two_parts() -> bpy.types.Mesh:
    """Two tetrahedra apart from each other."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], dtype=float)
    faces = [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)]
    return mesh(
        [*corners.tolist(), *(corners + np.array([3.0, 0.0, 0.0])).tolist()],
        [*faces, *(tuple(4 + k for k in f) for f in faces)],
    )


@pytest.mark.parametrize(
    "options",
    [
        {"kind": "BOX"},
        {"kind": "BEST", "engine": "GODOT"},
        {"kind": "BUDGET_HULL", "budget": 8, "source": "PARTS"},
        {"kind": "CAPSULE", "source": "AROUND", "engine": "UNITY"},
        {"kind": "BOX", "thickness": 0.75},
    ],
    ids=lambda options: "-".join(map(str, options.values())),
)
def test_colliders_are_made_alike(options: dict[str, object]) -> None:
    for name, data in (("Rock", cloud_mesh()), ("Twins", two_parts())):
        add(name, data, at=(1.0, 2.0, 3.0), rotation_euler=(0.3, 0.5, 0.7))
    select(bpy.data.objects["Rock"], bpy.data.objects["Twins"])
    agree(lambda: ops.make_collider(**options), lambda: api.make_collider(["Rock", "Twins"], **options))


def test_pieces_are_made_alike() -> None:
    select(add("Twins", two_parts()))
    agree(ops.make_collider_pieces, lambda: api.make_collider_pieces(["Twins"]))
    assert len(api.colliders_of(["Twins"])) == 2


def test_faces_are_enclosed_alike() -> None:
    box = add("Box", cube_mesh())
    face = box.data.polygons[0]
    box.data.polygons.foreach_set("select", [index == 0 for index in range(6)])
    box.data.edges.foreach_set("select", [edge.key in face.edge_keys for edge in box.data.edges])
    box.data.vertices.foreach_set("select", [index in face.vertices for index in range(8)])
    select(box)

    def click() -> None:
        bpy.ops.object.mode_set(mode="EDIT")
        ops.make_collider(kind="BOX", thickness=0.1)
        bpy.ops.object.mode_set(mode="OBJECT")

    agree(click, lambda: api.make_collider(["Box"], "BOX", thickness=0.1, selected_faces=True))


def test_colliders_are_changed_alike() -> None:
    rock = add("Rock", cloud_mesh(), at=(1.0, 2.0, 3.0), rotation_euler=(0.3, 0.5, 0.7))
    (one,) = api.make_collider([rock], "BOX").colliders
    assert api.collider_quality(one.object) == one.quality
    assert api.render_mesh_of(one.object) == rock
    assert api.colliders_of([rock]) == api.colliders_of([one.object]) == [one.object]
    select(one.object)
    agree(lambda: ops.convert_collider(kind="SPHERE"), lambda: api.convert_collider(["UBX_Rock_01"], "SPHERE"))
    select(bpy.data.objects["USP_Rock_01"])
    agree(ops.mirror_collider, lambda: api.mirror_collider(["USP_Rock_01"]))
    bpy.data.objects["USP_Rock_01"].display_type = "BOUNDS"
    bpy.data.objects["USP_Rock_01"].collision_kit.shape = "HULL"
    select(bpy.data.objects["USP_Rock_01"], bpy.data.objects["USP_Rock_02"])
    everything_of_it = {"DISPLAY", "SHAPE", "COLLECTION"}
    agree(
        lambda: ops.copy_collider_settings(what=everything_of_it),
        lambda: api.copy_collider_settings("USP_Rock_01", ["USP_Rock_02"], everything_of_it),
    )
    agree(
        lambda: ops.rename_colliders(engine="GODOT", template="{mesh}-{index}"),
        lambda: api.rename_colliders(["USP_Rock_01", "USP_Rock_02"], "GODOT", template="{mesh}-{index}"),
    )
    bpy.data.objects["Rock-01"].name = "USP_Rock_01"
    bpy.data.objects["Rock"].scale.x = 2.0
    bpy.context.view_layer.update()
    bpy.data.objects["USP_Rock_01"].location.x += 1.0
    assert api.collider_quality("USP_Rock_01") is None


def test_what_is_no_collider_is_refused() -> None:
    add("Rock", cloud_mesh())
    add("Empty")
    flat = add("Flat", mesh([(0, 0, 0), (1, 0, 0), (2, 0, 0)]))
    for call in (api.convert_collider, api.mirror_collider):
        with pytest.raises(ValueError, match=r"^objects: 'Rock' is no mesh collider"):
            call(["Rock"])
    with pytest.raises(ValueError, match=r"^objects: 'Empty' has no surface"):
        api.make_collider(["Rock", "Empty"])
    with pytest.raises(api.UserError, match="flat, so its hull has no volume"):
        api.make_collider([flat], "HULL")
    with pytest.raises(api.UserError, match='"Nothing" has no vertices'):
        api.make_collider([add("Nothing", mesh([]))])
    for name, options in (("kind", {"kind": "BALL"}), ("budget", {"budget": 3}), ("engine", {"engine": "CRYENGINE"})):
        with pytest.raises(ValueError, match=rf"^{name}: "):
            api.make_collider(["Rock"], **options)
    assert {ob.name for ob in bpy.data.objects} == {"Rock", "Empty", "Flat", "Nothing"}
    made = api.make_collider(["Rock", "Nothing"])
    assert [one.owner for one in made.colliders] == ["Rock"]
    assert [str(problem) for problem in made.problems] == ['"Nothing" has no vertices']


def test_outlines_are_split_alike() -> None:
    corners = [(0, 0, 0), (3, 0, 0), (3, 1, 0), (1, 1, 0), (1, 3, 0), (0, 3, 0)]
    select(add("L", mesh(corners, [tuple(range(6))])))
    assert len(api.find_convex_pieces("L", "XY").pieces) == 2
    bpy.context.scene.collision_kit.planar.plane = "XY"
    agree(ops.make_convex_pieces, lambda: api.make_convex_pieces("L", "XY"))


# Validation


def scaled_collider() -> None:
    box = add("Box", cube_mesh())
    (one,) = api.make_collider([box], "BOX").colliders
    one.object.scale = (1.0, 1.0, -1.0)
    bpy.context.view_layer.update()


def test_validation_and_its_fixes() -> None:
    scaled_collider()
    bpy.context.scene.collision_kit.engine = "UNREAL"
    ops.validate_colliders()
    clicked = validation_results.kept_here(bpy.context).report
    called = api.validate_colliders("UNREAL", limits=clicked.limits)
    assert api.report_text(called, "json") == api.report_text(clicked, "json")
    assert any(issue.fixable for issue in called.issues)
    assert all(api.issue_text(called, issue).endswith(".") for issue in called.issues)

    def click() -> None:
        ops.validate_colliders()
        ops.fix_issues()

    agree(click, lambda: api.fix_issues(api.validate_colliders("UNREAL")))
    assert not any(issue.fixable for issue in api.validate_colliders("UNREAL").issues)


def test_one_issue_is_fixed() -> None:
    scaled_collider()
    for name in ("Inside", "Outside"):
        bpy.context.scene.collection.children.link(bpy.data.collections.new(name))
    bpy.data.collections["Inside"].objects.link(bpy.data.objects["Box"])
    report = api.validate_colliders(scope="COLLECTION", collection="Inside")
    fixable = next(issue for issue in report.issues if issue.fixable)
    left = api.fix_issue(report, fixable)
    assert [done.rule for done in left.done] == [fixable.rule.id]
    assert fixable.rule.id not in {issue.rule.id for issue in left.issues}
    decided = [issue for issue in left.issues if not issue.fixable]
    for issue in decided:
        with pytest.raises(ValueError, match=r"^issue: .* cannot be fixed automatically"):
            api.fix_issue(left, issue)
    strict = api.validate_colliders(limits=api.Limits(smallest=5.0))
    assert len(strict.issues) > len(api.validate_colliders().issues)
    assert api.collider_limits() == api.Limits()


# Settings


@pytest.mark.usefixtures("row")
def test_settings_are_copied_and_reset_alike(row: list[bpy.types.Object]) -> None:
    api.set_collision_settings(
        ["A"], shape="SPHERE", margin=0.125, part_of="D", layers=[2, 3], mask=[1], friction=0.25, restitution=1.0
    )
    found = api.collision_settings("A")
    assert (found.shape, found.margin, found.part_of, found.layers, found.mask, found.friction, found.restitution) == (
        "SPHERE",
        0.125,
        row[3],
        (2, 3),
        (1,),
        0.25,
        1.0,
    )
    assert not found.trigger
    select(row[0], row[1])
    agree(ops.copy_collision_settings, lambda: api.copy_collision_settings("A", ["B"]))
    assert api.collision_settings("B").part_of is None
    select(bpy.data.objects["A"], bpy.data.objects["C"])
    agree(lambda: ops.copy_collision_settings(what={"BODY"}), lambda: api.copy_collision_settings("A", ["C"], {"BODY"}))
    select(bpy.data.objects["A"], bpy.data.objects["B"])
    agree(ops.reset_collision_settings, lambda: api.reset_collision_settings(["A", "B"]))
    api.set_collision_settings(["B"], margin=0.5, shape="BOX")
    api.reset_collision_settings(["B"], {"MARGIN"})
    assert (api.collision_settings("B").margin, api.collision_settings("B").shape) == (0.0, "BOX")


@pytest.mark.usefixtures("row")
def test_settings_that_cannot_be_are_refused_and_nothing_is_set() -> None:
    before = everything()
    for name, value in (
        ("shape", "BALL"),
        ("margin", -1.0),
        ("layers", [0]),
        ("mask", [17]),
        ("layers", 3),
        ("friction", "much"),
        ("restitution", 1.5),
        ("part_of", "A"),
    ):
        with pytest.raises(ValueError, match=rf"^{name}: "):
            api.set_collision_settings(["A"], **{"shape": "BOX", name: value})
    with pytest.raises(KeyError):
        api.set_collision_settings(["Z"], shape="BOX")
    assert everything() == before


# Questions


def test_convexity_and_crossing_faces() -> None:
    dented = mesh(
        [(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0), (0, 0, 0.25), (0, 0, 2)],
        [(0, 4, 1), (1, 4, 2), (2, 4, 3), (3, 4, 0), (0, 1, 5), (1, 2, 5), (2, 3, 5), (3, 0, 5)],
    )
    ob = add("Dented", dented)
    add("Pin", cube_mesh(), at=(2.5, 0, 0.5), scale=(2.0, 0.1, 0.1))
    select(ob)
    ops.check_convexity()
    bpy.ops.object.mode_set(mode="OBJECT")
    found = api.check_convexity("Dented")
    clicked = convexity_results.known(ob).convexity
    assert not found.convex
    assert found.flaws == clicked.flaws
    assert found.reflex_edges.tolist() == clicked.reflex_edges.tolist()
    assert api.check_convexity("Pin").convex
    ops.select_intersecting_faces()
    bpy.ops.object.mode_set(mode="OBJECT")
    selected = [polygon.index for polygon in ob.data.polygons if polygon.select]
    assert api.find_intersecting_faces("Dented").crossing.tolist() == selected != []
    assert api.find_intersecting_faces("Dented", ["Pin"]).crossing.tolist() == selected
    assert api.find_intersecting_faces("Dented", []).crossing.tolist() == []
    with pytest.raises(ValueError, match=r"^ob: 'Camera' is no mesh"):
        api.check_convexity(add("Camera", bpy.data.cameras.new("Camera")))


@pytest.mark.usefixtures("row")
def test_the_obstacle_and_the_axes() -> None:
    select(bpy.data.objects["A"], bpy.data.objects["B"])
    api.set_collision_settings(["A", "B"], shape="BOX")
    ops.show_obstacle()
    shown = obstacle.shown()
    found = api.find_obstacle("A", "B")
    assert found.distance == shown.distance == pytest.approx(-0.5)
    assert found.way.tolist() == shown.way.tolist()
    report = api.check_collisions()
    axes = api.candidate_axes(report, report.pairs[0])
    assert [axis.tested for axis in axes] == [True] * 3 + [False] * 3, "three directions, three pairs of parallel edges"
    assert [axis.deciding for axis in axes] == [True, *[False] * 5]
    assert axes[0].gap == pytest.approx(-0.5)
    assert np.abs(axes[0].direction).tolist() == [1.0, 0.0, 0.0]
    assert all(later.gap <= axes[0].gap for later in axes if later.tested)
    ops.hide_obstacle()
    planar = api.check_collisions(plane="XY")
    with pytest.raises(ValueError, match=r"^pair: only convex shapes in space"):
        api.candidate_axes(planar, planar.pairs[0])


# Files


def test_colliders_go_through_gltf_whether_the_add_on_is_enabled_or_not(tmp_path: object) -> None:
    box = add("Box", cube_mesh(), at=(1, 2, 3))
    api.make_collider([box], "SPHERE", engine="GLTF")
    before = set(bpy.context.preferences.addons.keys())
    assert api.export_gltf(f"{tmp_path}/box.glb", meshes="KEEP") == ()
    assert bpy.context.scene.collision_kit.gltf.meshes == "AUTO"
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    found = api.import_gltf(f"{tmp_path}/box.glb")
    assert found.notes == ()
    assert [ob.name for ob in api.colliders_of(found.objects)] == ["Box_collider"]
    assert api.collision_settings("Box_collider").shape == "SPHERE"
    assert set(bpy.context.preferences.addons.keys()) == before
