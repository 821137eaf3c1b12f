# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggested ignore rules as text that can be pasted into ``collision-kit.toml``."""

from collections.abc import Sequence

from ..config import Config, written
from ..i18n.units import length_text
from ..model.report import Report
from ..model.suggestions import SuggestedRule
from .text import number, text_of


def suggestions_as_toml(report: Report, suggested: Sequence[SuggestedRule]) -> str:
    """Tables of rules, each below a comment that says how many pairs it takes, and which is the deepest of them."""
    if not suggested:
        return "# No rules to suggest.\n"
    return "\n".join(text_of([_comment(report, one)]) + _table(report, one) for one in suggested)


def _comment(report: Report, one: SuggestedRule) -> str:
    pair = report.pairs[one.rows[0]]
    names = " × ".join(report.bodies[body].name for body in (pair.body_a, pair.body_b))
    pairs = number(len(one.rows), "pair", "pairs")
    return f"# {pairs}, the deepest {length_text(-pair.gap, report.units)}: {names}"


def _table(report: Report, one: SuggestedRule) -> str:
    return written(Config(ignore=(one.rule,)).in_units(1.0 / report.units.scale_length))
