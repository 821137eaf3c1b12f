# SPDX-License-Identifier: GPL-3.0-or-later
"""HTML pages with tables for motion, culling, validation, and commands that make, fix and write."""

import math
from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence

from ..asset_rules.limits import SEVERITIES
from ..i18n.rule_sentences import FIXED, message
from ..i18n.units import area_text, length_text, range_text
from ..model.coverage_report import Area, CoverageReport
from ..model.culling_report import CullReport
from ..model.motion_report import NEAR, STATUSES, MotionContact, MotionReport
from ..model.probe_report import KINDS, ProbeReport
from ..model.rules import IgnoreRule, PairTest
from ..model.validation_report import Done, ValidationReport
from ..model.verdict_names import CULL_NAMES
from ..model.writing_reports import ExportReport, FixReport, MakeReport, ObjectMessage, WritingReport
from . import curve
from .colliders import bounds_text, limits_text, point_text, sentence, share_text, walked_lines
from .coverage import coverage_lines
from .culling import counts_text, frames_text
from .html_parts import (
    NO_CONFIGURATION,
    TableCell,
    escaped,
    header,
    isolated,
    issues_part,
    listed,
    page,
    place,
    quiet,
    settings_part,
    skipped_part,
    sortable,
    table_row,
    tag,
)
from .motion import nothing_moves, penetration_text
from .probe import issue_text, mark_text, probe_facts, probe_verdict
from .probe_map import maps_of
from .text import axis_text, fold_name, number, rule_text, test_text
from .writing import changed_lines, left_out_lines

# Maximum number of curves on a page.
MOST_CURVES = 24

# CSS class of each word, for its color: red is a fault, yellow needs attention, green is good.
_COLORS = {
    **{"new": "penetrating", "undecided": "within_clearance", "started": "touching", "near": "within_clearance"},
    **{"error": "penetrating", "warning": "within_clearance", "info": "accepted"},
    **{"fall": "penetrating", "stuck": "penetrating", "unreachable": "within_clearance"},
    **dict.fromkeys(("snag", "squeeze", "step", "slope"), "within_clearance"),
    **{"inside": "touching", "crossing": "within_clearance", "outside": "accepted"},
}
_SEVERITIES = {"error": "errors", "warning": "warnings", "info": "info"}

_CONTACTS = ("#", "Status", "A", "B", "First frame", "Seconds", "Last frame", "Depth", "Deepest frame", "Along", "Info")
_WHAT = "names and statuses"
_ISSUES = ("#", "Severity", "Rule", "Object", "Issue", "What to do")
_OBJECTS = ("#", "View", "Object", "Frames seen")
_COMPARED = (
    *("#", "Verdict", "Object", "Sticks out", "Collider", "Where", "Area beyond"),
    *("Misses", "Where it misses", "Area missed"),
)
_PLACES = ("#", "Kind", "Colliders", "Measure", "X", "Y", "Z", "Issue", "Id")
_COLLIDERS = ("#", "Collider", "Kind", "Made for", "Volume of the hull", "Gap", "Protrusion")
_PIECES = ("Made for", "Pieces", "Volume of the hull", "Gap", "Protrusion")
_NUMBERS = {
    *("Measure", "X", "Y", "Z"),
    *("#", "First frame", "Seconds", "Last frame", "Depth", "Deepest frame", "Frames seen"),
    *("Volume of the hull", "Gap", "Protrusion", "Pieces"),
}


def motion_as_html(report: MotionReport) -> str:
    """Return a motion check as an HTML document: a row for each contact and near miss, and curves of the first ones."""
    ignored = report.ignored_counts()
    folded = report.folded_counts()
    counts = report.counts() - ignored - folded
    chips = [(_COLORS[status], f"{counts[status]} {status}") for status in (*STATUSES, NEAR) if counts[status]]
    if ignored:
        chips.append(("accepted", f"{ignored.total()} ignored by rules"))
    if folded:
        chips.append(("accepted", f"{folded.total()} folded"))
    verdict = number(counts["new"], "new contact", "new contacts") if counts["new"] else "No new contacts"
    if len(report.bodies) < 2 or not report.animated:
        verdict = nothing_moves(report)
    clip = [f"clip {report.clip}"] if report.clip else []
    where = place(report.file, report.scene, *clip, f"frames {report.start} to {report.end}")
    tested = number(len(report.bodies), "body", "bodies") + f" tested, {report.tested.get('moving', 0)} moving"
    rows = [_contact_row(report, place, contact) for place, contact in enumerate(report.rows, start=1)]
    left = report.deviation_left
    facts = {
        "File": report.file or "unsaved file",
        "Scope": report.scope.lower(),
        "Frames": f"{report.start} to {report.end}, {report.fps:g} per second",
        "Deviation": f"{length_text(left.distance, report.units)} at most, "
        f"{length_text(report.deviation_allowed, report.units)} allowed",
        "Clearance": length_text(report.clearance, report.units) if report.clearance else "none",
        "Configuration": report.configuration or NO_CONFIGURATION,
    }
    return page(
        f"{verdict} · {where}",
        [
            header("Motion report", verdict, f"{where} · {tested}", chips, coverage_lines(report)),
            sortable(
                "Contacts and near misses" if report.near_misses else "Contacts", _CONTACTS, rows, _NUMBERS, _WHAT
            ),
            _curves(report),
            tests_part(report.tests, report.test_counts()),
            rules_part(report.rules, report.uses()),
            listed("Deforming, tested at frames and subframes only", map(isolated, report.deforming)),
            issues_part(report),
            settings_part(facts),
        ],
        style=curve.STYLE,
    )


def _curves(report: MotionReport) -> str:
    """Return the distances over frames, for the first contacts and near misses that are not ignored."""
    shown = [(place, one) for place, one in enumerate(report.rows, start=1) if one.ignored < 0]
    figures = [
        f"<figure>{drawn}<figcaption><p>{place}. {isolated(report.pair_name(contact))}</p></figcaption></figure>"
        for place, contact in shown
        if (drawn := curve.curve_figure(report, contact))
    ]
    if not figures:
        return ""
    more = f'\n<p class="quiet">The first {MOST_CURVES} of {len(figures)}.</p>' if len(figures) > MOST_CURVES else ""
    cards = "\n".join(figures[:MOST_CURVES])
    return f'<h2>Distance over frames</h2>{more}\n<div class="cards">{cards}</div>'


def _contact_row(report: MotionReport, row: int, contact: MotionContact) -> str:
    reason, test = report.reason(contact), report.test_of(contact)
    notes = [] if test is None else [tag("new", test_text(test))]
    if contact.per_frame:
        notes.append(escaped("subframes only"))
    fold = report.fold_of(contact)
    if fold is not None:
        notes.append(tag("accepted", "folded") + f" {isolated(fold_name(fold))}")
    if reason is not None:
        notes.append(tag("accepted", "ignored") + (f" {isolated(reason)}" if reason else ""))
    deep = "touching"
    if contact.is_near_miss:
        deep = f"{length_text(contact.distance, report.units)} apart"
    elif contact.penetrates:
        deep = penetration_text(report, contact)
    cells = (
        TableCell(str(row), row),
        TableCell(tag(_COLORS[contact.status], contact.status), (*STATUSES, NEAR).index(contact.status)),
        TableCell(isolated(report.bodies[contact.body_a].name)),
        TableCell(isolated(report.bodies[contact.body_b].name)),
        TableCell(f"{contact.first:.4f}", contact.first),
        TableCell(f"{report.seconds(contact.first):.4f}", report.seconds(contact.first)),
        TableCell(f"{contact.last:.4f}", contact.last),
        TableCell(escaped(deep), -contact.distance if contact.is_near_miss else contact.depth),
        TableCell(f"{contact.deepest:.4g}", contact.deepest),
        TableCell(axis_text(contact.normal)),
        TableCell(" ".join(notes)),
    )
    return table_row(_CONTACTS, cells, _NUMBERS, "" if reason is None and fold is None else ' class="is-accepted"')


def validation_as_html(report: ValidationReport) -> str:
    """Return a validation as an HTML document: a row for each issue."""
    counts = report.counts()
    chips = [
        (_COLORS[severity], number(counts[severity], severity, many))
        for severity, many in _SEVERITIES.items()
        if counts[severity]
    ]
    found = len(report.issues)
    verdict = number(found, "issue", "issues") if found else "No issues"
    where = place(report.file, report.scene)
    looked_at = number(report.bodies, "body", "bodies") + f" with {number(report.colliders, 'collider', 'colliders')}"
    rows = [
        table_row(
            _ISSUES,
            (
                TableCell(str(row), row),
                TableCell(tag(_COLORS[one.rule.severity], one.rule.severity), SEVERITIES.index(one.rule.severity)),
                TableCell(escaped(one.rule.id)),
                TableCell(isolated(one.object)),
                TableCell(escaped(message(one, report.units))),
                TableCell(escaped(one.rule.advice) + (" " + quiet("Fix All does this.") if one.fixable else "")),
            ),
            _NUMBERS,
        )
        for row, one in enumerate(report.issues, start=1)
    ]
    facts = {
        "File": report.file or "unsaved file",
        "Engine": report.engine,
        "Scope": report.scope.lower(),
    }
    return page(
        f"{verdict} · {where}",
        [
            header("Validation of colliders", verdict, f"{where} · {looked_at}", chips, coverage_lines(report)),
            sortable("Issues", _ISSUES, rows, _NUMBERS, "names and rules"),
            _fixed(report.done),
            skipped_part(report.skipped),
            settings_part(facts),
        ],
    )


def probe_as_html(report: ProbeReport) -> str:
    """Return a probe as an HTML document: a row for each issue."""
    verdict, where = probe_verdict(report), place(report.file, report.scene)
    chips = [(_COLORS[kind], number(count, *KINDS[kind])) for kind, count in report.counts().items() if count]
    rows = [
        table_row(
            _PLACES,
            (
                TableCell(str(row), row),
                TableCell(tag(_COLORS[one.kind] if one.open else "accepted", one.kind), one.kind),
                TableCell(isolated(", ".join(one.objects))),
                TableCell(f"{one.measure:.4g}", one.measure),
                *(TableCell(f"{value:.3f}", value) for value in one.point),
                TableCell(escaped(issue_text(one, report.units) + mark_text(one))),
                TableCell(escaped(one.id)),
            ),
            _NUMBERS,
        )
        for row, one in enumerate(report.found, start=1)
    ]
    facts = {"File": report.file or "unsaved file", "Starts": ", ".join(report.request.starts)}
    return page(
        f"{verdict} · {where}",
        [
            header("Probe", verdict, where, chips, [*probe_facts(report), *coverage_lines(report)]),
            maps_of(report),
            sortable("Issues of the walk", _PLACES, rows, _NUMBERS, "names and kinds"),
            issues_part(report),
            settings_part(facts),
        ],
    )


def cull_as_html(report: CullReport) -> str:
    """Return a culling as an HTML document: a row for each object."""
    counts = report.counts()
    chips = [(_COLORS[name], f"{counts[verdict]} {name}") for verdict, name in CULL_NAMES.items() if counts[verdict]]
    verdict = f"{number(len(report.objects), 'object', 'objects')} seen by {', '.join(report.cameras)}"
    if report.frames > 1:
        verdict += f": {counts_text(report)}"
    where = place(report.file, report.scene, frames_text(report))
    rows = [
        table_row(
            _OBJECTS,
            (
                TableCell(str(row), row),
                TableCell(tag(_COLORS[CULL_NAMES[one.verdict]], CULL_NAMES[one.verdict]), -one.verdict),
                TableCell(isolated(one.name)),
                TableCell(str(one.frames_seen), one.frames_seen),
            ),
            _NUMBERS,
        )
        for row, one in enumerate(report.objects, start=1)
    ]
    facts = {"File": report.file or "unsaved file", "Method": "exact" if report.exact else "planes only"}
    return page(
        f"{verdict} · {where}",
        [
            header("Camera culling", verdict, where, chips, coverage_lines(report)),
            sortable("Objects", _OBJECTS, rows, _NUMBERS, "names"),
            issues_part(report),
            settings_part(facts),
        ],
    )


def coverage_as_html(report: CoverageReport, pictures: Mapping[int, bytes] | None = None) -> str:
    """Return a comparison of colliders with render meshes as an HTML document: a row for each object.

    `pictures` are PNG files of heat maps, by row of the objects.
    """
    failing = len(report.failing)
    verdict = number(failing, "object", "objects") + " out of tolerance" if failing else "No issues"
    where = place(report.file, report.scene)
    chips = [("penetrating", f"{failing} out of tolerance")] if failing else []
    if report.without_collider:
        chips.append(("accepted", f"{len(report.without_collider)} without collider"))
    rows = [
        table_row(
            _COMPARED,
            (
                TableCell(str(row), row),
                TableCell(tag("penetrating", "fails") if one.failing else tag("touching", "ok"), -len(one.failing)),
                TableCell(isolated(one.name)),
                _measure_cell(report, one.outside, one.outside_bound),
                TableCell(isolated(one.outside_collider)),
                TableCell(point_text(one.outside_point)),
                _area_cell(report, one.outside_area),
                _measure_cell(report, one.inside, one.inside_bound),
                TableCell(point_text(one.inside_point)),
                _area_cell(report, one.inside_area),
            ),
            _NUMBERS,
        )
        for row, one in enumerate(report.objects, start=1)
    ]
    facts = {
        "File": report.file or "unsaved file",
        "Scope": report.scope.lower(),
        "Thresholds": limits_text(report, report.thresholds),
        "Configuration": report.configuration or NO_CONFIGURATION,
    }
    lines = [*walked_lines(report), *coverage_lines(report)]
    return page(
        f"{verdict} · {where}",
        [
            header("Colliders and what is seen", verdict, where, chips, lines),
            _heat_maps(report, pictures or {}),
            sortable("Objects", _COMPARED, rows, _NUMBERS, "names"),
            listed("Without collider", map(isolated, report.without_collider)),
            listed("Out of reach", map(isolated, report.out_of_reach)),
            issues_part(report),
            settings_part(facts),
        ],
    )


def _measure_cell(report: CoverageReport, value: float, bound: float) -> TableCell:
    """Return a distance. Its tooltip has the upper bound."""
    most = f"at most {length_text(bound, report.units)}"
    return TableCell(f'<span title="{escaped(most)}">{escaped(length_text(value, report.units))}</span>', value)


def _heat_maps(report: CoverageReport, pictures: Mapping[int, bytes]) -> str:
    """Return cards with heat maps. Empty if there are none."""
    cards = []
    for row, picture in sorted(pictures.items()):
        one, data = report.objects[row], b64encode(picture).decode("ascii")
        cards.append(
            f'<figure><img src="data:image/png;base64,{data}" alt="{escaped(f"Heat map of {one.name}")}">'
            f'<figcaption><div class="names">{isolated(one.name)}</div><p>{escaped(sentence(report, one))}</p>'
            "</figcaption></figure>"
        )
    return f'<h2>Heat maps</h2><div class="cards">{"".join(cards)}</div>' if cards else ""


def _area_cell(report: CoverageReport, area: Area | None) -> TableCell:
    """Return an area beyond a threshold. Its tooltip has the bounds."""
    if area is None:
        return TableCell("", -1.0)
    text = f"{area_text(area.area, report.units)} ({share_text(area)})" if area.most else "0"
    return TableCell(f'<span title="{escaped(bounds_text(report, area))}">{escaped(text)}</span>', area.area)


def make_as_html(report: MakeReport) -> str:
    """Return the report of `make` as an HTML document: a row for each collider."""
    verdict = f"{number(len(report.colliders), 'collider', 'colliders')} made"
    rows = [
        table_row(
            _COLLIDERS,
            (
                TableCell(str(row), row),
                TableCell(isolated(one.object)),
                TableCell(escaped(one.kind.lower())),
                TableCell(isolated(one.owner)),
                _ratio_cell(one.hull_ratio),
                TableCell(range_text(one.gap, one.gap_error, report.units), one.gap),
                TableCell(range_text(one.protrusion, one.protrusion_error, report.units), one.protrusion),
            ),
            _NUMBERS,
        )
        for row, one in enumerate(report.colliders, start=1)
    ]
    together = [
        table_row(
            _PIECES,
            (
                TableCell(isolated(one.owner)),
                TableCell(str(one.pieces), one.pieces),
                _ratio_cell(one.hull_ratio),
                TableCell(range_text(one.gap, one.gap_error, report.units), one.gap),
                TableCell(range_text(one.protrusion, one.protrusion_error, report.units), one.protrusion),
            ),
            _NUMBERS,
        )
        for one in report.pieces
    ]
    parts = [
        sortable("Colliders", _COLLIDERS, rows, _NUMBERS, "names"),
        sortable("Pieces together", _PIECES, together, _NUMBERS, "names") if together else "",
        _messages("Found", tuple(ObjectMessage(one.object, one.message) for one in report.made)),
        listed("Collisions", [isolated(line) for line in changed_lines(report)]),
        _messages("Warnings", report.warnings),
        _messages("Left as they are", report.kept),
        _messages("Not made", report.problems),
    ]
    return _written_page(report, verdict, [("none", f"for {report.engine}")], parts)


def _ratio_cell(ratio: float) -> TableCell:
    """Return the volume of a collider relative to the hull. A flat mesh has none."""
    return TableCell(f"{ratio:.3g} ×", ratio) if math.isfinite(ratio) else TableCell("flat mesh", "Infinity")


def fix_as_html(report: FixReport) -> str:
    """Return the report of `fix` as an HTML document: fixes, moves, and remaining pairs."""
    left = len(report.left) + len(report.issues)
    counts = {"fixed": len(report.fixed), "moved": len(report.moved)}
    chips = [("none", f"{count} {what}") for what, count in counts.items() if count]
    moved = [
        f"{isolated(one.object)}: {length_text(math.hypot(*one.offset), report.units)}"
        + (f", onto {isolated(one.onto)}" if one.onto else "")
        for one in report.moved
    ]
    wrong = [
        f"{tag(one.verdict, one.verdict.replace('_', ' '))} {isolated(one.a)} × {isolated(one.b)}: "
        f"{length_text(one.depth, report.units)}"
        for one in report.left
    ]
    parts = [
        _fixed(report.fixed),
        listed("Moved", moved),
        _messages("Not moved", report.refused),
        listed("Still wrong", wrong),
        _messages("Issues of colliders", report.unfixed),
    ]
    return _written_page(report, f"{number(left, 'problem', 'problems')} left", chips, parts)


def export_as_html(report: ExportReport) -> str:
    """Return the report of `export` as an HTML document: the files, and the issues for the engine."""
    return _written_page(report, f"{number(len(report.paths), 'file', 'files')} written", [], [])


def _written_page(report: WritingReport, verdict: str, chips: list[tuple[str, str]], parts: list[str]) -> str:
    where = place(report.file, report.scene)
    if report.paths:
        chips = [*chips, ("none", f"{number(len(report.paths), 'file', 'files')} written")]
    issues = [
        f"{tag(_COLORS[one.severity], one.severity)} {isolated(one.object)}: {escaped(one.message)} {quiet(one.id)}"
        for one in report.issues
    ]
    files = [listed("Written", map(isolated, report.paths)), listed("Left out", map(escaped, report.notes))]
    facts = {
        "File": report.file or "unsaved file",
        "Configuration": report.configuration or NO_CONFIGURATION,
    }
    head = header("Collision Kit", verdict, where, chips, left_out_lines(report))
    return page(
        f"{verdict} · {where}",
        [head, *parts, listed("Issues", issues), *files, settings_part(facts, "How it was made")],
    )


def _messages(title: str, messages: Iterable[ObjectMessage]) -> str:
    return listed(title, [f"{isolated(one.object)}: {escaped(one.message)}" for one in messages])


def _fixed(done: Iterable[Done]) -> str:
    return listed("Fixed", [f"{isolated(one.object)}: {escaped(FIXED[one.fix])} {quiet(one.rule)}" for one in done])


def tests_part(tests: Sequence[PairTest], counts: Sequence[int]) -> str:
    """Return the named tests, with the number of pairs that each has found."""
    return listed(
        "Tests",
        [
            f"{number(count, 'pair', 'pairs') if count else 'no pair'}: {isolated(test.name)} {quiet(test.severity)}"
            for test, count in zip(tests, counts, strict=True)
        ],
    )


def rules_part(rules: Sequence[IgnoreRule], uses: Sequence[int]) -> str:
    """Return the ignore rules, with the number of pairs that match each."""
    return listed(
        "Ignored by rules",
        [
            f"{number(used, 'pair', 'pairs') if used else 'no pair'}: {isolated(rule_text(rule))}"
            + (f' <span class="quiet">{isolated(rule.reason)}</span>' if rule.reason else "")
            for rule, used in zip(rules, uses, strict=True)
        ],
    )
