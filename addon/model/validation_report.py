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
    """A place where a rule is broken.

    Attributes
    ----------
    rule : Rule
    object : str
        The collider or the render mesh.
    uid : int
        Its `session_uid`.
    values : dict of str to value
        What the rule's sentence is filled in with.
    fixable : bool
        Whether it can be repaired without the artist.
    linked : bool
        Whether the object belongs to another file, in which it can be fixed. Overrides that users may edit do not.
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
    """A repair: of which object, by its name then, of which rule, and how."""

    object: str
    rule: str
    fix: str


@dataclass(frozen=True)
class ValidationReport:
    """The answer to one validation.

    Attributes
    ----------
    file, scene : str
    engine : str
        any, unreal, godot, unity, gltf or usd.
    scope, collection : str
        What was looked at.
    units : Units
    limits : Limits
    bodies, colliders : int
        How many were looked at.
    issues : tuple of ValidationIssue
        The worst first.
    done : tuple of Done
        What had been repaired just before.
    imported : tuple of Issue
        What there was to say of the import of the scene; the issues have it, too.
    skipped : tuple of Skipped
        What was not looked at, and why.
    coverage : Coverage
    by_themselves : int
        How many of the bodies collide without a collider: rigid bodies, objects with a collision shape, and meshes with
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
        """How many issues there are of each severity."""
        return Counter(self._counts)

    @cached_property
    def any_fixable(self) -> bool:
        """Whether something that was found can be repaired without the user."""
        return any(issue.fixable for issue in self.issues)

    @cached_property
    def by_rule(self) -> dict[str, IssueGroup]:
        """Each rule that is broken by its id, the worst first."""
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
        """Whether there is an issue of this severity or a worse one; of "none" there is never."""
        bad = self.bad_severities(severity)
        return any(issue.rule.severity in bad for issue in self.issues)

    @staticmethod
    def bad_severities(severity: str) -> tuple[str, ...]:
        """Return this severity and all worse ones; of "none" there are none."""
        return SEVERITIES[: SEVERITIES.index(severity) + 1] if severity in SEVERITIES else ()
