# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of pairs that look the same, which share a picture, and of equal issues, which share a line."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from .report import Issue, PairResult, Report, Skipped

# Suffix of copies of an object: "Bolt.017" and "Bolt_3".
_NUMBER = re.compile(r"[\d._\- ]+")

# Significant digits to which the depths of pairs that look the same agree.
_DIGITS = 3


def alike(report: Report, rows: Iterable[int]) -> dict[int, list[int]]:
    """Return, for each look, the first row and all rows with this look, including the first, in order.

    Two pairs look the same if they have the same verdict, the same depth or gap to three digits, the same number of
    contacts, and the same object names except for numbers.
    """
    found: dict[object, list[int]] = {}
    for row in rows:
        found.setdefault(_look(report, report.pairs[row]), []).append(row)
    return {same[0]: same for same in found.values()}


def _look(report: Report, pair: PairResult) -> tuple[object, ...]:
    names = sorted(_NUMBER.sub("", report.bodies[body].name).casefold() for body in (pair.body_a, pair.body_b))
    return (pair.verdict, f"{pair.gap:.{_DIGITS - 1}e}", len(pair.contact_points), *names)


# Names that programs give to new objects. They say nothing about what an object is.
_GIVEN = re.compile(
    "|b[eé]ziercurve|box|circle|cone|cube|curve|cylinder|default|geometry|grid|group|icosphere|line|mesh|metaball|model|node|"
    "nurbspath|object|part|p?(cone|cube|cylinder|plane|sphere|torus)|polysurface|shape|solid|surface|suzanne|text"
)


def similar(report: Report, rows: Sequence[int]) -> dict[int, list[int]]:
    """Return, for each kind of pair, the first row and all rows of this kind, including the first, in order.

    Pairs are of one kind if they look the same; see `alike`. Pairs of objects with names of their own need only the
    same verdict, the same names except for numbers, and at least half of the depth of the first.

    Parameters
    ----------
    report : Report
    rows : sequence of int
        Deepest first.
    """
    found: dict[object, list[int]] = {}
    first: dict[object, float] = {}
    for row in rows:
        pair = report.pairs[row]
        look = _look(report, pair)
        names = look[3:]
        key: object = look
        if math.isfinite(pair.depth) and pair.depth > 0.0 and not any(map(_GIVEN.fullmatch, map(str, names))):
            named = (pair.verdict, *names)
            if pair.depth < 0.5 * first.setdefault(named, pair.depth):
                first[named] = pair.depth
            key = (*named, first[named])
        found.setdefault(key, []).append(row)
    return {same[0]: same for same in found.values()}


# Maximum number of objects that are named in a combined issue.
_MOST = 3


def joined(issues: Sequence[Issue]) -> list[Issue]:
    """Return the issues of a report. Equal issues about several objects are combined, with their number.

    So is information of one kind, if there are more than three: thirty textures that are missing are one line.
    """
    same: dict[tuple[str, str, str], list[Issue]] = {}
    for found in issues:
        same.setdefault((found.id, found.severity, found.message), []).append(found)
    infos = Counter(found.id for found in issues if found.severity == "info")
    many = {kind for kind, count in infos.items() if count > _MOST}
    result, done = [], set[str]()
    for (kind, severity, message), (one, *more) in same.items():
        if severity != "info" or kind not in many:
            result.append(replace(one, object=_several([one, *more])))
        elif kind not in done:
            done.add(kind)
            every = [found for found in issues if found.severity == "info" and found.id == kind]
            rest = sum(found.message != message for found in every)
            text = f"{message} {rest} more like it." if rest else message
            result.append(replace(one, object=_several(every), message=text))
    return result


def joined_skipped(skipped: Iterable[Skipped]) -> list[Skipped]:
    """Return the objects that were not tested. More than three with the same reason are combined, with their number."""
    same: dict[str, list[Skipped]] = {}
    for one in skipped:
        same.setdefault(one.reason, []).append(one)
    listed = [[replace(one[0], object=_several(one))] if len(one) > _MOST else one for one in same.values()]
    return [one for group in listed for one in group]


def _several(found: Sequence[Issue] | Sequence[Skipped]) -> str:
    if len(found) == 1:
        return found[0].object
    named = ", ".join(one.object for one in found[:_MOST])
    return f"{len(found)} objects ({named}{', …' if len(found) > _MOST else ''})"
