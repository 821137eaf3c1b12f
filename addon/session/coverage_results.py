# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of the last comparison of colliders with render meshes, and the chosen object."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property

from .. import debug_draw
from ..i18n.wrapping import ShortNames
from ..model.coverage_report import CoverageReport, CoverageRequest, CoveredObject
from ..scene.events import Place
from ..system.late import np
from .latest import Change, Dependencies, Latest, Result


@dataclass(eq=False)
class CoverageResult(Result):
    """A comparison.

    Attributes
    ----------
    report : CoverageReport
    outside, inside : tuple of HeatMap
        For each object of the report: the surface of its colliders, and the render mesh.
    chosen : int
        Row of the highlighted object in `report.objects`. -1: none.
    """

    report: CoverageReport = field(kw_only=True)
    outside: "tuple[debug_draw.heat_map.HeatMap, ...]" = field(kw_only=True)
    inside: "tuple[debug_draw.heat_map.HeatMap, ...]" = field(kw_only=True)
    chosen: int = -1

    @property
    def request(self) -> CoverageRequest:
        """The options of the comparison."""
        assert isinstance(self.asked, CoverageRequest)
        return self.asked

    def review(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Compare the dependencies with their current values, and clear the suspicion."""
        super().review(dependencies, names)
        if self.change is None and not self.uids <= names.keys():
            self.change = Change.SCENE

    def object(self, row: int) -> CoveredObject | None:
        """Return an object of the report. None if the row does not exist."""
        return self.report.objects[row] if 0 <= row < len(self.report.objects) else None

    def size(self, row: int) -> float:
        """Return the diagonal of the bounds of an object and its colliders."""
        corners = [one[row].corners.reshape(-1, 3) for one in (self.outside, self.inside) if len(one[row].corners)]
        if not corners:
            return 0.0
        low = np.min([each.min(axis=0) for each in corners], axis=0)
        high = np.max([each.max(axis=0) for each in corners], axis=0)
        return float(np.linalg.norm(high - low))

    @cached_property
    def short_names(self) -> ShortNames:
        """Return the names of all objects, to be shortened."""
        return ShortNames(map(self.name, self.report.objects))

    def name(self, one: CoveredObject) -> str:
        """Return the current name. For a deleted object, its last name."""
        return self.names.get(one.uid, one.name) if self.names_then.get(one.uid) == one.name else one.name


latest: "Latest[CoverageResult]" = Latest()


def keep(
    report: CoverageReport,
    outside: "tuple[debug_draw.heat_map.HeatMap, ...]",
    inside: "tuple[debug_draw.heat_map.HeatMap, ...]",
    request: CoverageRequest,
    place: Place,
) -> CoverageResult:
    """Store a comparison, and drop the previous one. `depend_on` follows. The worst object is chosen."""
    uids = {uid for one in report.objects for uid in (one.uid, *one.collider_uids)}
    return latest.store(
        CoverageResult(
            place=place,
            asked=request,
            uids=frozenset(uids | set(report.without_uids) | report.walked_uids),
            report=report,
            outside=outside,
            inside=inside,
            chosen=0 if report.objects else -1,
        )
    )
