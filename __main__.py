# SPDX-License-Identifier: GPL-3.0-or-later
"""``python -m collision_kit`` is the command ``collision-kit``."""

from . import main

if __name__ == "__main__":
    main()
