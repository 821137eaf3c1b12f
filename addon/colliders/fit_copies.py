# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of objects that are copies of each other: fitted to one of them, and moved to the others."""

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

# Dimensionless. Copies that are placed by matrices of float32 are as large as each other within this share.
_RIGID = 8.0 * FLOAT32_EPS

# Dimensionless. Numbers of sources that may be copies of each other differ by no more.
_ALIKE = 1e-5

# Dimensionless: of the largest coordinate. Points that are the same before they are placed are as near as this.
_SAME = 1e-12


class Progress(NamedTuple):
    """How many of the sources have their shapes."""

    done: int
    total: int


class Fitter:
    """Fits colliders of one kind, to copies of the same geometry only once.

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
            If there is none of this kind.
        """
        traits = _traits(source)
        if traits is None:
            return fit_source(source, self._request)
        known = self._known.setdefault(_digest(source), [])
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
    """Fit one after another."""
    found, fitter = [], Fitter(request)
    for done, source in enumerate(sources):
        yield Progress(done, len(sources))
        found.append(fitter.fit(source))
    return found


def _digest(source: Source) -> bytes:
    """The number of points and the triangles, which copies have in common."""
    count = len(source.points).to_bytes(8, "little")
    return hashlib.blake2b(count + source.triangles.tobytes(), digest_size=16).digest()


def _traits(source: Source) -> Floats | None:
    """Numbers that copies have in common, about 1; None if the source has no thickness of its own.

    They are the scale of the object, whatever its rotation, and averages of its points before they are placed.
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
    """The matrix (4, 4) that moves a source to another one; None if that is no copy of the same size."""
    if other.points.shape != source.points.shape or not np.array_equal(other.triangles, source.triangles):
        return None
    try:
        with np.errstate(over="ignore", invalid="ignore"):
            way: Floats = source.matrix @ np.linalg.inv(other.matrix)
    except np.linalg.LinAlgError:
        return None
    if not np.abs(way[:3, :3] - nearest_axes(way)).max() <= _RIGID:  # not a number, too, and what is mirrored
        return None
    largest = max(np.abs(source.points).max(), np.abs(other.points).max(), np.abs(way[:3, 3]).max())
    off = np.abs(moved(other.points, way) - source.points).max()
    return way if off <= _SAME * largest else None


def rigid_way(points: Floats, others: Floats) -> Floats | None:
    """The matrix (4, 4) that moves points to as many others; None if no rotation, mirrored or not, does.

    By the singular values of their covariance (Kabsch, 1976).
    """
    if points.shape != others.shape:
        return None
    middle, there = points.mean(axis=0), others.mean(axis=0)
    left, _, right = np.linalg.svd((others - there).T @ (points - middle))
    way = np.eye(4)
    way[:3, :3] = left @ right
    way[:3, 3] = there - way[:3, :3] @ middle
    # Both were rounded where they are.
    far = max(float(np.abs(points).max()), float(np.abs(others).max()))
    return way if np.abs(moved(points, way) - others).max() <= _RIGID * far else None


def moved(points: Floats, way: Floats) -> Floats:
    """The points, moved by a matrix (4, 4)."""
    return points @ way[:3, :3].T + way[:3, 3]


def _copy(fitted: Fitted, source: Source, request: FitRequest) -> Fitted | None:
    """A collider moved to another source; None if that is no copy, or its collider is no image of this one."""
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
    # Their meshes are made from the points or from the vertices of the hull; others would not quite hold the points.
    holds = found.by_bounds or kind == "HULL"
    return found if holds and (found.by_bounds, found.setting) == (fitted.by_bounds, fitted.setting) else None
