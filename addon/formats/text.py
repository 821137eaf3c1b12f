# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as text for a terminal."""

from ...core import Verdict
from ..cull_report import CullReport
from ..lengths import length_text
from ..report import PairResult, Report
from .names import NAMES

# Pairs of these verdicts get a line of evidence each; the others are only counted and named.
_FAULTS = (Verdict.CONTAINED, Verdict.PENETRATING)

# Things at rest touch, by the hundred; more names than this hide what is wrong.
_MOST_NAMES = 8


def as_text(report: Report) -> str:
    """The report as lines of text, ending in a newline: what is wrong first, then the rest in brief."""
    lines = [_heading(report), *_tolerances(report), ""]
    faults = [pair for pair in report.pairs if pair.verdict in _FAULTS]
    if faults:
        lines += _table(report, faults)
    elif len(report.bodies) < 2:
        lines.append("Nothing to collide: " + number(len(report.bodies), "body", "bodies") + " could be tested.")
    else:
        lines.append("Nothing collides.")
    near = [pair for pair in report.pairs if pair.verdict == Verdict.WITHIN_CLEARANCE]
    if near:
        lines += ["", "Nearer than the clearance:", *_table(report, near)]
    touching = [pair for pair in report.pairs if pair.verdict == Verdict.TOUCHING]
    if touching:
        lines += ["", number(len(touching), "pair touches", "pairs touch") + _named(report, touching)]
    return "\n".join([*lines, *remarks(report)]) + "\n"


def remarks(report: Report | CullReport) -> list[str]:
    """What there is to say about single objects, in lines after an empty one."""
    lines = []
    if report.findings:
        lines += ["", "Findings:"]
        lines += [f"  {found.severity:7}  {found.object}: {found.message} [{found.id}]" for found in report.findings]
    if report.skipped:
        lines += ["", "Not tested:"]
        lines += [f"  {skipped.object}: {skipped.reason}" for skipped in report.skipped]
    return lines


def number(count: int, one: str, many: str) -> str:
    """A count with its noun."""
    return f"{count} {one if count == 1 else many}"


def _heading(report: Report) -> str:
    counts = report.counts()
    found = ", ".join(f"{counts[verdict]} {NAMES[verdict].replace('_', ' ')}" for verdict in NAMES if counts[verdict])
    return (
        f"{report.scene}, frame {report.frame}: "
        + number(len(report.bodies), "body", "bodies")
        + f" tested, {found or 'no collisions'}"
    )


def _tolerances(report: Report) -> list[str]:
    touching, clearance = (length_text(value, report.units) for value in (report.touching, report.clearance))
    text = f"touching up to {touching}"
    return [text + (f", clearance {clearance}" if report.clearance > 0.0 else "")]


def _table(report: Report, pairs: list[PairResult]) -> list[str]:
    """One line a pair: verdict, the two names, depth or gap, direction."""
    rows = [
        (
            NAMES[pair.verdict].replace("_", " "),
            f"{report.bodies[pair.body_a].name}  ×  {report.bodies[pair.body_b].name}",
            length_text(abs(pair.distance), report.units) + (" deep" if pair.distance < 0.0 else " apart"),
            "along (" + ", ".join(f"{value + 0.0:.2f}".replace("-0.00", "0.00") for value in pair.normal) + ")",
            number(len(pair.contact_points), "contact", "contacts") if len(pair.contact_points) else "",
        )
        for pair in pairs
    ]
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return [
        ("  " + "  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True))).rstrip() for row in rows
    ]


def _named(report: Report, pairs: list[PairResult]) -> str:
    """The pairs' names, or where they are if they are too many to read."""
    if len(pairs) > _MOST_NAMES:
        return " (the JSON report names them)."
    return ": " + ", ".join(f"{report.bodies[pair.body_a].name} × {report.bodies[pair.body_b].name}" for pair in pairs)
