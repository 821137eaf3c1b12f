# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the process's own output goes, Python's and what Blender and its libraries print through C."""

import os
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from typing import IO

from ... import switched

OUTPUT, ERRORS = 1, 2


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


def pass_on(held: IO[bytes]) -> None:
    """Say on standard error what was held back."""
    held.seek(0)
    with suppress(OSError), open(os.dup(ERRORS), "wb") as errors:
        errors.write(held.read())


@contextmanager
def errors_dropped() -> Iterator[None]:
    """Drop what C libraries complain about on standard error; Python's exceptions are not touched."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        sys.stderr.flush()
        with switched(ERRORS, nowhere):
            yield
    finally:
        os.close(nowhere)
