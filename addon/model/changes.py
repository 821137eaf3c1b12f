# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare the pairs of a report with those of an earlier one: faults that are new, worse or resolved.

A pair is new if it is a fault now and was not a fault before. It is resolved if it was a fault and is not a fault now.
It is worse if it was listed before and is deeper now by more than its touching tolerance. Pairs that only touch are
neither. A pair of which only a lower bound of its depth was known before is never worse.
"""

from collections.abc import Collection
from typing import TYPE_CHECKING, NamedTuple

from ...core.constants import Verdict
from ..system.late import np
from .marks import GonePair
from .report import Report

if TYPE_CHECKING:
    from ...core.numerics.types import Bools, Floats, Ints


class PairChanges(NamedTuple):
    """Rows that are new, rows that are worse, and resolved pairs."""

    new: frozenset[int]
    worse: frozenset[int]
    gone: tuple[GonePair, ...]


class Listed(NamedTuple):
    """Pairs of a report to be compared, one row each.

    Attributes
    ----------
    number : (P,) int64
        Equal for the same pair in both reports.
    verdict : (P,) int64
        `Verdict`.
    gap : (P,) float64
        Distance; negative for a depth, minus infinity for a duplicate. Both reports use the same unit.
    at_least : (P,) bool
        Whether the pair may be deeper.
    """

    number: "Ints"
    verdict: "Ints"
    gap: "Floats"
    at_least: "Bools"

    def faults(self, verdicts: Collection[Verdict]) -> "Bools":
        """Whether each pair is a fault: whether its verdict is one of these."""
        return np.isin(self.verdict, [int(verdict) for verdict in verdicts])


def listed(report: Report, number: "Ints", scale: float = 1.0) -> Listed:
    """Return the pairs of a report with these numbers, with gaps multiplied by `scale`."""
    gap = np.array([-pair.depth for pair in report.pairs], dtype=np.float64) * scale
    return Listed(number, report.column("verdict"), gap, report.column("at_least").astype(bool))


def compared(
    now: Listed, before: Listed, tolerance: "Floats", verdicts: Collection[Verdict]
) -> tuple["Bools", "Bools", "Bools"]:
    """Compare pairs with earlier pairs.

    Parameters
    ----------
    now, before : Listed
        Of several pairs with the same number, the deepest is used.
    tolerance : (P,) float64
        Increase of depth from which on a pair of `now` is worse.
    verdicts : collection of Verdict
        Verdicts that are faults.

    Returns
    -------
    new, worse : (P,) bool
    resolved : (B,) bool
    """
    # What was at least so deep is not worse, whatever its depth is now.
    deepest_before = np.where(before.at_least, -np.inf, before.gap)
    order = np.lexsort((deepest_before, before.number))
    known, first = np.unique(before.number[order], return_index=True)
    deepest = order[first]
    place = np.minimum(np.searchsorted(known, now.number), max(len(known) - 1, 0))
    was_listed = known[place] == now.number if len(known) else np.zeros(len(now.number), dtype=bool)
    fault, before_fault = now.faults(verdicts), before.faults(verdicts)
    faults_before = np.isin(now.number, before.number[before_fault])
    earlier = np.full(len(now.number), np.inf)
    if len(known):
        earlier[was_listed] = deepest_before[deepest[place[was_listed]]]
    worse = fault & was_listed & (now.gap < earlier - tolerance)
    resolved = before_fault & ~np.isin(before.number, now.number[fault])
    return fault & ~faults_before, worse, resolved
