# SPDX-License-Identifier: GPL-3.0-or-later
"""The same ideas in the plane: arrays of shape (N, 2), angles in radians, counter-clockwise positive."""

from ..hull_planar import PlanarHull, convex_hull, convex_hulls
from .convexity import is_convex

__all__ = ["PlanarHull", "convex_hull", "convex_hulls", "is_convex"]
