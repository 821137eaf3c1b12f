# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes: vertices and triangles, their topology, and bounding volume hierarchies over them."""
