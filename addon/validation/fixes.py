# SPDX-License-Identifier: GPL-3.0-or-later
"""Repairs what a validation found, and validates again: one issue, or all that can be repaired."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import bpy

from ..model.validation_report import Done, ValidationIssue, ValidationReport
from ..scene.colliders.collider_scene import owner_uids
from ..scene.colliders.repair import ORDER, repair
from ..scene.open_file import objects_by_uid
from .check import Progress

# One repair can lay open what another rule looks at: a mesh that is split has pieces of its own.
_MOST_PASSES = 8

Validation = Generator[Progress, None, ValidationReport]


class FixProgress(NamedTuple):
    """How many issues have been repaired, and how many of this pass are left; 0: it validates again."""

    done: int
    left: int

    @property
    def total(self) -> int:
        """The number of those that are repaired in the end; 0: unknown."""
        return self.done + self.left if self.left else 0


@dataclass(eq=False)
class Repairs:
    """The repairs so far.

    Attributes
    ----------
    report : ValidationReport
        The last validation.
    done : list of Done
        In the order in which it was done.
    """

    report: ValidationReport
    done: list[Done] = field(default_factory=list)
    _tried: set[tuple[int, str]] = field(default_factory=set)

    def so_far(self) -> ValidationReport:
        """The last validation without what was repaired since; repairs may have changed more than that."""
        left = (one for one in self.report.issues if (one.uid, one.rule.id) not in self._tried)
        return replace(self.report, issues=tuple(left), done=tuple(self.done))

    def steps(
        self, context: bpy.types.Context, validate: Callable[[], Validation], rule: str = ""
    ) -> Generator[FixProgress, None, ValidationReport]:
        """Repair everything that can be repaired, as long as there is more; nothing twice.

        Parameters
        ----------
        context : bpy.types.Context
        validate : function
            Returns the steps of another validation.
        rule : str
            The id of the rule whose issues are repaired; empty: those of all rules.

        Returns
        -------
        ValidationReport
            On what is left, with what was repaired.
        """
        self.report = yield from self._validated(validate)
        for _ in range(_MOST_PASSES):
            wanted = list(_next(self.report, self._tried, rule))
            if not wanted:
                break
            owners = owner_uids(context.scene)
            for number, issue in enumerate(wanted):
                yield FixProgress(len(self.done), len(wanted) - number)
                self._tried.add((issue.uid, issue.rule.id))
                one = _fix(context, self.report, issue, owners)
                if one is not None:
                    self.done.append(one)
            self.report = yield from self._validated(validate)
        return replace(self.report, done=tuple(self.done))

    def _validated(self, validate: Callable[[], Validation]) -> Generator[FixProgress, None, ValidationReport]:
        steps = validate()
        while True:
            try:
                next(steps)
            except StopIteration as end:
                found: ValidationReport = end.value
                return found
            yield FixProgress(len(self.done), 0)


def fix_one(context: bpy.types.Context, report: ValidationReport, issue: ValidationIssue) -> Done | None:
    """Repair one issue; None if its object is gone."""
    return _fix(context, report, issue, owner_uids(context.scene))


def _fix(
    context: bpy.types.Context, report: ValidationReport, issue: ValidationIssue, owners: dict[int, int]
) -> Done | None:
    objects = objects_by_uid({issue.uid, owners.get(issue.uid, 0)})
    ob, owner = objects.get(issue.uid), objects.get(owners.get(issue.uid, 0))
    if ob is None:
        return None
    name = ob.name
    repair(context, ob, issue.rule, report.limits, owner.name if owner is not None else "")
    return Done(name, issue.rule.id, issue.rule.fix)


def _next(report: ValidationReport, tried: set[tuple[int, str]], rule: str) -> Iterator[ValidationIssue]:
    """One repair for each object that has any left: the first in order."""
    left = [
        one
        for one in report.issues
        if one.fixable and (one.uid, one.rule.id) not in tried and rule in {"", one.rule.id}
    ]
    seen: set[int] = set()
    for issue in sorted(left, key=lambda one: ORDER.index(one.rule.fix)):
        if issue.uid not in seen:
            seen.add(issue.uid)
            yield issue
