# SPDX-License-Identifier: GPL-3.0-or-later
"""The parts of an object's collision settings that are copied and reset together."""

WHAT = (
    ("SHAPE", "Shape", "The shape that the object stands for"),
    ("MARGIN", "Margin", "How much larger the shape is tested"),
    ("GROUPS", "Collision Groups", "The groups that it is in, and those that it meets"),
    ("SURFACE", "Surface", "Friction and restitution"),
    ("BODY", "Part Of", "The object whose body it belongs to"),
)

# The properties of each part.
PARTS = {
    "SHAPE": ("shape",),
    "MARGIN": ("margin",),
    "GROUPS": ("own_groups", "groups", "mask"),
    "SURFACE": ("own_surface", "friction", "restitution"),
    "BODY": ("part_of",),
}
