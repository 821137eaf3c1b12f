# SPDX-License-Identifier: GPL-3.0-or-later
"""The random scenes without Blender: their truth stands up to another proof, and the core finds it."""

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers.scene_bodies import Floats, Item
from tests.helpers.scenes import CLEARANCE, random_scene

SEEDS = range(24)


def signed_distance(a: Item, b: Item) -> float:
    """Return the distance of two bodies from the Minkowski difference of their cores, by SciPy."""
    optimize = pytest.importorskip("scipy.optimize")
    spatial = pytest.importorskip("scipy.spatial")
    differences = (b.core()[None] - a.core()[:, None]).reshape(-1, 3)
    radii = a.form.radius + b.form.radius
    # The point of the hull nearest to the origin: weights that sum to 1, held to it by a heavy last row.
    heavy = 100.0
    rows = np.vstack([differences.T, np.full(len(differences), heavy)])
    weights, _ = optimize.nnls(rows, np.array([0.0, 0.0, 0.0, heavy]))
    nearest = float(np.linalg.norm(weights @ differences / weights.sum()))
    if nearest > 1e-6:
        return nearest - radii
    return float(spatial.ConvexHull(differences).equations[:, 3].max()) - radii


def world_of(items: tuple[Item, ...]) -> tuple[ck.World, list[str]]:
    """Return the bodies as shapes of the core, and their names row for row."""
    by_kind: dict[str, list[Item]] = {kind: [] for kind in ("sphere", "capsule", "box", "hull")}
    for item in items:
        by_kind[item.form.kind].append(item)
    batches = []
    for kind, members in by_kind.items():
        if not members:
            continue
        radius = [item.form.radius for item in members]
        cores = [item.core() for item in members]
        rotation = np.array([item.rotation for item in members])
        location = np.array([item.location for item in members])
        if kind == "sphere":
            batches.append(ck.Spheres(np.concatenate(cores), radius))
        elif kind == "capsule":
            batches.append(ck.Capsules([core[0] for core in cores], [core[1] for core in cores], radius))
        elif kind == "box":
            batches.append(ck.Boxes(location, [item.form.core.max(axis=0) for item in members], rotation))
        else:
            batches.append(ck.Hulls.from_points([item.form.core for item in members], location, rotation))
    return ck.World(batches), [item.name for members in by_kind.values() for item in members]


@pytest.mark.parametrize("seed", SEEDS)
def test_the_truth_agrees_with_the_minkowski_difference(seed: int) -> None:
    spec, truths = random_scene(seed)
    items = {item.name: item for item in spec.items}
    for truth in truths:
        if truth.distance is None:
            continue
        if truth.b == "Ground":
            heights = (items[truth.a].core() - spec.half_space.origin) @ spec.half_space.normal
            measured = heights.min() - items[truth.a].form.radius
            inside = heights.max() + items[truth.a].form.radius < 0.0
            assert inside == (truth.verdict == "contained")
        else:
            measured = signed_distance(items[truth.a], items[truth.b])
        assert measured == pytest.approx(truth.distance, abs=1e-9), truth


@pytest.mark.parametrize("seed", SEEDS)
def test_the_core_finds_the_truth_and_nothing_else(seed: int) -> None:
    spec, truths = random_scene(seed)
    bodies, names = world_of(spec.items)
    normal: Floats = spec.half_space.normal
    world = ck.World([*bodies.batches, ck.HalfSpaces([normal], [normal @ spec.half_space.origin])])
    names = [*names, "Ground"]
    pairs = world.pairs(CLEARANCE)
    verdicts = world.classify(pairs, touching=1e-9, clearance=CLEARANCE)
    distances = world.distance(pairs).distance
    found = {
        frozenset((names[i], names[j])): (ck.Verdict(verdict).name.lower(), distance)
        for (i, j), verdict, distance in zip(pairs.tolist(), verdicts, distances, strict=True)
        if verdict != ck.Verdict.SEPARATED
    }
    known = {frozenset((truth.a, truth.b)): truth for truth in truths if truth.verdict != "separated"}
    assert {key: verdict for key, (verdict, _) in found.items()} == {key: t.verdict for key, t in known.items()}
    for key, (_, distance) in found.items():
        if (expected := known[key].distance) is not None:
            assert distance == pytest.approx(expected, abs=1e-9), sorted(key)
