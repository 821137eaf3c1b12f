# SPDX-License-Identifier: GPL-3.0-or-later
"""Which items of a scope are tested, which something else stands for, and which are left out.

A render mesh brings its colliders along wherever they are, and they are tested in its place. What is hidden
is never tested: colliders that are hidden leave it to those that can be seen or, if there are none, to the
render mesh itself, and that is remarked. A hidden render mesh still names the body of colliders that can be
seen.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from ..report import Finding, Skipped
from . import remarks
from .bodies import Family, is_collider
from .choice import Choice, choose, setting_of
from .items import Item
from .meshes import GEOMETRY_TYPES
from .placing import Outcome
from .remarks import Remark

# Types of objects that nobody expects to collide, unless they are told to.
_HELPERS = frozenset({"ARMATURE", "CAMERA", "EMPTY", "LATTICE", "LIGHT", "LIGHT_PROBE", "SPEAKER"})


@dataclass
class Gathering:
    """The items of a scope, and what becomes of them.

    Attributes
    ----------
    items : sequence of Item
        Of the whole scene.
    kin : Family
        How they belong together.
    scope : set of int, optional
        The session_uid of each object of the scope; None for the whole scene.
    choices : dict of int to Choice
        What is to be tested, by index into the items, and as what; in the order of the items.
    findings : list of Finding
        What there is to say so far.
    """

    items: Sequence[Item]
    kin: Family
    scope: set[int] | None
    choices: dict[int, Choice] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)
    _skipped: dict[int, str] = field(default_factory=dict)
    _hidden: set[int] = field(default_factory=set)
    _tested: list[int] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Decide what is tested."""
        in_scope = (row for row, item in enumerate(self.items) if self._in_scope(item))
        for row in sorted(self._with_parts(in_scope)):
            item = self.items[row]
            if item.hidden:
                self._hidden.add(row)
                self._skipped[row] = f"it is {item.hidden}"
                continue
            if self._is_stood_for(row):
                self._skipped[row] = "none of its colliders could be tested"
            else:
                self.choices[row] = choose(item.object)
            self._remark_relations(row)
        for circle in self.kin.circles:
            told = next((row for row in circle if row in self.choices), None)
            if told is not None:
                self._find(told, remarks.circular_body([self.items[row].label for row in circle]))

    def settle(self, row: int, outcome: Outcome) -> None:
        """Take note of what became of an item."""
        for remark in outcome.remarks:
            self._find(row, remark)
        if outcome.skipped:
            self._skipped[row] = outcome.skipped
        else:
            self._tested.append(row)

    def skipped(self, *, with_hidden: bool) -> tuple[Skipped, ...]:
        """Everything of the scope that was not tested and that nothing tested stands for."""
        stood_for: set[int] = set()
        for row in self._tested:
            while row >= 0 and row not in stood_for:
                stood_for.add(row)
                row = self.kin.owner[row]
        instancers = {self.items[row].host.session_uid for row in self._tested}
        return tuple(
            Skipped(self.items[row].label, reason)
            for row, reason in sorted(self._skipped.items())
            if row not in stood_for
            and (with_hidden or row not in self._hidden)
            and not self._is_silent(self.items[row], instancers)
        )

    def _is_silent(self, item: Item, instancers: set[int]) -> bool:
        """Whether nobody would miss an item: helpers without a surface, and what makes the tested appear."""
        ob = item.object
        if ob.type in _HELPERS and ob.instance_type == "NONE" and setting_of(ob) == "AUTO":
            return choose(ob).shape == "NONE"
        if item.key.instancer_uid:
            return item.object.type not in GEOMETRY_TYPES
        return item.key.session_uid in instancers

    def _in_scope(self, item: Item) -> bool:
        return self.scope is None or item.host.session_uid in self.scope

    def _with_parts(self, rows: Iterable[int]) -> set[int]:
        """These items, all that stand for them, and all that are parts of them."""
        wanted: set[int] = set()
        open_rows = list(rows)
        while open_rows:
            row = open_rows.pop()
            if row not in wanted:
                wanted.add(row)
                # What is hidden is not tested, and so brings nothing along.
                open_rows += [] if self.items[row].hidden else self.kin.parts.get(row, [])
        return wanted

    def _is_stood_for(self, row: int) -> bool:
        """Whether colliders that can be seen stand for an item, and it has no setting that says otherwise."""
        maker = self.items[row].maker
        if maker is not None:
            return self._is_stood_for(self.kin.owner[row])
        if setting_of(self.items[row].object) not in {"AUTO", "NONE"}:
            return False
        return any(not self.items[collider].hidden for collider in self.kin.colliders.get(row, []))

    def _remark_relations(self, row: int) -> None:
        item = self.items[row]
        colliders = self.kin.colliders.get(row, [])
        hidden = sum(bool(self.items[collider].hidden) for collider in colliders)
        if hidden:
            self._find(row, remarks.hidden_colliders(hidden, len(colliders)))
        if row in self.kin.lost:
            self._find(row, remarks.lost_body(self.kin.lost[row]))
        if is_collider(item) and self.kin.owner[row] < 0 and setting_of(item.object) != "NONE":
            self._find(row, remarks.orphan_collider(item.object.name.partition("_")[2]))

    def _find(self, row: int, remark: Remark) -> None:
        self.findings.append(Finding(remark.id, remark.severity, self.items[row].label, remark.message))
