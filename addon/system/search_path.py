# SPDX-License-Identifier: GPL-3.0-or-later
"""The module search path of this process, for the programs that it starts."""

import os
import sys


def search_path() -> list[str]:
    """Return the module search path without the working directory, which may contain anything.

    Python searches the working directory first for programs run with ``-c`` or ``-m``.
    """
    entries = [entry for entry in sys.path if entry]
    try:
        here = os.getcwd()
    except OSError:  # a deleted folder
        return [entry for entry in entries if os.path.isabs(entry)]
    if entries and not sys.flags.safe_path and sys.path[0] and os.path.abspath(sys.path[0]) == here:
        entries = entries[1:]
    return [os.path.abspath(entry) for entry in entries]
