# SPDX-License-Identifier: GPL-3.0-or-later
"""Triangle meshes: vertices and triangles, their topology, and trees of boxes over them."""
