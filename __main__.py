# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m collision_kit`` is the command ``collision-kit``."""

import sys

# Python looks for modules in the working directory first, and what lies there may be anybody's.
if not sys.flags.safe_path and sys.path:
    del sys.path[0]

from .command import main

if __name__ == "__main__":
    main()
