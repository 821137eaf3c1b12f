# SPDX-License-Identifier: GPL-3.0-or-later
"""Input and output values of rules: limits, engines, severities, values. Nothing here needs numpy."""

from collections.abc import Mapping
from dataclasses import dataclass

SEVERITIES = ("error", "warning", "info")
"""Worst first. Error: the engine rejects it or behaves differently. Warning: it works, but not as it looks."""

ENGINES = ("any", "unreal", "godot", "unity", "gltf", "usd")


class Length(float):
    """A length in a message, in Blender units."""


Value = str | int | float | Length
Values = Mapping[str, Value]


@dataclass(frozen=True)
class Limits:
    """Limits that the user can set. Lengths are in the unit of the scene.

    Attributes
    ----------
    smallest : float
        Minimum side of a collider.
    vertices : int
        Maximum number of vertices of a convex collider.
    triangles : int
        Maximum number of triangles of a triangle mesh collider.
    sticking_out : float
        How far a render mesh may protrude from its colliders, and they from it, as a fraction of its size.
    overlap : float
        How deep two colliders of one body may overlap, as a fraction of the size of the smaller one.
    unity_vertices, unity_triangles : int
        Maximum number of vertices and triangles of a convex mesh collider in Unity.
    max_outside, max_inside : float, optional
        How far colliders may protrude from the render mesh, and the render mesh from its colliders. With a limit,
        distances are certified, and exceeding it is an error. None: only `sticking_out` applies.
    """

    smallest: float = 0.01
    vertices: int = 64
    triangles: int = 2000
    sticking_out: float = 0.05
    overlap: float = 0.25
    unity_vertices: int = 255
    unity_triangles: int = 255
    max_outside: float | None = None
    max_inside: float | None = None
