# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare with an earlier JSON report: faults that are new, deeper or resolved."""

import math
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from ...core.constants import Verdict
from ..model.changes import Listed, PairChanges, compared, listed
from ..model.errors import CommandError
from ..model.json_text import parsed
from ..model.marks import GonePair
from ..model.pair_ids import pair_ids
from ..model.report import Report
from ..model.verdict_names import FAULTS, NAMES
from ..system.characters import spelled, unspelled
from ..system.files import one_file, read_whole
from ..system.late import np
from .json import SCHEMA_VERSION

Found = TypeVar("Found")

_VERDICTS = {name: verdict for verdict, name in NAMES.items()}


class BaselinePair(NamedTuple):
    """A pair of an earlier report. Its gap is in meters, negative for a depth, minus infinity for a duplicate.

    If it is `at_least` so deep, it may be deeper.
    """

    pair: GonePair
    gap: float
    at_least: bool


def read(path: Path, file: Path) -> dict[str, BaselinePair]:
    """Return the pairs of a JSON report by id. From a report on many files, those of one file.

    Raises
    ------
    CommandError
        If the report cannot be read, is not a JSON report of a check, or is on many files without this one.
    """
    return earlier(path, file, "check", _pairs) or {}


def earlier(path: Path, file: Path, command: str, read_from: Callable[[Any], Found]) -> Found | None:
    """Read a JSON report of a command with a function. From a report on many files, the report of this file is read.

    None if the file could not be checked then.

    Raises
    ------
    CommandError
        If the report cannot be read, is not a JSON report of the command, or is on many files without this one.
        `KeyError`, `TypeError`, `ValueError` and `OverflowError` of the function mean that it is not a report of the
        command.
    """
    content = content_of(path)
    try:
        if content["schema_version"] != SCHEMA_VERSION:
            raise CommandError(f"{path}: a report of another version of Collision Kit")
        if content.get("kind") == "project":
            content = _report_of(content, path, file)
        return None if content is None else read_from(content)
    except (KeyError, TypeError, ValueError, OverflowError):
        raise CommandError(f"{path}: not a JSON report of collision-kit {command}") from None


def content_of(path: Path) -> Any:
    """Return the value of a JSON file.

    Raises
    ------
    CommandError
        If the file cannot be read, or is not JSON.
    """
    try:
        return parsed(read_whole(path))
    except OSError as error:
        raise CommandError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise CommandError(f"{path}: not a JSON file: {error}") from None


def _pairs(content: Mapping[str, Any]) -> dict[str, BaselinePair]:
    meters = float(content["units"]["unit_scale"])
    return {pair["id"]: _pair(pair, meters) for pair in content["pairs"]}


def _report_of(project: Mapping[str, Any], path: Path, file: Path) -> Any:
    """Return the report of one file in a report on many: with the same path, or else with a path that ends the same."""
    reports = {one["path"]: one["report"] for one in project["files"]}
    itself = [name for name in reports if one_file(Path(unspelled(project["folder"]), unspelled(name)), file)]
    whole = spelled(file.absolute().as_posix())
    alike = sorted((name for name in reports if whole.endswith(f"/{name}")), key=len, reverse=True)
    if not (itself or alike):
        raise CommandError(f"{path}: a report on many files, of which none is {file}")
    return reports[(itself or alike)[0]]


def changes(report: Report, before: Mapping[str, BaselinePair], verdicts: Collection[Verdict]) -> PairChanges:
    """Compare a report with the pairs of an earlier one. The given verdicts are faults, too."""
    ids, meters, earlier = pair_ids(report), report.units.scale_length, list(before.values())
    number = {name: row for row, name in enumerate(before)}
    for name in ids:
        number.setdefault(name, len(number))
    tolerance = np.array([pair.touching for pair in report.pairs], dtype=np.float64) * meters
    new, worse, gone = compared(
        listed(report, np.array([number[name] for name in ids], dtype=np.int64), meters),
        Listed(
            np.arange(len(before)),
            np.array([one.pair.verdict for one in earlier], dtype=np.int64),
            np.array([one.gap for one in earlier], dtype=np.float64),
            np.array([one.at_least for one in earlier], dtype=np.bool_),
        ),
        tolerance,
        {*FAULTS, *verdicts},
    )
    return PairChanges(
        frozenset(np.flatnonzero(new).tolist()),
        frozenset(np.flatnonzero(worse).tolist()),
        tuple(earlier[row].pair for row in np.flatnonzero(gone).tolist()),
    )


def _pair(pair: Mapping[str, Any], meters: float) -> BaselinePair:
    distance, interference = pair["distance"], pair["interference"]
    distance = -interference if distance is None else distance
    gap = distance if interference is None or distance >= 0.0 else -interference
    verdict = _VERDICTS[pair["verdict"]]
    gap = -math.inf if verdict == Verdict.DUPLICATE else gap
    gone = GonePair(str(pair["a"]), str(pair["b"]), verdict, distance)
    return BaselinePair(gone, gap * meters, bool(pair.get("at_least")))
