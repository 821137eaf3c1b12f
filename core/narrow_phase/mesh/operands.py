# SPDX-License-Identifier: GPL-3.0-or-later
"""Operands of pair queries with a mesh: another mesh or any bounded convex shape, row by row, with a common interface.

Each operand is a tree of boxes placed in the world. A mesh has its own tree. Any other shape is a single box.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...convex.polytopes.placed import PolytopeSupport, polytopes
from ...kernels import points
from ...kernels import reaches as by_tree
from ...kernels.rays import Surfaces
from ...kernels.supports import POLYTOPE, Side
from ...mesh.triangle_mesh import TriangleMesh, build_hulls
from ...numerics.rows import RowTable, blocks
from ...numerics.tolerances import rounding
from ...numerics.types import Bools, Floats, Ints
from ...numerics.vectors import as_columns, cross, dot, dot_columns, length, normalized, perpendicular
from ...shapes import Boxes, Capsules, Cylinders, Hulls, Meshes, Spheres, SupportMapped, Triangles
from ...shapes.sides import NO_CELLS, NO_FLOATS

Convex = Spheres | Capsules | Cylinders | SupportMapped | Boxes | Triangles | Hulls


@dataclass(frozen=True, eq=False)
class Trees:
    """Trees placed in the world.

    Attributes
    ----------
    span : (nodes, 6) float64
        The boxes of all trees, one tree after another, in their own frames; see `Tree`.
    leaf : (leaves,) int64
        The triangle of each leaf of all trees.
    node_start, leaf_start : (N,) int64
        Index of the first node and of the first leaf of each row's tree.
    levels : (N,) int64
    rotation : (N, 3, 3) float64
    translation : (N, 3) float64
    radius : (N,) float64
        The shape is within this distance of its boxes.
    reach : (N,) float64
        Radius of a sphere about the translation that contains the shape.
    corners : (M, 3, 3) float64
        Triangles of all meshes, in their own frames; none for other shapes.
    triangle_start : (N,) int64
        Index of the first triangle of each row.
    fit : (nodes,) int64
    box : (nodes + 1, 15) float64
        Fitted boxes of the nodes that kernels have visited; see `kernels.trees.Tree`.
    """

    span: Floats
    leaf: Ints
    node_start: Ints
    leaf_start: Ints
    levels: Ints
    rotation: Floats
    translation: Floats
    radius: Floats
    reach: Floats
    corners: Floats
    triangle_start: Ints
    fit: Ints
    box: Floats

    def __len__(self) -> int:
        return len(self.levels)

    def boxes(self, node: Ints) -> tuple[Floats, Floats]:
        """Centers and half extents of nodes in their own frames, (K, 3) each."""
        span = self.span[node]
        low, less = span[:, :3], span[:, 3:]
        return (low - less) / 2.0, (low + less) / -2.0

    def take(self, rows: Ints, shift: Floats | None = None) -> "Trees":
        """Select rows, translated by `shift` (K, 3) if given."""
        moved = self.translation[rows]
        return replace(
            self,
            node_start=self.node_start[rows],
            leaf_start=self.leaf_start[rows],
            levels=self.levels[rows],
            rotation=self.rotation[rows],
            translation=moved if shift is None else moved + shift,
            radius=self.radius[rows],
            reach=self.reach[rows],
            triangle_start=self.triangle_start[rows],
        )


@dataclass(frozen=True, eq=False)
class MeshRows:
    """Rows of a batch of meshes: their trees, and all their triangles in one table.

    Attributes
    ----------
    tables : MeshTables
        Of the meshes of the rows, and perhaps of others.
    mesh : (N,) int64
        The mesh of each row.
    bodies : Trees
    solid : (N,) bool
    point_start : (N,) int64
        Index of the first vertex of each row.
    """

    tables: "MeshTables"
    mesh: Ints
    bodies: Trees
    solid: np.ndarray
    point_start: Ints

    def __len__(self) -> int:
        return len(self.mesh)

    @property
    def corners(self) -> Floats:
        """Triangles of all meshes in their own frames, (M, 3, 3)."""
        return self.bodies.corners

    @property
    def triangle_start(self) -> Ints:
        """Index of the first triangle of each row, (N,)."""
        return self.bodies.triangle_start

    @property
    def meshes(self) -> tuple[TriangleMesh, ...]:
        """The meshes of the tables, each once."""
        return self.tables.meshes

    @property
    def planes(self) -> Floats:
        """The planes of all triangles, (M, 5); see `TriangleMesh.planes`."""
        return self.tables.planes

    @property
    def all_points(self) -> Floats:
        """Vertices of all meshes, in their own frames, (V, 3)."""
        return self.tables.points

    def quads(self) -> Floats:
        """The halves of quads among the triangles of all meshes, (M, 2), valid for these rows; see `TriangleMesh`."""
        return self.tables.quads_of(np.unique(self.mesh))

    def where(self, holds: Callable[[TriangleMesh], bool]) -> Bools:
        """Return for the mesh of which rows a condition holds, (N,). Other meshes of the tables are not asked."""
        used, at = np.unique(self.mesh, return_inverse=True)
        result: Bools = np.array([holds(self.meshes[number]) for number in used.tolist()], dtype=bool)[at]
        return result

    def has_volume(self) -> Bools:
        """Return which rows have volume, (N,)."""
        return self.solid & self.where(lambda mesh: mesh.has_volume)

    def connected(self) -> Bools:
        """Return which rows have a mesh of one component, (N,)."""
        return self.where(lambda mesh: len(mesh.representatives) == 1)

    def convex(self, rows: Ints) -> Bools:
        """Return which of these rows (K,) are convex solids, (K,)."""
        result: Bools = self.solid[rows].copy()
        for number in np.unique(self.mesh[rows[result]]):
            result[self.mesh[rows] == number] &= self.meshes[number].convex
        return result

    def take(self, rows: Ints, shift: Floats | None = None) -> "MeshRows":
        """Select rows, translated by `shift` (K, 3) if given."""
        return replace(
            self,
            mesh=self.mesh[rows],
            bodies=self.bodies.take(rows, shift),
            solid=self.solid[rows],
            point_start=self.point_start[rows],
        )

    def placed(self, row: Ints, triangle: Ints) -> Floats:
        """Corners of triangles in the world, (K, 3, 3). A vertex has identical coordinates in all its triangles."""
        return in_world(self.bodies, row, self.corners[self.triangle_start[row] + triangle])

    def vertices(self, row: Ints, vertex: Ints) -> Floats:
        """Vertices (K,) of rows (K,) in the world, (K, 3)."""
        return in_world(self.bodies, row, self.all_points[self.point_start[row] + vertex][:, None])[:, 0]

    def points(self, row: int) -> Floats:
        """All vertices of one row in the world (k, 3), in the order of its mesh."""
        points = self.meshes[self.mesh[row]].points
        return in_world(self.bodies, np.full(len(points), row), points[:, None])[:, 0]


def in_world(bodies: Trees, row: Ints, points: Floats) -> Floats:
    """Transform points (K, n, 3) of rows (K,) to the world. The result of each point is independent of the others."""
    result = np.empty(points.shape)
    for rows in blocks(len(row)):
        frame = [as_columns(each.take(row[rows], axis=0)) for each in (bodies.rotation, bodies.translation)]
        for number in range(points.shape[1]):
            given = as_columns(points[rows, number])
            for axis in range(3):
                result[rows, number, axis] = dot_columns(frame[0][axis], given) + frame[1][axis]
    return result


def in_frame(bodies: Trees, row: Ints, points: Floats) -> Floats:
    """Transform world points (K, 3) to the frames of rows (K,)."""
    result: Floats = np.matmul((points - bodies.translation[row])[:, None], bodies.rotation[row])[:, 0]
    return result


def surfaces_of(bodies: Trees, row: Ints | None = None) -> Surfaces:
    """The trees of meshes as kernels take them: all rows, or these."""
    columns = bodies.node_start, bodies.leaf_start, bodies.triangle_start, np.left_shift(1, bodies.levels)
    table = np.stack(columns, axis=1)
    return Surfaces(bodies.span, bodies.leaf, bodies.corners, table if row is None else table[row])


def distances_from(surface: MeshRows, row: Ints, point: Floats) -> Floats:
    """Return how far points (K, 3) in the world are from the surfaces of their rows (K,), (K,)."""
    local = np.ascontiguousarray(in_frame(surface.bodies, row, point))
    closest, part = np.empty(local.shape), np.empty(local.shape, dtype=np.int64)
    points.nearest(surfaces_of(surface.bodies, row), local, closest, part)
    return length(closest - local)


@dataclass(frozen=True, eq=False)
class MeshTables:
    """The arrays of several meshes, one mesh after another, as in `Trees` and `MeshRows`.

    Attributes
    ----------
    meshes : tuple of TriangleMesh
    node_start, leaf_start, triangle_start, point_start, levels, reach : (G,)
        Of each mesh.
    quads : (M, 2) float64
        See `TriangleMesh.quads`. Filled for the meshes for which a search has needed them: `filled` (G,) bool.
    """

    meshes: tuple[TriangleMesh, ...]
    span: Floats
    leaf: Ints
    corners: Floats
    planes: Floats
    points: Floats
    node_start: Ints
    leaf_start: Ints
    triangle_start: Ints
    point_start: Ints
    levels: Ints
    reach: Floats
    fit: Ints
    box: Floats
    quads: Floats
    filled: Bools

    @classmethod
    def of(cls, meshes: Sequence[TriangleMesh], *, kept: bool) -> "MeshTables":
        """Join the arrays of meshes. If the tables are kept, the meshes get views of them."""
        trees = [each.tree for each in meshes]
        span = _joined([tree.span for tree in trees])
        counts = (
            [len(tree.span) for tree in trees],
            [len(tree.triangle) for tree in trees],
            [len(each.triangles) for each in meshes],
            [len(each.points) for each in meshes],
        )
        # Memory is committed where it is written: for the nodes that are visited.
        box = np.empty((len(span) + 1, 15))
        box[0] = 0.0
        leaf = _joined([tree.triangle for tree in trees])
        corners, planes = _joined([each.corners for each in meshes]), _joined([each.planes for each in meshes])
        starts = [_starts(np.array(count, dtype=np.int64)) for count in counts]
        if kept and len(meshes) > 1:
            # Large arrays are in memory only once. Views of tables that are not kept would keep all of their memory.
            for number, mesh in enumerate(meshes):
                both = zip(starts[:3], counts[:3], strict=True)
                nodes, leaves, cells = (slice(start[number], start[number] + count[number]) for start, count in both)
                own = {"corners": corners[cells], "planes": planes[cells]}
                vars(mesh).update(own, tree=replace(trees[number], span=span[nodes], triangle=leaf[leaves]))
        return cls(
            meshes=tuple(meshes),
            span=span,
            leaf=leaf,
            corners=corners,
            planes=planes,
            points=_joined([each.points for each in meshes]),
            node_start=starts[0],
            leaf_start=starts[1],
            triangle_start=starts[2],
            point_start=starts[3],
            levels=np.array([tree.levels for tree in trees], dtype=np.int64),
            reach=np.array([each.reach for each in meshes], dtype=np.float64),
            fit=np.zeros(len(span), dtype=np.int64),
            box=box,
            quads=np.empty((len(corners), 2)),
            filled=np.zeros(len(meshes), dtype=bool),
        )

    def quads_of(self, numbers: Ints) -> Floats:
        """Return the `quads`, which are filled for these meshes."""
        for number in numbers[~self.filled[numbers]].tolist():
            first, mesh = self.triangle_start[number], self.meshes[number]
            self.quads[first : first + len(mesh.triangles)] = mesh.quads
            self.filled[number] = True
        return self.quads


# Number of tables of lists of meshes that are cached with a batch: its original meshes, and those with oriented shells.
_KEPT = 2


def has_tables(batch: Meshes) -> bool:
    """Return whether a query has made tables of all meshes of a batch."""
    return bool(vars(batch.geometry).get("tables"))


@dataclass(eq=False)
class _Use:
    """Record of the use of the meshes of a batch by queries.

    Attributes
    ----------
    size : (G,) int64
        Triangles of each mesh.
    used : (G,) bool
        The meshes that queries have used.
    joined : int
        Triangles of all tables that were made for one query.
    """

    size: Ints
    used: Bools
    joined: int

    @classmethod
    def of(cls, batch: Meshes) -> "_Use":
        """The use of the meshes of a batch, which is stored with them."""
        known = vars(batch.geometry)
        if "use" not in known:
            size = np.array([len(each.triangles) for each in batch.geometry], dtype=np.int64)
            known["use"] = cls(size, np.zeros(len(size), dtype=bool), 0)
        use: _Use = known["use"]
        return use

    def is_mostly(self, meshes: Ints | Bools) -> bool:
        """Whether these are at least half of the triangles."""
        return bool(2 * self.size[meshes].sum() >= self.size.sum())


def needed(batch: Meshes) -> list[int]:
    """Return the numbers of the meshes whose arrays a query with a batch needs: those of its rows, or all.

    All are needed if these rows have most triangles. They are also needed if the tables of several queries, of most
    meshes, have had as many triangles together: then tables of all cost no more than those before.
    """
    used, use = np.unique(batch.index), _Use.of(batch)
    whole = use.is_mostly(used) or (use.joined >= use.size.sum() and use.is_mostly(use.used))
    result: list[int] = np.arange(len(use.size)).tolist() if whole else used.tolist()
    return result


def _tables(batch: Meshes, meshes: Sequence[TriangleMesh]) -> tuple[MeshTables, Ints]:
    """Tables that have the mesh of each row, and its index in them.

    If a batch needs all of its meshes, their tables are cached for further queries.
    """
    known: list[MeshTables] = vars(batch.geometry).setdefault("tables", [])
    own, use = np.unique(batch.index).tolist(), _Use.of(batch)
    for tables in known:
        if all(tables.meshes[number] is meshes[number] for number in own):
            return tables, batch.index
    numbers = needed(batch)
    if len(numbers) < len(meshes):
        use.used[numbers] = True
        use.joined += int(use.size[numbers].sum()) if len(numbers) > 1 else 0
        tables = MeshTables.of([meshes[number] for number in numbers], kept=False)
        return tables, np.searchsorted(numbers, batch.index)
    # Later queries may need others of these meshes with oriented shells, which are not in these tables.
    use.joined = 0
    tables = MeshTables.of(meshes, kept=True)
    known.append(tables)
    del known[:-_KEPT]
    return tables, batch.index


def mesh_rows(batch: Meshes, geometry: Sequence[TriangleMesh] | None = None) -> MeshRows:
    """The meshes of a batch, row by row. `geometry`, if given, replaces that of the batch."""
    tables, mesh = _tables(batch, batch.geometry if geometry is None else geometry)
    bodies = Trees(
        tables.span,
        tables.leaf,
        tables.node_start[mesh],
        tables.leaf_start[mesh],
        tables.levels[mesh],
        batch.rotation,
        batch.translation,
        np.zeros(len(batch)),
        tables.reach[mesh],
        tables.corners,
        tables.triangle_start[mesh],
        tables.fit,
        tables.box,
    )
    return MeshRows(tables, mesh, bodies, batch.solid, tables.point_start[mesh])


def _joined(parts: list[np.ndarray]) -> np.ndarray:
    """Concatenate the arrays. A single array is not copied."""
    return parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty((0, 3))


def _starts(count: Ints) -> Ints:
    result: Ints = np.cumsum(count) - count
    return result


def boxes_as_trees(shapes: Convex) -> Trees:
    """Convex shapes as trees of one oriented box each. The box is tight along the shape's own axes."""
    count = len(shapes)
    still = np.broadcast_to(np.eye(3), (count, 3, 3))
    center, radius = np.zeros((count, 3)), np.zeros(count)
    turn, half, place = still, np.zeros((count, 3)), center
    if isinstance(shapes, Spheres):
        place, radius = shapes.center, shapes.radius
    elif isinstance(shapes, Capsules | Cylinders):
        along = (shapes.end - shapes.start) / 2.0
        axis = normalized(along, np.array([0.0, 0.0, 1.0]))
        side = perpendicular(axis)
        turn, place = np.stack([side, cross(axis, side), axis], axis=2), shapes.start + along
        half[:, 2] = length(along)
        if isinstance(shapes, Cylinders):
            half[:, :2] = shapes.radius[:, None]
        else:
            radius = shapes.radius
    elif isinstance(shapes, SupportMapped):
        place, half, turn = shapes.oriented_box()
    elif isinstance(shapes, Boxes):
        turn, half, place = shapes.rotation, shapes.half_extents, shapes.center
    elif isinstance(shapes, Triangles):
        # Axes: along the longest edge, in the plane, and perpendicular to the plane.
        along = np.roll(shapes.vertices, -1, axis=1) - shapes.vertices
        longest = np.argmax((along * along).sum(axis=2), axis=1)
        first = normalized(along[np.arange(count), longest], np.array([1.0, 0.0, 0.0]))
        across = cross(along[:, 0], along[:, 1])
        normal = np.where(length(across)[:, None] > 0.0, normalized(across, np.zeros(3)), perpendicular(first))
        # For slivers the two are not exactly perpendicular.
        first = normalized(first - normal * (first * normal).sum(axis=1)[:, None], first)
        turn = np.stack([first, cross(normal, first), normal], axis=2)
        local = np.matmul(shapes.vertices - shapes.vertices[:, :1], turn)
        low, high = local.min(axis=1), local.max(axis=1)
        center, half, place = (low + high) / 2.0, (high - low) / 2.0, shapes.vertices[:, 0]
    else:
        used, hull = np.unique(shapes.index, return_inverse=True)
        points = [shapes.geometry[number].points[shapes.geometry[number].vertices] for number in used]
        low = np.array([each.min(axis=0) for each in points]).reshape(-1, 3)[hull.reshape(-1)]
        high = np.array([each.max(axis=0) for each in points]).reshape(-1, 3)[hull.reshape(-1)]
        center = (low + high) / 2.0
        half = np.maximum(high - center, center - low)
        turn, place = shapes.rotation, shapes.translation
    row = np.arange(count)
    reach = length(np.abs(center) + half) + radius
    nothing = np.zeros(count, dtype=np.int64)
    span = np.concatenate([center - half, -center - half], axis=1)
    no_boxes = np.empty(0, dtype=np.int64), np.empty((1, 15))
    return Trees(span, nothing, row, row, nothing, turn, place, radius, reach, np.empty((0, 3, 3)), nothing, *no_boxes)


@dataclass(frozen=True, eq=False)
class ConvexRows(RowTable):
    """Rows of convex shapes, each of one piece.

    Attributes
    ----------
    shapes : batch of one kind
    bodies : Trees
    """

    shapes: Convex
    bodies: Trees

    def interior_point(self) -> Floats:
        """A point in the interior of each shape, (N, 3)."""
        shapes = self.shapes
        if isinstance(shapes, Spheres | Boxes):
            return shapes.center
        if isinstance(shapes, Capsules | Cylinders):
            return shapes.start + (shapes.end - shapes.start) / 2.0
        if isinstance(shapes, SupportMapped):
            return shapes.interior_point()
        if isinstance(shapes, Triangles):
            return shapes.vertices.mean(axis=1)
        local = np.array([shapes.geometry[index].centroid for index in shapes.index]).reshape(-1, 3)
        result: Floats = np.einsum("nij,nj->ni", shapes.rotation, local) + shapes.translation
        return result

    def has_volume(self) -> Bools:
        """Return which rows have volume, (N,)."""
        shapes = self.shapes
        if isinstance(shapes, Boxes):
            return np.asarray((shapes.half_extents > 0.0).all(axis=1), dtype=np.bool_)
        if isinstance(shapes, SupportMapped):
            return shapes.has_volume()
        if isinstance(shapes, Spheres | Capsules | Cylinders):
            return shapes.radius > 0.0
        if isinstance(shapes, Triangles):
            return np.zeros(len(shapes), dtype=bool)
        result: Bools = np.array([hull.dimension == 3 for hull in shapes.geometry], dtype=bool)[shapes.index]
        return result

    def support_distance(self, row: Ints, direction: Floats) -> Floats:
        """Support distance of each row (K,) along its direction (K, 3), (K,)."""
        return dot(self.support_point(row, direction), direction)

    def support_point(self, row: Ints, direction: Floats) -> Floats:
        """Support point of each row (K,) along its unit direction (K, 3), (K, 3)."""
        bodies, shapes = self.bodies, self.shapes
        if isinstance(shapes, SupportMapped):
            return shapes.take(row).support(direction)
        if isinstance(shapes, Triangles | Hulls):
            return PolytopeSupport.of(polytopes(shapes.take(row))).support(direction)
        turn, half = bodies.rotation[row], bodies.boxes(bodies.node_start[row])[1]
        local = np.matmul(direction[:, None], turn)[:, 0]
        if isinstance(shapes, Cylinders):
            across = local[:, :2]
            size = np.hypot(across[:, 0], across[:, 1])[:, None]
            rim = half[:, :1] * across / np.where(size > 0.0, size, 1.0)
            corner = np.column_stack([rim, half[:, 2] * np.sign(local[:, 2])])
        else:
            corner = half * np.sign(local)
        far = np.einsum("kij,kj->ki", turn, corner) + bodies.translation[row]
        return far + bodies.radius[row][:, None] * direction


ShapeRows = ConvexRows | MeshRows

# The 26 directions of a cube.
AROUND = np.array([[x, y, z] for x in (-1, 0, 1) for y in (-1, 0, 1) for z in (-1, 0, 1) if (x, y, z) != (0, 0, 0)])
AROUND = AROUND / np.sqrt((AROUND * AROUND).sum(axis=1))[:, None]


def side(shapes: Convex | Meshes) -> ShapeRows:
    """Convert a batch to an operand of a pair query with a mesh."""
    return mesh_rows(shapes) if isinstance(shapes, Meshes) else ConvexRows(shapes, boxes_as_trees(shapes))


def pieces(shapes: ShapeRows, row: Ints, part: Ints) -> Convex:
    """The convex pieces of rows (K,): triangles of a mesh, or the whole of another shape."""
    if isinstance(shapes, ConvexRows):
        return shapes.shapes.take(row)
    return Triangles(shapes.placed(row, part))


def slack_of(a: ShapeRows, b: ShapeRows) -> Floats:
    """Rounding error of lengths at the coordinates of each pair, (P,)."""
    offset = np.maximum(length(a.bodies.translation), length(b.bodies.translation))
    return rounding(a.bodies.reach + b.bodies.reach, offset)


def size_of(a: ShapeRows, b: ShapeRows) -> Floats:
    """Size of each pair (P,): the sum of the radii of two spheres that contain the shapes."""
    result: Floats = a.bodies.reach + b.bodies.reach
    return result


def frames(a: ShapeRows, b: ShapeRows) -> Floats:
    """Columns (12, P) of the transform from B to A's frame: a matrix, row by row, and a translation."""
    back = a.bodies.rotation.transpose(0, 2, 1)
    shift = np.matmul(back, (b.bodies.translation - a.bodies.translation)[:, :, None])[:, :, 0]
    return np.concatenate([np.matmul(back, b.bodies.rotation).reshape(-1, 9), shift], axis=1).T.copy()


def reaches(shapes: ShapeRows, row: Ints, direction: Floats) -> Floats:
    """Support distance of each row (K,) along its unit direction, (K,)."""
    if isinstance(shapes, ConvexRows):
        return shapes.support_distance(row, direction)
    found = np.empty(len(row))
    local = np.matmul(direction[:, None], shapes.bodies.rotation[row])[:, 0]
    by_tree.reaches(surfaces_of(shapes.bodies, row), np.ascontiguousarray(local), found)
    return found + dot(shapes.bodies.translation[row], direction)


_AXES = np.concatenate([np.eye(3), -np.eye(3)])


def axes_of(shapes: ShapeRows) -> Floats:
    """Directions from the shape's own axes, in its frame: none for a sphere, only the axis of a capsule or cylinder."""
    if isinstance(shapes, ConvexRows) and isinstance(shapes.shapes, Spheres):
        return _AXES[:0]
    if isinstance(shapes, ConvexRows) and isinstance(shapes.shapes, Capsules | Cylinders):
        return _AXES[2::3]
    return _AXES


def box_centers(shapes: ShapeRows) -> Floats:
    """Centers of the shapes' boxes in the world, (N, 3)."""
    bodies = shapes.bodies
    result: Floats = np.einsum("nij,nj->ni", bodies.rotation, bodies.boxes(bodies.node_start)[0]) + bodies.translation
    return result


# Maximum number of vertices of a mesh for which its hull is asked for.
_VERTICES = 1 << 12
# Number of edges assumed for a larger mesh.
_MANY = 1 << 30


def few_vertices(surface: ShapeRows) -> Bools:
    """Return which rows have no more vertices than hulls are asked for, (N,)."""
    if isinstance(surface, ConvexRows):
        return np.ones(len(surface), dtype=bool)
    return surface.where(lambda mesh: len(mesh.used) <= _VERTICES)


def hulls_by_vertices(surface: MeshRows) -> Side:
    """The convex hulls of meshes as kernels read them: by all vertices, so that no hull is built."""
    used, mesh = np.unique(surface.mesh, return_inverse=True)
    points = [each.used_points for each in (surface.meshes[number] for number in used.tolist())]
    count, mesh = np.array([len(each) for each in points], dtype=np.int64), mesh.reshape(-1)
    places = np.full((len(surface), 4), -1)
    places[:, 0], places[:, 1] = _starts(count)[mesh], count[mesh]
    bodies, middle = surface.bodies, np.array([each.mean(axis=0) for each in points]).reshape(-1, 3)[mesh]
    far = length(bodies.translation)
    return Side(
        POLYTOPE,
        np.ascontiguousarray(bodies.rotation).reshape(-1, 9),
        np.ascontiguousarray(bodies.translation),
        NO_FLOATS,
        np.ascontiguousarray(_joined(points).T),
        places,
        NO_CELLS,
        NO_CELLS,
        np.einsum("nij,nj->ni", bodies.rotation, middle),
        np.stack([bodies.reach, np.zeros(len(surface)), far, far], axis=1),
    )


def hulls_of(surface: ShapeRows) -> tuple[Convex | None, Ints]:
    """The convex hulls of one operand, and the number of edges of each. Large meshes get a great number and no hull."""
    if isinstance(surface, ConvexRows):
        shapes = surface.shapes
        if isinstance(shapes, Hulls):
            return shapes, np.array(
                [max(1, len(shapes.geometry[index].edges)) for index in shapes.index], dtype=np.int64
            )
        return shapes, np.full(len(shapes), 12)
    used, mesh = np.unique(surface.mesh, return_inverse=True)
    mine = [surface.meshes[number] for number in used.tolist()]
    small = np.array([len(each.used) <= _VERTICES for each in mine], dtype=bool)
    if not small.any():
        return None, np.full(len(surface), _MANY)
    meshes = [mine[number] for number in np.flatnonzero(small)]
    missing = [each for each in meshes if "hull" not in vars(each)]
    if missing:
        build_hulls(missing)
    # The number of edges excludes a large mesh, so its hull, which is a placeholder, is not used.
    hull = np.maximum(np.cumsum(small) - 1, 0)
    edges = np.array([max(1, len(each.hull.edges)) for each in meshes], dtype=np.int64)[hull]
    edges[~small] = _MANY
    bodies, of = surface.bodies, mesh.reshape(-1)
    shapes = Hulls([each.hull for each in meshes], hull[of], bodies.translation, bodies.rotation)
    return shapes, edges[of]
