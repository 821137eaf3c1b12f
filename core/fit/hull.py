# SPDX-License-Identifier: GPL-3.0-or-later
"""Convex hulls as fits, and convex hulls with a budget of vertices or triangles, for solid and coplanar points."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hull
from ..numerics.rows import blocks
from ..numerics.tolerances import EPS, FIT_ROUNDING
from ..numerics.types import Floats, Ints
from ..numerics.validation import check_flag, check_range, whole_number
from ..numerics.vectors import cross
from ..shapes import Boxes, Hulls
from .box import oriented_box_below
from .half_spaces import Removal
from .point_set import Cloud, hemisphere, to_hull
from .result import Fit

_AT_ONCE = 6
"""In one step, at most one vertex is added for every this many that are already chosen."""


def decimated(hull: ConvexHull, count: int) -> Ints:
    """Choose at most `count` vertices of a hull, as indices into its points; `count` is at least its dimension + 1.

    The next vertex is the one that is farthest outside the hull of those chosen, as in the first step of quickhull. Of
    the vertices above one face, only one is added at a time.
    """
    vertices = hull.points[hull.vertices]
    if len(vertices) <= count:
        return hull.vertices
    chosen = _first(vertices, hull.dimension)
    while len(chosen) < count:
        inner = convex_hull(vertices[chosen])
        normals, offsets = side_planes(inner)
        height = vertices @ normals.T - offsets
        above = height.argmax(axis=1)
        out = height[np.arange(len(vertices)), above]
        out[chosen] = -np.inf
        order = np.argsort(-out)
        order = order[np.unique(above[order], return_index=True)[1]]
        order = order[np.argsort(-out[order])]
        order = order[out[order] > hull.tolerance]
        if not len(order):
            break
        most = min(count - len(chosen), max(1, len(chosen) // _AT_ONCE))
        chosen = np.concatenate([chosen, order[:most]])
    return hull.vertices[np.sort(chosen)]


def _first(vertices: Floats, dimension: int) -> Ints:
    """The corners of a large simplex: each is the farthest from the affine hull of those before it."""
    chosen = [int(np.argmax(((vertices - vertices.mean(axis=0)) ** 2).sum(axis=1)))]
    rest = vertices - vertices[chosen[0]]
    for _ in range(dimension):
        size = (rest * rest).sum(axis=1)
        far = int(np.argmax(size))
        chosen.append(far)
        unit = rest[far] / np.sqrt(size[far])
        rest = rest - (rest @ unit)[:, None] * unit
    return np.array(chosen)


def outline_without_sides(corners: Floats, normal: Floats, enough: Callable[[int], bool]) -> Floats | None:
    """Remove sides of an outline, each time the one that adds the least area; None if no side can be removed.

    Parameters
    ----------
    corners : (k, 3) float64
        Counterclockwise about the normal.
    """
    while not enough(len(corners)):
        start, end = corners, np.roll(corners, -1, axis=0)
        along = end - start
        before, after = np.roll(along, 1, axis=0), np.roll(along, -1, axis=0)
        # The lines meet at start + s * before = end - t * after; s and t are above zero if they meet outside the side.
        turn = cross(before, after) @ normal
        with np.errstate(divide="ignore", invalid="ignore"):
            s = cross(along, after) @ normal / turn
            area = s * (cross(before, along) @ normal)
        area = np.where((turn > 0.0) & np.isfinite(s), area, np.inf)
        row = int(np.argmin(area))
        if not np.isfinite(area[row]):
            return None
        corners = corners.copy()
        corners[row] += s[row] * before[row]
        corners = np.delete(corners, (row + 1) % len(corners), axis=0)
    return corners


def side_planes(hull: ConvexHull) -> tuple[Floats, Floats]:
    """Planes that bound a hull: its faces; for a flat hull, also the planes through its sides, perpendicular to it."""
    if hull.dimension == 3:
        return hull.normals, hull.offsets
    face = hull.faces[0]
    start, end = hull.points[face], hull.points[np.roll(face, -1)]
    outward = cross(end - start, hull.normals[0])
    outward /= np.sqrt((outward * outward).sum(axis=1))[:, None]
    return outward, (start * outward).sum(axis=1)


LEAST_BUDGET = 4
"""The number of vertices, and of faces, of a tetrahedron."""

_PLANES = 800
"""If a hull has more faces, it starts with those whose normals are nearest to the directions of a grid."""

_TURNS = 2000
"""The number of rotations of the tetrahedron that are tried; the smallest result is used."""

_TRIED = 64
"""Rotations of the tetrahedron that are compared with all points at once."""


@dataclass(frozen=True, eq=False)
class SimplifiedHull:
    """A convex hull within a budget, and how far it is from the given hull, which is measured when it is asked for.

    Attributes
    ----------
    hull : ConvexHull
    given : ConvexHull
    volume_ratio : float
        Its volume divided by that of the given hull; for flat hulls, the ratio of the areas; 1 if the given hull has
        neither.
    protrusion : float
        The largest distance by which the given hull protrudes from this one, exact: a one-sided Hausdorff distance. If
        the given hull was to be enclosed, it is zero except for rounding.
    gap : float
        The largest distance of a point of this hull from the given one, exact: the other one-sided Hausdorff distance.
    """

    hull: ConvexHull
    given: ConvexHull

    @cached_property
    def volume_ratio(self) -> float:
        """See the class."""
        return 1.0 if self.hull is self.given else _content(self.hull) / _content(self.given)

    @cached_property
    def protrusion(self) -> float:
        """See the class."""
        return _farthest(self.given, self.hull)

    @cached_property
    def gap(self) -> float:
        """See the class."""
        return _farthest(self.hull, self.given)


def fit_hull(points: ArrayLike | ConvexHull) -> Fit[Hulls]:
    """The convex hull of points as a fit: no convex shape that contains them is smaller.

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull

    Returns
    -------
    Fit
        Its `lower_bound` is the volume of the hull.

    Raises
    ------
    ValueError
        As `convex_hull`.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> fit.fit_hull(cube).volume
    8.0
    """
    hull = points if isinstance(points, ConvexHull) else convex_hull(points)
    check_range(hull.points, "points")
    return Fit(Hulls([hull], [0]), hull.volume, hull.volume)


def simplify_hull(
    points: ArrayLike | ConvexHull,
    *,
    vertices: int | None = None,
    faces: int | None = None,
    triangles: int | None = None,
    enclose: bool = True,
) -> SimplifiedHull:
    """A convex hull with limited vertices, faces or triangles that contains all points, or is close to them.

    If the points are to be enclosed, faces of the hull are removed, those first whose removal adds the least volume.
    The faces that are left are extended until they meet, as in the progressive hulls of Sander et al., "Silhouette
    clipping" (2000). Three other hulls are computed as well, and the smallest that keeps the budget is returned: the
    smallest of many tetrahedra, which keeps any budget; the hull of the vertices that the method below chooses,
    enlarged; and the smallest oriented box.

    Otherwise, the result is the hull of a few of the vertices. They are chosen one by one, each time the one that is
    farthest outside the hull of those chosen. The result lies inside the given hull.

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull
    vertices, faces, triangles : int
        The budget, at least 4. Exactly one of them is given. Faces are whole polygons; triangles are counted after each
        face is triangulated.
    enclose : bool
        Whether the result must contain all points.

    Returns
    -------
    SimplifiedHull

    Raises
    ------
    ValueError
        As for `convex_hull`, or if not exactly one budget is given, or it is less than 4.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> fit.simplify_hull(cube, vertices=4).hull.vertices.size
    4
    """
    check_flag(enclose, "enclose")
    budget = {"vertices": vertices, "faces": faces, "triangles": triangles}
    given = {name: value for name, value in budget.items() if value is not None}
    if len(given) != 1:
        raise ValueError(f"budget: {len(given)} are given, but exactly one of {', '.join(budget)} is needed")
    ((name, most),) = given.items()
    most = whole_number(most, name, LEAST_BUDGET)
    hull = points if isinstance(points, ConvexHull) else convex_hull(points)
    check_range(hull.points, "points")
    if not enclose and not _enough(name, most, len(hull.faces), len(hull.vertices)):
        return SimplifiedHull(convex_hull(hull.points[_decimated_within(hull, name, most)]), hull)
    return SimplifiedHull(enclosing(hull, name, most), hull)


def enclosing(hull: ConvexHull, name: str, most: int, box: Fit[Boxes] | None = None) -> ConvexHull:
    """Return a hull within a budget, by its name, that contains another hull; see `simplify_hull`.

    `box` is the box of minimum volume, if it is known.
    """

    def enough(face_count: int, corner_count: int) -> bool:
        return _enough(name, most, face_count, corner_count)

    if enough(len(hull.faces), len(hull.vertices)):
        return hull
    few = _decimated_within(hull, name, most)
    if hull.dimension == 3:
        candidates = _solid_candidates(hull, few, enough, box)
    else:
        outline = hull.points[hull.faces[0]]
        corners = outline_without_sides(outline, hull.normals[0], lambda count: enough(2, count))
        tried = [hull.points[few], *([] if corners is None else [corners])]
        candidates = [found for one in tried if (found := _grown(one, hull)) is not None]
    good = [one for one in candidates if one.dimension == hull.dimension and enough(len(one.faces), len(one.vertices))]
    return min(good, key=_content)


def _enough(name: str, most: int, face_count: int, corner_count: int) -> bool:
    # A triangulated hull with V corners has 2 V - 4 triangles.
    have = {"vertices": corner_count, "faces": face_count, "triangles": 2 * corner_count - 4}
    return have[name] <= most


def _decimated_within(hull: ConvexHull, name: str, most: int) -> Ints:
    return decimated(hull, most if name == "vertices" else (most + 4) // 2)


def _content(hull: ConvexHull) -> float:
    return hull.volume if hull.dimension == 3 else hull.area


def _farthest(hull: ConvexHull, other: ConvexHull) -> float:
    """Return the largest distance of a point of a hull from another one."""
    return 0.0 if hull is other else max(float(to_hull(hull.points[hull.vertices], other).max()), 0.0)


def _solid_candidates(
    hull: ConvexHull, few: Ints, enough: Callable[[int, int], bool], box: Fit[Boxes] | None
) -> list[ConvexHull]:
    """Hulls that contain all points of a solid hull; at least one of them keeps the budget."""
    cloud = Cloud.of(hull)
    # In a frame in which the hull is about as long as wide. Ratios of volumes are the same there, and thin hulls need
    # no special treatment.
    span = np.ptp(cloud.vertices @ cloud.axes, axis=0)
    center = (hull.centroid - cloud.origin) / cloud.scale
    squash = cloud.axes / span
    planes = hull.normals @ (cloud.axes * span)
    size = np.sqrt((planes * planes).sum(axis=1))
    normals = planes / size[:, None]
    inner = (cloud.vertices - center) @ squash
    if len(normals) > _PLANES:
        around = hemisphere(_PLANES // 2)
        normals = normals[np.unique((np.concatenate([around, -around]) @ normals.T).argmax(axis=1))]
    offsets = (normals @ inner.T).max(axis=1)
    back = (cloud.axes * span).T
    made: list[ConvexHull] = []

    def least() -> float:
        good = [one for one in made if one.dimension == 3 and enough(len(one.faces), len(one.vertices))]
        return min((one.volume for one in good), default=np.inf)

    def try_corners(corners: Floats, most: float = np.inf) -> None:
        found = _grown(corners, hull, most)
        if found is not None:
            made.append(found)

    removal = Removal(normals, offsets)
    # Counted as if no four planes met in one point. If rounding has split a face, more half-spaces are removed.
    most = next(most for most in range(len(normals), LEAST_BUDGET - 1, -1) if enough(most, 2 * most - 4))
    while removal.leave(most) and (corners := removal.corners()) is not None:
        try_corners(cloud.back(corners @ back + center))
        if enough(len(made[-1].faces), len(made[-1].vertices)):
            break
        most = len(removal.left) - 1
    some = inner[np.searchsorted(hull.vertices, few)]
    try_corners(cloud.back(_tetrahedron(inner, some) @ back + center), least())
    try_corners(hull.points[few], least())
    if enough(6, 8):
        known = least()
        if box is None:
            box = oriented_box_below(cloud, known)
        if box is not None and box.volume < known:
            corners = np.array([[x, y, z] for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
            try_corners(corners * box.shape.half_extents[0] @ box.shape.rotation[0].T + box.shape.center[0])
    return made


def _tetrahedron(points: Floats, some: Floats) -> Floats:
    """Corners of the smallest tetrahedron around points, over many rotations of a regular one.

    The four unit normals sum to zero, so its size is proportional to the sum of the four heights. That of the
    tetrahedron around `some` of the points is a lower bound. Rotations are tried in the order of their bounds, until no
    other can be smaller.
    """
    turned = _turned_normals()
    bound = (turned @ some.T).max(axis=2).sum(axis=1)
    order = np.argsort(bound, kind="stable")
    least, best, heights = np.inf, 0, np.zeros(4)
    for rows in blocks(len(order), _TRIED):
        tried = order[rows]
        if bound[tried[0]] >= least:
            break
        height = (turned[tried] @ points.T).max(axis=2)
        size = height.sum(axis=1)
        row = int(np.argmin(size))
        if size[row] < least:
            least, best, heights = float(size[row]), int(tried[row]), height[row]
    corners = [np.linalg.solve(np.delete(turned[best], k, axis=0), np.delete(heights, k)) for k in range(4)]
    return np.array(corners)


@cache
def _turned_normals() -> Floats:
    """The unit normals of the rotated regular tetrahedra, (`_TURNS`, 4, 3)."""
    normals = np.array([[1, 1, 1], [1, -1, -1], [-1, 1, -1], [-1, -1, 1]]) / np.sqrt(3.0)
    turned: Floats = normals @ np.linalg.qr(np.random.default_rng(0).normal(size=(_TURNS, 3, 3)))[0]
    return turned


def _grown(corners: Floats, hull: ConvexHull, most: float = np.inf) -> ConvexHull | None:
    """The hull of corners, enlarged about its centroid until it contains all points of another hull.

    None as soon as its volume is certainly above `most`; of a flat hull, its area.
    """
    result = convex_hull(corners)
    for _ in range(_TRIES):
        if result.dimension < hull.dimension:  # the corners are coplanar within rounding
            break
        normals, offsets = side_planes(result)
        center = result.centroid
        depth = offsets - normals @ center
        ratio = ((hull.points - center) @ normals.T / depth).max()
        if _content(result) * max(ratio, 1.0) ** hull.dimension > most * (1.0 + FIT_ROUNDING * EPS):
            return None
        if ratio <= 1.0:
            break
        corners = center + (corners - center) * (ratio * (1.0 + FIT_ROUNDING * EPS))
        result = convex_hull(corners)
    return result


_TRIES = 4
"""Limit for the number of enlargements. Those after the first one only correct rounding."""
