# SPDX-License-Identifier: GPL-3.0-or-later
"""Accept collisions that are intended, with a reason that the scene stores."""

import bpy

from ..model.report import ObjectKey, PairResult, Report
from ..scene import accepted_pairs as stored
from ..scene import arguments
from ..scene.accepted_pairs import AcceptedPair


def accept_pair(report: Report, pair: PairResult, reason: str = "") -> None:
    """Accept a collision as intended. The scene stores it with the reason, and `faults` leaves it out from now on.

    If the pair later becomes deeper by more than its touching tolerance, it is reported again.

    Parameters
    ----------
    report : CollisionReport
        A report on a scene of the open file.
    pair : PairResult
        A pair of the report. If only a lower bound of its depth is known, this is the accepted depth.
    reason : str
        Why the collision is intended. Replaces the reason of a pair that was accepted before.

    Raises
    ------
    ValueError
        If the report belongs to another file or scene, an object of the pair is gone, or the scene is linked.

    Examples
    --------
    ::

        for pair in api.faults(report):
            if "Hinge" in api.names(report, pair):
                api.accept_pair(report, pair, "hinges are let into their doors")
    """
    arguments.texts(reason=reason)
    if not stored.accept(_scene(report), {_keys(report, pair): pair.depth}, reason.strip()):
        raise ValueError("pair: an object of it was removed")


def stop_accepting_pair(report: Report, pair: PairResult) -> bool:
    """Report a pair as a collision again.

    Parameters
    ----------
    report, pair
        As for `accept_pair`.

    Returns
    -------
    bool
        True if the pair was accepted.

    Raises
    ------
    ValueError
        If the report belongs to another file or scene, or the scene is linked.

    Examples
    --------
    ::

        api.stop_accepting_pair(report, report.pairs[0])
    """
    return bool(stored.withdraw(_scene(report), [_keys(report, pair)]))


def stop_accepting_all_pairs() -> int:
    """Remove all accepted pairs of the current scene, including those whose objects no longer exist.

    Returns
    -------
    int
        Number of pairs that were accepted.

    Raises
    ------
    ValueError
        If the scene is linked.

    Examples
    --------
    ::

        api.stop_accepting_all_pairs()
    """
    return stored.withdraw_all(bpy.context.scene)


def accepted_pairs() -> tuple[AcceptedPair, ...]:
    """Return the pairs that the current scene stores as accepted, whether or not they still collide.

    Returns
    -------
    tuple of AcceptedPair
        Each with `name_a`, `name_b`, `reason`, and `present`: whether both objects are in the file.

    Examples
    --------
    ::

        for one in api.accepted_pairs():
            print(one.name_a, one.name_b, one.reason)
    """
    return stored.listed(bpy.context.scene)


def accepted_reason(report: Report, pair: PairResult) -> str | None:
    """Return the reason why a pair of a report was accepted.

    Parameters
    ----------
    report : CollisionReport
    pair : PairResult
        A pair of the report.

    Returns
    -------
    str or None
        Empty if it was accepted without a reason. None if it is not accepted.

    Raises
    ------
    ValueError
        If `report` is not a collision report, or does not contain the pair.

    Examples
    --------
    ::

        left = [pair for pair in report.pairs if api.accepted_reason(report, pair) is None]
    """
    arguments.report(report, Report)
    return stored.marks_of(report).accepted.get(row_of(report, pair))


def _scene(report: Report) -> bpy.types.Scene:
    arguments.report(report, Report)
    scene = stored.scene_of(report)
    if scene is None:
        raise ValueError(f"report: it is of the scene {report.scene!r} of another file, or that is gone")
    return scene


def _keys(report: Report, pair: PairResult) -> frozenset[ObjectKey]:
    row_of(report, pair)
    return frozenset(report.bodies[body].key for body in (pair.body_a, pair.body_b))


def row_of(report: Report, pair: PairResult) -> int:
    """Return the row of a pair in its report; raise ValueError if the report does not contain it."""
    for row, one in enumerate(report.pairs):
        if one is pair:
            return row
    raise ValueError("pair: it is none of the report's")
