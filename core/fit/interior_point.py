# SPDX-License-Identifier: GPL-3.0-or-later
"""Capsules and cylinders of locally least volume around points: an interior point method, many searches at a time.

The unknowns are the two ends of a segment and a radius. The objective is the logarithm of the volume, minus the
weighted logarithm of each constraint's slack, so that no point ever leaves the shape. The weight goes to zero in steps
(Fiacco and McCormick 1968; Nocedal and Wright, "Numerical Optimization", chapter 19). The steps are Newton steps with
exact second derivatives. Negative eigenvalues of the Hessian are replaced by their absolute values, because neither
problem is convex.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from ..numerics.types import Bools, Floats

_STEPS = 60
"""Limit for the number of steps. Further steps would change the shape very little."""

_FIRST_WEIGHT = 0.3
"""Limit for the sum of the weights of all constraints. Slacks grow with the square of the size and the volume with its
cube: with a sum above 1.5 the search would diverge to shapes of unlimited size."""
ROUGH, COARSE, FINE = 1e-4, 1e-6, 1e-9
"""Final weights. About seven constraints determine a shape, and each increases the volume by a fraction similar to
its weight.
"""

_LESS = 0.15
"""The factor by which a weight is reduced when a search has nearly settled."""

_SETTLED = 0.1
"""A search has nearly settled when Newton's decrement is at most this multiple of the weight."""

_SHORTER = np.array([1.0, 0.75, 0.5, 0.3, 0.15, 0.05, 0.01, 1e-3, 1e-5])
"""Fractions of a step that are tried together. The best of those that keep all points inside is used."""


@dataclass(frozen=True, eq=False)
class Slacks:
    """The constraints of B shapes on A points, with derivatives with respect to the seven unknowns.

    Attributes
    ----------
    value : (B, C) float64
        Greater than zero where a constraint holds.
    gradient : (B, C, 7) float64
    hessian : (B, 7, 7) float64
        The sum of the Hessians of all slacks, each divided by the value of its slack.
    """

    value: Floats
    gradient: Floats
    hessian: Floats


Values = Callable[[Floats, Floats], Floats]
Derivatives = Callable[[Floats, Floats], Slacks]


@dataclass(frozen=True)
class RoundKind:
    """The functions of a kind of shape that the search needs. The unknowns are rows of start, end and radius, (B, 7).

    Attributes
    ----------
    bulge : float
        The volume is pi times the squared radius times the sum of the length and `bulge` radii.
    values, derivatives : callable
        The constraints for unknowns (B, 7) and points (A, 3).
    """

    bulge: float
    values: Values
    derivatives: Derivatives

    def log_volume(self, x: Floats) -> Floats:
        """Logarithm of the volume, (B,)."""
        length = np.sqrt(((x[:, 3:6] - x[:, :3]) ** 2).sum(axis=1))
        return np.log(np.pi) + 2.0 * np.log(x[:, 6]) + np.log(length + self.bulge * x[:, 6])


CAPSULE = RoundKind(4.0 / 3.0, lambda x, p: capsule_slacks(x, p), lambda x, p: capsule_derivatives(x, p))
CYLINDER = RoundKind(0.0, lambda x, p: cylinder_slacks(x, p), lambda x, p: cylinder_derivatives(x, p))


def shrink(kind: RoundKind, x: Floats, points: Floats, first: float, last: float) -> Floats:
    """Shapes of locally least volume, from shapes (B, 7) that contain the points (A, 3) with a margin.

    Parameters
    ----------
    first, last : float
        The weights at the beginning and at the end. The first is limited by the number of constraints. It should be
        small for shapes that are nearly right already and have a small margin.
    """
    x = x.copy()
    weights = np.full(len(x), min(first, _FIRST_WEIGHT / kind.values(x[:1], points).shape[1]))
    active = np.arange(len(x))
    for _ in range(_STEPS):
        if not len(active):
            break
        here, mu = x[active], weights[active]
        step, decrement = _newton(kind, here, points, mu)
        moved = _line_search(kind, here, points, mu, step)
        stuck = (moved == here).all(axis=1)
        x[active] = moved
        settled = (decrement <= _SETTLED * mu) | stuck
        weights[active[settled]] *= _LESS
        active = active[weights[active] >= last]
    return x


def _newton(kind: RoundKind, x: Floats, points: Floats, mu: Floats) -> tuple[Floats, Floats]:
    """Newton's step for each shape (B, 7), and the predicted decrease (B,)."""
    slacks = kind.derivatives(x, points)
    scaled = slacks.gradient / slacks.value[:, :, None]
    gradient, hessian = _volume_derivatives(kind, x)
    gradient = gradient - mu[:, None] * scaled.sum(axis=1)
    hessian = hessian + mu[:, None, None] * (np.matmul(scaled.transpose(0, 2, 1), scaled) - slacks.hessian)
    units = _units(kind, x)
    value, vector = np.linalg.eigh(np.matmul(units.transpose(0, 2, 1), np.matmul(hessian, units)))
    value = np.abs(value)
    value = np.maximum(value, 1e-12 * value.max(axis=1, keepdims=True))
    vector = np.matmul(units, vector)
    along = np.einsum("bij,bi->bj", vector, gradient)
    # No step is longer than one unit: an end that moves by the length of the shape would leave no room for the other
    # unknowns.
    value = np.maximum(value, np.abs(along))
    step = -np.einsum("bij,bj->bi", vector, along / value)
    return step, (along * along / value).sum(axis=1)


def _units(kind: RoundKind, x: Floats) -> Floats:
    """Changes of each shape, as columns, that have about equal effects: (B, 7, 7).

    The unit is the radius, with one exception: the ends of a cylinder move by its length along the axis, and by less in
    opposite directions across the axis if the cylinder is flat. In these units, the Hessian of a thin shape is as well
    conditioned as that of a round one.
    """
    along, radius = x[:, 3:6] - x[:, :3], x[:, 6]
    square = (along * along).sum(axis=1)
    axial = along[:, :, None] * along[:, None] / square[:, None, None]
    across = radius[:, None, None] * (np.eye(3) - axial)
    axial *= (radius if kind is CAPSULE else np.sqrt(square))[:, None, None]
    tilted = axial + np.minimum(square / radius**2, 1.0)[:, None, None] * across
    result = np.zeros((len(x), 7, 7))
    result[:, :3, :3] = result[:, 3:6, :3] = axial + across
    result[:, :3, 3:6], result[:, 3:6, 3:6] = -tilted, tilted
    result[:, 6, 6] = radius
    return result


def _line_search(kind: RoundKind, x: Floats, points: Floats, mu: Floats, step: Floats) -> Floats:
    """Move each shape by the best of a few fractions of its step, or not at all."""
    shares = np.append(_SHORTER, 0.0)
    tried = x[:, None] + shares[:, None] * step[:, None]
    flat = tried.reshape(-1, 7)
    with np.errstate(invalid="ignore", divide="ignore"):
        slack = kind.values(flat, points)
        good: Bools = (slack > 0.0).all(axis=1) & (flat[:, 6] > 0.0)
        barrier = kind.log_volume(flat) - np.repeat(mu, len(shares)) * np.log(slack).sum(axis=1)
    barrier = np.where(good, barrier, np.inf).reshape(len(x), -1)
    barrier = np.where(np.isnan(barrier), np.inf, barrier)
    barrier[:, -1] = np.where(np.isinf(barrier[:, -1]), np.finfo(float).max, barrier[:, -1])
    result: Floats = tried[np.arange(len(x)), np.argmin(barrier, axis=1)]
    return result


def _volume_derivatives(kind: RoundKind, x: Floats) -> tuple[Floats, Floats]:
    """Gradient (B, 7) and Hessian (B, 7, 7) of the logarithm of the volume."""
    along, radius = x[:, 3:6] - x[:, :3], x[:, 6]
    length = np.sqrt((along * along).sum(axis=1))
    unit = along / length[:, None]
    total = length + kind.bulge * radius
    inner = np.concatenate([-unit, unit, np.full((len(x), 1), kind.bulge)], axis=1)
    gradient = inner / total[:, None]
    hessian = -gradient[:, :, None] * gradient[:, None]
    bend = (np.eye(3) - unit[:, :, None] * unit[:, None]) / (length * total)[:, None, None]
    hessian[:, :3, :3] += bend
    hessian[:, 3:6, 3:6] += bend
    hessian[:, :3, 3:6] -= bend
    hessian[:, 3:6, :3] -= bend
    gradient[:, 6] += 2.0 / radius
    hessian[:, 6, 6] -= 2.0 / radius**2
    return gradient, hessian


def _foot(x: Floats, points: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """For B segments and A points: segment vectors (B, 3), their squares, spokes (B, A, 3), parameters of the feet."""
    along = x[:, 3:6] - x[:, :3]
    square = (along * along).sum(axis=1)
    spoke = points - x[:, None, :3]
    t = np.matmul(spoke, along[:, :, None])[:, :, 0] / square[:, None]
    return along, square, spoke, t


def capsule_slacks(x: Floats, points: Floats) -> Floats:
    """Squared radius minus squared distance from the segment, (B, A)."""
    along, _, spoke, t = _foot(x, points)
    off = spoke - np.clip(t, 0.0, 1.0)[:, :, None] * along[:, None]
    return x[:, 6:] ** 2 - np.einsum("bak,bak->ba", off, off)


def capsule_derivatives(x: Floats, points: Floats) -> Slacks:
    """The slacks of `capsule_slacks` with their derivatives."""
    along, square, spoke, t = _foot(x, points)
    inner = (t > 0.0) & (t < 1.0)
    return _radial(x, along, square, spoke, np.clip(t, 0.0, 1.0), inner)


def _radial(x: Floats, along: Floats, square: Floats, spoke: Floats, t: Floats, inner: Bools) -> Slacks:
    """Slacks of the distances from the axis points at t; where `inner`, t is that of the nearest axis point."""
    off = spoke - t[:, :, None] * along[:, None]
    value = x[:, 6:] ** 2 - np.einsum("bak,bak->ba", off, off)
    gradient = np.empty((*t.shape, 7))
    back = 1.0 - t
    gradient[:, :, :3] = 2.0 * back[:, :, None] * off
    gradient[:, :, 3:6] = 2.0 * t[:, :, None] * off
    gradient[:, :, 6] = 2.0 * x[:, 6:]
    weight = 1.0 / value
    hessian = np.zeros((len(x), 7, 7))
    eye = np.eye(3)
    for first, second, factor in ((0, 0, back * back), (0, 3, back * t), (3, 0, back * t), (3, 3, t * t)):
        total = -2.0 * (weight * factor).sum(axis=1)
        hessian[:, first : first + 3, second : second + 3] = total[:, None, None] * eye
    # Where the nearest point moves along the axis: the Schur complement of its parameter.
    slide = np.concatenate([off + back[:, :, None] * along[:, None], -off + t[:, :, None] * along[:, None]], axis=2)
    weighted = slide * np.where(inner, weight * (2.0 / square)[:, None], 0.0)[:, :, None]
    hessian[:, :6, :6] += np.matmul(slide.transpose(0, 2, 1), weighted)
    hessian[:, 6, 6] += 2.0 * weight.sum(axis=1)
    return Slacks(value, gradient, hessian)


def cylinder_slacks(x: Floats, points: Floats) -> Floats:
    """Squared radius minus squared distance from the axis, and length times the heights above both caps: (B, 3A)."""
    along, square, spoke, t = _foot(x, points)
    off = spoke - t[:, :, None] * along[:, None]
    radial = x[:, 6:] ** 2 - np.einsum("bak,bak->ba", off, off)
    return np.concatenate([radial, t * square[:, None], (1.0 - t) * square[:, None]], axis=1)


def cylinder_derivatives(x: Floats, points: Floats) -> Slacks:
    """The slacks of `cylinder_slacks` with their derivatives."""
    along, square, spoke, t = _foot(x, points)
    radial = _radial(x, along, square, spoke, t, np.ones(t.shape, np.bool_))
    height = t * square[:, None], (1.0 - t) * square[:, None]
    gradient = np.zeros((2, *t.shape, 7))
    from_end = points - x[:, None, 3:6]
    gradient[0, :, :, :3] = -along[:, None] - spoke
    gradient[0, :, :, 3:6] = spoke
    gradient[1, :, :, :3] = from_end
    gradient[1, :, :, 3:6] = along[:, None] - from_end
    hessian = radial.hessian
    # (p - s) . (e - s) and (e - p) . (e - s).
    low, high = ((1.0 / side).sum(axis=1)[:, None, None] * np.eye(3) for side in height)
    hessian[:, :3, :3] += 2.0 * low
    hessian[:, 3:6, 3:6] += 2.0 * high
    hessian[:, :3, 3:6] -= low + high
    hessian[:, 3:6, :3] -= low + high
    return Slacks(
        np.concatenate([radial.value, *height], axis=1), np.concatenate([radial.gradient, *gradient], axis=1), hessian
    )
