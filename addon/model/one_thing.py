# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that their owner declares to be one thing: pairs among them are folded, as those of parts of one asset."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ...core.constants import Verdict
from ..system.late import np
from .alike import others_alike
from .marks import PairMarks
from .report import Report
from .rules import Labels, Pattern, matching
from .suggestions import exact
from .verdict_names import FAULTS

if TYPE_CHECKING:
    from ...core.numerics.types import Bools, Ints

# Matches every object.
EVERYTHING = Pattern("name", "*")
# A thing is proposed if it would fold at least this many pairs, and this fraction of the lines of the list.
_FEWEST, _SHORTER = 3, 0.5
# Of several things, the one with fewest objects is proposed that would fold this fraction of the pairs of the best.
_NEARLY = 0.75


def things_of(patterns: Sequence[Pattern], labels: Sequence[Labels]) -> dict[Pattern, "Bools"]:
    """Return the bodies (B,) of each declared thing. `labels` are those of each body."""
    return {one: matching((one,), labels) for one in patterns}


def pairs_within(
    things: Mapping[Pattern, "Bools"], columns: Sequence["Ints"], scene: str
) -> dict[tuple[int, int], str]:
    """Return the pairs of bodies of one declared thing, the lesser first, each with the name of its first thing.

    Duplicates are faults of a thing, too, and are not among them.

    Parameters
    ----------
    things : mapping of Pattern to (B,) bool
    columns : (P,) int64, three times
        The two bodies and the verdict of each pair.
    scene : str
        Name of the scene, which is that of a thing of everything.
    """
    first, second, verdict = columns
    found: dict[tuple[int, int], str] = {}
    for pattern, members in things.items():
        name = scene if pattern == EVERYTHING else pattern.glob
        rows = np.flatnonzero(members[first] & members[second] & (verdict != Verdict.DUPLICATE))
        for a, b in zip(first[rows].tolist(), second[rows].tolist(), strict=True):
            found.setdefault((min(a, b), max(a, b)), name)
    return found


class ProposedThing(NamedTuple):
    """Objects that may be one thing, and the effect of declaring them to be one.

    Attributes
    ----------
    pattern : Pattern
    pairs, of_pairs : int
        Number of faults that it would fold, and of all faults.
    lines, of_lines : int
        Number of lines of the list of faults with it and without it.
    """

    pattern: Pattern
    pairs: int
    of_pairs: int
    lines: int
    of_lines: int


def proposed_thing(report: Report, labels: Sequence[Labels], marks: PairMarks) -> ProposedThing | None:
    """Return the collection or the parent that would shorten the list most if its objects were one thing.

    The whole scene is never proposed: it would hide whatever is in the list.

    Parameters
    ----------
    report : Report
    labels : sequence of Labels
        Labels of each body of the report.
    marks : PairMarks
    """
    faults = marks.open_rows(report, FAULTS)
    if report.within or len(faults) < _FEWEST:
        return None
    columns = [report.column(name) for name in ("body_a", "body_b", "verdict")]
    first, second, verdict = (column[np.array(faults)] for column in columns)
    ends = list(zip(np.minimum(first, second).tolist(), np.maximum(first, second).tolist(), strict=True))
    free = (verdict != Verdict.DUPLICATE) & np.array([pair not in report.odd for pair in ends])
    candidates: list[tuple[int, int, Pattern]] = []
    for pattern in _shared(labels, ends):
        members = matching((pattern,), labels)
        if not members.all():
            pairs = int(np.count_nonzero(members[first] & members[second] & free))
            candidates.append((pairs, int(members.sum()), pattern))
    most = max((pairs for pairs, _, _ in candidates), default=0)
    if most < _FEWEST:
        return None
    pairs, _, pattern = min((one for one in candidates if one[0] >= _NEARLY * most), key=lambda one: (one[1], -one[0]))
    joined = pairs_within(things_of((pattern,), labels), columns, report.scene)
    folded = replace(report, joined={**joined, **report.joined})
    now, then = _lines(report, faults, marks), _lines(folded, marks.open_rows(folded, FAULTS), marks)
    return ProposedThing(pattern, pairs, len(faults), then, now) if then <= _SHORTER * now else None


def _lines(report: Report, faults: Sequence[int], marks: PairMarks) -> int:
    """Return the number of lines for these faults."""
    return len(faults) - sum(map(len, others_alike(report, faults, marks).values()))


def _shared(labels: Sequence[Labels], ends: Sequence[tuple[int, int]]) -> list[Pattern]:
    """Return the patterns of the collections and the parents that both bodies of some pair have."""
    found = {
        exact(name, field)
        for a, b in ends
        for field in ("collection", "parent")
        for name in getattr(labels[a], field) & getattr(labels[b], field)
    }
    return sorted(found)
