# SPDX-License-Identifier: GPL-3.0-or-later
"""Where this process finds modules, for the programs that it starts."""

import os
import sys


def search_path() -> list[str]:
    """Where this process looks for modules, but for the working directory: what lies there may be anybody's.

    Python searches it first where a program was given with ``-c`` or ``-m``.
    """
    entries = [entry for entry in sys.path if entry]
    try:
        here = os.getcwd()
    except OSError:  # a folder that was removed
        return [entry for entry in entries if os.path.isabs(entry)]
    if entries and not sys.flags.safe_path and sys.path[0] and os.path.abspath(sys.path[0]) == here:
        entries = entries[1:]
    return [os.path.abspath(entry) for entry in entries]
