# SPDX-License-Identifier: GPL-3.0-or-later
"""Marks of the pairs of a report in addition to verdicts: accepted, ignored, new, resolved. Does not need Blender."""

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
from .verdict_names import FAULTS


class GonePair(NamedTuple):
    """A fault of the previous check that is resolved, as it was then."""

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
        Rows that were accepted, with the reason, or "" if none was given.
    new : frozenset of int, optional
        Faults that were not faults in the previous check; see `addon.model.changes`. None: there is no previous check.
    gone : tuple of GonePair, optional
        Faults of the previous check that are resolved, worst first. None as for `new`.
    deeper : mapping of int to float
        Rows that were accepted and have become deeper since, so that they are no longer accepted, with the accepted
        depth in Blender units.
    rules : tuple of IgnoreRule
        Rules for ignoring pairs.
    ignored : mapping of int to int
        Rows that match a rule, with the index of the rule. None of them is in `accepted`.
    worse : frozenset of int, optional
        Faults that were less deep in the previous check. None as for `new`.
    only_changes : bool
        Whether only new or worse rows can fail the check.
    topics : mapping of int to Topic
        Status, assignee and comments of rows.
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
        """Return the number of pairs for each verdict that are not accepted, ignored or folded."""
        settled = self.accepted_counts(report) + self.ignored_counts(report) + self.folded_counts(report)
        return report.counts() - settled

    def accepted_counts(self, report: Report) -> Counter[Verdict]:
        """Return the number of accepted pairs for each verdict."""
        return report.verdicts_of(list(self.accepted))

    def ignored_counts(self, report: Report) -> Counter[Verdict]:
        """Return the number of ignored pairs for each verdict."""
        return report.verdicts_of(list(self.ignored))

    def folds(self, report: Report) -> dict[Fold, list[int]]:
        """Return the folded lines, each with its rows, without accepted and ignored ones."""
        found: defaultdict[Fold, list[int]] = defaultdict(list)
        for row, fold in report.folded.items():
            if row not in self.accepted and row not in self.ignored:
                found[fold].append(row)
        return dict(
            sorted(found.items(), key=lambda one: (list(FoldKind).index(one[0].kind), -len(one[1]), one[0].name))
        )

    def folded_counts(self, report: Report) -> Counter[Verdict]:
        """Return the number of folded pairs for each verdict."""
        return report.verdicts_of([row for rows in self.folds(report).values() for row in rows])

    def static_faults(self, report: Report) -> int:
        """Return the number of pairs of static bodies that are folded, and would be faults otherwise."""
        rows = self.folds(report).get(Fold(FoldKind.STATIC), ())
        counts = report.verdicts_of(rows)
        return sum(counts[verdict] for verdict in FAULTS)

    def news(self, report: Report) -> frozenset[int]:
        """Return the rows that are new or worse, and not accepted, ignored or folded."""
        changed = (self.new or frozenset()) | (self.worse or frozenset())
        return changed - self.accepted.keys() - self.ignored.keys() - report.folded.keys()

    def reason(self, row: int) -> str | None:
        """Return the reason of the rule that matches a row, "" without a reason. None if no rule matches."""
        return self.rules[self.ignored[row]].reason if row in self.ignored else None

    def uses(self) -> list[int]:
        """Return the number of pairs that match each rule."""
        count = Counter(self.ignored.values())
        return [count[number] for number in range(len(self.rules))]

    def open_rows(self, report: Report, verdicts: Collection[Verdict], *, copies: bool = False) -> list[int]:
        """Return the rows with these verdicts that are not accepted, ignored or folded.

        With `copies`, rows that are folded because they repeat the pair of another copy are included.
        """
        rows = np.flatnonzero(np.isin(report.column("verdict"), [int(verdict) for verdict in verdicts]))
        folded = (row for row, one in report.folded.items() if not (copies and one.kind is FoldKind.COPIES))
        settled = {*self.accepted, *self.ignored, *folded}
        return [row for row in rows.tolist() if row not in settled]

    def noted(self, report: Report, rows: Collection[int]) -> frozenset[int]:
        """Return which of these rows have notes: their test, their earlier state, their copies or their topic."""
        if report.tests:
            return frozenset(rows)
        return frozenset(
            {*(self.new or ()), *(self.worse or ()), *report.copies_told, *self.deeper, *self.topics}
        ).intersection(rows)

    def failing_rows(self, report: Report, verdicts: Collection[Verdict]) -> list[int]:
        """Return the rows that fail a check with these failing verdicts."""
        changed = (self.new or frozenset()) | (self.worse or frozenset())
        severities = [*(test.severity for test in report.tests), "error"]  # a pair without a test has the index -1
        tests = report.column("test").tolist()
        return [
            row
            for row in self.open_rows(report, verdicts)
            if severities[tests[row]] == "error" and (not self.only_changes or row in changed)
        ]


# For a report without other information.
NO_MARKS = PairMarks()


def ignored_rows(report: Report, rules: Sequence[IgnoreRule], labels: Sequence[Labels]) -> dict[int, int]:
    """Return the rows of a report that match a rule, with the index of the first such rule.

    Parameters
    ----------
    report : Report
    rules : sequence of IgnoreRule
    labels : sequence of Labels
        Labels of each body of the report.
    """
    if not (report.pairs and rules):
        return {}
    first, second = np.array([(pair.body_a, pair.body_b) for pair in report.pairs], dtype=np.int64).T
    depth = np.array([pair.depth_bound for pair in report.pairs])
    # Depths within rounding of the limit are allowed.
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
