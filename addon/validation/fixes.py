# SPDX-License-Identifier: GPL-3.0-or-later
"""Fix issues of a validation, and validate again: one issue, or all that can be fixed automatically."""

from collections.abc import Callable, Generator, Iterator
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import bpy

from ..model.validation_report import Done, ValidationIssue, ValidationReport
from ..scene.colliders.collider_scene import owner_uids
from ..scene.colliders.repair import ORDER, repair
from ..scene.open_file import objects_by_uid
from .check import Progress

# One fix can cause issues of another rule: a mesh that is split has new parts.
_MOST_PASSES = 8

Validation = Generator[Progress, None, ValidationReport]


class FixProgress(NamedTuple):
    """Number of fixed issues, and of remaining issues in this pass. 0: it validates again."""

    done: int
    left: int

    @property
    def total(self) -> int:
        """Final number of fixed issues. 0: unknown."""
        return self.done + self.left if self.left else 0


@dataclass(eq=False)
class Repairs:
    """The fixes so far.

    Attributes
    ----------
    report : ValidationReport or None
        The last validation. None before the first.
    done : list of Done
        In the order of the fixes.
    """

    report: ValidationReport | None = None
    done: list[Done] = field(default_factory=list)
    _tried: set[tuple[int, str]] = field(default_factory=set)

    def so_far(self) -> ValidationReport:
        """Return the last validation without the issues fixed since. Fixes may have changed more."""
        assert self.report is not None
        left = (one for one in self.report.issues if (one.uid, one.rule.id) not in self._tried)
        return replace(self.report, issues=tuple(left), done=tuple(self.done))

    def steps(
        self, context: bpy.types.Context, validate: Callable[[], Validation], rule: str = ""
    ) -> Generator[FixProgress, None, ValidationReport]:
        """Fix everything that can be fixed automatically, until nothing is left, and nothing twice.

        Parameters
        ----------
        context : bpy.types.Context
        validate : function
            Returns the steps of another validation.
        rule : str
            Id of the rule whose issues are fixed. Empty: all rules.

        Returns
        -------
        ValidationReport
            Report on the remaining issues, with what was fixed.
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
    """Fix one issue. None if its object no longer exists."""
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
    """Return one fix for each object with remaining issues: the first in order."""
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
