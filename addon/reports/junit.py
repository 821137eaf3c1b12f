# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as JUnit XML, which build servers show as tests: a test for each pair, contact, issue or object.

Written for Jenkins and GitLab: `testsuites`, `testsuite` and `testcase` with the attributes and the order of the common
schema (junit-10.xsd of the Jenkins xUnit plugin).
"""

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import PurePath
from xml.etree import ElementTree

from ...core import __version__
from ...core.constants import Verdict
from ..i18n.rule_sentences import FIXED, message
from ..i18n.units import length_text, stand_text, with_unit
from ..model.coverage_report import CoverageReport
from ..model.culling_report import CullReport
from ..model.marks import NO_MARKS, PairMarks
from ..model.motion_report import FAULTS as MOTION_FAULTS
from ..model.motion_report import MotionContact, MotionReport
from ..model.probe_report import ProbeReport
from ..model.report import Body, Issue, PairResult, Report
from ..model.validation_report import ValidationReport
from ..model.verdict_names import CULL_NAMES, FAULTS, NAMES, words
from ..system.characters import printable
from .colliders import limits_text, sentence, walked_lines
from .culling import frames_text
from .motion import depth, fails
from .probe import issue_text, probe_facts
from .text import NO_BODY, fold_name, notes, number


def as_junit(
    report: Report, marks: PairMarks = NO_MARKS, fail_on: Collection[Verdict] = FAULTS, empty: str | None = None
) -> str:
    """Return the report as an XML document, ending in a newline.

    Parameters
    ----------
    report : Report
    marks : PairMarks
        Accepted and ignored pairs are skipped tests, with the reason.
    fail_on : collection of Verdict
        Pairs with these verdicts are failed tests, except those of named tests with a lower severity. All others pass.
        Objects that could not be tested at all are errors. A report with neither has one test, which passes, because
        build servers treat an empty report as an error.
    empty : str, optional
        Why nothing was tested, which is an error. Empty: no error. None: an error if no body could be tested.
    """
    suite = _Suite(report.file, report.scene, _properties(report))
    failing = frozenset(marks.failing_rows(report, fail_on))
    for row, pair in enumerate(report.pairs):
        name, test = _pair_name(report, pair), report.test_of(pair)
        if test is not None:
            # Two named tests may find the same pair, and build servers identify tests by name.
            name = f"{test.name}: {name}"
        if row in marks.accepted:
            suite.skipped(name, "accepted", marks.accepted[row])
        elif row in marks.ignored:
            suite.skipped(name, "ignored", marks.reason(row) or "")
        elif row in report.folded:
            suite.skipped(name, "folded", fold_name(report.folded[row]))
        elif row in failing:
            suite.failed(name, NAMES[pair.verdict], _sentence(report, pair), _evidence(report, marks, row))
        else:
            suite.passed(name, _sentence(report, pair))
    for one in report.floating or ():
        text = with_unit(one.message, report.units)
        if fail_on:
            suite.failed(f"{one.object}: floating", "floating", text, [text, *one.others])
        else:
            suite.passed(f"{one.object}: floating", text)
    suite.errors(report.issues)
    suite.empty(report.bodies, empty)
    return suite.document("no collisions")


def motion_as_junit(report: MotionReport, fail_on: Collection[str] = MOTION_FAULTS, empty: str | None = None) -> str:
    """Return a motion check as an XML document: a test for each contact and near miss.

    Those of these `FAILURES` fail.

    `empty` is as in `as_junit`.
    """
    frames = {"frames": f"{report.start} to {report.end}", "scope": report.scope.lower(), **_configured(report)}
    suite = _Suite(report.file, report.scene, frames)
    for contact in report.rows:
        name, status = _pair_name(report, contact), contact.status
        what = "near miss" if contact.is_near_miss else f"{status} contact"
        sentence = f"{what} at frame {contact.first:.4f}, {depth(report, contact)}"
        test, reason = report.test_of(contact), report.reason(contact)
        if test is not None:
            name = f"{test.name}: {name}"
        fold = report.fold_of(contact)
        if reason is not None:
            suite.skipped(name, "ignored", reason)
        elif fold is not None:
            suite.skipped(name, "folded", fold_name(fold))
        elif fails(report, contact, fail_on):
            sides = ((contact.body_a, contact.shape_a), (contact.body_b, contact.shape_b))
            shapes = [f"{report.bodies[body].name}: {_shape(report, shape)}" for body, shape in sides]
            facts = [f"to frame {contact.last:.4f}", "axis " + _vector(contact.normal), "at " + _vector(contact.point)]
            suite.failed(name, status, sentence, [*shapes, sentence, *facts])
        else:
            suite.passed(name, sentence)
    suite.errors(report.issues)
    suite.empty(report.bodies, empty)
    return suite.document("no contacts")


def validation_as_junit(report: ValidationReport, fail_on: str = "error", empty: str | None = None) -> str:
    """Return a validation as an XML document: a test for each issue, failed if it has at least this severity.

    `empty` is why there is nothing to validate, which is an error.
    """
    suite = _Suite(report.file, report.scene, {"engine": report.engine, "scope": report.scope.lower()})
    bad = report.bad_severities(fail_on)
    for issue in report.issues:
        name, sentence = f"{issue.object}: {issue.rule.id}", message(issue, report.units)
        if issue.rule.severity in bad:
            suite.failed(name, issue.rule.id, sentence, [sentence, issue.rule.advice])
        else:
            suite.passed(name, f"{issue.rule.severity}: {sentence}")
    for one in report.done:
        suite.passed(f"{one.object}: {one.rule}", f"fixed: {FIXED[one.fix]}")
    suite.empty((), empty or "")
    return suite.document("no issues")


def cull_as_junit(report: CullReport) -> str:
    """Return a culling as an XML document: a test for each object, which passes and has its place in the view."""
    facts = {"frames": frames_text(report), "cameras": ", ".join(report.cameras), "exact": str(report.exact).lower()}
    suite = _Suite(report.file, report.scene, facts)
    for one in report.objects:
        suite.passed(one.name, f"{CULL_NAMES[one.verdict]}, seen in {number(one.frames_seen, 'frame', 'frames')}")
    suite.errors(report.issues)
    return suite.document("no objects")


def coverage_as_junit(report: CoverageReport, empty: str | None = None) -> str:
    """Return a comparison of colliders with render meshes as an XML document: a test for each object.

    `empty` is why there is nothing to compare, which is an error.
    """
    facts = {"scope": report.scope.lower(), "thresholds": limits_text(report, report.thresholds)}
    if report.walked is not None:
        facts["reach"] = walked_lines(report)[0]
    suite = _Suite(report.file, report.scene, {**_configured(report), **facts})
    for one in report.objects:
        text = sentence(report, one)
        if one.failing:
            suite.failed(one.name, one.failing[0], text, [text, limits_text(report, one.thresholds)])
        else:
            suite.passed(one.name, text)
    for name in report.without_collider:
        if report.required:
            suite.failed(name, "no-collider", "no collider", ["no collider"])
        else:
            suite.passed(name, "no collider")
    for name in report.out_of_reach:
        suite.skipped(name, "out of reach", "no character comes near it")
    suite.errors(report.issues)
    suite.empty((), empty or "")
    return suite.document("nothing to compare")


def probe_as_junit(report: ProbeReport, empty: str | None = None) -> str:
    """Return a probe as an XML document: a test for each issue, failed or, if accepted or known, skipped."""
    suite = _Suite(report.file, report.scene, {"starts": ", ".join(report.request.starts)})
    for one in report.found:
        name, text = f"{' and '.join(one.objects)}: {one.kind} {one.id}", issue_text(one, report.units)
        if one.accepted:
            suite.skipped(name, "accepted", text)
        elif one.new is False:
            suite.skipped(name, "known", text)
        else:
            suite.failed(name, one.kind, text, [text, *probe_facts(report)])
    suite.errors(report.issues)
    if not report.bodies:
        suite.empty((), empty)
    return suite.document("no issues")


class _Suite:
    """A `testsuite` to which tests are added one at a time."""

    def __init__(self, file: str, scene: str, facts: Mapping[str, str]) -> None:
        self._element = ElementTree.Element("testsuite")
        parts = [PurePath(file).stem] if file else []
        # Build servers treat a dot as the end of a package name.
        self._name = printable("/".join([*parts, scene])).replace(".", "_")
        self._count: Counter[str] = Counter()
        self._names: Counter[str] = Counter()
        properties = ElementTree.SubElement(self._element, "properties")
        for name, value in {"tool": f"Collision Kit {__version__}", "file": file, "scene": scene, **facts}.items():
            ElementTree.SubElement(properties, "property", name=name, value=printable(value))

    def passed(self, name: str, text: str = "") -> None:
        case = self._case("passed", name)
        if text:
            ElementTree.SubElement(case, "system-out").text = printable(text)

    def skipped(self, name: str, what: str, reason: str) -> None:
        text = printable(f"{what}: {reason}" if reason else what)
        ElementTree.SubElement(self._case("skipped", name), "skipped", message=text)

    def failed(self, name: str, kind: str, text: str, evidence: Iterable[str]) -> None:
        failure = ElementTree.SubElement(self._case("failures", name), "failure", message=printable(text), type=kind)
        failure.text = "\n".join(map(printable, evidence))

    def errors(self, issues: Iterable[Issue]) -> None:
        """Add the issues that are errors."""
        for issue in issues:
            if issue.severity == "error":
                text = printable(issue.message)
                case = self._case("errors", issue.object)
                ElementTree.SubElement(case, "error", message=text, type=issue.id).text = text

    def empty(self, bodies: Sequence[Body], why: str | None) -> None:
        """Add an error if there is a reason why nothing was tested. None: if there is no body."""
        if why is None:
            why = "" if bodies else NO_BODY
        if why:
            self.errors([Issue("nothing-to-collide", "error", "nothing to test", why)])

    def document(self, nothing: str) -> str:
        """Return the whole document. A suite without tests gets a passed one with this name."""
        if not self._count:
            self.passed(nothing)
        totals = {"tests": str(self._count.total())}
        totals.update({name: str(self._count[name]) for name in ("failures", "errors")})
        skipped = str(self._count["skipped"])
        self._element.attrib = {"name": self._name, **totals, "skipped": skipped, "time": "0"}
        root = ElementTree.Element("testsuites", {"name": "Collision Kit", "time": "0", **totals})
        root.append(self._element)
        ElementTree.indent(root)
        return '<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="unicode") + "\n"

    def _case(self, outcome: str, name: str) -> ElementTree.Element:
        self._count[outcome] += 1
        # Build servers identify tests by name, and several may be about one object.
        name = printable(name)
        self._names[name] += 1
        count = self._names[name]
        case = {"name": f"{name} ({count})" if count > 1 else name, "classname": self._name, "time": "0"}
        return ElementTree.SubElement(self._element, "testcase", case)


def _pair_name(report: Report | MotionReport, pair: PairResult | MotionContact) -> str:
    return f"{report.bodies[pair.body_a].name} × {report.bodies[pair.body_b].name}"


def _configured(report: Report | MotionReport | CoverageReport) -> dict[str, str]:
    return {"configuration": report.configuration} if report.configuration else {}


def _properties(report: Report) -> dict[str, str]:
    return {
        **_configured(report),
        "frame": str(report.frame),
        "scope": report.scope.lower(),
        "touching": length_text(report.touching, report.units),
        "clearance": length_text(report.clearance, report.units),
        "bodies": str(len(report.tested_bodies)),
        "not_tested": str(len(report.skipped)),
    }


def _sentence(report: Report, pair: PairResult) -> str:
    return f"{words(pair.verdict)}, {stand_text(pair, report.units)}"


def _evidence(report: Report, marks: PairMarks, row: int) -> list[str]:
    """List the lines that a failed test prints, one fact per line."""
    pair = report.pairs[row]
    lines = [
        f"{report.bodies[pair.body_a].name}: {_shape(report, pair.shape_a)}",
        f"{report.bodies[pair.body_b].name}: {_shape(report, pair.shape_b)}",
        _sentence(report, pair),
    ]
    if pair.complete:
        lines += [
            "axis " + _vector(pair.normal),
            "between " + _vector(pair.point_a) + " and " + _vector(pair.point_b),
            f"contacts: {len(pair.contact_points)}",
        ]
    return [*lines, *notes(report, marks, row)]


def _shape(report: Report | MotionReport, row: int) -> str:
    shape = report.shapes[row]
    return f"{shape.object}, {shape.kind} ({shape.reason})"


def _vector(values: Collection[float]) -> str:
    return "(" + ", ".join(f"{value + 0.0:.6g}" for value in values) + ")"
