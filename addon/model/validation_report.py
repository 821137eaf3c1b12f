# SPDX-License-Identifier: GPL-3.0-or-later
"""What a validation found. Plain data, no Blender in it."""

from collections import Counter, defaultdict
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from .. import asset_rules
from ..asset_rules.limits import SEVERITIES, Limits, Value
from .report import Coverage, Finding, Skipped, Units


@dataclass(frozen=True)
class Violation:
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


class BrokenRule(NamedTuple):
    """A rule, the rows of its violations in a report, and whether any of them is fixable."""

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
    violations : tuple of Violation
        The worst first.
    done : tuple of Done
        What had been repaired just before.
    imported : tuple of Finding
        What there was to say of the import of the scene; the violations have it, too.
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
    violations: tuple[Violation, ...]
    done: tuple[Done, ...] = field(default=())
    collection: str = ""
    imported: tuple[Finding, ...] = ()
    skipped: tuple[Skipped, ...] = ()
    coverage: Coverage = field(default_factory=Coverage)
    by_themselves: int = 0

    def counts(self) -> Counter[str]:
        """How many violations there are of each severity."""
        return Counter(self._counts)

    @cached_property
    def any_fixable(self) -> bool:
        """Whether something that was found can be repaired without the user."""
        return any(violation.fixable for violation in self.violations)

    @cached_property
    def by_rule(self) -> dict[str, BrokenRule]:
        """Each rule that is broken by its id, the worst first."""
        rows: defaultdict[asset_rules.rule.Rule, list[int]] = defaultdict(list)
        for row, violation in enumerate(self.violations):
            rows[violation.rule].append(row)
        return {
            rule.id: BrokenRule(rule, tuple(of_rule), any(self.violations[row].fixable for row in of_rule))
            for rule, of_rule in rows.items()
        }

    @cached_property
    def _counts(self) -> Counter[str]:
        return Counter(violation.rule.severity for violation in self.violations)

    def failing(self, severity: str) -> bool:
        """Whether there is a violation of this severity or a worse one; of "none" there is never."""
        bad = self.bad_severities(severity)
        return any(violation.rule.severity in bad for violation in self.violations)

    @staticmethod
    def bad_severities(severity: str) -> tuple[str, ...]:
        """Return this severity and all worse ones; of "none" there are none."""
        return SEVERITIES[: SEVERITIES.index(severity) + 1] if severity in SEVERITIES else ()
