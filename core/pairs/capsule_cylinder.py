# SPDX-License-Identifier: GPL-3.0-or-later
"""A capsule (A) against a cylinder (B): a cylinder against a segment with a radius, turned round."""

from ..results import Bools, Contacts, Distances, Separations
from ..shapes import Capsules, Cylinders
from . import cylinder_convex


def overlap(a: Capsules, b: Cylinders) -> Bools:
    """Whether the shapes of each pair have a point in common, touching included."""
    return cylinder_convex.overlap(b, a)


def distance(a: Capsules, b: Cylinders) -> Distances:
    """Signed distance and witnesses of each pair."""
    found = cylinder_convex.distance(b, a)
    return Distances(found.distance, found.point_b, found.point_a, -found.normal, found.rounding)


def separating_axis(a: Capsules, b: Cylinders) -> Separations:
    """The axis with the largest gap: the closest direction of a pair that is apart, else that of least overlap."""
    found = cylinder_convex.separating_axis(b, a)
    return Separations(found.gap, -found.axis, found.feature_b, found.feature_a)


def contacts(a: Capsules, b: Cylinders, margin: float) -> Contacts:
    """Contact manifold of each pair that overlaps, or is no farther apart than `margin`."""
    found = cylinder_convex.contacts(b, a, margin)
    turned = {"normal": -found.normal, "feature_a": found.feature_b, "feature_b": found.feature_a}
    return Contacts(**{**vars(found), **turned})


def contains(a: Capsules, b: Cylinders) -> Bools:
    """Whether A holds all of B, touching from inside included."""
    return cylinder_convex.contained(b, a)


def contained(a: Capsules, b: Cylinders) -> Bools:
    """Whether B holds all of A."""
    return cylinder_convex.contains(b, a)
