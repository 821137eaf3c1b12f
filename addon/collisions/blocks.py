# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of shapes in blocks that take about the same time to test.

The division into blocks does not change the results, and hardly the total time. Each query takes some milliseconds
before its first pair. A block is therefore as large as the response time to Esc allows, with few kinds of pairs. How
long meshes take depends on more than their sizes: the longest step of each block corrects the estimate for the next.
This is processor time. On a busy machine, small blocks would take no less time, because of the time before their first
pairs.
"""

import time
from collections.abc import Generator, Iterator
from contextlib import closing
from typing import TypeVar

import numpy as np

from ...core.numerics.types import Bools, Floats, Ints
from ...core.planar.shapes.regions import Regions
from ...core.planar.world import PlacedWorld
from ...core.shapes import UNBOUNDED, Cylinders, Hulls, Kind, Meshes, SupportMapped
from ...core.world.world import World

# Approximate seconds for a block.
BLOCK = 0.1

# Seconds on one core of a typical computer, for deeply penetrating shapes: for each pair; for each vertex of two convex
# shapes; for each pair of vertices of both shapes; for each pair of convex pieces in a plane.
_PAIR, _VERTEX, _VERTICES, _PIECES = 1.5e-5, 1e-6, 1e-8, 1e-5
# Seconds for each pair with a mesh, and for each triangle within the bounds of the other shape: verdict and depth, and
# the separating translation and contacts. For each triangle tested against a half-space.
_MESH, _TRIANGLE = 1e-4, 1e-5
_MESH_EVIDENCE, _TRIANGLE_EVIDENCE = 2e-3, 5e-5
_ABOVE = 6e-7
# The estimate changes by at most this factor from one block to the next.
_CHANGE = 8.0
# Number of vertices that a cylinder counts as, because all directions in which its rims can face the other shape are
# tried. A shape with a support function counts the same, because it needs a search.
_ROUND = 100
# Number of triangles that count for each vertex of a convex shape tested against a mesh.
_FACES = 2


Bounds = tuple[Floats, Floats]
Told = TypeVar("Told")
Found = TypeVar("Found")


class Blocks:
    """Yield pairs (P, 2) of rows of a world in blocks whose steps take about this many seconds, or of a single pair.

    Pairs of the same kinds are adjacent, sorted by their first shapes. A block with a mesh contains pairs of two kinds
    only, because each query with a mesh takes some tenths of a second before its first pair.

    Parameters
    ----------
    world : World or PlacedWorld
    bounds : (lower, upper)
        Bounds of each row, (N, 3) float64.
    pairs : (P, 2) int64
    seconds : float
    evidence : bool
        As for `costs`.

    Yields
    ------
    (B,) int64
        Indices of pairs.
    """

    def __init__(
        self,
        world: World | PlacedWorld,
        bounds: Bounds,
        pairs: Ints,
        seconds: float = BLOCK,
        *,
        evidence: bool = False,
    ) -> None:
        batch = (world.flat if isinstance(world, PlacedWorld) else world).batch[pairs]
        self._order = np.lexsort((batch.min(axis=1), batch.max(axis=1)))
        self._spent = np.cumsum(costs(world, bounds, pairs, evidence=evidence)[self._order])
        kinds = np.sort(batch[self._order], axis=1)
        anew = np.flatnonzero((kinds[1:] != kinds[:-1]).any(axis=1)) + 1
        if isinstance(world, World):
            mesh = _of_meshes(world, pairs[self._order])
            anew = anew[mesh[anew] | mesh[anew - 1]]
        self._anew, self._seconds = anew, seconds
        # Ratio of actual to estimated time, and the estimate of the current block.
        self._longer, self._estimate = 1.0, 0.0

    def __iter__(self) -> Iterator[Ints]:
        first, before = 0, 0.0
        while first < len(self._order):
            most = before + self._seconds / self._longer
            end = max(first + 1, int(np.searchsorted(self._spent, most, side="right")))
            end = min([end, *self._anew[np.searchsorted(self._anew, first, side="right") :][:1].tolist()])
            self._estimate = float(self._spent[end - 1]) - before
            yield self._order[first:end]
            first, before = end, float(self._spent[end - 1])

    def timed(self, steps: Generator[Told, None, Found]) -> Generator[Told, None, Found]:
        """Run steps for the current block. The time of the longest determines the size of the next block."""
        taken = 0.0
        with closing(steps):
            while True:
                begun = time.thread_time()
                try:
                    told = next(steps)
                except StopIteration as end:
                    taken = max(taken, time.thread_time() - begun)
                    self._longer = min(max(taken / self._estimate, self._longer / _CHANGE), self._longer * _CHANGE)
                    found: Found = end.value
                    return found
                taken = max(taken, time.thread_time() - begun)
                yield told


def blocks(
    world: World | PlacedWorld, bounds: Bounds, pairs: Ints, seconds: float = BLOCK, *, evidence: bool = False
) -> list[Ints]:
    """Return all `Blocks`, by their estimates."""
    return list(Blocks(world, bounds, pairs, seconds, evidence=evidence))


def costs(world: World | PlacedWorld, bounds: Bounds, pairs: Ints, *, evidence: bool = False) -> Floats:
    """Return the estimated seconds (P,) to test each pair, accurate to a factor of about five.

    With `evidence`, the time for the separating translation and the contacts of pairs with a mesh.
    """
    if isinstance(world, PlacedWorld):
        flat: Floats = _PAIR + _PIECES * _pieces(world)[pairs].prod(axis=1)
        return flat
    vertices, triangles = _sizes(world)
    count = vertices[pairs]
    result: Floats = _PAIR + _VERTEX * count.sum(axis=1) + _VERTICES * count.prod(axis=1)
    of_meshes = triangles[pairs].any(axis=1)
    endless = np.isin(world.kind, UNBOUNDED)[pairs].any(axis=1)
    above = np.flatnonzero(of_meshes & endless)
    result[above] += _ABOVE * triangles[pairs[above]].sum(axis=1)
    inside = np.flatnonzero(of_meshes & ~endless)
    faces = np.where(triangles > 0, triangles, _FACES * vertices)[pairs[inside]]
    mesh, triangle = (_MESH_EVIDENCE, _TRIANGLE_EVIDENCE) if evidence else (_MESH, _TRIANGLE)
    result[inside] += mesh + triangle * (faces * _shared(bounds, pairs[inside])).sum(axis=1)
    return result


def _of_meshes(world: World, pairs: Ints) -> Bools:
    """Return which pairs (P, 2) contain a mesh."""
    result: Bools = (np.asarray(world.kind) == Kind.MESH)[pairs].any(axis=1)
    return result


def _shared(bounds: Bounds, pairs: Ints) -> Floats:
    """Return the fraction (P, 2) of the bounds of each shape of a pair that lies in the bounds of the other shape."""
    low, high = (side[pairs] for side in bounds)
    size = high - low
    common = np.clip(high.min(axis=1) - low.max(axis=1), 0.0, None)[:, None]
    # Along an axis with flat bounds, the fraction is 1.
    part: Floats = np.divide(common, size, out=np.ones_like(size), where=size > 0.0).prod(axis=2)
    return part


def _sizes(world: World) -> tuple[Ints, Ints]:
    """Return the vertices (N,) of convex shapes and the triangles (N,) of meshes, for `costs`."""
    vertices, triangles = np.zeros((2, len(world)), dtype=np.int64)
    for number, batch in enumerate(world.batches):
        rows = world.batch == number
        if isinstance(batch, Meshes):
            triangles[rows] = np.array([len(mesh.triangles) for mesh in batch.geometry], dtype=np.int64)[batch.index]
        elif isinstance(batch, Hulls):
            vertices[rows] = np.array([len(hull.vertices) for hull in batch.geometry], dtype=np.int64)[batch.index]
        elif isinstance(batch, Cylinders | SupportMapped):
            vertices[rows] = _ROUND
    return vertices, triangles


def _pieces(world: PlacedWorld) -> Ints:
    """Return the number of convex pieces (N,) of each shape."""
    parts = [
        np.diff(batch.first)[batch.index] if isinstance(batch, Regions) else np.ones(len(batch), dtype=np.int64)
        for batch in world.flat.batches
    ]
    return np.concatenate(parts)
