# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as JUnit XML, which build servers show as tests: each pair that was found is one.

Written for what Jenkins and GitLab read: `testsuites`, `testsuite` and `testcase` with the attributes and in the order
that the common schema (junit-10.xsd of the Jenkins xUnit plugin) has them.
"""

from collections.abc import Collection
from pathlib import PurePath
from xml.etree import ElementTree

from ... import __version__
from ...core.constants import Verdict
from ..i18n.units import length_text, stand_text
from ..model.marks import NO_MARKS, Marks
from ..model.report import Finding, PairResult, Report
from ..model.verdict_names import FAULTS, NAMES, printable, words
from .text import notes, nothing_to_collide


def as_junit(
    report: Report, marks: Marks = NO_MARKS, fail_on: Collection[Verdict] = FAULTS, empty: str | None = None
) -> str:
    """The report as one XML document, ending in a newline.

    Parameters
    ----------
    report : Report
    marks : Marks
        Accepted and ignored pairs are skipped tests, with the reason.
    fail_on : collection of Verdict
        Pairs of these verdicts are failed tests, but for those of named tests that are no errors; the others have
        passed. Objects that could not be tested at all are
        errors. A report with nothing of either has one test, which has passed: build servers take none for a mistake.
    empty : str, optional
        Why nothing can collide, which is an error; empty: it is none. None: it is one where fewer than two bodies
        could be tested.
    """
    suite = ElementTree.Element("testsuite")
    suite_name = _suite(report)
    properties = ElementTree.SubElement(suite, "properties")
    for name, value in _properties(report).items():
        ElementTree.SubElement(properties, "property", name=name, value=printable(value))
    skipped = failures = 0
    failing = frozenset(marks.failing_rows(report, fail_on))
    for row, pair in enumerate(report.pairs):
        case = _case(suite, suite_name, f"{report.bodies[pair.body_a].name} × {report.bodies[pair.body_b].name}")
        if row in marks.accepted or row in marks.ignored:
            skipped += 1
            what, reason = (
                ("accepted", marks.accepted[row]) if row in marks.accepted else ("ignored", marks.reason(row))
            )
            ElementTree.SubElement(case, "skipped", message=printable(f"{what}: {reason}" if reason else what))
        elif row in failing:
            failures += 1
            failure = ElementTree.SubElement(
                case, "failure", message=printable(_sentence(report, pair)), type=NAMES[pair.verdict]
            )
            failure.text = printable(_evidence(report, marks, row))
        else:
            ElementTree.SubElement(case, "system-out").text = printable(_sentence(report, pair))
    errors = [finding for finding in report.findings if finding.severity == "error"]
    for finding in errors:
        _error(_case(suite, suite_name, finding.object), finding)
    if empty is None:
        empty = nothing_to_collide(report.bodies) if len(report.bodies) < 2 else ""
    if empty:
        nothing = Finding("nothing-to-collide", "error", "nothing to test", empty)
        errors.append(nothing)
        _error(_case(suite, suite_name, nothing.object), nothing)
    if not report.pairs and not errors:
        _case(suite, suite_name, "no collisions")
    tests = str(len(suite) - 1)
    totals = {"tests": tests, "failures": str(failures), "errors": str(len(errors))}
    suite.attrib = {"name": suite_name, **totals, "skipped": str(skipped), "time": "0"}
    root = ElementTree.Element("testsuites", {"name": "Collision Kit", "time": "0", **totals})
    root.append(suite)
    ElementTree.indent(root)
    return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"


def _case(suite: ElementTree.Element, suite_name: str, name: str) -> ElementTree.Element:
    return ElementTree.SubElement(suite, "testcase", name=printable(name), classname=suite_name, time="0")


def _error(case: ElementTree.Element, finding: Finding) -> None:
    message = printable(finding.message)
    ElementTree.SubElement(case, "error", message=message, type=finding.id).text = message


def _suite(report: Report) -> str:
    """The file and the scene; build servers take a dot for the end of a package's name."""
    parts = [PurePath(report.file).stem] if report.file else []
    return printable("/".join([*parts, report.scene])).replace(".", "_")


def _properties(report: Report) -> dict[str, str]:
    return {
        "tool": f"Collision Kit {__version__}",
        "file": report.file,
        "scene": report.scene,
        "frame": str(report.frame),
        "scope": report.scope.lower(),
        "touching": length_text(report.touching, report.units),
        "clearance": length_text(report.clearance, report.units),
        "bodies": str(len(report.bodies)),
        "not_tested": str(len(report.skipped)),
    }


def _sentence(report: Report, pair: PairResult) -> str:
    return f"{words(pair.verdict)}, {stand_text(pair, report.units)}"


def _evidence(report: Report, marks: Marks, row: int) -> str:
    """What a failed test prints, a fact a line."""
    pair = report.pairs[row]
    lines = [
        f"{report.bodies[pair.body_a].name}: {_shape(report, pair.shape_a)}",
        f"{report.bodies[pair.body_b].name}: {_shape(report, pair.shape_b)}",
        _sentence(report, pair),
        "axis " + _vector(pair.normal),
        "between " + _vector(pair.point_a) + " and " + _vector(pair.point_b),
        f"contacts: {len(pair.contact_points)}",
    ]
    return "\n".join([*lines, *notes(report, marks, row)])


def _shape(report: Report, row: int) -> str:
    shape = report.shapes[row]
    return f"{shape.object}, {shape.kind} ({shape.reason})"


def _vector(values: Collection[float]) -> str:
    return "(" + ", ".join(f"{value + 0.0:.6g}" for value in values) + ")"
