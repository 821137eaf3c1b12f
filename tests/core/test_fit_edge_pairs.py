# SPDX-License-Identifier: GPL-3.0-or-later
"""The bound of an arc of boxes is read off the quotient of polynomials that their volume is."""

from math import comb

import numpy as np
import pytest

from collision_kit.core.fit.box import _EdgeBoxes
from collision_kit.core.kernels import box_arcs, loading

PLACES = np.linspace(0.0, 1.0, 5)
BERNSTEIN = np.array([[comb(4, i) * t**i * (1.0 - t) ** (4 - i) for i in range(5)] for t in PLACES])


def arcs(count):
    """Arcs, second edges and spans, such that every width stays positive all along."""
    generator = np.random.default_rng(3)
    start, end, edge = (unit(generator.normal(size=(count, 3))) for _ in range(3))
    end = unit(start + 0.8 * end)
    middle = unit(start + end)
    across = unit(np.cross(middle, edge))
    about = [middle, across, np.cross(middle, across)]
    span = np.stack([one + 0.6 * generator.normal(size=(count, 3)) for one in about])
    return start, end, edge, span


def unit(vectors):
    return vectors / np.linalg.norm(vectors, axis=1)[:, None]


def volume_parts(t, start, end, edge, span):
    """Numerator and denominator of the volume at t: products of the widths of fixed spans along normals of any length.

    The normals are N, N × f and N × (N × f), whose lengths are |N|, |N × f| and both multiplied.
    """
    ray = (1.0 - t) * start + t * end
    across = np.cross(ray, edge)
    up = np.cross(ray, across)
    widths = [(normal * one).sum(axis=1) for normal, one in zip((ray, across, up), span, strict=True)]
    return np.prod(widths, axis=0), (ray * ray).sum(axis=1) * (across * across).sum(axis=1)


def test_spans_lead_from_the_first_lowest_point_to_the_first_highest():
    generator = np.random.default_rng(4)
    # Whole numbers have exact heights, many of them equal.
    points, directions = (generator.integers(-2, 3, size=(count, 3)).astype(float) for count in (40, 500))
    found = _EdgeBoxes.of(points, directions, directions[::-1].copy()).span[0]
    height = directions @ points.T
    np.testing.assert_array_equal(found, points[height.argmax(axis=1)] - points[height.argmin(axis=1)])


@pytest.mark.skipif(loading.mode != loading.COMPILED, reason="the kernels are not compiled")
def test_compiled_and_interpreted_boxes_have_the_same_bits(monkeypatch):
    points, start, end, edge = np.random.default_rng(5).normal(size=(4, 60, 3))
    start, end, edge = unit(start), unit(start + 0.1 * end), unit(edge)
    edge[:3] = start[:3]  # parallel

    def found():
        boxes = _EdgeBoxes.of(points, start, edge)
        bound = boxes.bounds(start, end, edge)
        assert (bound > 0.0).any()
        return [one.tobytes() for one in (boxes.normal, boxes.span, boxes.volume, bound)]

    fast = found()
    for name in ("boxes", "bounds"):
        monkeypatch.setattr(box_arcs, name, loading.SOURCES[f"box_arcs.{name}"])
    assert found() == fast


def test_the_bound_is_the_least_quotient_of_coefficients():
    start, end, edge, span = arcs(20000)
    bound = _EdgeBoxes(np.zeros_like(span), span, np.zeros(len(start))).bounds(start, end, edge)
    values = np.array([volume_parts(t, start, end, edge, span) for t in PLACES])
    # Coefficients from values at five places, without multiplying polynomials.
    above, below = (np.linalg.solve(BERNSTEIN, values[:, part]) for part in (0, 1))
    ratio = above / below
    proved = bound > 0.0
    assert proved.sum() > 500
    np.testing.assert_allclose(bound[proved], ratio.min(axis=0)[proved], rtol=1e-9)
    # Each of the five decides somewhere, those between the ends too.
    assert set(ratio.argmin(axis=0)[proved]) == set(range(5))


def test_the_bound_is_below_the_volume_all_along():
    start, end, edge, span = arcs(2000)
    bound = _EdgeBoxes(np.zeros_like(span), span, np.zeros(len(start))).bounds(start, end, edge)
    for t in np.linspace(0.0, 1.0, 41):
        above, below = volume_parts(t, start, end, edge, span)
        proved = bound > 0.0
        assert (bound[proved] <= (above / below)[proved] * (1.0 + 1e-12)).all()
