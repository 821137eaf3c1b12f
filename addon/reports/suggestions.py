# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggested ignore rules as text for ``collision-kit.toml``, and what would shorten the list of a report most."""

import shlex
from collections.abc import Sequence

from ..config import CheckOptions, Config, written
from ..i18n.units import length_text
from ..model.marks import PairMarks
from ..model.one_thing import ProposedThing
from ..model.report import Report
from ..model.suggestions import SuggestedRule, SuggestionReason, remaining
from ..model.verdict_names import FAULTS
from .text import number, rule_text, text_of


def suggestions_as_toml(
    report: Report, marks: PairMarks, suggested: Sequence[SuggestedRule], thing: ProposedThing | None = None
) -> str:
    """Return tables of rules, each below a comment with the number of pairs that match and the deepest of them.

    A comment at the beginning has the objects that may be one thing, and one at the end the remaining pairs.
    """
    first = [] if thing is None else [_option(thing)]
    if not suggested:
        return "\n".join([*first, "# No rules to suggest.\n"])
    tables = [text_of(_comments(report, marks, one)) + _table(report, one) for one in suggested]
    return "\n".join([*first, *tables, text_of([_remaining(report, marks, suggested)])])


def hints(
    report: Report, marks: PairMarks, suggested: Sequence[SuggestedRule], thing: ProposedThing | None
) -> list[str]:
    """Return lines about what would shorten the list of faults most: objects that may be one thing, and a rule."""
    found = [] if thing is None else [_of_thing(thing)]
    return [*found, _of_rule(report, marks, suggested)] if suggested else found


def _option(thing: ProposedThing) -> str:
    """Return the option that declares a thing, as a comment, because only the owner knows whether it is one."""
    option = written(Config(CheckOptions(one_thing=(thing.pattern,)))).splitlines()
    return text_of([f"# {_effect(thing)}", *(f"# {line}" for line in option)])


def _of_thing(thing: ProposedThing) -> str:
    return f"{_effect(thing)}: --one-thing {shlex.quote(thing.pattern.text)}."


def _effect(thing: ProposedThing) -> str:
    """Return how the list of faults would change if its objects were one thing."""
    return (
        f"If {thing.pattern.text} is one thing, {thing.pairs} of {thing.of_pairs} pairs are within it, "
        f"and {thing.lines} of {number(thing.of_lines, 'line', 'lines')} remain"
    )


def _of_rule(report: Report, marks: PairMarks, suggested: Sequence[SuggestedRule]) -> str:
    """Return a line about the rule that matches most pairs."""
    one, faults = suggested[0], len(marks.open_rows(report, FAULTS))
    limit = length_text(one.rule.max_depth or 0.0, report.units)
    return (
        f"An ignore rule for {rule_text(one.rule)} up to {limit} would take {len(one.rows)} of {faults} pairs "
        f"({one.rule.reason}); --suggest-rules lists what is suggested."
    )


def _comments(report: Report, marks: PairMarks, one: SuggestedRule) -> list[str]:
    pairs = number(len(one.rows), "pair", "pairs")
    lines = [f"# {pairs}, the deepest {_deepest(report, one.rows[0])}"]
    if one.evidence is SuggestionReason.TOLERANCE:
        limit = (one.rule.max_depth or 0.0) * report.units.scale_length * 1000.0
        deeper = remaining(report, marks, [one])
        after = min((-report.pairs[row].gap for row in deeper), default=None)
        text = f"# The same as --touching {limit:.6g}mm"
        lines.append(text if after is None else f"{text}; the next pair is {length_text(after, report.units)} deep")
    return lines


def _remaining(report: Report, marks: PairMarks, suggested: Sequence[SuggestedRule]) -> str:
    rows, faults = remaining(report, marks, suggested), len(marks.open_rows(report, FAULTS))
    text = f"# With all of these rules {len(rows)} of {number(faults, 'pair', 'pairs')} remain"
    return f"{text}, the worst {_deepest(report, rows[0])}" if rows else text


def _deepest(report: Report, row: int) -> str:
    pair = report.pairs[row]
    names = " × ".join(report.bodies[body].name for body in (pair.body_a, pair.body_b))
    return f"{length_text(-pair.gap, report.units)}: {names}"


def _table(report: Report, one: SuggestedRule) -> str:
    return written(Config(ignore=(one.rule,)).in_units(1.0 / report.units.scale_length))
