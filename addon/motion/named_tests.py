# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests and ignore rules of a motion check: the contacts that tests find, and those that rules ignore."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from ...core.numerics.types import Bools
from ..collisions.check import tests_without_objects
from ..model.motion_report import MotionContact, MotionReport
from ..model.rules import IgnoreRule, PairTest, matching
from ..scene.objects.labels import labels_of


def with_tests(report: MotionReport, tests: Sequence[PairTest] = (), rules: Sequence[IgnoreRule] = ()) -> MotionReport:
    """Return a report with the contacts that named tests find and those that rules ignore.

    The same holds for near misses.

    The tolerances of the tests are ignored, because a motion check has its own. Without tests, all contacts remain.

    Parameters
    ----------
    report : MotionReport
        A report on the open file, without tests and rules.
    tests : sequence of PairTest
    rules : sequence of IgnoreRule
        The first matching rule is used. Its `max_depth` is compared with the greatest depth in the range.
    """
    if tests:
        labels = labels_of(report.bodies)
        sides = [(matching(test.a, labels), matching(test.b or test.a, labels)) for test in tests]
        found = [
            replace(contact, test=number)
            for contact in report.rows
            for number, (first, second) in enumerate(sides)
            if _between(contact, first, second)
        ]
        report = replace(
            _with_rows(report, found),
            tests=tuple(tests),
            issues=report.issues + tuple(tests_without_objects(tests, labels)),
        )
    return with_rules(report, rules)


def with_rules(report: MotionReport, rules: Sequence[IgnoreRule]) -> MotionReport:
    """Return a report with the contacts and near misses that these rules ignore, replacing other rules.

    Parameters
    ----------
    report : MotionReport
        A report on the open file.
    rules : sequence of IgnoreRule
        As for `with_tests`.
    """
    if not rules and not report.rules:
        return report
    labels, contacts = labels_of(report.bodies), report.rows
    anything = np.ones(len(labels), dtype=np.bool_)
    meant = [(rule, matching(rule.a, labels), matching(rule.b, labels) if rule.b else anything) for rule in rules]
    taken = [
        next(
            (
                number
                for number, (rule, first, second) in enumerate(meant)
                if _between(contact, first, second)
                and (rule.max_depth is None or contact.depth - contact.touching <= rule.max_depth)
            ),
            -1,
        )
        for contact in contacts
    ]
    ignored = [replace(contact, ignored=number) for contact, number in zip(contacts, taken, strict=True)]
    return replace(_with_rows(report, ignored), rules=tuple(rules))


def _with_rows(report: MotionReport, rows: Sequence[MotionContact]) -> MotionReport:
    touching, near = (tuple(one for one in rows if one.is_near_miss == missed) for missed in (False, True))
    return replace(report, contacts=touching, near_misses=near)


def _between(contact: MotionContact, first: Bools, second: Bools) -> bool:
    """Return whether one of the two bodies is in the first set (B,) and the other in the second."""
    a, b = contact.body_a, contact.body_b
    return bool((first[a] and second[b]) or (second[a] and first[b]))
