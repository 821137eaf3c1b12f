# SPDX-License-Identifier: GPL-3.0-or-later
"""Results of all files, stored in a file during a run, so that an interrupted run can be resumed."""

import contextlib
import hashlib
import json
import os
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import IO, Any

from ..addon.config import find
from ..addon.model.errors import CommandError
from ..addon.model.json_text import parsed
from ..addon.system.characters import unspelled
from .agreement import agrees
from .one_file import Checked, Task, sha256

# Outcomes that can change with a higher limit.
_LIMITED = {"timed_out", "out_of_memory", "crashed"}


@dataclass(frozen=True)
class Entry:
    """A file that was checked, and the number of attempts."""

    checked: Checked
    attempts: int = 1


class Journal:
    """File with one line of JSON for each checked file. Use it in a ``with`` statement.

    A line is valid while the file, the libraries named in its report, the arguments, the files that they name, the
    project settings and the versions are unchanged, and the line is consistent with its report.

    Parameters
    ----------
    path : Path, optional
        The journal file, which does not have to exist yet. None: results are not stored.
    versions : dict of str to str
        Versions of Collision Kit and Blender.

    Attributes
    ----------
    doubted : list of str
        Paths of files whose lines were not consistent.

    Raises
    ------
    CommandError
        If the file cannot be read or written, or is not a journal. Other files are never overwritten.
    """

    def __init__(self, path: Path | None, versions: dict[str, str]) -> None:
        self.doubted: list[str] = []
        self._versions = versions
        self._lines: dict[tuple[str, str, str], dict[str, Any]] = {}
        self._file: IO[bytes] | None = None
        self._digest = cache(_digest_of)
        if path is not None:
            if path.exists() and not path.is_file():  # a device might have no end
                raise CommandError(f"cannot write {path}: not a file")
            try:
                self._file = path.open("a+b")
            except OSError as error:
                raise CommandError(f"cannot write {path}: {error.strerror}") from None
            self._file.seek(0)
            self._read(self._file, path)

    def __enter__(self) -> "Journal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file is not None:
            self._file.close()

    def known(self, task: Task) -> Entry | None:
        """Return the result of a file, if it is still valid."""
        line = self._lines.get((task.file, task.scene, task.clip))
        if line is None:
            return None
        checked = Checked(**line["checked"])
        # Without a JSON report, there are no reports in other formats.
        try:
            whole = checked.report is None or set(task.endings) <= set(checked.parts)
            same = whole and self._key(task, checked) == line["key"] and checked.sha256 == self._digest(task.file)
            attempts = line["attempts"]
            believed = not same or (agrees(task, checked) and type(attempts) is int and attempts > 0)
        except (TypeError, AttributeError, ValueError):  # not in the form that is written
            same = believed = False
        if not believed:
            self.doubted.append(task.path)
        return Entry(replace(checked, path=task.path), attempts) if same and believed else None

    def note(self, task: Task, entry: Entry) -> None:
        """Store the result of a file. It is on disk when this returns."""
        if self._file is None:
            return
        line = {
            "key": self._key(task, entry.checked),
            "file": task.file,
            "scene": task.scene,
            "clip": task.clip,
            **asdict(entry),
        }
        self._file.write(json.dumps(line, ensure_ascii=False).encode("utf-8", "surrogatepass") + b"\n")
        self._file.flush()

    def _read(self, file: IO[bytes], path: Path) -> None:
        whole = True
        for number, text in enumerate(file):
            whole = text.endswith(b"\n")
            try:
                line = parsed(text.decode("utf-8", "surrogatepass"))
                line["key"], line["attempts"], Checked(**line["checked"])
                self._lines[line["file"], line["scene"], line["clip"]] = line
            except (ValueError, KeyError, TypeError):
                if number == 0 and whole:
                    raise CommandError(f"{path}: not a file that --resume has written") from None
        if not whole:  # the process ended while writing
            file.write(b"\n")

    def _key(self, task: Task, checked: Checked) -> dict[str, Any]:
        """Return the values that must be unchanged, as in JSON."""
        limits = [task.timeout, task.memory] if checked.outcome in _LIMITED else None
        libraries = [body.get("library_file") for body in (checked.report or {}).get("bodies") or ()]
        values = [Path(task.folder, text.partition("=")[2]) for text in task.arguments if "=" in text]
        read = {
            *map(unspelled, filter(None, libraries)),
            *(str(path) for path in values if path.is_file()),
            *_settings(task),
        }
        return {
            "arguments": list(task.arguments),
            "command": None if task.command is None else list(task.command),
            "versions": self._versions,
            "limits": limits,
            "files": {path: self._digest(path) for path in sorted(read)},
            # Output files must still be as they were written.
            **({"saved": [task.saved, _digest_of(task.saved)]} if task.saved else {}),
        }


def _settings(task: Task) -> Sequence[str]:
    with contextlib.suppress(CommandError):  # the check of the file reports it
        found = find(Path(task.file))
        return [] if found is None else [str(found)]
    return []


def _digest_of(file: str) -> str:
    """Return the digest of a file, or "" if it cannot be read."""
    if not os.path.isfile(file):
        return ""
    try:
        return sha256(Path(file))
    except OSError:
        return hashlib.sha256().hexdigest()
