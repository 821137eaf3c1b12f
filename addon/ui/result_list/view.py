# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines of the results list and their order: filtered, sorted, and grouped by object.

Folded pairs come last, each below its line if that is open.

The list's rows are places. The entry at a place is looked up here. Blender's own sorting would take longer (its time
grows with the square of the rows), so it only knows the number of lines. The arrays are computed after changes and not
for each redraw.
"""

from collections.abc import Mapping, Sequence, Set
from functools import cache, cached_property
from typing import TYPE_CHECKING, Any, NamedTuple

from ....core.constants import Verdict
from ...i18n.wrapping import ShortNames
from ...model.folds import Fold
from ...model.marks import NO_MARKS, PairMarks
from ...model.pair_groups import groups
from ...model.report import ObjectKey, Report
from ...model.topics import OPEN
from ...session.collision_results import CollisionResult
from ...system.late import np

if TYPE_CHECKING:
    from ....core.numerics.types import Bools, Ints


# Pair of a heading line, and object of a line without heading.
NONE = -1


class Wish(NamedTuple):
    """View settings of the list.

    Attributes
    ----------
    kinds : frozenset of int
        Verdicts of pairs, or kinds of contacts, that are listed.
    accepted : bool
        Whether accepted and ignored pairs are listed. They come last.
    only_new : bool
        Whether only faults are listed that are new or deeper since the previous check.
    text : str
        Each of its words must be in the name of one of the two objects, or in the status, the assignee or a comment of
        the pair, in upper or lower case.
    status : str
        Unless empty, only pairs with this status are listed.
    depth : float
        If above zero, only pairs at least this deep are listed, in Blender units.
    order : str
        VERDICT, DEPTH, DISTANCE, NAME, TEST or GROUP.
    reverse : bool
    grouped : bool
        Whether each pair is listed under both of its objects.
    rows : frozenset of int, optional
        Rows of the report to list. None: all.
    """

    kinds: frozenset[int] = frozenset(Verdict)
    accepted: bool = True
    only_new: bool = False
    text: str = ""
    status: str = ""
    depth: float = 0.0
    order: str = "VERDICT"
    reverse: bool = False
    grouped: bool = False
    rows: frozenset[int] | None = None


class ListLines(NamedTuple):
    """Lines of the list, from top to bottom.

    Attributes
    ----------
    pair : (L,) int64
        Row of the report. `NONE` for a heading, and for a line of folded pairs.
    body : (L,) int64
        Object that the line is under, or that it is the heading of. `NONE` if pairs are not grouped.
    listed : (B,) int64
        Number of listed pairs for each body, including those in closed headings.
    shown : int
        Number of pairs that pass the filter.
    fold : (L,) int64
        Index of the folded line that this is, or that it is under. `NONE` for all other lines.
    folds : tuple of (Fold, int)
        Folded lines, and the number of pairs of each.
    """

    pair: "Ints"
    body: "Ints"
    listed: "Ints"
    shown: int
    fold: "Ints"
    folds: tuple[tuple[Fold, int], ...] = ()


class ListFacts:
    """Entries of a list as arrays: pairs of a collision check, or contacts of a motion check.

    Attributes
    ----------
    kind : (P,) int64
        What the switches of the list show and hide: the verdict, or another number.
    distance : (P,) float64
        The gap. If the two penetrate, minus the depth.
    bodies : (P, 2) int64
        Indices into the bodies of the report.
    test, group : (P,) int64
        Indices of the named test, and of the group of connected objects.
    settled : (P,) bool
        Whether it is accepted or ignored.
    new : (P,) bool
        Entries that come first.
    folds : dict of Fold to (F,) int64
        Rows of each line of folded pairs.
    said : dict of int to str
        Of rows about which there are comments: these, and what else a search finds besides names, in lower case.
    status : dict of int to str
        The status of rows that have another one than `OPEN`.
    name : list of str
        Names of the bodies in lower case.
    key : list of ObjectKey
        The bodies.
    short_names : ShortNames
    """

    def __init__(self, names: Sequence[str], keys: Sequence[ObjectKey], bodies: Sequence[tuple[int, int]]) -> None:
        count = len(bodies)
        self.bodies = np.array(bodies, dtype=np.int64).reshape(-1, 2)
        self.kind, self.test = np.zeros(count, dtype=np.int64), np.zeros(count, dtype=np.int64)
        self.group = np.full(count, count)
        self.distance = np.zeros(count)
        self.settled, self.new = np.zeros(count, dtype=bool), np.zeros(count, dtype=bool)
        self.folds: dict[Fold, Ints] = {}
        self.said: dict[int, str] = {}
        self.status: dict[int, str] = {}
        self.name = [name.casefold() for name in names]
        self.key = list(keys)
        self.short_names = ShortNames(names)

    @cached_property
    def rank(self) -> "Ints":
        """The rank of each body (B,) by name."""
        rank = np.empty(len(self.name), dtype=np.int64)
        rank[sorted(range(len(rank)), key=lambda body: _natural(self.name[body]))] = np.arange(len(rank))
        return rank

    def wanted(self, wish: Wish) -> "Bools":
        """Return which pairs pass the filter."""
        wanted: Bools = np.isin(self.kind, [int(kind) for kind in wish.kinds])
        if not wish.accepted:
            wanted &= ~self.settled
        if wish.only_new:
            wanted &= self.new
        if wish.rows is not None:
            wanted &= np.isin(np.arange(len(wanted)), list(wish.rows))
        if wish.depth > 0.0:
            wanted &= self.distance <= -wish.depth
        if wish.status:
            others = [row for row, status in self.status.items() if (status == wish.status) == (wish.status != OPEN)]
            has_status = np.full(len(wanted), wish.status == OPEN)
            has_status[others] = wish.status != OPEN
            wanted &= has_status
        for word in wish.text.casefold().split():
            has = np.array([word in name for name in self.name], dtype=bool)
            mentioned = np.zeros(len(wanted), dtype=bool)
            mentioned[[row for row, said in self.said.items() if word in said]] = True
            wanted &= has[self.bodies].any(axis=1) | mentioned
        return wanted

    def ordered(self, wish: Wish, rows: "Ints") -> "Ints":
        """Return these rows in the requested order. Equal ones are in the order of the report."""
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
            # Changes since the previous check come first.
            order = np.argsort(~self.new[rows], kind="stable")
        found = rows[order[::-1]] if wish.reverse else rows[order]
        return found[np.argsort(self.settled[found], kind="stable")]


class PairFacts(ListFacts):
    """Return the pairs of a report."""

    def __init__(self, session: CollisionResult, report: Report, marks: PairMarks) -> None:
        pairs, bodies = report.pairs, report.bodies
        super().__init__(
            [session.body_name(body) for body in bodies],
            [body.key for body in bodies],
            [(pair.body_a, pair.body_b) for pair in pairs],
        )
        self.kind = np.array([pair.verdict for pair in pairs], dtype=np.int64)
        self.distance = np.array([pair.gap for pair in pairs], dtype=np.float64)
        self.test = np.array([pair.test for pair in pairs], dtype=np.int64)
        for number, group in enumerate(groups(report, marks)):
            self.group[list(group.rows)] = number
        self.settled[[*marks.accepted, *marks.ignored]] = True
        self.new[list(marks.news(report))] = True
        self.folds = {fold: np.array(rows, dtype=np.int64) for fold, rows in marks.folds(report).items()}
        self.said = {
            row: "\n".join((topic.status, topic.assigned_to, *(one.text for one in topic.comments))).casefold()
            for row, topic in marks.topics.items()
        }
        self.status = {row: topic.status for row, topic in marks.topics.items() if topic.status not in {"", OPEN}}


class ListView:
    """Lines of a list, cached until something that they depend on changes.

    Attributes
    ----------
    under : ObjectKey or None
        For a pair that is listed twice, the object under which it was chosen.
    turned : bool
        Whether the last choice opened or closed a line instead of choosing a pair.
    """

    def __init__(self) -> None:
        self.under: ObjectKey | None = None
        self.turned = False
        self._folded: set[ObjectKey] = set()
        self._opened: set[Fold] = set()
        self._facts: ListFacts | None = None
        self._wish: Wish | None = None
        self._lines: ListLines | None = None
        self._flags: tuple[int, int, list[int]] = (0, 0, [])

    def arranged(self, facts: ListFacts | None, wish: Wish) -> ListLines:
        """Return the lines of these facts. It is the same object while they are the same. None: there are none."""
        if facts is not self._facts:
            self._facts, self._wish = facts, None
        if facts is None:
            return _no_lines()
        if self._lines is None or wish != self._wish:
            self._wish = wish
            folded = [row for row, key in enumerate(facts.key) if key in self._folded] if self._folded else []
            self._lines = _arranged(facts, wish, np.array(folded, dtype=np.int64), self._opened)
        return self._lines

    def choose(self, lines: ListLines, place: int) -> int:
        """Open or close the line at a place. Return the row of the report there, or `NONE`."""
        self.turned = False
        if self._facts is None or not 0 <= place < len(lines.pair):
            return NONE
        row, body, fold = int(lines.pair[place]), int(lines.body[place]), int(lines.fold[place])
        if row != NONE:
            self.under = self._facts.key[body] if body >= 0 else None
            return row
        self.turned = True
        if fold != NONE:
            self.open(lines.folds[fold][0])
        else:
            self.turn(self._facts.key[body])
        return NONE

    @property
    def short_names(self) -> ShortNames:
        """Return the names of the bodies in the lines, to be shortened."""
        return self._facts.short_names if self._facts is not None else ShortNames()

    def group_of(self, row: int) -> int:
        """Return the index of the group of connected objects that contains a pair. `NONE` if it is in none."""
        group = self._facts.group if self._facts is not None else ()
        return int(group[row]) if row < len(group) and group[row] < len(group) else NONE

    def flags(self, shown: int, count: int, flag: int) -> list[int]:
        """Show the first of `count` rows and hide the rest. Does nothing if there are no rows."""
        if shown >= count:
            return []
        if self._flags[:2] != (shown, count):
            self._flags = shown, count, [flag] * shown + [0] * (count - shown)
        return self._flags[2]

    def turn(self, key: ObjectKey) -> None:
        """Close the heading of an object, or open it again."""
        self._folded ^= {key}
        self._wish = None

    def open(self, fold: Fold) -> None:
        """List the pairs of a folded line, or stop listing them."""
        self._opened ^= {fold}
        self._wish = None

    def is_open(self, fold: Fold) -> bool:
        """Return whether the pairs of a folded line are listed."""
        return fold in self._opened

    def is_folded(self, key: ObjectKey) -> bool:
        """Return whether the heading of an object is closed."""
        return key in self._folded

    def place_of(self, lines: ListLines, row: int) -> int:
        """Return the place of a row of the report, under the object where it was chosen if possible.

        `NONE`: not listed.
        """
        places = np.flatnonzero(lines.pair == row) if row >= 0 else np.empty(0, dtype=np.int64)
        if not len(places):
            return NONE
        if self.under is not None and self._facts is not None:
            for place in places.tolist():
                body = int(lines.body[place])
                if body >= 0 and self._facts.key[body] == self.under:
                    return int(place)
        return int(places[0])


class ResultsView(ListView):
    """Lines of the list of results."""

    def __init__(self) -> None:
        super().__init__()
        self._report: Report | None = None
        self._marks = NO_MARKS
        self._names: Mapping[int, str] = {}

    def lines(self, session: CollisionResult, wish: Wish, marks: PairMarks) -> ListLines:
        """Return the current lines of the list."""
        report, facts = session.report, self._facts
        if report is None:
            self._report = None
            return self.arranged(None, wish)
        same_names = session.names is self._names or session.names == self._names
        if facts is None or report is not self._report or marks is not self._marks or not same_names:
            facts = PairFacts(session, report, marks)
            self._report, self._marks = report, marks
        self._names = session.names
        return self.arranged(facts, wish)


def resize(rows: Any, wanted: int) -> None:
    """Set the number of entries of a Blender collection."""
    for _ in range(len(rows), wanted):
        rows.add()
    if wanted == 0:
        rows.clear()
    for row in range(len(rows) - 1, wanted - 1, -1):
        rows.remove(row)


def most_lines(report: Report | None, grouped: bool) -> int:
    """Return the maximum number of lines of a report: each pair, or each twice plus headings, and folded lines."""
    if report is None:
        return 0
    pairs, folds = len(report.pairs), len(set(report.folded.values()))
    return folds + (2 * pairs + min(2 * pairs, len(report.bodies)) if grouped else pairs)


def step(lines: ListLines, place: int, by: int) -> int:
    """Return the next or previous place with a pair, wrapping around at the ends.

    Parameters
    ----------
    lines : ListLines
    place : int
        `NONE`: begin at the first, or the last.
    by : 1 or -1

    Returns
    -------
    int
        `NONE` if no pair is listed.
    """
    places = np.flatnonzero(lines.pair >= 0)
    if not len(places):
        return NONE
    if place < 0:
        return int(places[0 if by > 0 else -1])
    index = int(np.searchsorted(places, place, side="right" if by > 0 else "left")) - (0 if by > 0 else 1)
    return int(places[index % len(places)])


def _arranged(facts: ListFacts, wish: Wish, folded: "Ints", opened: Set[Fold]) -> ListLines:
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


def _of_pairs(facts: ListFacts, wish: Wish, folded: "Ints", wanted: "Ints") -> ListLines:
    """Return the lines of these rows, none of which is folded."""
    bodies = len(facts.name)
    rows = facts.ordered(wish, wanted)
    none = np.full(len(rows), NONE)
    if not wish.grouped:
        return ListLines(rows, none, np.zeros(bodies, dtype=np.int64), len(rows), none)
    # Each pair under both objects. An object is where the first of its pairs would be.
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
    """Return a sort key that puts "Crate.2" before "Crate.10"."""
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
