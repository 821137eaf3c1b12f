# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of a report that the list can be limited to: the pairs between two collections, or of one group."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from ...i18n.lookup import label_
from ...model.marks import PairMarks
from ...model.pair_groups import Between, Cell, Group, busiest, groups, matrix
from ...model.report import ObjectKey, Report
from ...model.topics import OPEN, STATUSES

# Maximum number of collections on each side of the table.
MOST = 12


class Part(NamedTuple):
    """The part of the results that the list is limited to.

    Attributes
    ----------
    between : (str, str), optional
        The pairs between two collections, with names in alphabetical order. "" is the scene collection.
    member : ObjectKey, optional
        The pairs of the group that contains this object.
    """

    between: Between | None = None
    member: ObjectKey | None = None


ALL = Part()


class Parts:
    """Parts of one report, computed when they are first needed."""

    def __init__(self, report: Report | None, marks: PairMarks, collections: Sequence[str]) -> None:
        self.report, self.marks, self.collections = report, marks, collections

    @cached_property
    def cells(self) -> dict[Between, Cell]:
        """The pairs by the collections of their objects."""
        return matrix(self.report, self.marks, self.collections) if self.report is not None else {}

    @cached_property
    def names(self) -> list[str]:
        """The collections with most pairs."""
        return busiest(self.cells, MOST)

    @cached_property
    def left_out(self) -> int:
        """The number of other collections with pairs."""
        return len({name for between in self.cells for name in between}) - len(self.names)

    @cached_property
    def statuses(self) -> dict[str, int]:
        """Return how many pairs have each status, the usual ones first, without accepted and ignored pairs."""
        settled = {*self.marks.accepted, *self.marks.ignored}
        rows = range(len(self.report.pairs) if self.report is not None else 0)
        said = {row: topic.status for row, topic in self.marks.topics.items() if topic.status}
        count = Counter(said.get(row, OPEN) for row in rows if row not in settled)
        return {status: count[status] for status in (*STATUSES, *sorted(count.keys() - set(STATUSES)))}

    @cached_property
    def groups(self) -> list[Group]:
        """The groups of connected objects."""
        return groups(self.report, self.marks) if self.report is not None else []

    def rows(self, part: Part) -> frozenset[int] | None:
        """Return the rows of a part. None: all."""
        if part.between is not None:
            return frozenset(self.cells[part.between].rows) if part.between in self.cells else frozenset()
        if part.member is None:
            return None
        number = self.group_of(part.member)
        return frozenset(self.groups[number].rows) if number is not None else frozenset()

    def group_of(self, member: ObjectKey) -> int | None:
        """Return the index of the group that contains an object."""
        bodies = self.report.bodies if self.report is not None else ()
        found = (
            number for number, group in enumerate(self.groups) if member in {bodies[one].key for one in group.bodies}
        )
        return next(found, None)

    def text(self, part: Part) -> str:
        """Return the name of a part."""
        if part.between is not None:
            return "  ×  ".join(map(collection_text, part.between))
        number = None if part.member is None else self.group_of(part.member)
        return label_("A group without collisions") if number is None else self.group_text(number)

    def group_text(self, number: int) -> str:
        """Return the name and the size of a group."""
        group = self.groups[number]
        return label_(
            "Group {number} ({objects}, {pairs})",
            number=number + 1,
            objects=label_("{count} objects", count=len(group.bodies)),
            pairs=label_("{count} pairs", count=len(group.rows)),
        )


def collection_text(name: str) -> str:
    """Return the name of a collection."""
    return name or label_("Scene Collection")
