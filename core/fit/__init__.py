# SPDX-License-Identifier: GPL-3.0-or-later
"""Fit shapes to points: boxes, spheres, capsules, cylinders and hulls that contain all of them.

Fit, compare, choose::

    from collision_kit.core import fit

    box = fit.fit_oriented_box(points)         # .shape, a batch of one; .volume; .lower_bound, proved
    fit.fit_quality(box.shape, points)         # volume ratios, protrusion, gap
    fit.best_primitive(points).kind            # the simplest of those that are nearly the smallest
    fit.simplify_hull(points, vertices=32)     # a hull of at most 32 vertices that contains all points
    fit.convex_pieces(points, triangles)       # a concave mesh cut into a few of them
    fit.pieces_quality(hulls, points, triangles)  # the same comparison for several convex pieces together

`point_set` moves the points near the origin. `result` finds circles and spheres, and enlarges the final shape until it
contains every point. `box` finds boxes, and `interior_point` capsules and cylinders. `hull` and `half_spaces` simplify
hulls. `cuts` cuts concave meshes into convex pieces. `quality` compares one shape with the points or with a mesh, and
`pieces` several pieces. `openings` counts and closes holes.
"""

from ..mesh.triangle_mesh import LoosePart, loose_parts
from .best_primitive import SIMPLEST_FIRST, Choice, best_primitive, fit_each
from .box import fit_box, fit_oriented_box
from .closed_parts import MeshPart, closed_parts
from .cuts import convex_pieces
from .hull import SimplifiedHull, fit_hull, simplify_hull
from .openings import openings, with_floor
from .pieces import PiecesQuality, pieces_quality
from .quality import FitQuality, fit_quality, shape_volume
from .result import Fit, Primitive
from .round import fit_capsule, fit_cylinder, fit_sphere

__all__ = [
    "SIMPLEST_FIRST",
    "Choice",
    "Fit",
    "FitQuality",
    "LoosePart",
    "MeshPart",
    "PiecesQuality",
    "Primitive",
    "SimplifiedHull",
    "best_primitive",
    "closed_parts",
    "convex_pieces",
    "fit_box",
    "fit_capsule",
    "fit_cylinder",
    "fit_each",
    "fit_hull",
    "fit_oriented_box",
    "fit_quality",
    "fit_sphere",
    "loose_parts",
    "openings",
    "pieces_quality",
    "shape_volume",
    "simplify_hull",
    "with_floor",
]
