# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of pairs that look the same, for one picture, and of issues that say the same, for one line."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .report import Issue, PairResult, Report

# What tells copies of an object apart: "Bolt.017" and "Bolt_3".
_NUMBER = re.compile(r"[\d._\- ]+")

# The significant digits in which depths agree of pairs that look the same.
_DIGITS = 3


def alike(report: Report, rows: Iterable[int]) -> dict[int, list[int]]:
    """The first row of each look, with all rows that look like it, itself first, in their order.

    Two pairs look the same if they have the same verdict, the same depth or gap to three digits, as many contacts, and
    objects of the same names but for numbers.
    """
    found: dict[object, list[int]] = {}
    for row in rows:
        found.setdefault(_look(report, report.pairs[row]), []).append(row)
    return {same[0]: same for same in found.values()}


def _look(report: Report, pair: PairResult) -> tuple[object, ...]:
    names = sorted(_NUMBER.sub("", report.bodies[body].name).casefold() for body in (pair.body_a, pair.body_b))
    return (pair.verdict, f"{pair.gap:.{_DIGITS - 1}e}", len(pair.contact_points), *names)


# Of objects about which a report says the same, so many are named.
_MOST = 3


def joined(issues: Sequence[Issue]) -> list[Issue]:
    """The issues of a report; information that is the same about several objects is one, with their number."""
    same: dict[object, list[Issue]] = {}
    for number, found in enumerate(issues):
        key: object = (found.id, found.message) if found.severity == "info" else number
        same.setdefault(key, []).append(found)
    return [one if not more else replace(one, object=_several([one, *more])) for one, *more in same.values()]


def _several(issues: Sequence[Issue]) -> str:
    named = ", ".join(found.object for found in issues[:_MOST])
    return f"{len(issues)} objects ({named}{', …' if len(issues) > _MOST else ''})"
