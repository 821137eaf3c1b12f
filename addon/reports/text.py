# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as text for a terminal."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePath

from ...core.constants import Verdict
from ...core.numerics.types import Floats
from ..i18n.units import decided_text, length_text, stand_text, with_unit
from ..model.alike import joined, joined_skipped, others_alike, several
from ..model.coverage_report import CoverageReport
from ..model.culling_report import CullReport
from ..model.floating import Floating
from ..model.folds import Fold, FoldKind
from ..model.marks import NO_MARKS, PairMarks
from ..model.motion_report import MotionReport
from ..model.probe_report import ProbeReport
from ..model.report import PairResult, Report
from ..model.rules import IgnoreRule, PairTest
from ..model.topics import topic_text
from ..model.validation_report import ValidationReport
from ..model.verdict_names import FAULTS, NAMES, words
from ..model.writing_reports import WritingReport
from ..system.characters import shown
from .coverage import coverage_lines

# Resting objects touch by the hundred. More names than this would hide the faults.
_MOST_NAMES = 8

_PLANES = {"CAMERA": "of the active camera"}


def as_text(report: Report, marks: PairMarks = NO_MARKS, *, unfold: bool = False, hints: Sequence[str] = ()) -> str:
    """Return the report as lines of text, ending in a newline: faults first, then the rest in brief.

    Each fault has a line of evidence, and more than two that are similar share that of the deepest. Touching pairs are
    only counted and named. Folded pairs share a line. With `unfold`, each pair has a line. `hints` tell how to shorten
    the list.
    """
    lines = [_heading(report, marks), *coverage_lines(report), *_tolerances(report), ""]
    faults = marks.open_rows(report, FAULTS)
    if faults:
        others = {} if unfold else others_alike(report, faults, marks)
        told = set(faults).difference(*others.values())
        lines += pair_lines(report, [row for row in faults if row in told], marks, others)
        if hints:
            lines += ["", *hints]
    elif len(report.bodies) < 2:
        lines.append(f"{nothing_to_collide(report).capitalize()}.")
    else:
        lines.append(f"{no_collisions(report, marks)}.")
    near = marks.open_rows(report, (Verdict.WITHIN_CLEARANCE,))
    if near:
        lines += ["", "Within the clearance:", *pair_lines(report, near, marks)]
    touching = [report.pairs[row] for row in marks.open_rows(report, (Verdict.TOUCHING,))]
    if touching:
        lines += ["", number(len(touching), "pair touches", "pairs touch") + _named(report, touching)]
    folds = marks.folds(report)
    if folds:
        lines += ["", "Folded:"]
    for fold, rows in folds.items():
        lines.append(f"  {fold_text(report, fold, rows)}")
        if unfold:
            lines += [f"  {line}" for line in pair_lines(report, rows, marks)]
    if report.floating is not None:
        lines += ["", "Floating:" if report.floating else "Nothing floats.", *floating_lines(report, report.floating)]
    if marks.accepted:
        lines += ["", "Accepted:", *pair_lines(report, sorted(marks.accepted), marks)]
    if report.tests:
        lines += ["", "Tests:", *test_lines(report.tests, report.test_counts)]
    if marks.rules:
        lines += ["", "Ignored by rules:", *rule_lines(marks.rules, marks.uses())]
    if marks.gone:
        lines += ["", "Resolved since the previous check:"]
        lines += [f"  {words(pair.verdict)}  {pair.name_a}  ×  {pair.name_b}" for pair in marks.gone]
    return text_of([*lines, *issues(report)])


def floating_lines(report: Report, floating: Iterable[Floating]) -> list[str]:
    """Return a line for each group of floating bodies."""
    return [f"  {one.object}: {with_unit(one.message, report.units)}" for one in floating]


def configuration_lines(report: Report | MotionReport | WritingReport) -> list[str]:
    """Return the configuration file in use, if there is one."""
    return [f"configuration {report.configuration}"] if report.configuration else []


def issues(report: Report | CullReport | MotionReport | CoverageReport | ProbeReport) -> list[str]:
    """List the issues of single objects, in lines after an empty one."""
    lines = []
    if report.issues:
        lines += ["", "Issues:"]
        lines += [
            f"  {found.severity:7}  {found.object}: {found.message} [{found.id}]" for found in joined(report.issues)
        ]
    return lines + skipped_lines(report)


def skipped_lines(
    report: Report | CullReport | MotionReport | ValidationReport | CoverageReport | ProbeReport,
) -> list[str]:
    """List the objects that were not tested and why, in lines after an empty one."""
    lines = [f"  {skipped.object}: {skipped.reason}" for skipped in joined_skipped(report.skipped)]
    return ["", "Not tested:", *lines] if lines else []


def text_of(lines: Iterable[str]) -> str:
    """Return lines of text, ending in a newline. Line breaks and text direction in names have no effect."""
    return "\n".join(shown(line) for line in lines) + "\n"


# Message if nothing was tested.
NO_BODY = "nothing to test: no body with a collision shape"


def nothing_to_collide(report: Report | MotionReport) -> str:
    """Return the message for fewer than two bodies. It mentions --self if that could find something."""
    if not report.bodies:
        return NO_BODY
    found = "nothing to collide with: only 1 body has a collision shape"
    own = isinstance(report, Report) and report.plane is None and not report.self_check
    return f"{found}; --self tests it against itself" if own else found


def no_collisions(report: Report, marks: PairMarks = NO_MARKS) -> str:
    """Return the sentence for a report without open faults. It names the faults of static bodies, which are folded."""
    text = "No other collisions" if marks.accepted or marks.ignored else "No collisions"
    count = marks.static_faults(report)
    return f"{text}, except between static bodies ({number(count, 'pair', 'pairs')}, folded)" if count else text


def number(count: int, one: str, many: str) -> str:
    """Return a count with its noun."""
    return f"{count} {one if count == 1 else many}"


def _heading(report: Report, marks: PairMarks) -> str:
    counts = marks.open_counts(report)
    listed = [f"{counts[verdict]} {words(verdict)}" for verdict in NAMES if counts[verdict]]
    apart = [
        (len(marks.accepted), "accepted"),
        (len(marks.ignored), "ignored by rules"),
        (sum(map(len, marks.folds(report).values())), "folded"),
    ]
    found = ", ".join([*listed, *(f"{count} {what}" for count, what in apart if count)])
    return (
        f"{where(report)}, frame {report.frame}: "
        + number(len(report.tested_bodies), "body", "bodies")
        + f" tested, {found or 'no collisions'}"
    )


def where(
    report: Report | CullReport | MotionReport | ValidationReport | CoverageReport | WritingReport | ProbeReport,
) -> str:
    """Return the file and the scene of a report. An imported file has no name for its scene, an unsaved one no file."""
    path = PurePath(report.file)
    if not path.name:
        return report.scene
    return f"{path.name}, scene {report.scene}" if path.suffix.lower() == ".blend" else path.name


def _tolerances(report: Report) -> list[str]:
    touching, clearance = (decided_text(value, report.units) for value in (report.touching, report.clearance))
    seen = "" if report.plane is None else f"outlines in the plane {_PLANES.get(report.plane, report.plane)}, "
    text = f"{seen}touching up to {touching}"
    lines = [text + (f", clearance {clearance}" if report.clearance > 0.0 else "")]
    lines += configuration_lines(report)
    left_out = report.tested.get("left_out", 0)
    if left_out:
        lines.append(number(left_out, "pair", "pairs") + " of shapes excluded by collision layers")
    return lines


# Text after the number of pairs of a folded line.
_FOLDS = {
    FoldKind.WITHIN: "within {name}",
    FoldKind.SURROUNDINGS: "with the surroundings {name}",
    FoldKind.AREA: "with {name} (water, fog, a navigation mesh or a trigger)",
    FoldKind.LEVEL: "of colliders that belong to no mesh",
    FoldKind.STATIC: "of static bodies",
    FoldKind.LIBRARY: "of assets in one place",
    FoldKind.COPIES: "of copies of {name}",
}


def fold_name(fold: Fold) -> str:
    """Return the fields that the pairs of a folded line share."""
    return _FOLDS[fold.kind].format(name=fold.name)


def fold_text(report: Report, fold: Fold, rows: Sequence[int]) -> str:
    """Return the number of pairs of a folded line, what they have in common, and their verdicts."""
    counts = Counter(report.pairs[row].verdict for row in rows)
    listed = ", ".join(f"{counts[verdict]} {words(verdict)}" for verdict in NAMES if counts[verdict])
    return f"{number(len(rows), 'pair', 'pairs')} {fold_name(fold)}: {listed}"


def pair_lines(
    report: Report, rows: Sequence[int], marks: PairMarks = NO_MARKS, others: Mapping[int, Sequence[int]] | None = None
) -> list[str]:
    """Return a line for each of these rows: verdict, the two names, depth or gap, direction, and other data.

    `others` are the rows that a row stands for, too; see `others_alike`.
    """
    more = {row: _and_others(report, row, same) for row, same in (others or {}).items()}
    every = tuple(report.pairs)
    pairs = [(row, every[row]) for row in rows]
    noted = marks.noted(report, rows)
    table = [
        (
            words(pair.verdict),
            f"{report.bodies[pair.body_a].name}  ×  {report.bodies[pair.body_b].name}",
            stand_text(pair, report.units),
            direction(pair.normal) if pair.complete else "",
            number(len(pair.contact_points), "contact", "contacts") if len(pair.contact_points) else "",
            more.get(row, "") or (", ".join(notes(report, marks, row)) if row in noted else ""),
            marks.accepted.get(row, ""),
        )
        for row, pair in pairs
    ]
    return aligned(table)


def _and_others(report: Report, row: int, same: Sequence[int]) -> str:
    """Return the number of pairs that a line stands for, too, and the depth of the last, if it is another."""
    least, own = (stand_text(report.pairs[one], report.units) for one in (_least(report, same), row))
    least = least.removeprefix("at least ")
    first, *others = (report.assets_of_pairs[one] for one in (row, *same))
    common = first.intersection(*others)
    more = "and " + number(len(same), "more pair", "more pairs")
    if len(common) > 1:
        told = f"{more} of " + " and ".join(sorted(common))
    elif common:
        (hub,) = common
        names = list(dict.fromkeys(name for one in others for name in one - common if name not in first))
        if not names:
            told = f"{more} within {hub}"
        elif len(names) == len(same):
            told = f"and {several(names)} with {hub}"
        else:
            told = f"{more} of {several(sorted(first - common) + names)} with {hub}"
    else:
        told = f"and {len(same)} pairs like this one"
    return told + (f", at least {least}" if least != own else "")


def _least(report: Report, rows: Sequence[int]) -> int:
    """Return the row of the shallowest pair."""
    return min(rows, key=lambda row: report.pairs[row].depth)


def notes(report: Report, marks: PairMarks, row: int) -> list[str]:
    """List notes about a pair: its test, and its earlier state."""
    pair = report.pairs[row]
    test, found = report.test_of(pair), []
    if test is not None:
        found.append(test_text(test))
    if row in (marks.new or ()):
        found.append("new since the previous check")
    elif row in (marks.worse or ()):
        found.append("deeper than in the previous check")
    copies = report.copies_told.get(row, 0)
    if copies:
        found.append(f"{copies} copies in one place")
    if row in marks.deeper:
        found.append(f"was accepted at {length_text(marks.deeper[row], report.units)}")
    if row in marks.topics:
        topic = marks.topics[row]
        said = [topic_text(topic), number(len(topic.comments), "comment", "comments") if topic.comments else ""]
        found.append("topic: " + (", ".join(filter(None, said)) or "no status"))
        if topic.comments:
            author, _, text, _ = topic.comments[-1]
            found.append(f"last comment: {' '.join(text.split())}" + (f" ({author})" if author else ""))
    return found


def test_lines(tests: Sequence[PairTest], counts: Sequence[int]) -> list[str]:
    """Return a line for each named test with the number of pairs that it has found."""
    return aligned(
        [
            (number(count, "pair", "pairs") if count else "no pair", test.name, test.severity)
            for test, count in zip(tests, counts, strict=True)
        ]
    )


def rule_lines(rules: Sequence[IgnoreRule], uses: Sequence[int]) -> list[str]:
    """Return a line for each rule with its patterns, and the number of pairs that match."""
    return aligned(
        [
            (number(used, "pair", "pairs") if used else "no pair", rule_text(rule), rule.reason)
            for rule, used in zip(rules, uses, strict=True)
        ]
    )


def test_text(test: PairTest) -> str:
    """Return the name of a test, and its severity unless it is the default."""
    return f"test {test.name}" if test.severity == "error" else f"test {test.name} ({test.severity})"


def rule_text(rule: IgnoreRule) -> str:
    """Return the patterns of a rule."""
    sides = [", ".join(one.text for one in side) for side in (rule.a, rule.b) if side]
    return "  ×  ".join(sides if rule.b else [*sides, "anything"])


def direction(vector: Floats) -> str:
    """Return a direction for a line."""
    return f"along ({axis_text(vector, ', ')})"


def axis_text(vector: Floats, between: str = " ") -> str:
    """Return the components of a direction."""
    text = between.join(["%.2f"] * len(vector)) % tuple(vector.tolist())
    return text.replace("-0.00", "0.00")


def aligned(table: Sequence[Sequence[str]]) -> list[str]:
    """Return lines with aligned columns. There is at least one line."""
    form = "".join(f"  %-{max(map(len, column))}s" for column in zip(*table, strict=True))
    return [(form % tuple(line)).rstrip() for line in table]


def _named(report: Report, pairs: list[PairResult]) -> str:
    """Return the names of pairs, or where to find them if they are too many."""
    if len(pairs) > _MOST_NAMES:
        return " (listed in the JSON report)."
    return ": " + ", ".join(f"{report.bodies[pair.body_a].name} × {report.bodies[pair.body_b].name}" for pair in pairs)
