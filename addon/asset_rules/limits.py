# SPDX-License-Identifier: GPL-3.0-or-later
"""The input and output values of rules: limits, engines, severities, values. Nothing here needs numpy."""

from collections.abc import Mapping
from dataclasses import dataclass

SEVERITIES = ("error", "warning", "info")
"""Worst first. Error: the engine refuses it or does something else; warning: it works, and not as it looks."""

ENGINES = ("any", "unreal", "godot", "unity", "gltf", "usd")


class Length(float):
    """A value of a message that is a length, in Blender units."""


Value = str | int | float | Length
Values = Mapping[str, Value]


@dataclass(frozen=True)
class Limits:
    """The limits that the user can set. Lengths are in the scene's unit.

    Attributes
    ----------
    smallest : float
        The least side of a collider that is not too small.
    vertices : int
        The most vertices of a convex collider.
    triangles : int
        The most triangles of a collider that is tested triangle by triangle.
    sticking_out : float
        How far a render mesh may stick out of its colliders, and they out of it: a fraction of its size.
    overlap : float
        How deep two colliders of one body may be in each other: a fraction of the smaller one's size.
    unity_vertices, unity_triangles : int
        The most vertices and triangles of a convex mesh collider in Unity.
    max_outside, max_inside : float, optional
        How far colliders may stick out of what is seen, and how far what is seen may be outside of all of them. Then
        the distances are certified, and more than allowed is an error. None: `sticking_out` alone counts.
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
