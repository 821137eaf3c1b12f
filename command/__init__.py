# SPDX-License-Identifier: GPL-3.0-or-later
"""The command ``collision-kit`` of the Python package, with a process for each file. Not part of the extension."""

from __future__ import annotations

import os
import sys

# Nothing else is imported here: an interrupt before `main` starts prints a traceback.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import NoReturn


def main() -> NoReturn:
    """Run the command ``collision-kit`` and end the process with its exit code."""
    # Must run before other imports: with ``python -c`` Python looks in the working directory first.
    if sys.path[:1] == [""]:
        del sys.path[0]
    try:
        import signal

        # Until there is something to clean up. An interrupt can turn into another error while modules are imported.
        if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            signal.signal(signal.SIGINT, lambda *_: os._exit(130))
        from .entry import main

        main()
    except KeyboardInterrupt:
        os._exit(130)
