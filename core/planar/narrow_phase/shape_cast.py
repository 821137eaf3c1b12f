# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of two moving shapes: in linear motion if both are convex, and with rotation.

In linear motion, the separation along each axis changes at a constant rate, so the times at which it starts and stops
being an overlap are exact quotients (doc4code 2011, "Dynamic intersection test"). The first contact is at the largest
entry time, unless an exit comes before it. A circle against a polygon is a point against the polygon grown by the
radius: against its offset sides, and against circles about its corners.

Shapes that rotate are represented in space by solids that are symmetric about the plane: a circle by a sphere, a box or
a polygon by a prism, a region by the compound of its pieces. Two such solids that rotate about the normal of the plane
have the same distance as the shapes themselves, as long as these do not overlap. Conservative advancement in space
therefore proves for the plane, too, that no contact is missed.
"""

from typing import Any

import numpy as np

from ...continuous.motion import RigidMotion
from ...continuous.time_of_impact import time_of_impact as impacts_in_space
from ...hull import convex_hulls
from ...numerics.tolerances import rounding
from ...numerics.types import Floats, Ints
from ...results import Impacts, put_hits
from ...shapes import Boxes, Compounds, Hulls, Spheres
from ..shapes.blocks import Convex, Cores
from ..shapes.convex import AABBs, Circles, Polygons, Rectangles
from ..shapes.regions import Body, Regions
from .convex import Block, blocks
from .sat import Facets, best_facets, edge_gaps
from .witnesses import witness_points


def time_of_impact(a: Convex, b: Convex, rows_a: Ints, rows_b: Ints, velocity_a: Floats, velocity_b: Floats) -> Impacts:
    """First contact of each pair; velocities (P, 2) are those of the pairs."""
    result = Impacts.misses(len(rows_a), 2)
    for block in blocks(a, b, rows_a, rows_b):
        slots = block.slots
        vx, vy = (velocity_b[slots] - velocity_a[slots]).T
        path = np.hypot(*velocity_a[slots].T) + np.hypot(*velocity_b[slots].T)
        slack = block.slack + rounding(path, np.zeros(len(slots)))
        facets = block.facets()
        started = block.witnesses(facets).distance <= slack
        time, entered = _first_contact(block, vx, vy, slack)
        time = np.where(started, 0.0, time)
        hit = np.flatnonzero(np.isfinite(time))
        t = time[hit]
        parts = block.a.take(hit), block.b.take(hit)
        x, y = block.x[hit] + t * vx[hit], block.y[hit] + t * vy[hit]
        at = None
        if entered is not None and facets is not None:
            # The side entered last; for pairs that touch at the start, the side with the least overlap.
            at = facets.where(started, entered).take(hit)
        elif facets is not None:
            at = best_facets(*parts, x, y, block.size[hit])
        witnesses = witness_points(*parts, x, y, at, slack[hit])
        rows = slots[hit]
        middle = np.stack([witnesses.ax + witnesses.bx, witnesses.ay + witnesses.by], axis=1) / 2.0
        point = block.origin[hit] + t[:, None] * velocity_a[rows] + middle
        put_hits(result, rows, t, point, np.stack([witnesses.nx, witnesses.ny], axis=1))
    return result


def _first_contact(block: Block, vx: Floats, vy: Floats, slack: Floats) -> tuple[Floats, Facets | None]:
    """Time of the first contact, infinite for a miss; for two polygons also the facet entered last, otherwise None."""
    a, b = block.a, block.b
    if a.has_edges and b.has_edges:
        return _of_polygons(block, vx, vy, slack)
    if a.has_edges or b.has_edges:
        polygon, circle, sign = (a, b, 1.0) if a.has_edges else (b, a, -1.0)
        place = sign * block.x, sign * block.y
        return _of_point(polygon, circle.radius, *place, sign * vx, sign * vy, slack), None
    return _of_circles(block.x, block.y, vx, vy, a.radius + b.radius, slack), None


def _of_polygons(block: Block, vx: Floats, vy: Floats, slack: Floats) -> tuple[Floats, Facets]:
    count = len(vx)
    entry, surely, leaving = np.full(count, -np.inf), np.full(count, -np.inf), np.full(count, np.inf)
    by_b, which = np.zeros(count, np.bool_), np.zeros(count, np.int64)
    for of, other, from_b, sign in ((block.a, block.b, False, 1.0), (block.b, block.a, True, -1.0)):
        for edge, gap in enumerate(edge_gaps(of, other, sign * block.x, sign * block.y)):
            rate = sign * (of.nx[edge] * vx + of.ny[edge] * vy)
            # Along an axis that is perpendicular to the motion, both the gap and its rate are only rounding, and so is
            # their quotient.
            enters, _ = axis_times(gap, rate, np.where(np.abs(rate) > slack, 0.0, slack))
            later = enters > entry
            entry = np.where(later, enters, entry)
            by_b, which = np.where(later, from_b, by_b), np.where(later, edge, which)
            # Hits are decided with the tolerance for touching: gaps within rounding do not count as gaps.
            enters, leaves = axis_times(gap, rate, slack)
            surely, leaving = np.maximum(surely, enters), np.minimum(leaving, leaves)
    hit = (surely <= np.minimum(leaving, 1.0)) & (leaving >= 0.0)
    # For a grazing side, rounding may move the entry beyond the exit.
    first = np.minimum(np.where(np.isfinite(entry), entry, surely), leaving)
    return np.where(hit, np.clip(first, 0.0, 1.0), np.inf), Facets(np.zeros(count), by_b, which)


def axis_times(gap: Floats, rate: Floats, slack: Floats) -> tuple[Floats, Floats]:
    """Return when a gap that changes at a rate falls to `slack`, and when it rises above it; -inf or inf if never.

    The entry time of a gap that is always above `slack` is inf.
    """
    moving = np.where(rate != 0.0, rate, 1.0)
    with np.errstate(over="ignore"):
        crossing = (slack - gap) / moving
    enters = np.where(rate < 0.0, crossing, np.where((rate == 0.0) & (gap > slack), np.inf, -np.inf))
    return enters, np.where(rate > 0.0, crossing, np.inf)


def _of_circles(x: Floats, y: Floats, vx: Floats, vy: Floats, radius: Floats, slack: Floats) -> Floats:
    """Return when a moving point at x, y enters a circle about the origin; inf if it does not. It starts outside.

    The lesser root of a quadratic in a form that loses no digits: the discriminant is a product of two lengths, and the
    root is a quotient without a difference.
    """
    speed = np.hypot(vx, vy)
    toward = -(x * vx + y * vy)
    aside = np.abs(x * vy - y * vx)
    hits = (toward > 0.0) & (aside <= (radius + slack) * speed)
    root = np.sqrt(np.maximum(radius * speed - aside, 0.0) * (radius * speed + aside))
    away = np.hypot(x, y)
    denominator = np.where(hits, toward + root, 1.0)
    time = (away - radius) * (away + radius) / denominator
    # A miss by less than rounding counts as grazing, at the closest approach; the same quotient gives its time.
    late = slack / np.where(speed > 0.0, speed, 1.0)
    return np.where(hits & (time <= 1.0 + late), np.minimum(time, 1.0), np.inf)


def _of_point(polygon: Cores, radius: Floats, x: Floats, y: Floats, vx: Floats, vy: Floats, slack: Floats) -> Floats:
    """Return when a moving circle at x, y, relative to the polygon's place, first touches the polygon."""
    time = np.full(len(x), np.inf)
    for edge in range(len(polygon.nx)):
        px, py = polygon.x[edge], polygon.y[edge]
        qx, qy = polygon.corner(polygon.after(np.full(len(x), edge)))
        nx, ny = polygon.nx[edge], polygon.ny[edge]
        gap = nx * x + ny * y - polygon.offset[edge] - radius
        enters, _ = axis_times(gap, nx * vx + ny * vy, np.zeros(len(x)))
        reached = np.isfinite(enters) & (enters >= 0.0) & (enters <= 1.0)
        t = np.where(reached, enters, 0.0)
        along = nx * (y + t * vy) - ny * (x + t * vx)
        beside = (along >= nx * py - ny * px) & (along <= nx * qy - ny * qx)
        time = np.where(reached & beside, np.minimum(time, enters), time)
        time = np.minimum(time, _of_circles(x - px, y - py, vx, vy, radius, slack))
    return time


def time_of_impact_rotating(
    a: Body, b: Body, motions: tuple[RigidMotion, RigidMotion], margin: Floats, max_iterations: int
) -> Impacts:
    """First contact of each row of A with that row of B; the rows neither overlap nor touch at time 0.

    The motions are in space, about axes perpendicular to the plane z = 0. Pairs touch if they are no farther apart than
    `margin` (N,).
    """
    found = impacts_in_space(
        in_space(a), in_space(b), motion_a=motions[0], motion_b=motions[1], margin=margin, max_iterations=max_iterations
    )
    normal = found.normal[:, :2] / np.hypot(*found.normal[:, :2].T)[:, None]
    return Impacts(found.hit, found.time, found.point[:, :2], normal, found.safe, found.decided)


def motion_in_space(velocity: Floats, angular_velocity: Floats, pivot: Floats) -> RigidMotion:
    """The motion in space of rows with velocities (N, 2), angular velocities in radians (N,) and pivots (N, 2)."""
    turn = np.concatenate([np.zeros((len(velocity), 2)), angular_velocity[:, None]], axis=1)
    return RigidMotion(_raised(velocity), turn, _raised(pivot))


def in_space(shapes: Body) -> Any:
    """The rows of a batch of the plane, as solids that are symmetric about the plane z = 0."""
    match shapes:
        case Circles():
            return Spheres(_raised(shapes.center), shapes.radius)
        case AABBs():
            return _prisms((shapes.lower + shapes.upper) / 2.0, (shapes.upper - shapes.lower) / 2.0)
        case Rectangles():
            turn = np.zeros((len(shapes), 3, 3))
            turn[:, 0, 0] = turn[:, 1, 1] = shapes.cosine
            turn[:, 1, 0], turn[:, 0, 1], turn[:, 2, 2] = shapes.sine, -shapes.sine, 1.0
            return _prisms(shapes.center, shapes.half_extents, turn)
        case Polygons():
            return _hulls(shapes)
        case Regions():
            pieces, first = _hulls(shapes.pieces), shapes.first
            return Compounds([[pieces.take(np.arange(first[row], first[row + 1]))] for row in shapes.index])


def _prisms(center: Floats, half: Floats, rotation: Floats | None = None) -> Boxes:
    """Rectangles as boxes, each as high as it is long."""
    return Boxes(_raised(center), np.concatenate([half, half.max(axis=1, initial=0.0)[:, None]], axis=1), rotation)


def _hulls(shapes: Polygons) -> Hulls:
    """Polygons as prisms, each as high as it is long; rows with the same geometry share a hull."""
    used, index = np.unique(shapes.index, return_inverse=True)
    corners = [_prism(shapes, geometry) for geometry in used.tolist()]
    return Hulls(convex_hulls(corners), index.reshape(-1), _raised(np.stack([shapes.rows.x, shapes.rows.y], axis=1)))


def _prism(shapes: Polygons, geometry: int) -> Floats:
    """Corners (2k, 3) of the prism over a polygon of the pool, relative to the polygon's place."""
    pool = shapes.pool
    corners: Ints = np.arange(pool.start[geometry], pool.start[geometry + 1])
    flat = np.unique(np.stack([pool.x[corners], pool.y[corners]], axis=1), axis=0)
    height = np.full(len(flat), np.abs(flat).max(initial=0.0))
    return np.concatenate([np.column_stack([flat, height]), np.column_stack([flat, -height])])


def _raised(vectors: Floats) -> Floats:
    """Vectors (N, 2) of the plane as vectors of space (N, 3)."""
    return np.concatenate([vectors, np.zeros((len(vectors), 1))], axis=1)
