# SPDX-License-Identifier: GPL-3.0-or-later
"""End of a command: exit codes, and a message of one line on standard error."""

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from .characters import shown

BAD_INPUT = 2

# An internal error, which is not caused by the input.
DEFECT = 3

# Environment variable for the folder that the Blender process shares with the process that waits for it.
FOLDER = "COLLISION_KIT_FOLDER"

# The file in that folder with the name of the file that is being read.
_READING = "reading"


def watched() -> bool:
    """Return whether this is the Blender process, and another process waits for it."""
    return FOLDER in os.environ


@contextlib.contextmanager
def reading(file: str) -> Iterator[None]:
    """Record which file is being read, for the waiting process, in case this one crashes."""
    folder = os.environ.get(FOLDER)
    if not folder:
        yield
        return
    note = Path(folder, _READING)
    with contextlib.suppress(OSError):
        note.write_bytes(os.fsencode(file))
    try:
        yield
    finally:
        with contextlib.suppress(OSError):
            note.unlink()


def say(line: str) -> None:
    """Write a line to standard error, if it exists. Control characters are escaped."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(shown(line).encode(encoding, "replace").decode(encoding) + "\n")
        sys.stderr.flush()


def fault(error: BaseException) -> str:
    """Return the type and place of an internal error on one line."""
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(place[0].filename).name}, line {place[0].lineno})" if place else ""
    return " ".join(f"{type(error).__name__}: {error}".split()) + where


def tell_defect(error: BaseException, *, verbose: bool = False) -> None:
    """Report an internal error on one line. The traceback is only shown on request."""
    for part in traceback.format_exception(error) if verbose else ():
        for line in part.rstrip("\n").split("\n"):
            say(line)
    hint = "" if verbose else "; --verbose shows where"
    say(f"error: a defect of Collision Kit: {fault(error)}{hint}")


def crash_text(code: int, folder: Path | None) -> str:
    """Return the message about a process that has ended with an unexpected exit code."""
    how = f"code {code:#x}" if code > 0 else f"signal {-code}, {signal.strsignal(-code) or 'unknown'}"
    try:
        file = os.fsdecode(((folder or Path()) / _READING).read_bytes())
    except OSError:
        return f"Blender crashed ({how})"
    return f"{file}: Blender crashed while it read the file ({how})"
