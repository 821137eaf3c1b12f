# SPDX-License-Identifier: GPL-3.0-or-later
"""What the last check of motion found, which contact is chosen, and whether it still holds.

Kept in Python and keyed by `session_uid`, as the report of a collision check is; `addon.watch` tells it what happens
to the scene. That another frame is current changes nothing about it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ..report import Body
from ..session import Change, Dependencies, Place, body_uids, is_gone, name_now
from .report import MotionContact, MotionEvidence, MotionReport, MotionRequest


@dataclass(eq=False)
class Kept:
    """A check of motion.

    Attributes
    ----------
    report : MotionReport
    evidence : MotionEvidence
    request : MotionRequest
    place : Place
    uids : frozenset of int
        The `session_uid` of every object that it depends on.
    chosen : int
        The row of `report.contacts` that is highlighted; -1: none.
    change : Change, optional
        What has happened since.
    suspect : bool
        Something happened that may or may not matter: `review` before relying on it.
    dependencies : mapping of int to object
    names_then, names : mapping of int to str
        As `Session.depend_on` takes them, then and now.
    """

    report: MotionReport
    evidence: MotionEvidence
    request: MotionRequest
    place: Place
    uids: frozenset[int]
    chosen: int = -1
    change: Change | None = None
    suspect: bool = False
    dependencies: Dependencies = field(default_factory=dict)
    names_then: Mapping[int, str] = field(default_factory=dict)
    names: Mapping[int, str] = field(default_factory=dict)

    def contact(self, row: int) -> MotionContact | None:
        """Return a contact of the report; None where there is no such row."""
        return self.report.contacts[row] if 0 <= row < len(self.report.contacts) else None

    def bodies_of(self, contact: MotionContact) -> tuple[Body, Body]:
        """Return the two bodies of a contact."""
        return self.report.bodies[contact.body_a], self.report.bodies[contact.body_b]

    def body_is_gone(self, body: Body) -> bool:
        """Whether the body's object, or what makes it appear, is no longer in the file."""
        return is_gone(body, self.names)

    def body_name(self, body: Body) -> str:
        """Return the name as it is now; of what has been deleted, as it was."""
        return name_now(body, self.names_then, self.names)

    def pair_name(self, contact: MotionContact) -> str:
        """Return the names of both bodies."""
        return " × ".join(self.body_name(body) for body in self.bodies_of(contact))


_kept: list[Kept] = []


def kept() -> Kept | None:
    """Return the last check of motion; None if there is none."""
    return _kept[0] if _kept else None


def keep(report: MotionReport, evidence: MotionEvidence, request: MotionRequest, place: Place) -> Kept:
    """Remember a check, and forget the one before; `depend_on` follows.

    The first contact that begins within the range is chosen; without one, the first of all.
    """
    begins = (row for row, contact in enumerate(report.contacts) if not contact.started_touching)
    found = Kept(
        report=report,
        evidence=evidence,
        request=request,
        place=place,
        uids=frozenset(uid for body in report.bodies for uid in body_uids(body)),
        chosen=next(begins, 0 if report.contacts else -1),
    )
    _kept[:] = [found]
    return found


def depend_on(dependencies: Dependencies, names: Mapping[int, str]) -> None:
    """Remember what the check depended on besides motion, for `review` to compare with."""
    found = kept()
    if found is not None:
        found.dependencies, found.names_then, found.names = dependencies, names, names


def forget() -> None:
    """Forget the last check; what is drawn of it is `overlay`'s."""
    _kept.clear()


# What happens to the scene.


def mark_changed(uids: Iterable[int], *, animation: bool = False) -> None:
    """Take note that these objects have moved by themselves or changed form, or that there are other keys."""
    found = kept()
    if found is not None and found.change is None and (animation or not found.uids.isdisjoint(uids)):
        found.change = Change.SCENE


def mark_suspect() -> None:
    """Take note that objects may have been added, deleted, hidden or renamed."""
    found = kept()
    if found is not None:
        found.suspect = True


def mark_undone() -> None:
    """Take note that another state of the scene has taken its place."""
    found = kept()
    if found is not None:
        found.change, found.suspect = Change.UNDO, True


def review(dependencies: Dependencies, names: Mapping[int, str]) -> None:
    """Compare what the check depended on with what there is now, and end the suspicion."""
    found = kept()
    if found is None:
        return
    found.suspect, found.names = False, names
    gone = any(map(found.body_is_gone, found.report.bodies))
    if found.change is None and (gone or found.dependencies != dependencies):
        found.change = Change.SCENE
