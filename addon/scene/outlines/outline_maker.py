# SPDX-License-Identifier: GPL-3.0-or-later
"""Make the outline of an object in a plane from its collision shape and its display geometry.

Flat objects have exact outlines: filled curves and flat meshes have those of their boundaries, with all holes. Other
meshes have the outline of their silhouette. Shapes from settings, rigid bodies, names or empties are made as in 3D and
projected: a sphere becomes a circle, a box a rectangle or a hexagon.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from ....core.numerics.types import Floats
from ....core.planar import Circles, Regions, convex_hull, distance
from ....core.planar.polygon.predicates import is_convex
from ....core.planar.polygon.union import Crossing, Region, TooDetailed, enclosed, silhouette
from ....core.planar.shapes.polygon_pool import certainly_convex
from ....core.planar.world import Plane
from ...model import tolerances
from ...model.message import Message
from ...model.shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Mesh, Sphere
from ..meshes.display_geometry import DisplayGeometry
from ..objects.choice import MESH, ShapeChoice
from ..objects.facts import ObjectFacts
from ..objects.transforms import Placements
from ..reading import known_issues
from ..reading.known_issues import ReadingIssue
from ..reading.placing import ShapeMaker, ShapeResult
from . import outline_issues
from .plane_shapes import Circle, PlaneArea, PlaneShape, Polygon, Rectangle, with_margin
from .wires import loops_and_lines

# The number of straight segments for half a circle.
ROUND_PIECES = 64

# A limit for the sine of the angle times a ratio of scales. Below it, a flat object is seen nearly edge-on, and the
# outline is computed from the projected vertices, because mapping its own outline would leave fewer digits than float32
# has.
_EDGE_ON = 1e-3


@dataclass
class Outlined(ShapeResult):
    """The result for one object in the plane; its shapes are `shapes`.

    Attributes
    ----------
    shapes : tuple of PlaneShape
        Parts that are separate, or connected only at corners, are separate shapes.
    front : float
        The height of its foremost point.
    crossing : (3,) float64, optional
        Where its edges cross, in world space, so that its convex hull is used instead.
    """

    shapes: tuple[PlaneShape, ...] = ()
    front: float = 0.0
    crossing: Floats | None = None


@dataclass(frozen=True, eq=False)
class _Found:
    """The outline of display geometry relative to its object's origin, in the plane (k, 2) or in object space (k, 3).

    Attributes
    ----------
    areas : list of (outline, holes)
    convex : list of corners
    reason : str
    issue : ReadingIssue, optional
    crossing : (2,) or (3,) float64, optional
        Where the outline crosses itself, so that the convex hull is used instead.
    spike : (2,) or (3,) float64, optional
        Where a part without width was left out of the outline.
    """

    areas: list[Region] = field(default_factory=list)
    convex: list[Floats] = field(default_factory=list)
    reason: str = ""
    issue: ReadingIssue | None = None
    crossing: Floats | None = None
    spike: Floats | None = None

    def mapped(self, linear: Floats) -> "_Found":
        """The outline under a linear map, given by its rows."""
        return replace(
            self,
            areas=[(ring @ linear.T, [hole @ linear.T for hole in holes]) for ring, holes in self.areas],
            convex=[corners @ linear.T for corners in self.convex],
            crossing=None if self.crossing is None else linear @ self.crossing,
            spike=None if self.spike is None else linear @ self.spike,
        )


class OutlineMaker:
    """Makes the outlines of many objects. Shared data is computed once.

    Parameters
    ----------
    placements : Placements
    plane : Plane
    shared : bool
        Whether the outline of a flat mesh or curve is computed once and mapped to all placements. Rotating and scaling
        it causes rounding, which can make touching rings cross, but this is rare enough to try it first.
    margins : bool
        Whether the outlines include the margins of their objects.
    """

    def __init__(self, placements: Placements, plane: Plane, *, shared: bool = True, margins: bool = True) -> None:
        self._placements, self._plane, self._shared, self._margins = placements, plane, shared, margins
        # Margins are added to the outlines, not to the solids.
        self._solid = ShapeMaker(placements, margins=False)
        # The geometry is stored with its outline, so that its id cannot be reused.
        self._seen: dict[tuple[int, str, bytes], tuple[DisplayGeometry, _Found]] = {}
        self._own: dict[tuple[int, str], tuple[DisplayGeometry, _Found | None]] = {}

    def make(self, choice: ShapeChoice, facts: ObjectFacts, drawn: DisplayGeometry | None, row: int) -> Outlined:
        """Make the outline of one object, with its margin.

        Parameters
        ----------
        choice : ShapeChoice
        facts : ObjectFacts
            The facts of the original object.
        drawn : DisplayGeometry, optional
            None for objects without display geometry, such as empties.
        row : int
            The row of the placements.
        """
        result = self._outlined(choice, facts, drawn, row)
        margin = facts.traits.margin if self._margins else 0.0
        if margin > 0.0:
            result.shapes = tuple(with_margin(shape, margin) for shape in result.shapes)
            result.front += margin
        return result

    def _outlined(self, choice: ShapeChoice, facts: ObjectFacts, drawn: DisplayGeometry | None, row: int) -> Outlined:
        usable = drawn is not None and drawn.geometry.is_finite and (choice.source != MESH or drawn.has_lines)
        if drawn is None or not usable or choice.shape not in {"MESH", "HULL"} or not self._placements.finite[row]:
            made = self._solid.make(choice, facts, None if drawn is None else drawn.geometry, row)
            return self._projected(made, row)
        result = Outlined(reason=choice.reason)
        axes, translation = self._plane.axes @ self._placements.linear[row], self._placements.translation[row]
        result.front = float((drawn.geometry.points @ axes[2]).max() + self._plane.height(translation))
        found = self._found("HULL" if choice.shape == "HULL" else facts.type, drawn, axes)
        place = self._plane.down(translation)
        areas = [PlaneArea(outline, tuple(holes), place) for outline, holes in found.areas]
        result.shapes = (*(Polygon(corners, place) for corners in found.convex), *areas)
        if choice.source == MESH:
            result.reason = found.reason
        if found.crossing is not None:
            result.crossing = self._plane.up(found.crossing + place, result.front)
            result.add_issue(outline_issues.self_crossing(result.crossing))
        elif found.issue is not None:
            result.add_issue(found.issue)
        if found.spike is not None:
            spike = self._plane.up(found.spike + place, result.front)
            result.add_issue(outline_issues.spike(spike))
        return result

    def _found(self, kind: str, drawn: DisplayGeometry, axes: Floats) -> _Found:
        """The outline as seen along the rows of `axes` (3, 3): right, up, and towards the viewer."""
        own = self._own_outline(kind, drawn) if self._shared else None
        if own is not None:
            first, second = _spread(drawn.geometry.points)
            seen = axes[:2][:, [first, second]]
            size = np.abs(seen).max()
            # A flat object that is seen nearly edge-on is handled by its projected vertices.
            if abs(np.linalg.det(seen)) > _EDGE_ON * size * size:
                return own.mapped(axes[:2])
        key = (id(drawn), kind, (axes + 0.0).tobytes())
        if key not in self._seen:
            points = drawn.geometry.points
            level = np.abs(points).max() * np.abs(axes).max()
            is_flat = bool(np.ptp(points @ axes[2]) <= tolerances.BOX_ROUNDING * level)
            self._seen[key] = (drawn, _outline(kind, drawn, points @ axes[:2].T, is_flat))
        return self._seen[key][1]

    def _own_outline(self, kind: str, drawn: DisplayGeometry) -> _Found | None:
        """The outline of geometry that is flat in an object axis, in object space. None if it is not flat."""
        key = (id(drawn), kind)
        if key not in self._own:
            points = drawn.geometry.points
            first, second = _spread(points)
            third = 3 - first - second
            made = None
            if np.ptp(points[:, third]) == 0.0:
                back = np.zeros((3, 2))
                back[first, 0] = back[second, 1] = 1.0
                level = np.zeros(3)
                level[third] = points[0, third]
                made = _raised(_outline(kind, drawn, points[:, [first, second]], True).mapped(back), level)
            self._own[key] = (drawn, made)
        return self._own[key][1]

    def _projected(self, made: ShapeResult, row: int) -> Outlined:
        """The outline of a shape in space."""
        result = Outlined(reason=made.reason, skipped=made.skipped, issues=made.issues)
        down, height = self._plane.down, self._plane.height
        shape = made.shape
        if isinstance(shape, HalfSpace):
            result.add_issue(outline_issues.HALF_SPACE)
            result.skipped = outline_issues.HALF_SPACE.message
        elif isinstance(shape, Sphere):
            result.shapes = (Circle(down(shape.center), shape.radius),)
            result.front = float(height(shape.center)) + shape.radius
        elif isinstance(shape, Capsule):
            result.shapes = (self._capsule(shape, result),)
            result.front = float(height(np.stack([shape.start, shape.end])).max()) + shape.radius
        elif isinstance(shape, Cylinder):
            result.shapes = (self._cylinder(shape, result),)
            axis = shape.end - shape.start
            lean = float(np.hypot(*down(axis))) / float(np.linalg.norm(axis))
            result.front = float(height(np.stack([shape.start, shape.end])).max()) + shape.radius * lean
        elif isinstance(shape, Cone):
            result.shapes = (self._cone(shape, result),)
            axis = shape.apex - shape.base
            lean = float(np.hypot(*down(axis))) / float(np.linalg.norm(axis))
            result.front = max(float(height(shape.base)) + shape.radius * lean, float(height(shape.apex)))
        elif isinstance(shape, Ellipsoid):
            result.shapes = (self._ellipsoid(shape, result),)
            result.front = float(height(shape.center) + np.linalg.norm(height(shape.axes.T) * shape.radii))
        elif isinstance(shape, Box):
            result.shapes = (self._box(shape),)
            result.front = float(height(shape.center) + np.abs(height(shape.axes.T)) @ shape.half)
        elif isinstance(shape, Hull | Mesh):
            points = shape.geometry.points @ shape.rotation.T
            result.shapes = (Polygon(hull_corners(down(points)), down(shape.translation)),)
            result.front = float(height(points).max() + height(shape.translation))
        return result

    def _capsule(self, shape: Capsule, result: Outlined) -> PlaneShape:
        start, end = self._plane.down(shape.start), self._plane.down(shape.end)
        along = end - start
        middle = (start + end) / 2.0
        if float(np.hypot(*along)) <= tolerances.FLOAT32_EPS * shape.radius:
            return Circle(middle, shape.radius)
        result.add_issue(outline_issues.ROUND)
        turn = np.arctan2(along[1], along[0]) + np.linspace(-np.pi / 2.0, np.pi / 2.0, ROUND_PIECES + 1)
        cap = shape.radius * np.stack([np.cos(turn), np.sin(turn)], axis=1)
        return Polygon(np.concatenate([along / 2.0 + cap, -along / 2.0 - cap]), middle)

    def _cylinder(self, shape: Cylinder, result: Outlined) -> PlaneShape:
        axis = shape.end - shape.start
        size = float(np.linalg.norm(axis))
        across, ahead = self._plane.down(axis), float(self._plane.height(axis))
        middle = self._plane.down((shape.start + shape.end) / 2.0)
        if float(np.hypot(*across)) <= tolerances.FLOAT32_EPS * size:
            return Circle(middle, shape.radius)
        angle = float(np.arctan2(across[1], across[0]))
        if abs(ahead) <= tolerances.FLOAT32_EPS * size:
            return Rectangle(middle, np.array([size / 2.0, shape.radius]), angle)
        result.add_issue(outline_issues.ROUND)
        # The rim of a cap is projected to an ellipse, which is narrower along the axis.
        cap = _ellipse(shape.radius * abs(ahead) / size, shape.radius, angle)
        return Polygon(hull_corners(np.concatenate([across / 2.0 + cap, cap - across / 2.0])), middle)

    def _cone(self, shape: Cone, result: Outlined) -> PlaneShape:
        axis = shape.apex - shape.base
        size = float(np.linalg.norm(axis))
        across, ahead = self._plane.down(axis), float(self._plane.height(axis))
        place = self._plane.down(shape.base)
        if float(np.hypot(*across)) <= tolerances.FLOAT32_EPS * size:
            return Circle(place, shape.radius)
        angle = float(np.arctan2(across[1], across[0]))
        if abs(ahead) <= tolerances.FLOAT32_EPS * size:
            side = shape.radius * np.array([-np.sin(angle), np.cos(angle)])
            return Polygon(hull_corners(np.stack([across, side, -side])), place)
        result.add_issue(outline_issues.ROUND)
        base = _ellipse(shape.radius * abs(ahead) / size, shape.radius, angle)
        return Polygon(hull_corners(np.concatenate([base, across[None]])), place)

    def _ellipsoid(self, shape: Ellipsoid, result: Outlined) -> PlaneShape:
        # The projection of a scaled sphere: an ellipse whose semi-axes are those of the map from sphere to plane.
        left, (long, short), _ = np.linalg.svd(self._plane.down((shape.axes * shape.radii).T).T)
        place = self._plane.down(shape.center)
        if long - short <= tolerances.FLOAT32_EPS * long:
            return Circle(place, float(long))
        result.add_issue(outline_issues.ROUND)
        return Polygon(hull_corners(_ellipse(long, short, float(np.arctan2(left[1, 0], left[0, 0])))), place)

    def _box(self, box: Box) -> PlaneShape:
        upright = np.abs(self._plane.height(box.axes.T))
        axis = int(np.argmax(upright))
        first, second = (axis + 1) % 3, (axis + 2) % 3
        place = self._plane.down(box.center)
        if upright[axis] >= 1.0 - tolerances.FLOAT32_EPS and upright[[first, second]].max() <= tolerances.FLOAT32_EPS:
            x, y = self._plane.down(box.axes[:, first])
            return Rectangle(place, box.half[[first, second]], float(np.arctan2(y, x)))
        signs = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)], np.float64)
        return Polygon(hull_corners(self._plane.down((signs * box.half) @ box.axes.T)), place)


def _ellipse(first: float, second: float, angle: float) -> Floats:
    """Points (n, 2) of an ellipse about the origin whose first semi-axis is rotated by an angle."""
    turn = np.linspace(0.0, 2.0 * np.pi, 2 * ROUND_PIECES, endpoint=False)
    x, y = first * np.cos(turn), second * np.sin(turn)
    return np.stack([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y], axis=1)


def hull_corners(points: Floats) -> Floats:
    """The corners of the convex hull of points (n, 2) that have the rounding of float32."""
    corners: Floats = points[convex_hull(points.astype(np.float32)).outline]
    return corners


def _spread(points: Floats) -> tuple[int, int]:
    """The two axes along which points (n, 3) have the greatest extent, the lower axis first."""
    least = int(np.argmin(np.ptp(points, axis=0)[::-1]))
    first, second = (axis for axis in range(3) if axis != 2 - least)
    return first, second


def _raised(found: _Found, level: Floats) -> _Found:
    """An outline in a coordinate plane of an object, moved to the level at which the object is flat."""
    return replace(
        found,
        areas=[(ring + level, [hole + level for hole in holes]) for ring, holes in found.areas],
        convex=[corners + level for corners in found.convex],
        crossing=None if found.crossing is None else found.crossing + level,
        spike=None if found.spike is None else found.spike + level,
    )


def _outline(kind: str, drawn: DisplayGeometry, flat: Floats, is_flat: bool) -> _Found:
    """The outline of display geometry whose vertices are projected to `flat` (n, 2)."""
    face = _one_convex_face(drawn, flat) if is_flat and kind == "MESH" else None
    if face is not None:
        return _Found(convex=[face], reason=Message("flat mesh"))
    corners = hull_corners(flat)
    hull = _Found(convex=[corners], reason=Message("convex hull of the mesh"))
    if kind == "HULL":
        return hull
    if len(corners) < 3 and len(drawn.geometry.triangles):
        return replace(hull, reason=Message("seen edge-on"), issue=outline_issues.EDGE_ON)
    reason: str
    try:
        if drawn.curves:
            regions, reason = enclosed(np.split(flat, np.cumsum(drawn.curves)[:-1])), Message("closed curve")
            rims = flat
        elif len(drawn.geometry.triangles):
            regions, reason = _filled(kind, drawn, flat, is_flat)
            rims = _uncovered(drawn, flat) if is_flat else flat[:0]
        elif len(drawn.wires):
            return _wired(drawn, flat)
        else:
            return replace(hull, issue=known_issues.NO_FACES)
    except Crossing as error:
        return replace(hull, crossing=error.point)
    except TooDetailed:
        return replace(hull, issue=outline_issues.TOO_DETAILED)
    if not regions:
        return replace(hull, reason=Message("seen edge-on"), issue=outline_issues.EDGE_ON)
    return replace(_sorted_out(regions, reason), spike=_spike(rims, regions))


def _spike(points: Floats, regions: list[Region]) -> Floats | None:
    """A corner (n, 2) that belongs to none of the regions made from the corners: the tip of a spike."""
    rings = [ring for outline, holes in regions for ring in (outline, *holes)]
    corners = {tuple(corner) for ring in rings for corner in ring.tolist()}
    left = np.array([point for point in points.tolist() if tuple(point) not in corners]).reshape(-1, 2)
    if not len(left) or not regions:
        return None
    batch = Regions(regions)
    which = np.stack(np.meshgrid(np.arange(len(regions)), np.arange(len(left)), indexing="ij"), axis=-1).reshape(-1, 2)
    away = distance(batch, Circles(left, np.zeros(len(left))), which).distance.reshape(len(regions), -1).min(axis=0)
    farthest = int(np.argmax(away))
    beyond = away[farthest] > tolerances.BOX_ROUNDING * float(np.abs(points).max())
    return left[farthest] if beyond else None


def _uncovered(drawn: DisplayGeometry, flat: Floats) -> Floats:
    """The corners of faces that belong to no triangle with an area."""
    triangles = drawn.geometry.triangles
    a, b, c = (flat[corner] for corner in triangles.T)
    solid = triangles[_cross(b - a, c - a) != 0.0]
    left: Floats = flat[np.setdiff1d(drawn.corners, solid)]
    return left


def _sorted_out(regions: list[Region], reason: str, lines: list[Floats] | None = None) -> _Found:
    """Convex regions without holes, separated from the other regions."""
    convex = [not holes and is_convex(outline) for outline, holes in regions]
    return _Found(
        areas=[region for region, simple in zip(regions, convex, strict=True) if not simple],
        convex=[region[0] for region, simple in zip(regions, convex, strict=True) if simple] + (lines or []),
        reason=reason,
    )


def _one_convex_face(drawn: DisplayGeometry, flat: Floats) -> Floats | None:
    """The boundary of a mesh with a single face if it is certainly convex, otherwise None."""
    if len(drawn.face_start) != 2 or len(drawn.wires) or len(drawn.corners) != len(flat):
        return None
    rim = flat[drawn.corners]
    return rim if certainly_convex(rim, np.array([0, len(rim)]))[0][0] else None


def _filled(kind: str, drawn: DisplayGeometry, flat: Floats, is_flat: bool) -> tuple[list[Region], str]:
    """The regions that faces cover, and the reason. Raises `Crossing` if the boundary of a flat face crosses itself."""
    triangles = drawn.geometry.triangles
    if is_flat:
        for ring in _doubtful_faces(drawn, flat):
            enclosed([ring])
    names = {"FONT": Message("text"), "CURVE": Message("closed curve")}
    reason = names.get(kind, Message("flat mesh")) if is_flat else Message("outline of the mesh")
    return silhouette(flat, triangles, tidy=not is_flat), reason


def _doubtful_faces(drawn: DisplayGeometry, flat: Floats) -> list[Floats]:
    """The boundaries of faces whose triangles, as Blender makes them, cover more than the boundary encloses."""
    if not (np.diff(drawn.face_start) > 3).any():
        return []
    a, b, c = (flat[corner] for corner in drawn.geometry.triangles.T)
    covered = np.zeros(len(drawn.face_start) - 1)
    np.add.at(covered, drawn.triangle_face, np.abs(_cross(b - a, c - a)))
    begin = drawn.face_start[:-1]
    rim = flat[drawn.corners]
    after = np.arange(1, len(rim) + 1)
    after[drawn.face_start[1:] - 1] = begin
    origin = np.repeat(rim[begin], np.diff(drawn.face_start), axis=0)
    enclosing = np.abs(np.add.reduceat(_cross(rim - origin, rim[after] - origin), begin))
    doubtful = covered - enclosing > tolerances.BOX_FIT * covered
    return [rim[drawn.face_start[face] : drawn.face_start[face + 1]] for face in np.flatnonzero(doubtful).tolist()]


def _cross(a: Floats, b: Floats) -> Floats:
    return a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]


def _wired(drawn: DisplayGeometry, flat: Floats) -> _Found:
    """The areas that loops of edges enclose. Other edges are lines without width."""
    loops, lines = loops_and_lines(drawn.wires)
    regions = enclosed([flat[loop] for loop in loops])
    found = _sorted_out(regions, Message("closed curve") if regions else Message("open curve"), list(flat[lines]))
    found = replace(found, spike=_spike(np.concatenate([flat[:0], *(flat[loop] for loop in loops)]), regions))
    if len(lines):
        return replace(found, issue=outline_issues.OPEN)
    if regions:
        return found
    return _Found(convex=[hull_corners(flat)], reason=Message("seen edge-on"), issue=outline_issues.EDGE_ON)
