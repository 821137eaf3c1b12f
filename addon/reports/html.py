# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as one HTML page for people, with pictures in it; it loads nothing and can be sent as it is."""

from base64 import b64encode
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from pathlib import PurePath

from ... import __version__
from ...core.constants import Verdict
from ..i18n.units import length_text, stand_text
from ..model.marks import NO_MARKS, Marks
from ..model.pair_groups import Cell, between_collections, groups, matrix
from ..model.report import PairResult, Report
from ..model.verdict_names import FAULTS, NAMES, printable, words
from .figures import FEWEST, MOST_GROUPS, MOST_OBJECTS, depth_classes, histogram, worst_objects
from .html_page import POLICY, SCRIPT, STYLE
from .text import notes as text_notes
from .text import number, rule_text

HEADINGS = ("#", "Verdict", "A", "B", "Depth or gap", "Along", "Contacts", "Info")

# Pairs of these columns are numbers.
_NUMBERS = {"#", "Depth or gap", "Contacts"}


def as_html(
    report: Report,
    marks: Marks = NO_MARKS,
    pictures: Mapping[int, bytes] | None = None,
    collections: Sequence[str] = (),
) -> str:
    """The report as one HTML document, ending in a newline.

    Parameters
    ----------
    report : Report
    marks : Marks
    pictures : mapping of int to bytes, optional
        PNG files of some rows of the report, which become part of the page.
    collections : sequence of str
        That of each body; none: there is no table of collections.
    """
    shown = pictures or {}
    parts = [
        _heading(report, marks),
        _cards(report, marks, shown),
        _figures(report, marks),
        _matrix(report, marks, collections),
        _pairs(report, marks, shown, collections),
        _gone(marks),
        _tests(report),
        _rules(marks),
        _remarks(report),
        _settings(report),
    ]
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{_text(_verdict(report, marks))} · {_text(_where(report))}</title>\n"
        f"<style>{STYLE}</style>\n</head>\n<body>\n<main>\n"
        + "\n".join(part for part in parts if part)
        + f"\n</main>\n<script>{SCRIPT}</script>\n</body>\n</html>\n"
    )


def _heading(report: Report, marks: Marks) -> str:
    counts = marks.open_counts(report)
    chips = [(name, f"{counts[verdict]} {words(verdict)}") for verdict, name in NAMES.items() if counts[verdict]]
    if marks.accepted:
        chips.append(("accepted", f"{len(marks.accepted)} accepted"))
    if marks.ignored:
        chips.append(("accepted", f"{len(marks.ignored)} ignored by rules"))
    if marks.new:
        chips.append(("new", f"{len(marks.new)} new"))
    if marks.gone:
        chips.append(("gone", f"{len(marks.gone)} resolved"))
    listed = "".join(f'<li class="chip {name}">{text}</li>' for name, text in chips)
    tested = number(len(report.tested_bodies), "body", "bodies")
    return (
        f'<header>\n<p class="quiet">Collision report</p>\n<h1>{_text(_verdict(report, marks))}</h1>\n'
        f'<p class="quiet">{_text(_where(report))} · {tested} tested</p>\n'
        f'<ul class="chips">{listed or _NO_CHIPS}</ul>\n</header>'
    )


_NO_CHIPS = '<li class="chip none">nothing found</li>'


def _verdict(report: Report, marks: Marks) -> str:
    faults = len(marks.open_rows(report, FAULTS))
    if len(report.bodies) < 2:
        return "Nothing to test"
    return number(faults, "collision", "collisions") if faults else "No collisions"


def _where(report: Report) -> str:
    file = [PurePath(report.file).name] if report.file else []
    return " · ".join([*file, report.scene, f"frame {report.frame}"])


def _cards(report: Report, marks: Marks, pictures: Mapping[int, bytes]) -> str:
    cards = "\n".join(_card(report, marks, row, pictures[row]) for row in sorted(pictures))
    return f'<h2>Pictures</h2>\n<div class="cards">\n{cards}\n</div>' if cards else ""


def _card(report: Report, marks: Marks, row: int, picture: bytes) -> str:
    pair = report.pairs[row]
    data = b64encode(picture).decode("ascii")
    names = [report.bodies[body].name for body in (pair.body_a, pair.body_b)]
    notes = _notes(report, marks, row)
    return (
        f'<figure id="pair-{row + 1}"><img src="data:image/png;base64,{data}" '
        f'alt="{_text(f"{names[0]} and {names[1]}: {words(pair.verdict)}")}">'
        f'<figcaption><div class="names"><span class="a">{_name(names[0])}</span> × '
        f'<span class="b">{_name(names[1])}</span></div>'
        f"<p>{_tag(pair)} {_text(stand_text(pair, report.units))}{' ' + notes if notes else ''}</p>"
        "</figcaption></figure>"
    )


def _figures(report: Report, marks: Marks) -> str:
    """Figures of a report that is too long to be read row by row."""
    faults = marks.open_rows(report, FAULTS)
    if len(faults) < FEWEST:
        return ""
    classes = depth_classes(
        [-report.pairs[row].gap for row in faults if report.pairs[row].verdict != Verdict.DUPLICATE],
        report.units.scale_length,
    )
    worst = [
        f"{_name(one.name)}: {number(one.collisions, 'collision', 'collisions')}, "
        f"up to {_text(length_text(one.depth, report.units))} deep"
        for one in worst_objects(report, marks)[:MOST_OBJECTS]
    ]
    connected = [
        f"{number(len(group.rows), 'collision', 'collisions')}, {len(group.bodies)} objects: "
        + ", ".join(map(_name, sorted(report.bodies[body].name for body in group.bodies)))
        for group in groups(report, marks)[:MOST_GROUPS]
    ]
    parts = [f"<h2>Collisions by depth</h2>\n{histogram(classes, report.units)}" if classes else ""]
    parts += [_table("Objects with most collisions", worst), _table("Groups of connected objects", connected)]
    return "\n".join(part for part in parts if part)


def _matrix(report: Report, marks: Marks, collections: Sequence[str]) -> str:
    """A table of collections and collections with the number of pairs and their worst verdict."""
    cells = matrix(report, marks, collections) if collections else {}
    names = sorted({name for between in cells for name in between})
    if len(names) < 2:
        return ""
    heads = "".join(f'<th scope="col">{_collection(name)}</th>' for name in names)
    rows = []
    for first in names:
        row = ""
        for second in names:
            cell = cells.get((first, second))
            row += "<td></td>" if cell is None else f"<td>{_cell(cell, first, second)}</td>"
        rows.append(f'<tr><th scope="row">{_collection(first)}</th>{row}</tr>')
    listed = "\n".join(rows)
    return (
        '<h2>Pairs by collection</h2>\n<div class="sheet"><table class="matrix">\n'
        f"<thead><tr><th></th>{heads}</tr></thead>\n<tbody>\n{listed}\n</tbody>\n</table></div>"
    )


def _cell(cell: Cell, first: str, second: str) -> str:
    said = f"{number(len(cell.rows), 'pair', 'pairs')}, worst: {words(cell.worst)}"
    return (
        f'<button type="button" class="tag {NAMES[cell.worst]}" aria-pressed="false" '
        f'data-between="{_text(_between((first, second)))}" title="{said}">{len(cell.rows)}</button>'
    )


def _collection(name: str) -> str:
    return _name(name) if name else "Scene Collection"


def _between(names: tuple[str, str]) -> str:
    """What the script compares; names of collections have no line ends."""
    return "\n".join(names)


def _pairs(report: Report, marks: Marks, pictures: Mapping[int, bytes], collections: Sequence[str]) -> str:
    if not report.pairs:
        return ""
    heads = "".join(
        f'<th scope="col"{_number_class(text)}><button type="button">{text}</button></th>' for text in HEADINGS
    )
    rows = "\n".join(_row(report, marks, row, row in pictures, collections) for row in range(len(report.pairs)))
    return (
        '<h2>Pairs</h2>\n<input type="search" placeholder="Search names and verdicts" '
        'aria-label="Search names and verdicts" hidden>\n<div class="sheet"><table class="pairs">\n'
        f"<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table></div>"
    )


def _row(report: Report, marks: Marks, row: int, pictured: bool, collections: Sequence[str]) -> str:
    pair = report.pairs[row]
    place = f'<a href="#pair-{row + 1}">{row + 1}</a>' if pictured else str(row + 1)
    axis = " ".join(f"{value + 0.0:.2f}".replace("-0.00", "0.00") for value in pair.normal)
    cells = (
        (place, row + 1),
        (_tag(pair), -int(pair.verdict)),
        (_name(report.bodies[pair.body_a].name), None),
        (_name(report.bodies[pair.body_b].name), None),
        (_text(stand_text(pair, report.units)), repr(float(pair.gap))),
        (axis, None),
        (str(len(pair.contact_points)), len(pair.contact_points)),
        (_notes(report, marks, row), None),
    )
    written = "".join(
        f"<td{_number_class(head)}{'' if key is None else f' data-sort={chr(34)}{key}{chr(34)}'}>{text}</td>"
        for head, (text, key) in zip(HEADINGS, cells, strict=True)
    )
    settled = row in marks.accepted or row in marks.ignored
    between = _between(between_collections(pair, collections)) if collections and not settled else ""
    said = (' class="is-accepted"' if settled else "") + (f' data-between="{_text(between)}"' if between else "")
    return f"<tr{said}>{written}</tr>"


def _number_class(heading: str) -> str:
    return ' class="number"' if heading in _NUMBERS else ""


def _notes(report: Report, marks: Marks, row: int) -> str:
    notes = [f'<span class="tag new">{_name(note)}</span>' for note in text_notes(report, marks, row)]
    for what, reason in (("accepted", marks.accepted.get(row)), ("ignored", marks.reason(row))):
        if reason is not None:
            notes.append(f'<span class="tag accepted">{what}</span>' + (f" {_name(reason)}" if reason else ""))
    return " ".join(notes)


def _gone(marks: Marks) -> str:
    rows = [
        f'<span class="tag {NAMES[pair.verdict]}">{words(pair.verdict)}</span> '
        f"{_name(pair.name_a)} × {_name(pair.name_b)}"
        for pair in marks.gone or ()
    ]
    return _table("Resolved since the previous check", rows)


def _tests(report: Report) -> str:
    rows = [
        f"{number(count, 'pair', 'pairs') if count else 'no pair'}: {_name(test.name)} "
        f'<span class="quiet">{test.severity}</span>'
        for test, count in zip(report.tests, report.test_counts, strict=True)
    ]
    return _table("Tests", rows)


def _rules(marks: Marks) -> str:
    rows = [
        f"{number(used, 'pair', 'pairs') if used else 'no pair'}: {_name(rule_text(rule))}"
        + (f' <span class="quiet">{_name(rule.reason)}</span>' if rule.reason else "")
        for rule, used in zip(marks.rules, marks.uses(), strict=True)
    ]
    return _table("Ignored by rules", rows)


def _remarks(report: Report) -> str:
    findings = [
        f'<span class="tag accepted">{_text(found.severity)}</span> {_name(found.object)}: {_text(found.message)} '
        f'<span class="quiet">{_text(found.id)}</span>'
        for found in report.findings
    ]
    skipped = [f"{_name(skipped.object)}: {_text(skipped.reason)}" for skipped in report.skipped]
    return "\n".join(part for part in (_table("Issues", findings), _table("Not tested", skipped)) if part)


def _table(title: str, rows: Iterable[str]) -> str:
    cells = "\n".join(f"<tr><td>{row}</td></tr>" for row in rows)
    return f'<h2>{title}</h2>\n<div class="sheet"><table><tbody>\n{cells}\n</tbody></table></div>' if cells else ""


def _settings(report: Report) -> str:
    facts = {
        "File": report.file or "imported or unsaved file",
        "Scope": report.scope.lower(),
        "Touching": f"up to {length_text(report.touching, report.units)}",
        "Clearance": length_text(report.clearance, report.units),
        "Written by": f"Collision Kit {__version__}",
    }
    listed = "".join(f"<dt>{name}</dt><dd>{_text(value)}</dd>" for name, value in facts.items())
    return f"<h2>How it was checked</h2>\n<dl>{listed}</dl>"


def _tag(pair: PairResult) -> str:
    return f'<span class="tag {NAMES[pair.verdict]}">{words(pair.verdict)}</span>'


def _name(name: str) -> str:
    """A text of the user's; what is written from right to left does not turn what stands beside it."""
    return f"<bdi>{_text(name)}</bdi>"


def _text(text: str) -> str:
    """Text that is nothing but text to a browser."""
    return escape(printable(text))
