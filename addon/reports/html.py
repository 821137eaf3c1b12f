# SPDX-License-Identifier: GPL-3.0-or-later
"""The report as a self-contained HTML page with pictures. It loads no other files."""

import json
from base64 import b64encode
from collections.abc import Mapping, Sequence

from ...core.constants import Verdict
from ..i18n.units import length_text, stand_text, with_unit
from ..model.alike import alike
from ..model.marks import NO_MARKS, PairMarks
from ..model.pair_groups import Cell, between_collections, groups, matrix
from ..model.report import PairResult, Report
from ..model.verdict_names import FAULTS, NAMES, words
from .coverage import coverage_lines
from .figures import FEWEST, MOST_GROUPS, MOST_OBJECTS, depth_classes, histogram, worst_objects
from .html_lists import rules_part, tests_part
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
    sortable,
    table_row,
    tag,
)
from .text import axis_text, fold_text, no_collisions, nothing_to_collide, number
from .text import notes as text_notes

HEADINGS = ("#", "Verdict", "A", "B", "Depth or gap", "Along", "Contacts", "Info")

# Maximum number of pairs with the same look that a card names.
MOST_LIKE = 3

# These columns are numbers.
_NUMBERS = {"#", "Depth or gap", "Contacts"}


def as_html(
    report: Report,
    marks: PairMarks = NO_MARKS,
    pictures: Mapping[int, bytes] | None = None,
    collections: Sequence[str] = (),
) -> str:
    """Return the report as an HTML document, ending in a newline.

    Parameters
    ----------
    report : Report
    marks : PairMarks
    pictures : mapping of int to bytes, optional
        PNG files of some rows of the report, which are embedded in the page.
    collections : sequence of str
        Collection of each body. Empty: no table of collections.
    """
    shown = pictures or {}
    like = _like(report, marks, shown) if shown else {}
    parts = [
        _heading(report, marks),
        _cards(report, marks, shown, like),
        _figures(report, marks),
        _matrix(report, marks, collections),
        _pairs(report, marks, like, collections),
        _folded(report, marks),
        _gone(marks),
        tests_part(report.tests, report.test_counts),
        rules_part(marks.rules, marks.uses()),
        _floating(report),
        issues_part(report),
        _settings(report),
    ]
    title = f"{_verdict(report, marks)} · {_where(report)}"
    return page(title, parts)


def _heading(report: Report, marks: PairMarks) -> str:
    counts = marks.open_counts(report)
    chips = [(name, f"{counts[verdict]} {words(verdict)}") for verdict, name in NAMES.items() if counts[verdict]]
    if marks.accepted:
        chips.append(("accepted", f"{len(marks.accepted)} accepted"))
    if marks.ignored:
        chips.append(("accepted", f"{len(marks.ignored)} ignored by rules"))
    folded = sum(map(len, marks.folds(report).values()))
    if folded:
        chips.append(("accepted", f"{folded} folded"))
    news = marks.news(report)
    if news:
        chips.append(("new", f"{len(news)} new"))
    if report.floating:
        chips.append(("penetrating", f"{len(report.floating)} floating"))
    if marks.gone:
        chips.append(("gone", f"{len(marks.gone)} resolved"))
    tested = number(len(report.tested_bodies), "body", "bodies")
    return header(
        "Collision report",
        _verdict(report, marks),
        f"{_where(report)} · {tested} tested",
        chips,
        coverage_lines(report),
    )


def _verdict(report: Report, marks: PairMarks) -> str:
    faults = len(marks.open_rows(report, FAULTS))
    if len(report.bodies) < 2:
        return nothing_to_collide(report).capitalize()
    return number(faults, "collision", "collisions") if faults else no_collisions(report, marks)


def _floating(report: Report) -> str:
    rows = [f"{isolated(one.object)}: {escaped(with_unit(one.message, report.units))}" for one in report.floating or ()]
    return listed("Floating", rows)


def _where(report: Report) -> str:
    return place(report.file, report.scene, f"frame {report.frame}")


def _cards(report: Report, marks: PairMarks, pictures: Mapping[int, bytes], like: Mapping[int, int]) -> str:
    cards = "\n".join(
        _card(report, marks, row, pictures[row], [one for one, card in like.items() if card == row != one])
        for row in sorted(pictures)
    )
    return f'<h2>Pictures</h2>\n<div class="cards">\n{cards}\n</div>' if cards else ""


def _like(report: Report, marks: PairMarks, pictures: Mapping[int, bytes]) -> dict[int, int]:
    """Return the row with the picture that shows the look of each row, for rows with such a picture."""
    wrong = marks.open_rows(report, set(Verdict))
    found = {row: row for row in pictures}
    for same in alike(report, wrong).values():
        shown = next((row for row in same if row in pictures), None)
        if shown is not None:
            found |= {row: found.get(row, shown) for row in same}
    return found


def _card(report: Report, marks: PairMarks, row: int, picture: bytes, like: Sequence[int]) -> str:
    """Return a picture, and the names of other pairs with the same look."""
    pair = report.pairs[row]
    data = b64encode(picture).decode("ascii")
    names = [report.bodies[body].name for body in (pair.body_a, pair.body_b)]
    notes = _notes(report, marks, row)
    return (
        f'<figure id="pair-{row + 1}"><img src="data:image/png;base64,{data}" '
        f'alt="{escaped(f"{names[0]} and {names[1]}: {words(pair.verdict)}")}">'
        f'<figcaption><div class="names"><span class="a">{isolated(names[0])}</span> × '
        f'<span class="b">{isolated(names[1])}</span></div>'
        f"<p>{_tag(pair)} {escaped(stand_text(pair, report.units))}{' ' + notes if notes else ''}</p>"
        f"{_count(report, like)}"
        "</figcaption></figure>"
    )


def _count(report: Report, like: Sequence[int]) -> str:
    """Return the number of pairs with the look of a card, and the first of them."""
    if not like:
        return ""
    names = [
        " × ".join(isolated(report.bodies[body].name) for body in (report.pairs[row].body_a, report.pairs[row].body_b))
        for row in like[:MOST_LIKE]
    ]
    more = [quiet(f"and {len(like) - MOST_LIKE} more")] if len(like) > MOST_LIKE else []
    return f"<p>{number(len(like), 'pair looks', 'pairs look')} the same: {', '.join([*names, *more])}</p>"


def _figures(report: Report, marks: PairMarks) -> str:
    """Return figures of a report that is too long to be read row by row."""
    faults = marks.open_rows(report, FAULTS)
    if len(faults) < FEWEST:
        return ""
    classes = depth_classes(
        [-report.pairs[row].gap for row in faults if report.pairs[row].verdict != Verdict.DUPLICATE],
        report.units.scale_length,
    )
    worst = [
        f"{isolated(one.name)}: {number(one.collisions, 'collision', 'collisions')}, "
        f"up to {escaped(length_text(one.depth, report.units))} deep"
        for one in worst_objects(report, marks)[:MOST_OBJECTS]
    ]
    connected = [
        f"{number(len(group.rows), 'collision', 'collisions')}, {len(group.bodies)} objects: "
        + ", ".join(map(isolated, sorted(report.bodies[body].name for body in group.bodies)))
        for group in groups(report, marks)[:MOST_GROUPS]
    ]
    parts = [f"<h2>Collisions by depth</h2>\n{histogram(classes, report.units)}" if classes else ""]
    parts += [listed("Objects with most collisions", worst), listed("Groups of connected objects", connected)]
    return "\n".join(part for part in parts if part)


def _matrix(report: Report, marks: PairMarks, collections: Sequence[str]) -> str:
    """Return a table of pairs of collections, with the number of pairs and the worst verdict."""
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
        f'data-between="{escaped(_between((first, second)))}" title="{said}">{len(cell.rows)}</button>'
    )


def _collection(name: str) -> str:
    return isolated(name) if name else "Scene Collection"


def _between(names: tuple[str, str]) -> str:
    """Return the two names as JSON for comparison in the script, because names may contain any character."""
    return json.dumps(names)


def _pairs(report: Report, marks: PairMarks, like: Mapping[int, int], collections: Sequence[str]) -> str:
    rows = [
        _row(report, marks, row, like.get(row), collections)
        for row in range(len(report.pairs))
        if row not in report.folded or row in marks.accepted or row in marks.ignored
    ]
    return sortable("Pairs", HEADINGS, rows, _NUMBERS, "names and verdicts")


def _row(report: Report, marks: PairMarks, row: int, pictured: int | None, collections: Sequence[str]) -> str:
    pair = report.pairs[row]
    link = f'<a href="#pair-{pictured + 1}">{row + 1}</a>' if pictured is not None else str(row + 1)
    cells = (
        TableCell(link, row + 1),
        TableCell(_tag(pair), -int(pair.verdict)),
        TableCell(isolated(report.bodies[pair.body_a].name)),
        TableCell(isolated(report.bodies[pair.body_b].name)),
        TableCell(escaped(stand_text(pair, report.units)), repr(float(pair.gap))),
        TableCell(axis_text(pair.normal) if pair.complete else ""),
        TableCell(str(len(pair.contact_points)) if pair.complete else "", len(pair.contact_points)),
        TableCell(_notes(report, marks, row)),
    )
    settled = row in marks.accepted or row in marks.ignored
    between = _between(between_collections(pair, collections)) if collections and not settled else ""
    said = (' class="is-accepted"' if settled else "") + (f' data-between="{escaped(between)}"' if between else "")
    return table_row(HEADINGS, cells, _NUMBERS, said)


def _notes(report: Report, marks: PairMarks, row: int) -> str:
    notes = [f'<span class="tag new">{isolated(note)}</span>' for note in text_notes(report, marks, row)]
    for what, reason in (("accepted", marks.accepted.get(row)), ("ignored", marks.reason(row))):
        if reason is not None:
            notes.append(f'<span class="tag accepted">{what}</span>' + (f" {isolated(reason)}" if reason else ""))
    return " ".join(notes)


def _folded(report: Report, marks: PairMarks) -> str:
    """Return a line for each fold, which can be opened."""
    lines = []
    for fold, rows in marks.folds(report).items():
        cells = "\n".join(_row(report, marks, row, None, ()) for row in rows)
        heads = "".join(f'<th scope="col">{text}</th>' for text in HEADINGS)
        lines.append(
            f"<details><summary>{isolated(fold_text(report, fold, rows))}</summary>\n"
            f'<div class="sheet"><table><thead><tr>{heads}</tr></thead>\n<tbody>\n{cells}\n</tbody></table></div>'
            "</details>"
        )
    return "\n".join(["<h2>Folded</h2>", *lines]) if lines else ""


def _gone(marks: PairMarks) -> str:
    rows = [
        f'<span class="tag {NAMES[pair.verdict]}">{words(pair.verdict)}</span> '
        f"{isolated(pair.name_a)} × {isolated(pair.name_b)}"
        for pair in marks.gone or ()
    ]
    return listed("Resolved since the previous check", rows)


def _settings(report: Report) -> str:
    facts = {
        "File": report.file or "unsaved file",
        "Scope": report.scope.lower(),
        "Touching": f"up to {length_text(report.touching, report.units)}",
        "Clearance": length_text(report.clearance, report.units),
        "Configuration": report.configuration or NO_CONFIGURATION,
    }
    return settings_part(facts)


def _tag(pair: PairResult) -> str:
    return tag(NAMES[pair.verdict], words(pair.verdict))
