# SPDX-License-Identifier: GPL-3.0-or-later
"""Algorithms for convex shapes: support mappings, GJK, EPA, SAT, Minkowski sums and contact manifolds."""
