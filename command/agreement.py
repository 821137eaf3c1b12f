# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether the journal's entry for a file is consistent with the report in it.

A journal can be written or changed by anyone. An inconsistent entry is rejected, and the file is checked again.
Examples: an outcome without a report or with the report of another file, totals that differ from the lists, a clean
outcome although the report has failures, or findings although the report has none. Entries in another form than
Collision Kit writes are rejected, too.
"""

import json
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from itertools import repeat
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from ..addon.asset_rules.limits import SEVERITIES
from ..addon.config import find, load
from ..addon.model.errors import CommandError, UserError
from ..addon.model.motion_report import FAULTS as MOTION_FAULTS
from ..addon.model.motion_report import NEAR, PENETRATING
from ..addon.model.option_values import verdicts
from ..addon.model.probe_report import KINDS
from ..addon.model.verdict_names import CULL_NAMES, FAULTS, NAMES
from ..addon.system.characters import unspelled
from ..addon.system.exits import BAD_INPUT
from ..addon.system.files import one_file
from .one_file import CHECKED, JUNIT, OUTCOMES, SUITE_COUNTS, Checked, Task

# Outcomes without an exit code and a report.
_ENDED = ("timed_out", "out_of_memory")

# Schemas. A value has a type or a set of allowed values. An object has schemas for its fields; fields marked with ? may
# be missing or null. A list has a schema for its items. Only the fields of a report that are used need a schema.
_TEXT, _NUMBER, _COUNT = (str,), (int, float), (int,)
_CHECKED = {
    **{"path": _TEXT, "sha256": _TEXT, "outcome": set(OUTCOMES), "exit_code?": _COUNT, "message": _TEXT},
    **{"parts": {}, "host": _TEXT, "seconds": _NUMBER, "peak_memory?": _COUNT, "log": [_TEXT]},
}
_REPORT = {
    **{"file?": _TEXT, "scene": _TEXT, "configuration?": _TEXT, "units?": {"unit_scale": _NUMBER}},
    **{"bodies?": [{"name": _TEXT, "object?": _TEXT, "library_file?": _TEXT}], "tests?": [{"name": _TEXT}]},
    "findings?": [{"severity": set(SEVERITIES), "object": _TEXT, "message": _TEXT}],
}
_SIDES = {
    **{"a": _TEXT, "b": _TEXT, "verdict": set(NAMES.values()), "test?": _TEXT, "severity?": _TEXT},
    **{"ignored?": _TEXT, "folded?": _TEXT},
}
_CONTACT = {**_SIDES, "status": _TEXT, "first": {"frame": _NUMBER}}
_PAIR = {**_SIDES, "distance": _NUMBER, "accepted?": _TEXT, "contacts?": [{}], "topic?": {"comments?": [{}]}}
_REPORTS: dict[str, dict[str, Any]] = {
    "check": {"frame": _NUMBER, "tolerances": {"touching": _NUMBER}, "pairs": [_PAIR]},
    "motion": {"contacts": [_CONTACT], "near_misses": [_CONTACT]},
    "coverage": {
        "objects": [{"name": _TEXT, "verdict": {"fails", "ok"}}],
        "without_collider": [_TEXT],
        "out_of_reach?": [_TEXT],
    },
    "probe": {"findings?": [{"kind": set(KINDS), "point": [_NUMBER], "objects": [_TEXT], "measure": _NUMBER}]},
    "cull": {"objects": [{"verdict": set(CULL_NAMES.values())}]},
}


def is_open(pair: Mapping[str, Any]) -> bool:
    """Return whether a pair is not accepted, not ignored and not folded."""
    return all(pair.get(name) is None for name in ("accepted", "ignored", "folded"))


def agrees(task: Task, checked: Checked) -> bool:
    """Return whether the outcome, the exit code, the message and the report of a file are consistent."""
    try:
        json.dumps(asdict(checked), allow_nan=False)
        if not (_has_form(vars(checked), _CHECKED) and _suites_agree(checked) and _outcome_agrees(checked)):
            return False
        return checked.report is None or _report_agrees(task, checked, checked.report)
    except (KeyError, TypeError, ValueError, AttributeError, ElementTree.ParseError, CommandError, UserError):
        return False


def _has_form(value: Any, form: Any) -> bool:
    """Return whether a JSON value matches a schema."""
    if isinstance(form, tuple):
        return type(value) in form and (type(value) is str or abs(value) <= sys.float_info.max)
    if isinstance(form, set):
        return type(value) is str and value in form
    if isinstance(form, list):
        return isinstance(value, list | tuple) and all(_has_form(one, form[0]) for one in value)
    if not isinstance(value, dict):
        return False
    return all(
        (name.endswith("?") and value.get(name[:-1]) is None) or _has_form(value.get(name.removesuffix("?")), field)
        for name, field in form.items()
    )


def _suites_agree(checked: Checked) -> bool:
    """Return whether the JUnit report contains failed tests exactly if there are findings."""
    if not all(map(_has_form, checked.parts.values(), repeat(_TEXT))):
        return False
    text = checked.parts.get(JUNIT)
    if not text:
        return True
    suites = ElementTree.fromstring(text)
    counts = {name: sum(int(suite.get(name, "0")) for suite in suites) for name in SUITE_COUNTS}
    if "<!" in text or suites.tag != "testsuites" or any(suite.tag != "testsuite" for suite in suites):
        return False
    return checked.outcome not in CHECKED or bool(counts["failures"]) == (checked.outcome == "found")


def _outcome_agrees(checked: Checked) -> bool:
    code, has_report = checked.exit_code, isinstance(checked.report, dict)
    if checked.outcome in CHECKED:
        return code == CHECKED.index(checked.outcome) and has_report and checked.message == "" and checked.sha256 != ""
    if checked.outcome not in OUTCOMES or not (checked.message and isinstance(checked.message, str)):
        return False
    if checked.outcome in _ENDED:
        return code is None and checked.report is None
    if checked.outcome == "unreadable":
        return code in (None, BAD_INPUT)
    # A process that crashed wrote no report of a finished check.
    return not (code in (0, 1) and has_report)


def _report_agrees(task: Task, checked: Checked, report: Mapping[str, Any]) -> bool:
    file = report.get("file")
    if file and not one_file(Path(unspelled(file)), Path(task.file)):
        return False
    command = task.arguments[0]
    if not (_has_form(report, {**_REPORT, **_REPORTS.get(command, {})}) and _sums_agree(command, report)):
        return False
    if checked.outcome not in CHECKED:
        return True
    found = checked.outcome == "found"
    if (
        not found
        and command in ("check", "coverage", "motion", "cull")
        and any(map(_is_error, report.get("findings", ())))
    ):
        return False
    return _fails(task, command, report) == found


def _sums_agree(command: str, report: Mapping[str, Any]) -> bool:
    """Return whether the counts of a report match its lists."""
    sums = [
        report[name]
        for name in ("counts", "accepted_counts", "ignored_counts", "folded_counts")
        if report.get(name) is not None
    ]
    if not all(_has_form(list(one.values()), [_COUNT]) for one in sums):
        return False
    lists = {
        "check": (("pairs",), "verdict"),
        "motion": (("contacts", "near_misses"), "status"),
        "coverage": (("objects",), "verdict"),
        "cull": (("objects",), "verdict"),
        "probe": (("findings",), "kind"),
        "validate": (("findings",), "severity"),
    }
    if command not in lists:
        return True
    names, field = lists[command]
    listed = Counter(one[field] for name in names for one in report[name])
    counts = report["counts"]
    return all(listed[name] == count for name, count in counts.items()) and not listed.keys() - counts.keys()


def _fails(task: Task, command: str, report: Mapping[str, Any]) -> bool:
    """Return whether a report contains something for which its command exits with 1."""
    given = [text.partition("=")[2] for text in task.arguments if text.startswith("--fail-on=")]
    if command == "check":
        wanted = verdicts(given[-1].split(",")) if given else _configured(task)
        failing = {NAMES[verdict] for verdict in (FAULTS if wanted is None else wanted)}
        floats = bool(failing and report.get("floating"))
        return floats or any(_can_fail(pair) and pair["verdict"] in failing for pair in report["pairs"])
    if command == "motion":
        statuses = set(given[-1].split(",")) if given else set(MOTION_FAULTS)
        rows = [*report["contacts"], *report.get("near_misses", ())]
        return any(_can_fail(one) and not statuses.isdisjoint(_statuses(one)) for one in rows)
    if command == "validate":
        severity = given[-1] if given else SEVERITIES[0]
        bad = SEVERITIES[: SEVERITIES.index(severity) + 1] if severity in SEVERITIES else ()
        return any(one["severity"] in bad for one in report["findings"])
    if command == "coverage":
        missing = report.get("require_colliders") is True and report["without_collider"]
        return bool(missing) or any(one["verdict"] == "fails" for one in report["objects"])
    if command == "cull":
        return False
    if command == "probe":
        return any(not one["accepted"] and one["new"] is not False for one in report["findings"])
    return any(map(_is_error, report["findings"])) or bool(report.get("left"))


def _configured(task: Task) -> Any:
    """Return the verdicts that fail a check by its configuration. None: the default verdicts."""
    given = [text.partition("=")[2] for text in task.arguments if text.startswith("--config=")]
    path = Path(task.folder, given[-1]) if given else find(Path(task.file))
    return None if path is None else load(path).check.fail_on


def _can_fail(one: Mapping[str, Any]) -> bool:
    """Return whether a pair or a contact is open: neither accepted nor ignored."""
    if not is_open(one) or one.get("severity", "error") != "error":
        return False
    return one.get("new") is not False or bool(one.get("worse"))


def _statuses(one: Mapping[str, Any]) -> Iterable[str]:
    penetrates = one["status"] != NEAR and one["verdict"] == PENETRATING
    return (one["status"], PENETRATING) if penetrates else (one["status"],)


def _is_error(one: Mapping[str, Any]) -> bool:
    return bool(one["severity"] == SEVERITIES[0])
