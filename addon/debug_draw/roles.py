# SPDX-License-Identifier: GPL-3.0-or-later
"""Roles of primitives: their meanings. The palette defines the look of each role."""

from enum import IntEnum


class Role(IntEnum):
    """The meaning of a primitive. It determines color and size when drawn."""

    WAY = 0  # the way of one shape of a pair out of the other
    GAP = 1  # the segment between the witness points of a pair that is apart
    DEPTH = 2  # the segment by which two surfaces have passed each other
    CONTACT = 3  # a contact point
    NORMAL = 4  # a contact's normal, from A to B
    WITNESS_A = 5  # the witness point on A
    WITNESS_B = 6  # the witness point on B
    SHAPE_A = 7  # the collision shape of A, as edges
    SHAPE_B = 8  # the collision shape of B, as edges
    OBSTACLE = 9  # the surface of the configuration space obstacle
    ORIGIN = 10  # the origin, inside or outside the obstacle
    FRUSTUM = 11  # the edges of a camera's view volume
    INSIDE = 12  # a shape inside the view
    CROSSING = 13  # a shape partly inside the view
    OUTSIDE = 14  # a shape outside the view
    PATH = 15  # the path of a contact point over time
    RULER = 16  # the axis beside the pair, and the projection lines of points of the shapes
    INTERVAL_A = 17  # the interval of the axis that A covers
    INTERVAL_B = 18  # the interval of the axis that B covers
    FEATURE_A = 19  # the face, edge or vertex of A that determines the axis
    FEATURE_B = 20  # the face, edge or vertex of B that determines the axis
    PATCH = 21  # the area that the contact points of a pair span
    CURVE = 22  # where the surfaces of two meshes cross
    WORST_CONTAINED = 23  # the shape of a body, by its worst verdict
    WORST_PENETRATING = 24
    WORST_TOUCHING = 25
    WORST_NEAR = 26
    CLEAR = 27  # a body without a verdict
    WORST_DUPLICATE = 28
    WORST_COPLANAR = 29
    COPLANAR = 30  # where faces of a pair are coplanar
    REACHED = 31  # floor that a character reaches
    UNREACHED = 32  # floor that it does not reach
    TRAP = 33  # floor that it reaches but cannot return from
    START = 34  # the character at its start
    POSE_BEFORE = 35  # the character before an issue
    POSE_AFTER = 36  # the character after an issue
    FOUND = 37  # the place of an issue
    HEAT = 38  # a surface colored by distances
    WORST_PLACE = 39  # where a surface is farthest from another
    FLOATING = 40  # the shape of a body that nothing holds
    CONTAINED = 41  # the shape of the contained body of a pair
