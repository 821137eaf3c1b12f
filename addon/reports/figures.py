# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of a report: a histogram of depths, and the objects with most collisions.

Accepted and ignored pairs are left out. The histogram is drawn as SVG.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from ..i18n.units import length_text
from ..model.marks import PairMarks
from ..model.report import Report, Units
from ..model.verdict_names import FAULTS

# With fewer collisions, the list is enough.
FEWEST = 5
MOST_OBJECTS = 10
MOST_GROUPS = 10

# The bounds of the classes of a histogram are these times powers of ten or, if there are too many, only powers of ten.
_STEPS = (1.0, 2.0, 5.0)
_MOST_CLASSES = 12

# Size of the histogram in pixels, and its margins, which have room for half of a length.
_WIDTH, _HEIGHT, _TOP, _BOTTOM, _BESIDE = 780, 200, 24, 28, 30


class WorstObject(NamedTuple):
    """An object, its number of collisions, and their greatest depth in Blender units."""

    name: str
    collisions: int
    depth: float


class DepthClass(NamedTuple):
    """Number of collisions deeper than one depth and at most as deep as another, in Blender units."""

    above: float
    upto: float
    collisions: int


def worst_objects(report: Report, marks: PairMarks) -> list[WorstObject]:
    """Return the objects with most collisions. If equal, deepest first."""
    count: defaultdict[int, int] = defaultdict(int)
    depth: defaultdict[int, float] = defaultdict(float)
    for row in marks.open_rows(report, FAULTS):
        pair = report.pairs[row]
        for body in (pair.body_a, pair.body_b):
            count[body] += 1
            depth[body] = max(depth[body], -pair.gap)
    order = sorted(count, key=lambda body: (-count[body], -depth[body], report.bodies[body].name))
    return [WorstObject(report.bodies[body].name, count[body], depth[body]) for body in order]


def depth_classes(depths: Sequence[float], meters: float) -> list[DepthClass]:
    """Return the number of depths in each class of a histogram with round bounds in meters.

    Parameters
    ----------
    depths : sequence of float
        In Blender units. Those of at most zero are left out.
    meters : float
        Meters per Blender unit.
    """
    lengths = [depth * meters for depth in depths if depth > 0.0]
    if not lengths:
        return []
    bounds = _bounds(min(lengths), max(lengths), _STEPS)
    if len(bounds) - 1 > _MOST_CLASSES:
        bounds = _bounds(min(lengths), max(lengths), (1.0,))
    return [
        DepthClass(low / meters, high / meters, sum(low < length <= high for length in lengths))
        for low, high in pairwise(bounds)
    ]


def histogram(classes: Sequence[DepthClass], units: Units) -> str:
    """Return the classes as an SVG element. Each bar has its count above it, and the bounds are below."""
    most = max(one.collisions for one in classes)
    step, room = (_WIDTH - 2 * _BESIDE) / len(classes), _HEIGHT - _TOP - _BOTTOM
    base = _HEIGHT - _BOTTOM
    parts = []
    for place, one in enumerate(classes):
        height = room * one.collisions / most
        x = _BESIDE + place * step
        said = f"{one.collisions}: {length_text(one.above, units)} to {length_text(one.upto, units)}"
        parts.append(
            f'<rect class="bar" x="{x + 3:.1f}" y="{base - height:.1f}" width="{step - 6:.1f}" '
            f'height="{height:.1f}"><title>{escape(said)}</title></rect>'
        )
        if one.collisions:
            parts.append(_label(x + step / 2, base - height - 6, str(one.collisions)))
        parts.append(_label(x, _HEIGHT - 8, length_text(one.above, units)))
    parts.append(_label(_WIDTH - _BESIDE, _HEIGHT - 8, length_text(classes[-1].upto, units)))
    drawn = "\n".join(parts)
    return (
        f'<svg class="histogram" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="Collisions by depth">\n'
        f'<line class="base" x1="0" y1="{base}" x2="{_WIDTH}" y2="{base}"/>\n{drawn}\n</svg>'
    )


def _bounds(least: float, greatest: float, steps: Sequence[float]) -> list[float]:
    """Return round numbers from below the smallest length to the largest or above it."""
    first, last = math.floor(math.log10(least)) - 1, math.floor(math.log10(greatest)) + 1
    numbers = [float(f"{step:g}e{power}") for power in range(first, last + 1) for step in steps]
    begin = max(place for place, number in enumerate(numbers) if number < least)
    end = min(place for place, number in enumerate(numbers) if number >= greatest)
    return numbers[begin : end + 1]


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(text)}</text>'
