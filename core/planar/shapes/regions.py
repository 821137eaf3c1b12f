# SPDX-License-Identifier: GPL-3.0-or-later
"""Regions: concave outlines with holes, each a body that consists of convex pieces; and pairs of bodies.

`local_pairs` gives pairs in local coordinates, which have as many exact digits far from the origin as near it. A place
is stored as a float64 and its rounding error (`Rows`). The difference of two places is therefore as exact as the shapes
themselves, however far they are from the origin.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import ArrayLike

from ...numerics.rows import (
    RowTable,
    concatenate,
    cyclic_successors,
    joined_indices,
    ragged_arange,
    ragged_blocks,
    repeated,
)
from ...numerics.tolerances import FACE_ALIGNMENT
from ...numerics.types import Bools, Floats, Ints
from ...numerics.validation import PLANE, coordinates, items
from ...shapes.batch import Batch, Materials
from ..polygon.decomposition import Decomposition, decomposition, rings
from ..polygon.predicates import orientation
from .blocks import Convex
from .convex import AABBs, Polygons, frames
from .polygon_pool import Outlines, outward_normals, unit_normals, with_caps

# Fields of regions that are tables, or batches.
_TABLES = ("pieces", "sides", "cones")
# The number of pairs of pieces processed together.
_CHUNK = 1 << 18


@dataclass(frozen=True, eq=False, repr=False)
class CornerCones(RowTable):
    """For each corner of the pieces, the cone of directions from which it can be touched from outside the region.

    Attributes
    ----------
    boundary : (V,) bool
        Whether the edge that begins at the corner is on the region's boundary; other edges are cuts.
    first, last : (V, 2) float64
        The normals of the boundary edges before and after the corner. The directions lie between them.
    convex : (V,) bool
        False at reflex corners, which have no such directions.
    """

    boundary: Bools
    first: Floats
    last: Floats
    convex: Bools

    def contains(self, corner: Ints, x: Floats, y: Floats) -> Bools:
        """Whether unit directions are in the cones of the corners, within an angle of about 1e-5."""
        (fx, fy), (lx, ly) = self.first[corner].T, self.last[corner].T
        slack = np.sqrt(FACE_ALIGNMENT)
        between = (fx * y - fy * x >= -slack) & (x * ly - y * lx >= -slack)
        return self.convex[corner] & between & ((fx + lx) * x + (fy + ly) * y >= 0.0)


class Regions(Batch):
    """Solid regions of the plane, which may be concave and have holes.

    Parameters
    ----------
    regions : sequence of (outline, holes)
        Each with an outline (k, 2) and a sequence of holes (k, 2), as for `decompose`.
    translation : (N, 2) array-like, optional
    angle : (N,) array-like, optional
        Radians. A corner x has the world coordinates ``rotation(angle) @ x + translation``.
    materials : Materials, optional
        One row for each shape, or one for all.

    Attributes
    ----------
    pieces : Polygons
        The convex pieces of all regions; the pieces of a region are one body. Features are named by the corners of the
        input: first those of the outline, then those of the holes in their order.

    Raises
    ------
    ValueError
        If sides of an outline cross, a hole is not inside its outline, a field has the wrong shape or is not finite, or
        numbers of rows differ; the message names the field and the row.
    """

    shared: ClassVar[tuple[str, ...]] = ("pieces", "first", "sides", "first_side", "cones")
    refers: ClassVar[tuple[str, ...]] = ("index",)
    index: Ints
    pieces: Polygons
    first: Ints
    sides: Polygons
    first_side: Ints
    cones: CornerCones

    def __init__(
        self,
        regions: Sequence[tuple[ArrayLike, Sequence[ArrayLike]]],
        translation: ArrayLike | None = None,
        angle: ArrayLike | None = None,
        *,
        materials: Materials | None = None,
    ) -> None:
        made = []
        for row, region in enumerate(items(regions, "regions")):
            if len(items(region, f"regions: row {row}")) != 2:
                raise ValueError(f"regions: row {row} is not a pair of an outline and a list of holes")
            given = rings(region[0], region[1], f"regions: row {row}: ")
            coordinates(given.points, f"regions: row {row}", (-1, 2), PLANE)
            made.append(decomposition(given))
        corners = [_corners(one) for one in made]
        frame = frames(translation, angle, len(made), "regions")
        count, sides = [len(one.start) - 1 for one in made], [int((one.twin < 0).sum()) for one in made]
        outlines, source = with_caps(_outlines(made, corners))
        cosine, sine = (np.repeat(part, count)[outlines.owner] for part in frame[1:])
        self.fill(
            index=np.arange(len(made)),
            pieces=Polygons.of(outlines, *(np.repeat(part, count, axis=0) for part in frame)),
            first=np.cumsum([0, *count]),
            sides=Polygons.of(_sides(made), *(np.repeat(part, sides, axis=0) for part in frame)),
            first_side=np.cumsum([0, *sides]),
            cones=_cones(corners, outlines, source, cosine, sine),
            materials=materials,
        )

    def __len__(self) -> int:
        return len(self.index)

    @classmethod
    def joined_shared(cls, batches: Sequence[Self]) -> dict[str, Any]:
        """The shared fields of `joined`, and those that refer to them, by name."""
        result: dict[str, Any] = {name: concatenate([getattr(one, name) for one in batches]) for name in _TABLES}
        for name in ("first", "first_side"):
            counts = np.concatenate([np.diff(getattr(one, name)) for one in batches])
            result[name] = np.cumsum([0, *counts])
        sizes = [len(one.first) - 1 for one in batches]
        return {**result, "index": joined_indices([one.index for one in batches], sizes)}

    def row_geometry(self) -> list[tuple[Any, ...]]:
        """The convex pieces of each row, each with its place and its corners."""
        ends = zip(self.first[self.index].tolist(), self.first[self.index + 1].tolist(), strict=True)
        return [(self.pieces.take(slice(first, last)),) for first, last in ends]

    def bounds(self) -> tuple[Floats, Floats]:
        """Axis-aligned bounds: lower (N, 2) and upper (N, 2)."""
        lower, upper = self.pieces.bounds()
        begin = self.first[:-1]
        if not len(begin):
            return lower, upper
        return np.minimum.reduceat(lower, begin)[self.index], np.maximum.reduceat(upper, begin)[self.index]


Body = Convex | Regions


@dataclass(frozen=True, eq=False)
class PiecePairs:
    """Pairs of convex pieces: rows of two batches, and the pair of bodies that they belong to."""

    owner: Ints
    a: Ints
    b: Ints


def pieces_of(shapes: Body) -> Convex:
    """The convex batch of the pieces; for a convex kind, the batch itself."""
    return shapes.pieces if isinstance(shapes, Regions) else shapes


def piece_pairs(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> Iterator[PiecePairs]:
    """Every piece of A with every piece of B for each pair, in order, in chunks of whole pairs."""
    return product(*ranges(a, rows_a), *ranges(b, rows_b))


def product(first_a: Ints, count_a: Ints, first_b: Ints, count_b: Ints) -> Iterator[PiecePairs]:
    """Every row of one range with every row of another, for each pair of ranges, in chunks of whole pairs."""
    count = count_a * count_b
    for block in ragged_blocks(count, _CHUNK):
        owner, number = ragged_arange(count[block])
        owner += block.start
        of_a, of_b = np.divmod(number, count_b[owner])
        yield PiecePairs(owner, first_a[owner] + of_a, first_b[owner] + of_b)


def ranges(shapes: Body, rows: Ints) -> tuple[Ints, Ints]:
    """The first piece of each of these rows, and the number of its pieces."""
    if not isinstance(shapes, Regions):
        return rows, np.ones(len(rows), np.int64)
    geometry = shapes.index[rows]
    return shapes.first[geometry], np.diff(shapes.first)[geometry]


@dataclass(frozen=True, eq=False)
class _Corners:
    """The corners of pieces, without collinear ones, unless boundary and cut meet there.

    Attributes
    ----------
    place : (c,) int64
        Their places in `Decomposition.vertex`.
    count : (p,) int64
        The number of those of each piece.
    boundary, convex : (c,) bool
        As in `CornerCones`.
    first, last : (c, 2) float64
        From the beginning to the end of the boundary edges before and after each, as in `CornerCones`.
    """

    place: Ints
    count: Ints
    boundary: Bools
    convex: Bools
    first: Floats
    last: Floats


def _corners(found: Decomposition) -> _Corners:
    size = np.diff(found.start)
    after, edge = cyclic_successors(size), np.arange(len(found.vertex))
    before = np.empty_like(after)
    before[after] = edge
    point, boundary = found.graph.points[found.vertex], found.twin < 0
    straight = orientation(point[before], point, point[after]) == 0
    place = np.flatnonzero(~straight | (boundary[before] != boundary))
    # Turn about each vertex, through the neighboring pieces, to the boundary on either side.
    first = repeated(np.where(boundary, edge, before[found.twin]))[before[place]]
    last = repeated(np.where(boundary, edge, after[found.twin]))[place]
    start, end = point[first], point[after[last]]
    owner = np.repeat(np.arange(len(size)), size)[place]
    return _Corners(
        place,
        np.bincount(owner, minlength=len(size)),
        boundary[place],
        orientation(start, point[place], end) >= 0,
        point[place] - start,
        end - point[place],
    )


def _outlines(made: list[Decomposition], corners: list[_Corners]) -> Outlines:
    """The pieces of all decompositions; a cut is named like an edge of zero length at the corner where it begins."""
    points, vertices, edges = [np.empty((0, 2))], [np.empty(0, np.int64)], [np.empty(0, np.int64)]
    for one, own in zip(made, corners, strict=True):
        vertex = one.vertex[own.place]
        points.append(one.graph.points[vertex])
        vertices.append(one.graph.corner[vertex])
        end = one.vertex[cyclic_successors(np.diff(one.start))[own.place]]
        edges.append(np.where(own.boundary, one.graph.names(vertex, end), -1 - one.graph.corner[vertex]))
    start = np.concatenate([[0], np.cumsum(np.concatenate([np.empty(0, np.int64), *(own.count for own in corners)]))])
    place = np.concatenate(points)
    return Outlines(place, np.concatenate(vertices), np.concatenate(edges), start, outward_normals(place, start))


def _sides(made: list[Decomposition]) -> Outlines:
    """The boundary edges as segments, each with its two ends twice, as in `PolygonPool`."""
    ends = [np.empty((0, 2))]
    for one in made:
        edge = np.flatnonzero(one.twin < 0)
        u, v = one.vertex[edge], one.vertex[cyclic_successors(np.diff(one.start))[edge]]
        order = np.lexsort((v, u))
        ends.append(one.graph.points[np.stack([u, v, v, u], axis=1)[order].reshape(-1)])
    points = np.concatenate(ends)
    start = np.arange(0, len(points) + 1, 4)
    names = np.tile(np.array([0, 1, 1, 0]), len(points) // 4)
    return Outlines(points, names, names, start, outward_normals(points, start))


def _cones(corners: list[_Corners], outlines: Outlines, source: Ints, cosine: Floats, sine: Floats) -> CornerCones:
    """The cones of the corners of all pieces, at indices `source` (V,) among them, each rotated by its own angle.

    The cap of a tip counts as boundary if the tip is a tip of the region itself.
    """
    normals = []
    for name in ("first", "last"):
        along = np.concatenate([np.empty((0, 2)), *(getattr(own, name) for own in corners)])
        nx, ny = unit_normals(along).T[:, source]
        normals.append(np.stack([cosine * nx - sine * ny, sine * nx + cosine * ny], axis=1))
    boundary, convex = (
        np.concatenate([np.empty(0, np.bool_), *(getattr(own, flag) for own in corners)])[source]
        for flag in ("boundary", "convex")
    )
    cones = CornerCones(boundary, normals[0], normals[1], convex)
    caps = np.flatnonzero(source[1:] == source[:-1])
    x, y = outlines.normals[caps].T
    boundary[caps] = cones.contains(caps, cosine[caps] * x - sine[caps] * y, sine[caps] * x + cosine[caps] * y)
    return cones


# The number of pieces whose rows are copied together: some megabytes.
_COPIED = 1 << 16


def local_pairs(a: Body, b: Body, rows_a: Ints, rows_b: Ints) -> Iterator[tuple[slice, Body, Body]]:
    """Chunks of the pairs: the slice, and both bodies row by row, relative to an origin in the smaller body."""
    bodies = (a, rows_a), (b, rows_b)
    pieces = ranges(a, rows_a)[1] + ranges(b, rows_b)[1]
    first, second = (np.hypot(*np.subtract(*shapes.bounds()).T)[rows] for shapes, rows in bodies)
    origin = np.where((first <= second)[:, None], *(_place(shapes, rows) for shapes, rows in bodies))
    for some in ragged_blocks(pieces, _COPIED):
        one, other = (from_origin(shapes, rows[some], origin[some]) for shapes, rows in bodies)
        yield some, one, other


def _place(shapes: Body, rows: Ints) -> Floats:
    """The place of the first piece of each body, (P, 2)."""
    first = ranges(shapes, rows)[0]
    of = pieces_of(shapes).rows
    return np.stack([of.x[first], of.y[first]], axis=1)


def from_origin(shapes: Any, rows: Ints, origin: Floats) -> Any:
    """These rows, each relative to an origin, (P, 2)."""
    if isinstance(shapes, Regions):
        parts: dict[str, Any] = {}
        for name, start in (("pieces", "first"), ("sides", "first_side")):
            polygons, begin = getattr(shapes, name), getattr(shapes, start)
            geometry = shapes.index[rows]
            count = np.diff(begin)[geometry]
            owner, at = ragged_arange(count, begin[geometry])
            parts |= {name: from_origin(polygons, at, origin[owner]), start: np.cumsum([0, *count])}
        taken = shapes.take(rows)
        return taken.with_fields(index=np.arange(len(rows)), **parts)
    taken = shapes.take(rows)
    fields: dict[str, Any] = {"rows": taken.rows.from_origin(origin)}
    if not isinstance(shapes, Polygons):
        corners = ("lower", "upper") if isinstance(shapes, AABBs) else ("center",)
        fields |= {name: getattr(taken, name) - origin for name in corners}
    return taken.with_fields(**fields)
