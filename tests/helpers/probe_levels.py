# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels with intentional faults, for tests of the probe. Any level can be rotated about the vertical."""

import numpy as np

import collision_kit.core as ck

# Dimensions of the character that walks on the levels.
WIDTH, STEP = 0.8, 0.35
# Half the width of the corridor, and its length.
SIDE, LONG = 1.5, 8.0


class Parts:
    """Boxes, hulls and meshes by name; boxes from their lower to their upper corners."""

    def __init__(self) -> None:
        self.names: list[str] = []
        self.corners: list[tuple[tuple[float, ...], tuple[float, ...]]] = []
        self.ramps: list[tuple[str, np.ndarray]] = []
        self.meshes: list[tuple[str, np.ndarray, np.ndarray]] = []

    def box(self, name: str, lower: tuple[float, float, float], upper: tuple[float, float, float]) -> "Parts":
        """Add a box, unless it has no size along some axis."""
        if all(low < high for low, high in zip(lower, upper, strict=True)):
            self.names.append(name)
            self.corners.append((lower, upper))
        return self

    def hull(self, name: str, points: list[tuple[float, float, float]]) -> "Parts":
        """Add a hull."""
        self.ramps.append((name, np.array(points)))
        return self

    def world(self, degrees: float = 0.0, shift: tuple[float, float, float] = (0.0, 0.0, 0.0)) -> ck.World:
        """The level, rotated about the vertical and then translated."""
        turn = turned(degrees)
        low, high = (np.array([one[k] for one in self.corners]) for k in (0, 1))
        center = (low + high) / 2.0 @ turn.T + shift
        batches = [ck.Boxes(center, (high - low) / 2.0, np.broadcast_to(turn, (len(low), 3, 3)))]
        if self.ramps:
            batches.append(ck.Hulls.from_points([points @ turn.T + shift for _, points in self.ramps]))
        if self.meshes:
            meshes = [(vertices @ turn.T + shift, triangles) for _, vertices, triangles in self.meshes]
            batches.append(ck.Meshes.from_triangles(meshes))
        return ck.World(batches)

    def named(self, rows: tuple[int, ...]) -> list[str]:
        """The names of rows of the world."""
        every = [*self.names, *(name for name, _ in self.ramps), *(name for name, *_ in self.meshes)]
        return [every[row] for row in rows]


def turned(degrees: float) -> np.ndarray:
    """A rotation about the vertical."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    return np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])


def corridor(floor: bool = True, long: float = LONG) -> Parts:
    """A corridor along X, closed by walls, with a floor or without one."""
    parts = Parts()
    if floor:
        parts.box("floor", (0, -SIDE, -0.5), (long, SIDE, 0))
    parts.box("wall.left", (-0.2, SIDE, -3), (long + 0.2, SIDE + 0.2, 3))
    parts.box("wall.right", (-0.2, -SIDE - 0.2, -3), (long + 0.2, -SIDE, 3))
    parts.box("wall.start", (-0.2, -SIDE, -3), (0, SIDE, 3))
    parts.box("wall.end", (long, -SIDE, -3), (long + 0.2, SIDE, 3))
    return parts


def slot(width: float, at: float = 4.0) -> Parts:
    """A gap across the whole corridor."""
    parts = corridor(floor=False)
    parts.box("near", (0, -SIDE, -0.5), (at, SIDE, 0))
    return parts.box("far", (at + width, -SIDE, -0.5), (LONG, SIDE, 0))


def square_hole(width: float, at: tuple[float, float] = (4.0, -0.4)) -> Parts:
    """A square hole in the floor, with space to walk around it."""
    x, y = at
    parts = corridor(floor=False)
    parts.box("west", (0, -SIDE, -0.5), (x, SIDE, 0)).box("east", (x + width, -SIDE, -0.5), (LONG, SIDE, 0))
    parts.box("south", (x, -SIDE, -0.5), (x + width, y, 0))
    return parts.box("north", (x, y + width, -0.5), (x + width, SIDE, 0))


def stage(height: float, at: float = 4.0) -> Parts:
    """A step across the corridor."""
    return corridor().box("stage", (at, -SIDE, -0.5), (LONG, SIDE, height))


def ramp(degrees: float, at: float = 2.0, rise: float = 1.5) -> Parts:
    """A ramp across the corridor, up to a platform."""
    run = rise / np.tan(np.radians(degrees))
    parts = corridor()
    corners = [(at, 0.0), (at + run, rise), (at + run, 0.0)]
    parts.hull("ramp", [(x, y, z) for x, z in corners for y in (-SIDE, SIDE)])
    return parts.box("stage", (at + run, -SIDE, -0.5), (LONG, SIDE, rise))


def pit(deep: float, at: float = 3.0, long: float = 2.0) -> Parts:
    """A pit across a part of the corridor, with space to walk around it."""
    parts = corridor(floor=False)
    parts.box("west", (0, -SIDE, -3), (at, SIDE, 0)).box("east", (at + long, -SIDE, -3), (LONG, SIDE, 0))
    parts.box("bridge", (at, 0.4, -3), (at + long, SIDE, 0))
    return parts.box("bottom", (at, -SIDE, -3), (at + long, 0.4, -deep))


def seam(height: float, at: float = 4.03) -> Parts:
    """Two floors side by side, one a little higher."""
    parts = corridor(floor=False).box("low", (0, -SIDE, -0.5), (at, SIDE, 0))
    return parts.box("high", (at, -SIDE, -0.5), (LONG, SIDE, height))


def door(width: float, at: float = 4.0, thick: float = 0.2, aside: float = 0.07) -> Parts:
    """A wall across the corridor with a door."""
    parts = corridor().box("jamb.right", (at, -SIDE, 0), (at + thick, aside - width / 2, 3))
    return parts.box("jamb.left", (at, aside + width / 2, 0), (at + thick, SIDE, 3))


def stairs(rise: float, tread: float, count: int, side: float = -SIDE) -> Parts:
    """Stairs up to a gallery, across the corridor or only from `side` on."""
    parts = corridor(long=12.0)
    for k in range(count):
        parts.box(f"stair {k}", (4 + k * tread, side, -0.5), (4 + (k + 1) * tread, SIDE, (k + 1) * rise))
    return parts.box("gallery", (4 + count * tread, -SIDE, -0.5), (12, SIDE, count * rise))


def round_hole(width: float, at: tuple[float, float], sides: int = 24) -> Parts:
    """A hole in the floor: a regular polygon around a circle of this width."""
    parts = square_hole(1.3 * width, at)
    middle, radius = np.array(at) + 0.65 * width, 0.5 * width
    square = [(x, y) for x, y in ((-1, -1), (1, -1), (1, 1), (-1, 1))]
    for k in range(sides):
        # The areas beyond each side of the polygon, up to the corners of the square.
        angle = 2.0 * np.pi * k / sides
        out = np.array([np.cos(angle), np.sin(angle)])
        beyond = _beyond([np.array(one) * 0.65 * width for one in square], out, radius)
        if len(beyond) > 2:
            corners = [(*(middle + one), z) for one in beyond for z in (-0.5, 0.0)]
            parts.hull(f"rim {k}", corners)
    return parts


def _beyond(outline: list[np.ndarray], out: np.ndarray, off: float) -> list[np.ndarray]:
    """The part of a convex outline beyond a line."""
    kept = []
    for one, other in zip(outline, [*outline[1:], outline[0]], strict=True):
        first, last = one @ out - off, other @ out - off
        if first > 0.0:
            kept.append(one)
        if first * last < 0.0:
            kept.append(one + (other - one) * first / (first - last))
    return kept


# The track: its number of plates, and its inner and outer radius.
PLATES, INNER, OUTER = 16, 4.0, 6.5


def track(raised: float = 0.0, gap: float = 0.0) -> Parts:
    """A ring of plates between two curbs. Plate 4 is raised, and plate 9 ends by the gap before plate 10."""
    parts = Parts().box("stand", (-0.5, -0.5, -0.5), (0.5, 0.5, 0.0))
    angle = 2.0 * np.pi * np.arange(PLATES + 1) / PLATES

    def piece(name: str, begin: float, end: float, inner: float, outer: float, top: float, back: float = 0.0) -> None:
        along = np.array([np.sin(end), -np.cos(end)]) * back
        corners = [np.array([np.cos(a), np.sin(a)]) * r for a in (begin, end) for r in (inner, outer)]
        corners[2:] = [one + along for one in corners[2:]]
        parts.hull(name, [(*one, z) for one in corners for z in (-0.5, top)])

    for k in range(PLATES):
        ends = angle[k], angle[k + 1]
        # Each curb is as straight as its plate, so that there is no gap between them.
        piece(f"plate {k}", *ends, INNER, OUTER, raised if k == 4 else 0.0, gap if k == 9 else 0.0)
        piece(f"curb.in {k}", *ends, INNER - 0.3, INNER, 1.0)
        piece(f"curb.out {k}", *ends, OUTER, OUTER + 0.3, 1.0)
    return parts


def on_track() -> tuple[float, float, float]:
    """A start on plate 0."""
    middle, half = 0.5 * (INNER + OUTER), np.pi / PLATES
    return float(middle * np.cos(half)), float(middle * np.sin(half)), 0.1


def terrain(hole: float = 0.0, seed: int = 3, side: float = 8.0) -> Parts:
    """Hilly ground with rocks on it and fences around it, with or without a square hole."""
    rng = np.random.default_rng(seed)
    at = 0.55 * side
    lines = np.linspace(0.0, side, 25)
    # No slivers beside the hole.
    beside = np.abs(lines[:, None] - (at, at + hole)).min(axis=1)
    across = np.unique([*lines[beside > 0.05], at, at + hole])
    x, y = np.meshgrid(across, across, indexing="ij")
    z = 0.35 * np.sin(0.9 * x) * np.cos(0.7 * y) + 0.1 * np.sin(2.1 * x + y)
    count = len(across)
    number = np.arange(count * count).reshape(count, count)
    middle = 0.5 * (across[1:] + across[:-1])
    inside = (middle > at) & (middle < at + hole)
    kept = ~(inside[:, None] & inside[None, :])
    a, b, c, d = (each[kept] for each in (number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]))
    triangles = np.concatenate([np.stack([a, b, c], axis=1), np.stack([a, c, d], axis=1)])
    parts = Parts()
    for name, low, high in (
        ("west", (-0.2, -0.2, -2), (0, side + 0.2, 3)),
        ("east", (side, -0.2, -2), (side + 0.2, side + 0.2, 3)),
        ("south", (0, -0.2, -2), (side, 0, 3)),
        ("north", (0, side, -2), (side, side + 0.2, 3)),
    ):
        parts.box(f"fence.{name}", low, high)
    for k in range(7):
        # Away from the start and from the hole.
        place = rng.uniform(1.5, side - 0.5, 2)
        while np.hypot(*(place - 1.0)) < 1.5 or np.abs(place - at - 0.5 * hole).max() < 0.5 * hole + 1.6:
            place = rng.uniform(1.5, side - 0.5, 2)
        points = rng.normal(size=(12, 3))
        points *= rng.uniform(0.4, 0.7) / np.linalg.norm(points, axis=1, keepdims=True)
        parts.hull(f"rock {k}", [tuple(one) for one in np.add(points, (*place, rng.uniform(0.1, 0.4)))])
    parts.meshes.append(("ground", np.column_stack([x.ravel(), y.ravel(), z.ravel()]), triangles))
    return parts
