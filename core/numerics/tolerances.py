# SPDX-License-Identifier: GPL-3.0-or-later
"""Every tolerance of the core, named once, with its unit and its reason.

A length is never compared with a fixed number: tolerances are multiples of the shapes' size, or of the rounding
that float64 leaves at their coordinates, so that a scene scaled or moved keeps its verdicts.
"""

import numpy as np

from .types import Floats

EPS = float(np.finfo(np.float64).eps)

# Dimensionless. How far from orthonormal a given rotation may be before it is an error rather than rounding:
# matrices that went through float32 (Blender's, most files') are off by about 1e-6.
ROTATION = 1e-5

# Multiples of eps x (size + distance from the origin). A gap is the difference of two sums of three products of
# numbers of that magnitude; 16 covers their rounding and that of the unit axis.
ROUNDING_STEPS = 16.0

# A share of what counts as touching: what rounding moves a closest point by, across the direction of the closest
# points, is two of those steps.
NORMAL_SHARE = 2.0 / ROUNDING_STEPS

# Multiples of eps x the coordinates of a pair. An early out must leave whatever the exact method could call touching:
# its rounding (16), and that of bounding spheres and support points.
EARLY_OUT = 64.0

# Dimensionless: a fraction of the pair's size. Shapes that turn are taken to touch when they are this near:
# conservative advancement comes closer by a share of the gap in each step and never closes it.
ADVANCEMENT = 1e-9

# Radians. A turn between two given rotations that is no larger is their rounding and none: the product of two matrices
# is off by a few eps in each entry. One as near a half-turn goes either way round.
ROTATION_NOISE = 16.0 * EPS

# Dimensionless: a squared sine. The entry along the cross product of edges nearer to parallel than 0.6 degrees, and the
# point where they cross, lose more than two digits. Where that could matter they are left to the advancement.
SWEPT_SINE_SQUARED = 1e-4

# Dimensionless: a squared sine, of the slack of an entry (64 eps). What the cross product of edges nearer
# to parallel shows is less than that.
SWEPT_PARALLEL = 1e-28

# Dimensionless: a squared sine. Two directions whose cross product is shorter than this give no axis of their own;
# the face axes next to them differ by less than the rounding that such a cross product would bring.
PARALLEL_SINE_SQUARED = 1e-16

# Dimensionless: a fraction of the size. GJK answers down to rounding, but decides nothing below this distance:
# there the separating axis test says whether the pair overlaps.
NEAR = 1e-7

# Dimensionless: a fraction of the size. Closest points are right to an eps or two of the size. Where the cores of round
# shapes are closer than this, what their direction is off by is felt at the far ends by half a rounding or more.
CLOSE_CORES = 0.25

# Dimensionless: fractions of the size. Of shapes no thicker than the first, contacts found on their faces and edges may
# be off the shape by as much as it is thin; those that are off by more than the second are left out.
THIN = 1e-3
OFF_THIN = 1e-10

# Multiples of eps x the size. How far off its shape a witness may be: points of faces come from sums of three products,
# and crossings of edges from quotients of such.
ON_SURFACE = 16.0

# Dimensionless: one minus the cosine between a contact's normal and a face's. 1e-10 is about 1.4e-5 radians:
# above the noise of a normal computed from float32 coordinates, far below any slope an artist would model.
FACE_ALIGNMENT = 1e-10

# Dimensionless: a fraction of the size. Vertices this close to a support plane are taken to lie on it.
SUPPORT = 1e-6

# Multiples of eps x the size of a pair. Vertices this close to a support plane are as far as any: the rounding of a
# unit normal and of a sum of three products, on both shapes. A witness may be any point of such a face or edge.
SUPPORT_STEPS = 16.0

# Dimensionless: a fraction of a polytope's size. Faces side by side whose corners are this close to the plane of the
# largest of them are one where something rests: float32 coordinates of vertices a tenth of the size apart, say, leave
# a few eps (1.2e-7) on each, which is ten times as much at the other end of the shape.
COPLANAR = 1e-5

# Dimensionless: a cosine, of 60 degrees. Faces whose normals are farther apart are not one, however thin the shape is:
# the two sides of a plate never are.
COPLANAR_COSINE = 0.5

# Dimensionless: a cosine, of 0.1 radians, or six degrees. A contact takes the normal of a face that is off its own by
# no more, on the terms of the two constants that follow.
FACE_TILT = 0.995

# Dimensionless: a share of the depth, and a fraction of the size of the smaller shape. A pair whose own axis is
# that of two edges or of the other shape's face still has the manifold of a face where the points along its normal
# are deeper by no more than the sum of both: as physics engines have it, an edge has to be really better. The cosine
# of `FACE_TILT` makes half a hundredth of the depth, and a tilt of a hundredth that much of the size on shapes that
# end side by side.
FACE_DEEPER = 0.01
FACE_DEEPER_SIZE = 0.01

# Dimensionless: a fraction of the size. A contact patch whose deepest point is less deep than the pair by more has lost
# the deepest one: far above the rounding of heights, far below what could be seen.
PATCH_DEPTH = 1e-9

# Dimensionless: a fraction of the coordinates within a pair. Corners of a patch that are as deep as its deepest but for
# this are equally deep, and the first of them is kept for certain: what a tilt by 1e-6 makes of level ones.
PATCH_LEVEL = 4e-6

# Dimensionless: a difference of cosines, of angles of 4.5e-6 radians. Where the faces of both shapes look along a
# normal up to the rounding of float32, that of A is the one that counts.
FACE_TIE = 1e-11

# Steps of a hull's integer grid, each one to two eps times the largest coordinate. Points this close to a plane, a
# line or a point are on it: above the few steps by which points computed to be coplanar miss, and above the error of
# a height over a facet (28 steps at most).
HULL_ROUNDING = 32.0

# Multiples of a type's eps x the largest coordinate, for hulls of points given in float32 or float16: the same again
# for the rounding that the coordinates brought with them.
HULL_SINGLE_ROUNDING = 4.0

# Dimensionless: relative error of a height over a facet, of 8.5 u from the unit normal and 3 u from the inner
# product (u = 2^-53), rounded up to 16 u.
HULL_HEIGHT_ERROR = 2.0**-49

# Multiples of a hull's tolerance. Across a hull there must be so much in each of its dimensions, so that what is taken
# off one side as rounding does not reach the other.
HULL_THICKNESS = 3.0

# Multiples of a hull's tolerance: how far the corners of a face may be below its offset. A flat hull is up to three
# tolerances thick; facets are merged within two, and what was left out stands up to one above them.
HULL_FLATNESS = 4.0

# A fraction of a hull's tolerance. Where points may stand above all corners of a face by more, its offset is raised; by
# less it is not, so that a face with exact corners has an exact offset.
HULL_LIFT = 0.125

# A fraction of a hull's tolerance: how far, at every corner of a merged face, the end of the shorter side is off the
# line of the longer. Well above what coordinates are rounded by, so that faces are convex in the caller's coordinates.
HULL_CORNER = 0.25

# Dimensionless: rounding of a determinant of three points of the plane, relative to the sum of its two products; (3 +
# 16 u) u with u = 2^-53 (Shewchuk 1997), rounded up. Beyond it the sign is certain.
ORIENTATION_ERROR = 2.0**-51

# In squared units of the coordinates: below it the products of such a determinant may have lost digits to underflow.
ORIENTATION_UNDERFLOW = 2.0**-1000

# Multiples of eps x the largest coordinate: corners of an outline in the plane that stand out by more than this are
# corners for certain. Above a hull's thickness (3 x 64), below which exact arithmetic decides.
OUTLINE_DOUBT = 256.0

# Dimensionless: a squared sine. Edges less than 1e-5 apart in direction have a cross product that lost so many
# digits in plain float64 that gaps along it are off by 1e-11 of the size: they are done again, with all digits.
NEAR_PARALLEL = 1e-10

# Dimensionless: a squared sine. Triangles with two sides less than 0.1 radians apart in direction have a normal that
# lost a digit or more, which is felt at their far ends: it is worked out again, with all digits.
SLIVER = 1e-2

# Dimensionless: a squared sine. Edges within four eps of parallel have no cross product worth the name; the axes
# next to it differ by less than rounding.
PARALLEL = 1e-30

# Dimensionless: a fraction of the size. Gaps nearer to zero than this are computed again with all digits before they
# are believed: ten times the error that `NEAR_PARALLEL` leaves.
AXIS_DOUBT = 1e-9

# Dimensionless: a fraction of the size. Of two axes with gaps nearer to each other than this, the one that comes
# first is taken, faces before edges: more than the noise of computed coordinates, and nothing that anyone could
# see.
AXIS_PREFERENCE = 2e-12

# Dimensionless: a fraction of the size, the same for the axis of a depth, which is exact: half a rounding, so that of
# axes that are alike the first is taken.
AXIS_TIE = 0.5 * EPS

# Dimensionless: a fraction of the size, the same for the axis that is named as the one that separates: eight roundings
# of float32, in which most coordinates come. Depths and distances are those of the best axis up to the smaller one.
AXIS_NAMED = 1e-6

# Radians. A direction in which a rim or a side faces an edge may miss the arc between the normals of the faces beside
# the edge by this much: above the rounding of the normals of slivers. A candidate too many costs one projection.
CYLINDER_ARC = 1e-9

# Radians: the same at most, of rims as small as rounding. More would let candidates pass that are far from the arc.
CYLINDER_ARC_MOST = 1e-3

# Radians. Directions that face as well as each other but for rounding are looked at closely where they are no farther
# apart: beyond, the points that they belong to differ by less than 1e-11 of the size.
CYLINDER_TURN = 1e-3


# Multiples of the product of the lengths that a volume or an area is made of: sixteen roundings, twice what three
# products of three differences lose. A ray nearer than that to an edge of a mesh decides nothing.
MESH_RAY = 16.0 * EPS

# Dimensionless: a fraction of the size of a pair. How far from a crossing curve a mesh is looked at to see on which
# side of the other's surface it goes on: far above rounding, far below what is modeled.
MESH_BESIDE = 1e-7

# Dimensionless: a fraction of the size of a pair. How far into a mesh a vertex is moved before it is asked whether
# it is inside, so that what only touches is not; above the rounding of a touch, below any depth worth freeing.
MESH_PROBE = 1e-10

# Dimensionless: a fraction of the interference. No point of either boundary is deeper in the other than the
# interference that is told by more than this: far below what a press fit is made to.
INTERFERENCE = 1e-3

# Dimensionless: a fraction of the size of a round shape. The same in the rounding's place, for boundaries that are
# approached by flat patches: a patch as long as a thousandth of the size bulges by less.
INTERFERENCE_ROUND = 1e-6

# Dimensionless: a fraction of the depth of a pair. Where no point is deeper in the other than this share of the way
# out, one body holds the other, and its contacts are those of a fit.
FIT_SHARE = 0.01

# Dimensionless: cosines, of 25 and of 107 degrees. Contacts of a fit whose normals are nearer make one patch; a body
# that is met on sides with normals farther apart may hold the other.
FIT_NORMALS = 0.9
FIT_OPPOSED = -0.3

# Dimensionless: a fraction of the depth of the deepest point of a patch of a fit. Points less deep do not count: they
# are at the ends of the patch, where the way out may be another.
FIT_DEEP = 0.5

# Dimensionless: a fraction of the size of a pair of regions. Contacts nearer to each other than this, with normals as
# near, are one that two of their pieces found.
SAME_CONTACT = 1e-9

# Dimensionless: a fraction of the size of a pair of regions. The shortest way out is tried so much beyond its end,
# where no crack that rounding leaves between two pieces is as wide.
WAY_OUT = 1e-9

# Dimensionless: a fraction of the interference. No point of a pair in the plane is deeper than what is told by more.
PLANAR_INTERFERENCE = 1e-9

# Multiples of that way beyond. What is said of a part of the plane of translations holds as far around it: twice what
# an exit on its rim and the place beyond it need.
WAY_OUT_AROUND = 4.0

# Multiples of the same. Sides of one direction so near each other are one line, and an exit that is shorter by less is
# no better: a ring of exits that differ by rounding is not looked through.
WAY_OUT_BETTER = 1.0 / 64.0


# Multiples of eps x the size. A point of a cylinder's contact patch may lie so far outside a cap or a face and still
# count: it comes from sums of three products, divided by the sine of the angle at which two outlines cross.
CYLINDER_INSIDE = 64.0

# Dimensionless: a fraction of a polytope's size. Vertices this much above its lowest are still among the candidates
# of a direction table, which leaves out only what is beaten by ten times as much.
TABLE_SLACK = 1e-6

# Dimensionless: a fraction of the size. Where a capsule lies along a face, the deeper end of the stretch they share
# is as deep as the pair up to this: the normal may be off the face's by `FACE_ALIGNMENT`, which is felt to second
# order.
SIDE_CONTACT = 1e-9

# In units of the coordinates, of which products of two and eps of those are still floats with all their digits:
# proofs by such products are not tried on shapes outside of this range.
PRODUCT_RANGE = (1e-100, 1e100)

# Dimensionless. Roots of a polynomial in exp(i angle) that are this far from the unit circle are no angles; a fourfold
# root on it may come out as four that are eps^(1/4) away, 1.2e-4.
RIM_CIRCLE = 1e-3

# Dimensionless: a fraction of the radius. A chord of a rim no longer than twice this is a tangent: its ends are known
# to 1e-12 of the radius at best.
RIM_TOUCH = 1e-4

# Dimensionless: a cosine. Edges whose normals are farther apart than that of 143 degrees make a sharp tip, beyond which
# the separations from them say little of the distance.
SHARP = -0.8


def rounding(size: Floats, offset: Floats) -> Floats:
    """Greatest gap that is still contact: rounding of float64 at the coordinates of a pair.

    Parameters
    ----------
    size, offset : (N,) float64
        Size of the pair (the sum of the two bounding radii) and the distance from the origin of the farther of the
        two, in the caller's unit.
    """
    return ROUNDING_STEPS * EPS * (size + offset)


# Dimensionless: a fraction of the size of the smaller shape of a pair. A remembered contact recomputed from its
# features still counts where it lies so far outside them: above rounding, below what could be seen.
COHERENT_INSIDE = 1e-9

# Dimensionless: a cosine, of 25 degrees. A remembered contact whose normal is farther off that of its pair now belongs
# to a side of the pair that is no longer the one that meets.
COHERENT_NORMAL = 0.9

# Binary digits below the leading one of the largest coordinate: the step of the grid on which crossing silhouettes are
# cleared up. float32 keeps 24, and a projected coordinate is a sum of three products of such numbers.
GRID_STEPS = -23

# Steps of that grid. Parts, gaps and corners of a silhouette narrower than this are rounding: each crossing is put on
# the grid with half a step of error, and neighbors of it move with it.
SILHOUETTE_WIDTH = 4.0

# Multiples of eps x a length within a fitted shape: what a computed distance of a point from its center or axis may
# lack (three differences, a sum of three products and a root: below 8). A fit is made larger by it, so that it holds
# every point exactly.
FIT_ROUNDING = 8.0

# Dimensionless: a fraction of a squared radius. How far outside the circle or ball of some points another of them may
# seem to be that is on it, where nearly all lie on one circle.
FIT_INSIDE = 1e-12

# Dimensionless: a fraction of the volume. Boxes are looked for until none is proved to be smaller by more.
FIT_BOX_VOLUME = 1e-9

# Radians. Arcs of directions of a box shorter than this are looked at once more and no further: there are singular
# directions at which no arc is short enough for the proof.
FIT_BOX_ARC = 1e-8

# Dimensionless: a fraction of the largest dual point. Nearer to the origin than this, the plane of a face of the dual
# stands for a corner so far away that the intersection of the half-spaces counts as unbounded.
FIT_BOUNDED = 1e-6

# Dimensionless: a fraction of each offset. Half-spaces are moved by so much at most, differently each, so that no four
# of their planes meet in one point: far above rounding, far below any cap worth counting.
FIT_GENERAL = 1e-7

# Dimensionless: a fraction of the diagonal of the input's bounds. The largest gap between a fitted shape and the input
# is found to within this: less than can be seen on a shape that fills the screen.
FIT_GAP = 1e-3

# Dimensionless: a share of the volume. How much larger than the tightest primitive a simpler one may be to be the
# better choice: a tenth of the volume is a thirtieth of the size, about what an artist would not see in play.
FIT_WITHIN = 0.1

# Dimensionless: a cosine between two axes of a matrix, or a relative difference of their lengths. A chain of parents
# leaves about 1e-6; the least scale that Blender's fields show is a hundred times this.
RULE_MATRIX = 1e-5

# Multiples of the largest coordinate of a collider: eight roundings of float32, in which it is stored. A triangle no
# higher than that has no area.
RULE_ROUNDING = 8.0 * 2.0**-23
