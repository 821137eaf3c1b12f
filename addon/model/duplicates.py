# SPDX-License-Identifier: GPL-3.0-or-later
"""Which bodies of a report are copies of others. No Blender in it."""

from ...core.constants import Verdict
from .marks import PairMarks
from .report import Body, Report


def copies(report: Report, marks: PairMarks) -> list[Body]:
    """Of bodies that are duplicates, all but the first of each place, in the order of the report's bodies.

    Pairs that are accepted or ignored do not count, and neither do loose parts and instances: to delete what makes an
    instance appear would delete all others that it makes appear.
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
