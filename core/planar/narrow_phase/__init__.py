# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of convex shapes of the plane: SAT, witnesses, contact manifolds and shape casts."""
