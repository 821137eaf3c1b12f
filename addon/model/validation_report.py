# SPDX-License-Identifier: GPL-3.0-or-later
"""The report of a validation. Plain data, without Blender."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .. import asset_rules
from ..asset_rules.limits import SEVERITIES, Limits, Value
from .report import Coverage, Issue, Skipped, Units


@dataclass(frozen=True)
class ValidationIssue:
    """A place where a rule is violated.

    Attributes
    ----------
    rule : Rule
    object : str
        The collider or the render mesh.
    uid : int
        Its `session_uid`.
    values : dict of str to value
        Values for the sentence of the rule.
    fixable : bool
        Whether it can be fixed automatically.
    linked : bool
        Whether the object belongs to another file, where it can be fixed. Editable overrides do not.
    """

    rule: "asset_rules.rule.Rule"
    object: str
    uid: int
    values: dict[str, Value]
    fixable: bool
    linked: bool = False


class IssueGroup(NamedTuple):
    """A rule, the rows of its issues in a report, and whether any of them is fixable."""

    rule: "asset_rules.rule.Rule"
    rows: tuple[int, ...]
    fixable: bool


@dataclass(frozen=True)
class Done:
    """A fix: the name of the object at that time, the rule, and the method."""

    object: str
    rule: str
    fix: str


@dataclass(frozen=True)
class ValidationReport:
    """Result of a validation.

    Attributes
    ----------
    file, scene : str
    engine : str
        any, unreal, godot, unity, gltf or usd.
    scope, collection : str
        Objects that were validated.
    units : Units
    limits : Limits
    bodies, colliders : int
        Number of validated bodies and colliders.
    issues : tuple of ValidationIssue
        Worst first.
    done : tuple of Done
        Fixes made just before.
    imported : tuple of Issue
        Issues of importing the scene. They are also in `issues`.
    skipped : tuple of Skipped
        Objects that were not validated, and why.
    coverage : Coverage
    by_themselves : int
        Number of bodies that collide without a collider: rigid bodies, objects with a collision shape, and meshes with
        a ragdoll.
    """

    file: str
    scene: str
    engine: str
    scope: str
    units: Units
    limits: Limits
    bodies: int
    colliders: int
    issues: tuple[ValidationIssue, ...]
    done: tuple[Done, ...] = field(default=())
    collection: str = ""
    imported: tuple[Issue, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    by_themselves: int = 0

    def counts(self) -> Counter[str]:
        """Return the number of issues of each severity."""
        return Counter(self._counts)

    @cached_property
    def any_fixable(self) -> bool:
        """Whether any issue can be fixed automatically."""
        return any(issue.fixable for issue in self.issues)

    @cached_property
    def by_rule(self) -> dict[str, IssueGroup]:
        """Return each violated rule by id, worst first."""
        rows: defaultdict[asset_rules.rule.Rule, list[int]] = defaultdict(list)
        for row, issue in enumerate(self.issues):
            rows[issue.rule].append(row)
        return {
            rule.id: IssueGroup(rule, tuple(of_rule), any(self.issues[row].fixable for row in of_rule))
            for rule, of_rule in rows.items()
        }

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(issue.rule.severity for issue in self.issues)

    def failing(self, severity: str) -> bool:
        """Return whether there is an issue of this severity or a worse one. Always false for "none"."""
        bad = self.bad_severities(severity)
        return any(issue.rule.severity in bad for issue in self.issues)

    @staticmethod
    def bad_severities(severity: str) -> tuple[str, ...]:
        """Return this severity and all worse ones. Empty for "none"."""
        return SEVERITIES[: SEVERITIES.index(severity) + 1] if severity in SEVERITIES else ()
