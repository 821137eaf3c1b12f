# SPDX-License-Identifier: GPL-3.0-or-later
"""The rules of any engine: for each a scene that breaks it, and one that just does not."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace

import numpy as np
import pytest

from collision_kit.addon.asset_rules import measures
from collision_kit.addon.asset_rules.bodies import with_thresholds
from collision_kit.addon.asset_rules.catalog import RULES
from collision_kit.addon.asset_rules.limits import Limits
from collision_kit.addon.asset_rules.linear_maps import transform_of, transforms_of
from collision_kit.addon.asset_rules.rule import Rule, RuleIssue, questions, worst_first
from collision_kit.addon.asset_rules.subject import Body, Collider, Imported, Scene, put_in_blocks
from collision_kit.addon.asset_rules.surfaces import surfaces_of, without_area
from collision_kit.core.hull import convex_hull
from collision_kit.core.mesh.triangle_mesh import TriangleMesh
from collision_kit.core.narrow_phase.mesh.boundary import hull_triangles
from collision_kit.core.query.queries import distance
from collision_kit.core.shapes import Hulls, Spheres
from tests.helpers.offline import slow

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], dtype=np.float64)
# Counterclockwise seen from outside.
SIDES = np.array([(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)])
CUBE = np.concatenate([SIDES[:, [0, 1, 2]], SIDES[:, [0, 2, 3]]])
STEP = float(np.spacing(np.float32(1.0)))


def collider(points=CORNERS, triangles=CUBE, name="UCX_Crate", **fields):
    return Collider(name, np.asarray(points, dtype=np.float64), np.asarray(triangles).reshape(-1, 3), **fields)


def scaled(*scale, linear=None, at=(0.0, 0.0, 0.0)):
    matrix = np.eye(4)
    matrix[:3, :3] = np.diag(scale) if linear is None else linear
    matrix[:3, 3] = at
    return matrix


def at(*place):
    return scaled(1.0, 1.0, 1.0, at=place)


RENDER = collider(name="Crate", kind="MESH", own=False)


# Beside the first, and as large.
SECOND = replace(RENDER, name="Lid", matrix=at(2.0, 0.0, 0.0))


def crate(*colliders, render=RENDER, **fields):
    """One body of a crate of 2 m and these colliders."""
    return Scene((Body("Crate", render, colliders, **fields),))


def two(first, second):
    return np.concatenate([first, second]), np.concatenate([CUBE, CUBE + len(first)])


def hollow(size):
    """A cube with a cubic cavity."""
    return np.concatenate([CORNERS, CORNERS * size]), np.concatenate([CUBE, CUBE[:, ::-1] + len(CORNERS)])


def fan(count):
    """A double pyramid: a convex mesh of `count` + 2 vertices and twice as many triangles as its rim has vertices."""
    angle = 2.0 * np.pi * np.arange(count) / count
    rim = np.stack([np.cos(angle), np.sin(angle), np.zeros(count)], axis=1)
    row, following = np.arange(count), np.roll(np.arange(count), -1)
    top = np.stack([row, following, np.full(count, count)], axis=1)
    bottom = np.stack([following, row, np.full(count, count + 1)], axis=1)
    return np.concatenate([rim, [(0, 0, 1), (0, 0, -1)]]), np.concatenate([top, bottom])


def dented(depth):
    """A cube whose top has its middle this much below the rim."""
    points = np.concatenate([CORNERS, [(0.0, 0.0, 1.0 - depth)]])
    open_box = [side for side in CUBE.tolist() if not {1, 3, 5, 7} >= set(side)]
    return points, np.array([*open_box, (1, 5, 8), (5, 7, 8), (7, 3, 8), (3, 1, 8)])


def without(face):
    """The triangles of a cube without those of a face, which is given by its corners."""
    return np.array([side for side in CUBE.tolist() if not face >= set(side)])


def imported(*severities):
    """A sound crate of a file of which so much was not imported."""
    told = [Imported(collider(name="Rock"), severity, "Thing is wrong; ignored") for severity in severities]
    return replace(crate(collider()), imported=tuple(told))


NAN = CORNERS.copy()
NAN[3, 1] = np.nan
LARGE = CORNERS.copy()
LARGE[3, 1] = 1e30
SEAMS = CORNERS[CUBE].reshape(-1, 3)
SHEAR = np.array([[1.0, 1e-3, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
TURN = np.array([[0.8, -0.6, 0.0], [0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])
SPLIT = np.concatenate([CORNERS, [(0.0, -1.0, -1.0)]])  # in the middle of the edge from corner 0 to corner 4
FLIPPED = np.concatenate([CUBE[:1, ::-1], CUBE[1:]])
SLIVER = np.concatenate([CUBE, [(0, 8, 4)]])

# By id: scenes that break the rule, each with how often; and scenes that just do not.
BROKEN = {
    "not-imported": [imported("error"), imported("warning", "error", "info")],
    "imported-differently": [imported("warning")],
    "physics-not-imported": [imported("info")],
    "non-finite": [crate(collider(NAN)), crate(collider(matrix=scaled(np.inf, 1.0, 1.0)))],
    "no-faces": [crate(collider(triangles=np.empty((0, 3), int)))],
    "zero-scale": [
        crate(collider(matrix=scaled(1.0, 0.0, 1.0))),
        crate(collider(matrix=scaled(linear=np.ones((3, 3))))),
    ],
    "sheared": [crate(collider(matrix=scaled(linear=SHEAR)))],
    "negative-scale": [crate(collider(matrix=scaled(1.0, -1.0, 1.0)))],
    "unapplied-scale": [crate(collider(matrix=scaled(1.0, 1.0, 1.001)))],
    "shared-mesh-scales": [
        crate(collider(data=1), collider(name="UCX_Crate_02", data=1, matrix=scaled(1.0, 1.0, 1.001)))
    ],
    "zero-area": [
        crate(collider(SPLIT, SLIVER)),
        crate(collider(triangles=[*CUBE, (0, 0, 1)])),
        crate(collider([*CORNERS, (0.0, -1.0 - 2.0 * STEP, -1.0)], SLIVER)),
    ],
    "duplicate-vertices": [crate(collider(SEAMS, np.arange(36)))],
    "inconsistent-normals": [crate(collider(triangles=FLIPPED))],
    "inside-out": [crate(collider(triangles=CUBE[:, ::-1]))],
    "open-mesh": [crate(collider(triangles=CUBE[1:])), crate(collider(triangles=CUBE[1:], kind="MESH", moving=True))],
    "flat": [crate(collider(CORNERS * (1.0, 1.0, 0.0)))],
    "several-pieces": [
        crate(collider(*two(CORNERS, CORNERS + 5.0))),
        # They share a corner, an edge, a face.
        *(crate(collider(*two(CORNERS, CORNERS + shift))) for shift in ((2, 2, 2), (2, 2, 0), (2, 0, 0))),
    ],
    "not-convex": [crate(collider(*dented(0.001))), crate(collider(*hollow(0.5)))],
    "vertex-budget": [crate(collider(*fan(63)))],
    "triangle-budget": [crate(collider(*fan(1001), kind="MESH"))],
    "too-small": [
        crate(collider(matrix=scaled(1.0, 1.0, 0.00499))),
        crate(collider(CORNERS * (1.0, 0.00499, 1.0), matrix=scaled(linear=TURN))),
    ],
    "orphan-collider": [crate(collider(), render=None)],
    "empty-collider": [replace(crate(collider()), empties=(collider(np.empty((0, 3)), np.empty((0, 3), np.int64)),))],
    "no-collider": [crate()],
    "nested-collider": [
        crate(collider(), collider(CORNERS * 0.5)),
        crate(collider(CORNERS * 0.5), collider()),
        crate(collider(), collider()),
        crate(collider(), collider(CORNERS * 0.5 + (0.5 + STEP, 0.0, 0.0))),
    ],
    "overlapping-colliders": [crate(collider(), collider(matrix=at(1.13, 0.0, 0.0)))],
    "mesh-sticks-out": [
        crate(collider(), others=(SECOND,)),
        crate(collider(CORNERS * (1.0, 1.0, 0.82))),
        # It is the middle of an edge that is outside of both.
        crate(*(collider(CORNERS * (0.7, 1.0, 1.0), matrix=at(side, 0.0, 0.0)) for side in (-1.0, 1.0))),
    ],
    "collider-sticks-out": [
        crate(collider(CORNERS * (1.0, 1.0, 1.18))),
        crate(collider(CORNERS * (1.0, 1.0, 1.18), kind="MESH")),
        # A crate without a lid, and one without a side; without a bottom nothing is said.
        *(crate(collider(), render=replace(RENDER, triangles=without(face))) for face in ({1, 3, 5, 7}, {0, 1, 4, 5})),
    ],
    # The size of the crate is its diagonal: a quarter of it is 0.866.
    "collider-far-outside": [
        crate(collider(CORNERS * (1.0, 1.0, 1.88))),
        crate(collider(CORNERS * (1.0, 1.88, 1.0), kind="MESH")),
        crate(collider(matrix=at(-0.88, 0.0, 0.0))),
        crate(collider(CORNERS * (1.0, 1.0, 1.88)), render=replace(RENDER, triangles=without({1, 3, 5, 7}))),
        crate(collider(matrix=at(2.9, 0.0, 0.0)), others=(SECOND,)),
    ],
    "collider-misses": [
        crate(collider(CORNERS * (1.0, 1.0, 0.94))),
        crate(collider(CORNERS * (1.0, 0.94, 1.0), kind="MESH")),
        # The gap between two colliders is 0.12 wide: its middle is 0.06 from both.
        crate(*(collider(CORNERS * (0.6, 1.0, 1.0), matrix=at(side, 0.0, 0.0)) for side in (-0.66, 0.66))),
    ],
}
SOUND = {
    "not-imported": [imported("warning", "info")],
    "imported-differently": [imported("error", "info")],
    "physics-not-imported": [imported("error", "warning")],
    "non-finite": [crate(collider(LARGE))],
    "no-faces": [crate(collider(triangles=CUBE[:1]))],
    "zero-scale": [crate(collider(matrix=scaled(1.0, 1e-3, 1.0)))],
    "sheared": [crate(collider(matrix=scaled(linear=TURN * (1.0, 2.0, 3.0))))],
    "negative-scale": [crate(collider(matrix=scaled(-1.0, -1.0, 1.0)))],
    "unapplied-scale": [
        crate(collider(matrix=scaled(linear=TURN))),
        crate(collider(matrix=scaled(1.0, 1.0, 1.0 + 1e-6))),
    ],
    "shared-mesh-scales": [
        crate(collider(data=1, matrix=scaled(2.0, 2.0, 2.0)), collider(data=1, matrix=scaled(linear=TURN * 2.0))),
        crate(collider(data=1), collider(data=2, matrix=scaled(2.0, 2.0, 2.0))),
    ],
    "zero-area": [crate(collider([*CORNERS, (0.0, -1.00001, -1.0)], SLIVER))],
    "duplicate-vertices": [
        crate(collider(SEAMS * (1.0 + 4.0 * STEP * np.arange(36)[:, None]), np.arange(36))),
        crate(collider(SEAMS, np.arange(36), own=False)),
    ],
    "inconsistent-normals": [crate(collider(triangles=CUBE[:, ::-1])), crate(collider(triangles=CUBE[1:]))],
    "inside-out": [crate(collider(matrix=scaled(-1.0, 1.0, 1.0))), crate(collider(triangles=FLIPPED))],
    "open-mesh": [
        crate(collider(SEAMS, np.arange(36))),
        crate(collider(triangles=FLIPPED)),
        crate(collider(triangles=CUBE[1:], kind="MESH")),
    ],
    "flat": [crate(collider(CORNERS * (1.0, 1.0, 0.0), kind="MESH")), crate(collider(CORNERS * (1.0, 1.0, 1e-4)))],
    "several-pieces": [
        crate(collider(SEAMS, np.arange(36))),
        # A cavity belongs to the part that it is in.
        crate(collider(*hollow(0.5))),
        crate(collider(*two(CORNERS, CORNERS + 5.0), kind="MESH")),
    ],
    "not-convex": [
        crate(collider(*two(CORNERS, CORNERS + 5.0))),
        crate(collider(*dented(0.0))),
        crate(collider(*dented(-0.5))),
        crate(collider(*dented(0.001), kind="MESH")),
    ],
    "vertex-budget": [crate(collider(*fan(62))), crate(collider(*fan(100), kind="SPHERE"))],
    "triangle-budget": [crate(collider(*fan(1000), kind="MESH")), crate(collider(*fan(1001)))],
    "too-small": [
        crate(collider(matrix=scaled(1.0, 1.0, 0.00501))),
        crate(collider(CORNERS * (1.0, 1.0, 0.0), kind="MESH")),
    ],
    "orphan-collider": [crate(collider()), crate(collider(needs_no_mesh=True), render=None)],
    "empty-collider": [crate(collider())],
    "no-collider": [crate(collider()), crate(by_itself=True), crate(collider(), others=(SECOND,))],
    "nested-collider": [
        crate(collider(), collider(CORNERS * 0.5 + (0.5 + 1e-4, 0.0, 0.0))),
        crate(collider(kind="MESH"), collider(CORNERS * 0.5, kind="MESH")),
    ],
    "overlapping-colliders": [
        crate(collider(), collider(matrix=at(1.14, 0.0, 0.0))),
        crate(collider(), collider(CORNERS * 0.5)),
    ],
    "mesh-sticks-out": [
        crate(collider(CORNERS * (2.0, 1.0, 1.0) + (1.0, 0.0, 0.0)), others=(SECOND,)),
        crate(collider(CORNERS * (1.0, 1.0, 0.83))),
        crate(*(collider(CORNERS * (0.6, 1.0, 1.0), matrix=at(side, 0.0, 0.0)) for side in (-0.5, 0.5))),
    ],
    "collider-sticks-out": [
        crate(collider(CORNERS * (2.0, 1.0, 1.0) + (1.0, 0.0, 0.0)), others=(SECOND,)),
        crate(collider(CORNERS * (1.0, 1.0, 1.17))),
        crate(collider(CORNERS * 0.5)),
        crate(collider(), render=replace(RENDER, triangles=without({0, 2, 4, 6}))),
        # Of a mesh that is not closed, what is behind most of it is inside.
        crate(collider(CORNERS * 0.5), render=replace(RENDER, triangles=CUBE[1:])),
    ],
    "collider-far-outside": [
        crate(collider(CORNERS * (1.0, 1.0, 1.86))),
        crate(collider(*fan(40), matrix=scaled(1.7, 1.7, 1.7), kind="SPHERE")),
        # The hull of two that are apart from each other is not far outside of them together.
        crate(collider(CORNERS * (4.0, 1.0, 1.0) + (3.0, 0.0, 0.0)), others=(replace(SECOND, matrix=at(6, 0, 0)),)),
        crate(collider(CORNERS * 0.1)),
    ],
    "collider-misses": [
        crate(collider(CORNERS * (1.0, 1.0, 0.96))),
        crate(collider(CORNERS * 1.4)),
        crate(*(collider(CORNERS * (0.6, 1.0, 1.0), matrix=at(side, 0.0, 0.0)) for side in (-0.64, 0.64))),
    ],
}
# Of rules about what the user has to set.
STRICT = {"collider-misses": Limits(max_inside=0.05)}
# Lengths are known in closed form, in a scene of a crate of 2 m.
LENGTHS = [
    ("mesh-sticks-out", crate(collider(CORNERS * (1.0, 1.0, 0.5))), 0.5),
    ("mesh-sticks-out", crate(collider(CORNERS * 0.5)), np.sqrt(0.75)),
    ("mesh-sticks-out", crate(collider(CORNERS * 0.5, kind="MESH")), np.sqrt(0.75)),
    ("collider-sticks-out", crate(collider(matrix=at(0.3, 0.4, 0.0))), 0.5),
    ("collider-sticks-out", crate(collider(CORNERS * 1.4, kind="MESH")), np.sqrt(0.48)),
    ("collider-far-outside", crate(collider(matrix=at(0.6, 0.8, 0.0))), 1.0),
    ("collider-far-outside", crate(collider(CORNERS * 2.0, kind="MESH")), np.sqrt(3.0)),
    ("overlapping-colliders", crate(collider(), collider(matrix=at(1.0, 0.0, 0.25))), 1.0),
    ("too-small", crate(collider(CORNERS * (1.0, 1.0, 0.001), matrix=scaled(1.0, 1.0, 2.0))), 0.004),
]


def rule_issues(rules: Iterable[Rule], scene: Scene, limits: Limits) -> list[RuleIssue]:
    """Every place where one of the rules is broken."""
    return worst_first(one for question in questions(rules, scene, limits) for issues in question for one in issues)


def ids(scene, limits=None):
    return [one.rule.id for one in rule_issues(RULES, scene, limits or Limits())]


def cases(table):
    return [
        pytest.param(name, scene, id=f"{name}-{row}")
        for name, scenes in table.items()
        for row, scene in enumerate(scenes)
    ]


def test_every_rule_has_a_scene_that_breaks_it_and_one_that_just_does_not():
    assert set(BROKEN) == set(SOUND) == {rule.id for rule in RULES}


@pytest.mark.parametrize(("name", "scene"), cases(BROKEN))
def test_it_is_found(name, scene):
    assert ids(scene, STRICT.get(name)).count(name) == 1


@pytest.mark.parametrize(("name", "scene"), cases(SOUND))
def test_what_just_keeps_it_is_left_alone(name, scene):
    assert name not in ids(scene, STRICT.get(name))


@pytest.mark.parametrize("kind", ["HULL", "MESH"])
def test_what_is_far_outside_is_said_once(kind):
    far = crate(collider(CORNERS * (1.0, 2.0, 1.0), kind=kind))
    assert ids(far) == ["collider-far-outside"]
    # A user who lets colliders stick out by half of the size wants no warning either.
    assert ids(far, Limits(sticking_out=0.5)) == []
    assert ids(far, Limits(max_outside=0.5)) == ["collider-sticks-out"]
    assert ids(far, Limits(max_outside=1.5)) == []


@pytest.mark.parametrize("seed", range(4))
def test_the_distance_from_the_hull_is_that_of_dense_points(seed):
    random = np.random.default_rng(seed)
    points = random.normal(size=(20, 3)) * (1.0, 2.0, 0.5)
    hull = convex_hull(points.astype(np.float32))
    other = convex_hull((random.normal(size=(15, 3)) * 4.0).astype(np.float32))
    body = crate(
        collider(other.points, hull_triangles(other)), render=collider(hull.points, hull_triangles(hull), name="Crate")
    )
    (found,) = [one for one in rule_issues(RULES, body, Limits()) if one.rule.id == "collider-far-outside"]
    corners = other.points[hull_triangles(other)]
    weights = random.dirichlet(np.full(3, 0.3), size=400)
    dense = np.concatenate([np.einsum("kc,mcd->mkd", weights, corners).reshape(-1, 3), other.points[other.vertices]])
    spheres = Spheres(dense, np.zeros(len(dense)))
    assert found.values["length"] == pytest.approx(distance(spheres, Hulls([hull], [0])).distance.max(), rel=1e-9)


@pytest.mark.parametrize("kind", ["HULL", "MESH"])
def test_thresholds_are_certified_and_make_errors(kind):
    larger = crate(collider(CORNERS * (1.0, 1.0, 1.04), kind=kind))
    assert not {"collider-sticks-out", "collider-misses"} & set(ids(larger, Limits(max_outside=0.05, max_inside=0.0)))
    (found,) = rule_issues(with_thresholds(RULES, Limits(max_outside=0.03)), larger, Limits(max_outside=0.03))
    assert (found.rule.id, found.rule.severity) == ("collider-sticks-out", "error")
    assert found.values["length"] == pytest.approx(0.04)
    # A point between the samples: a spike in the middle of the top of a collider.
    points, faces = dented(-0.06)
    assert ids(crate(collider(points, faces, kind="MESH")), Limits(max_outside=0.05)) == ["collider-sticks-out"]
    assert [one.rule.severity for one in rule_issues(with_thresholds(RULES, Limits()), larger, Limits())] == []


def test_a_sound_crate_has_nothing_to_be_said_of():
    assert ids(crate(collider())) == []


@pytest.mark.parametrize(("name", "scene", "length"), LENGTHS)
def test_lengths_are_right(name, scene, length):
    values = [one.values["length"] for one in rule_issues(RULES, scene, Limits()) if one.rule.id == name]
    assert values == pytest.approx([length], rel=1e-6)


@pytest.mark.parametrize("size", [1e-3, *slow(1e4)])
def test_answers_do_not_depend_on_the_unit_or_the_place(size):
    # But for the least thickness, which is a length of the user's.
    limits = Limits(smallest=0.01 * size)
    for scenes in (BROKEN, SOUND):
        for scene in (one for some in scenes.values() for one in some):
            moved = Scene(
                tuple(
                    replace(
                        body,
                        render=None if body.render is None else placed(body.render, size),
                        colliders=tuple(placed(one, size) for one in body.colliders),
                        others=tuple(placed(one, size) for one in body.others),
                    )
                    for body in scene.bodies
                ),
                imported=scene.imported,
                empties=scene.empties,
            )
            assert ids(moved, limits) == ids(scene)


def placed(one, size):
    """Larger, by a power of two or nearly so, and elsewhere."""
    matrix = one.matrix.copy()
    matrix[:3, 3] = matrix[:3, 3] * size + np.array([2.0, -4.0, 8.0]) * size
    return replace(one, points=one.points * size, matrix=matrix)


def test_what_is_empty_of_a_dented_mesh_is_told():
    points, triangles = dented(1.5)
    (found,) = (
        one for one in rule_issues(RULES, crate(collider(points, triangles)), Limits()) if one.rule.id == "not-convex"
    )
    # A pyramid of base 4 and height 1.5, of a cube of 8.
    assert float(found.values["percent"]) == pytest.approx(100.0 * 2.0 / 8.0, abs=0.05)


@pytest.mark.parametrize("turned", [False, True])
def test_of_two_colliders_the_inner_one_is_named(turned):
    pair = [collider(CORNERS * 0.5, name="UCX_Inner"), collider(name="UCX_Outer")]
    found = rule_issues(RULES, crate(*pair[:: -1 if turned else 1]), Limits())
    (nested,) = (one for one in found if one.rule.id == "nested-collider")
    assert (nested.subject.name, nested.values["other"]) == ("UCX_Inner", "UCX_Outer")


def test_worst_first():
    scene = crate(collider(CORNERS * (1.0, 1.0, 0.0)), collider(SEAMS, np.arange(36), matrix=scaled(2.0, 1.0, 1.0)))
    order = [one.rule.severity for one in rule_issues(RULES, scene, Limits())]
    assert order == sorted(order, key=("error", "warning", "info").index)
    assert set(order) == {"error", "warning", "info"}


def test_random_points_inside_never_stick_out():
    random = np.random.default_rng(3)
    for _ in range(20):
        points = random.normal(size=(30, 3))
        hull = convex_hull(points)
        faces = np.array([(f[0], f[i], f[i + 1]) for f in hull.faces for i in range(1, len(f) - 1)])
        body = Body("A", collider(points, faces, "A", own=False), (collider(points, faces),))
        assert not {"mesh-sticks-out", "collider-sticks-out"} & set(ids(Scene((body,)), Limits(sticking_out=1e-5)))


def test_hulls_that_are_found_together_are_those_of_each_collider():
    rng = np.random.default_rng(61)
    colliders = [
        collider(rng.normal(size=(8, 3)), CUBE, matrix=scaled(2.0, 1.0, 1.0, at=rng.normal(size=3))) for _ in range(20)
    ]
    not_finite = collider(np.full((8, 3), np.nan))
    put_in_blocks([*colliders, not_finite, collider(triangles=[])])
    for one in colliders:
        for found, points in ((one.hull, one.world_points), (one.local_hull, one.points)):
            np.testing.assert_array_equal(found.vertices, convex_hull(points.astype(np.float32)).vertices)
    assert colliders[0].hull is vars(colliders[0])["hull"] and "hull" not in vars(not_finite)


def some_meshes(rng):
    """Hulls, some with a hole, faces the wrong way, a face twice, doubled vertices, triangles without area, a shift."""
    for number in range(60):
        points = rng.normal(size=(int(rng.integers(4, 12)), 3))
        faces = [(f[0], f[i], f[i + 1]) for f in convex_hull(points).faces for i in range(1, len(f) - 1)]
        triangles = np.array(faces)
        if number % 7 == 1:
            triangles = triangles[1:]
        elif number % 7 == 2:
            triangles = triangles[:, ::-1]
        elif number % 7 == 3:
            triangles[0] = triangles[0, ::-1]
        elif number % 7 == 4:
            points, triangles = np.repeat(points, 2, axis=0), 2 * triangles + rng.integers(0, 2, triangles.shape)
        elif number % 7 == 5:
            triangles = np.concatenate([triangles, triangles[:1], triangles[:1, [0, 1, 1]]])
        yield points + (1e3 if number % 2 else 0.0), triangles


def test_facts_about_many_meshes_are_those_of_each():
    points, triangles = zip(*some_meshes(np.random.default_rng(7)), strict=True)
    found = surfaces_of(points, triangles)
    assert len(set(found)) > 8
    for one, place, corners in zip(found, points, triangles, strict=True):
        assert surfaces_of([place], [corners]) == [one]
        mesh = TriangleMesh(place, corners)
        assert one.doubles == len(place) - len({tuple(row) for row in place.tolist()})
        assert one.watertight == mesh.watertight
        sides = Counter(
            frozenset(side)
            for corner in mesh.welded_triangles.tolist()
            for side in zip(corner, (*corner[1:], corner[0]), strict=True)
            if len(set(side)) == 2
        )
        odd = sum(count % 2 for count in sides.values())
        assert (one.border, one.crowded) == (odd, max(sides.values()) > 2)
        assert one.border + one.inconsistent == np.count_nonzero(mesh.edges.open)
        assert one.without_area == np.count_nonzero(without_area(place, corners))
        inner = place[corners] - place.mean(axis=0)
        volume = np.linalg.det(inner).sum()
        assert one.inward == (one.watertight and volume < 0.0)


def test_transforms_of_many_matrices_are_those_of_each():
    rng = np.random.default_rng(5)
    linear = rng.normal(size=(40, 3, 3))
    linear[::4] = np.linalg.qr(linear[::4])[0] * rng.uniform(0.1, 3.0, (10, 1, 3))
    linear[1::4, :, 1] = 0.0
    linear[2::8, :, 2] = linear[2::8, :, 0]
    for one, matrix in zip(transforms_of(linear), linear, strict=True):
        alone = transform_of(matrix)
        collapsed = bool(abs(np.linalg.det(matrix)) < 1e-9)
        axes = matrix / np.where(collapsed, 1.0, np.linalg.norm(matrix, axis=0))
        assert one.collapsed == alone.collapsed == collapsed
        assert one.mirrored == alone.mirrored == (not collapsed and np.linalg.det(matrix) < 0.0)
        assert one.sheared == alone.sheared == (not collapsed and abs(axes.T @ axes - np.eye(3)).max() > 1e-3)
        np.testing.assert_allclose(one.scale, np.linalg.norm(matrix, axis=0))


# Measures


def bumpy(count=400, seed=0):
    """A closed mesh of triangles, of which the corners are not all at the same distance."""
    rng = np.random.default_rng(seed)
    hull = convex_hull(rng.normal(size=(count, 3)) * [1.0, 0.7, 0.5])
    points = hull.points[hull.vertices]
    return TriangleMesh(points * rng.uniform(0.8, 1.0, (len(points), 1)), hull_triangles(hull))


def test_points_on_a_surface_are_outside_by_nothing_without_a_sum_over_all_triangles(monkeypatch):
    mesh, asked = bumpy(), []
    inside = measures.inside

    def counted(solid, row, points):
        asked.append(len(points))
        return inside(solid, row, points)

    monkeypatch.setattr(measures, "inside", counted)
    points = np.concatenate([mesh.points, mesh.corners.mean(axis=1), 0.5 * mesh.points, 1.5 * mesh.points])
    found = measures.outside_of_mesh(points, mesh)
    on = len(mesh.points) + len(mesh.triangles)
    assert sum(asked) < 0.02 * len(points)
    assert (found[:on] < 1e-12).all() and (found[on : on + len(mesh.points)] == 0.0).all()
    assert (found[on + len(mesh.points) :] > 0.01).all()


def test_a_ray_through_an_edge_does_not_put_a_point_inside_outside():
    mesh = TriangleMesh(CORNERS, CUBE)
    along = measures.aslant(0)
    # The ray meets the edge between two faces, or the diagonal of one.
    for target in ([1.0, 1.0, 0.3], [0.3, 0.3, 1.0], [1.0, 1.0, 1.0]):
        for share in (0.2, 0.7):
            point = np.array([np.array(target) - share * np.array(along)])
            assert measures.outside_of_mesh(point, mesh) == 0.0


def test_bounds_of_distances_from_a_hull_do_not_depend_on_blocks(monkeypatch):
    rng = np.random.default_rng(4)
    planes = collider(*[(hull := convex_hull(rng.normal(size=(60, 3)))).points, hull_triangles(hull)]).solid_planes
    points = rng.normal(size=(500, 3)) * 1.5
    whole = measures._bounds(points, planes)
    monkeypatch.setattr(measures, "_HEIGHTS", 7)
    for one, other in zip(measures._bounds(points, planes), whole, strict=True):
        np.testing.assert_allclose(one, other, rtol=0.0, atol=1e-14)


@pytest.mark.parametrize("size", [0.99, 1.2])
def test_a_dense_mesh_is_within_a_hull_by_the_corners_of_its_own(monkeypatch, size):
    monkeypatch.setattr(measures, "MOST_POINTS", 20)
    mesh = bumpy(200)
    render = collider(size * mesh.points, mesh.triangles, name="Crate")
    around = collider(mesh.points, mesh.triangles)
    seen, bounds = [], measures._bounds
    monkeypatch.setattr(measures, "_bounds", lambda points, solid: seen.append(len(points)) or bounds(points, solid))
    assert measures._is_within(render, around, 1e-6) == (size < 1.0)
    assert seen == [len(render.hull.vertices)] and seen[0] < len(render.points)


@pytest.mark.parametrize("shift", [0.0, 0.5])
def test_a_collider_that_is_a_copy_in_the_same_place_is_within_without_a_measurement(monkeypatch, shift):
    mesh, seen = bumpy(60), []
    bounds = measures._bounds
    monkeypatch.setattr(measures, "_bounds", lambda points, solid: seen.append(len(points)) or bounds(points, solid))
    render = collider(mesh.points, mesh.triangles, name="Crate")
    copy = collider(mesh.points, mesh.triangles, matrix=scaled(1.0, 1.0, 1.0, at=(shift, 0.0, 0.0)))
    put_in_blocks([render, copy])
    assert measures._is_within(copy, render, 1e-3) == (not shift)
    assert bool(seen) == bool(shift)
