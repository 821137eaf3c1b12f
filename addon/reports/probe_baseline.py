# SPDX-License-Identifier: GPL-3.0-or-later
"""An earlier report of a probe as JSON to compare with."""

from pathlib import Path

from ..model.errors import CommandError
from ..model.json_text import parsed
from ..system.files import read_whole
from .baseline import report_of
from .json import SCHEMA_VERSION


def known_ids(path: Path, file: Path) -> tuple[str, ...]:
    """The ids of the findings of a JSON report; of a report on many files, those of one file.

    Raises
    ------
    CommandError
        If the report cannot be read, is no JSON report of a probe, or is on many files, and this one is none of them.
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
            content = report_of(content, path, file)
            if content is None:  # It could not be checked then.
                return ()
        if content.get("kind") != "probe":
            raise CommandError(f"{path}: not a JSON report of collision-kit probe")
        return tuple(str(one["id"]) for one in content["findings"])
    except (KeyError, TypeError, ValueError):
        raise CommandError(f"{path}: not a JSON report of collision-kit probe") from None
