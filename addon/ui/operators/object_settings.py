# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of an object's collision settings that are copied and reset together."""

WHAT = (
    ("SHAPE", "Shape", "Shape that the object is tested as"),
    ("MARGIN", "Margin", "Distance by which the shape is enlarged"),
    ("GROUPS", "Collision Layers", "Collision layers and mask"),
    ("SURFACE", "Surface Response", "Friction and bounciness"),
    ("BODY", "Part Of", "Object whose body the object belongs to"),
)

# The properties of each part.
PARTS = {
    "SHAPE": ("shape",),
    "MARGIN": ("margin",),
    "GROUPS": ("own_groups", "groups", "mask"),
    "SURFACE": ("own_surface", "friction", "restitution"),
    "BODY": ("part_of",),
}
