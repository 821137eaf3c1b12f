# SPDX-License-Identifier: GPL-3.0-or-later
"""Timeline markers of contacts: added once, known again, removed."""

import bpy
import pytest

from tests.helpers.blender.passing_scene import check, kept, passing, row_of, slide

pytestmark = pytest.mark.usefixtures("scene")

ops = bpy.ops.collision_kit


def markers() -> dict[str, int]:
    return {marker.name: marker.frame for marker in bpy.context.scene.timeline_markers}


def test_markers_are_added_once_and_removed() -> None:
    passing()
    bpy.context.scene.timeline_markers.new("Mine", frame=4)
    check()
    first = kept().contact(row_of("Slider", "Post")).first
    expected = {"Mine": 4, f"{kept().pair_name(kept().contact(row_of('Slider', 'Post')))} {first:.3f}": 5}
    expected |= {f"{kept().pair_name(kept().contact(row_of('Shelf', 'Book')))} 1.000": 1}
    for _ in range(2):
        assert ops.add_contact_markers() == {"FINISHED"}
        assert markers() == expected
        assert len(bpy.context.scene.timeline_markers) == 3
    assert ops.remove_contact_markers() == {"FINISHED"}
    assert markers() == {"Mine": 4}
    assert not ops.remove_contact_markers.poll()
    bpy.context.scene.timeline_markers.new(next(name for name in expected if name != "Mine"), frame=5)
    assert not ops.remove_contact_markers.poll(), "the user's own, whatever it is called"


def test_markers_of_an_earlier_check_go_and_those_the_user_took_over_stay() -> None:
    made = passing()
    check()
    ops.add_contact_markers()
    by_name = {marker.frame: marker for marker in bpy.context.scene.timeline_markers}
    by_name[1].name = "Book leaves"
    slide(made["Slider"], (1, -8.0))
    bpy.context.view_layer.update()
    check()
    ops.add_contact_markers()
    # From -8 in frame 1 to 5 in frame 11, -0.75 is passed at 1 + 7.25 / 1.3.
    assert sorted(markers().values()) == [1, 1, 7]
    assert "Book leaves" in markers()
    ops.remove_contact_markers()
    assert markers() == {"Book leaves": 1}


def test_adding_and_removing_markers_is_undone() -> None:
    passing()
    check()
    bpy.ops.ed.undo_push(message="Before")
    ops.add_contact_markers()
    bpy.ops.ed.undo_push(message="Added")
    ops.remove_contact_markers()
    bpy.ops.ed.undo_push(message="Removed")
    bpy.ops.ed.undo()
    assert len(markers()) == 2
    assert ops.remove_contact_markers.poll()
    bpy.ops.ed.undo()
    assert markers() == {}
    assert not ops.remove_contact_markers.poll()


def test_long_names_are_cut_in_their_middle_so_that_the_frame_stays() -> None:
    made = passing()
    made["Slider"].name = "S" + "é" * 20 + ".001"
    made["Post"].name = "Pfosten an der Einfahrt zum Hof neben dem alten Tor"
    check()
    ops.add_contact_markers()
    name = next(name for name, frame in markers().items() if frame == 5)
    assert len(name.encode()) <= 63
    assert name.endswith(f" {kept().contact(kept().chosen).first:.3f}")
    assert "…" in name and " × " in name and ".001" in name
