# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of commands that change or write a scene, as text and as JSON; docs/authoring.md documents every field."""

import math
from collections.abc import Iterable, Sequence
from typing import Any

from ..i18n.rule_sentences import FIXED
from ..i18n.units import length_text, range_text
from ..model.alike import joined
from ..model.report import Units
from ..model.writing_reports import (
    NEW_COLLISION,
    ChangedPair,
    ExportReport,
    FixReport,
    MadeCollider,
    MadePieces,
    MakeReport,
    ObjectMessage,
    WritingReport,
)
from .json import heading, listed_issues, written
from .text import aligned, configuration_lines, number, text_of, where

# Number of names in a line of text.
_MOST_NAMES = 10


def make_as_text(report: MakeReport) -> str:
    """Return the report as lines of text, ending in a newline: a line for each collider."""
    title = f"{where(report)}: {number(len(report.colliders), 'collider', 'colliders')} made for {report.engine}"
    rows = [
        (
            one.object,
            one.kind.lower(),
            one.owner,
            f"{one.hull_ratio:.3g} × hull" if math.isfinite(one.hull_ratio) else "flat mesh",
            f"gap {range_text(one.gap, one.gap_error, report.units)}",
            _protrusion(one, report.units),
        )
        for one in report.colliders
    ]
    lines = [title, *left_out_lines(report), *([""] if rows else []), *aligned(rows)]
    together = [
        (
            one.owner,
            number(one.pieces, "piece", "pieces"),
            f"{one.hull_ratio:.3g} × hull",
            f"{one.mesh_ratio:.3g} × mesh" if math.isfinite(one.mesh_ratio) else "open mesh",
            f"gap {range_text(one.gap, one.gap_error, report.units)}",
            _protrusion(one, report.units),
        )
        for one in report.pieces
    ]
    lines += ["", "Pieces together:", *aligned(together)] if together else []
    lines += _made(report)
    lines += _messages("Warnings", report.warnings)
    lines += _messages("Left as they are", report.kept) + _messages("Not made", report.problems)
    return text_of([*lines, *_issues(report), *_paths(report)])


def make_as_json(report: MakeReport) -> str:
    """Return the report as a JSON object, with lengths in Blender units, ending in a newline."""
    return written(
        {
            **_head(report),
            "engine": report.engine,
            "kind": report.kind,
            "colliders": [{**_numbers(one), "kind": one.kind.lower()} for one in report.colliders],
            "pieces": [_numbers(one) for one in report.pieces],
            "kept": _listed(report.kept),
            "collisions": {
                "new": [one._asdict() for one in report.new],
                "gone": [one._asdict() for one in report.gone],
            },
            "findings": [
                *listed_issues(report.issues),
                *listed_issues(report.made),
                *_listed(report.warnings, severity="warning"),
                *_listed(report.problems, severity="error"),
            ],
            **_tail(report),
        }
    )


def _protrusion(one: MadeCollider | MadePieces, units: Units) -> str:
    """Return how far the mesh protrudes from colliders, if it may."""
    if one.protrusion + one.protrusion_error == 0.0:
        return ""
    return f"protrusion {range_text(one.protrusion, one.protrusion_error, units)}"


def _numbers(one: MadeCollider | MadePieces) -> dict[str, Any]:
    """Return the fields. Ratios that are NaN are None."""
    ratios = {name: getattr(one, name) for name in ("hull_ratio", "mesh_ratio")}
    return {**one._asdict(), **{name: ratio if math.isfinite(ratio) else None for name, ratio in ratios.items()}}


def fix_as_text(report: FixReport) -> str:
    """Return the report as lines of text, ending in a newline: fixes, moves, and remaining pairs."""
    fixed, moved = number(len(report.fixed), "issue", "issues"), number(len(report.moved), "object", "objects")
    left = len(report.left) + len(report.unfixed)
    title = f"{where(report)}: {fixed} fixed, {moved} moved, {number(left, 'problem', 'problems')} left"
    lines = [title, *left_out_lines(report)]
    if report.fixed:
        lines += ["", "Fixed:", *aligned([(one.object, f"[{one.rule}]", FIXED[one.fix]) for one in report.fixed])]
    if report.moved:
        rows = [
            (
                one.object,
                length_text(math.hypot(*one.offset), report.units),
                f"onto {one.onto}" if one.onto else "",
            )
            for one in report.moved
        ]
        lines += ["", "Moved:", *aligned(rows)]
    lines += _messages("Not moved", report.refused)
    if report.left:
        rows = [(one.verdict, f"{one.a}  ×  {one.b}", length_text(one.depth, report.units)) for one in report.left]
        lines += ["", "Still wrong:", *aligned(rows)]
    lines += _messages("Issues of colliders", report.unfixed)
    return text_of([*lines, *_issues(report), *_paths(report)])


def fix_as_json(report: FixReport) -> str:
    """Return the report as a JSON object, with lengths in Blender units, ending in a newline."""
    return written(
        {
            **_head(report),
            "fixed": [{"id": one.rule, "object": one.object, "fix": FIXED[one.fix]} for one in report.fixed],
            "moved": [
                {"object": one.object, "offset": list(one.offset), "onto": one.onto or None} for one in report.moved
            ],
            "refused": _listed(report.refused),
            "left": [one._asdict() for one in report.left],
            "findings": [*listed_issues(report.issues), *_listed(report.unfixed, severity="error")],
            **_tail(report),
        }
    )


def export_as_text(report: ExportReport) -> str:
    """Return the report as lines of text, ending in a newline: the files, and what their formats do not support."""
    title = f"{where(report)}: {number(len(report.paths), 'file', 'files')} written"
    return text_of([title, *left_out_lines(report), *_issues(report), *_paths(report)])


def export_as_json(report: ExportReport) -> str:
    """Return the report as a JSON object, ending in a newline."""
    return written({**_head(report), "findings": listed_issues(report.issues), **_tail(report)})


def _head(report: WritingReport) -> dict[str, Any]:
    return {
        **heading(),
        "file": report.file,
        "scene": report.scene,
        "configuration": report.configuration or None,
        "units": {
            "unit_scale": report.units.scale_length,
            "system": report.units.system.lower(),
            "length_unit": report.units.length_unit.lower(),
        },
    }


def _tail(report: WritingReport) -> dict[str, Any]:
    return {"written": list(report.paths), "left_out": list(report.left_out), "notes": list(report.notes)}


def _listed(messages: Iterable[ObjectMessage], **more: str) -> list[dict[str, str]]:
    return [{**more, **one._asdict()} for one in messages]


def left_out_lines(report: WritingReport) -> list[str]:
    """Return a line with the number of hidden objects that were left out, if there are any."""
    if not report.left_out:
        return []
    return [f"{hidden_text(len(report.left_out))}: {_shortened(report.left_out)}"]


def hidden_text(count: int) -> str:
    """Return the number of hidden objects that were left out, and the option that includes them."""
    return f"{number(count, 'hidden object', 'hidden objects')} left out (--include-hidden includes them)"


def changed_lines(report: MakeReport) -> list[str]:
    """Return the changes caused by the colliders: how many pairs started to collide, and how many no longer do."""
    lines = []
    if report.new:
        those = "pair that was apart now collides" if len(report.new) == 1 else "pairs that were apart now collide"
        lines.append(f"{len(report.new)} {those}: {_pairs(report.new)}")
    if report.gone:
        those = "pair that collided is apart now" if len(report.gone) == 1 else "pairs that collided are apart now"
        lines.append(f"{len(report.gone)} {those}: {_pairs(report.gone)}")
    return lines


def _pairs(pairs: Sequence[ChangedPair]) -> str:
    return _shortened([f"{one.a} × {one.b}" for one in pairs])


def _shortened(names: Sequence[str]) -> str:
    """Return names as a list, shortened if there are many. JSON reports have all."""
    rest = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f" and {rest} more" if rest > 0 else "")


def _made(report: MakeReport) -> list[str]:
    """Return the messages about the colliders that were made. New collisions share a line."""
    said = joined([one for one in report.made if one.id != NEW_COLLISION])
    lines = [f"  {one.object}: {one.severity}  [{one.id}] {one.message}" for one in said]
    changed = changed_lines(report)
    return [*(["", "Found:", *lines] if lines else []), *(["", *changed] if changed else [])]


def _grouped(said: Iterable[tuple[str, str]]) -> list[str]:
    """Return a line for each sentence, with its objects."""
    objects: dict[str, list[str]] = {}
    for sentence, name in said:
        objects.setdefault(sentence, []).append(name)
    return [
        f"  {names[0]}: {sentence}" if len(names) == 1 else f"  {len(names)} objects: {sentence} {_shortened(names)}"
        for sentence, names in objects.items()
    ]


def _messages(title: str, messages: tuple[ObjectMessage, ...]) -> list[str]:
    lines = _grouped((one.message, one.object) for one in messages)
    return ["", f"{title}:", *lines] if lines else []


def _issues(report: WritingReport) -> list[str]:
    rows = [(one.severity, one.object, f"[{one.id}]", one.message) for one in report.issues]
    return ["", *aligned(rows)] if rows else []


def _paths(report: WritingReport) -> list[str]:
    lines = ["", *configuration_lines(report)] if report.configuration else []
    lines += ["", "Written:", *(f"  {path}" for path in report.paths)] if report.paths else []
    return lines + (["", "Not written as it is:", *(f"  {note}" for note in report.notes)] if report.notes else [])
