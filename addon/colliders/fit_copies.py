# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of copies of an object: fitted to one of them, and moved to the others."""

import hashlib
from collections.abc import Generator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ...core import fit
from ...core.numerics.types import Floats
from ...core.shapes import Boxes, Hulls, Spheres
from ..model.tolerances import FLOAT32_EPS
from ..scene.colliders.sources import Source
from .fit import FitRequest, Fitted, fit_source, nearest_axes, placed

# Dimensionless. Sizes of copies placed by float32 matrices agree within this fraction.
_RIGID = 8.0 * FLOAT32_EPS

# Dimensionless. Invariants of sources that may be copies of each other differ by at most this.
_ALIKE = 1e-5

# Dimensionless: fraction of the largest coordinate. Corresponding points of copies are at most this far apart.
_SAME = 1e-12


class Progress(NamedTuple):
    """Number of sources that have their shapes."""

    done: int
    total: int


class Fitter:
    """Fits colliders of one kind. Copies of the same geometry are fitted once.

    Parameters
    ----------
    request : FitRequest
    """

    def __init__(self, request: FitRequest) -> None:
        self._request = request
        self._known: dict[bytes, list[tuple[Fitted, Floats]]] = {}

    def fit(self, source: Source) -> Fitted:
        """Fit a collider; see `fit_source`.

        Raises
        ------
        UserError
            If this kind does not exist for the engine or the source.
        """
        traits = _traits(source)
        if traits is None:
            return fit_source(source, self._request)
        known = self._known.setdefault(geometry_digest(source), [])
        if known:
            off = np.abs(np.stack([other for _, other in known]) - traits).max(axis=1)
            alike = int(off.argmin())
            copy = _copy(known[alike][0], source, self._request) if off[alike] <= _ALIKE else None
            if copy is not None:
                return copy
        fitted = fit_source(source, self._request)
        known.append((fitted, traits))
        return fitted


def fit_steps(sources: Sequence[Source], request: FitRequest) -> Generator[Progress, None, list[Fitted]]:
    """Fit one source after another."""
    found, fitter = [], Fitter(request)
    for done, source in enumerate(sources):
        yield Progress(done, len(sources))
        found.append(fitter.fit(source))
    return found


def geometry_digest(source: Source) -> bytes:
    """Return the number of points and the triangles, which copies share."""
    count = len(source.points).to_bytes(8, "little")
    return hashlib.blake2b(count + source.triangles.tobytes(), digest_size=16).digest()


def _traits(source: Source) -> Floats | None:
    """Return invariants of copies, of magnitude 1. None if the source has no thickness of its own.

    They are the scale of the object, without its rotation, and averages of its points in object space.
    """
    linear = source.matrix[:3, :3]
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            local = (source.points - source.matrix[:3, 3]) @ np.linalg.inv(linear).T
            square, size = linear.T @ linear, float(np.abs(local).max())
    except np.linalg.LinAlgError:
        return None
    if source.holder is not None or not 0.0 < size < np.inf:
        return None
    scale, local = float(np.abs(square).max()), local / size
    mirrored = float(np.linalg.slogdet(linear)[0])
    found = [mirrored, np.log(scale), np.log(size)], square.ravel() / scale, local.mean(axis=0), (local**2).mean(axis=0)
    return np.concatenate(found)


def way_between(other: Source, source: Source) -> Floats | None:
    """Return the matrix (4, 4) that moves a source to another one. None if that is not a copy of the same size."""
    if other.points.shape != source.points.shape or not np.array_equal(other.triangles, source.triangles):
        return None
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            way: Floats = source.matrix @ np.linalg.inv(other.matrix)
    except np.linalg.LinAlgError:
        return None
    if not np.abs(way[:3, :3] - nearest_axes(way)).max() <= _RIGID:  # also rejects NaN and mirrored copies
        return None
    largest = max(np.abs(source.points).max(), np.abs(other.points).max(), np.abs(way[:3, 3]).max())
    off = np.abs(moved(other.points, way) - source.points).max()
    return way if off <= _SAME * largest else None


def rigid_way(points: Floats, others: Floats) -> Floats | None:
    """Return the matrix (4, 4) that moves points to as many others. None if no rotation or reflection does.

    Uses the singular values of their covariance (Kabsch, 1976).
    """
    if points.shape != others.shape:
        return None
    middle, there = points.mean(axis=0), others.mean(axis=0)
    left, _, right = np.linalg.svd((others - there).T @ (points - middle))
    way = np.eye(4)
    way[:3, :3] = left @ right
    way[:3, 3] = there - way[:3, :3] @ middle
    # Both were rounded at their places.
    far = max(float(np.abs(points).max()), float(np.abs(others).max()))
    return way if np.abs(moved(points, way) - others).max() <= _RIGID * far else None


def moved(points: Floats, way: Floats) -> Floats:
    """Return the points, moved by a matrix (4, 4)."""
    return points @ way[:3, :3].T + way[:3, 3]


def _copy(fitted: Fitted, source: Source, request: FitRequest) -> Fitted | None:
    """Return a collider moved to another source. None if that is not a copy, or has a different collider."""
    way = None if fitted.was_flat else way_between(fitted.source, source)
    if way is None:
        return None
    turn = nearest_axes(way)
    shape = fitted.shape
    image: fit.Primitive
    if isinstance(shape, Boxes):
        image = Boxes(moved(shape.center, way), shape.half_extents, turn @ shape.rotation)
    elif isinstance(shape, Spheres):
        image = Spheres(moved(shape.center, way), shape.radius)
    elif isinstance(shape, Hulls):
        image = Hulls([shape.geometry[0].transformed(way[:3, :3], way[:3, 3])], [0])
    else:
        image = type(shape)(moved(shape.start, way), moved(shape.end, way), shape.radius)
    kind = "HULL" if fitted.kind == "MESH" else fitted.kind
    found = placed(source, request, kind, image, nearest_axes(source.space), fitted.scores, fitted.quality)
    if fitted.kind == "MESH":
        return replace(found, kind=fitted.kind, setting=fitted.setting)
    # Their meshes are made from the points or the vertices of the hull. Moved meshes of others might not contain the
    # points.
    holds = found.by_bounds or kind == "HULL"
    return found if holds and (found.by_bounds, found.setting) == (fitted.by_bounds, fitted.setting) else None
