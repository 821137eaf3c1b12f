# SPDX-License-Identifier: GPL-3.0-or-later
"""Near misses in motion: the least distance of objects that never touch, and the distances over time."""

import bpy
import numpy as np
import pytest

from collision_kit import core as ck
from collision_kit.addon.model.errors import UserError
from collision_kit.addon.model.motion_report import MotionContact, MotionReport
from collision_kit.addon.model.rules import IgnoreRule, PairTest
from collision_kit.addon.motion.named_tests import with_tests
from collision_kit.core.constants import Verdict
from tests.helpers.blender.bridge_scene import add, l_mesh
from tests.helpers.blender.motion_scene import box, checked, keyed, slider
from tests.helpers.offline import slow_rows

pytestmark = pytest.mark.usefixtures("scene")

FRAMES = 24
CLEARANCE = 0.6


def placed(frame: float) -> tuple[list[bpy.types.Object], np.ndarray]:
    """The objects and their evaluated matrices in a frame."""
    whole = int(np.floor(frame))
    bpy.context.scene.frame_set(whole, subframe=frame - whole)
    depsgraph = bpy.context.evaluated_depsgraph_get()
    objects = sorted(bpy.context.scene.objects, key=lambda ob: ob.name)
    return objects, np.array([ob.evaluated_get(depsgraph).matrix_world for ob in objects], dtype=np.float64)


def hulls_of(objects: list[bpy.types.Object]) -> list:
    """The hull of the vertices of each object."""
    return ck.convex_hulls([np.array([vertex.co for vertex in ob.data.vertices]) for ob in objects])


def distances_at(frame: float, hulls: list, pairs: np.ndarray) -> np.ndarray:
    """The exact distances of pairs of objects, in the order of their names, which are not scaled."""
    _, matrices = placed(frame)
    shapes = ck.Hulls(hulls, np.arange(len(hulls)), matrices[:, :3, 3], matrices[:, :3, :3])
    return ck.distance(shapes, shapes, pairs).distance


def names_of(report: MotionReport, contact: MotionContact) -> tuple[str, str]:
    return report.bodies[contact.body_a].name, report.bodies[contact.body_b].name


def wander(count: int, seed: int, interpolation: str, side: float = 5.0) -> None:
    """Boxes on random ways through a room; every fourth one stands still."""
    rng = np.random.default_rng(seed)
    for number in range(count):
        ob = box(f"Box {number}", rng.uniform(0.0, side, 3), rng.uniform(0.2, 0.6, 3))
        if number % 4 == 3:
            continue
        ob.rotation_mode = "XYZ"
        places = [(frame, rng.uniform(0.0, side, 3)) for frame in (1, 12, FRAMES)]
        keyed(ob, "location", places, interpolation)
        keyed(ob, "rotation_euler", [(frame, rng.uniform(-1.0, 1.0, 3)) for frame, _ in places], interpolation)


@pytest.mark.parametrize(
    ("seed", "interpolation"),
    [(0, "BEZIER"), *slow_rows((1, "LINEAR"), (2, "SINE"))],
)
def test_the_least_distance_is_that_of_dense_samples(seed: int, interpolation: str) -> None:
    wander(9, seed, interpolation)
    report = checked(start=1, end=FRAMES, clearance=CLEARANCE)
    found = {names_of(report, near): near for near in report.near_misses}
    touching = {names_of(report, contact) for contact in report.contacts}
    assert len(found) == len(report.near_misses) and not touching & found.keys()
    objects, _ = placed(1.0)
    names, hulls = [ob.name for ob in objects], hulls_of(objects)
    pairs = np.argwhere(np.triu(np.ones((len(objects), len(objects))), 1))
    sampled = np.array([distances_at(frame, hulls, pairs) for frame in np.arange(1.0, FRAMES + 0.01, 0.125)])
    row = {(names[a], names[b]): number for number, (a, b) in enumerate(pairs.tolist())}
    least = dict(zip(row, sampled.min(axis=0).tolist(), strict=True))
    still = {f"Box {number}" for number in range(9) if number % 4 == 3}
    expected = {pair for pair, gap in least.items() if 0.0 < gap < CLEARANCE and pair not in touching}
    expected = {pair for pair in expected if not still.issuperset(pair)}
    assert expected and expected <= found.keys()
    for pair, near in found.items():
        assert not still.issuperset(pair), "neither moves"
        # No sample is nearer, up to what the search along the way leaves.
        assert near.distance <= least[pair] + 1e-4
        exact = distances_at(near.first, hulls, pairs[[row[pair]]])
        np.testing.assert_allclose(near.distance, exact[0], atol=2e-6)
        on_a, on_b = near.nearest_points
        np.testing.assert_allclose(np.linalg.norm(on_b - on_a), near.distance, atol=1e-9)
        assert near.verdict == Verdict.WITHIN_CLEARANCE and near.status == "near" and near.depth == 0.0
        assert dict(near.curve)[near.first] == near.distance == min(gap for _, gap in near.curve)
    assert [near.distance for near in report.near_misses] == sorted(near.distance for near in report.near_misses)


def test_a_pass_between_two_frames_is_found_at_its_subframe() -> None:
    """A cube passes a post at a distance of 0.25, in the middle between frames 6 and 7, one unit a frame."""
    slider(y=1.25, begin=(1, -5.5), end=(12, 5.5))
    box("Post", half=(0.01, 0.5, 0.5))
    report = checked(start=1, end=12, clearance=0.3)
    (near,) = report.near_misses
    assert not report.contacts and report.counts() == {"near": 1}
    np.testing.assert_allclose(near.distance, 0.25, atol=1e-6)
    assert abs(near.first - 6.5) <= 0.51  # as long as they are side by side
    np.testing.assert_allclose(np.abs(near.normal), (0.0, 1.0, 0.0), atol=1e-6)
    assert not checked(start=1, end=12, clearance=0.24).near_misses
    assert not checked(start=1, end=12).near_misses


def test_corners_that_pass_each_other_are_nearest_at_one_moment() -> None:
    """A cube turned by 45 degrees about Z passes another one, corner to corner."""
    for name, y in (("Mover", 0.0), ("Post", 1.6)):
        ob = box(name, (0.0, y, 0.0), half=(0.5, 0.5, 0.4))
        ob.rotation_euler = (0.0, 0.0, np.pi / 4.0)
    keyed(bpy.data.objects["Mover"], "location", [(1, (-3.3, 0.0, 0.0)), (11, (3.7, 0.0, 0.0))])
    (near,) = checked(start=1, end=11, clearance=0.3).near_misses
    np.testing.assert_allclose(near.first, 1.0 + 3.3 / 0.7, atol=1e-3)
    np.testing.assert_allclose(near.distance, 1.6 - np.sqrt(2.0), atol=1e-4)
    np.testing.assert_allclose(near.point, (0.0, 0.8, near.point[2]), atol=1e-3)


def test_concave_meshes_and_a_floor_have_near_misses() -> None:
    keyed(
        add("Corner", l_mesh(), at=(0.0, 0.0, 3.0)), "location", [(1, (0, 0, 3.0)), (6, (0, 0, 1.5)), (11, (0, 0, 3))]
    )
    box("Floor", half=(4.0, 4.0, 0.5))
    (near,) = checked(start=1, end=11, clearance=2.0).near_misses
    lowest = min(vertex.co.z for vertex in bpy.data.objects["Corner"].data.vertices)
    np.testing.assert_allclose((near.first, near.distance), (6.0, 1.5 + lowest - 0.5), atol=1e-6)


def test_the_curve_of_a_contact_goes_below_zero_where_it_penetrates() -> None:
    slider()
    box("Post")
    (contact,) = checked(start=1, end=11, clearance=1.0).contacts
    frames, gaps = np.array(contact.curve).T
    assert (np.diff(frames) > 0.0).all()
    # One unit a frame; the faces meet where the centers are one unit apart.
    inside = np.abs(frames - 6.0) <= 1.0
    np.testing.assert_allclose(gaps, np.abs(frames - 6.0) - 1.0, atol=1e-5)
    assert inside.any() and (~inside).any()
    assert {contact.first, contact.last} <= {*frames}
    assert gaps.max() <= 1.0 + 1e-5 and gaps.min() < 0.0


def test_tests_and_rules_take_near_misses() -> None:
    slider(y=1.25)
    box("Post")
    report = checked(clearance=0.3)
    (near,) = with_tests(report, [PairTest("Cell", a="Mover", b="Post")]).near_misses
    assert near.test == 0
    assert not with_tests(report, [PairTest("Other", a="Mover", b="Nobody")]).near_misses
    ignored = with_tests(report, rules=[IgnoreRule(a="Mover", reason="seen")])
    assert ignored.near_misses[0].ignored == 0 and ignored.ignored_counts() == {"near": 1}


def test_a_clearance_is_a_length() -> None:
    box("Post")
    with pytest.raises((ValueError, UserError), match="clearance"):
        checked(clearance=-1.0)
