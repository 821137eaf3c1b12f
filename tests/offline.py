# SPDX-License-Identifier: GPL-3.0-or-later
"""How many random cases the longest tests try."""

import os

# `make test-slow OFFLINE=1` takes hours, and finds what happens once in a hundred thousand.
MANY = 100_000 if os.environ.get("OFFLINE") else 10_000
