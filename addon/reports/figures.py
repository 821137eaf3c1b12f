# SPDX-License-Identifier: GPL-3.0-or-later
"""Figures of a report: depths, objects with most collisions, connected groups, and pairs by collections.

Only pairs count that are neither accepted nor ignored. The histogram is drawn as SVG.
"""

import math
from collections import defaultdict
from collections.abc import Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from ...core.constants import Verdict
from ..i18n.units import length_text
from ..model.marks import Marks
from ..model.report import PairResult, Report, Units
from ..model.verdict_names import FAULTS

# Of fewer collisions the list says everything.
FEWEST = 5
MOST_OBJECTS = 10
MOST_GROUPS = 10

# The bounds of the classes of a histogram are these, times powers of ten; if those are too many, powers of ten alone.
_STEPS = (1.0, 2.0, 5.0)
_MOST_CLASSES = 12

# Pixels of the histogram, and beside its bars, where half of a length has to fit.
_WIDTH, _HEIGHT, _TOP, _BOTTOM, _BESIDE = 780, 200, 24, 28, 30


class WorstObject(NamedTuple):
    """An object, how many collisions it has, and the greatest depth of them in Blender units."""

    name: str
    collisions: int
    depth: float


class Group(NamedTuple):
    """Objects that hang together by collisions, and how many collisions these are."""

    names: tuple[str, ...]
    collisions: int


class DepthClass(NamedTuple):
    """How many collisions are deeper than one depth and at most as deep as another, in Blender units."""

    above: float
    upto: float
    collisions: int


class Cell(NamedTuple):
    """The pairs between two collections: how many, and their worst verdict."""

    pairs: int
    worst: Verdict


def matrix(report: Report, marks: Marks, collections: Sequence[str]) -> dict[tuple[str, str], Cell]:
    """The pairs of a report that are neither accepted nor ignored, by the collections of their objects.

    Parameters
    ----------
    report : Report
    marks : Marks
    collections : sequence of str
        Of each body.

    Returns
    -------
    dict of (str, str) to Cell
        The two collections are in alphabetical order.
    """
    cells: dict[tuple[str, str], Cell] = {}
    for row in marks.open_rows(report, tuple(Verdict)):
        between, verdict = between_collections(report.pairs[row], collections), report.pairs[row].verdict
        before = cells.get(between, Cell(0, verdict))
        cells[between] = Cell(before.pairs + 1, max(before.worst, verdict))
    return cells


def between_collections(pair: PairResult, collections: Sequence[str]) -> tuple[str, str]:
    """The collections of the two bodies of a pair, in alphabetical order."""
    first, second = sorted((collections[pair.body_a], collections[pair.body_b]))
    return first, second


def worst_objects(report: Report, marks: Marks) -> list[WorstObject]:
    """The objects with most collisions, at equal numbers the deepest first."""
    count: defaultdict[int, int] = defaultdict(int)
    depth: defaultdict[int, float] = defaultdict(float)
    for row in marks.open_rows(report, FAULTS):
        pair = report.pairs[row]
        for body in (pair.body_a, pair.body_b):
            count[body] += 1
            depth[body] = max(depth[body], -pair.gap)
    order = sorted(count, key=lambda body: (-count[body], -depth[body], report.bodies[body].name))
    return [WorstObject(report.bodies[body].name, count[body], depth[body]) for body in order]


def groups(report: Report, marks: Marks) -> list[Group]:
    """The connected components of the graph of objects and their collisions, those with most collisions first."""
    neighbors: defaultdict[int, list[int]] = defaultdict(list)
    for row in marks.open_rows(report, FAULTS):
        pair = report.pairs[row]
        neighbors[pair.body_a].append(pair.body_b)
        neighbors[pair.body_b].append(pair.body_a)
    found, seen = [], set[int]()
    for first in sorted(neighbors):
        if first in seen:
            continue
        members, waiting = {first}, [first]
        while waiting:
            new = set(neighbors[waiting.pop()]) - members
            members |= new
            waiting += new
        seen |= members
        collisions = sum(len(neighbors[body]) for body in members) // 2
        found.append(Group(tuple(sorted(report.bodies[body].name for body in members)), collisions))
    return sorted(found, key=lambda group: (-group.collisions, group.names))


def depth_classes(depths: Sequence[float], meters: float) -> list[DepthClass]:
    """How many depths are in each class of a histogram whose bounds are round numbers in meters.

    Parameters
    ----------
    depths : sequence of float
        In Blender units. Those of at most zero are left out.
    meters : float
        Meters in one Blender unit.
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
    """The classes as an SVG element; each bar has its count above it, and the bounds are below."""
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
    """Round numbers from below the least length to the greatest or above it."""
    first, last = math.floor(math.log10(least)) - 1, math.floor(math.log10(greatest)) + 1
    numbers = [float(f"{step:g}e{power}") for power in range(first, last + 1) for step in steps]
    begin = max(place for place, number in enumerate(numbers) if number < least)
    end = min(place for place, number in enumerate(numbers) if number >= greatest)
    return numbers[begin : end + 1]


def _label(x: float, y: float, text: str) -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(text)}</text>'
