# SPDX-License-Identifier: GPL-3.0-or-later
"""Treat convex solid meshes as hulls: pairs of two convex shapes are answered by the algorithms for hulls.

A mesh is convex if it is the boundary of its hull, except for dents no deeper than the rounding of its coordinates; see
`is_convex`. Results have the features of the mesh.
"""

from collections.abc import Generator, Iterator
from dataclasses import dataclass, replace
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np

from ..mesh.hull_features import hull_features
from ..narrow_phase.algorithm import PairAlgorithm
from ..numerics.rows import rows_of_each
from ..numerics.types import Bools, Floats, Ints
from ..results import Contacts, Depths, Distances, Separations
from ..shapes import Hulls, Kind, Meshes
from ..shapes.batch import Batch, BatchView, Rows

# Cached hulls of batches with convex solid meshes. Batches do not change.
_HULLS: WeakKeyDictionary[Batch, Hulls] = WeakKeyDictionary()


def by_convexity(a: Batch, b: Batch, index_a: Ints, index_b: Ints) -> Iterator[tuple[Ints | None, bool]]:
    """Split pairs of rows of two batches into rows, and whether both shapes of these are convex and one is a mesh.

    None stands for all rows. Pairs without a mesh, or with a compound, are not split.
    """
    if Kind.MESH not in (a.kind, b.kind) or Kind.COMPOUND in (a.kind, b.kind):
        yield None, False
        return
    convex = _convex(a, index_a) & _convex(b, index_b)
    for which, both in ((convex, True), (~convex, False)):
        if which.all():
            yield None, both
        elif which.any():
            yield np.flatnonzero(which), both


def _convex(shapes: Batch, rows: Ints) -> Bools:
    """Return which rows (K,) are convex. For meshes, only solids are."""
    if not isinstance(shapes, Meshes):
        return np.ones(len(rows), dtype=bool)
    result: Bools = shapes.solid[rows]
    if result.any():
        result = result & shapes.geometry.convex[shapes.index[rows]]
    return result


def as_hulls(shapes: Batch) -> Batch:
    """The hulls of the rows of a batch of meshes that are convex solids. Any other batch is returned unchanged."""
    if not isinstance(shapes, Meshes):
        return shapes
    known = _HULLS.get(shapes)
    if known is None:
        known = _HULLS[shapes] = shapes.hulls()
    return known


@dataclass(frozen=True)
class HullsOfMeshes(PairAlgorithm[Any, Any]):
    """Queries about hulls of meshes. Features are those of the meshes.

    Attributes
    ----------
    pair : PairAlgorithm
        The algorithm for hulls.
    mesh_a, mesh_b : Batch
        The original batches of the rows of A and of B: meshes, or shapes of another kind.
    """

    pair: PairAlgorithm[Any, Any]
    mesh_a: Batch
    mesh_b: Batch

    def overlap(self, a: Rows[Any], b: Rows[Any]) -> Bools:
        """See `PairAlgorithm`."""
        return self.pair.overlap(a, b)

    def distance(self, a: Rows[Any], b: Rows[Any]) -> Distances:
        """See `PairAlgorithm`."""
        return self.pair.distance(a, b)

    def local_distance(self, a: Rows[Any], b: Rows[Any]) -> Distances:
        """See `PairAlgorithm`."""
        return self.pair.local_distance(a, b)

    def separating_axis(self, a: Rows[Any], b: Rows[Any]) -> Separations:
        """See `PairAlgorithm`."""
        return self._named(self.pair.separating_axis(a, b), a, b, None)

    def contacts(self, a: Rows[Any], b: Rows[Any], margin: float, known: Distances | None = None) -> Contacts:
        """See `PairAlgorithm`."""
        found = self.pair.contacts(a, b, margin, known)
        return self._named(found, a, b, found.pair)

    def interference(self, a: Rows[Any], b: Rows[Any], touching: Floats, known: Distances | None = None) -> Floats:
        """See `PairAlgorithm`."""
        return self.pair.interference(a, b, touching, known)

    def classify_steps(
        self, a: Rows[Any], b: Rows[Any], touching: Floats, clearance: Floats, *, deep: bool
    ) -> Generator[None, None, tuple[Ints, Depths]]:
        """See `PairAlgorithm`."""
        return self.pair.classify_steps(a, b, touching, clearance, deep=deep)

    def farther(self, a: Rows[Any], b: Rows[Any], reach: Floats) -> Bools:
        """See `PairAlgorithm`."""
        return self.pair.farther(a, b, reach)

    def contains(self, a: Any, b: Any) -> Bools:
        """See `PairAlgorithm`."""
        return self.pair.contains(a, b)

    def contained(self, a: Any, b: Any) -> Bools:
        """See `PairAlgorithm`."""
        return self.pair.contained(a, b)

    def _named(self, found: Any, a: Rows[Any], b: Rows[Any], pair: Ints | None) -> Any:
        """Separations or contacts with the features of the meshes. `pair` is the row of each contact."""
        named: dict[str, Ints] = {}
        for name, rows, batch in (("feature_a", a, self.mesh_a), ("feature_b", b, self.mesh_b)):
            if not isinstance(batch, Meshes):
                continue
            assert isinstance(rows, BatchView)
            feature = getattr(found, name)
            if len(batch.geometry) == 1:
                named[name] = hull_features(batch.geometry[0]).of(feature)
                continue
            named[name] = feature.copy()
            index = batch.index[rows.rows if pair is None else rows.rows[pair]]
            for number, some in rows_of_each(index):
                named[name][some] = hull_features(batch.geometry[number]).of(feature[some])
        return replace(found, **named)
