# SPDX-License-Identifier: GPL-3.0-or-later
"""The output streams of the process, for Python and for output of Blender and its libraries through C."""

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

# A line in which Blender or Python reports an error. Exporters log "ERROR" if a library of theirs is missing.
_ERROR = re.compile(rb"^(Error|Traceback)\b", re.MULTILINE)

# Seconds to the first line of progress without a terminal, and between lines.
FIRST_LINE = NEXT_LINE = 30.0

# Default width of a terminal.
_COLUMNS = 80


def put(text: str) -> None:
    """Print a text. Characters that the encoding of standard output does not have become question marks.

    Raises
    ------
    OSError
        If it cannot be written. The message says so.
    """
    try:
        if sys.stdout is None:
            raise OSError(errno.EBADF, os.strerror(errno.EBADF))
        encoding = sys.stdout.encoding or "utf-8"
        sys.stdout.write(text.encode(encoding, "replace").decode(encoding))
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        # Otherwise the rest of the buffer would be written again when Python exits.
        with suppress(OSError):
            nowhere = os.open(os.devnull, os.O_WRONLY)
            os.dup2(nowhere, OUTPUT)
            os.close(nowhere)
        reason = getattr(error, "strerror", None) or error
        raise OSError(f"cannot write to standard output: {reason}") from None


@contextmanager
def switched(stream: int, target: int) -> Iterator[None]:
    """Redirect a stream of the process, including output through C, to another file descriptor."""
    kept = os.dup(stream)
    try:
        os.dup2(target, stream)
        yield
    finally:
        # Output through C is still in C's own buffer, and would appear after the switch.
        ctypes.CDLL("ucrtbase" if os.name == "nt" else None).fflush(None)
        os.dup2(kept, stream)
        os.close(kept)


def holder() -> IO[bytes]:
    """Return a file for output of Blender. If it cannot be made, the output is lost."""
    try:
        return tempfile.TemporaryFile()
    except OSError:
        return open(os.devnull, "w+b")


@contextmanager
def output_held(held: IO[bytes]) -> Iterator[None]:
    """Hold back standard output and standard error, because Blender prints much while it reads a file."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            stream.flush()
    # Never closed, because importers keep it for logging.
    errors = open(ERRORS, "w", 1, "utf-8", "backslashreplace", closefd=False)  # noqa: SIM115
    streams = switched(OUTPUT, held.fileno()), switched(ERRORS, held.fileno())
    with streams[0], streams[1], redirect_stdout(errors), redirect_stderr(errors):
        try:
            yield
        finally:
            errors.flush()


def has_error(held: IO[bytes]) -> bool:
    """Return whether the held output reports an error."""
    held.seek(0)
    return _ERROR.search(held.read()) is not None


def pass_on(held: IO[bytes]) -> None:
    """Write the held output to standard error."""
    held.seek(0)
    with suppress(OSError), open(os.dup(ERRORS), "wb") as errors:
        said = held.read().decode("utf-8", "surrogateescape")
        for line in said.removesuffix("\n").split("\n") if said else ():
            # Blender's output contains names of files and objects. Tabs are only for alignment.
            parts = line.removesuffix("\r").split("\t")
            errors.write("\t".join(map(shown, parts)).encode() + b"\n")


@contextmanager
def terminal_line() -> Iterator[Callable[[str], None] | None]:
    """Return a function that replaces the last line on standard error. None if that is not a terminal.

    The line is erased at the end. It is shown even while output is held.
    """
    if sys.stderr is None or not os.isatty(ERRORS):
        yield None
        return
    with io.FileIO(os.dup(ERRORS), "w") as terminal:

        def show(line: str) -> None:
            with suppress(OSError):
                # A longer line would wrap, and not be erased. Some terminals do not report their width.
                width = os.get_terminal_size(terminal.fileno()).columns or _COLUMNS
                terminal.write(f"\r\x1b[K{shown(line)[: width - 1]}".encode())

        try:
            yield show
        finally:
            show("")


@contextmanager
def sparse_lines() -> Iterator[Callable[[str], None] | None]:
    """Return a function that writes a line to standard error at intervals. None without standard error.

    For the logs of build servers: the first line is after `FIRST_LINE` seconds, and then one every `NEXT_LINE`. They
    are written even while output is held.
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
