# SPDX-License-Identifier: GPL-3.0-or-later
"""The smallest enclosing sphere."""

import numpy as np
from numpy.typing import ArrayLike

from ..hull import ConvexHull
from ..numerics.types import Floats
from ..shapes import Spheres
from .enclosing_balls import least_balls
from .point_set import Cloud
from .result import Fit, sphere_about


def fit_sphere(points: ArrayLike | ConvexHull) -> Fit[Spheres]:
    """The smallest sphere that contains all points.

    It is unique and determined by two to four of the points. It is exact except for rounding, also for coplanar or
    collinear points and a single point. Welzl, "Smallest enclosing disks (balls and ellipsoids)" (1991); Gärtner, "Fast
    and robust smallest enclosing balls" (1999).

    Parameters
    ----------
    points : (n, 3) array-like or ConvexHull

    Returns
    -------
    Fit
        Its `lower_bound` is proved by duality from the points that determine the sphere. It agrees with `volume` except
        for rounding.

    Raises
    ------
    ValueError
        As `convex_hull`.

    Examples
    --------
    >>> from collision_kit.core import fit
    >>> cube = [[x, y, z] for x in (0, 2) for y in (0, 2) for z in (0, 2)]
    >>> fit.fit_sphere(cube).shape.center
    array([[1., 1., 1.]])
    """
    return sphere_of(Cloud.of(points))


def sphere_of(cloud: Cloud) -> Fit[Spheres]:
    """See `fit_sphere`."""
    vertices = cloud.vertices
    far = np.argmax((vertices * vertices).sum(axis=1), keepdims=True)
    ball = least_balls(vertices[None], far)
    support = vertices[ball.support[0][ball.support[0] >= 0]]
    center = cloud.back(ball.center[0])
    radius = sphere_about(cloud.hull.points, center)
    least = _proved_radius(support, ball.center[0]) * cloud.scale
    return Fit(Spheres([center], [radius]), _volume(radius), max(_volume(least), cloud.hull.volume))


def _proved_radius(support: Floats, center: Floats) -> float:
    """A lower bound of the radius of any sphere around these points, from their weights in the center.

    Take weights that are not negative and sum to one. The weighted mean of the squared distances from the weighted mean
    of the points is at most the squared radius of any enclosing sphere.
    """
    spoke = support - center
    system = np.concatenate([spoke.T, np.ones((1, len(support)))])
    weight = np.maximum(np.linalg.lstsq(system, np.array([0.0, 0.0, 0.0, 1.0]), rcond=None)[0], 0.0)
    weight /= weight.sum()
    mean = weight @ spoke
    return float(np.sqrt(max(weight @ ((spoke - mean) ** 2).sum(axis=1), 0.0)))


def _volume(radius: float) -> float:
    return 4.0 / 3.0 * np.pi * radius**3
