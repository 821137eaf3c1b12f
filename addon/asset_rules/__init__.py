# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines will make of colliders: rules that hold anywhere, a file each.

A rule is plain data and a function from a `Scene` to the places where it is broken; `broken` asks many of them. The
rules of single engines, which know names, are with the add-on.
"""

from . import (
    collapsed,
    collider_outside,
    concave,
    doubles,
    flat,
    inside_out,
    mesh_outside,
    mirrored,
    nested,
    no_collider,
    no_faces,
    not_finite,
    open_mesh,
    orphan,
    overlapping,
    pieces,
    scaled,
    shared_data,
    sheared,
    small,
    triangle_budget,
    vertex_budget,
    winding,
    zero_area,
)
from .rule import ENGINES, SEVERITIES, Broken, Hit, Length, Limits, Rule, Value, broken, questions, worst_first
from .subject import KINDS, Body, Collider, Scene

RULES: tuple[Rule, ...] = tuple(
    module.RULE
    for module in (
        not_finite,
        no_faces,
        collapsed,
        sheared,
        mirrored,
        scaled,
        shared_data,
        zero_area,
        doubles,
        winding,
        inside_out,
        open_mesh,
        flat,
        pieces,
        concave,
        vertex_budget,
        triangle_budget,
        small,
        orphan,
        no_collider,
        nested,
        overlapping,
        mesh_outside,
        collider_outside,
    )
)
"""The rules of any engine; those whose repair another one waits for come first."""

__all__ = [
    "ENGINES",
    "KINDS",
    "RULES",
    "SEVERITIES",
    "Body",
    "Broken",
    "Collider",
    "Hit",
    "Length",
    "Limits",
    "Rule",
    "Scene",
    "Value",
    "broken",
    "questions",
    "worst_first",
]
