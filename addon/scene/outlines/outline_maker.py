# SPDX-License-Identifier: GPL-3.0-or-later
"""From what an object stands for and what is drawn of it to its outline in a plane.

Flat things are taken exactly: filled curves and flat meshes by their rims, with all holes. What is not flat is taken by
its silhouette. What an object is set to, or its rigid body, its name or its empty say, is taken as in space and
projected: a sphere is a circle, a box a rectangle or a hexagon.
"""

from dataclasses import dataclass, field, replace

import numpy as np

from ....core.numerics.types import Floats
from ....core.planar import Circles, Regions, convex_hull, distance
from ....core.planar.polygon.predicates import is_convex
from ....core.planar.polygon.union import Crossing, Region, TooDetailed, enclosed, silhouette
from ....core.planar.shapes.polygon_pool import certainly_convex
from ....core.planar.world import Plane
from ...engines.unreal_shapes import Box, Capsule, Cone, Cylinder, Ellipsoid, Sphere
from ...model import tolerances
from ...model.message import Message
from ..meshes.display_geometry import Drawn
from ..objects.choice import MESH, Choice
from ..objects.facts import Facts
from ..objects.placements import Placements
from ..reading import remarks
from ..reading.placing import HalfSpace, Hull, Mesh, Outcome, ShapeMaker
from ..reading.remarks import Remark
from . import outline_remarks
from .plane_shapes import Area, Circle, PlaneShape, Polygon, Rectangle, with_margin
from .wires import loops_and_lines

# Straight pieces that stand for half a circle.
ROUND_PIECES = 64

# The sine of the angle, times a ratio of scales, below which something flat is looked at as it is seen, and not as it
# is: what is left of its digits is fewer than float32 has.
_EDGE_ON = 1e-3


@dataclass
class Outlined(Outcome):
    """What became of one object in the plane; its shapes are `shapes`.

    Attributes
    ----------
    shapes : tuple of PlaneShape
        What is apart, or hangs together by corners only, is a shape each.
    front : float
        How far it reaches to the front: the height of its foremost point.
    crossing : (3,) float64, optional
        Where what was drawn crosses itself, in the world, so that its hull had to be taken.
    """

    shapes: tuple[PlaneShape, ...] = ()
    front: float = 0.0
    crossing: Floats | None = None


@dataclass(frozen=True, eq=False)
class _Found:
    """The outline of something drawn, about the origin of its object, in the plane (k, 2) or in its object (k, 3).

    Attributes
    ----------
    areas : list of (outline, holes)
    convex : list of corners
    reason : str
    remark : Remark, optional
    crossing : (2,) or (3,) float64, optional
        Where the outline crosses itself, so that the hull has taken its place.
    spike : (2,) or (3,) float64, optional
        Where something without width has been left out of the outline.
    """

    areas: list[Region] = field(default_factory=list)
    convex: list[Floats] = field(default_factory=list)
    reason: str = ""
    remark: Remark | None = None
    crossing: Floats | None = None
    spike: Floats | None = None

    def mapped(self, linear: Floats) -> "_Found":
        """The same under a linear map, given by its rows."""
        return replace(
            self,
            areas=[(ring @ linear.T, [hole @ linear.T for hole in holes]) for ring, holes in self.areas],
            convex=[corners @ linear.T for corners in self.convex],
            crossing=None if self.crossing is None else linear @ self.crossing,
            spike=None if self.spike is None else linear @ self.spike,
        )


class OutlineMaker:
    """Makes the outlines of many objects; what objects share is worked out once.

    Parameters
    ----------
    placements : Placements
    plane : Plane
    shared : bool
        Whether flat meshes and curves have one outline wherever they are. Turned and scaled it is rounded, which may
        make of rings that touch rings that cross: rarely enough to try.
    margins : bool
        Whether outlines have the margins of their objects.
    """

    def __init__(self, placements: Placements, plane: Plane, *, shared: bool = True, margins: bool = True) -> None:
        self._placements, self._plane, self._shared, self._margins = placements, plane, shared, margins
        # It is the outlines that get margins.
        self._solid = ShapeMaker(placements, margins=False)
        # The drawn thing is kept with its outline, so that no other can get its id.
        self._seen: dict[tuple[int, str, bytes], tuple[Drawn, _Found]] = {}
        self._own: dict[tuple[int, str], tuple[Drawn, _Found | None]] = {}

    def make(self, choice: Choice, facts: Facts, drawn: Drawn | None, row: int) -> Outlined:
        """Make the outline of one object, with its margin.

        Parameters
        ----------
        choice : Choice
        facts : Facts
            Of the original object.
        drawn : Drawn, optional
            None for objects of which nothing is, such as empties.
        row : int
            Of the placements.
        """
        result = self._outlined(choice, facts, drawn, row)
        margin = facts.traits.margin if self._margins else 0.0
        if margin > 0.0:
            result.shapes = tuple(with_margin(shape, margin) for shape in result.shapes)
            result.front += margin
        return result

    def _outlined(self, choice: Choice, facts: Facts, drawn: Drawn | None, row: int) -> Outlined:
        usable = drawn is not None and drawn.geometry.is_finite and (choice.source != MESH or drawn.has_lines)
        if drawn is None or not usable or choice.shape not in {"MESH", "HULL"} or not self._placements.finite[row]:
            made = self._solid.make(choice, facts, None if drawn is None else drawn.geometry, row)
            return self._projected(made, row)
        result = Outlined(reason=choice.reason)
        axes, translation = self._plane.axes @ self._placements.linear[row], self._placements.translation[row]
        result.front = float((drawn.geometry.points @ axes[2]).max() + self._plane.height(translation))
        found = self._found("HULL" if choice.shape == "HULL" else facts.type, drawn, axes)
        place = self._plane.down(translation)
        areas = [Area(outline, tuple(holes), place) for outline, holes in found.areas]
        result.shapes = (*(Polygon(corners, place) for corners in found.convex), *areas)
        if choice.source == MESH:
            result.reason = found.reason
        if found.crossing is not None:
            result.crossing = self._plane.up(found.crossing + place, result.front)
            result.remark(outline_remarks.self_crossing(result.crossing))
        elif found.remark is not None:
            result.remark(found.remark)
        if found.spike is not None:
            spike = self._plane.up(found.spike + place, result.front)
            result.remark(outline_remarks.spike(spike))
        return result

    def _found(self, kind: str, drawn: Drawn, axes: Floats) -> _Found:
        """The outline as the rows of `axes` (3, 3) see it: across, up, and towards who looks."""
        own = self._own_outline(kind, drawn) if self._shared else None
        if own is not None:
            first, second = _spread(drawn.geometry.points)
            seen = axes[:2][:, [first, second]]
            size = np.abs(seen).max()
            # What is seen nearly edge-on is better looked at as it is seen.
            if abs(np.linalg.det(seen)) > _EDGE_ON * size * size:
                return own.mapped(axes[:2])
        key = (id(drawn), kind, (axes + 0.0).tobytes())
        if key not in self._seen:
            points = drawn.geometry.points
            level = np.abs(points).max() * np.abs(axes).max()
            is_flat = bool(np.ptp(points @ axes[2]) <= tolerances.BOX_ROUNDING * level)
            self._seen[key] = (drawn, _outline(kind, drawn, points @ axes[:2].T, is_flat))
        return self._seen[key][1]

    def _own_outline(self, kind: str, drawn: Drawn) -> _Found | None:
        """The outline of what is flat along two axes of its object, in its object; None if it is not."""
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

    def _projected(self, made: Outcome, row: int) -> Outlined:
        """The outline of a shape of space."""
        result = Outlined(reason=made.reason, skipped=made.skipped, remarks=made.remarks)
        down, height = self._plane.down, self._plane.height
        shape = made.shape
        if isinstance(shape, HalfSpace):
            result.remark(outline_remarks.HALF_SPACE)
            result.skipped = outline_remarks.HALF_SPACE.message
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
        result.remark(outline_remarks.ROUND)
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
        result.remark(outline_remarks.ROUND)
        # A cap is seen as an ellipse, narrower along the axis.
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
        result.remark(outline_remarks.ROUND)
        base = _ellipse(shape.radius * abs(ahead) / size, shape.radius, angle)
        return Polygon(hull_corners(np.concatenate([base, across[None]])), place)

    def _ellipsoid(self, shape: Ellipsoid, result: Outlined) -> PlaneShape:
        # The ball seen through its scaling: an ellipse whose semi-axes are those of the map from the ball to the plane.
        left, (long, short), _ = np.linalg.svd(self._plane.down((shape.axes * shape.radii).T).T)
        place = self._plane.down(shape.center)
        if long - short <= tolerances.FLOAT32_EPS * long:
            return Circle(place, float(long))
        result.remark(outline_remarks.ROUND)
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
    """Points (n, 2) of an ellipse about the origin, its first semi-axis turned by an angle."""
    turn = np.linspace(0.0, 2.0 * np.pi, 2 * ROUND_PIECES, endpoint=False)
    x, y = first * np.cos(turn), second * np.sin(turn)
    return np.stack([np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y], axis=1)


def hull_corners(points: Floats) -> Floats:
    """The corners of the convex hull of points (n, 2), which carry the rounding of float32."""
    corners: Floats = points[convex_hull(points.astype(np.float32)).outline]
    return corners


def _spread(points: Floats) -> tuple[int, int]:
    """The two axes along which points (n, 3) reach farthest, the lower first."""
    least = int(np.argmin(np.ptp(points, axis=0)[::-1]))
    first, second = (axis for axis in range(3) if axis != 2 - least)
    return first, second


def _raised(found: _Found, level: Floats) -> _Found:
    """An outline in an object's coordinate plane, moved to where the object is flat."""
    return replace(
        found,
        areas=[(ring + level, [hole + level for hole in holes]) for ring, holes in found.areas],
        convex=[corners + level for corners in found.convex],
        crossing=None if found.crossing is None else found.crossing + level,
        spike=None if found.spike is None else found.spike + level,
    )


def _outline(kind: str, drawn: Drawn, flat: Floats, is_flat: bool) -> _Found:
    """The outline of something drawn whose vertices are seen at `flat` (n, 2)."""
    face = _one_convex_face(drawn, flat) if is_flat and kind == "MESH" else None
    if face is not None:
        return _Found(convex=[face], reason=Message("flat mesh"))
    corners = hull_corners(flat)
    hull = _Found(convex=[corners], reason=Message("convex hull of the mesh"))
    if kind == "HULL":
        return hull
    if len(corners) < 3 and len(drawn.geometry.triangles):
        return replace(hull, reason=Message("seen edge-on"), remark=outline_remarks.EDGE_ON)
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
            return replace(hull, remark=remarks.NO_FACES)
    except Crossing as error:
        return replace(hull, crossing=error.point)
    except TooDetailed:
        return replace(hull, remark=outline_remarks.TOO_DETAILED)
    if not regions:
        return replace(hull, reason=Message("seen edge-on"), remark=outline_remarks.EDGE_ON)
    return replace(_sorted_out(regions, reason), spike=_spike(rims, regions))


def _spike(points: Floats, regions: list[Region]) -> Floats | None:
    """One of the corners (n, 2) of what regions were made from that is in none of them: the tip of a spike."""
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


def _uncovered(drawn: Drawn, flat: Floats) -> Floats:
    """The corners of faces that are corners of no triangle that covers anything."""
    triangles = drawn.geometry.triangles
    a, b, c = (flat[corner] for corner in triangles.T)
    solid = triangles[_cross(b - a, c - a) != 0.0]
    left: Floats = flat[np.setdiff1d(drawn.corners, solid)]
    return left


def _sorted_out(regions: list[Region], reason: str, lines: list[Floats] | None = None) -> _Found:
    """Convex regions without holes apart from the others."""
    convex = [not holes and is_convex(outline) for outline, holes in regions]
    return _Found(
        areas=[region for region, simple in zip(regions, convex, strict=True) if not simple],
        convex=[region[0] for region, simple in zip(regions, convex, strict=True) if simple] + (lines or []),
        reason=reason,
    )


def _one_convex_face(drawn: Drawn, flat: Floats) -> Floats | None:
    """The rim of a mesh of a single face, if that is convex beyond doubt; None if it may not be."""
    if len(drawn.face_start) != 2 or len(drawn.wires) or len(drawn.corners) != len(flat):
        return None
    rim = flat[drawn.corners]
    return rim if certainly_convex(rim, np.array([0, len(rim)]))[0][0] else None


def _filled(kind: str, drawn: Drawn, flat: Floats, is_flat: bool) -> tuple[list[Region], str]:
    """What faces cover, and what to call it; raises `Crossing` where the rim of a flat face crosses itself."""
    triangles = drawn.geometry.triangles
    if is_flat:
        for ring in _doubtful_faces(drawn, flat):
            enclosed([ring])
    names = {"FONT": Message("text"), "CURVE": Message("closed curve")}
    reason = names.get(kind, Message("flat mesh")) if is_flat else Message("outline of the mesh")
    return silhouette(flat, triangles, tidy=not is_flat), reason


def _doubtful_faces(drawn: Drawn, flat: Floats) -> list[Floats]:
    """The rims of faces of which the triangles that Blender makes cover more than they enclose."""
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


def _wired(drawn: Drawn, flat: Floats) -> _Found:
    """What loops of edges enclose; edges of no loop are lines without width."""
    loops, lines = loops_and_lines(drawn.wires)
    regions = enclosed([flat[loop] for loop in loops])
    found = _sorted_out(regions, Message("closed curve") if regions else Message("open curve"), list(flat[lines]))
    found = replace(found, spike=_spike(np.concatenate([flat[:0], *(flat[loop] for loop in loops)]), regions))
    if len(lines):
        return replace(found, remark=outline_remarks.OPEN)
    if regions:
        return found
    return _Found(convex=[hull_corners(flat)], reason=Message("seen edge-on"), remark=outline_remarks.EDGE_ON)
