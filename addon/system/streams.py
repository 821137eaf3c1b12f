# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the process's own output goes, Python's and what Blender and its libraries print through C."""

import ctypes
import errno
import io
import os
import re
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from time import monotonic
from typing import IO

from .characters import shown

OUTPUT, ERRORS = 1, 2

# A line in which Blender or Python reports an error. Exporters log "ERROR" where a library of theirs is missing.
_ERROR = re.compile(rb"^(Error|Traceback)\b", re.MULTILINE)

# Seconds, to the first line of progress where standard error is no terminal, and from one to the next.
FIRST_LINE = NEXT_LINE = 30.0

# The usual width of a terminal.
_COLUMNS = 80


def put(text: str) -> None:
    """Print a text; what the encoding of standard output does not have is a question mark.

    Raises
    ------
    OSError
        If it cannot be written; the message says so.
    """
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        # What is left in the buffer would be tried again when Python ends.
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, OUTPUT)
            os.close(nowhere)
        reason = getattr(error, "strerror", None) or error
        raise OSError(f"cannot write to standard output: {reason}") from None


@contextmanager
def switched(stream: int, target: int) -> Iterator[None]:
    """Send what is written through C to one of the process's streams to another file descriptor."""
    kept = os.dup(stream)
    try:
        os.dup2(target, stream)
        yield
    finally:
        # What was printed through C waits in C's own buffer and would come out after the switch.
        ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)
        os.dup2(kept, stream)
        os.close(kept)


def holder() -> IO[bytes]:
    """A file for what Blender says; where there is no room for one, it is lost."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return open(os.devnull, "w+b")


@contextmanager
def output_held(held: IO[bytes]) -> Iterator[None]:
    """Keep what is meant for standard output and standard error: Blender says much while it reads a file."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    # Never closed: importers keep it for what they log.
    errors = open(ERRORS, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
    streams = switched(OUTPUT, held.fileno()), switched(ERRORS, held.fileno())
    with streams[0], streams[1], redirect_stdout(errors), redirect_stderr(errors):
        try:
            yield
        finally:
            errors.flush()


def has_error(held: IO[bytes]) -> bool:
    """Whether what was held back reports an error."""
    held.seek(0)
    return _ERROR.search(held.read()) is not None


def pass_on(held: IO[bytes]) -> None:
    """Say on standard error what was held back."""
    held.seek(0)
    with suppress(OSError), open(os.dup(ERRORS), "wb") as errors:
        said = held.read().decode("utf-8", "surrogateescape")
        for line in said.removesuffix("\n").split("\n") if said else ():
            # What Blender says has names of files and objects in it. Tabs only align.
            parts = line.removesuffix("\r").split("\t")
            errors.write("\t".join(map(shown, parts)).encode() + b"\n")


@contextmanager
def terminal_line() -> Iterator[Callable[[str], None] | None]:
    """A function that shows a line on standard error in place of the line before; None if that is no terminal.

    The line is erased at the end. It is shown also while output is held.
    """
    if sys.stderr is None or not os.isatty(ERRORS):
        yield None
        return
    with io.FileIO(os.dup(ERRORS), "w") as terminal:

        def show(line: str) -> None:
            with suppress(OSError):
                # A longer line would wrap, and not be erased. Some terminals do not say how wide they are.
                width = os.get_terminal_size(terminal.fileno()).columns or _COLUMNS
                terminal.write(f"\r\x1b[K{shown(line)[: width - 1]}".encode())

        try:
            yield show
        finally:
            show("")


@contextmanager
def sparse_lines() -> Iterator[Callable[[str], None] | None]:
    """A function that writes a line on standard error if some time has passed since the one before; None without one.

    For the logs of build servers: the first line comes after `FIRST_LINE`, and then one each `NEXT_LINE`. They are
    written also while output is held.
    """
    if sys.stderr is None:
        yield None
        return
    due = monotonic() + FIRST_LINE
    with io.FileIO(os.dup(ERRORS), "w") as errors:

        def say(line: str) -> None:
            nonlocal due
            if monotonic() >= due:
                due = monotonic() + NEXT_LINE
                with suppress(OSError):
                    errors.write(f"{shown(line)}\n".encode())

        yield say
