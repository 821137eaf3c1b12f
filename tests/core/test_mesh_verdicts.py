# SPDX-License-Identifier: GPL-3.0-or-later
"""Verdicts on pairs with meshes, which bounds and single points decide where they can."""

import numpy as np
import pytest
import scipy.spatial

import collision_kit.core as ck
from collision_kit.core.kernels import loading
from collision_kit.core.kernels.trees import DOUBTS
from collision_kit.core.mesh.triangle_mesh import TriangleMesh
from collision_kit.core.narrow_phase.mesh import leaf_queries, verdicts
from collision_kit.core.narrow_phase.mesh.operands import mesh_rows, slack_of
from collision_kit.core.narrow_phase.mesh.orientation import oriented_rows
from tests.helpers import mesh_zoo, zoo
from tests.helpers.triangle_meshes import BOX, CUBE, subdivided

KINDS = [kind for kind in ck.Kind if kind not in (ck.Kind.COMPOUND, ck.Kind.HALF_SPACE, ck.Kind.PLANE)]


def measured(a, b, touching: np.ndarray, clearance: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The verdicts by the distances and the interference of all pairs, and how near these are to their limits."""
    found, inner = ck.distance(a, b), ck.interference(a, b)
    result = found.verdict(touching, clearance, interference=inner)
    within = (ck.contains(a, b) | ck.contains(b, a)) & (result == ck.Verdict.PENETRATING)
    result[within] = ck.Verdict.CONTAINED
    # The interference is accurate to a thousandth.
    doubt = np.abs(inner - touching) <= 2e-3 * touching
    return result, doubt


@pytest.mark.parametrize("level", [0.0, 1e-9, 1e-3, 0.1])
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_the_verdict_is_that_of_the_measured_pair(maker: str, kind: ck.Kind, level: float):
    rng = np.random.default_rng([int(kind), int(1e9 * level) % 1000])
    count = 24
    a, b = zoo.MAKERS[maker](kind, rng, count), zoo.MAKERS[maker](ck.Kind.MESH, rng, count)
    touching, clearance = rng.uniform(0.0, 2.0 * level, count), rng.uniform(0.0, 3.0, count)
    expected, doubt = measured(a, b, touching, clearance)
    assert (expected == ck.Verdict.WITHIN_CLEARANCE).any()
    found = ck.classify(a, b, touching=touching, clearance=clearance)
    assert np.array_equal(found[~doubt], expected[~doubt])
    assert np.array_equal(ck.classify(b, a, touching=touching, clearance=clearance), found)


def test_every_verdict_occurs():
    rng = np.random.default_rng(1)
    a, b = (zoo.MAKERS["degenerate"](ck.Kind.MESH, rng, 300) for _ in range(2))
    found = ck.classify(a, b, touching=1e-6, clearance=1.0)
    assert (np.bincount(found, minlength=5)[:5] > 2).all()


def depths(triangles: np.ndarray, points: np.ndarray) -> np.ndarray:
    """How deep points are in the solid with these triangles, by winding numbers and the nearest of all triangles."""
    result = np.full(len(points), -np.inf)
    inside = np.flatnonzero(np.rint(mesh_zoo.winding(triangles, points)) != 0)
    for row in inside.tolist():
        a, b, c = (triangles[:, k] - points[row] for k in range(3))
        normal = np.cross(b - a, c - a)
        size = np.linalg.norm(normal, axis=1)
        unit = normal / np.where(size > 0.0, size, 1.0)[:, None]
        height = (a * unit).sum(axis=1)
        foot = height[:, None] * unit
        over = size > 0.0
        for start, end in ((a, b), (b, c), (c, a)):
            over &= (np.cross(end - start, foot - start) * unit).sum(axis=1) >= 0.0
        far = [np.where(over, np.abs(height), np.inf)]
        for start, end in ((a, b), (b, c), (c, a)):
            side = end - start
            square = (side * side).sum(axis=1)
            part = np.clip(-(start * side).sum(axis=1) / np.where(square > 0.0, square, 1.0), 0.0, 1.0)
            far.append(np.linalg.norm(start + part[:, None] * side, axis=1))
        result[row] = np.min(far)
    return result


def samples(rng: np.random.Generator, triangles: np.ndarray) -> np.ndarray:
    """Points of a surface: corners, middles, and random ones."""
    weight = rng.dirichlet(np.ones(3), (len(triangles), 6))
    inner = np.einsum("tkc,tcx->tkx", weight, triangles).reshape(-1, 3)
    return np.concatenate([triangles.reshape(-1, 3), triangles.mean(axis=1), inner])


def decided(a: ck.Meshes, b: ck.Meshes, level: float) -> tuple[np.ndarray, np.ndarray]:
    """The rows that overlap, and what `verdicts.decided` says about them."""
    rows = np.flatnonzero(ck.overlap(a, b))
    first, second = oriented_rows(a.take(rows)), oriented_rows(b.take(rows))
    limit = np.maximum(np.full(len(rows), level), slack_of(first, second))
    return rows, verdicts.decided(first, second, limit)


@pytest.mark.parametrize("maker", zoo.MAKERS)
def test_points_of_surfaces_agree_with_what_is_decided(maker: str):
    """No point is deeper in what is found to be shallow. Of what is found to be deep, the interference is."""
    rng = np.random.default_rng(8)
    a, b = (zoo.MAKERS[maker](ck.Kind.MESH, rng, 60) for _ in range(2))
    counts = np.zeros(3, dtype=int)
    for level in (1e-6, 0.05, 0.2):
        rows, found = decided(a, b, level)
        counts += np.bincount(found + 1, minlength=3)
        for row in rows[found == verdicts.SHALLOW].tolist():
            p, q = mesh_zoo.world(a, row), mesh_zoo.world(b, row)
            for solid, one, other in ((b.solid[row], p, q), (a.solid[row], q, p)):
                if solid:
                    assert depths(other, samples(rng, one)).max() <= level + 1e-9
        deep = rows[found == verdicts.DEEP]
        assert (ck.interference(a.take(deep), b.take(deep)) > level).all()
    assert counts[1] > 2 < counts[2]


def test_walls_that_touch_are_decided_by_bounds(monkeypatch: pytest.MonkeyPatch):
    """No distance and no interference is measured."""
    frame = mesh_zoo.ring()
    points = np.array(frame[0], dtype=float)
    size = np.ptp(points, axis=0)
    index = np.zeros(8, dtype=int)
    place = np.concatenate([np.arange(6)[:, None] * [size[0], 0.0, 0.0], [[0.0, size[1], 0.0], [0.0, 0.0, size[2]]]])
    for turn in (np.eye(3), zoo.rotations(np.random.default_rng(2), 1)[0]):
        geometry = ck.Meshes.from_triangles([(points, frame[1])]).geometry
        walls = ck.Meshes(geometry, index, place @ turn.T, np.tile(turn, (8, 1, 1)))

        def never(*_: object, **__: object) -> None:
            raise AssertionError("measured")

        with monkeypatch.context() as patched:
            patched.setattr(leaf_queries, "nearest", never)
            patched.setattr("collision_kit.core.narrow_phase.mesh.bounded_mesh.interference", never)
            found = ck.classify(walls, walls, [[0, 1], [1, 2], [0, 6], [0, 7], [0, 2]], touching=1e-9)
        assert found.tolist() == [ck.Verdict.TOUCHING] * 4 + [ck.Verdict.SEPARATED]


def test_a_limit_of_doubts_leaves_no_pair_out(monkeypatch: pytest.MonkeyPatch):
    """Fine faces that touch in one plane have many triangles in doubt, of which those that meet may come last."""
    points, triangles = subdivided(*subdivided(CUBE, BOX))
    corner = np.array([[1.0, 1.0, 1.0], [2.0, 1.0, 1.0], [1.0, 2.0, 1.0], [1.5, 1.5, 2.0]])
    tetrahedron = corner, np.array([(0, 2, 1), (0, 1, 3), (1, 2, 3), (0, 3, 2)])
    cube = ck.Meshes.from_triangles([(points, triangles)], solid=False)
    for shift in ((0.0, 0.0, 2.0), (2.0, 2.0, 0.0), (2.0, 0.0, 1.5), (1.0, 0.5, 2.0)):
        other = ck.Meshes.from_triangles([(points, triangles)], [shift], solid=False)
        assert ck.overlap(cube, other).all()
    assert ck.overlap(cube, ck.Meshes.from_triangles([tetrahedron])).all()
    apart = ck.Meshes.from_triangles([(points, triangles)], [[0.0, 0.0, 2.0 + 1e-9]], solid=False)
    assert not ck.overlap(cube, apart).any()
    # More triangles are in doubt than are listed at first.
    monkeypatch.setattr(loading, "mode", loading.COMPILED)
    a, b = mesh_rows(cube), mesh_rows(apart)
    listed, meet = leaf_queries.meeting_by_kernel(a, b, first=True)
    every, _ = leaf_queries.meeting_by_kernel(a, b)
    assert len(listed) <= DOUBTS
    assert not meet.any() or len(every) == 0


@pytest.mark.parametrize("seed", range(3))
def test_what_is_within_reach(seed: int):
    rng = np.random.default_rng(seed)
    for maker in zoo.MAKERS.values():
        a, b = (mesh_rows(maker(ck.Kind.MESH, rng, 60)) for _ in range(2))
        distance = leaf_queries.nearest(a, b).found.distance
        for reach in (distance * (1.0 + 1e-9), distance * (1.0 - 1e-6)):
            found = leaf_queries.any_within(a, b, reach)
            wanted = reach >= distance
            wanted |= leaf_queries.any_intersecting(a, b)
            assert np.array_equal(found, wanted)


def never(*_: object, **__: object) -> None:
    raise AssertionError("measured")


def unmeasured(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have no distance and no interference measured."""
    monkeypatch.setattr(leaf_queries, "nearest", never)
    monkeypatch.setattr("collision_kit.core.narrow_phase.mesh.bounded_mesh.interference", never)


def shuffled(rng: np.random.Generator, points: np.ndarray, triangles: np.ndarray) -> mesh_zoo.Mesh:
    order = rng.permutation(len(points))
    placed = np.empty_like(points)
    placed[order] = points
    return placed, order[triangles][rng.permutation(len(triangles))]


@pytest.mark.parametrize("make", [mesh_zoo.torus, mesh_zoo.bracket, mesh_zoo.ring, mesh_zoo.hollow])
def test_copies_in_one_place_contain_each_other(make, monkeypatch: pytest.MonkeyPatch):
    """Whichever order their vertices and triangles have, and whichever way they face; surfaces only touch."""
    rng = np.random.default_rng(4)
    points, triangles = (np.array(part) for part in make())
    points = points.astype(float)
    turn, place = zoo.rotations(rng, 1), rng.normal(size=(1, 3))
    mesh = ck.Meshes.from_triangles([(points, triangles)], place, turn)
    copies = [(points, triangles), shuffled(rng, points, triangles), (points, triangles[:, ::-1])]
    unmeasured(monkeypatch)
    for copy in copies:
        assert ck.classify(mesh, ck.Meshes.from_triangles([copy], place, turn), touching=1e-6) == ck.Verdict.CONTAINED
    same = ck.Meshes(mesh.geometry, np.zeros(40, dtype=int), np.tile(place, (40, 1)), np.tile(turn, (40, 1, 1)))
    pairs = np.stack(np.triu_indices(40, 1), axis=1)
    assert (ck.classify(same, same, pairs, touching=1e-6) == ck.Verdict.CONTAINED).all()
    # In the frame of one of them, turned: the same geometry is in another place.
    moved = ck.Meshes(mesh.geometry, [0], place + np.array([[0.1, 0.0, 0.0]]), turn)
    assert ck.classify(mesh, moved, touching=1e-6) == ck.Verdict.PENETRATING


def test_copies_of_surfaces_and_of_sheets_touch():
    points, triangles = (np.array(part) for part in mesh_zoo.torus())
    surface = ck.Meshes.from_triangles([(points, triangles)], solid=False)
    assert ck.classify(surface, surface, touching=1e-6) == ck.Verdict.TOUCHING
    flat = np.array(
        [(0.0, 0.0, 0.0), (2.0, 0.0, 0.0), (2.0, 1.0, 0.0), (1.0, 1.0, 0.0), (1.0, 2.0, 0.0), (0.0, 2.0, 0.0)]
    )
    fan = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)])
    sheet = ck.Meshes.from_triangles([(flat, np.concatenate([fan, fan[:, ::-1]]))])
    assert sheet.solid.all()
    assert ck.classify(sheet, sheet, touching=1e-6) == ck.Verdict.TOUCHING
    # A tolerance above any depth.
    torus = ck.Meshes.from_triangles([(points, triangles)])
    assert ck.classify(torus, torus, touching=10.0) == ck.Verdict.TOUCHING


def test_levels_of_detail_that_nearly_coincide_are_not_measured(monkeypatch: pytest.MonkeyPatch):
    """Their surfaces are nowhere deep in each other, and points in the middle of both are."""
    fine, coarse = (
        ck.Meshes.from_triangles([mesh_zoo.torus(around, across)]) for around, across in ((64, 32), (62, 31))
    )
    unmeasured(monkeypatch)
    assert ck.classify(fine, coarse, touching=1e-2) in (ck.Verdict.PENETRATING, ck.Verdict.CONTAINED)
    points, triangles = mesh_zoo.torus(32, 16)
    other = ck.Meshes.from_triangles([(points * [1.0, -1.0, 1.0], np.array(triangles)[:, ::-1])])
    assert ck.classify(ck.Meshes.from_triangles([(points, triangles)]), other, touching=1e-2) >= ck.Verdict.PENETRATING


def tube(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A tube around an axis of the world, in the middle of the origin, with few or many sides."""
    sides, height = int(rng.choice([4, 5, 12, 48])), rng.uniform(0.1, 3.0)
    turn = 2.0 * np.pi * np.arange(sides) / sides
    outline = np.stack([np.cos(turn), np.sin(turn)], axis=1)
    radii = rng.uniform(0.5, 1.0), rng.uniform(0.1, 0.4)
    points = np.concatenate(
        [np.column_stack([r * outline, np.full(sides, z)]) for r in radii for z in (-height, height)]
    )
    at, after = np.arange(sides), np.roll(np.arange(sides), -1)
    quads = [(0, 1, 0, 1), (3, 2, 3, 2), (1, 3, 1, 3), (2, 0, 2, 0)]
    faces = [
        triangle
        for low, high, _, _ in quads
        for a, b in zip(at, after, strict=True)
        for triangle in (
            (low * sides + a, low * sides + b, high * sides + b),
            (low * sides + a, high * sides + b, high * sides + a),
        )
    ]
    return np.roll(points, int(rng.integers(3)), axis=1), np.array(faces)


def hull_depth(one: np.ndarray, other: np.ndarray) -> float:
    """The depth of the hulls of two sets of points in each other, from all facets of their difference."""
    difference = (one[:, None] - other[None]).reshape(-1, 3)
    return float(-scipy.spatial.ConvexHull(difference).equations[:, 3].max())


@pytest.mark.parametrize("symmetric", [False, True])
def test_hulls_are_no_deeper_than_what_is_decided_and_no_hull_is_built(
    symmetric: bool, monkeypatch: pytest.MonkeyPatch
):
    """Clear cases are decided without them, also with one axis and equal planes of symmetry."""
    rng, count = np.random.default_rng(7), 40
    solids = [tube(rng) if symmetric else mesh_zoo.generic(rng) for _ in range(12)]
    place = rng.normal(size=(2, count, 3)) * (0.0 if symmetric else 0.4)
    turn = np.tile(np.eye(3), (count, 1, 1)) if symmetric else zoo.rotations(rng, count)
    batch = ck.Meshes.from_triangles(solids)
    a, b = (ck.Meshes(batch.geometry, rng.integers(12, size=count), one, turn) for one in place)
    expected = np.array(
        [hull_depth(mesh_zoo.world(a, k).reshape(-1, 3), mesh_zoo.world(b, k).reshape(-1, 3)) for k in range(count)]
    )

    deep = np.flatnonzero(expected > 1e-3)
    a, b, expected = a.take(deep), b.take(deep), expected[deep]
    assert len(deep) > 10

    def never(*_: object) -> None:
        raise AssertionError("measured")

    sides = oriented_rows(a), oriented_rows(b)
    # Of symmetric pairs near the limit, hulls may have to be measured.
    for share in (0.999, 1.001, 2.0, 1e-6, 0.5):
        if share == 1e-6 or not symmetric:
            monkeypatch.setattr(verdicts, "_overlap_of_hulls", lambda one, _: never() if len(one) else np.empty(0))
        found = verdicts._has_shallow_hulls(*sides, share * expected)
        assert np.array_equal(found, np.full(len(deep), share > 1.0))


def test_no_ray_of_the_inner_points_starts_without_a_direction(monkeypatch):
    """A triangle without area has no normal. Interpreted, a ray along it would divide by zero."""
    points, cells = subdivided(CUBE, BOX)
    flat = np.array([[points[0], points[1], (points[0] + points[1]) / 2.0]])
    corners = np.concatenate([flat, points[cells]]).reshape(-1, 3)
    rays, starts = verdicts.hits, []

    def asked(meshes, rows, start, along):
        assert along.any(axis=1).all()
        starts.extend(start)
        return rays(meshes, rows, start, along)

    monkeypatch.setattr(verdicts, "hits", asked)
    verdicts.inner_points(TriangleMesh(corners, np.arange(len(corners)).reshape(-1, 3)))
    assert len(starts) == len(cells)
