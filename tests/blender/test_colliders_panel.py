# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the panel about colliders."""

import bpy
import pytest

from collision_kit.addon.colliders import fit_record
from collision_kit.addon.engines.kinds import KINDS
from collision_kit.addon.i18n.units import length_text
from collision_kit.addon.session import fit_comparison
from collision_kit.addon.ui.panels.colliders import COLLISION_KIT_MT_convert, COLLISION_KIT_PT_colliders
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, mesh
from tests.helpers.blender.colliders_scene import build, cloud_mesh, make, select
from tests.helpers.blender.panel_recorder import Recorder, drawn, stand_in
from tests.helpers.offline import slow

pytestmark = pytest.mark.usefixtures("scene")


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
    for text in ("UCX_Rock_01", "Convex Hull", "Rock", "Volume / Hull", "1 ×", "1.167 ×", "0.5 m", "0 m"):
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
    assert found.operators.count("collision_kit.make_collider") == len(KINDS)
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
    assert (parts.parts, parts.vertices) == (3, 24)
    assert parts.gap < 1e-6
    # Three unit cubes in a hull of 11 × 1 × 1.
    assert parts.ratio == pytest.approx(3 / 11, rel=1e-5)
    assert (pieces.parts, pieces.gap) == (3, pytest.approx(0.0, abs=1e-6))
    found = panel()
    assert {"3 Parts", "3 Pieces"} <= set(found.texts)
    assert found.operators.count("collision_kit.make_collider") == len(KINDS) + 1
    made = make("HULL", source="PARTS")
    assert len(made) == 3
    bpy.context.scene.collision_kit.colliders.pieces = 4
    assert not fit_comparison.known(bpy.context), "another number of pieces is another comparison"


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
