# SPDX-License-Identifier: GPL-3.0-or-later
"""A feature of a shape (face, edge or vertex) as primitives. It determines an axis or a contact."""

import numpy as np

from ...core.convex.cylinders import SIDE
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import normalized
from ...core.persistent_contacts.features import FACE, POINT, SEGMENT, Features
from ...core.results import FeatureKind
from ...core.shapes import Cylinders, HalfSpaces, Planes, Shapes, SupportMapped
from .primitives import Primitives, as_lines, as_points, as_triangles, concatenate
from .roles import Role
from .shapes import arc_lines, frame, unbounded_patch


def feature_primitives(shape: Shapes, feature: Ints, role: Role, *, focus: Floats, size: float) -> Primitives:
    """Show a feature of the first shape of a batch: a filled face with its outline, an edge as a line, or a vertex.

    Nothing is shown if the feature is not a part of the surface: (-1, -1), the whole surface of a sphere, and features
    of meshes, whose crossing lines are shown instead.

    Parameters
    ----------
    shape : batch of one kind
    feature : (2,) int64
        `FeatureKind` and index, as in `CandidateAxes` and `Contacts`.
    role : Role
    focus : (3,) float64
        The patch of a half-space or plane is nearest to this point,
    size : float
        and this is half its side, in the caller's unit.
    """
    if feature[0] < 0:
        return Primitives()
    if isinstance(shape, HalfSpaces | Planes):
        return _face(unbounded_patch(shape, focus, size), role)
    if isinstance(shape, Cylinders):
        return _cylinder_feature(shape, int(feature[0]), int(feature[1]), role)
    if isinstance(shape, SupportMapped):
        points = shape.feature_points(int(feature[0]), int(feature[1]))
        if feature[0] == FeatureKind.VERTEX or not len(points):
            return as_points(points, role)
        if feature[0] == FeatureKind.FACE:
            return _face(points, role)
        return as_lines(np.stack([points[:-1], points[1:]], axis=1), role)
    row = np.zeros(1, dtype=np.int64)
    found = Features.of(shape, row, row, feature[None])
    start, along, radius = found.start[0], found.along[0], float(found.radius[0])
    if found.form[0] == POINT:
        return Primitives() if radius > 0.0 else as_points(start[None], role)
    if found.form[0] == SEGMENT:
        return _edge(start, start + along, role)
    if found.form[0] == FACE and found.outlines:
        return _face(found.outlines[0][1][0], role)
    return Primitives()


def _cylinder_feature(shape: Cylinders, kind: int, index: int, role: Role) -> Primitives:
    ends, radius = (shape.start[0], shape.end[0]), float(shape.radius[0])
    if kind == FeatureKind.VERTEX:
        return as_points(ends[index][None], role)
    if kind == FeatureKind.EDGE and index == SIDE:
        return _edge(*ends, role)
    u, v = frame(normalized(ends[1] - ends[0], np.zeros(3)))
    rim = arc_lines(ends[index], radius * u, radius * v)
    return as_lines(rim, role) if kind == FeatureKind.EDGE else _face(rim[:, 0], role)


def _edge(start: Floats, end: Floats, role: Role) -> Primitives:
    return as_lines(np.stack([start, end])[None], role)


def _face(corners: Floats, role: Role) -> Primitives:
    """Return a convex polygon (k, 3), filled and outlined."""
    outline = np.stack([corners, np.roll(corners, -1, axis=0)], axis=1)
    fan = np.stack([np.broadcast_to(corners[0], corners[1:-1].shape), corners[1:-1], corners[2:]], axis=1)
    return concatenate([as_triangles(fan, role), as_lines(outline, role)])
