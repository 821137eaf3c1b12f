# SPDX-License-Identifier: GPL-3.0-or-later
"""Results and shapes as lines, points, labels and triangles to be drawn: with roles, without colors."""
