# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests and ignore rules of the current scene, and the file ``collision-kit.toml``."""

from collections.abc import Iterable
from pathlib import Path

import bpy

from ..model.motion_report import MotionReport
from ..model.report import PairResult, Report
from ..model.rules import IgnoreRule, PairTest
from ..model.suggestions import SuggestedRule, suggested_rules
from ..scene import accepted_pairs, arguments
from ..scene import rules as stored
from ..scene.objects.labels import labels_of
from ..scene.settings import ignore_rules_of, tests_of


def pair_tests() -> tuple[PairTest, ...]:
    """Return the named tests of the current scene.

    Returns
    -------
    tuple of PairTest
        Lengths are in Blender units. Pass them to `check_collisions`.

    Examples
    --------
    ::

        report = api.check_collisions(scope="ALL", tests=api.pair_tests())
    """
    return tests_of(bpy.context.scene)


def set_pair_tests(tests: Iterable[PairTest]) -> None:
    """Replace the named tests of the current scene.

    Parameters
    ----------
    tests : iterable of PairTest

    Raises
    ------
    ValueError
        If an element is not a `PairTest`.

    Examples
    --------
    ::

        api.set_pair_tests([api.PairTest("doors", a=["collection:Doors"], b=["Wall*"], clearance=0.01)])
    """
    stored.store_tests(bpy.context.scene, arguments.instances("tests", tests, PairTest))


def ignore_rules() -> tuple[IgnoreRule, ...]:
    """Return the ignore rules of the current scene, for pairs that are meant to collide.

    Returns
    -------
    tuple of IgnoreRule
        Lengths are in Blender units. `faults` leaves out the pairs that match a rule.

    Examples
    --------
    ::

        for rule in api.ignore_rules():
            print([pattern.text for pattern in rule.a], rule.reason)
    """
    return ignore_rules_of(bpy.context.scene)


def set_ignore_rules(rules: Iterable[IgnoreRule]) -> None:
    """Replace the ignore rules of the current scene.

    Parameters
    ----------
    rules : iterable of IgnoreRule

    Raises
    ------
    ValueError
        If an element is not an `IgnoreRule`.

    Examples
    --------
    ::

        api.set_ignore_rules([api.IgnoreRule(a=["Bolt*"], b=["Plate*"], max_depth=0.002, reason="pressed in")])
    """
    stored.store_ignore_rules(bpy.context.scene, arguments.instances("rules", rules, IgnoreRule))


def ignore_pair(report: Report, pair: PairResult, *, reason: str = "") -> IgnoreRule:
    """Add an ignore rule for the names of a pair to the scene of the report.

    Parameters
    ----------
    report : CollisionReport
        A report on a scene of the open file.
    pair : PairResult
        A pair of the report.
    reason : str

    Returns
    -------
    IgnoreRule

    Raises
    ------
    ValueError
        If the report belongs to another file or scene.

    Examples
    --------
    ::

        for pair in api.faults(report):
            api.ignore_pair(report, pair, reason="looked at in review")
    """
    arguments.report(report, Report)
    arguments.texts(reason=reason)
    scene = accepted_pairs.scene_of(report)
    if scene is None:
        raise ValueError(f"report: it is of the scene {report.scene!r} of another file, or that is gone")
    return stored.ignore_pair(scene, report, pair, reason)


def suggest_rules(report: Report, *, motion: MotionReport | None = None) -> list[SuggestedRule]:
    """Suggest ignore rules for pairs that look as if they are meant to collide. The scene is not changed.

    Only pairs that penetrate or contain one another and are neither accepted nor ignored are considered. They may be
    intended if they are in one hierarchy, are in the same collection, or are repeated in objects with similar names.

    Parameters
    ----------
    report : CollisionReport
    motion : MotionReport, optional
        A report on the same scene. Pairs that touch in all frames at nearly the same depth may be intended, too.

    Returns
    -------
    list of SuggestedRule
        The rules that match most pairs first. `rows` are rows of ``report.pairs``, deepest first.

    Raises
    ------
    ValueError
        If the arguments are not such reports, or are on different scenes.

    Examples
    --------
    ::

        for suggested in api.suggest_rules(report, motion=api.check_motion()):
            print(len(suggested.rows), suggested.reason)
        api.set_ignore_rules([*api.ignore_rules(), suggested.rule])
    """
    arguments.report(report, Report)
    if motion is not None:
        arguments.report(motion, MotionReport)
        if (motion.file, motion.scene) != (report.file, report.scene):
            raise ValueError(f"motion: it is of the scene {motion.scene!r} of {motion.file!r}, and the report is not")
    return suggested_rules(report, labels_of(report.bodies), accepted_pairs.marks_of(report), motion)


def import_configuration(path: str | Path) -> None:
    """Replace the tests and ignore rules of the current scene with those of a file, and set its tolerances.

    Parameters
    ----------
    path : str or Path
        A file in the format of ``collision-kit.toml``.

    Raises
    ------
    ValueError
        If the file cannot be read or is invalid. The scene is not changed then.

    Examples
    --------
    ::

        api.import_configuration("//collision-kit.toml")
    """
    stored.import_configuration(bpy.context.scene, arguments.path(path))


def export_configuration(path: str | Path) -> Path:
    """Save the tests, ignore rules and tolerances of the current scene to a file.

    Parameters
    ----------
    path : str or Path

    Returns
    -------
    Path
        Path of the file.

    Raises
    ------
    ValueError
        If the file could not be imported again, for example because a test has no name. It is not written then.
    OSError
        If the file cannot be written.

    Examples
    --------
    ::

        api.export_configuration("//collision-kit.toml")
    """
    target = arguments.path(path)
    stored.export_configuration(bpy.context.scene, target)
    return target
