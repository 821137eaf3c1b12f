# SPDX-License-Identifier: GPL-3.0-or-later
"""Culling: which class an object gets, over frames too, and that nothing is changed by finding out."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.culling import check as culling
from collision_kit.addon.model.culling_report import CullReport, CullRequest
from collision_kit.addon.scene import events, scope
from collision_kit.addon.scene.cameras.camera import UnusableCamera, camera_frustum
from collision_kit.addon.scene.meshes.geometry import Geometry, HullMemory
from collision_kit.addon.session import dependencies
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.viewport import pair as pair_overlay
from tests.helpers.blender import checked_scene
from tests.helpers.blender.bridge_scene import add, add_collection, add_instance, cube_mesh, with_setting
from tests.helpers.blender.camera_scene import (
    add_camera,
    animated,
    cubes,
    in_picture,
    looking_down,
    random_camera,
    three,
)

pytestmark = pytest.mark.usefixtures("scene")

OUTSIDE, CROSSING, INSIDE = -1, 0, 1


def report(**request) -> CullReport:
    return culling.cull(bpy.context, CullRequest(**request)).report


def classes(**request) -> dict[str, int]:
    return {entry.name: entry.verdict for entry in report(**request).objects}


# Classes


def test_an_object_is_inside_outside_or_crossing() -> None:
    three()
    assert classes() == {"In": INSIDE, "Half": CROSSING, "Out": OUTSIDE}


def test_boxes_get_the_class_that_their_points_have() -> None:
    """Of points all over a box some are seen, all, or none; only where none are the box may cross all the same."""
    generator = np.random.default_rng(5)
    decided = dict.fromkeys((OUTSIDE, CROSSING, INSIDE), 0)
    share = np.stack(np.meshgrid(*[np.linspace(-1.0, 1.0, 7)] * 3), axis=-1).reshape(-1, 3)
    for number in range(40):
        camera = random_camera(generator, number)
        camera.data.clip_end = camera.data.clip_start * 8.0
        corners = camera_frustum(bpy.context).corners
        size = np.ptp(corners, axis=0).max()
        boxes = []
        for which in range(6):
            middle = generator.dirichlet(np.full(8, 0.5)) @ corners + generator.normal(size=3) * size * 0.1
            boxes.append(
                add(f"Box {number} {which}", cube_mesh(), at=middle, scale=0.2 * size * 0.01 ** generator.random(3))
            )
            boxes[-1].rotation_euler = generator.uniform(-3.0, 3.0, 3)
        bpy.context.view_layer.update()
        exact, planes = classes(), classes(exact=False)
        for box in boxes:
            matrix = np.array(box.matrix_world, dtype=np.float64)
            seen, clear = in_picture(camera, share @ matrix[:3, :3].T + matrix[:3, 3])
            if not (clear > 1e-3).all():
                continue
            verdict = exact[box.name]
            if seen.all():
                assert verdict == INSIDE
            elif seen.any():
                assert verdict == CROSSING
            else:
                assert verdict != INSIDE
            assert planes[box.name] in (verdict, CROSSING), "the planes alone are never surer"
            decided[verdict] += 1
        for box in boxes:
            bpy.data.objects.remove(box)
    assert min(decided.values()) > 15, decided


def test_what_lies_beside_a_corner_is_outside_only_exactly() -> None:
    looking_down()
    add("Beam", cube_mesh((6.0, 0.1, 0.1)), at=(3.0, 3.0, 0.0), rotation_euler=(0, 0, np.radians(-45.0)))
    assert classes(exact=True) == {"Beam": OUTSIDE}
    assert classes(exact=False) == {"Beam": CROSSING}


def test_a_body_is_decided_by_its_colliders_and_as_one() -> None:
    looking_down()
    add("Chair", cube_mesh((9.0, 0.2, 0.2)))
    add("UBX_Chair_01", cube_mesh((0.5, 0.5, 0.5)), at=(0, 0, 0))
    add("UBX_Chair_02", cube_mesh((0.5, 0.5, 0.5)), at=(1, 0, 0))
    assert classes() == {"Chair": INSIDE, "UBX_Chair_01": INSIDE, "UBX_Chair_02": INSIDE}
    bpy.data.objects["UBX_Chair_02"].location.x = 7.0
    assert set(classes().values()) == {CROSSING}
    bpy.data.objects["UBX_Chair_02"].select_set(True)
    assert classes(scope="SELECTED") == {"UBX_Chair_02": OUTSIDE}, "alone in the scope it brings nothing along"


def test_an_object_is_decided_with_all_that_it_instances() -> None:
    looking_down()
    source = add_collection("Source", parent=False)
    for name, x in (("Near", 0.0), ("Far", 6.0)):
        add(name, cube_mesh((0.5, 0.5, 0.5)), at=(x, 0, 0), collection=source)
    add_instance("All In", source, at=(0, 0, 0), scale=(0.1, 1, 1))
    add_instance("Some In", source)
    add_instance("All Out", source, at=(5, 0, 0))
    assert classes() == {"All In": INSIDE, "Some In": CROSSING, "All Out": OUTSIDE}


def test_what_has_no_end_and_what_has_no_shape() -> None:
    looking_down()
    with_setting(add("Floor"), "HALF_SPACE")
    with_setting(add("Cellar", at=(0, 0, -30)), "HALF_SPACE")
    with_setting(add("Ghost", cube_mesh()), "NONE")
    found = report()
    assert {entry.name: entry.verdict for entry in found.objects} == {"Floor": CROSSING, "Cellar": OUTSIDE}
    assert [entry.object for entry in found.skipped] == ["Ghost"]


def test_an_empty_scope_is_no_error() -> None:
    looking_down()
    assert report(scope="SELECTED").objects == ()


# Frames


def test_over_frames_outside_is_what_no_frame_shows() -> None:
    animated()
    found = report(frames=(1, 5))
    assert {entry.name: (entry.verdict, entry.frames_seen) for entry in found.objects} == {
        "Passing": (CROSSING, 3),
        "Leaving": (CROSSING, 3),
        "Still": (INSIDE, 5),
        "Away": (OUTSIDE, 0),
    }
    assert classes() == {"Passing": OUTSIDE, "Leaving": INSIDE, "Still": INSIDE, "Away": OUTSIDE}
    assert (found.first_frame, found.last_frame) == (1, 5)


def test_afterwards_the_scene_is_as_it_was() -> None:
    made = animated()
    scene = bpy.context.scene
    scene.frame_set(3, subframe=0.25)
    other = scene.camera
    second = looking_down(name="Second")
    scene.timeline_markers.new("Begin", frame=1).camera = second
    scene.timeline_markers.new("Cut", frame=4).camera = other
    third = looking_down(name="Third")
    made["Passing"].location = (0.5, 0.25, 0.0)  # dragged and not keyed
    made["Still"].location.y = 0.125
    bpy.context.view_layer.update()
    before = {ob.name: [tuple(row) for row in ob.matrix_world] for ob in scene.objects}
    found = report(frames=(1, 5))
    assert found.cameras == ("Second", other.name)
    assert (scene.frame_current, scene.frame_subframe) == (3, pytest.approx(0.25))
    assert scene.camera == third, "which no marker names"
    assert {ob.name: [tuple(row) for row in ob.matrix_world] for ob in scene.objects} == before


def test_a_mesh_that_changes_its_form_is_read_in_every_frame() -> None:
    looking_down()
    ob = cubes(Growing=0.0)["Growing"]
    ob.shape_key_add(name="Basis")
    far = ob.shape_key_add(name="Far")
    for point in far.data:
        point.co.x += 4.0
    for frame, value in ((1, 0.0), (2, 0.5), (3, 1.0), (4, 0.0)):
        far.value = value
        far.keyframe_insert("value", frame=frame)
    cubes(Rigid=0.0)
    for frame, verdict in ((1, INSIDE), (2, CROSSING), (3, OUTSIDE), (4, INSIDE)):
        assert classes(frames=(frame, frame)) == {"Growing": verdict, "Rigid": INSIDE}
    found = {entry.name: (entry.verdict, entry.frames_seen) for entry in report(frames=(1, 4)).objects}
    assert found == {"Growing": (CROSSING, 3), "Rigid": (INSIDE, 4)}


def test_what_keeps_its_form_keeps_its_hull() -> None:
    generator = np.random.default_rng(1)
    memory = HullMemory()
    points = generator.normal(size=(9, 3))
    triangles = np.array([[0, 1, 2], [3, 4, 5]])
    first = [Geometry(points, triangles), Geometry(points * 2.0, triangles)]
    memory.make_hulls(first)
    second = [Geometry(points * 3.0, triangles), Geometry(points.copy(), triangles), Geometry(points, triangles[::-1])]
    memory.make_hulls(second)
    assert second[1].hull is first[0].hull
    assert second[1].solidity is first[0].solidity
    assert second[0].hull is not first[1].hull
    assert second[2].hull is not first[0].hull, "its faces may be others"
    np.testing.assert_allclose(second[0].hull.volume, 27.0 * first[0].hull.volume, rtol=1e-5)
    third = [Geometry(points * 2.0, triangles)]
    memory.make_hulls(third)
    assert third[0].hull is not first[1].hull, "only the last scene is remembered"


@pytest.mark.parametrize("ending", ["closed", "failed"])
def test_a_run_that_does_not_come_to_its_end_puts_everything_back_too(ending: str) -> None:
    animated()
    scene = bpy.context.scene
    scene.frame_set(2)
    if ending == "closed":
        run = culling.steps(bpy.context, CullRequest(frames=(3, 5)))
        assert next(run) == (1, 3)
        assert scene.frame_current == 3
        run.close()
    else:
        blind = add_camera("Blind", type="PANO")
        scene.timeline_markers.new("Begin", frame=3).camera = bpy.data.objects["Camera"]
        scene.timeline_markers.new("Cut", frame=4).camera = blind
        scene.camera = bpy.data.objects["Camera"]
        with pytest.raises(UnusableCamera, match='"Blind" is panoramic'):
            report(frames=(3, 5))
        assert scene.camera.name == "Camera"
    assert scene.frame_current == 2
    assert not events.is_paused()


def test_looking_through_frames_makes_no_result_stale() -> None:
    animated()
    checked_scene.build()
    checked_scene.check()
    report(frames=(1, 5))
    dependencies.review(bpy.context)
    assert last_check.report is not None
    assert last_check.change_for(last_check.settings) is None
    assert pair_overlay.shown_row() == 0
    # But a change that came before is not overlooked.
    bpy.data.objects["First"].location.x += 0.1
    report(frames=(1, 5))
    assert last_check.change_for(last_check.settings) is not None


def test_another_camera_than_the_active_one() -> None:
    three()
    active = bpy.context.scene.camera
    other = looking_down(name="Other")
    other.location.x = 4.0
    other.hide_set(True)
    bpy.context.scene.camera = active
    for frames in (None, (1, 2)):
        found = report(camera="Other", frames=frames)
        assert found.cameras == ("Other",)
        assert {entry.name: entry.verdict for entry in found.objects} == {
            "In": OUTSIDE,
            "Half": CROSSING,
            "Out": INSIDE,
        }
        assert bpy.context.scene.camera == active


@pytest.mark.parametrize(
    ("request_", "message"),
    [
        ({"camera": "None such"}, 'Object "None such" is not in the scene'),
        ({"camera": "In"}, '"In" is not a camera'),
        ({"frames": (3, 2)}, "ends at 2, before its start at 3"),
        ({"frames": (0, 10**7)}, "Frame out of range:"),
    ],
)
def test_what_cannot_be_asked_is_refused(request_, message: str) -> None:
    three()
    with pytest.raises(ValueError, match=message):
        report(**request_)


# The scope of a check


def test_the_scope_in_camera_view_leaves_out_what_is_outside() -> None:
    three()
    add("Lamp", bpy.data.lights.new("Lamp", "POINT"), at=(50, 0, 0))
    cubes(Touches=2.5)
    add("Beam", cube_mesh((6.0, 0.1, 0.1)), at=(3.0, 3.0, 0.0), rotation_euler=(0, 0, np.radians(-45.0)))
    hidden_one = cubes(Hidden=0.25)["Hidden"]
    hidden_one.hide_set(True)
    found = {ob.name for ob in scope.scope_objects(bpy.context, "CAMERA").set_a}
    assert found == {"In", "Half", "Touches", "Lamp", "Camera"}
    result, _ = check(bpy.context, "CAMERA")
    assert [body.name for body in result.bodies] == ["Half", "In", "Touches"]
    assert [(pair.body_a, pair.body_b) for pair in result.pairs] == [(0, 2)]


def test_a_check_of_the_camera_view_is_stale_when_the_view_changes() -> None:
    objects = three()
    bpy.context.scene.collision_kit.scope = "CAMERA"

    def stale() -> bool:
        dependencies.review(bpy.context)
        return last_check.change_for(last_check.settings) is not None

    def checked(change) -> bool:
        checked_scene.check()
        assert not stale()
        change()
        bpy.context.view_layer.update()
        return stale()

    camera = bpy.context.scene.camera
    assert not checked(lambda: objects["In"].select_set(True))
    assert checked(lambda: setattr(camera.location, "x", 0.25))
    assert checked(lambda: setattr(camera.data, "ortho_scale", 5.0))
    assert checked(lambda: setattr(bpy.context.scene.render, "resolution_x", 120))
    assert checked(lambda: setattr(objects["Out"].location, "x", 3.0)), "what was outside may have come into view"


def test_without_a_camera_the_check_says_so() -> None:
    cubes(A=0.0, B=0.5)
    bpy.context.scene.collision_kit.scope = "CAMERA"
    with pytest.raises(RuntimeError, match="The scene has no active camera"):
        bpy.ops.collision_kit.check_collisions()
    add_camera().scale = (0, 0, 0)
    with pytest.raises(RuntimeError, match='"Camera" has an empty clip range or zero scale'):
        bpy.ops.collision_kit.check_collisions()
