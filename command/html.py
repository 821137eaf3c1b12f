# SPDX-License-Identifier: GPL-3.0-or-later
"""The index of a project as an HTML page: a row for each file, with filters. It loads no other files."""

from .._version import __version__
from ..addon.reports.html_page import text_beside
from ..addon.reports.html_parts import NO_CONFIGURATION, escaped, isolated, page, settings_part, sortable
from .heat_map import as_svg, heat_map
from .one_file import CHECKED, OUTCOMES, Checked
from .pages import Pages
from .report import Source, configurations, shared, totals
from .run import Run
from .text import pair_line, worst_lines

HEADINGS = ("File", "Outcome", "Found", "Worst")

# Style of each outcome, by the CSS classes of the page of a single file.
_CLASSES = {"clean": "none", "found": "penetrating"}

_STYLE, _SCRIPT = text_beside(__file__, "index.css"), text_beside(__file__, "index.js")


def as_html(run: Run, source: Source, pages: Pages) -> str:
    """Return the index as one HTML document, ending in a newline."""
    checked = [entry.checked for entry in run.entries.values()]
    parts = [_heading(checked, source), _heat(checked, pages), _table(checked, pages), _shared(checked)]
    parts.append(_settings(run, source))
    return page(f"{_verdict(checked)} · {source.folder}", parts, _STYLE, _SCRIPT)


def _heading(checked: list[Checked], source: Source) -> str:
    outcomes = totals(checked)["outcomes"]
    chips = "".join(
        f'<li><button type="button" class="{_class(name)}" data-outcome="{name}" aria-pressed="true">'
        f"{outcomes[name]} {_words(name)}</button></li>"
        for name in OUTCOMES
        if outcomes[name]
    )
    return (
        f'<header>\n<p class="quiet">Collision report of {len(checked)} files</p>\n'
        f"<h1>{escaped(_verdict(checked))}</h1>\n"
        f'<p class="quiet">{escaped(source.folder)}</p>\n<ul class="chips">{chips}</ul>\n</header>'
    )


def _verdict(checked: list[Checked]) -> str:
    outcomes = totals(checked)["outcomes"]
    failed = sum(outcomes[name] for name in OUTCOMES if name not in CHECKED)
    parts = [f"{outcomes['found']} with findings"] if outcomes["found"] else []
    return ", ".join(parts + ([f"{failed} not fully checked"] if failed else [])) or "Nothing found"


def _table(checked: list[Checked], pages: Pages) -> str:
    return sortable("Files", HEADINGS, [_row(one, pages) for one in checked], what="files and findings")


def _heat(checked: list[Checked], pages: Pages) -> str:
    """Return the heat map, if there are several files or tests to compare and at least one pair."""
    heat = heat_map(checked)
    if len(heat.files) < 2 or not any(cell.pairs for cell in heat.cells.values()):
        return ""
    shown = [
        f"the {len(some)} {what} with most pairs of {total}"
        for some, total, what in ((heat.files, heat.all_files, "files"), (heat.tests, heat.all_tests, "tests"))
        if len(some) < total
    ]
    note = f'<p class="quiet">Shown: {" and ".join(shown)}</p>\n' if shown else ""
    return f'<h2>Pairs by file and test</h2>\n{note}<div class="sheet">{as_svg(heat, pages)}</div>'


def _row(one: Checked, pages: Pages) -> str:
    link, name = pages.link(one), isolated(one.path)
    counts = {name: count for name, count in ((one.report or {}).get("counts") or {}).items() if count}
    found = " ".join(
        f'<span class="tag {escaped(name)}">{count} {_words(name)}</span>' for name, count in counts.items()
    )
    lines = worst_lines(one) if one.outcome == "found" else [one.message] if one.message else []
    cells = (
        f'<td data-sort="{escaped(one.path)}">' + (f'<a href="{escaped(link)}">{name}</a>' if link else name),
        f'<td data-sort="{OUTCOMES.index(one.outcome)}"><span class="tag {_class(one.outcome)}">'
        f"{_words(one.outcome)}</span>",
        f'<td data-sort="{-sum(counts.values())}">{found}',
        "<td>" + "".join(f"<p>{isolated(line)}</p>" for line in lines),
    )
    return f'<tr data-outcome="{one.outcome}">{"".join(f"{cell}</td>" for cell in cells)}</tr>'


def _shared(checked: list[Checked]) -> str:
    rows = "\n".join(
        f"<tr><td>{isolated(pair_line(one, 1.0))}</td><td>{isolated(', '.join(one['files']))}</td></tr>"
        for one in shared(checked)
    )
    title = "In linked files, which several files show"
    return f'<h2>{title}</h2>\n<div class="sheet"><table><tbody>\n{rows}\n</tbody></table></div>' if rows else ""


def _settings(run: Run, source: Source) -> str:
    used = configurations([entry.checked for entry in run.entries.values()])
    facts = {
        "Folder": source.folder,
        "Command": " ".join(source.arguments),
        "Configuration": ", ".join(used) or NO_CONFIGURATION,
        "Started": run.started,
        "Seconds": f"{run.seconds:g}",
        "Written by": f"Collision Kit {__version__}, Blender {source.versions['blender'] or '–'}",
    }
    if run.not_checked:
        facts["Ended before"] = f"{len(run.not_checked)} files were checked"
    return settings_part(facts, "How they were checked")


def _class(outcome: str) -> str:
    return _CLASSES.get(outcome, "within_clearance")


def _words(name: str) -> str:
    return escaped(name.replace("_", " "))
