# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the process's own output goes, Python's and what Blender and its libraries print through C."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout

from .. import switched

OUTPUT, ERRORS = 1, 2


@contextmanager
def output_on_errors() -> Iterator[None]:
    """Send everything meant for standard output to standard error: the former is the report's alone."""
    sys.stdout.flush()
    with redirect_stdout(sys.stderr), switched(OUTPUT, ERRORS):
        yield


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
