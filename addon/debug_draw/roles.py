# SPDX-License-Identifier: GPL-3.0-or-later
"""The roles of primitives: what each stands for. The palette has the look of each role."""

from enum import IntEnum


class Role(IntEnum):
    """The meaning of a primitive; the code that draws it chooses color and size by it."""

    AXIS = 0  # the separating axis, or the axis of least penetration
    GAP = 1  # the stretch between the witness points of a pair that is apart
    DEPTH = 2  # the stretch by which two surfaces have passed each other
    CONTACT = 3  # a contact point
    NORMAL = 4  # a contact's normal, from A to B
    WITNESS_A = 5  # the witness point on A
    WITNESS_B = 6  # the witness point on B
    SHAPE_A = 7  # the collision shape of A, as edges
    SHAPE_B = 8  # the collision shape of B, as edges
    OBSTACLE = 9  # the surface of the configuration space obstacle
    ORIGIN = 10  # the origin that lies in the obstacle or outside it
    FRUSTUM = 11  # the edges of what a camera sees
    INSIDE = 12  # a shape that lies in it
    CROSSING = 13  # a shape that lies partly in it
    OUTSIDE = 14  # a shape that does not
    PATH = 15  # the way of a contact point over time
    RULER = 16  # the axis laid beside the pair, and the lines that bring points of the shapes to it
    INTERVAL_A = 17  # the stretch of the axis that A covers
    INTERVAL_B = 18  # the stretch of the axis that B covers
    FEATURE_A = 19  # the face, edge or vertex of A that made the axis
    FEATURE_B = 20  # the face, edge or vertex of B that made the axis
    PATCH = 21  # what the contact points of a pair span
    CURVE = 22  # where the surfaces of two meshes cross
    WORST_CONTAINED = 23  # the shape of a body by the worst verdict on it
    WORST_PENETRATING = 24
    WORST_TOUCHING = 25
    WORST_NEAR = 26
    CLEAR = 27  # a body that nothing is said about
    WORST_DUPLICATE = 28
    WORST_COPLANAR = 29
    COPLANAR = 30  # where faces of a pair lie in one plane
    REACHED = 31  # the floor that a character reaches
    UNREACHED = 32  # a floor that it does not reach
    TRAP = 33  # a floor that it gets to, but not back from
    START = 34  # the character where it begins
    POSE_BEFORE = 35  # the character before what is found
    POSE_AFTER = 36  # the character after it
    FOUND = 37  # the place of a finding
    HEAT = 38  # a surface that is colored by distances
    WORST_PLACE = 39  # where a surface is farthest from another
