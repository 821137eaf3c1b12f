# SPDX-License-Identifier: GPL-3.0-or-later
"""An earlier JSON report of a probe to compare with."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .baseline import earlier


def known_ids(path: Path, file: Path) -> tuple[str, ...]:
    """Return the ids of the issues of a JSON report. From a report on many files, those of one file.

    Raises
    ------
    CommandError
        If the report cannot be read, is not a JSON report of a probe, or is on many files without this one.
    """
    return earlier(path, file, "probe", _ids) or ()


def _ids(content: Mapping[str, Any]) -> tuple[str, ...]:
    if content.get("kind") != "probe":
        raise ValueError
    return tuple(str(one["id"]) for one in content["findings"])
