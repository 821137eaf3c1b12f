# SPDX-License-Identifier: GPL-3.0-or-later
"""The best primitive for points, and fits of many point sets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import cast

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull, convex_hulls
from ..numerics.tolerances import FIT_WITHIN
from ..numerics.validation import items, one_number, whole_number
from ..shapes import Boxes, Hulls, Kind
from .box import oriented_box_of
from .hull import LEAST_BUDGET, enclosing, fit_hull
from .point_set import Cloud
from .result import Fit, Primitive
from .round import capsule_of, cylinder_of, sphere_of

SIMPLEST_FIRST = (Kind.SPHERE, Kind.CAPSULE, Kind.BOX, Kind.CYLINDER, Kind.HULL)
"""From the cheapest for engines to the most expensive.

A sphere needs a radius, a capsule a segment, a box three axes, a cylinder a rim, and a hull any number of faces.
"""

_FITS: dict[Kind, Callable[[Cloud], Fit[Primitive]]] = {
    Kind.SPHERE: sphere_of,
    Kind.CAPSULE: capsule_of,
    Kind.BOX: oriented_box_of,
    Kind.CYLINDER: cylinder_of,
    Kind.HULL: lambda cloud: fit_hull(cloud.hull),
}


@dataclass(frozen=True, eq=False)
class Choice:
    """The chosen primitive, and the fits that it was chosen from.

    Attributes
    ----------
    kind : Kind
    fits : dict of Kind to Fit
        All fits that were considered, simplest kind first.
    least : Kind
        The kind with the least volume; if several have the same volume, the simplest.
    within : float
        The rule: the simplest kind whose volume is at most ``(1 + within)`` times the least is chosen.
    """

    kind: Kind
    fits: dict[Kind, Fit[Primitive]]
    least: Kind
    within: float

    @property
    def fit(self) -> Fit[Primitive]:
        """The fit of the chosen kind."""
        return self.fits[self.kind]

    def score(self, kind: Kind) -> float:
        """Volume divided by the least volume. If the least volume is zero: 1 for a volume of zero, else infinite.

        Raises
        ------
        ValueError
            If that kind was not considered.
        """
        if not isinstance(kind, Kind) or kind not in self.fits:
            known = ", ".join(one.name for one in self.fits)
            raise ValueError(f"kind: {kind!r}, but one of those considered is needed: {known}")
        volume, least = self.fits[kind].volume, self.fits[self.least].volume
        if least > 0.0:
            return volume / least
        return 1.0 if volume == 0.0 else np.inf


def best_primitive(
    points: ArrayLike | ConvexHull,
    kinds: Sequence[Kind] = SIMPLEST_FIRST,
    within: float = FIT_WITHIN,
    vertices: int | None = None,
) -> Choice:
    """The simplest primitive that is nearly as small as the smallest.

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull
    kinds : sequence of Kind
        The kinds to consider: sphere, capsule, box (of minimum volume), cylinder, hull. If the hull is among them
        and not limited, it has the least volume, and the chosen primitive is at most `within` larger than the hull.
    within : float
        How much larger the volume of a simpler primitive may be, as a fraction of the least volume.
    vertices : int, optional
        A limit, at least 4. A hull with more vertices is replaced, before volumes are compared, by an enclosing hull
        that keeps the limit, as computed by `simplify_hull`.

    Returns
    -------
    Choice
        The chosen fit, and all others.

    Raises
    ------
    ValueError
        As for `convex_hull`, or if there is no kind or one that cannot be fitted, `within` is negative, or `vertices`
        is less than 4.

    Examples
    --------
    >>> from collision_kit.core import Kind, fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> fit.best_primitive(cube, [Kind.SPHERE, Kind.BOX], within=0.1).kind.name
    'BOX'
    """
    asked = _checked(kinds)
    share = one_number(within, "within", 0.0)
    most = None if vertices is None else whole_number(vertices, "vertices", LEAST_BUDGET)
    cloud = Cloud.of(points)
    fits = {kind: _FITS[kind](cloud) for kind in asked}
    if most is not None and Kind.HULL in fits:
        reduced = enclosing(cloud.hull, "vertices", most, cast("Fit[Boxes] | None", fits.get(Kind.BOX)))
        fits[Kind.HULL] = Fit(Hulls([reduced], [0]), reduced.volume, cloud.hull.volume)
    least = min(fits, key=lambda kind: fits[kind].volume)
    choice = Choice(least, fits, least, share)
    kind = next(kind for kind in fits if choice.score(kind) <= 1.0 + share)
    return Choice(kind, fits, least, share)


def fit_each(kind: Kind, points: Sequence[ArrayLike | ConvexHull]) -> list[Fit[Primitive]]:
    """Fit one shape to each point set; the hulls of all sets are computed together.

    Parameters
    ----------
    kind : Kind
        Sphere, capsule, box (of minimum volume), cylinder or hull.
    points : sequence of (n, 3) array-like or ConvexHull

    Returns
    -------
    list of Fit
        One for each point set, in order.

    Raises
    ------
    ValueError
        As for `convex_hulls`, or if the kind cannot be fitted.

    Examples
    --------
    >>> from collision_kit.core import Kind, fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> [found.volume for found in fit.fit_each(Kind.HULL, [cube, cube[:4]])]
    [8.0, 0.0]
    """
    (asked,) = _checked([kind], "kind")
    sets = items(points, "points")
    made = iter(convex_hulls([one for one in sets if not isinstance(one, ConvexHull)]))
    hulls = [one if isinstance(one, ConvexHull) else next(made) for one in sets]
    return [_FITS[asked](Cloud.of(hull, f"points[{row}]")) for row, hull in enumerate(hulls)]


def _checked(kinds: Sequence[Kind], name: str = "kinds") -> list[Kind]:
    """The kinds, simplest first, without duplicates."""
    given = items(kinds, name)
    for kind in given:
        if not isinstance(kind, Kind) or kind not in _FITS:
            raise ValueError(f"{name}: {kind!r} cannot be fitted, but {', '.join(one.name for one in _FITS)} can")
    if not given:
        raise ValueError("kinds: empty, but one is needed")
    return [kind for kind in SIMPLEST_FIRST if kind in given]
