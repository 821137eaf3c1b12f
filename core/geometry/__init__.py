# SPDX-License-Identifier: GPL-3.0-or-later
"""Segments, triangles and affine hulls."""
