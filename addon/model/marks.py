# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks of the pairs of a report besides their verdicts: accepted, ignored, new, resolved. No Blender in it."""

from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from ...core.constants import Verdict
from ..system.late import np
from .folds import Fold, FoldKind
from .report import Report
from .rules import IgnoreRule, Labels, matching
from .topics import Topic


class GonePair(NamedTuple):
    """A fault of the check before that is none any more; as it was then."""

    name_a: str
    name_b: str
    verdict: Verdict
    distance: float


@dataclass(frozen=True)
class PairMarks:
    """Marks of the rows of `Report.pairs`.

    Attributes
    ----------
    accepted : mapping of int to str
        The rows that somebody has looked at and found to be as they should be, and why; "" if no reason was given.
    new : frozenset of int, optional
        The faults that were none in the check before; see `addon.model.changes`. None: there is no check to compare
        with.
    gone : tuple of GonePair, optional
        The faults of the check before that are none any more, the worst first. None as for `new`.
    deeper : mapping of int to float
        Rows that were accepted and have become deeper since, so that they are accepted no longer; and the depth in
        Blender units that was accepted.
    rules : tuple of IgnoreRule
        The rules by which pairs are ignored.
    ignored : mapping of int to int
        The rows that a rule takes, and the number of the rule. None of them is in `accepted`.
    worse : frozenset of int, optional
        The faults that the check before listed as less deep. None as for `new`.
    only_changes : bool
        Only rows that are new or worse can fail the check.
    topics : mapping of int to Topic
        The status, the assignee and the comments of rows.
    """

    accepted: Mapping[int, str] = field(default_factory=dict)
    new: frozenset[int] | None = None
    gone: tuple[GonePair, ...] | None = None
    deeper: Mapping[int, float] = field(default_factory=dict)
    rules: tuple[IgnoreRule, ...] = ()
    ignored: Mapping[int, int] = field(default_factory=dict)
    worse: frozenset[int] | None = None
    only_changes: bool = False
    topics: Mapping[int, Topic] = field(default_factory=dict)

    def open_counts(self, report: Report) -> Counter[Verdict]:
        """How many pairs that are neither accepted nor ignored nor folded got each verdict."""
        settled = self.accepted_counts(report) + self.ignored_counts(report) + self.folded_counts(report)
        return report.counts() - settled

    def accepted_counts(self, report: Report) -> Counter[Verdict]:
        """How many accepted pairs got each verdict."""
        return Counter(report.pairs[row].verdict for row in self.accepted)

    def ignored_counts(self, report: Report) -> Counter[Verdict]:
        """How many ignored pairs got each verdict."""
        return Counter(report.pairs[row].verdict for row in self.ignored)

    def folds(self, report: Report) -> dict[Fold, list[int]]:
        """The lines that stand for several pairs, each with its rows; without those that are accepted or ignored."""
        found: defaultdict[Fold, list[int]] = defaultdict(list)
        for row, fold in report.folded.items():
            if row not in self.accepted and row not in self.ignored:
                found[fold].append(row)
        return dict(
            sorted(found.items(), key=lambda one: (list(FoldKind).index(one[0].kind), -len(one[1]), one[0].name))
        )

    def folded_counts(self, report: Report) -> Counter[Verdict]:
        """How many folded pairs got each verdict."""
        return Counter(report.pairs[row].verdict for rows in self.folds(report).values() for row in rows)

    def news(self, report: Report) -> frozenset[int]:
        """The rows that are new or worse, and neither accepted nor ignored nor folded."""
        changed = (self.new or frozenset()) | (self.worse or frozenset())
        return changed - self.accepted.keys() - self.ignored.keys() - report.folded.keys()

    def reason(self, row: int) -> str | None:
        """Why the rule that takes a row ignores it, "" without a reason; None: no rule takes it."""
        return self.rules[self.ignored[row]].reason if row in self.ignored else None

    def uses(self) -> list[int]:
        """How many pairs each of the rules takes."""
        count = Counter(self.ignored.values())
        return [count[number] for number in range(len(self.rules))]

    def open_rows(self, report: Report, verdicts: Collection[Verdict], *, copies: bool = False) -> list[int]:
        """The rows of these verdicts that are neither accepted nor ignored nor folded.

        With `copies`, those that are folded because they repeat the pair of another copy are among them.
        """
        rows = np.flatnonzero(np.isin(report.column("verdict"), [int(verdict) for verdict in verdicts]))
        folded = (row for row, one in report.folded.items() if not (copies and one.kind is FoldKind.COPIES))
        settled = {*self.accepted, *self.ignored, *folded}
        return [row for row in rows.tolist() if row not in settled]

    def failing_rows(self, report: Report, verdicts: Collection[Verdict]) -> list[int]:
        """The rows that fail a check which fails on these verdicts."""
        changed = (self.new or frozenset()) | (self.worse or frozenset())
        severities = [*(test.severity for test in report.tests), "error"]  # a pair without a test has the index -1
        tests = report.column("test").tolist()
        return [
            row
            for row in self.open_rows(report, verdicts)
            if severities[tests[row]] == "error" and (not self.only_changes or row in changed)
        ]


# Of a report of which nothing else is known.
NO_MARKS = PairMarks()


def ignored_rows(report: Report, rules: Sequence[IgnoreRule], labels: Sequence[Labels]) -> dict[int, int]:
    """The rows of a report that a rule takes, and the number of the first rule that does.

    Parameters
    ----------
    report : Report
    rules : sequence of IgnoreRule
    labels : sequence of Labels
        Those of each body of the report.
    """
    if not (report.pairs and rules):
        return {}
    first, second = np.array([(pair.body_a, pair.body_b) for pair in report.pairs], dtype=np.int64).T
    depth = np.array([pair.depth for pair in report.pairs])
    # What is as deep as it may be is so but for rounding.
    depth -= np.array([pair.touching for pair in report.pairs])
    taken = np.full(len(report.pairs), -1)
    for number, rule in enumerate(rules):
        a = matching(rule.a, labels)
        b = matching(rule.b, labels) if rule.b else np.ones(len(labels), dtype=np.bool_)
        meant = (a[first] & b[second]) | (a[second] & b[first])
        if rule.max_depth is not None:
            meant &= depth <= rule.max_depth
        taken[meant & (taken < 0)] = number
    rows = np.flatnonzero(taken >= 0)
    return dict(zip(rows.tolist(), taken[rows].tolist(), strict=True))
