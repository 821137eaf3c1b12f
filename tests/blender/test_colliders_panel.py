# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the panel about colliders."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.colliders import decomposition, fit_record
from collision_kit.addon.engines.kinds import KIND_NAMES, KINDS
from collision_kit.addon.i18n.units import length_text
from collision_kit.addon.session import fit_comparison
from collision_kit.addon.ui.operators import modal_steps
from collision_kit.addon.ui.panels.colliders import COLLISION_KIT_MT_convert, COLLISION_KIT_PT_colliders
from collision_kit.addon.viewport import collider_preview, stage
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, mesh
from tests.helpers.blender.colliders_scene import build, cloud_mesh, make, select
from tests.helpers.blender.panel_recorder import Recorder, drawn, stand_in
from tests.helpers.offline import slow, slow_rows

pytestmark = pytest.mark.usefixtures("scene")


@pytest.fixture(autouse=True)
def library(monkeypatch: pytest.MonkeyPatch) -> str:
    """Make one hull for each closed part, which is quick. Return the name of the library that cuts meshes up."""
    name = decomposition.LIBRARY
    monkeypatch.setattr(decomposition, "LIBRARY", "a_library_that_is_nowhere")
    return name


def panel() -> Recorder:
    found = drawn(COLLISION_KIT_PT_colliders, bpy.context)
    assert found is not None
    return found


def test_it_has_a_button_for_each_kind_and_works_without_objects() -> None:
    found = panel()
    assert found.operators.count("collision_kit.make_collider") == len(KINDS)
    assert {name for _, name in found.props} == {
        *("engine", "name_unreal", "source", "budget", "thickness", "gap", "pieces", "preset")
    }
    assert "Largest Gap" not in found.texts


def test_it_shows_how_well_the_active_collider_fits() -> None:
    build("plain", l_mesh())
    (made,) = make("HULL")
    found = panel()
    for text in ("UCX_Rock_01", "Convex Hull", "Rock", "Volume / Hull", "1 ×", "1.167 ×", "500 mm – 503 mm", "0 mm"):
        assert text in found.texts, text
    assert not any("hanged" in text for text in found.texts)
    made.scale.x = 2.0
    bpy.context.view_layer.update()
    assert any("Changed" in text for text in panel().texts)


def test_the_buttons_try_one_kind_after_the_other_on_a_collider_that_was_just_made() -> None:
    rock = build("plain", l_mesh())
    (made,) = make("BOX")
    assert panel().operators.count("collision_kit.convert_collider") == len(KINDS)
    assert "collision_kit.make_collider" not in panel().operators
    bpy.ops.collision_kit.convert_collider(kind="CAPSULE")
    assert made.collision_kit.collider.kind == "CAPSULE"
    assert panel().operators.count("collision_kit.convert_collider") == len(KINDS)
    select(rock)
    assert panel().operators.count("collision_kit.make_collider") == len(KINDS)


def rows(found: Recorder) -> list[str]:
    """The texts beside the buttons: the volume over the hull's and the gap of each kind, one after the other."""
    start = found.texts.index("Verts") + 1
    return [text for text in found.texts[start:] if text.endswith((" ×", " m")) or text == "–"][: 2 * len(KINDS)]


def test_types_are_compared_on_demand_and_what_is_made_is_what_was_said() -> None:
    build("plain", cloud_mesh())
    assert "collision_kit.compare_types" in panel().operators
    assert bpy.ops.collision_kit.compare_types() == {"FINISHED"}
    assert [ob.name for ob in bpy.data.objects] == ["Rock"], "nothing was made"
    found = panel()
    assert "collision_kit.compare_types" not in found.operators
    # One button for each type shows it; the one that makes it is below.
    assert found.operators.count("collision_kit.preview_type") >= len(KINDS) - 1
    assert found.operators.count("collision_kit.make_collider") == 1
    said = rows(found)
    for number, (kind, *_) in enumerate(KINDS):
        if said[2 * number] == "–":
            assert kind == "MESH", "Unreal takes all others"
            continue
        select(bpy.data.objects["Rock"])
        (made,) = make(kind)
        assert rows(panel()) == said, "a collider that was just made is converted: the types are still compared"
        record = fit_record.known(made)
        assert said[2 * number] == f"{record.quality.hull_ratio:.3g} ×"
        assert said[2 * number + 1] == length_text(record.quality.gap, bpy.context.scene.unit_settings, 2)


@pytest.mark.parametrize("change", ["mesh", "settings", *slow("scale", "other object")])
def test_the_comparison_is_gone_once_it_no_longer_holds(change: str) -> None:
    rock = build("plain", l_mesh())
    bpy.ops.collision_kit.compare_types()
    bpy.context.view_layer.update()
    assert "collision_kit.compare_types" not in panel().operators
    if change == "mesh":
        rock.data.vertices[0].co.x -= 0.5
        rock.data.update()
    elif change == "scale":
        rock.scale.x = 2.0
    elif change == "settings":
        bpy.context.scene.collision_kit.colliders.budget = 8
    else:
        select(add("Other", cube_mesh()))
    bpy.context.view_layer.update()
    assert "collision_kit.compare_types" in panel().operators


def test_pieces_and_parts_are_compared_and_the_simplest_that_fits_is_recommended() -> None:
    # A box needs nothing else; three boxes apart from each other are three loose parts.
    build("plain", cube_mesh())
    assert bpy.ops.collision_kit.compare_types() == {"FINISHED"}
    known = fit_comparison.known(bpy.context)
    assert [kind for kind, one in known.items() if one.recommended] == ["BOX"]
    assert known["BOX"].vertices == 8
    assert known["BOX"].gap < 1e-6
    vertices = [[x + 5 * place, y, z] for place in range(3) for x in (0, 1) for y in (0, 1) for z in (0, 1)]
    faces = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
    boxes = add("Boxes", mesh(vertices, [[8 * place + one for one in face] for place in range(3) for face in faces]))
    bpy.context.view_layer.update()
    select(boxes)
    assert bpy.ops.collision_kit.compare_types() == {"FINISHED"}
    known = fit_comparison.known(bpy.context)
    parts, pieces = known["PARTS"], known["PIECES"]
    assert [kind for kind, one in known.items() if one.recommended] == ["PARTS"]
    assert known["BEST"][:4] == parts[:4]
    assert (parts.parts, parts.vertices) == (3, 24)
    assert parts.gap < 1e-6
    # Three unit cubes in a hull of 11 × 1 × 1.
    assert parts.ratio == pytest.approx(3 / 11, rel=1e-5)
    assert (pieces.parts, pieces.gap) == (3, pytest.approx(0.0, abs=1e-6))
    found = panel()
    assert {"3 Parts", "3 Pieces", "Best Fit: Loose Parts", "Preview: Loose Parts"} <= set(found.texts)
    made = make("HULL", source="PARTS")
    assert len(made) == 3
    select(boxes)
    bpy.context.scene.collision_kit.colliders.pieces = 4
    assert not fit_comparison.known(bpy.context), "another number of pieces is another comparison"


def drawn_shape() -> collider_preview.ColliderPreview | None:
    return stage.current(collider_preview.ColliderPreview)


def test_a_click_on_a_row_shows_that_type_until_something_changes() -> None:
    rock = build("plain", l_mesh())
    bpy.ops.collision_kit.compare_types()
    comparison = fit_comparison.compared(bpy.context)
    assert comparison is not None
    assert comparison.shown == comparison.recommended != ""
    assert f"Preview: {KIND_NAMES[comparison.shown]}" in panel().texts
    for kind, one in comparison.kinds.items():
        assert bpy.ops.collision_kit.preview_type(kind=kind) == {"FINISHED"}
        shown = drawn_shape()
        assert shown is not None
        assert fit_comparison.compared(bpy.context).shown == kind
        # What is drawn is as large as what is made.
        corners = shown.primitives.triangles.reshape(-1, 3)
        low, high = corners.min(axis=0), corners.max(axis=0)
        points = np.concatenate([points for points, _ in one.meshes])
        assert low == pytest.approx(points.min(axis=0), abs=1e-6)
        assert high == pytest.approx(points.max(axis=0), abs=1e-6)
    assert not any(ob.name.startswith("UCX") for ob in bpy.data.objects)
    assert bpy.ops.collision_kit.preview_type(kind="MESH") == {"CANCELLED"}, "Unreal has none"
    rock.scale.x = 2.0
    bpy.context.view_layer.update()
    assert drawn_shape() is None
    with pytest.raises(RuntimeError, match="Use Compare Types first"):
        bpy.ops.collision_kit.preview_type(kind="BOX")


def test_confirm_makes_what_is_shown_and_cancel_ends_the_comparison() -> None:
    rock = build("turned", l_mesh())
    bpy.ops.collision_kit.compare_types()
    bpy.ops.collision_kit.preview_type(kind="CAPSULE")
    found = panel()
    assert found.texts.count("Confirm") == 1
    expected = fit_comparison.known(bpy.context)["CAPSULE"]
    (made,) = make("CAPSULE")
    assert drawn_shape() is None
    assert {"Click a type to see it", "Cancel"} <= set(panel().texts)
    (points, _), matrix = expected.meshes[0], np.array(made.matrix_world)
    placed = np.array([vertex.co for vertex in made.data.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
    assert placed == pytest.approx(points, abs=1e-5)
    # Another type is shown in the place of the one that was made, and converts it.
    bpy.ops.collision_kit.preview_type(kind="SPHERE")
    assert "collision_kit.convert_collider" in panel().operators
    select(rock)
    assert bpy.ops.collision_kit.cancel_preview() == {"FINISHED"}
    assert drawn_shape() is None
    assert "collision_kit.compare_types" in panel().operators
    with pytest.raises(RuntimeError, match="No colliders are shown"):
        bpy.ops.collision_kit.cancel_preview()


@pytest.mark.parametrize(
    ("engine", "shape", "cuts"),
    [
        ("UNREAL", "cube", False),
        ("GODOT", "ell", False),
        ("UNREAL", "ell", False),
        ("UNITY", "cloud", False),
        *slow_rows(("UNREAL", "ell", True)),
    ],
)
def test_the_row_of_the_best_fit_is_what_it_makes(
    engine: str, shape: str, cuts: bool, library: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if cuts:
        monkeypatch.setattr(decomposition, "LIBRARY", library)
    meshes = {"cube": lambda: cube_mesh((1.0, 2.0, 0.5)), "ell": l_mesh, "cloud": cloud_mesh}
    rock = build("turned", meshes[shape]())
    bpy.context.scene.collision_kit.engine = engine
    bpy.ops.collision_kit.compare_types()
    comparison = fit_comparison.compared(bpy.context)
    assert comparison is not None
    best, recommended = comparison.kinds.get("BEST"), comparison.recommended
    if best is None:
        with pytest.raises(RuntimeError, match="A few convex colliders do not fit"):
            make("BEST", engine=engine)
        assert comparison.kinds[recommended].gap == min(one.gap for one in comparison.kinds.values())
        assert any("Best Fit makes none" in text for text in panel().texts)
        return
    assert comparison.kinds[recommended][:4] == pytest.approx(best[:4], rel=1e-6, nan_ok=True, abs=1e-6)
    made = make("BEST", engine=engine)
    assert len(made) == best.parts
    assert sum(len(ob.data.vertices) for ob in made) == best.vertices
    for ob, (points, _) in zip(made, best.meshes, strict=True):
        matrix = np.array(ob.matrix_world)
        placed = np.array([vertex.co for vertex in ob.data.vertices]) @ matrix[:3, :3].T + matrix[:3, 3]
        assert placed == pytest.approx(points, abs=1e-5)
    assert rock.name == "Rock"


def test_settings_say_which_types_they_are_for() -> None:
    build("plain", l_mesh())
    said = " ".join(panel().texts)
    assert "Reduced Hull, Best Fit, Convex Pieces" in said
    assert "Box, Oriented Box, Best Fit" in said


def test_colliders_that_wait_to_be_confirmed_have_buttons_in_the_panel(monkeypatch: pytest.MonkeyPatch) -> None:
    build("plain", l_mesh())
    waiting = modal_steps._Waiting(iter(()), bpy.context, None)
    monkeypatch.setattr(modal_steps, "_waiting", [waiting])
    assert "Confirm" not in panel().texts
    waiting.shown = "3 hulls"
    assert panel().texts == ["3 hulls", "Confirm", "Cancel"]
    assert bpy.ops.collision_kit.confirm_preview() == {"FINISHED"}
    assert waiting.confirmed is True
    assert bpy.ops.collision_kit.cancel_preview() == {"FINISHED"}
    assert waiting.confirmed is False


def test_what_has_no_surface_is_refused_with_a_reason() -> None:
    build("plain", l_mesh())
    empty = bpy.data.objects.new("Empty", None)
    bpy.context.scene.collection.objects.link(empty)
    select(empty)
    with pytest.raises(RuntimeError, match="The active object has no surface"):
        bpy.ops.collision_kit.compare_types()


def test_it_says_why_a_primitive_is_the_best() -> None:
    build("plain", cube_mesh((1.0, 2.0, 3.0)))
    make("BEST")
    found = panel().texts
    assert "Best Fit" in found
    assert {"Sphere", "Capsule", "Box", "Convex Hull"} <= set(found)


def test_flat_colliders_are_pointed_out_and_other_objects_are_not_shown() -> None:
    ob = build("plain", cube_mesh((1.0, 2.0, 0.0)))
    (made,) = make("BOX")
    for vertex in made.data.vertices:
        vertex.co.z = 0.0
    assert bpy.ops.collision_kit.convert_collider(kind="BOX") == {"FINISHED"}
    assert not any("Flat" in text for text in panel().texts)
    select(ob)
    assert "Render Mesh" not in panel().texts


def test_a_record_that_cannot_be_read_is_none() -> None:
    build("plain")
    (made,) = make("BOX")
    made.collision_kit.collider.record = '{"quality": [1]}'
    assert "Largest Gap" not in panel().texts
    assert "Type" in panel().texts


def test_the_menu_lists_every_kind() -> None:
    recorder = Recorder()
    stand_in(COLLISION_KIT_MT_convert, layout=recorder).draw(bpy.context)
    assert len(recorder.operators) == len(KINDS)
