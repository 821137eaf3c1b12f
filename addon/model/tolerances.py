# SPDX-License-Identifier: GPL-3.0-or-later
"""All tolerances for reading scenes, with units and reasons.

Blender stores matrices and vertices as float32, so nothing here is finer than the rounding of float32.
"""

FLOAT32_EPS = 2.0**-23

# Dimensionless: a fraction of the largest coordinate of a pair. Coordinates come from float32 matrices and vertices, so
# distances of a few rounding errors cannot be distinguished from contact. 8 x 2^-23 is a hundredth of a millimeter ten
# meters from the origin.
TOUCHING_STEPS = 8.0 * FLOAT32_EPS

# Blender clamps an infinite location to this. No object is placed there on purpose.
FLOAT32_MAX = (2.0 - FLOAT32_EPS) * 2.0**127

# Dimensionless: cosine between two columns of a matrix, or the relative difference of two of their lengths. A chain of
# parents causes about 1e-6. The smallest angle or scale that Blender's fields show is ten times this.
SHEAR = 1e-5

# Dimensionless, the same measure. Below this, a matrix is a rotation times a scale within the rounding of float32, and
# can be decomposed without moving any point by more.
ROTATION_AND_SCALE = 4.0 * FLOAT32_EPS

# Dimensionless: the smallest singular value of a matrix as a fraction of the largest. Below it, float32 cannot
# distinguish the result from a flat one.
FLAT = FLOAT32_EPS

# Dimensionless: a fraction of a side. Maximum distance of vertices from the box that a mesh is declared to be. A
# modeled box differs only by the rounding of its coordinates; a mesh that is visibly not a box differs by more.
BOX_FIT = 1e-4

# Dimensionless: a fraction of the largest coordinate. Allowance for rounding: rotating a mesh in Edit Mode changes each
# coordinate by half an eps, and the planes through them by a few.
BOX_ROUNDING = 8.0 * FLOAT32_EPS

# Dimensionless: a fraction of the radius or of the longest side. Unreal accepts a mesh as a sphere within these 5 %.
ROUND_FIT = 0.05

# Dimensionless: the bounds of a regular polygon with five sides or more have sides that differ by at most this
# fraction, and no corner is farther from their center than this multiple of half the longer side. The corners of a
# rectangle with such sides are at least 1.28 times as far.
ROUND_SIDES, ROUND_CORNERS = 0.8, 1.2

# Dimensionless: a fraction of the size. A rigid body whose mesh is this far from its origin is an issue.
OFF_CENTER = 1e-3
