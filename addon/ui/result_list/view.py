# SPDX-License-Identifier: GPL-3.0-or-later
"""Which lines the list of results shows, and in which order: filtered, sorted, and grouped by object.

Folded pairs come last, each below the line that stands for it, if that was opened.

The list's rows are places; what stands at a place is looked up here. Blender would take longer for sorting by itself
(its time grows with the square of the rows), and so nothing but the number of lines is left to it. The arrays are made
when something has changed and not when it is drawn.
"""

from collections.abc import Mapping, Set
from functools import cache, cached_property
from typing import TYPE_CHECKING, NamedTuple

from ....core.constants import Verdict
from ...i18n.wrapping import ShortNames
from ...model.folds import Fold
from ...model.marks import NO_MARKS, PairMarks
from ...model.pair_groups import groups
from ...model.report import ObjectKey, Report
from ...session.collision_results import CollisionResult
from ...system.late import np

if TYPE_CHECKING:
    from ....core.numerics.types import Bools, Ints


# The pair of a line that is a heading, and the object of a line that has none above it.
NONE = -1


class Wish(NamedTuple):
    """The view settings of the list.

    Attributes
    ----------
    verdicts : frozenset of Verdict
        Pairs of others are left out.
    accepted : bool
        Whether accepted and ignored pairs are listed. They come last.
    only_new : bool
        Whether only faults are listed that are new or deeper since the check before.
    text : str
        Each of its words must be in the name of one of the two objects, or in the status, the assignee or a comment of
        the pair, in upper or lower case.
    depth : float
        Above zero, only what penetrates at least that deep is listed, in Blender units.
    order : str
        VERDICT, DEPTH, DISTANCE, NAME, TEST or GROUP.
    reverse : bool
    grouped : bool
        Whether each pair is listed under both its objects.
    rows : frozenset of int, optional
        Rows of the report; others are left out. None: none is.
    """

    verdicts: frozenset[Verdict] = frozenset(Verdict)
    accepted: bool = True
    only_new: bool = False
    text: str = ""
    depth: float = 0.0
    order: str = "VERDICT"
    reverse: bool = False
    grouped: bool = False
    rows: frozenset[int] | None = None


class ListLines(NamedTuple):
    """The lines of the list, from top to bottom.

    Attributes
    ----------
    pair : (L,) int64
        The row of the report; `NONE` for a heading, and for a line that stands for folded pairs.
    body : (L,) int64
        The object that the line stands under, or that it is the heading of; `NONE` where pairs are not grouped.
    listed : (B,) int64
        How many pairs are listed for each body, folded away or not.
    shown : int
        How many pairs pass the filter.
    fold : (L,) int64
        The number of the line of folded pairs that this is, or under which it stands; `NONE` for all other lines.
    folds : tuple of (Fold, int)
        These lines, and how many pairs each stands for.
    """

    pair: "Ints"
    body: "Ints"
    listed: "Ints"
    shown: int
    fold: "Ints"
    folds: tuple[tuple[Fold, int], ...] = ()


class _Facts:
    """The pairs of a report as arrays."""

    def __init__(self, session: CollisionResult, report: Report, marks: PairMarks) -> None:
        pairs = report.pairs
        self.verdict = np.array([pair.verdict for pair in pairs], dtype=np.int64)
        self.distance = np.array([pair.gap for pair in pairs], dtype=np.float64)
        self.bodies = np.array([(pair.body_a, pair.body_b) for pair in pairs], dtype=np.int64).reshape(-1, 2)
        self.test = np.array([pair.test for pair in pairs], dtype=np.int64)
        self.group = np.full(len(pairs), len(pairs))
        for number, group in enumerate(groups(report, marks)):
            self.group[list(group.rows)] = number
        self.accepted = np.zeros(len(pairs), dtype=bool)
        self.accepted[[*marks.accepted, *marks.ignored]] = True
        self.new = np.zeros(len(pairs), dtype=bool)
        self.new[list(marks.news(report))] = True
        self.folds = {fold: np.array(rows, dtype=np.int64) for fold, rows in marks.folds(report).items()}
        # What a search finds besides names.
        self.said = {
            row: "\n".join((topic.status, topic.assigned_to, *(one.text for one in topic.comments))).casefold()
            for row, topic in marks.topics.items()
        }
        names = [session.body_name(body) for body in report.bodies]
        self.name = [name.casefold() for name in names]
        self.short_names = ShortNames(names)

    @cached_property
    def rank(self) -> "Ints":
        """The place of each body (B,) among all by name."""
        rank = np.empty(len(self.name), dtype=np.int64)
        rank[sorted(range(len(rank)), key=lambda body: _natural(self.name[body]))] = np.arange(len(rank))
        return rank

    def wanted(self, wish: Wish) -> "Bools":
        """Which pairs pass the filter."""
        wanted: Bools = np.isin(self.verdict, [int(verdict) for verdict in wish.verdicts])
        if not wish.accepted:
            wanted &= ~self.accepted
        if wish.only_new:
            wanted &= self.new
        if wish.rows is not None:
            wanted &= np.isin(np.arange(len(wanted)), list(wish.rows))
        if wish.depth > 0.0:
            wanted &= self.distance <= -wish.depth
        for word in wish.text.casefold().split():
            has = np.array([word in name for name in self.name], dtype=bool)
            mentioned = np.zeros(len(wanted), dtype=bool)
            mentioned[[row for row, said in self.said.items() if word in said]] = True
            wanted &= has[self.bodies].any(axis=1) | mentioned
        return wanted

    def ordered(self, wish: Wish, rows: "Ints") -> "Ints":
        """These rows in the order that is wished for; among equals, as the report has them."""
        if wish.order == "NAME":
            names = np.sort(self.rank[self.bodies[rows]], axis=1)
            order = np.lexsort((names[:, 1], names[:, 0]))
        elif wish.order == "DEPTH":
            order = np.argsort(self.distance[rows], kind="stable")
        elif wish.order == "DISTANCE":
            order = np.argsort(np.abs(self.distance[rows]), kind="stable")
        elif wish.order in {"TEST", "GROUP"}:
            order = np.argsort((self.test if wish.order == "TEST" else self.group)[rows], kind="stable")
        else:
            # What has changed since the check before comes first.
            order = np.argsort(~self.new[rows], kind="stable")
        found = rows[order[::-1]] if wish.reverse else rows[order]
        return found[np.argsort(self.accepted[found], kind="stable")]


class ResultsView:
    """The lines of the list, as long as nothing that they depend on has changed.

    Attributes
    ----------
    under : ObjectKey or None
        Of a pair that is listed twice, the object under which it was chosen.
    turned : bool
        Whether the last choice folded or unfolded an object instead of choosing a pair.
    """

    def __init__(self) -> None:
        self.under: ObjectKey | None = None
        self.turned = False
        self._folded: set[ObjectKey] = set()
        self._opened: set[Fold] = set()
        self._report: Report | None = None
        self._marks = NO_MARKS
        self._names: Mapping[int, str] = {}
        self._facts: _Facts | None = None
        self._wish: Wish | None = None
        self._lines: ListLines | None = None
        self._flags: tuple[int, int, list[int]] = (0, 0, [])

    def lines(self, session: CollisionResult, wish: Wish, marks: PairMarks) -> ListLines:
        """Return the present lines of the list."""
        report = session.report
        if report is None:
            self._report, self._facts, self._lines = None, None, None
            return _no_lines()
        facts = self._facts
        same_names = session.names is self._names or session.names == self._names
        if facts is None or report is not self._report or marks is not self._marks or not same_names:
            facts, self._wish = _Facts(session, report, marks), None
            self._report, self._marks, self._facts = report, marks, facts
        self._names = session.names
        if self._lines is None or wish != self._wish:
            self._wish = wish
            self._lines = _arranged(facts, wish, self._folded_bodies(report), self._opened)
        return self._lines

    @property
    def short_names(self) -> ShortNames:
        """The names of the bodies whose pairs the lines show, to be shortened."""
        return self._facts.short_names if self._facts is not None else ShortNames(())

    def group_of(self, row: int) -> int:
        """The number of the group of connected objects that a pair is in, from zero; `NONE` if it is in none."""
        group = self._facts.group if self._facts is not None else ()
        return int(group[row]) if row < len(group) and group[row] < len(group) else NONE

    def flags(self, shown: int, count: int, flag: int) -> list[int]:
        """Show the first of `count` rows and hide the rest; nothing where that is none."""
        if shown >= count:
            return []
        if self._flags[:2] != (shown, count):
            self._flags = shown, count, [flag] * shown + [0] * (count - shown)
        return self._flags[2]

    def turn(self, key: ObjectKey) -> None:
        """Fold the pairs of an object away, or show them again."""
        self._folded ^= {key}
        self._wish = None

    def open(self, fold: Fold) -> None:
        """List the pairs that a line stands for, or no longer."""
        self._opened ^= {fold}
        self._wish = None

    def is_open(self, fold: Fold) -> bool:
        """Whether the pairs that a line stands for are listed."""
        return fold in self._opened

    def is_folded(self, key: ObjectKey) -> bool:
        """Whether the pairs of an object are folded away."""
        return key in self._folded

    def place_of(self, lines: ListLines, row: int) -> int:
        """Where a row of the report is listed, under the object where it was chosen if it can be; `NONE`: nowhere."""
        places = np.flatnonzero(lines.pair == row) if row >= 0 else np.empty(0, dtype=np.int64)
        if not len(places):
            return NONE
        if self.under is not None and self._report is not None:
            for place in places.tolist():
                body = int(lines.body[place])
                if body >= 0 and self._report.bodies[body].key == self.under:
                    return int(place)
        return int(places[0])

    def _folded_bodies(self, report: Report) -> "Ints":
        if not self._folded:
            return np.empty(0, dtype=np.int64)
        return np.array([row for row, body in enumerate(report.bodies) if body.key in self._folded], dtype=np.int64)


def most_lines(report: Report | None, grouped: bool) -> int:
    """How many lines a report may need: each pair, or each twice and a heading for each object; and those of folds."""
    if report is None:
        return 0
    pairs, folds = len(report.pairs), len(set(report.folded.values()))
    return folds + (2 * pairs + min(2 * pairs, len(report.bodies)) if grouped else pairs)


def step(lines: ListLines, place: int, by: int) -> int:
    """The next place after one, or before it, at which there is a pair; round the end to the other one.

    Parameters
    ----------
    lines : ListLines
    place : int
        `NONE`: begin at the first, or the last.
    by : 1 or -1

    Returns
    -------
    int
        `NONE` where no pair is listed.
    """
    places = np.flatnonzero(lines.pair >= 0)
    if not len(places):
        return NONE
    if place < 0:
        return int(places[0 if by > 0 else -1])
    index = int(np.searchsorted(places, place, side="right" if by > 0 else "left")) - (0 if by > 0 else 1)
    return int(places[index % len(places)])


def _arranged(facts: _Facts, wish: Wish, folded: "Ints", opened: Set[Fold]) -> ListLines:
    wanted = facts.wanted(wish)
    alone = wanted.copy()
    for rows in facts.folds.values():
        alone[rows] = False
    listed = _of_pairs(facts, wish, folded, np.flatnonzero(alone))
    folds: list[tuple[Fold, int]] = []
    pair, number = [listed.pair], [listed.fold]
    for fold, rows in facts.folds.items():
        mine = facts.ordered(wish, rows[wanted[rows]])
        if len(mine):
            shown = mine if fold in opened else mine[:0]
            pair += [np.array([NONE]), shown]
            number.append(np.full(1 + len(shown), len(folds)))
            folds.append((fold, len(mine)))
    pairs, numbers = np.concatenate(pair), np.concatenate(number)
    body = np.concatenate([listed.body, np.full(len(pairs) - len(listed.body), NONE)])
    return ListLines(pairs, body, listed.listed, int(np.count_nonzero(wanted)), numbers, tuple(folds))


def _of_pairs(facts: _Facts, wish: Wish, folded: "Ints", wanted: "Ints") -> ListLines:
    """The lines of these rows, of which none is folded."""
    bodies = len(facts.name)
    rows = facts.ordered(wish, wanted)
    none = np.full(len(rows), NONE)
    if not wish.grouped:
        return ListLines(rows, none, np.zeros(bodies, dtype=np.int64), len(rows), none)
    # Each pair under both objects; an object stands where the first of its pairs would.
    body = facts.bodies[rows].T.ravel()
    place = np.tile(np.arange(len(rows)), 2)
    count = np.bincount(body, minlength=bodies)
    first = np.full(bodies, len(rows))
    np.minimum.at(first, body, place)
    headed = np.flatnonzero(count)
    if wish.order == "NAME":
        order = np.argsort(facts.rank[headed])
        headed = headed[order[::-1] if wish.reverse else order]
    else:
        headed = headed[np.lexsort((facts.rank[headed], -count[headed], first[headed]))]
    group = np.empty(bodies, dtype=np.int64)
    group[headed] = np.arange(len(headed))
    kept = ~np.isin(body, folded)
    of_line = np.concatenate([headed, body[kept]])
    pair = np.concatenate([np.full(len(headed), NONE), np.tile(rows, 2)[kept]])
    order = np.lexsort((np.concatenate([np.full(len(headed), NONE), place[kept]]), group[of_line]))
    return ListLines(pair[order], of_line[order], count, len(rows), np.full(len(order), NONE))


def _natural(name: str) -> list[tuple[int, int, str]]:
    """A key by which "Crate.2" comes before "Crate.10"."""
    parts: list[tuple[int, int, str]] = []
    digits = ""
    for letter in name:
        if letter.isdecimal():
            digits += letter
            continue
        if digits:
            parts.append((0, int(digits), ""))
            digits = ""
        parts.append((1, 0, letter))
    if digits:
        parts.append((0, int(digits), ""))
    return parts


@cache
def _no_lines() -> ListLines:
    none = np.empty(0, dtype=np.int64)
    return ListLines(none, none, none, 0, none)
