# SPDX-License-Identifier: GPL-3.0-or-later
"""Any bounded convex shape (A) against a half-space (B), in closed form.

The direction is known: against the half-space's normal. Seed 002, sections 13.3.2, 13.3.3 and 13.4.3.
"""

import numpy as np

from ..polytopes import Polytopes, polytopes
from ..results import Bools, Contacts, Distances, FeatureKind, Floats, Separations
from ..shapes import HalfSpaces
from ..tolerances import rounding
from ..vectors import dot, length
from .convex_convex import Convex, contact_type, shown_features


def overlap(a: Convex, b: HalfSpaces) -> Bools:
    """Whether any point of A lies in B, touching included."""
    shape, height, slack = _heights(a, b)
    return height.min(axis=1) - shape.radius <= slack


def distance(a: Convex, b: HalfSpaces) -> Distances:
    """Signed distance: the height of A's lowest point above the surface.

    The witness is the middle of all lowest vertices, so that of a box lying flat is the middle of its face.
    """
    shape, height, slack = _heights(a, b)
    lowest = height.min(axis=1)
    level = height <= (lowest + slack)[:, None]
    # Padding repeats vertices; each counts once.
    level &= np.arange(height.shape[1]) < shape.pool.vertices.count[shape.geometry][:, None]
    middle = np.einsum("pv,pvi->pi", level / level.sum(axis=1)[:, None], shape.vertices)
    value = lowest - shape.radius
    point_a = middle - b.normal * (dot(middle, b.normal) - b.offset - value)[:, None]
    return Distances(value, point_a, point_a - value[:, None] * b.normal, -b.normal, slack)


def separating_axis(a: Convex, b: HalfSpaces) -> Separations:
    """The gap along the half-space's normal, the only axis there is."""
    shape, height, _ = _heights(a, b)
    count = len(shape)
    lowest = np.stack([np.full(count, FeatureKind.VERTEX), height.argmin(axis=1)], axis=1)
    face = np.tile(np.array([FeatureKind.FACE, 0]), (count, 1))
    return Separations(height.min(axis=1) - shape.radius, -b.normal, shown_features(shape, lowest[:, None])[:, 0], face)


def contacts(a: Convex, b: HalfSpaces, margin: float) -> Contacts:
    """A contact for each vertex (or cap, or ball) of A that is in B, or no farther from it than `margin`."""
    shape, height, slack = _heights(a, b)
    height = height - shape.radius[:, None]
    real = np.arange(height.shape[1]) < shape.pool.vertices.count[shape.geometry][:, None]
    order = np.argsort(np.where(real, height, np.inf), axis=1, kind="stable")
    height = np.take_along_axis(height, order, axis=1)
    real = np.take_along_axis(real, order, axis=1)
    pair, rank = np.nonzero(real & (height <= margin + slack[:, None]))
    vertex = order[pair, rank]
    gap = height[pair, rank]
    normal = b.normal[pair]
    # Midway between A's surface below the vertex and the half-space's surface.
    point = shape.vertices[pair, vertex] - normal * (shape.radius[pair] + gap / 2.0)[:, None]
    feature = np.stack([np.full(len(pair), FeatureKind.VERTEX), vertex], axis=1)
    shown = shown_features(shape.take(pair), feature[:, None])[:, 0]
    face = np.tile(np.array([FeatureKind.FACE, 0]), (len(pair), 1))
    return Contacts(pair, point, -normal, np.maximum(-gap, -margin), contact_type(shown[:, 0], face[:, 0]), shown, face)


def contains(a: Convex, b: HalfSpaces) -> Bools:
    """Never: A is bounded."""
    return np.zeros(len(a), dtype=bool)


def contained(a: Convex, b: HalfSpaces) -> Bools:
    """Whether B holds all of A."""
    shape, height, slack = _heights(a, b)
    return height.max(axis=1) + shape.radius <= slack


def _heights(a: Convex, b: HalfSpaces) -> tuple[Polytopes, Floats, Floats]:
    """A's cores, the height of each of their vertices above B's surface, (P, V), and the rounding of each pair."""
    shape = polytopes(a)
    # The place first, then the vertex relative to it: exact where the two nearly cancel.
    place = dot(shape.translation, b.normal) - b.offset
    relative = np.matmul(shape.vertices - shape.translation[:, None], b.normal[:, :, None])[:, :, 0]
    offset = np.maximum(length(shape.translation), np.abs(b.offset))
    return shape, place[:, None] + relative, rounding(shape.size, offset)
