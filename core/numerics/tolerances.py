# SPDX-License-Identifier: GPL-3.0-or-later
"""All tolerances of the core, each with a name, its unit and the reason for its value.

Lengths are never compared with a fixed number. Tolerances are multiples of the size of the shapes, or of the rounding
of float64 at their coordinates. Verdicts therefore do not change if a scene is scaled or moved.
"""

import sys

from .types import Floats

EPS = sys.float_info.epsilon

# Dimensionless. A given rotation that is farther from orthonormal than this is an error. Smaller deviations are
# rounding: matrices that were stored as float32, as in Blender and most files, deviate by about 1e-6.
ROTATION = 1e-5

# Multiples of eps x (size + distance from the origin). A gap is the difference of two sums of three products of
# numbers of that magnitude. 16 covers their rounding and that of the unit axis.
ROUNDING_STEPS = 16.0

# Fraction of the touching tolerance `rounding`. Rounding displaces a closest point by up to two of its steps
# perpendicular to the direction of the closest points.
NORMAL_SHARE = 2.0 / ROUNDING_STEPS

# Multiples of eps x the coordinates of a pair. An early-out test must keep every pair that the exact method could find
# touching: 16 for the rounding of that method, the rest for the rounding of bounding spheres and support points.
EARLY_OUT = 64.0

# Dimensionless: fraction of the pair's size. Rotating shapes count as touching at this distance. Each step of
# conservative advancement closes only a part of the gap, so the gap never becomes zero.
ADVANCEMENT = 1e-9

# Radians. A rotation between two given matrices of at most this angle is rounding and is ignored: the product of two
# matrices has an error of a few eps per entry. A rotation this close to a half-turn may be in either direction.
ROTATION_NOISE = 16.0 * EPS

# Dimensionless: a squared sine. For edges within 0.6 degrees of parallel, the entry time along their cross product and
# their crossing point lose more than two digits. If that could matter, conservative advancement decides.
SWEPT_SINE_SQUARED = 1e-4

# Dimensionless: a squared sine, the square of the slack of an entry time (64 eps). For edges closer to parallel, any
# separation along their cross product is below that slack.
SWEPT_PARALLEL = 1e-28

# Dimensionless: a squared sine. Two directions whose cross product is shorter than this define no axis. The adjacent
# face axes differ from it by less than the rounding of such a cross product.
PARALLEL_SINE_SQUARED = 1e-16

# Dimensionless: fraction of the size. GJK is accurate to rounding, but below this distance neither GJK nor a closed
# form decides whether a pair overlaps: a separating axis test does.
NEAR = 1e-7

# Dimensionless: relative difference of the bounds of a distance, and of those of a depth, at which the search for them
# ends if a shape is curved. Polytopes have none: their bounds agree to rounding.
CURVED_DISTANCE, CURVED_DEPTH = 1e-14, 1e-11

# Multiple of the touching tolerance `rounding`. Cores are measured this far beyond a limit, so that other algorithms
# decide pairs that are within rounding of it.
BEYOND = 4.0

# Dimensionless: fraction of the size. Closest points are accurate to one or two eps of the size. If the cores of round
# shapes are closer than this, the error of their direction displaces the far ends by half a rounding step or more.
CLOSE_CORES = 0.25

# Dimensionless: fractions of the size. On shapes no thicker than the first, contacts computed on faces and edges may be
# off the shape by as much as its thickness. Those that are off by more than the second are discarded.
THIN = 1e-3
OFF_THIN = 1e-10

# Multiples of eps x the size. Greatest distance of a witness point from its shape: points on faces are computed from
# sums of three products, and crossings of edges from quotients of such sums.
ON_SURFACE = 16.0

# Dimensionless: one minus the cosine of the angle between a contact normal and a face normal. 1e-10 is about 1.4e-5
# radians: above the noise of normals computed from float32 coordinates, and far below any slope an artist would model.
FACE_ALIGNMENT = 1e-10

# Dimensionless: fraction of the size. Vertices this close to a support plane count as lying on it.
SUPPORT = 1e-6

# Multiples of eps x the size of a pair. Vertices this close to a support plane are equally far along its normal: this
# is the rounding of a unit normal and of a sum of three products, on both shapes. Any point of the face or edge that
# such vertices span may be a witness point.
SUPPORT_STEPS = 16.0

# Dimensionless: fraction of a polytope's size. Adjacent faces with all corners this close to the plane of the largest
# one act as one face in contacts. For example, if vertices a tenth of the size apart are stored as float32, each is
# off by a few float32 eps (1.2e-7), which is ten times as much at the other end of the shape.
COPLANAR = 1e-5

# Dimensionless: a cosine, of 60 degrees. Faces with normals farther apart never count as one face, however thin the
# shape is. The two sides of a plate are therefore always two faces.
COPLANAR_COSINE = 0.5

# Dimensionless: a cosine, of 0.1 radians (six degrees). The normal of a contact may be replaced by that of a face
# within this angle if the conditions of the two constants below hold.
FACE_TILT = 0.995

# Dimensionless: a fraction of the depth, and a fraction of the size of the smaller shape. The axis of least depth of a
# pair may belong to two edges or to the other shape's face. A face still supplies the manifold if the points along its
# normal are deeper by no more than the sum of both. As in physics engines, an edge has to be clearly better. An angle
# with the cosine `FACE_TILT` changes the depth by half a hundredth, and a tilt by a hundredth changes depths by a
# hundredth of the size on shapes that end side by side.
FACE_DEEPER = 0.01
FACE_DEEPER_SIZE = 0.01

# Dimensionless: fraction of the size. If the deepest point of a contact patch is less deep than the pair by more than
# this, the patch has lost the deepest point. Far above the rounding of heights, far below what is visible.
PATCH_DEPTH = 1e-9

# Dimensionless: fraction of the coordinates within a pair. Corners of a patch whose depth differs from the greatest by
# at most this are equally deep, and the first of them is always kept. A tilt of level corners by 1e-6 causes such
# differences.
PATCH_LEVEL = 4e-6

# Dimensionless: difference of two cosines, of angles of 4.5e-6 radians. If faces of both shapes are aligned with a
# normal to within the rounding of float32, the face of A has priority.
FACE_TIE = 1e-11

# Steps of a hull's integer grid; each is one to two eps times the largest coordinate. Points this close to a plane, a
# line or a point lie on it. This is above the few steps by which computed coplanar points deviate, and above the error
# of a height above a facet (at most 28 steps).
HULL_ROUNDING = 32.0

# Multiples of the type's eps x the largest coordinate, added for hulls of points given as float32 or float16. It covers
# the rounding of the given coordinates.
HULL_SINGLE_ROUNDING = 4.0

# Dimensionless: relative error of a height above a facet. The unit normal contributes 8.5 u and the inner product 3 u
# (u = 2^-53), rounded up to 16 u.
HULL_HEIGHT_ERROR = 2.0**-49

# Multiples of a hull's tolerance: least extent of a hull in each of its dimensions. What rounding removes on one side
# then does not reach the other side.
HULL_THICKNESS = 3.0

# Multiples of a hull's tolerance: greatest distance of the corners of a face below its offset. A flat hull is up to
# three tolerances thick. Facets are merged within two, and discarded points are up to one above them.
HULL_FLATNESS = 4.0

# Fraction of a hull's tolerance. If points may be above all corners of a face by more than this, the offset of the face
# is raised. Otherwise it is kept, so that a face with exact corners has an exact offset.
HULL_LIFT = 0.125

# Fraction of a hull's tolerance: at every corner of a merged face, least distance of the end of the shorter side from
# the line of the longer side. It is well above the rounding of coordinates, so that faces are convex in the caller's
# coordinates.
HULL_CORNER = 0.25

# Dimensionless: rounding of the orientation determinant of three points of the plane, relative to the sum of its two
# products: (3 + 16 u) u with u = 2^-53 (Shewchuk 1997), rounded up. The sign of a larger determinant is certain.
ORIENTATION_ERROR = 2.0**-51

# In squared units of the coordinates. Below this, the products of such a determinant may have lost digits to underflow.
ORIENTATION_UNDERFLOW = 2.0**-1000

# Dimensionless: rounding of the determinant that tells whether a point of the plane is inside the circle through three
# others, relative to the sum of its products: (10 + 96 u) u with u = 2^-53 (Shewchuk 1997), rounded up.
IN_CIRCLE_ERROR = 2.0**-49

# Of points of about unit size. Below this, the products of such a determinant may have lost digits to underflow.
IN_CIRCLE_UNDERFLOW = 2.0**-1000

# Multiples of eps x the largest coordinate: a bound of the rounding error of the support distance of a corner of a
# planar convex outline. A corner that is less far by more than this is certainly not the support point.
REACH_SLACK = 16.0

# Multiples of eps x the largest coordinate. Corners that protrude from an outline in the plane by more than this are
# certainly corners. It is above the thickness of a hull (3 x 64), below which exact arithmetic decides.
OUTLINE_DOUBT = 256.0

# Dimensionless: a squared sine. Edges within 1e-5 radians of parallel have a cross product that loses so many digits in
# float64 that gaps along it are wrong by 1e-11 of the size. Such gaps are recomputed in double-double arithmetic.
NEAR_PARALLEL = 1e-10

# Dimensionless: a squared sine. Triangles with two sides within 0.1 radians of parallel have a normal that loses a
# digit or more, which displaces their far ends. Such normals are recomputed in double-double arithmetic.
SLIVER = 1e-2

# Dimensionless: a squared sine. Edges within four eps of parallel have no usable cross product. The adjacent axes
# differ from it by less than rounding.
PARALLEL = 1e-30

# Dimensionless: fraction of the size. Gaps closer to zero than this are recomputed in double-double arithmetic before
# they decide anything. It is a hundred times the error that `NEAR_PARALLEL` leaves.
AXIS_DOUBT = 1e-9

# Dimensionless: fraction of the size. Of two axes whose gaps differ by less than this, the first one is chosen, with
# faces before edges. It is more than the noise of computed coordinates, and less than anyone can see.
AXIS_PREFERENCE = 2e-12

# Dimensionless: fraction of the size. The same for the axis of a penetration depth, which is exact. It is half a
# rounding step, so that of equivalent axes the first one is chosen.
AXIS_TIE = 0.5 * EPS

# Dimensionless: fraction of the size. The same for the separating axis that is reported: eight roundings of float32,
# the type of most coordinates. Depths and distances use the smaller tolerances above.
AXIS_NAMED = 1e-6

# Radians. A rim or side faces an edge if the direction is in the arc between the normals of the faces beside the edge,
# or misses it by this angle. It is above the rounding of the normals of slivers. Each extra candidate costs one
# projection.
CYLINDER_ARC = 1e-9

# Radians: upper limit of the same angle for rims as small as rounding. A larger one would admit distant candidates.
CYLINDER_ARC_MOST = 1e-3

# Radians. Directions that are equally good to rounding are compared by their points if the angle between them is at
# most this. At larger angles, their points differ by less than 1e-11 of the size.
CYLINDER_TURN = 1e-3


# Multiples of the product of the lengths in a volume or an area: sixteen roundings, twice the error of three products
# of three differences. A ray that is closer to an edge of a mesh does not decide whether a point is inside.
MESH_RAY = 16.0 * EPS

# Dimensionless: fraction of the size of a pair. Beside a triangle, or beside the segment in which two triangles
# intersect, points at this distance are tested for being inside the other mesh. Far above rounding, far below modeled
# details.
MESH_BESIDE = 1e-7

# Dimensionless: fraction of the size of a pair. A vertex is moved into a mesh by this distance before it is tested for
# being inside, so that touching vertices are outside. Above the rounding of touching contact, below any relevant depth.
MESH_PROBE = 1e-10

# Radians. Triangles that meet at an edge are in one half-plane if the angle between them is at most this. Above the
# rounding of float32 points, below the angle of any wedge.
SHELL_PLANE = 1e-5

# Dimensionless: fraction of the area times the size. A shell that encloses less is a sheet with two sides.
SHELL_VOLUME = 1e-12

# Dimensionless: fraction of the interference. No point of either boundary is deeper in the other shape than the
# returned interference by more than this. Far below the precision of a press fit.
INTERFERENCE = 1e-3

# Dimensionless: fraction of the size of a round shape. The same tolerance for boundaries that are approximated by flat
# patches, in place of rounding: a patch as long as a thousandth of the size deviates by less.
INTERFERENCE_ROUND = 1e-6

# Dimensionless: cosines, of 26 and of 107 degrees. Contacts of a region whose normals are within the first angle form
# one patch. A point leaves the other body where the surfaces face each other: the normal of its own surface and the
# direction to the other one are farther apart than the second angle.
SIMILAR_NORMALS = 0.9
OPPOSED_NORMALS = -0.3

# Dimensionless: fraction of the depth of the deepest point of a patch of contacts. Shallower points are discarded: they
# are at the ends of the patch, where the nearest exit may be in another direction.
DEEP_POINTS = 0.5

# Dimensionless: fraction of the size of a pair of regions. Contacts closer to each other than this, with normals as
# close, are the same contact, found for two pieces of a region.
SAME_CONTACT = 1e-9

# Dimensionless: fraction of the size of a pair of regions. To decide whether a translation separates the pair, the
# place this far beyond its end is tested. Cracks that rounding leaves between two pieces are narrower.
EXIT = 1e-9

# Radians. Triangles that meet at an edge are in one half-plane if the angle between them is at most this. Above the
# rounding of float32 points, below the angle of any wedge.
SHELL_PLANE = 1e-5

# Dimensionless: fraction of the area times the size. A shell that encloses less is a sheet with two sides.
SHELL_VOLUME = 1e-12

# Dimensionless: fraction of the interference. No point of a pair in the plane is deeper than the returned interference
# by more than this.
PLANAR_INTERFERENCE = 1e-9

# Multiples of `EXIT`. Statements about a cell of the plane of translations also hold within this distance around it:
# twice what is needed for an exit on the cell's border and the tested place beyond it.
EXIT_AROUND = 4.0

# Multiples of `EXIT`. Parallel sides this close to each other count as one line, and a shorter exit replaces the
# best one only if it is shorter by more. Exits that differ by rounding, as on a circle, are therefore not all examined.
EXIT_BETTER = 1.0 / 64.0


# Multiples of eps x the size. A point of a cylinder's contact patch may be this far outside a cap or a face: it is
# computed from sums of three products, divided by the sine of the angle between two outlines.
CYLINDER_INSIDE = 64.0

# Dimensionless: fraction of a polytope's size. A direction table still contains the vertices this far above the lowest
# one. It omits only vertices that are higher by ten times as much.
TABLE_SLACK = 1e-6

# Dimensionless: fraction of the size. If a capsule lies along a face, the deeper end of their common segment is as deep
# as the pair, to this tolerance. The normal may deviate from that of the face by `FACE_ALIGNMENT`, which has an effect
# of second order.
SIDE_CONTACT = 1e-9

# In units of the coordinates. Within this range, the product of two coordinates, and eps times that product, are floats
# with full precision. Proofs that use such products are not tried on shapes outside this range.
PRODUCT_RANGE = (1e-100, 1e100)

# Dimensionless: fraction of the radius. A chord of a rim of at most twice this length counts as a tangent, because its
# ends are accurate to 1e-12 of the radius at best.
RIM_TOUCH = 1e-4

# Dimensionless: a cosine, of 143 degrees. Edges with normals farther apart form a sharp tip. Beyond it, their
# separations are much smaller than the distance.
SHARP = -0.8


def rounding(size: Floats, offset: Floats) -> Floats:
    """Largest gap that counts as contact: the rounding of float64 at the coordinates of a pair, (N,).

    `size` is the sum of the two bounding radii, and `offset` the distance from the origin of the farther of the two.
    """
    return ROUNDING_STEPS * EPS * (size + offset)


# Dimensionless: fraction of the size of the smaller shape of a pair. A cached contact that is recomputed from its
# features is kept if it is at most this far outside them. Above rounding, below what is visible.
COHERENT_INSIDE = 1e-9

# Dimensionless: a cosine, of 26 degrees. A cached contact whose normal differs by more from the pair's present normal
# belongs to a side of the pair that is no longer in contact.
COHERENT_NORMAL = 0.9

# Binary digits below the leading digit of the largest coordinate: the step of the grid to which intersecting
# silhouettes are rounded. float32 has 24 digits, and a projected coordinate is a sum of three products of such numbers.
GRID_STEPS = -23

# Steps of that grid. Parts, gaps and corners of a silhouette narrower than this are rounding: rounding a crossing to
# the grid moves it by up to half a step, and its neighbors move with it.
SILHOUETTE_WIDTH = 4.0

# Multiples of eps x a length within a fitted shape: greatest error of the computed distance of a point from the center
# or axis (three differences, a sum of three products and a root: below 8). A fit is enlarged by it, so that it contains
# every point exactly.
FIT_ROUNDING = 8.0

# Dimensionless: fraction of a squared radius. In the search for the smallest ball, a point that lies on a ball may
# appear this far outside it if nearly all points lie on one circle.
FIT_INSIDE = 1e-12

# Dimensionless: fraction of the volume. The search for a box ends when no box can be smaller by more than this.
FIT_BOX_VOLUME = 1e-9

# Radians. Shorter arcs of directions of a box are examined once more and then not divided further: at singular
# directions, no arc is short enough for the proof.
FIT_BOX_ARC = 1e-8

# Dimensionless: fraction of the largest dual point. If the plane of a face of the dual is closer to the origin, its
# corner of the intersection of the half-spaces is so far away that the intersection counts as unbounded.
FIT_BOUNDED = 1e-6

# Dimensionless: fraction of each offset. Half-spaces are moved by different amounts of at most this, so that no four of
# their planes meet in one point. Far above rounding, far below any significant change of volume.
FIT_GENERAL = 1e-7

# Dimensionless: fraction of the diagonal of the input's bounds: accuracy of the largest gap between a fitted shape and
# the input. It is invisible on a shape that fills the screen.
FIT_GAP = 1e-3

# Dimensionless: fraction of the diagonal of all shapes: default accuracy of the greatest distances between colliders
# and render meshes. Invisible on an object that fills the screen.
COVERAGE = 1e-3

# Dimensionless: fractions of that diagonal. Minimum and maximum width of gaps between colliders that count as closed:
# more than the rounding of float32, and less than what is visible.
COVERAGE_SEAM = 1e-6, 1e-4

# Dimensionless: a fraction of the diagonal of the input's bounds. Convex pieces that were cut apart meet in a plane
# within rounding and the simplification of their hulls. Where they are nearer to each other than this, their surface is
# inside their union.
PIECE_SEAM = 1e-4

# Dimensionless: a fraction of the diagonal of the input's bounds. Visible surfaces between convex pieces that are
# narrower than this are not searched, because excluding them along every line where several pieces meet would take too
# long.
PIECE_SLIVER = 1e-2

# Dimensionless: a fraction of the diagonal of the bounds of a mesh. It is cut into convex pieces until nowhere a piece
# has more space above the surface: about the height of a step on a staircase.
CUT_GAP = 0.02

# Dimensionless: the same for the distance of corners that count as in the plane of a cut. Meshes have float32
# coordinates, and positions of cuts are not more precise.
CUT_PLANE = 1e-6

# Dimensionless: fraction of the volume. A simpler primitive is preferred if its volume exceeds that of the tightest
# one by at most this. A tenth of the volume is a thirtieth of the size, which an artist would hardly notice in play.
FIT_WITHIN = 0.1

# Dimensionless: a cosine between two axes of a matrix, or a relative difference of their lengths. A chain of parents
# causes errors of about 1e-6. The smallest change of scale that Blender's fields show is a hundred times this.
RULE_MATRIX = 1e-5

# Multiples of the largest coordinate of a collider: eight roundings of float32, the type in which it is stored. A
# triangle with at most this height has no area.
RULE_ROUNDING = 8.0 * 2.0**-23

# Dimensionless: a cosine. A face this close to vertical does not carry anything. Only its edges do.
STEEP_FACE = 1e-9

# Dimensionless: fraction of the radius. A ball that is lowered to a curved shape has come to rest within this.
WALK_CONVERGED = 1e-9

# Dimensionless: fraction of the radius by which a character is thinner than stated, so that it passes where it fits
# exactly, and within which it counts as standing on a surface. 0.4 micrometers of 0.4 m: above the rounding of float64
# at the size of a level, and far below what is visible.
WALK_TOUCH = 1e-6

# Dimensionless: fraction of the radius. Poses of one column whose heights differ by less are the same.
WALK_SAME = 1e-3

# Dimensionless: difference of cosines. A contact along the normal of a face, to within 0.08 degrees, is in its
# interior.
WALK_ON_FACE = 1e-6

# Dimensionless: a cosine, of 2 degrees. Two faces that differ by less look level where they meet.
WALK_LEVEL = 0.99939

# Dimensionless: fractions of the radius. A step between two level colliders is a seam if it is higher than the first
# (0.2 mm of 0.4 m, above the rounding of float32 in levels of hundreds of meters), and not higher than the second,
# 2 cm.
WALK_SEAM_LEAST, WALK_SEAM_MOST = 5e-4, 5e-2

# Dimensionless: fraction of the radius. Gaps are searched in squares this small, at least.
WALK_FINEST = 1.0 / 80.0
