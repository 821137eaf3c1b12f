# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of the last probe, and the chosen issue."""

from dataclasses import dataclass, field
from functools import cached_property

import bpy

from ..i18n.wrapping import ShortNames
from ..model.probe_report import ProbeIssue, ProbeReport, ProbeRequest
from ..scene import accepted_walk_issues, events
from .latest import Latest, Result


@dataclass(eq=False)
class ProbeResult(Result):
    """A probe.

    Attributes
    ----------
    report : ProbeReport
    chosen : int
        Row of the highlighted issue in `report.found`. -1: none.
    """

    report: ProbeReport = field(kw_only=True)
    chosen: int = -1

    @cached_property
    def short_names(self) -> ShortNames:
        """Return the names of the objects of all issues, to be shortened."""
        return ShortNames(name for one in self.report.found for name in one.objects)

    @property
    def request(self) -> ProbeRequest:
        """The options of the probe."""
        assert isinstance(self.asked, ProbeRequest)
        return self.asked

    def issue(self, row: int) -> ProbeIssue | None:
        """Return an issue of the report. None if the row does not exist."""
        rows = self.report.found
        return rows[row] if 0 <= row < len(rows) else None


latest: "Latest[ProbeResult]" = Latest()


def keep(context: bpy.types.Context, report: ProbeReport, request: ProbeRequest) -> ProbeResult:
    """Store a probe, and drop the previous one. No issue is chosen."""
    return latest.store(ProbeResult(place=events.place(context), asked=request, uids=report.uids, report=report))


def kept_here(context: bpy.types.Context) -> ProbeResult | None:
    """Return the last probe, if it was in this scene."""
    return latest.here(events.place(context))


def listed_rows(context: bpy.types.Context, found: ProbeResult, kinds: set[str], accepted: bool) -> list[int]:
    """Return the rows of the issues of some kinds. Accepted issues are included only if requested."""
    known = accepted_walk_issues.reasons(context.scene)
    return [
        row for row, one in enumerate(found.report.found) if one.kind in kinds and (accepted or one.id not in known)
    ]
