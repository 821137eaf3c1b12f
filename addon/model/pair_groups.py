# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of a report by the collections of their objects, and in groups of connected objects. Does not need Blender.

Accepted and ignored pairs are left out.
"""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from ...core.constants import Verdict
from .marks import PairMarks
from .report import PairResult, Report
from .verdict_names import FAULTS, RANKS

Between = tuple[str, str]


class Cell(NamedTuple):
    """Rows of the pairs between two collections, and their worst verdict."""

    rows: tuple[int, ...]
    worst: Verdict


class Group(NamedTuple):
    """Bodies that are connected by collisions, and the rows of these collisions."""

    bodies: tuple[int, ...]
    rows: tuple[int, ...]


def matrix(report: Report, marks: PairMarks, collections: Sequence[str]) -> dict[Between, Cell]:
    """Return the pairs of a report by the collections of their objects.

    Parameters
    ----------
    report : Report
    marks : PairMarks
    collections : sequence of str
        Collection of each body.

    Returns
    -------
    dict of (str, str) to Cell
        The two collections are in alphabetical order.
    """
    rows: defaultdict[Between, list[int]] = defaultdict(list)
    for row in marks.open_rows(report, tuple(Verdict)):
        rows[between_collections(report.pairs[row], collections)].append(row)
    return {
        between: Cell(tuple(mine), max((report.pairs[row].verdict for row in mine), key=RANKS.__getitem__))
        for between, mine in rows.items()
    }


def between_collections(pair: PairResult, collections: Sequence[str]) -> Between:
    """Return the collections of the two bodies of a pair, in alphabetical order."""
    first, second = sorted((collections[pair.body_a], collections[pair.body_b]))
    return first, second


def busiest(cells: Mapping[Between, Cell], most: int) -> list[str]:
    """Return at most this many collections, those with most pairs, in alphabetical order."""
    count: Counter[str] = Counter()
    for between, cell in cells.items():
        for name in set(between):
            count[name] += len(cell.rows)
    return sorted(sorted(count, key=lambda name: (-count[name], name))[:most])


def groups(report: Report, marks: PairMarks) -> list[Group]:
    """Return the connected components of the graph of objects and collisions, those with most collisions first."""
    rows: defaultdict[int, list[int]] = defaultdict(list)
    for row in marks.open_rows(report, FAULTS):
        for body in (report.pairs[row].body_a, report.pairs[row].body_b):
            rows[body].append(row)
    found, seen = [], set[int]()
    for first in sorted(rows):
        if first in seen:
            continue
        members, waiting = {first}, [first]
        while waiting:
            pairs = [report.pairs[row] for row in rows[waiting.pop()]]
            new = {body for pair in pairs for body in (pair.body_a, pair.body_b)} - members
            members |= new
            waiting += new
        seen |= members
        found.append(Group(tuple(sorted(members)), tuple(sorted({row for body in members for row in rows[body]}))))
    return sorted(found, key=lambda group: (-len(group.rows), [report.bodies[body].name for body in group.bodies]))
