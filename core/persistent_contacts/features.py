# SPDX-License-Identifier: GPL-3.0-or-later
"""Contact features at the current pose, and contacts recomputed from them.

A cached contact stores its pair of features (Lee 2018, section 13.5). A vertex is a point, an edge is a segment, a face
is a plane with an outline. A rounded surface is its core feature with a radius. Cylinders and meshes have no such
features, so their contacts are not recomputed.
"""

from dataclasses import dataclass, field

import numpy as np

from ..convex.polytopes.placed import Polytopes, polytopes
from ..geometry.segments import nearest_of_segments
from ..numerics.tolerances import FACE_ALIGNMENT, PARALLEL_SINE_SQUARED
from ..numerics.types import Bools, Floats, Ints
from ..numerics.vectors import cross, dot, length, normalized, to_columns
from ..query.operands import Operand, split
from ..results import FeatureKind
from ..shapes import (
    Boxes,
    Capsules,
    Compounds,
    Ellipsoids,
    HalfSpaces,
    Hulls,
    Meshes,
    Planes,
    Shapes,
    Spheres,
    Triangles,
)

# Kinds of core features.
NONE, POINT, SEGMENT, FACE = -1, 0, 1, 2

# The shape whose face defines the normal.
NO_FACE, FACE_A, FACE_B = 0, 1, 2

# Rows per chunk.
_BLOCK = 256

_POLYTOPES = (Spheres, Capsules, Boxes, Triangles, Hulls)


@dataclass(frozen=True)
class Features:
    """One feature of each contact, in the world.

    Attributes
    ----------
    form : (C,) int64
        `POINT`, `SEGMENT` or `FACE`; `NONE` for shapes without such features.
    start, along : (C, 3) float64
        The point, the segment ``start + t * along``, or a point of the face.
    normal : (C, 3) float64
        Outward normal of a face; otherwise zero.
    radius : (C,) float64
    two_sided : (C,) bool
        Whether the shape is a plane, whose normal may have either sign.
    """

    form: Ints
    start: Floats
    along: Floats
    normal: Floats
    radius: Floats
    two_sided: Bools
    # Rows of contacts, with the corners (K, n, 3) of their faces. Other contacts have no outline.
    outlines: list[tuple[Ints, Floats]] = field(default_factory=list)

    @classmethod
    def of(cls, shapes: Operand, rows: Ints, part: Ints, feature: Ints) -> "Features":
        """The features (C, 2) of these rows, or of these parts of compounds, as in `Contacts`."""
        count = len(rows)
        vectors = np.zeros((3, count, 3))
        form = np.full(count, NONE)
        result = cls(form, vectors[0], vectors[1], vectors[2], np.zeros(count), np.zeros(count, dtype=bool))
        for batch, index, place in simple(shapes, rows, part):
            result._fill(batch.take(index), place, feature[place])
        return result

    def covers(self, points: Floats, slack: Floats) -> Bools:
        """Whether points (C, 3) are inside the prisms over the face outlines, or at most `slack` (C,) outside."""
        result = np.ones(len(points), dtype=bool)
        for place, corners in self.outlines:
            along = np.roll(corners, -1, axis=1) - corners
            outward = normalized(cross(along, self.normal[place][:, None]), np.zeros(3))
            over = dot(points[place][:, None] - corners, outward)
            result[place] = (over <= slack[place, None]).all(axis=1)
        return result

    def _fill(self, batch: Shapes, place: Ints, feature: Ints) -> None:
        if isinstance(batch, HalfSpaces | Planes):
            self.form[place] = FACE
            self.normal[place] = batch.normal
            self.start[place] = batch.normal * batch.offset[:, None]
            self.two_sided[place] = isinstance(batch, Planes)
        elif isinstance(batch, _POLYTOPES):
            self._fill_polytopes(polytopes(batch), place, feature)

    def _fill_polytopes(self, shape: Polytopes, place: Ints, feature: Ints) -> None:
        kind, number = feature.T
        self.radius[place] = shape.radius
        round_ = (kind == FeatureKind.FACE) & (shape.pool.faces[shape.geometry] == 0)
        point = np.flatnonzero((kind == FeatureKind.VERTEX) | round_)
        named = _vertices_named(shape, point, number[point])
        point, named = point[named >= 0], named[named >= 0]
        self.form[place[point]] = POINT
        self.start[place[point]] = _world(shape, point, named)
        edge = np.flatnonzero((kind == FeatureKind.EDGE) & (number < shape.pool.edges.count[shape.geometry]))
        ends = shape.pool.edges.values[shape.pool.edges.start[shape.geometry[edge]] + number[edge], :2]
        self.form[place[edge]] = SEGMENT
        self.start[place[edge]] = start = _world(shape, edge, ends[:, 0])
        self.along[place[edge]] = _world(shape, edge, ends[:, 1]) - start
        face = np.flatnonzero((kind == FeatureKind.FACE) & ~round_ & (number < shape.pool.faces[shape.geometry]))
        if len(face):
            geometry = shape.geometry[face]
            local = shape.pool.normals.values[shape.pool.normals.start[geometry] + number[face]]
            self.form[place[face]] = FACE
            self.normal[place[face]] = np.einsum("pij,pj->pi", shape.rotation[face], local)
            outline = shape.pool.polygons.padded(shape.pool.first_polygon[geometry] + number[face])
            which = np.repeat(face, outline.shape[1])
            corners = _world(shape, which, outline.reshape(-1)).reshape(*outline.shape, 3)
            self.start[place[face]] = corners[:, 0]
            self.outlines.append((place[face], corners))


def simple(shapes: Operand, rows: Ints, part: Ints) -> list[tuple[Shapes, Ints, Ints]]:
    """Like `split`, with compounds replaced by their parts. Parts that no longer exist are omitted."""
    result = []
    for batch, index, place in split(shapes, rows):
        if isinstance(batch, Compounds):
            here = np.flatnonzero(part[place] < batch.count[index])
            numbers = batch.first[index[here]] + part[place[here]]
            result += [(inner, slot, place[here[at]]) for inner, slot, at in split(batch.parts, numbers)]
        else:
            result.append((batch, index, place))
    return result


def frames(shapes: Operand, rows: Ints, part: Ints) -> tuple[Floats, Floats]:
    """The local frame of each shape in the world: rotation (C, 3, 3) and origin (C, 3).

    Spheres, capsules and other shapes without orientation have the world axes. Unbounded shapes also have the world
    origin.
    """
    rotation, origin = np.tile(np.eye(3), (len(rows), 1, 1)), np.zeros((len(rows), 3))
    for batch, index, place in simple(shapes, rows, part):
        shape = batch.take(index)
        if isinstance(shape, Boxes | Ellipsoids | Hulls | Meshes):
            rotation[place] = shape.rotation
        if isinstance(shape, Hulls | Meshes):
            origin[place] = shape.translation
        elif not isinstance(shape, HalfSpaces | Planes):
            origin[place] = shape.bounding_spheres()[0]
    return rotation, origin


def sizes(shapes: Operand, rows: Ints, part: Ints) -> tuple[Floats, Floats]:
    """Radius of each shape's bounding sphere, infinite if unbounded, and the distance of its center from the origin."""
    radius, offset = np.full(len(rows), np.inf), np.zeros(len(rows))
    for batch, index, place in simple(shapes, rows, part):
        if not isinstance(batch, HalfSpaces | Planes):
            center, radius[place] = batch.take(index).bounding_spheres()
            offset[place] = length(center)
    return radius, offset


def aligned_face(shapes: Operand, rows: Ints, part: Ints, normal: Floats) -> tuple[Ints, Floats]:
    """The face of each shape that is best aligned with `normal` (C, 3), and its cosine; both -1 if none is aligned."""
    face, cosine = np.full(len(rows), -1), np.full(len(rows), -1.0)
    for batch, index, place in simple(shapes, rows, part):
        if isinstance(batch, HalfSpaces | Planes):
            along = dot(batch.normal[index], normal[place])
            face[place], cosine[place] = 0, np.abs(along) if isinstance(batch, Planes) else along
        elif isinstance(batch, Boxes | Triangles | Hulls):
            shape = polytopes(batch.take(index))
            for begin in range(0, len(place), _BLOCK):
                block = np.arange(begin, min(begin + _BLOCK, len(place)))
                some = shape.take(block)
                along = np.matmul(some.normals, normal[place[block]][:, :, None])[:, :, 0]
                real = np.arange(along.shape[1]) < some.pool.faces[some.geometry][:, None]
                along = np.where(real, along, -1.0)
                face[place[block]] = along.argmax(axis=1)
                cosine[place[block]] = along.max(axis=1)
    there = cosine >= 1.0 - FACE_ALIGNMENT
    return np.where(there, face, -1), np.where(there, cosine, -1.0)


@dataclass(frozen=True)
class RecomputedContacts:
    """Contacts at the current pose: (C, 3) point and normal, (C,) depth, and whether the features still touch."""

    point: Floats
    normal: Floats
    depth: Floats
    valid: Bools


def recompute(
    a: Features,
    b: Features,
    side: Ints,
    face_a: Features,
    face_b: Features,
    normal: Floats,
    anchor: Floats,
    slack: Floats,
) -> RecomputedContacts:
    """Recompute contacts from their features.

    Parameters
    ----------
    a, b : Features
        C rows each.
    side : (C,) int64
        The shape whose face defines the normal: `FACE_A` or `FACE_B`; `NO_FACE` if the two features define it.
    face_a, face_b : Features
        The face of A, and that of B, for contacts whose normal it defines.
    normal : (C, 3) float64
        From A to B: the previous normal, moved with A. It determines the sign, and is used if the features coincide.
    anchor : (C, 3) float64
        The contact point, moved with the shape that the face does not belong to. It is used if the features do not
        determine a point.
    slack : (C,) float64
        Points at most this far outside a feature count as on it.
    """
    count = len(side)
    result = RecomputedContacts(
        np.zeros((count, 3)), normal.copy(), np.full(count, -np.inf), np.zeros(count, dtype=bool)
    )
    for which, ours, theirs, face, sign in ((FACE_A, a, b, face_a, 1.0), (FACE_B, b, a, face_b, -1.0)):
        rows = np.flatnonzero((side == which) & (face.form == FACE) & (a.form != NONE) & (b.form != NONE))
        if len(rows):
            _against_face(result, rows, ours, theirs, face, sign, anchor, slack)
    free = (side == NO_FACE) & np.isin(a.form, (POINT, SEGMENT)) & np.isin(b.form, (POINT, SEGMENT))
    rows = np.flatnonzero(free)
    if len(rows):
        _between(result, rows, a, b, slack)
    return result


def _against_face(
    result: RecomputedContacts,
    rows: Ints,
    ours: Features,
    theirs: Features,
    face: Features,
    sign: float,
    anchor: Floats,
    slack: Floats,
) -> None:
    """Contacts whose normal is that of a face of `ours`; `sign` is -1 if that shape is B."""
    normal = face.normal[rows]
    before = sign * result.normal[rows]
    turned = face.two_sided[rows] & (dot(normal, before) < 0.0)
    normal = np.where(turned[:, None], -normal, normal)
    top = dot(face.start[rows], normal) + face.radius[rows]
    place, valid = anchor[rows].copy(), np.ones(len(rows), dtype=bool)
    form_ours, form_theirs = ours.form[rows], theirs.form[rows]

    at = np.flatnonzero(form_theirs == POINT)
    place[at] = theirs.start[rows[at]]

    at = np.flatnonzero((form_ours == SEGMENT) & (form_theirs == SEGMENT))
    our_run, their_run = ours.along[rows[at]], theirs.along[rows[at]]
    apart = ours.start[rows[at]] - theirs.start[rows[at]]
    # The crossing of the two edges, as seen along the normal.
    t, on_theirs = _crossing(their_run, our_run, apart, normal[at])
    s, on_ours = _crossing(our_run, their_run, -apart, normal[at])
    place[at] = theirs.start[rows[at]] + t[:, None] * their_run
    reach = slack[rows[at]]
    valid[at] = on_theirs & on_ours & _within(t, their_run, reach) & _within(s, our_run, reach)

    at = np.flatnonzero((form_ours == POINT) & (form_theirs == FACE))
    slope = dot(theirs.normal[rows[at]], normal[at])
    rise = dot(theirs.start[rows[at]] - ours.start[rows[at]], theirs.normal[rows[at]])
    valid[at] = slope < 0.0
    place[at] = ours.start[rows[at]] + (rise / np.where(slope < 0.0, slope, -1.0))[:, None] * normal[at]

    # A segment on a face, or two faces: the anchor is used. It must not slide along the segment.
    at = np.flatnonzero((form_ours == FACE) & (form_theirs == SEGMENT))
    run = theirs.along[rows[at]]
    square = dot(run, run)
    t = dot(place[at] - theirs.start[rows[at]], run) / np.where(square > 0.0, square, 1.0)
    place[at] = theirs.start[rows[at]] + t[:, None] * run
    valid[at] = _within(t, run, slack[rows[at]])
    valid &= ~((form_ours == FACE) & (form_theirs == FACE)) & ~((form_ours == POINT) & (form_theirs == SEGMENT))
    valid &= ~((form_ours == SEGMENT) & (form_theirs == FACE))

    height = dot(place, normal) - theirs.radius[rows]
    point = place + normal * ((top + height) / 2.0 - dot(place, normal))[:, None]
    everywhere = np.zeros((len(result.depth), 3))
    everywhere[rows] = place
    valid &= (ours.covers(everywhere, slack) & theirs.covers(everywhere, slack))[rows]
    result.point[rows], result.normal[rows] = point, sign * normal
    result.depth[rows], result.valid[rows] = top - height, valid


def _between(result: RecomputedContacts, rows: Ints, a: Features, b: Features, slack: Floats) -> None:
    """Contacts between points and segments: at their closest points, or where two edges have crossed."""
    before = result.normal[rows]
    run_a, run_b = a.along[rows], b.along[rows]
    between = b.start[rows] - a.start[rows]
    near = nearest_of_segments(
        to_columns(run_a), to_columns(between), to_columns(run_b), dot(run_a, run_a), dot(run_b, run_b)
    )
    on_a = a.start[rows] + near.s[:, None] * run_a
    on_b = b.start[rows] + near.t[:, None] * run_b
    apart = on_b - on_a
    normal = normalized(apart, np.zeros(3))
    product = cross(run_a, run_b)
    crossed = dot(product, product) > PARALLEL_SINE_SQUARED * dot(run_a, run_a) * dot(run_b, run_b)
    normal = np.where(crossed[:, None], normalized(product, np.zeros(3)), normal)
    # The edges define the line of the normal. The previous normal defines its sign.
    backwards = crossed & (dot(normal, before) < 0.0)
    normal = np.where(backwards[:, None], -normal, normal)
    normal = np.where((length(normal) > 0.0)[:, None], normal, before)
    gap = dot(apart, normal) - a.radius[rows] - b.radius[rows]
    surface_a = on_a + a.radius[rows, None] * normal
    result.point[rows] = surface_a + normal * (gap / 2.0)[:, None]
    result.normal[rows], result.depth[rows] = normal, -gap
    reach = slack[rows]
    # At the end of a segment, the closest feature is the end point and not the segment.
    result.valid[rows] = _inside(near.s, run_a, reach) & _inside(near.t, run_b, reach)


def _crossing(run: Floats, other: Floats, apart: Floats, normal: Floats) -> tuple[Floats, Bools]:
    """The t at which ``t * run`` crosses ``apart + s * other``, seen along the normal, and whether they cross."""
    across = cross(other, normal)
    scale = dot(run, across)
    crosses = scale**2 > PARALLEL_SINE_SQUARED * dot(run, run) * dot(other, other)
    return dot(apart, across) / np.where(crosses, scale, 1.0), crosses


def _within(t: Floats, run: Floats, slack: Floats) -> Bools:
    """Whether the point at `t` is on a segment, or at most `slack` beyond its ends."""
    size = length(run)
    return (t * size >= -slack) & ((t - 1.0) * size <= slack)


def _inside(t: Floats, run: Floats, slack: Floats) -> Bools:
    """Whether a closest point lies strictly between the ends of a segment; always true for a point."""
    size = length(run)
    return (size == 0.0) | ((t * size > slack) & ((1.0 - t) * size > slack))


def _vertices_named(shape: Polytopes, rows: Ints, name: Ints) -> Ints:
    """The vertex of each polytope with the given name, or -1."""
    pool, geometry = shape.pool, shape.geometry[rows]
    owner = np.repeat(np.arange(len(pool.names.count)), pool.names.count)
    limit = int(max(pool.names.values.max(initial=0), name.max(initial=0))) + 1
    keys = owner * limit + pool.names.values
    order = np.argsort(keys, kind="stable")
    wanted = geometry * limit + name
    at = order[np.minimum(np.searchsorted(keys[order], wanted), len(keys) - 1)]
    return np.where(keys[at] == wanted, at - pool.names.start[geometry], -1)


def _world(shape: Polytopes, rows: Ints, vertex: Ints) -> Floats:
    """Vertices of the polytopes of these rows, in world coordinates."""
    local = shape.pool.vertices.values[shape.pool.vertices.start[shape.geometry[rows]] + vertex]
    result: Floats = np.einsum("pij,pj->pi", shape.linear[rows], local) + shape.translation[rows]
    return result
