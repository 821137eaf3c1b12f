# SPDX-License-Identifier: GPL-3.0-or-later
"""Tooltips of the rows of the results list, with what does not fit into the row."""

from typing import Any

from ...i18n.lookup import tip_
from ...i18n.units import gap_text
from ...session.collision_results import last_check
from ...viewport import spoken
from ..texts.folds import WHY, fold_text
from ..verdicts import VERDICTS
from . import rows as results_rows
from .view import NONE


def tip(results: Any, place: int) -> str:
    """Return both names and their relation. For an object above its pairs, the number of pairs."""
    report, lines = last_check.report, results_rows.lines(results)
    if report is None or not 0 <= place < len(lines.pair):
        return ""
    row, body, fold = int(lines.pair[place]), int(lines.body[place]), int(lines.fold[place])
    if row == NONE and fold != NONE:
        counted, why = fold_text(*lines.folds[fold], tip_), tip_(WHY[lines.folds[fold][0].kind])
        return f"{counted}\n{why}"
    if row == NONE:
        count = tip_("{count} pairs", count=int(lines.listed[body]))
        return f"{last_check.body_name(report.bodies[body])}\n{count}"
    pair, marks = report.pairs[row], results_rows.marks()
    verdict = tip_(VERDICTS[pair.verdict].name)
    gap = tip_("goes through") if spoken.goes_through(pair) else gap_text(pair, report.units)
    said = [last_check.pair_name(pair), tip_("{verdict}: {length}", verdict=verdict, length=gap)]
    test, reason = report.test_of(pair), marks.reason(row)
    if test is not None:
        said.append(tip_("Test: {name}", name=test.name))
    if row in marks.accepted:
        accepted = marks.accepted[row]
        said.append(tip_("Accepted: {reason}", reason=accepted) if accepted else tip_("Accepted"))
    if reason is not None:
        said.append(tip_("Ignored: {reason}", reason=reason) if reason else tip_("Ignored by a rule"))
    if row in (marks.new or ()):
        said.append(tip_("New: no fault in the previous check"))
    elif row in (marks.worse or ()):
        said.append(tip_("Deeper than in the previous check"))
    if last_check.pair_is_stale(pair):
        said.append(tip_("The objects have changed since this check"))
    return "\n".join(said)
