# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls of point sets in space (`spatial`) and in the plane (`planar`), exact on an integer grid."""

from .spatial import ConvexHull, compute, convex_hull, convex_hulls

__all__ = ["ConvexHull", "compute", "convex_hull", "convex_hulls"]
