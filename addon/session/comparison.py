# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparison of a check with an earlier one: faults that are new, deeper or resolved.

Checks of the same scene with the same scope can be compared. For scopes that depend on the selection, only bodies that
both have tested count, because bodies that were not selected are not resolved. Live mode compares with the report that
existed when it started.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from ..model.changes import PairChanges, compared, listed
from ..model.marks import GonePair
from ..model.report import ObjectKey, Report, Settings
from ..model.verdict_names import FAULTS
from ..scene.events import Place
from ..system.late import np
from .collision_results import CollisionResult, last_check

if TYPE_CHECKING:
    from ...core.numerics.types import Bools, Ints


# Scopes of the objects that are selected at the time of the check.
SELECTION_SCOPES = {"SELECTED", "ACTIVE"}


class Answer(NamedTuple):
    """A report, and its request."""

    report: Report
    settings: Settings
    place: Place

    @property
    def question(self) -> tuple[Place, Settings]:
        """The scene and the options that two checks must share to be compared. Tolerances may differ."""
        return self.place, self.settings._replace(touching=None, clearance=0.0)


@dataclass
class _State:
    before: Answer | None = None
    waiting: bool = False  # for the first complete report of live mode, if there was no earlier report
    compared: Report | None = None  # the report that `changes` is about
    changes: PairChanges | None = None


_state = _State()


def begin(session: CollisionResult, *, live: bool = False) -> None:
    """Compare from now on with the current report of the session, which is about to be replaced.

    Parameters
    ----------
    session : CollisionResult
    live : bool
        Whether live mode starts. If the session has no report, its first complete report is compared with.
    """
    global _state
    _state = _State(_answer(session))
    _state.waiting = live and _state.before is None


def settled(session: CollisionResult) -> None:
    """Record that the session has a complete report of live mode."""
    if _state.waiting:
        _state.before, _state.waiting = _answer(session), False


def forget() -> None:
    """Clear the comparison."""
    global _state
    _state = _State()


@last_check.on_new.subscribe
def _forget_with_the_report() -> None:
    if last_check.report is None:
        forget()


def changes(session: CollisionResult) -> PairChanges | None:
    """Return the new, deeper and resolved faults of the session's report. None: there is nothing to compare with."""
    now, before = _answer(session), _state.before
    if now is None or before is None or now.question != before.question:
        return None
    if _state.changes is None or now.report is not _state.compared:
        _state.compared, _state.changes = now.report, _compared(now.report, before.report)
    return _state.changes


def _answer(session: CollisionResult) -> Answer | None:
    if session.report is None or session.settings is None:
        return None
    return Answer(session.report, session.settings, session.place)


def _compared(now: Report, before: Report) -> PairChanges:
    number: dict[ObjectKey, int] = {}
    for report in (before, now):
        for body in report.bodies:
            number.setdefault(body.key, len(number))
    tolerance = np.array([pair.touching for pair in now.pairs], dtype=np.float64)
    new, worse, gone = compared(
        listed(now, _numbered(now, number)), listed(before, _numbered(before, number)), tolerance, FAULTS
    )
    if now.scope in SELECTION_SCOPES:
        keys_now, keys_before = ({body.key for body in report.bodies} for report in (now, before))
        new &= _among(now, keys_before)
        worse &= _among(now, keys_before)
        gone &= _among(before, keys_now)
    return PairChanges(
        frozenset(np.flatnonzero(new).tolist()),
        frozenset(np.flatnonzero(worse).tolist()),
        tuple(
            GonePair(before.bodies[pair.body_a].name, before.bodies[pair.body_b].name, pair.verdict, pair.distance)
            for pair in (before.pairs[row] for row in np.flatnonzero(gone).tolist())
        ),
    )


def _numbered(report: Report, number: dict[ObjectKey, int]) -> "Ints":
    """Return a number for each pair, equal for the same two bodies."""
    of_body = np.array([number[body.key] for body in report.bodies], dtype=np.int64)
    bodies = np.sort(of_body[_bodies(report)], axis=1)
    numbered: Ints = bodies[:, 0] * len(number) + bodies[:, 1]
    return numbered


def _among(report: Report, keys: set[ObjectKey]) -> "Bools":
    """Return whether both bodies of each pair are among these."""
    tested = np.array([body.key in keys for body in report.bodies], dtype=bool)
    first, second = _bodies(report).T
    return tested[first] & tested[second]


def _bodies(report: Report) -> "Ints":
    return np.array([(pair.body_a, pair.body_b) for pair in report.pairs], dtype=np.int64).reshape(-1, 2)
