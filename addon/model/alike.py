# SPDX-License-Identifier: GPL-3.0-or-later
"""Groups of pairs that look the same, which share a picture, and of equal issues, which share a line."""

import math
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache
from itertools import chain

from ...core.constants import Verdict
from ..system.late import np
from .marks import PairMarks
from .report import Issue, PairResults, Report, Skipped

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
    rows = list(rows)
    for row, (verdict, gap, contacts, *names) in zip(rows, _looks(report, rows), strict=True):
        found.setdefault((verdict, _digits(gap), contacts, *names), []).append(row)
    return {same[0]: same for same in found.values()}


def without_numbers(name: str) -> str:
    """Return a name without numbers and what separates them, in lower case. Copies of an object have the same one."""
    return _NUMBER.sub("", name).casefold()


@cache
def is_own_name(name: str) -> bool:
    """Return whether somebody has named an object so. `name` is without numbers."""
    return _GIVEN.fullmatch(name) is None


def _digits(gap: float) -> str:
    return f"{gap:.{_DIGITS - 1}e}"


def _looks(report: Report, rows: Sequence[int]) -> Iterator[tuple[int, float, int, str, str]]:
    """Yield verdict, gap, number of contacts, and the sorted names without numbers of each of these pairs."""
    pairs, at = PairResults.of(report.pairs), np.array(rows, dtype=np.int64)
    columns = (pairs.verdict, pairs.gap, pairs.contacts, pairs.body_a, pairs.body_b)
    names = [without_numbers(body.name) for body in report.bodies]
    for verdict, gap, contacts, body_a, body_b in zip(*(column[at].tolist() for column in columns), strict=True):
        first, second = names[body_a], names[body_b]
        yield (verdict, gap, contacts, first, second) if first <= second else (verdict, gap, contacts, second, first)


# Pairs of one kind, and pairs with one asset, share a line if there are at least this many.
FEWEST = 3
# Rows share a line if the others are at least this fraction of the first in depth.
_SHALLOWEST = 0.5

# Names that programs give to new objects. They say nothing about what an object is.
_GIVEN = re.compile(
    "|b[eé]ziercurve|box|circle|cone|cube|curve|cylinder|default|geometry|grid|group|icosphere|line|mesh|metaball|model|node|"
    "nurbspath|object|part|p?(cone|cube|cylinder|plane|sphere|torus)|polysurface|shape|solid|surface|suzanne|text"
)


def others_alike(report: Report, rows: Sequence[int], marks: PairMarks) -> dict[int, list[int]]:
    """Return, for each row whose line stands for several pairs, the others. Rows with notes stand alone."""
    noted = marks.noted(report, rows)
    plain = [row for row in rows if row not in noted]
    return {first: same[1:] for first, same in sharing_lines(report, plain).items()}


def sharing_lines(report: Report, rows: Sequence[int]) -> dict[int, list[int]]:
    """Return, for each line that stands for several pairs, the first row and all its rows, worst first.

    They are of the same two assets, of one kind, or have one asset in common; see `of_two_assets`, `similar` and
    `with_one_asset`. Rows are given worst first.
    """
    found = of_two_assets(report, rows)
    taken = set(chain.from_iterable(found.values()))
    alone = [row for row in rows if row not in taken]
    found |= {first: some for first, some in similar(report, alone).items() if len(some) >= FEWEST}
    taken = set(chain.from_iterable(found.values()))
    lines = found | {row: [row] for row in alone if row not in taken}
    for some in with_one_asset(report, dict(sorted(lines.items()))):
        rest = [row for first in some for row in found.pop(first, [first])]
        found[some[0]] = sorted(rest)
    return found


def of_two_assets(report: Report, rows: Sequence[int]) -> dict[int, list[int]]:
    """Return, for two assets of which several parts collide, the first row and all of them, including the first.

    A book of twelve parts that is in a shelf is one collision.
    """
    found: dict[frozenset[str], list[int]] = {}
    assets = report.assets_of_pairs
    for row in rows:
        found.setdefault(assets[row], []).append(row)
    return {same[0]: same for both, same in found.items() if len(same) > 1 and len(both) > 1}


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
    for row, (verdict, gap, contacts, *names) in zip(rows, _looks(report, rows), strict=True):
        key: object
        if verdict != Verdict.DUPLICATE and -math.inf < gap < 0.0 and all(map(is_own_name, names)):
            named = (verdict, *names)
            if -gap < _SHALLOWEST * first.setdefault(named, -gap):
                first[named] = -gap
            key = (*named, first[named])
        else:
            key = (verdict, _digits(gap), contacts, *names)
        found.setdefault(key, []).append(row)
    return {same[0]: same for same in found.values()}


def with_one_asset(report: Report, lines: Mapping[int, Sequence[int]]) -> list[list[int]]:
    """Return groups of lines for at least `FEWEST` pairs that have one asset in common, each by its first row.

    Their first rows have the same verdict, and at least half of the depth of the first. So the crates that stand in a
    floor are one line, and a crate that is much deeper in it than others has its own. The assets with most lines come
    first.

    Parameters
    ----------
    report : Report
    lines : mapping of int to sequence of int
        The first row and all rows of each line, worst first.
    """
    around: defaultdict[tuple[str, int], list[int]] = defaultdict(list)
    every = report.assets_of_pairs
    for row, some in lines.items():
        pair, assets = report.pairs[row], every[row]
        deep = math.isfinite(pair.depth) and pair.depth > 0.0
        if (deep or pair.verdict == Verdict.COPLANAR) and len(assets) > 1:
            for asset in assets.intersection(*(every[one] for one in some)):
                around[asset, int(pair.verdict)].append(row)
    taken, found = set[int](), list[list[int]]()
    for many in sorted(around.values(), key=len, reverse=True):
        for some in _about_as_deep(report, [row for row in many if row not in taken]):
            if len(some) > 1 and sum(len(lines[row]) for row in some) >= FEWEST:
                found.append(some)
                taken.update(some)
    return found


def _about_as_deep(report: Report, rows: Sequence[int]) -> list[list[int]]:
    """Divide rows, deepest first, into groups. None is less than half as deep as the first of its group."""
    groups: list[list[int]] = []
    for row in rows:
        if groups and report.pairs[row].depth >= _SHALLOWEST * report.pairs[groups[-1][0]].depth:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


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


def several(names: Sequence[str]) -> str:
    """Return the number of objects and the first of their names. For one, its name."""
    if len(names) == 1:
        return names[0]
    return f"{len(names)} objects ({', '.join(names[:_MOST])}{', …' if len(names) > _MOST else ''})"


def _several(found: Sequence[Issue] | Sequence[Skipped]) -> str:
    return several([one.object for one in found])
