# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether polygons are convex; of meshes: `collision_kit.core.convexity`."""

import numpy as np
from numpy.typing import ArrayLike

from ...hull.planar import convex_hull
from ...numerics.validation import point_set

# Multiples of the hull's tolerance: a corner is off by that, and so is the side of the hull it is held
# against.
_ROUNDING = 4.0


def is_convex(outline: ArrayLike) -> bool:
    """Whether a closed polygon goes once around a convex set (doc4code 2011, "Convex").

    Parameters
    ----------
    outline : (k, 2) array-like
        Corners in order, either way around; the last is joined to the first. Collinear corners and repeated
        ones are welcome.

    Returns
    -------
    bool
        Dents no deeper than the rounding of the coordinates are not seen; corners given as float32 are taken
        to carry that type's. A polygon whose corners lie on one line is convex if it goes there and back
        once.

    Raises
    ------
    ValueError
        If there is no corner, the shape is wrong, or a coordinate is not finite; names the row.

    Notes
    -----
    All corners are on the boundary of their hull, and going around them is no longer than going around the
    hull: a closed curve is at least as long as the outline of its hull, and only a convex one is no longer.

    Examples
    --------
    >>> from collision_kit.core import planar
    >>> planar.is_convex([[0, 0], [2, 0], [2, 2], [0, 2]])
    True
    """
    hull = convex_hull(point_set(outline, "outline", (2,)))
    if hull.dimension == 0:
        return True
    slack = _ROUNDING * hull.tolerance
    others = np.delete(hull.points, hull.vertices, axis=0)
    on_boundary = (others @ hull.normals.T - hull.offsets).max(axis=1, initial=-np.inf) >= -slack
    side = np.roll(hull.points, -1, axis=0) - hull.points
    with np.errstate(over="ignore"):  # as the hull's own may be
        length = float(np.hypot(side[:, 0], side[:, 1]).sum())
    return bool(on_boundary.all()) and length <= hull.perimeter + 2.0 * slack * len(side)
