# SPDX-License-Identifier: GPL-3.0-or-later
"""What is known of the pairs of a report besides how they stand: accepted, new, gone. Plain data, no Blender in it."""

from collections import Counter
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from ...core.constants import Verdict
from .report import Report


class GonePair(NamedTuple):
    """A pair that the check before listed, and this one no longer does; as it was then."""

    name_a: str
    name_b: str
    verdict: Verdict
    distance: float


@dataclass(frozen=True)
class Marks:
    """What is known of the rows of `Report.pairs`.

    Attributes
    ----------
    accepted : mapping of int to str
        The rows that somebody has looked at and found to be as they should be, and why; "" if no reason was given.
    new : frozenset of int, optional
        The rows that the check before did not list. None: there is no check to compare with.
    gone : tuple of GonePair, optional
        What the check before listed and this one does not, the worst first. None as for `new`.
    """

    accepted: Mapping[int, str] = field(default_factory=dict)
    new: frozenset[int] | None = None
    gone: tuple[GonePair, ...] | None = None

    def open_counts(self, report: Report) -> Counter[Verdict]:
        """How many pairs that are not accepted got each verdict."""
        return report.counts() - self.accepted_counts(report)

    def accepted_counts(self, report: Report) -> Counter[Verdict]:
        """How many accepted pairs got each verdict."""
        return Counter(report.pairs[row].verdict for row in self.accepted)

    def open_rows(self, report: Report, verdicts: Collection[Verdict]) -> list[int]:
        """The rows of these verdicts that nobody has accepted."""
        return [row for row, pair in enumerate(report.pairs) if pair.verdict in verdicts and row not in self.accepted]


# Of a report of which nothing else is known.
NO_MARKS = Marks()
