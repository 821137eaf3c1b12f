# SPDX-License-Identifier: GPL-3.0-or-later
"""All public functions and classes with arguments: a good value and bad-value generators for each argument."""

import numpy as np

import collision_kit.core as ck
from collision_kit.core import fit, planar
from tests.helpers import bad_inputs as bad

THREE = np.array([[0.0, 0.0, 0.0], [3.0, 0.0, 0.0], [0.0, 4.0, 1.0]])
SIZES = np.ones(3)
TURNS = np.repeat(np.eye(3)[None], 3, axis=0)
CUBE = np.array([[x, y, z] for x in (0.0, 1.0) for y in (0.0, 1.0) for z in (0.0, 1.0)])
SQUARE = np.array([[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]])
CORNERS = np.array([[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
FACES = np.array([[0, 2, 1], [0, 1, 3], [0, 3, 2], [1, 2, 3]])
CROSSING = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.2, -1], [0.3, 0.2, 1], [0.2, 0.3, 1]])
BALLS, DISCS = bad.BALLS, bad.DISCS
TRIANGLES = ck.Triangles(np.stack([CORNERS[:3]] * 3))
MESHES = ck.Meshes.from_triangles([(CORNERS, FACES)] * 3)
BOX = ck.Boxes([[0, 0, 0]], [[1, 1, 1]])
HULLS = [ck.convex_hull(CUBE)] * 3
WORLD = ck.World([BALLS])
PLANAR_WORLD = planar.World([DISCS])
FRUSTUM = ck.Frustum.from_matrix(np.diag([1.0, 1.0, -1.0, 1.0]))
PAIRS = np.array([[0, 1], [1, 2], [0, 2]])

optional, per_row, coordinates = bad.optional, bad.per_row, bad.coordinates
MADE_OF = {"materials": (None, bad.materials)}
PLACED = {"translation": (THREE, optional(per_row(coordinates))), "rotation": (TURNS, optional(per_row(bad.rotations)))}
FLAT_PLACED = {
    "translation": (THREE[:, :2], optional(per_row(coordinates))),
    "angle": (SIZES, optional(per_row(bad.numbers))),
}
ROUND = {"start": (THREE, per_row(coordinates)), "end": (THREE + 1.0, per_row(coordinates))}
SURFACE = {"normal": (THREE + 1.0, per_row(bad.points)), "offset": (SIZES, per_row(bad.numbers)), **MADE_OF}
ASKED = {"pairs": (PAIRS, optional(bad.pairs))}
TWO = {"a": (BALLS, bad.shapes), "b": (BALLS, bad.shapes), **ASKED}
FLAT_TWO = {"a": (DISCS, bad.shapes), "b": (DISCS, bad.shapes), **ASKED}
REMEMBERED = {
    **TWO,
    "ids": ((np.arange(3), np.arange(3)), optional(bad.two_sides)),
    "time": (0.0, optional(bad.finite)),
}
AXIS = {"axis": (THREE, optional(per_row(bad.points)))}
LEVELS = {"touching": (0.1, bad.levels), "clearance": (0.2, bad.levels)}
MARGIN = {"margin": (0.1, bad.one_length)}
MOVES = ("velocity", "angular_velocity", "pivot")
MOTIONS = {f"{field}_{side}": (THREE, optional(per_row(bad.points))) for side in "ab" for field in MOVES}
ANY_MOTION = {f"motion_{side}": (None, bad.other) for side in "ab"}
FLAT_MOVES = {f"velocity_{side}": (THREE[:, :2], optional(per_row(bad.points))) for side in "ab"}
RAYS = {
    "origin": (THREE, per_row(bad.coordinates)),
    "direction": (THREE + 1.0, per_row(bad.points)),
    "max_distance": (2.0, bad.limits),
}
FLAT_RAYS = {name: (value[:, :2] if np.ndim(value) else value, sort) for name, (value, sort) in RAYS.items()}
BOUNDS = {"lower": (THREE, bad.bounds), "upper": (THREE + 1.0, bad.bounds)}
FLAT_BOUNDS = {"lower": (THREE[:, :2], bad.bounds), "upper": (THREE[:, :2] + 1.0, bad.bounds)}
POINTS = {"points": (CUBE, bad.points)}
MARGINS = {"margin": (np.ones(3), optional(per_row(bad.margins)))}
IN_WORLD = {"pairs": (PAIRS, bad.pairs)}

# A small floor with a wall on each side.
ROOM = ck.Boxes(
    [[0, 0, -0.5], [1.5, 0, 1], [-1.5, 0, 1], [0, 1.5, 1], [0, -1.5, 1]],
    [[2, 2, 0.5], [0.5, 2, 1.5], [0.5, 2, 1.5], [2, 0.5, 1.5], [2, 0.5, 1.5]],
)
WALK = {
    "shapes": (ROOM, bad.shapes),
    "starts": (np.array([[0.0, 0.0, 0.0], [0.1, 0.0, 0.0]]), coordinates),
    "character": (None, optional(bad.other)),
    "spacing": (0.25, bad.one_length),
    "gravity": (np.array([0.0, 0.0, -1.0]), bad.other),
    "neighbors": (8, bad.at_least_one),
    "margin": (0.05, optional(bad.one_length)),
    "slope_margin": (5.0, bad.one_length),
    "least_area": (1.0, optional(bad.one_length)),
}
PROBED = ck.probe(ROOM, [[0.0, 0.0, 0.0]])


def probed_in_steps(*given, **named):
    """All steps of a probe."""
    return list(ck.probe_steps(*given, **named))


# For each callable and argument: a good value, and the generators of bad values.
SHAPES = {
    "Spheres": (
        ck.Spheres,
        {"center": (THREE, per_row(coordinates)), "radius": (SIZES, per_row(bad.sizes)), **MADE_OF},
    ),
    "Capsules": (ck.Capsules, {**ROUND, "radius": (SIZES, per_row(bad.sizes)), **MADE_OF}),
    "Cylinders": (ck.Cylinders, {**ROUND, "radius": (SIZES, per_row(bad.sizes)), **MADE_OF}),
    "Ellipsoids": (
        ck.Ellipsoids,
        {
            "center": (THREE, per_row(coordinates)),
            "radii": (THREE + 1.0, per_row(bad.sizes)),
            "rotation": (TURNS, optional(per_row(bad.rotations))),
            **MADE_OF,
        },
    ),
    "Cones": (
        ck.Cones,
        {
            "base": (THREE, per_row(coordinates)),
            "apex": (THREE + 1.0, per_row(coordinates)),
            "radius": (SIZES, per_row(bad.sizes)),
            **MADE_OF,
        },
    ),
    "Boxes": (
        ck.Boxes,
        {
            "center": (THREE, per_row(coordinates)),
            "half_extents": (THREE + 1.0, per_row(bad.sizes)),
            "rotation": (TURNS, optional(per_row(bad.rotations))),
            **MADE_OF,
        },
    ),
    "Triangles": (ck.Triangles, {"vertices": (TRIANGLES.vertices, coordinates), **MADE_OF}),
    "Hulls": (ck.Hulls, {"geometry": (HULLS, bad.geometries), "index": (np.arange(3), bad.rows), **PLACED, **MADE_OF}),
    "Hulls.from_points": (ck.Hulls.from_points, {"points": ([CUBE] * 3, bad.sets), **PLACED, **MADE_OF}),
    "HalfSpaces": (ck.HalfSpaces, SURFACE),
    "Planes": (ck.Planes, SURFACE),
    "Meshes": (
        ck.Meshes,
        {
            "geometry": (MESHES.geometry, bad.geometries),
            "index": (np.arange(3), bad.rows),
            **PLACED,
            "solid": (np.array([True, False, True]), bad.solid),
            **MADE_OF,
        },
    ),
    "Meshes.from_triangles": (
        ck.Meshes.from_triangles,
        {"meshes": ([(CORNERS, FACES)] * 3, bad.meshes), **PLACED, "solid": (True, bad.solid), **MADE_OF},
    ),
    "Compounds": (ck.Compounds, {"bodies": ([[BOX]] * 3, bad.bodies), **PLACED}),
    "Assemblies": (ck.Assemblies, {"bodies": ([[BOX]] * 3, bad.bodies), **PLACED}),
    "Materials": (
        ck.Materials,
        {"friction": (SIZES, per_row(bad.numbers)), "restitution": (SIZES, per_row(bad.numbers))},
    ),
    "CollisionFilter": (ck.CollisionFilter, {field: ([1, 2, 4], bad.integers) for field in ("group", "mask", "body")}),
    "World": (ck.World, {"batches": ([BALLS], bad.batches), **MARGINS}),
    "planar.World": (planar.World, {"batches": ([DISCS], bad.flat_batches), **MARGINS}),
    "planar.Circles": (
        planar.Circles,
        {"center": (THREE[:, :2], per_row(coordinates)), "radius": (SIZES, per_row(bad.sizes)), **MADE_OF},
    ),
    "planar.AABBs": (planar.AABBs, {**FLAT_BOUNDS, **MADE_OF}),
    "planar.Rectangles": (
        planar.Rectangles,
        {
            "center": (THREE[:, :2], per_row(coordinates)),
            "half_extents": (THREE[:, :2] + 1.0, per_row(bad.sizes)),
            "angle": (SIZES, optional(per_row(bad.numbers))),
            **MADE_OF,
        },
    ),
    "planar.Polygons": (planar.Polygons, {"outlines": ([SQUARE] * 3, bad.sets), **FLAT_PLACED, **MADE_OF}),
    "planar.Regions": (planar.Regions, {"regions": ([(SQUARE, [])] * 3, bad.regions), **FLAT_PLACED, **MADE_OF}),
}
QUESTIONS = {
    "bounds": (ck.bounds, {"shapes": (BALLS, bad.shapes)}),
    "concatenate": (ck.concatenate, {"parts": ([BALLS, BALLS], bad.parts)}),
    "bounding_spheres": (ck.bounding_spheres, {"shapes": (BALLS, bad.shapes)}),
    "support": (ck.support, {"shapes": (BALLS, bad.batch), "directions": (THREE, per_row(bad.points))}),
    "overlap": (ck.overlap, {**TWO, **AXIS}),
    "separating_axis": (ck.separating_axis, TWO),
    "distance": (ck.distance, TWO),
    "contains": (ck.contains, TWO),
    "interference": (ck.interference, {**TWO, "touching": LEVELS["touching"], "known": (None, bad.known)}),
    "classify": (ck.classify, {**TWO, **LEVELS, **AXIS}),
    "contacts": (ck.contacts, {**TWO, **MARGIN, **AXIS, "known": (None, bad.known)}),
    "candidate_axes": (ck.candidate_axes, TWO),
    "coplanar_faces": (ck.coplanar_faces, {**TWO, "tolerance": (0.1, bad.levels)}),
    "duplicates": (ck.duplicates, {**TWO, "tolerance": (0.1, bad.levels)}),
    "self_crossing": (ck.self_crossing, {"meshes": (MESHES, bad.batch)}),
    "crossing": (ck.crossing, {"a": (MESHES, bad.shapes), "b": (MESHES, bad.shapes), **ASKED}),
    "crossing_segments": (
        ck.crossing_segments,
        {"a": (TRIANGLES, bad.shapes), "b": (TRIANGLES, bad.shapes), **ASKED},
    ),
    "time_of_impact": (
        ck.time_of_impact,
        {**TWO, **MOTIONS, **ANY_MOTION, "margin": (0.1, bad.levels), "max_iterations": (9, bad.counts)},
    ),
    "last_contact": (
        ck.last_contact,
        {**TWO, **MOTIONS, **ANY_MOTION, "margin": (0.1, bad.levels), "max_iterations": (9, bad.counts)},
    ),
    "greatest_distance": (
        ck.greatest_distance,
        {
            "shapes": (BALLS, bad.shapes),
            "target": (BALLS, bad.shapes),
            "tolerance": (0.1, optional(bad.scalars)),
            "union": (True, bad.flags),
            "within": (BALLS, optional(bad.shapes)),
        },
    ),
    "coverage": (
        ck.coverage,
        {
            "colliders": (BALLS, bad.shapes),
            "visible": (BALLS, bad.shapes),
            "tolerance": (0.1, optional(bad.scalars)),
            "max_outside": (0.1, optional(bad.scalars)),
            "max_inside": (0.1, optional(bad.scalars)),
            "within": (BALLS, optional(bad.shapes)),
        },
    ),
    "distance_map": (
        ck.distance_map,
        {
            "shapes": (BALLS, bad.shapes),
            "target": (BALLS, bad.shapes),
            "resolution": (0.1, optional(bad.scalars)),
            "threshold": (0.1, optional(bad.scalars)),
            "union": (True, bad.flags),
            "within": (BALLS, optional(bad.shapes)),
        },
    ),
    "ray_cast": (ck.ray_cast, {"shapes": (BALLS, bad.shapes), **ASKED, **RAYS, "backfaces": (True, bad.flags)}),
    **{
        ask.__name__: (ask, {"shapes": (BALLS, bad.shapes), **ASKED, "points": (THREE, bad.coordinates)})
        for ask in (ck.signed_distance, ck.contains_points, ck.closest_points)
    },
    **{
        f"planar.{ask.__name__}": (
            ask,
            {"shapes": (DISCS, bad.shapes), **ASKED, "points": (THREE[:, :2], bad.coordinates)},
        )
        for ask in (planar.signed_distance, planar.contains_points, planar.closest_points)
    },
    "probe": (ck.probe, WALK),
    "probe_steps": (probed_in_steps, WALK),
    "Probe.path": (PROBED.path, {"pose": (0, bad.at_most_two)}),
    "Probe.near": (PROBED.near, {"reach": (0.5, bad.scalars)}),
    "Character.ball": (
        ck.Character.ball,
        {"radius": (0.4, bad.one_length), "slope": (45.0, bad.one_length), "drop": (2.0, bad.one_length)},
    ),
    "planar.ray_cast": (planar.ray_cast, {"shapes": (DISCS, bad.shapes), **ASKED, **FLAT_RAYS}),
    "swept_axes": (ck.swept_axes, {**TWO, "velocity_a": MOTIONS["velocity_a"], "velocity_b": MOTIONS["velocity_b"]}),
    "swept_bounds": (
        ck.swept_bounds,
        {
            "shapes": (BALLS, bad.shapes),
            **{field: (THREE, optional(per_row(bad.points))) for field in MOVES},
            "motion": (None, bad.other),
        },
    ),
    "motion_between": (
        ck.motion_between,
        {
            f"{name}_{end}": (value, per_row(sort))
            for end in "01"
            for name, value, sort in (
                ("rotation", TURNS, optional(bad.rotations)),
                ("translation", THREE, coordinates),
            )
        },
    ),
    "World.pairs": (WORLD.pairs, MARGIN),
    "World.ray_cast": (WORLD.ray_cast, {**RAYS, "all_hits": (False, bad.flags), "backfaces": (True, bad.flags)}),
    "World.closest": (WORLD.closest, {"points": (THREE, bad.coordinates)}),
    "World.nearest_pairs": (WORLD.nearest_pairs, {"reach": (0.1, bad.one_length), "count": (3, optional(bad.counts))}),
    "World.sweep": (
        WORLD.sweep,
        {"shapes": (BALLS, bad.shapes), "velocity": (THREE, per_row(bad.points))},
    ),
    "World.overlap": (WORLD.overlap, {**IN_WORLD, **AXIS}),
    "World.separating_axis": (WORLD.separating_axis, IN_WORLD),
    "World.distance": (WORLD.distance, IN_WORLD),
    "World.distance_steps": (WORLD.distance_steps, IN_WORLD),
    "World.contact_steps": (WORLD.contact_steps, {**IN_WORLD, **MARGIN, "known": (None, bad.known)}),
    "World.depths": (
        WORLD.depths,
        {**IN_WORLD, "touching": LEVELS["touching"], "known": (None, bad.known)},
    ),
    "World.depth_steps": (WORLD.depth_steps, {**IN_WORLD, "touching": LEVELS["touching"], "full": (True, bad.flags)}),
    "World.contains": (WORLD.contains, IN_WORLD),
    "World.coplanar_faces": (WORLD.coplanar_faces, {**IN_WORLD, "tolerance": (0.1, bad.levels)}),
    "World.duplicates": (WORLD.duplicates, {**IN_WORLD, "tolerance": (0.1, bad.levels)}),
    "World.interference": (
        WORLD.interference,
        {**IN_WORLD, "touching": LEVELS["touching"], "known": (None, bad.known)},
    ),
    "World.classify": (WORLD.classify, {**IN_WORLD, **LEVELS}),
    "World.classify_steps": (WORLD.classify_steps, {**IN_WORLD, **LEVELS, "depths": (True, bad.flags)}),
    "World.contacts": (WORLD.contacts, {**IN_WORLD, **MARGIN, **AXIS, "known": (None, bad.known)}),
    "World.time_of_impact": (
        WORLD.time_of_impact,
        {
            **ASKED,
            **{field: (THREE, optional(per_row(bad.points))) for field in MOVES},
            "motion": (None, bad.other),
            "max_iterations": (9, bad.counts),
        },
    ),
    "Frustum.from_matrix": (
        ck.Frustum.from_matrix,
        {
            "clip_from_world": (np.diag([1.0, 1.0, -1.0, 1.0]), bad.regular),
            "depth": ("opengl", bad.choice),
            "vectors": ("row", bad.choice),
        },
    ),
    "Frustum.classify": (FRUSTUM.classify, {"shapes": (BALLS, bad.shapes), "exact": (True, bad.flags)}),
    "Frustum.classify_bounds": (FRUSTUM.classify_bounds, {**BOUNDS, "exact": (True, bad.flags)}),
    "Frustum.corners_within": (FRUSTUM.corners_within, {"distance": (1.0, bad.fractions)}),
    "sweep_and_prune": (ck.sweep_and_prune, {**BOUNDS, "filter": (None, bad.other)}),
    "sweep_and_prune_between": (
        ck.sweep_and_prune_between,
        {f"{name}_{side}": value for side in "ab" for name, value in BOUNDS.items()},
    ),
    "SweepAndPrune": (ck.SweepAndPrune, {**BOUNDS, "filter": (None, bad.other)}),
    "SweepAndPrune.update": (
        lambda **given: ck.SweepAndPrune(THREE, THREE + 1.0).update(**given),
        {"indices": ([0, 1, 2], bad.rows), **BOUNDS},
    ),
    "SweepAndPrune.add": (
        lambda **given: ck.SweepAndPrune(THREE, THREE + 1.0).add(**given),
        {**BOUNDS, "filter": (None, bad.other)},
    ),
    "SweepAndPrune.remove": (
        lambda **given: ck.SweepAndPrune(THREE, THREE + 1.0).remove(**given),
        {"indices": ([0, 2], bad.rows)},
    ),
}
GEOMETRY = {
    "convex_hull": (ck.convex_hull, POINTS),
    "convex_hulls": (ck.convex_hulls, {"points": ([CUBE] * 3, bad.sets)}),
    "ConvexHull.transformed": (
        HULLS[0].transformed,
        {"linear": (np.eye(3), bad.square), "translation": (np.zeros(3), bad.numbers)},
    ),
    "check_convexity": (
        ck.check_convexity,
        {
            "points": (CORNERS, bad.points),
            "triangles": (FACES, bad.corners),
            "polygons": ([0, 0, 1, 1], optional(bad.integers)),
        },
    ),
    "is_convex": (ck.is_convex, {"points": (CORNERS, bad.points), "triangles": (FACES, bad.corners)}),
    "minkowski_sum": (ck.minkowski_sum, {"a_points": (CUBE, bad.points), "b_points": (CUBE, bad.points)}),
    "configuration_space_obstacle": (
        ck.configuration_space_obstacle,
        {"a_points": (CUBE, bad.points), "b_points": (CUBE, bad.points)},
    ),
    "reflection": (ck.reflection, POINTS),
    "distance_to_origin": (ck.distance_to_origin, {"polytope": (HULLS[0], bad.hull)}),
    "penetration_depth_of_origin": (
        ck.penetration_depth_of_origin,
        {"polytope": (ck.convex_hull(CUBE - 0.5), bad.hull)},
    ),
    "linearly_independent": (ck.linearly_independent, {"vectors": (THREE, bad.numbers)}),
    "affine_dimension": (ck.affine_dimension, {"points": (THREE, bad.numbers)}),
    "affinely_independent": (ck.affinely_independent, {"points": (THREE, bad.numbers)}),
    "is_affine_combination": (ck.is_affine_combination, {"weights": ([0.5, 0.5], bad.numbers)}),
    "is_convex_combination": (ck.is_convex_combination, {"weights": ([0.5, 0.5], bad.numbers)}),
    "affine_combination": (
        ck.affine_combination,
        {"points": (THREE, bad.numbers), "weights": ([1.0, 0.0, 0.0], bad.numbers)},
    ),
    "ContactCache": (
        ck.ContactCache,
        {
            "max_contacts": (4, bad.at_least_one),
            "min_depth": (-0.1, bad.finite),
            "max_separation_speed": (np.inf, bad.scalars),
            "match_distance": (0.02, bad.finite_fractions),
        },
    ),
    "ContactCache.update": (lambda **given: ck.ContactCache().update(**given), REMEMBERED),
    "ContactCache.recompute": (lambda **given: ck.ContactCache().recompute(**given), REMEMBERED),
    "ContactCache.axes": (
        lambda **given: ck.ContactCache().axes(**given),
        {field: REMEMBERED[field] for field in ("a", "b", "pairs", "ids")},
    ),
    "affine_hull": (ck.affine_hull, {"points": (THREE, bad.numbers)}),
    **{
        f"AffineHull.{name}": (getattr(ck.affine_hull(THREE), name), {"points": (THREE, bad.points)})
        for name in ("project", "distance", "contains")
    },
    "Distances.verdict": (
        ck.distance(BALLS, BALLS).verdict,
        {**LEVELS, "interference": (SIZES, optional(bad.levels))},
    ),
    "is_simplex": (ck.is_simplex, POINTS),
    "barycentric_coordinates": (
        ck.barycentric_coordinates,
        {"simplices": (TRIANGLES.vertices, bad.numbers), "points": (THREE, bad.numbers)},
    ),
    "fit_box": (fit.fit_box, {**POINTS, "axes": (np.eye(3), optional(bad.regular))}),
    "fit_oriented_box": (fit.fit_oriented_box, POINTS),
    "fit_sphere": (fit.fit_sphere, POINTS),
    "fit_capsule": (fit.fit_capsule, POINTS),
    "fit_cylinder": (fit.fit_cylinder, POINTS),
    "fit_hull": (fit.fit_hull, POINTS),
    "best_primitive": (
        fit.best_primitive,
        {
            **POINTS,
            "kinds": ([ck.Kind.SPHERE], bad.kinds),
            "within": (0.1, bad.fractions),
            "vertices": (8, optional(bad.counts)),
        },
    ),
    "Choice.score": (fit.best_primitive(CUBE).score, {"kind": (ck.Kind.SPHERE, bad.kind)}),
    "fit_each": (fit.fit_each, {"kind": (ck.Kind.SPHERE, bad.kind), "points": ([CUBE], bad.sets)}),
    "fit_quality": (
        fit.fit_quality,
        {"shape": (BOX, bad.primitive), **POINTS, "triangles": (FACES, optional(bad.faces))},
    ),
    "pieces_quality": (
        fit.pieces_quality,
        {
            "pieces": ([ck.convex_hull(CUBE)], bad.hulls),
            **POINTS,
            "triangles": (FACES, optional(bad.faces)),
        },
    ),
    "shape_volume": (fit.shape_volume, {"shape": (BOX, bad.primitive)}),
    "simplify_hull": (
        fit.simplify_hull,
        {
            **POINTS,
            "vertices": (6, bad.counts),
            "faces": (None, bad.other),
            "triangles": (None, bad.other),
            "enclose": (False, bad.flags),
        },
    ),
    "closed_parts": (fit.closed_parts, {"points": (CORNERS, bad.points), "triangles": (FACES, bad.faces)}),
    "openings": (fit.openings, {"points": (CORNERS, bad.points), "triangles": (FACES, bad.faces)}),
    "with_floor": (fit.with_floor, {"points": (CORNERS, bad.points), "triangles": (FACES, bad.faces)}),
    "convex_pieces": (
        fit.convex_pieces,
        {
            "points": (CORNERS, bad.points),
            "triangles": (FACES, bad.faces),
            "pieces": (4, bad.counts),
            "gap": (0.1, bad.one_length),
        },
    ),
    "loose_parts": (fit.loose_parts, {"points": (CORNERS, bad.points), "triangles": (FACES, bad.faces)}),
    "planar.convex_hull": (planar.convex_hull, {"points": (SQUARE, bad.points)}),
    "planar.convex_hulls": (planar.convex_hulls, {"points": ([SQUARE], bad.sets)}),
    "planar.decompose": (
        planar.decompose,
        {"outline": (SQUARE, bad.points), "holes": ([SQUARE / 4.0 + 0.5], bad.sets)},
    ),
    "planar.inside": (
        planar.inside,
        {
            "outline": (SQUARE, bad.points),
            "holes": ([SQUARE / 4.0 + 0.5], bad.sets),
            "points": (THREE[:, :2], bad.points),
            "boundary": (False, bad.flags),
        },
    ),
    "planar.is_convex": (planar.is_convex, {"outline": (SQUARE, bad.points)}),
    "planar.bounds": (planar.bounds, {"shapes": (DISCS, bad.shapes)}),
    "planar.overlap": (planar.overlap, FLAT_TWO),
    "planar.separating_axis": (planar.separating_axis, FLAT_TWO),
    "planar.distance": (planar.distance, FLAT_TWO),
    "planar.contains": (planar.contains, FLAT_TWO),
    "planar.interference": (planar.interference, {**FLAT_TWO, "known": (None, bad.known)}),
    "planar.candidate_axes": (planar.candidate_axes, {**FLAT_TWO, **FLAT_MOVES}),
    "planar.classify": (planar.classify, {**FLAT_TWO, **LEVELS}),
    "planar.contacts": (planar.contacts, {**FLAT_TWO, **MARGIN}),
    "planar.time_of_impact": (
        planar.time_of_impact,
        {
            **FLAT_TWO,
            **FLAT_MOVES,
            **{f"pivot_{side}": (THREE[:, :2], optional(per_row(bad.points))) for side in "ab"},
            **{f"angular_velocity_{side}": (np.ones(3), optional(per_row(bad.numbers))) for side in "ab"},
            "margin": (0.1, bad.levels),
            "max_iterations": (9, bad.counts),
        },
    ),
    "planar.World.ray_cast": (PLANAR_WORLD.ray_cast, {**FLAT_RAYS, "all_hits": (False, bad.flags)}),
    "planar.World.closest": (PLANAR_WORLD.closest, {"points": (THREE[:, :2], bad.coordinates)}),
    "planar.World.nearest_pairs": (
        PLANAR_WORLD.nearest_pairs,
        {"reach": (0.1, bad.one_length), "count": (3, optional(bad.counts))},
    ),
    "planar.World.sweep": (
        PLANAR_WORLD.sweep,
        {"shapes": (DISCS, bad.shapes), "velocity": (THREE[:, :2], per_row(bad.points))},
    ),
    "planar.World.pairs": (PLANAR_WORLD.pairs, MARGIN),
    "planar.World.overlap": (PLANAR_WORLD.overlap, IN_WORLD),
    "planar.World.separating_axis": (PLANAR_WORLD.separating_axis, IN_WORLD),
    "planar.World.distance": (PLANAR_WORLD.distance, IN_WORLD),
    "planar.World.contains": (PLANAR_WORLD.contains, IN_WORLD),
    "planar.World.interference": (PLANAR_WORLD.interference, {**IN_WORLD, "known": (None, bad.known)}),
    "planar.World.classify": (PLANAR_WORLD.classify, {**IN_WORLD, **LEVELS}),
    "planar.World.contacts": (PLANAR_WORLD.contacts, {**IN_WORLD, **MARGIN}),
    "planar.World.time_of_impact": (
        PLANAR_WORLD.time_of_impact,
        {
            **ASKED,
            "velocity": (THREE[:, :2], optional(per_row(bad.points))),
            "angular_velocity": (np.ones(3), optional(per_row(bad.numbers))),
            "pivot": (THREE[:, :2], optional(per_row(bad.points))),
            "max_iterations": (9, bad.counts),
        },
    ),
    "planar.sweep_and_prune": (planar.sweep_and_prune, FLAT_BOUNDS),
}
# All classes whose rows can be selected, three rows each.
THINGS = {name: make(**{field: value for field, (value, _) in given.items()}) for name, (make, given) in SHAPES.items()}
THINGS = {
    name: thing for name, thing in THINGS.items() if hasattr(thing, "take") and "." not in name.removeprefix("planar.")
}
THINGS |= {
    "RigidMotion": ck.motion_between(TURNS, THREE, TURNS, THREE + 1.0),
    "Separations": ck.separating_axis(BALLS, BALLS, PAIRS),
    "Distances": ck.distance(BALLS, BALLS, PAIRS),
    "Contacts": ck.contacts(BALLS, BALLS),
    "Impacts": ck.time_of_impact(BALLS, BALLS, PAIRS, velocity_a=THREE),
    "Crossings": ck.crossing_segments(TRIANGLES, TRIANGLES),
    "MeshCrossings": ck.crossing(MESHES[:1], MESHES[1:2])[:3],
    "SelfCrossings": ck.self_crossing(ck.Meshes.from_triangles([(CROSSING, [[0, 1, 2], [3, 4, 5]])] * 3)),
    "planar.CandidateAxes": planar.candidate_axes(DISCS, DISCS, PAIRS),
    "CoplanarFaces": ck.coplanar_faces(ck.Boxes(np.zeros((3, 3)), 1.0), ck.Boxes([[0, 0, 0]], 1.0), tolerance=0.1)[:3],
    "RayHits": ck.ray_cast(BALLS, THREE, THREE + 1.0),
    "ClosestPoints": ck.closest_points(BALLS, THREE),
    "WorldRayHits": WORLD.ray_cast(THREE, THREE + 1.0),
    "WorldClosestPoints": WORLD.closest(THREE),
    "WorldImpacts": WORLD.sweep(BALLS, THREE),
    "planar.RayHits": planar.ray_cast(DISCS, THREE[:, :2], THREE[:, :2] + 1.0),
    "planar.ClosestPoints": planar.closest_points(DISCS, THREE[:, :2]),
    "planar.Impacts": planar.time_of_impact(DISCS, DISCS, PAIRS, velocity_a=THREE[:, :2]),
}
THINGS["DistanceMap"] = ck.distance_map(ck.Boxes([0, 0, 0], [1, 1, 1.25]), ck.Boxes([0, 0, 0], 1.0))[:3]
TAKEN = {f"{name}.take": (thing.take, {"rows": ([2, 0], bad.selected)}) for name, thing in THINGS.items()}
TAKEN["DistanceMap.beyond"] = (THINGS["DistanceMap"].beyond, {"threshold": (0.1, bad.one_length)})
TABLE = {**SHAPES, **QUESTIONS, **GEOMETRY, **TAKEN}
