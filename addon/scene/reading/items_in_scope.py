# SPDX-License-Identifier: GPL-3.0-or-later
"""Items of a scope: those that are tested, represented by others, or skipped.

The colliders of a visible mesh are tested instead of it, wherever they are. Hidden items are never tested. If some of
its colliders are hidden, only the visible ones represent the render mesh. If all are hidden, the render mesh itself is
tested. Both cases cause an issue. A hidden render mesh still names the body of visible colliders.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ...engines.collider_roles import role_of
from ...engines.stems import mesh_of_collider
from ...model.message import Message
from ...model.report import Issue, Skipped
from ..meshes.types import GEOMETRY_TYPES
from ..objects.choice import MESH, ShapeChoice
from ..objects.owners import named_by
from ..objects.visibility import why_hidden
from . import known_issues
from .body_tree import BodyTree
from .items import Item
from .known_issues import ReadingIssue
from .levels import less_detailed
from .placing import ShapeResult

# Types of objects that are not expected to collide unless the user has set a shape.
_HELPERS = frozenset({"ARMATURE", "CAMERA", "EMPTY", "LATTICE", "LIGHT", "LIGHT_PROBE", "SPEAKER"})


@dataclass
class ItemsInScope:
    """The items of a scope, and their treatment.

    Attributes
    ----------
    items : sequence of Item
        The items of the whole scene.
    tree : BodyTree
        How they belong together.
    scope : set of int, optional
        The `session_uid` of each object of the scope. None for the whole scene.
    operands : mapping of int to str
        Objects that are skipped if their shape comes only from their mesh, by `session_uid`, with the reasons.
    choices : dict of int to ShapeChoice
        The items to be tested, by index and in the order of the items, with their shapes.
    issues : list of Issue
        The issues so far.
    """

    items: Sequence[Item]
    tree: BodyTree
    scope: set[int] | None
    operands: Mapping[int, str] = field(default_factory=dict)
    choices: dict[int, ShapeChoice] = field(default_factory=dict)
    issues: list[Issue] = field(default_factory=list)
    _skipped: dict[int, str] = field(default_factory=dict)
    _hidden: set[int] = field(default_factory=set)
    _tested: list[int] = field(default_factory=list)
    # Items that are tested instead of visible meshes.
    _instead: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        """Decide which items are tested."""
        self._instead.update(row for rows in self.tree.colliders.values() for row in rows)
        rows = list(self._with_parts())
        seen = [row for row in rows if not self.items[row].hidden and self.items[row].facts.choice.shape != "NONE"]
        levels = less_detailed(self.items, seen, self.tree.owner)
        for row in rows:
            item = self.items[row]
            if item.hidden:
                self._hidden.add(row)
                self._skipped[row] = item.hidden
                continue
            if item.facts.missing:
                self._find(row, known_issues.missing(item.facts.missing))
            if row in levels:
                name = self.items[levels[row]].label
                self._skipped[row] = Message('A more detailed level is tested: "{name}".', name=name)
                continue
            if self._is_stood_for(row):
                self._skipped[row] = Message("None of the colliders could be tested.")
            elif item.facts.uid in self.operands and item.facts.choice.source == MESH:
                self._skipped[row] = self.operands[item.facts.uid]
            else:
                self.choices[row] = item.facts.choice
            self._relation_issues(row)
        for circle in self.tree.circles:
            told = next((row for row in circle if row in self.choices), None)
            if told is not None:
                self._find(told, known_issues.circular_body([self.items[row].label for row in circle]))

    def settle(self, row: int, result: ShapeResult) -> None:
        """Record the result of an item."""
        for issue in result.issues:
            self._find(row, issue)
        if result.skipped:
            self._skipped[row] = result.skipped
        else:
            self._tested.append(row)

    def skipped(self, *, with_hidden: bool) -> tuple[Skipped, ...]:
        """All objects of the scope that were not tested and are not represented by a tested one."""
        stood_for: set[int] = set()
        for row in self._tested:
            while row >= 0 and row not in stood_for:
                stood_for.add(row)
                row = self.tree.owner[row]
        tested = set(self._tested)
        stood_for |= {row for row, colliders in self.tree.colliders.items() if tested.intersection(colliders)}
        instancers = {self.items[row].host for row in self._tested}
        return tuple(
            Skipped(self.items[row].label, reason, why_hidden(reason) if row in self._hidden else "")
            for row, reason in sorted(self._skipped.items())
            if row not in stood_for
            and (with_hidden or row not in self._hidden)
            and not self._is_silent(self.items[row], instancers)
        )

    def _is_silent(self, item: Item, instancers: set[int]) -> bool:
        """Whether an item is not reported as skipped: helpers without a surface, and instancers of tested items."""
        facts = item.facts
        if facts.type in _HELPERS and facts.instance_type == "NONE" and facts.setting == "AUTO":
            return facts.choice.shape == "NONE"
        if item.key.instancer_uid:
            return facts.type not in GEOMETRY_TYPES
        return item.key.session_uid in instancers

    def _with_parts(self) -> Sequence[int]:
        """The items of the scope, their colliders, and their parts, in ascending order."""
        if self.scope is None:
            return range(len(self.items))
        in_scope = [row for row, item in enumerate(self.items) if item.host in self.scope]
        # Hidden items are not tested, so their parts are not added.
        parts, colliders = self.tree.parts, self.tree.colliders
        open_rows = [row for row in in_scope if (row in parts or row in colliders) and not self.items[row].hidden]
        if not open_rows:
            return in_scope
        wanted = set(in_scope)
        while open_rows:
            row = open_rows.pop()
            new = [row for row in dict.fromkeys((*parts.get(row, ()), *colliders.get(row, ()))) if row not in wanted]
            wanted.update(new)
            open_rows += [row for row in new if not self.items[row].hidden]
        return sorted(wanted)

    def _is_stood_for(self, row: int) -> bool:
        """Whether visible colliders represent an item, and no setting of its own overrides this."""
        maker = self.items[row].maker
        if maker is not None:
            return self._is_stood_for(self.tree.owner[row])
        colliders = self.tree.colliders.get(row)
        if not colliders or self.items[row].facts.setting not in {"AUTO", "NONE"}:
            return False
        return any(not self.items[collider].hidden for collider in colliders)

    def _relation_issues(self, row: int) -> None:
        item = self.items[row]
        colliders = self.tree.colliders.get(row, ())
        hidden = sum(bool(self.items[collider].hidden) for collider in colliders)
        if hidden:
            self._find(row, known_issues.hidden_colliders(hidden, len(colliders)))
        if row in self.tree.lost:
            self._find(row, known_issues.lost_body(self.tree.lost[row]))
        if item.facts.type == "EMPTY" and item.facts.setting == "AUTO" and named_by(item.facts).role is not None:
            self._find(row, known_issues.EMPTY_COLLIDER)
        if self._is_orphan(row):
            role = role_of(item.facts.name)
            if role is not None:
                self._find(row, known_issues.orphan_collider(role.stem, needs_mesh=role.system != "godot"))
            elif item.facts.made or mesh_of_collider(item.facts.name) is None:
                self._find(row, known_issues.lone_collider())

    def _is_orphan(self, row: int) -> bool:
        """Whether an item is a collider without an owner."""
        if row not in self.tree.all_colliders or row in self._instead:
            return False
        return self.tree.owner[row] < 0 and self.items[row].facts.choice.shape != "NONE"

    def _find(self, row: int, issue: ReadingIssue) -> None:
        self.issues.append(Issue(issue.id, issue.severity, self.items[row].label, issue.message))
