# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes, triangles and hulls all but aligned: contacts and witnesses lie on both surfaces, and normals tell the gap."""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo
from tests.hunt import flat_contacts

# Multiples of the rounding of a pair.
ALLOWED = flat_contacts.ALLOWED


def rotations(rng, count):
    """Random rotations."""
    turn = np.linalg.qr(rng.normal(size=(count, 3, 3)))[0]
    turn[np.linalg.det(turn) < 0.0, :, 0] *= -1.0
    return turn


def about(axis, angle):
    """Rotations about unit axes (N, 3)."""
    k = np.zeros((len(axis), 3, 3))
    k[:, [2, 0, 1], [1, 2, 0]], k[:, [1, 2, 0], [2, 0, 1]] = axis, -axis
    return np.eye(3) + np.sin(angle)[:, None, None] * k + (1.0 - np.cos(angle))[:, None, None] * (k @ k)


def off_triangles(corners, point):
    """Distance of points (N, 3) from triangles (N, 3, 3)."""
    body = flat_contacts.Body("triangle", ck.Triangles(corners), corners.astype(np.longdouble))
    return flat_contacts.off_surface(body, point[:, None])[:, 0].astype(np.float64)


@pytest.mark.parametrize("hinge", [0.0, np.pi / 6.0, np.pi / 2.0, np.pi - 1e-3, np.pi])
@pytest.mark.parametrize("start", [0.0, 0.5, 1.0])
def test_contacts_of_triangles_whose_edges_are_collinear_lie_on_both(hinge, start):
    rng = np.random.default_rng(1)
    count = 400
    turn = rotations(rng, count)
    first = np.tile([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.2, 0.7, 0.0]], (count, 1, 1))
    tip = [0.3 + start, -0.9 * np.cos(hinge), 0.9 * np.sin(hinge)]
    second = np.tile([[start, 0.0, 0.0], [start + 1.0, 0.0, 0.0], tip], (count, 1, 1))
    a, b = (ck.Triangles(np.einsum("nij,nkj->nki", turn, corners)) for corners in (first, second))
    found, allowed = ck.contacts(a, b), ALLOWED * ck.distance(a, b).rounding.max()
    assert np.bincount(found.pair, minlength=count).min() >= 1
    half = found.normal * found.depth[:, None] / 2.0
    assert off_triangles(a.vertices[found.pair], found.point + half).max() <= allowed
    assert off_triangles(b.vertices[found.pair], found.point - half).max() <= allowed


def off_box(boxes, point):
    """Distance of points from the surfaces of boxes, row by row."""
    local = np.einsum("nji,nj->ni", boxes.rotation, point - boxes.center)
    beyond = np.abs(local) - boxes.half_extents
    return np.where((beyond <= 0.0).all(axis=1), -beyond.max(axis=1), np.linalg.norm(np.maximum(beyond, 0.0), axis=1))


@pytest.mark.parametrize("tilt", [1e-3, 1e-5, 1e-7, 1e-9, 1e-11])
def test_witnesses_of_boxes_and_triangles_all_but_aligned_lie_on_both(tilt):
    rng = np.random.default_rng(2)
    count = 500
    axis = rng.normal(size=(count, 3))
    turn = about(axis / np.linalg.norm(axis, axis=1, keepdims=True), np.full(count, tilt))
    a = ck.Boxes(np.zeros((count, 3)), np.full((count, 3), 0.5))
    b = ck.Boxes(rng.uniform(-1.0, 1.0, (count, 3)), rng.uniform(0.3, 0.7, (count, 3)), turn)
    corners = rng.uniform(-1.0, 1.0, (count, 3, 2)), rng.uniform(0.2, 0.5, (count, 1))
    flat = np.concatenate([corners[0], np.repeat(corners[1][:, None], 3, axis=1)], axis=2)
    triangles = ck.Triangles(np.einsum("nij,nkj->nki", turn, flat))
    for other, off in ((b, off_box), (triangles, lambda shapes, point: off_triangles(shapes.vertices, point))):
        found = ck.distance(a, other)
        assert (found.distance < -1e-3).sum() > 50
        # Of pairs that are apart a point may slide by more where faces are all but parallel.
        meet = found.distance < 0.0
        assert off_box(a, found.point_a)[meet].max() <= ALLOWED * found.rounding.max()
        assert off(other, found.point_b)[meet].max() <= ALLOWED * found.rounding.max()
        between = found.point_b - found.point_a - found.distance[:, None] * found.normal
        assert np.abs(between).max() <= ALLOWED * found.rounding.max()


def test_the_depth_of_boxes_all_but_aligned_is_that_of_the_very_best_axis():
    rng = np.random.default_rng(3)
    count = 2000
    axis = rng.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=1, keepdims=True)
    turn = about(axis, 10.0 ** rng.uniform(-13.0, -2.0, count))
    a = ck.Boxes(np.zeros((count, 3)), rng.uniform(0.3, 0.7, (count, 3)))
    b = ck.Boxes(rng.uniform(-0.6, 0.6, (count, 3)), rng.uniform(0.3, 0.7, (count, 3)), turn)
    bodies = [flat_contacts.Body("box", boxes, flat_contacts.placed(boxes)) for boxes in (a, b)]
    found = ck.distance(a, b)
    meet = found.distance < 0.0
    error = np.abs(flat_contacts.largest_gap(*bodies) - found.distance)[meet]
    assert error.max() <= ALLOWED * found.rounding.max()


def test_normals_of_pairs_that_all_but_touch_show_the_gap():
    hull = ck.Hulls.from_points(
        [
            [
                [0.0, 0.0, 0.0],
                [0.6128084602732295, 0.0, 0.0],
                [0.44600428095979777, 1.0, 0.0],
                [0.47876590742685887, -0.9929692232341136, -0.8757573922574582],
            ]
        ]
    )
    rng = np.random.default_rng(4)
    count = 300
    tips = np.repeat(hull.geometry[0].points[:1], count, axis=0)
    away = rng.normal(size=(count, 3))
    away *= (10.0 ** rng.uniform(-14.0, -9.0, count) / np.linalg.norm(away, axis=1))[:, None]
    triangles = ck.Triangles(np.stack([tips + away, *(tips + rng.normal(size=(2, count, 3)))], axis=1))
    found = ck.distance(hull, triangles)
    normal = found.normal
    hull = hull.take(np.zeros(count, dtype=int))
    gap = -zoo.support(triangles, -normal) - zoo.support(hull, normal)
    assert (found.distance > found.rounding).sum() > 50
    np.testing.assert_allclose(gap, found.distance, atol=ALLOWED * found.rounding.max())


# Edges that all but touch near an end of theirs, where the nearest points are on another edge as well.
NEAR_ENDS = [
    {
        "family": "shared",
        "a": {
            "kind": "Hulls",
            "form": "prism",
            "points": [
                [0.0, 0.0, 0.0],
                [27.86604788391459, 0.0, 0.0],
                [-4.134083848513042, 19.209380565782855, 0.0],
                [0.0, 0.0, -26.106618002508142],
                [27.86604788391459, 0.0, -26.106618002508142],
                [-4.134083848513042, 19.209380565782855, -26.106618002508142],
            ],
            "translation": [0.0, 0.0, 0.0],
            "rotation": [
                [0.8654046306154344, -0.4979129567793846, 0.05619175011132993],
                [0.2346055162356196, 0.303539974903557, -0.9234845615316838],
                [0.4427584861537742, 0.8123707103944346, 0.37949802612406225],
            ],
        },
        "b": {
            "kind": "Triangles",
            "vertices": [
                [24.115406875715202, 6.537528549238053, 12.337929176167464],
                [13.750635890074987, 9.19531222074567, -16.49496248191588],
                [10.954022089336682, 9.914509843529, -24.281873688868238],
            ],
        },
    },
    {
        "family": "hinge",
        "a": {
            "kind": "Triangles",
            "vertices": [
                [0.0, 0.0, 0.0],
                [-1.4979487526662245, 0.016547624370523793, 0.0766531833219782],
                [0.3339936596958317, -1.1546016617135337, -0.21259180645950526],
            ],
        },
        "b": {
            "kind": "Boxes",
            "center": [-2.015711073503827, -0.27559156805310375, -0.19401018954775767],
            "half_extents": [0.5, 0.3428794494701894, 0.2431367322351394],
            "rotation": [
                [-0.9986325017774835, -0.019362409785650996, 0.04856154323059381],
                [0.0110317495803525, -0.9860162633012513, -0.16628358008725322],
                [0.051102122214646786, -0.16552046880289487, 0.984881489069842],
            ],
        },
    },
    {
        "family": "shared",
        "a": {
            "kind": "Boxes",
            "center": [0.0079632607773421, -0.41760118965498194, 0.5410788749961287],
            "half_extents": [4.942213578621691e-10, 0.025252374213711747, 0.6830686888498926],
            "rotation": [
                [0.12140956310258866, -0.991426170218194, -0.04831011274798386],
                [-0.7849212663293722, -0.12568497194121964, 0.6067140129352786],
                [-0.6075840054273427, -0.0357412483640282, -0.7934508425316891],
            ],
        },
        "b": {
            "kind": "Hulls",
            "form": "tetrahedron",
            "points": [
                [0.0, 0.0, 0.0],
                [0.5, 0.0, 0.0],
                [-0.1291890296956808, 0.5, 0.0],
                [-0.49467722187543517, 0.16088884108142398, -1.3507875332350563],
            ],
            "translation": [0.11697290396226788, -1.1579633596993748, 0.6892745275984471],
            "rotation": [
                [-0.1852761906173587, -0.14982060798918098, -0.9711984959893998],
                [-0.8984988646915089, 0.4260649434261949, 0.10568090712755401],
                [0.397960454490631, 0.892200901930157, -0.21355333585927647],
            ],
        },
    },
]


@pytest.mark.parametrize("case", NEAR_ENDS)
def test_normals_of_edges_that_all_but_touch_near_an_end_show_the_gap(case):
    assert flat_contacts.wrong({"what": "gap along the normal", "case": case}) == ""


def test_a_contact_on_a_face_that_stands_up_is_where_it_is():
    """The height of a face on edge is that of its sides."""
    corners = [
        [-0.4961196120771189, -0.6168047312309124, 0.6110787625532497],
        [-0.14490331123169203, -0.6867455067189276, 0.43287831938716326],
        [0.0, 0.0, 0.0],
    ]
    turn = [
        [-0.03838104898877681, -0.8780407521135672, 0.4770443718422451],
        [0.9021448680786689, 0.1748519387200378, 0.39441277429257443],
        [-0.42972262225514996, 0.4455011079152163, 0.785408957657393],
    ]
    center = [[-0.6008054371217277, 0.30055122948152685, -0.7409266041749932]]
    box = ck.Boxes(center, [[0.6125932154310678, 0.25, 0.75]], [turn])
    triangle = ck.Triangles([corners])
    found, contacts = ck.distance(triangle, box), ck.contacts(triangle, box)
    allowed = ALLOWED * found.rounding[0]
    assert off_triangles(triangle.vertices, found.point_a)[0] <= allowed
    assert off_triangles(np.repeat(triangle.vertices, len(contacts), axis=0), contacts.point).max() <= allowed


def test_a_triangle_without_area_in_a_batch_changes_nothing_for_the_others():
    rng = np.random.default_rng(5)
    corners = rng.uniform(-0.6, 0.6, (200, 3, 3))
    box = ck.Boxes([[0.0, 0.0, 0.0]], [[0.5, 0.5, 0.5]])
    alone = ck.contacts(box, ck.Triangles(corners))
    line = np.array([[[-0.5, 0.0, 0.0], [0.0, 0.0, 0.0], [0.9, 0.0, 0.0]]])
    batch = ck.contacts(box, ck.Triangles(np.concatenate([corners, line])))
    same = batch.pair < len(corners)
    np.testing.assert_array_equal(batch.pair[same], alone.pair)
    np.testing.assert_array_equal(batch.point[same], alone.point)
    np.testing.assert_array_equal(batch.depth[same], alone.depth)


def test_a_candidate_axis_is_as_good_as_the_one_named():
    rng = np.random.default_rng(6)
    count = 300
    axis = rng.normal(size=(count, 3))
    turn = about(axis / np.linalg.norm(axis, axis=1, keepdims=True), 10.0 ** rng.uniform(-13.0, -7.0, count))
    boxes = (
        ck.Boxes(np.zeros((count, 3)), np.full((count, 3), 0.5)),
        ck.Boxes(rng.uniform(-2.0, 2.0, (count, 3)), np.full((count, 3), 0.5), turn),
    )
    plane = np.concatenate([rng.uniform(-1.0, 1.0, (2, count, 3, 2)), np.zeros((2, count, 3, 1))], axis=3)
    plane[1] += [1.0, 1.0, 0.0]
    for a, b in (boxes, tuple(ck.Triangles(corners) for corners in plane)):
        axes, found = ck.separating_axis(a, b), ck.candidate_axes(a, b)
        assert (axes.gap > 0.0).sum() > 50
        assert (axes.gap <= found.gap[found.best] + ALLOWED * ck.distance(a, b).rounding).all()


def test_a_box_all_but_without_volume_has_witnesses():
    """GJK has the origin inside of a sliver of a tetrahedron, where the axes show a gap."""
    corners = [
        [0.0, 0.0, 0.0],
        [0.0011167496742598797, 0.00343078463426947, -0.0013892008444123937],
        [0.0026742477708004775, -0.0012925968633433619, -0.0012808957537450976],
    ]
    turn = [
        [0.7324191417136448, 0.6757161857278176, 0.08348555082706087],
        [-0.6611010087872257, 0.735125194840699, -0.15012129792583337],
        [-0.16281172264907967, 0.05475933030885008, 0.985136416295817],
    ]
    center = [0.0027554604975026688, 0.0052135790443827495, -0.0012564002039944881]
    half = [5.509344805292023e-09, 0.0024251525892236784, 1.1927727743627586e-11]
    box = {"kind": "Boxes", "center": center, "half_extents": half, "rotation": turn}
    case = {"family": "hinge", "a": {"kind": "Triangles", "vertices": corners}, "b": box}
    assert flat_contacts.wrong({"what": "witness of A off its surface", "case": case}) == ""


@pytest.mark.parametrize("seed", [1, 2])
def test_random_degenerate_pairs_are_certified(seed):
    assert flat_contacts.run(seed, count=200) == []


SLIVERS = {
    "a face that stands up beside a sliver": {
        "family": "hinge",
        "a": {
            "kind": "Hulls",
            "form": "prism",
            "points": [
                [0.0, 0.0, 0.0],
                [1.5, 0.0, 0.0],
                [1.2097371257160054, 1.0, 0.0],
                [0.0, 0.0, -0.45597923392725875],
                [1.5, 0.0, -0.45597923392725875],
                [1.2097371257160054, 1.0, -0.45597923392725875],
            ],
            "translation": [0.0, 0.0, 0.0],
            "rotation": [[1.0, 0.0, 0.0], [0.0, 2.220446049250313e-16, 1.0], [0.0, -1.0, 2.220446049250313e-16]],
        },
        "b": {
            "kind": "Hulls",
            "form": "tetrahedron",
            "points": [
                [0.0, 0.0, 0.0],
                [1.014450541438377e-09, 0.0, 0.0],
                [-2.6596400688470046e-11, 1.0, 0.0],
                [0.8062432040312406, 0.36828548957735663, -0.5],
            ],
            "translation": [0.0, 0.0, 0.0],
            "rotation": [
                [1.0, 0.0, 0.0],
                [0.0, -0.0015277902472570215, -0.9999988329277991],
                [0.0, 0.9999988329277991, -0.0015277902472571644],
            ],
        },
    },
    "a triangle of small angles": {
        "family": "shared",
        "a": {
            "kind": "Triangles",
            "vertices": [
                [0.0, 0.0, 0.0],
                [-2.7088098551546596, 13.70618623933544, 10.050186138632437],
                [-4.765246945142232, 5.926733915028716, -10.83132510192996],
            ],
        },
        "b": {
            "kind": "Triangles",
            "vertices": [
                [1.2476388886860263, 24.231095088935437, 4.0404990547942425],
                [-2.708809855154659, 13.70618623933544, 10.050186138632437],
                [-4.540646613678869, 8.831377766946039, 12.833329521248451],
            ],
        },
    },
    "edges 1e-8 off parallel": {
        "family": "hinge",
        "a": {
            "kind": "Hulls",
            "form": "tetrahedron",
            "points": [
                [0.0, 0.0, 0.0],
                [4.551242254518064e-10, 0.0, 0.0],
                [-2.2492847120316773e-10, 1.0481932902852544, 0.0],
                [-0.09228733635297726, 0.8760792562710678, -0.8378576296978866],
            ],
            "translation": [0.0, 0.0, 0.0],
            "rotation": [[1.0, -0.0, 0.0], [0.0, 1.0, -0.0], [0.0, 0.0, 1.0]],
        },
        "b": {
            "kind": "Boxes",
            "center": [0.11879377440934992, 0.2941400066942741, 0.24999999726347713],
            "half_extents": [0.11879377452313097, 0.25, 0.2941400043684065],
            "rotation": [[1.0, 0.0, 0.0], [0.0, 9.303470549504311e-09, -1.0], [0.0, 1.0, 9.303470549504311e-09]],
        },
    },
    "edges that cross near their ends": {
        "family": "hinge",
        "a": {
            "kind": "Hulls",
            "form": "prism",
            "points": [
                [0.0, 0.0, 0.0],
                [0.5, 0.0, 0.0],
                [0.13917713792503839, 0.5, 0.0],
                [0.0, 0.0, -1.5],
                [0.5, 0.0, -1.5],
                [0.13917713792503839, 0.5, -1.5],
            ],
            "translation": [0.0, 0.0, 0.0],
            "rotation": [
                [0.1379148699741759, -0.5441198732781757, 0.8275947390744747],
                [0.6611145735648306, 0.6727592778762077, 0.3321482720889507],
                [-0.7375005147524971, 0.5013267572504239, 0.4525090863226686],
            ],
        },
        "b": {
            "kind": "Hulls",
            "form": "prism",
            "points": [
                [0.0, 0.0, 0.0],
                [1.222131031641265, 0.0, 0.0],
                [0.279750507169265, 1.2651525688384302, 0.0],
                [0.0, 0.0, -0.5486486791969083],
                [1.222131031641265, 0.0, -0.5486486791969083],
                [0.279750507169265, 1.2651525688384302, -0.5486486791969083],
            ],
            "translation": [0.07674008156766372, 0.3678645117124505, -0.41036800215160263],
            "rotation": [
                [0.13791486997591998, 0.5448942679543046, -0.8270850774799818],
                [0.6611145735645406, -0.6724480906426479, -0.33277783281287376],
                [-0.7375005147524311, -0.5009029867565172, -0.4529781325829092],
            ],
        },
    },
}


@pytest.mark.parametrize("case", SLIVERS.values(), ids=SLIVERS)
def test_pairs_of_slivers_are_certified(case):
    assert flat_contacts.wrong({"what": "", "case": case}) == ""
