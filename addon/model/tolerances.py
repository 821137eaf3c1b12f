# SPDX-License-Identifier: GPL-3.0-or-later
"""Every tolerance of reading scenes, named once, with its unit and its reason.

Blender keeps matrices and vertices as float32, so nothing here is finer than float32's rounding.
"""

FLOAT32_EPS = 2.0**-23

# Dimensionless: a share of the largest coordinate of a pair. Coordinates come from float32 matrices and vertices, so
# distances of a few roundings cannot be distinguished from contact. 8 x 2^-23 is a hundredth of a millimeter ten meters
# from the origin.
TOUCHING_STEPS = 8.0 * FLOAT32_EPS

# Blender clamps an infinite location to this; nobody places an object there on purpose.
FLOAT32_MAX = (2.0 - FLOAT32_EPS) * 2.0**127

# Dimensionless: cosine between two columns of a matrix, or the relative difference of two of their lengths. A
# chain of parents leaves about 1e-6; the least angle or scale that Blender's fields show is ten times this.
SHEAR = 1e-5

# Dimensionless, the same measure. Below this a matrix is a rotation times a scale to the last bits of
# float32, and may be taken apart without moving any point by more than such a bit.
ROTATION_AND_SCALE = 4.0 * FLOAT32_EPS

# Dimensionless: the least of a matrix's three stretches as a fraction of the greatest. Nothing that float32
# could still tell from flat is below it.
FLAT = FLOAT32_EPS

# Dimensionless: a fraction of a side. How far vertices may be from the box that a mesh is said to be. A
# modeled box is off by the rounding of its coordinates alone; what is visibly no box is off by more.
BOX_FIT = 1e-4

# Dimensionless: a fraction of the largest coordinate. What rounding adds to that: turning a mesh in edit mode
# leaves each coordinate off by half an eps, and the planes they span by a few.
BOX_ROUNDING = 8.0 * FLOAT32_EPS

# Dimensionless: a fraction of the radius or of the longest side. Unreal takes a mesh for a sphere within
# these 5 %.
ROUND_FIT = 0.05

# Dimensionless: the bounds of a regular polygon with five sides or more have sides that differ by no more than this
# share, and no corner is farther from their middle than this multiple of half the longer side. The corners of a
# rectangle with such sides are at least 1.28 times as far.
ROUND_SIDES, ROUND_CORNERS = 0.8, 1.2

# Dimensionless: a fraction of the size. A rigid body whose mesh is this far off its origin causes an issue.
OFF_CENTER = 1e-3
