# SPDX-License-Identifier: GPL-3.0-or-later
"""Polytopes of the convex kinds: their frames, Gauss maps and support tables."""
