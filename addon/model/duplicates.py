# SPDX-License-Identifier: GPL-3.0-or-later
"""Bodies of a report that are copies of others. Does not need Blender."""

from ...core.constants import Verdict
from .marks import PairMarks
from .report import Body, Report


def copies(report: Report, marks: PairMarks) -> list[Body]:
    """Return the bodies that are duplicates, except the first at each place, in the order of the report.

    Accepted and ignored pairs do not count, and neither do loose parts and instances, because deleting an instancer
    would delete all of its instances.
    """
    first: dict[int, int] = {}
    ends = [
        sorted((report.pairs[row].body_a, report.pairs[row].body_b))
        for row in marks.open_rows(report, (Verdict.DUPLICATE,), copies=True)
    ]
    for one, other in sorted(ends):
        if not report.bodies[other].key.instancer_uid and not report.bodies[other].part:
            first.setdefault(other, one)
    return [report.bodies[body] for body in sorted(first)]
