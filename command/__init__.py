# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``collision-kit`` of the Python package: many files, a process for each. Not part of the extension."""

from __future__ import annotations

import os
import sys

# Nothing else is loaded here: whoever interrupts the command before `main` has begun gets a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command ``collision-kit`` and end the process with its exit code."""
    # Before anything else is imported: with ``python -c`` Python looks for it in the working directory first.
    if sys.path[:1] == [""]:
        del sys.path[0]
    try:
        import signal

        # Until there is something to tidy up. An interrupt can become another error while modules are loaded.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, lambda *_: os._exit(130))
        from .entry import main

        main()
    except KeyboardInterrupt:
        os._exit(130)
