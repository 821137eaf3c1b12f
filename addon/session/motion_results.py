# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of the last motion check, and the chosen contact.

Changing the current frame does not affect it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field

from ..model.motion_report import MotionContact, MotionEvidence, MotionReport, MotionRequest
from ..model.report import Body, body_uids, is_gone, name_now
from ..scene.events import Place, SceneChange
from .latest import Change, Dependencies, Latest, Result


@dataclass(eq=False)
class MotionResult(Result):
    """A check of motion.

    Attributes
    ----------
    report : MotionReport
    evidence : MotionEvidence
    chosen : int
        Row of the highlighted contact in `report.rows`. -1: none.
    """

    report: MotionReport = field(kw_only=True)
    evidence: MotionEvidence = field(kw_only=True)
    chosen: int = -1

    @property
    def request(self) -> MotionRequest:
        """The options of the check of motion."""
        assert isinstance(self.asked, MotionRequest)
        return self.asked

    def happened(self, change: SceneChange) -> None:
        """Record a change of a scene. Motion by a frame change does not count, because all frames were checked."""
        self.suspect |= change.relations
        if not change.frame:
            self.mark_changed(change.uids)
            if self.change is None and change.animation:
                self.change = Change.SCENE

    def review(self, dependencies: Dependencies, names: Mapping[int, str]) -> None:
        """Compare the dependencies with their current values, and clear the suspicion."""
        super().review(dependencies, names)
        if self.change is None and any(map(self.body_is_gone, self.report.bodies)):
            self.change = Change.SCENE

    def contact(self, row: int) -> MotionContact | None:
        """Return a contact or near miss of the report. None if the row does not exist."""
        rows = self.report.rows
        return rows[row] if 0 <= row < len(rows) else None

    def bodies_of(self, contact: MotionContact) -> tuple[Body, Body]:
        """Return the two bodies of a contact."""
        return self.report.bodies[contact.body_a], self.report.bodies[contact.body_b]

    def body_is_gone(self, body: Body) -> bool:
        """Return whether the body's object, or its instancer, is no longer in the file."""
        return is_gone(body, self.names)

    def body_name(self, body: Body) -> str:
        """Return the current name. For a deleted object, its last name."""
        return name_now(body, self.names_then, self.names)

    def pair_name(self, contact: MotionContact) -> str:
        """Return the names of both bodies."""
        return " × ".join(self.body_name(body) for body in self.bodies_of(contact))


latest: "Latest[MotionResult]" = Latest()


def keep(report: MotionReport, evidence: MotionEvidence, request: MotionRequest, place: Place) -> MotionResult:
    """Store a check, and drop the previous one. `depend_on` follows.

    The first contact that begins within the range is chosen or, if there is none, the first of all. Ignored ones are
    skipped.
    """
    open_rows = [row for row, contact in enumerate(report.rows) if contact.ignored < 0]
    begins = (row for row in open_rows if not report.rows[row].started_touching)
    return latest.store(
        MotionResult(
            place=place,
            asked=request,
            uids=frozenset(uid for body in report.bodies for uid in body_uids(body)),
            report=report,
            evidence=evidence,
            chosen=next(begins, open_rows[0] if open_rows else -1),
        )
    )
