# SPDX-License-Identifier: GPL-3.0-or-later
"""Polygons: exact predicates, arrangement, triangulation, convex decomposition and union."""
