# SPDX-License-Identifier: GPL-3.0-or-later
"""Which edges keep a mesh from being convex: against exact arithmetic, by hand, and on real meshes."""

from collections import defaultdict
from fractions import Fraction
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collision_kit.core import check_convexity, convex_hull, is_convex
from collision_kit.core.convexity import Convexity, Flaw
from collision_kit.core.convexity.topology import extrapolation_factor
from tests.helpers import mesh_files
from tests.helpers.offline import slow
from tests.helpers.triangle_meshes import (
    BOX,
    CUBE,
    QUADS,
    convex_meshes,
    hull_mesh,
    l_prism,
    meshes_that_are_not_convex,
    moved,
    rotation,
    subdivided,
    torus,
)

EVERY_MESH = [*convex_meshes(), *meshes_that_are_not_convex(), ("step", *l_prism())]


def edges(found: Convexity) -> set[tuple[int, int]]:
    return {(int(a), int(b)) for a, b in found.reflex_edges}


def halves(triangles: np.ndarray) -> dict[frozenset[int], list[tuple[int, tuple[int, int, int]]]]:
    """For each edge, every face that has it: the far corner, and the corners."""
    found = defaultdict(list)
    for a, b, c in triangles.tolist():
        for start, end, far in ((a, b, c), (b, c, a), (c, a, b)):
            found[frozenset((start, end))].append((far, (a, b, c)))
    return found


def exact_folds(points: np.ndarray, triangles: np.ndarray) -> dict[tuple[int, int], tuple[float, float]]:
    """Height and angle of each reflex edge of a closed mesh on the lattice, decided by integers."""
    corner = [[int(x) for x in row] for row in points]

    def cross(p, q):
        return [p[1] * q[2] - p[2] * q[1], p[2] * q[0] - p[0] * q[2], p[0] * q[1] - p[1] * q[0]]

    def minus(p, q):
        return [x - y for x, y in zip(p, q, strict=True)]

    def inner(p, q):
        return sum(x * y for x, y in zip(p, q, strict=True))

    normal = {
        face: cross(minus(corner[face[1]], corner[face[0]]), minus(corner[face[2]], corner[face[0]]))
        for face in map(tuple, triangles.tolist())
    }
    outward = 1 if sum(inner(normal[face], corner[face[0]]) for face in normal) > 0 else -1
    folds = {}
    for edge, ((far_a, face_a), (far_b, face_b)) in halves(triangles).items():
        if inner(normal[face_a], normal[face_a]) < inner(normal[face_b], normal[face_b]):
            (far_a, face_a), (far_b, face_b) = (far_b, face_b), (far_a, face_a)
        above = outward * inner(normal[face_a], minus(corner[far_b], corner[face_a[0]]))
        if above > 0:
            squared = Fraction(above * above, inner(normal[face_a], normal[face_a]))
            spread = cross(normal[face_a], normal[face_b])
            angle = np.arctan2(float(inner(spread, spread)) ** 0.5, float(inner(normal[face_a], normal[face_b])))
            folds[tuple(sorted(edge))] = float(squared) ** 0.5, angle
    return folds


def dented(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """A hull of lattice points with some vertices moved towards the middle, to other lattice points."""
    generator = np.random.default_rng(seed)
    points, triangles = hull_mesh(generator.integers(-60, 61, size=(int(generator.integers(6, 60)), 3)).astype(float))
    pulled = generator.random(len(points)) < 0.2
    return np.where(pulled[:, None], np.rint(points * generator.uniform(0.3, 0.9)), points), triangles


@pytest.mark.parametrize("seed", [*range(4), *slow(*range(4, 40))])
def test_reflex_edges_are_those_of_exact_arithmetic(seed: int) -> None:
    points, triangles = dented(seed)
    expected = exact_folds(points, triangles)
    generator = np.random.default_rng(seed)
    wound_at_random = np.where(generator.random(len(triangles))[:, None] < 0.5, triangles, triangles[:, ::-1])
    for faces in (triangles, triangles[:, ::-1], wound_at_random, np.roll(triangles, 1, axis=1)):
        found = check_convexity(points, faces)
        assert edges(found) == set(expected)
        assert found.convex == (not expected) == is_convex(points, faces)
        for edge, height, angle in zip(found.reflex_edges, found.reflex_height, found.reflex_angle, strict=True):
            assert (height, angle) == pytest.approx(expected[tuple(edge.tolist())], rel=1e-9)
        assert (np.diff(found.reflex_height) <= 0.0).all(), "the highest first"


@settings(deadline=None)
@given(st.integers(0, 10_000), st.sampled_from([1e-6, 1.0, 1e5]), st.floats(-1e3, 1e3))
def test_moving_turning_and_scaling_a_mesh_changes_no_edge(seed: int, size: float, shift: float) -> None:
    points, triangles = dented(seed % 40)
    expected = exact_folds(points, triangles)
    found = check_convexity((points @ rotation(seed).T + shift) * size, triangles)
    assert edges(found) == set(expected)
    for edge, height in zip(found.reflex_edges, found.reflex_height, strict=True):
        assert height == pytest.approx(expected[tuple(edge.tolist())][0] * size, rel=1e-6)


@pytest.mark.parametrize("seed", [0, *slow(1)])
@pytest.mark.parametrize(("name", "points", "triangles"), EVERY_MESH)
def test_it_agrees_with_is_convex_and_gives_a_reason(
    name: str, points: np.ndarray, triangles: np.ndarray, seed: int
) -> None:
    turned = np.float32(points @ rotation(seed).T)
    found = check_convexity(turned, triangles)
    assert found.convex == is_convex(turned, triangles) == (not found.flaws)
    assert bool(len(found.reflex_edges)) == (Flaw.REFLEX_EDGES in found.flaws)
    assert found.hull.volume == convex_hull(turned).volume


@pytest.mark.parametrize(
    ("name", "flaws"),
    {
        "open box": {Flaw.BOUNDARY_EDGES},
        "dented": {Flaw.REFLEX_EDGES},
        "two boxes": {Flaw.DISCONNECTED},
        "a box in a box": {Flaw.DISCONNECTED},
        "a box with a wall inside": {Flaw.NON_MANIFOLD_EDGES},
        "torus": {Flaw.REFLEX_EDGES},
        "star": {Flaw.SELF_INTERSECTING},
        "sagging lid": {Flaw.SHALLOW_DENT},
        "loose vertex": {Flaw.UNREFERENCED_VERTICES},
        "no faces": {Flaw.NO_FACES},
    }.items(),
)
def test_the_reason_is_the_right_one(name: str, flaws: set[Flaw]) -> None:
    ((points, triangles),) = [(p, t) for mesh, p, t in meshes_that_are_not_convex() if mesh == name]
    assert set(check_convexity(np.float32(points), triangles).flaws) == flaws


def test_a_smooth_dent_is_as_deep_as_it_was_made() -> None:
    ((points, triangles),) = [(p, t) for mesh, p, t in meshes_that_are_not_convex() if mesh == "sagging lid"]
    assert check_convexity(np.float32(points), triangles).dent_depth == pytest.approx(2e-4, rel=1e-3)


def test_a_step_is_one_edge_of_a_right_angle() -> None:
    points, triangles = l_prism(depth=0.5)
    found = check_convexity(points, triangles)
    assert edges(found) == {(3, 9)}
    # Its far corner is a unit away from the plane of the other side.
    assert found.reflex_height == pytest.approx([1.0])
    assert found.reflex_angle == pytest.approx([np.pi / 2])
    assert found.solidity.volume == pytest.approx(1.5)
    assert found.hull.volume == pytest.approx(1.75)


def test_the_hole_of_a_torus_is_reflex_and_its_outside_is_not() -> None:
    points, triangles = torus()
    found = check_convexity(points, triangles)
    # Of its 16 pieces around the tube, the eight nearer to the axis bend inward from one section to the next.
    inner = [j for j in range(16) if np.cos((j + 0.5) * np.pi / 8) < 0.0]
    expected = {(16 * i + j, 16 * i + (j + 1) % 16) for i in range(16) for j in inner}
    assert edges(found) == {tuple(sorted(edge)) for edge in expected}


def test_diagonals_of_flat_polygons_are_no_edges_and_those_of_bent_ones_name_the_polygon() -> None:
    polygons = np.repeat(np.arange(len(QUADS)), 2)
    flat = check_convexity(CUBE, BOX, polygons)
    assert flat.convex and not len(flat.reflex_edges)
    bent = CUBE.copy()
    bent[7] *= 1.2  # lifts a corner of three quads; each is cut from its first corner to its third
    found = check_convexity(bent, BOX, polygons)
    folds = exact_folds(np.rint(bent * 5), BOX)
    assert edges(found) == set(folds)
    for (a, b), polygon in zip(found.reflex_edges.tolist(), found.reflex_polygon.tolist(), strict=True):
        assert {a, b} <= set(QUADS[polygon])
    points, triangles = l_prism()
    caps_and_sides = [0] * 4 + [1] * 4 + [2 + i // 2 for i in range(12)]
    assert check_convexity(points, triangles, caps_and_sides).reflex_polygon.tolist() == [-1], "an edge of two faces"
    assert (check_convexity(bent, BOX).reflex_polygon == -1).all(), "triangles without labels have no diagonals"


def test_where_vertices_are_doubled_an_edge_is_named_on_either_side() -> None:
    points, triangles = l_prism()
    found = check_convexity(points[triangles].reshape(-1, 3), np.arange(triangles.size).reshape(-1, 3))
    place = triangles.reshape(-1)
    assert {tuple(sorted(place[list(edge)])) for edge in edges(found)} == {(3, 9)}
    assert len(edges(found)) == 2
    assert not len(found.boundary_edges), "a seam is no opening"


def test_a_face_without_area_does_not_hide_the_fold_beside_it() -> None:
    points, triangles = l_prism()
    (beside,) = [row for row, face in enumerate(triangles.tolist()) if {3, 9} < set(face) and 2 in face]
    # The edge (3, 9) gets a vertex that only one side knows of; a sliver makes up for it.
    points = np.concatenate([points, [(1.0, 1.0, 0.4)]])
    far, start, end = np.roll(triangles[beside], -triangles[beside].tolist().index(2)).tolist()
    split = [(far, start, 12), (far, 12, end), (start, end, 12)]
    found = check_convexity(points, np.concatenate([np.delete(triangles, beside, axis=0), split]))
    assert edges(found) == {(3, 12), (9, 12)}
    assert found.reflex_angle == pytest.approx([np.pi / 2] * 2)
    assert found.flaws == (Flaw.REFLEX_EDGES,)


def test_slivers_next_to_slivers_do_not_hide_it_either() -> None:
    points, triangles = l_prism()
    (beside,) = [row for row, face in enumerate(triangles.tolist()) if {3, 9} < set(face) and 2 in face]
    order = np.roll(triangles[beside], -triangles[beside].tolist().index(2)).tolist()
    points = np.concatenate([points, [(1.0, 1.0, 0.4), (1.0, 1.0, 0.7)]])
    chain = [order[1], *((12, 13) if order[1] == 3 else (13, 12)), order[2]]
    fan = [(2, p, q) for p, q in pairwise(chain)]
    slivers = [(chain[0], chain[3], chain[1]), (chain[1], chain[3], chain[2])]
    found = check_convexity(points, np.concatenate([np.delete(triangles, beside, axis=0), fan, slivers]))
    assert edges(found) == {tuple(sorted(pair)) for pair in pairwise(chain)}


def test_a_face_folded_back_on_its_neighbors_is_found() -> None:
    points = np.concatenate([CUBE, [(1.0, 1.6, 0.0)]])  # the middle of the side x = 1, dragged out of it
    fan = [(a, b, 8) for a, b in zip(QUADS[1], (*QUADS[1][1:], QUADS[1][0]), strict=True)]
    found = check_convexity(points, np.concatenate([BOX[[*range(2), *range(4, 12)]], fan]))
    assert Flaw.REFLEX_EDGES in found.flaws
    back = found.reflex_height < 1e-9
    assert {tuple(edge) for edge in found.reflex_edges[back].tolist()} == {(6, 8), (7, 8)}
    assert found.reflex_angle[back] == pytest.approx(np.pi)


def test_open_crowded_and_turned_edges_are_named() -> None:
    found = check_convexity(CUBE, BOX[:-1])
    assert {tuple(edge) for edge in found.boundary_edges.tolist()} == {
        tuple(sorted(e)) for e in ((1, 7), (7, 3), (1, 3))
    }
    assert not len(found.non_manifold_edges)
    wall = np.array([(0, 1, 7), (0, 7, 6)])
    found = check_convexity(CUBE, np.concatenate([BOX, wall]))
    assert {tuple(edge) for edge in found.non_manifold_edges.tolist()} == {(0, 1), (1, 7), (6, 7), (0, 6)}
    one_turned = BOX.copy()
    one_turned[4] = one_turned[4, ::-1]
    found = check_convexity(CUBE, one_turned)
    a, b, c = sorted(one_turned[4].tolist())
    assert found.convex
    assert {tuple(edge) for edge in found.inconsistent_edges.tolist()} == {(a, b), (a, c), (b, c)}
    assert not found.inside_out


@pytest.mark.parametrize("mesh", [(CUBE, BOX), (CUBE, BOX[:-1]), l_prism(), torus()])
def test_inside_out_is_said_and_changes_nothing_else(mesh: tuple[np.ndarray, np.ndarray]) -> None:
    points, triangles = mesh
    ours, turned = check_convexity(points + 100.0, triangles), check_convexity(points + 100.0, triangles[:, ::-1])
    assert edges(ours) == edges(turned)
    assert ours.flaws == turned.flaws
    assert {ours.inside_out, turned.inside_out} == {False, True}
    assert not len(turned.inconsistent_edges)


def test_a_moebius_strip_is_one_sided() -> None:
    turn = np.arange(12) * np.pi / 6
    middle = np.stack([np.cos(turn), np.sin(turn), 0 * turn], axis=1)
    across = np.stack([np.cos(turn / 2) * np.cos(turn), np.cos(turn / 2) * np.sin(turn), np.sin(turn / 2)], axis=1)
    points = np.concatenate([middle + 0.3 * across, middle - 0.3 * across])
    quads = [(i, i + 1, i + 13, i + 12) for i in range(11)] + [(11, 12, 0, 23)]
    strip = np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))])
    found = check_convexity(points, strip)
    assert {Flaw.NON_ORIENTABLE, Flaw.BOUNDARY_EDGES} <= set(found.flaws)
    assert len(found.boundary_edges) == 24
    assert len(found.inconsistent_edges) >= 1
    band = check_convexity(points, strip[:-2])
    assert Flaw.NON_ORIENTABLE not in band.flaws


def test_pieces_share_no_edge() -> None:
    corner_to_corner = np.concatenate([CUBE, CUBE + 2.0])  # they share one place
    found = check_convexity(corner_to_corner, np.concatenate([BOX, BOX + 8]))
    assert found.components == 2
    assert Flaw.DISCONNECTED in found.flaws
    points, triangles = subdivided(*subdivided(CUBE, BOX))
    assert check_convexity(points, np.random.default_rng(0).permutation(triangles)).components == 1


def test_flat_meshes_have_no_reflex_edges() -> None:
    points, triangles = l_prism()
    found = check_convexity(points[:6], triangles[:4])
    assert found.flaws == (Flaw.NOT_COVERING,)
    assert not len(found.reflex_edges)
    assert check_convexity(points[[0, 1, 2]], [(0, 1, 2)]).flaws == ()
    square, two_sided = (
        np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]),
        [(0, 1, 2), (0, 2, 3), (1, 0, 3), (1, 3, 2)],
    )
    found = check_convexity(square, two_sided)
    assert found.convex and not len(found.reflex_edges), "its rim is sharp, and not folded back"
    assert check_convexity([(0, 0, 0), (1, 0, 0), (0, 1, 0)], []).flaws == (Flaw.NO_FACES,)


def test_what_is_below_rounding_is_no_fold() -> None:
    points, triangles = subdivided(CUBE, BOX)
    middle = int(np.flatnonzero(np.isclose(np.abs(points), 1.0).sum(axis=1) == 1)[0])
    side = np.abs(points[middle]) == 1.0
    for depth, seen in ((1e-7, False), (1e-4, True)):
        dent = moved(middle, points[middle] * np.where(side, 1.0 - depth, 1.0))
        found = check_convexity(np.float32(dent), triangles)
        assert bool(len(found.reflex_edges)) == seen
        # All of them run down into the pit; its rim bends outward.
        assert (dent[found.reflex_edges] == dent[middle]).all(axis=2).any(axis=1).all()


def test_a_height_is_trusted_no_further_than_the_corners_it_is_measured_from() -> None:
    rng = np.random.default_rng(8)
    wide = rng.normal(size=(300, 4, 3))
    wide[100:200, 1] = wide[100:200, 0] + 1e-3 * rng.normal(size=(100, 3))  # a short edge
    wide[200:, 2] = (wide[200:, 0] + wide[200:, 1]) / 2.0 + 1e-3 * rng.normal(size=(100, 3))  # three almost in line

    def height(corners: np.ndarray) -> np.ndarray:
        normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
        return ((corners[:, 3] - corners[:, 0]) * normal).sum(axis=1) / np.linalg.norm(normal, axis=1)

    # To first order, so measured close to the plane, where the tilt of the height itself plays no part.
    normal = np.cross(wide[:, 1] - wide[:, 0], wide[:, 2] - wide[:, 0])
    normal /= np.linalg.norm(normal, axis=1, keepdims=True)
    wide[:, 3] -= height(wide)[:, None] * normal
    trust = extrapolation_factor(wide[:, :3], wide[:, 3])
    off = 1e-9
    worst = np.zeros(300)
    for _ in range(200):
        shift = rng.choice([-off, off], size=(300, 4, 1)) * normal[:, None]
        worst = np.maximum(worst, np.abs(height(wide + shift)))
    assert (worst <= 4.0 * off * trust * (1.0 + 1e-4)).all()
    assert worst[trust > 1.0] == pytest.approx(4.0 * off * trust[trust > 1.0], rel=1e-3), "and no less"
    assert (trust[100:] > 10.0).mean() > 0.8
    flat = np.zeros((1, 3, 3))
    assert np.isinf(extrapolation_factor(flat, flat[:, 0]))


@pytest.mark.parametrize(
    ("triangles", "polygons", "message"),
    [
        ([(0, 1, 8)], None, r"triangles: row 0 is \[0, 1, 8\]"),
        ([(0, 1, 2), (0, -1, 2)], None, "triangles: row 1"),
        ([(0.0, 1.0, 2.0)], None, "float64"),
        ([(0, 1, 2, 3)], None, r"\(m, 3\)"),
        (BOX, [0], "polygons: int64 of shape"),
    ],
)
def test_bad_input_is_named(triangles: object, polygons: object, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        check_convexity(CUBE, triangles, polygons)  # type: ignore[arg-type]


def real_mesh(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """A mesh from a file without doubled vertices, repeated faces and faces without three corners."""
    points, place = np.unique(np.float32(mesh_files.vertices(path)), axis=0, return_inverse=True)
    triangles = place.reshape(-1)[mesh_files.triangles(path)]
    _, first = np.unique(np.sort(triangles, axis=1), axis=0, return_index=True)
    triangles = triangles[first]
    return points, triangles[(np.diff(np.sort(triangles, axis=1), axis=1) > 0).all(axis=1)]


@pytest.mark.parametrize("name", ["not_convex.obj", "wallhole.obj", "ballB.off", *slow("rabbit.obj", "bunny.ply")])
def test_open_and_crowded_edges_of_real_meshes_are_those_of_a_plain_count(name: str, data_dir: Path) -> None:
    points, triangles = real_mesh(data_dir / "meshes" / name)
    found = check_convexity(points, triangles)
    assert found.convex == is_convex(points, triangles)
    uses = {tuple(sorted(edge)): len(faces) for edge, faces in halves(triangles).items()}
    assert {tuple(edge) for edge in found.boundary_edges.tolist()} == {
        edge for edge, count in uses.items() if count == 1
    }
    assert {tuple(edge) for edge in found.non_manifold_edges.tolist()} == {
        edge for edge, count in uses.items() if count > 2
    }


@pytest.mark.parametrize("name", ["ballA.off", *slow("ballB.off", "fandisk.obj")])
def test_reflex_edges_of_real_meshes_are_those_of_a_plain_loop(name: str, data_dir: Path) -> None:
    points, triangles = real_mesh(data_dir / "meshes" / name)
    found = check_convexity(points, triangles)
    height_of = {tuple(e): h for e, h in zip(found.reflex_edges.tolist(), found.reflex_height, strict=True)}
    sign = -1.0 if found.inside_out else 1.0
    points = points.astype(np.float64)
    size = np.ptp(points, axis=0).max()
    seen = 0
    for edge, faces in halves(triangles).items():
        heights = []
        for (_, face), (far, _) in (faces, faces[::-1]):
            a, b, c = points[list(face)]
            normal = np.cross(b - a, c - a)
            heights.append(sign * normal @ (points[far] - a) / np.linalg.norm(normal))
        height, name_of_edge = min(heights, key=abs), tuple(sorted(edge))
        if height > 1e-4 * size:
            assert height_of[name_of_edge] == pytest.approx(height)
            seen += 1
        elif height < 1e-9 * size:
            assert name_of_edge not in height_of
    assert seen > 100
