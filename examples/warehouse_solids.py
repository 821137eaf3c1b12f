# SPDX-License-Identifier: GPL-3.0-or-later
"""Modeling with arrays: the few solids that everything in the example warehouse is put together from.

A solid is built at its final size, so that no object in the scene needs a scale and every length in it is a
number in the source. Lengths are meters.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np
from numpy.typing import ArrayLike, NDArray

Paint = Callable[[int, int, NDArray[np.float64]], str]


@dataclass(frozen=True)
class Solid:
    """A polygon mesh with one material name and one shading flag per face."""

    vertices: NDArray[np.float64]  # (n, 3)
    faces: tuple[tuple[int, ...], ...]  # counterclockwise seen from outside
    materials: tuple[str, ...]
    smooth: tuple[bool, ...]


def join(*solids: Solid) -> Solid:
    """Return one solid with the faces of all of them, left unconnected."""
    starts = np.cumsum([0] + [len(solid.vertices) for solid in solids])
    return Solid(
        np.concatenate([solid.vertices for solid in solids]),
        tuple(
            tuple(int(start) + corner for corner in face)
            for solid, start in zip(solids, starts, strict=False)
            for face in solid.faces
        ),
        tuple(material for solid in solids for material in solid.materials),
        tuple(flag for solid in solids for flag in solid.smooth),
    )


def moved(solid: Solid, offset: ArrayLike) -> Solid:
    """Return the solid translated by `offset`."""
    return Solid(solid.vertices + np.asarray(offset, float), solid.faces, solid.materials, solid.smooth)


def upright_to(solid: Solid, axis: str) -> Solid:
    """Return the solid with its Z axis turned to lie along X or Y, without any rounding."""
    order = {"x": [2, 0, 1], "y": [1, 2, 0]}[axis]
    return Solid(solid.vertices[:, order], solid.faces, solid.materials, solid.smooth)


def panel_box(cuts: Sequence[Sequence[float]], paint: Paint) -> Solid:
    """Return a convex box whose sides are cut into panels, each with a material of its own.

    Parameters
    ----------
    cuts : three sequences of float
        Ascending coordinates along X, Y and Z; the first and last of each are the sides of the box.
    paint : callable
        Gets the axis (0 to 2), the side (-1 or +1) and the panel's center; returns a material name.
    """
    index: dict[tuple[int, int, int], int] = {}
    faces: list[tuple[int, ...]] = []
    materials: list[str] = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        for side in (-1, 1):
            layer = 0 if side < 0 else len(cuts[axis]) - 1
            for i in range(len(cuts[u]) - 1):
                for j in range(len(cuts[v]) - 1):
                    ring = [(i, j), (i + 1, j), (i + 1, j + 1), (i, j + 1)]
                    corners = []
                    for p, q in ring[::side]:
                        cell = [0, 0, 0]
                        cell[axis], cell[u], cell[v] = layer, p, q
                        corners.append(index.setdefault((cell[0], cell[1], cell[2]), len(index)))
                    center = np.zeros(3)
                    center[axis] = cuts[axis][layer]
                    center[u] = (cuts[u][i] + cuts[u][i + 1]) / 2
                    center[v] = (cuts[v][j] + cuts[v][j + 1]) / 2
                    faces.append(tuple(corners))
                    materials.append(paint(axis, side, center))
    vertices = np.array([[cuts[axis][cell[axis]] for axis in range(3)] for cell in index], float)
    return Solid(vertices, tuple(faces), tuple(materials), (False,) * len(faces))


def span(lower: Sequence[float], upper: Sequence[float], material: str = "") -> Solid:
    """Return the box between two opposite corners."""
    return panel_box(list(zip(lower, upper, strict=True)), lambda axis, side, center: material)


def block(size: Sequence[float], material: str = "", base: Sequence[float] = (0.0, 0.0, 0.0)) -> Solid:
    """Return a box of `size` that stands on the point `base`."""
    (x, y, z), (w, d, h) = base, size
    return span((x - w / 2, y - d / 2, z), (x + w / 2, y + d / 2, z + h), material)


def bar(start: ArrayLike, end: ArrayLike, width: float, depth: float, material: str = "") -> Solid:
    """Return a rectangular bar between two points, `width` wide and `depth` high where it lies flat."""
    a, b = np.asarray(start, float), np.asarray(end, float)
    along = (b - a) / np.linalg.norm(b - a)
    up = np.array([0.0, 0.0, 1.0]) if abs(along[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    across = np.cross(up, along)
    across /= np.linalg.norm(across)
    up = np.cross(along, across)
    cube = block((width, depth, float(np.linalg.norm(b - a))), material)
    return Solid(a + cube.vertices @ np.array([across, up, along]), cube.faces, cube.materials, cube.smooth)


def extruded(outline: Sequence[tuple[float, float]], y: tuple[float, float], material: str = "") -> Solid:
    """Return the prism between two values of Y over an outline in X and Z, counterclockwise seen from -Y."""
    n = len(outline)
    vertices = np.array([(px, py, pz) for py in y for px, pz in outline], float)
    faces = [tuple(range(n)), tuple(range(2 * n - 1, n - 1, -1))]
    faces += [((i + 1) % n, i, n + i, n + (i + 1) % n) for i in range(n)]
    return Solid(vertices, tuple(faces), (material,) * (n + 2), (False,) * (n + 2))


def lathed(profile: Sequence[tuple[float, float]], materials: str | Sequence[str] = "", segments: int = 32) -> Solid:
    """Return the solid swept by a profile of (radius, height), from bottom to top, about the Z axis.

    A radius of 0 at either end makes a pole; any other end is closed by a flat cap. With `segments` a
    multiple of four there are vertices at the radius on all four sides, so the bounding box is exact.

    Parameters
    ----------
    profile : sequence of (radius, height)
    materials : str or sequence of str
        One name for all, or one for each band between two points of the profile.
    segments : int
        How many sides.
    """
    bands = [materials] * (len(profile) - 1) if isinstance(materials, str) else list(materials)
    vertices: list[tuple[float, float, float]] = []
    rings: list[list[int]] = []
    faces: list[tuple[int, ...]] = []
    names: list[str] = []
    smooth: list[bool] = []
    for radius, height in profile:
        turns = segments if radius > 0.0 else 1
        rings.append([len(vertices) + i for i in range(turns)] * (segments // turns))
        vertices += [
            (radius * cos(2 * pi * i / segments), radius * sin(2 * pi * i / segments), height) for i in range(turns)
        ]
    for lower, upper, name in zip(rings, rings[1:], bands, strict=False):
        for i in range(segments):
            k = (i + 1) % segments
            ring = (lower[i], lower[k], upper[k], upper[i])
            faces.append(tuple(dict.fromkeys(ring)))
            names.append(name)
            smooth.append(True)
    for ring_indices, radius, name, step in (
        (rings[0], profile[0][0], bands[0], -1),
        (rings[-1], profile[-1][0], bands[-1], 1),
    ):
        if radius > 0.0:
            faces.append(tuple(ring_indices[::step]))
            names.append(name)
            smooth.append(False)
    return Solid(np.array(vertices, float), tuple(faces), tuple(names), tuple(smooth))


def arc(
    center: tuple[float, float], radius: float, degrees: tuple[float, float], steps: int
) -> list[tuple[float, float]]:
    """Return points of a profile on a circle, from one angle to another, 0 pointing out and 90 up."""
    angles = np.radians(np.linspace(*degrees, steps + 1))
    points = [(center[0] + radius * cos(angle), center[1] + radius * sin(angle)) for angle in angles]
    # cos(pi/2) is not quite 0: a pole must lie on the axis, or the lathe makes a ring of it.
    return [(0.0 if abs(r) < 1e-9 else r, z) for r, z in points]


def capsule(radius: float, height: float) -> Solid:
    """Return an upright capsule that stands on the origin, `height` from pole to pole."""
    return lathed(
        arc((0.0, radius), radius, (-90.0, 0.0), 6) + arc((0.0, height - radius), radius, (0.0, 90.0), 6),
        segments=24,
    )


def sphere(radius: float, center_height: float) -> Solid:
    """Return a ball about a point on the Z axis."""
    return lathed(arc((0.0, center_height), radius, (-90.0, 90.0), 12), segments=24)
