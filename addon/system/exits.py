# SPDX-License-Identifier: GPL-3.0-or-later
"""How a command ends: exit codes, and one line on standard error that says why."""

import contextlib
import os
import signal
import sys
import traceback
from collections.abc import Iterator
from pathlib import Path

from .characters import shown

BAD_INPUT = 2

# Something in this program is wrong, and not with what it was given.
DEFECT = 3

# The environment variable with the folder that a process in which Blender works shares with the one that waits for it.
FOLDER = "COLLISION_KIT_FOLDER"

# The file in that folder that names what is being read.
_READING = "reading"


def watched() -> bool:
    """Whether this is the process in which Blender works, and another waits for it."""
    return FOLDER in os.environ


@contextlib.contextmanager
def reading(file: str) -> Iterator[None]:
    """Note for the process that waits which file is being read, in case that this one crashes."""
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
    """Write a line on standard error, where there is one; what would control the terminal is escaped."""
    with contextlib.suppress(OSError, ValueError, AttributeError):
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(shown(line).encode(encoding, "replace").decode(encoding) + "\n")
        sys.stderr.flush()


def fault(error: BaseException) -> str:
    """The kind and place of a fault of this program, in one line."""
    place = traceback.extract_tb(error.__traceback__)[-1:]
    where = f" ({Path(place[0].filename).name}, line {place[0].lineno})" if place else ""
    return " ".join(f"{type(error).__name__}: {error}".split()) + where


def tell_defect(error: BaseException, *, verbose: bool = False) -> None:
    """Say in one line that this program is at fault; where, at length, only if that is wanted."""
    for part in traceback.format_exception(error) if verbose else ():
        for line in part.rstrip("\n").split("\n"):
            say(line)
    hint = "" if verbose else "; --verbose shows where"
    say(f"error: a defect of Collision Kit: {fault(error)}{hint}")


def crash_text(code: int, folder: Path | None) -> str:
    """The message about a process that has ended with an exit code that is not its own."""
    how = f"code {code:#x}" if code > 0 else f"signal {-code}, {signal.strsignal(-code) or 'unknown'}"
    try:
        file = os.fsdecode(((folder or Path()) / _READING).read_bytes())
    except OSError:
        return f"Blender crashed ({how})"
    return f"{file}: Blender crashed while it read the file ({how})"
