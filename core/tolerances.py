# SPDX-License-Identifier: GPL-3.0-or-later
"""Every tolerance of the core, named once, with its unit and its reason.

A length is never compared with a fixed number: tolerances are multiples of the shapes' size, or of the rounding
that float64 leaves at their coordinates, so that a scene scaled or moved keeps its verdicts.
"""

import numpy as np

from .results import Floats

EPS = float(np.finfo(np.float64).eps)

# Dimensionless. How far from orthonormal a given rotation may be before it is an error rather than rounding:
# matrices that went through float32 (Blender's, most files') are off by about 1e-6.
ROTATION = 1e-5

# Multiples of eps x (size + distance from the origin). A gap is the difference of two sums of three products of
# numbers of that magnitude; 16 covers their rounding and that of the unit axis.
ROUNDING_STEPS = 16.0

# Multiples of eps x the coordinates of a pair. An early out must leave whatever the exact method could call touching:
# its rounding (16), and that of bounding spheres and support points.
EARLY_OUT = 64.0

# Dimensionless: a squared sine. Two directions whose cross product is shorter than this give no axis of their own;
# the face axes next to them differ by less than the rounding that such a cross product would bring.
PARALLEL_SINE_SQUARED = 1e-16

# Dimensionless: a fraction of the size. GJK answers down to rounding, but decides nothing below this distance:
# there the separating axis test says whether the pair overlaps.
NEAR = 1e-7

# Dimensionless: one minus the cosine between a contact's normal and a face's. 1e-10 is about 1.4e-5 radians:
# above the noise of a normal computed from float32 coordinates, far below any slope an artist would model.
FACE_ALIGNMENT = 1e-10

# Dimensionless: a fraction of the size. Vertices this close to a support plane are taken to lie on it.
SUPPORT = 1e-6

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


def rounding(size: Floats, offset: Floats) -> Floats:
    """Greatest gap that is still contact: rounding of float64 at the coordinates of a pair.

    Parameters
    ----------
    size, offset : (N,) float64
        Size of the pair (the sum of the two bounding radii) and the distance from the origin of the farther of the
        two, in the caller's unit.
    """
    return ROUNDING_STEPS * EPS * (size + offset)
