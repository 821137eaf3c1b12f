# SPDX-License-Identifier: GPL-3.0-or-later
"""An earlier report as JSON to compare with: which pairs are new, which have become deeper, which are gone."""

import math
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ...core.constants import Verdict
from ..model.errors import CommandError
from ..model.json_text import parsed
from ..model.marks import GonePair
from ..model.pair_ids import pair_ids
from ..model.report import Report
from ..model.verdict_names import NAMES
from ..system.characters import spelled, unspelled
from ..system.files import one_file, read_whole
from .json import SCHEMA_VERSION

_VERDICTS = {name: verdict for verdict, name in NAMES.items()}


class BaselinePair(NamedTuple):
    """A pair of an earlier report; its gap in meters, negative if it was deep, minus infinity if it was a duplicate."""

    pair: GonePair
    gap: float


class Changes(NamedTuple):
    """What has changed since: rows that are new and rows that are deeper, and pairs that are gone."""

    new: frozenset[int]
    worse: frozenset[int]
    gone: tuple[GonePair, ...]


def read(path: Path, file: Path) -> dict[str, BaselinePair]:
    """The pairs of a JSON report by their ids; of a report on many files, those of one file.

    Raises
    ------
    CommandError
        If the report cannot be read, is no JSON report of a check, or is on many files, and this one is none of them.
    """
    try:
        content = parsed(read_whole(path))
    except OSError as error:
        raise CommandError(f"{path}: cannot be read: {error.strerror or error}") from None
    except ValueError as error:
        raise CommandError(f"{path}: not a JSON file: {error}") from None
    try:
        if content["schema_version"] != SCHEMA_VERSION:
            raise CommandError(f"{path}: a report of another version of Collision Kit")
        if content.get("kind") == "project":
            content = _report_of(content, path, file)
            if content is None:  # It could not be checked then.
                return {}
        meters = float(content["units"]["unit_scale"])
        return {pair["id"]: _pair(pair, meters) for pair in content["pairs"]}
    except (KeyError, TypeError, ValueError, OverflowError):
        raise CommandError(f"{path}: not a JSON report of collision-kit check") from None


def _report_of(project: Mapping[str, Any], path: Path, file: Path) -> Any:
    """The report of one file in a report on many: of the file itself, else of one whose path ends in the same way."""
    reports = {one["path"]: one["report"] for one in project["files"]}
    itself = [name for name in reports if one_file(Path(unspelled(project["folder"]), unspelled(name)), file)]
    whole = spelled(file.absolute().as_posix())
    alike = sorted((name for name in reports if whole.endswith(f"/{name}")), key=len, reverse=True)
    if not (itself or alike):
        raise CommandError(f"{path}: a report on many files, of which none is {file}")
    return reports[(itself or alike)[0]]


def changes(report: Report, before: Mapping[str, BaselinePair]) -> Changes:
    """Compare a report with the pairs of an earlier one."""
    ids, meters = pair_ids(report), report.units.scale_length
    new = frozenset(row for row, one in enumerate(ids) if one not in before)
    worse = frozenset(
        row
        for row, (one, pair) in enumerate(zip(ids, report.pairs, strict=True))
        if one in before and -pair.depth * meters < before[one].gap - pair.touching * meters
    )
    now = set(ids)
    return Changes(new, worse, tuple(one.pair for name, one in before.items() if name not in now))


def _pair(pair: Mapping[str, Any], meters: float) -> BaselinePair:
    distance, interference = pair["distance"], pair["interference"]
    gap = distance if interference is None or distance >= 0.0 else -interference
    verdict = _VERDICTS[pair["verdict"]]
    gap = -math.inf if verdict == Verdict.DUPLICATE else gap
    return BaselinePair(GonePair(str(pair["a"]), str(pair["b"]), verdict, distance), gap * meters)
