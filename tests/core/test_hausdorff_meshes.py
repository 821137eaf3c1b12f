# SPDX-License-Identifier: GPL-3.0-or-later
"""Real meshes and colliders of every kind: bounds of greatest distances against dense samples of both surfaces."""

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core import fit
from tests.helpers.surface_samples import apart, check, on_triangles, samples

NAMES = ["CesiumMilkTruck.glb", "Duck.glb", "ballA.off", "ballB.off", "bunny.ply", "fandisk.obj", "featuretype.STL"]
NAMES += ["not_convex.obj", "rabbit.obj", "teapot.stl", "wallhole.obj"]
KINDS = ["box", "sphere", "capsule", "cylinder", "hull", "halves", "mesh", "cone", "ellipsoid"]
COUNT = 4000


def loaded(path):
    trimesh = pytest.importorskip("trimesh")
    mesh = trimesh.load(path, force="mesh", process=False)
    return np.asarray(mesh.vertices, dtype=np.float64), np.asarray(mesh.faces, dtype=np.int64)


def colliders(kind, points, triangles, rng):
    """Shapes that nearly fit, too small or too large by some of the size, or turned a little."""
    low, high = points.min(axis=0), points.max(axis=0)
    middle, size = (low + high) / 2.0, high - low
    shift = 0.03 * size.max() * rng.normal(size=3)
    match kind:
        case "box":
            return ck.Boxes(middle + shift, rng.uniform(0.35, 0.6) * np.maximum(size, 1e-3 * size.max()))
        case "sphere":
            return ck.Spheres(middle + shift, rng.uniform(0.3, 0.6) * size.max())
        case "capsule":
            return fit.fit_capsule(points).shape
        case "cylinder":
            return fit.fit_cylinder(points).shape
        case "hull":
            return ck.Hulls.from_points([middle + rng.uniform(0.8, 1.1) * (points - middle) + shift])
        case "halves":
            # Pieces that share a face, as those of a decomposition.
            cut = float(rng.uniform(0.4, 0.6)) * size[0] + low[0]
            parts = [points[points[:, 0] <= cut], points[points[:, 0] >= cut]]
            return ck.Hulls.from_points(parts)
        case "mesh":
            return ck.Meshes.from_triangles([(middle + 0.95 * (points - middle) + shift, triangles)])
        case "cone":
            up = np.array([0.0, 0.0, size[2] / 2.0 + 1e-3])
            return ck.Cones(middle - up, middle + 2.0 * up, 0.5 * size.max())
        case "ellipsoid":
            return ck.Ellipsoids(middle + shift, np.maximum(0.6 * size, 1e-3 * size.max()))
    raise AssertionError(kind)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_coverage_of_real_meshes_is_never_less_than_samples_say(data_dir, name, kind):
    rng = np.random.default_rng([*name.encode(), *kind.encode()])
    points, triangles = loaded(data_dir / "meshes" / name)
    visible, shapes = ck.Meshes.from_triangles([(points, triangles)]), colliders(kind, points, triangles, rng)
    found = ck.coverage(shapes, visible)
    single = [shapes.take([row]) for row in range(len(shapes))]
    kept = []
    for row, shape in enumerate(single):
        drawn = samples(shape, rng, COUNT)
        others = [other for place, other in enumerate(single) if place != row]
        least = np.min([np.full(len(drawn), np.inf), *(ck.signed_distance(each, drawn) for each in others)], axis=0)
        kept.append(drawn[least > found.outside.tolerance])
    outer, inner = np.concatenate(kept), on_triangles(points[triangles], rng, COUNT)
    check(found.outside, outer, apart([visible], outer), [visible])
    check(found.inside, inner, apart(single, inner), single)
