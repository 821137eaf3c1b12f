# SPDX-License-Identifier: GPL-3.0-or-later
"""Types of objects, named as in Blender."""

# Objects of these types have a surface, or at least vertices, that Blender can convert to a mesh.
GEOMETRY_TYPES = frozenset({"MESH", "CURVE", "SURFACE", "FONT", "META"})

# Objects of these types have a surface only if their nodes make a mesh.
NODE_TYPES = frozenset({"CURVES", "GPENCIL", "GREASEPENCIL", "POINTCLOUD", "VOLUME"})
