# SPDX-License-Identifier: GPL-3.0-or-later
"""How many random cases the longest tests try."""

import os

# `make test-slow OFFLINE=1` takes hours, and finds what happens once in a hundred thousand.
_OFFLINE = bool(os.environ.get("OFFLINE"))
MANY = 100_000 if _OFFLINE else 10_000
# Of those that are decided by exact arithmetic, which takes longer.
MANY_EXACT = 100_000 if _OFFLINE else 2_000
# Seeds of tests that certify thousands of cases each.
MANY_SEEDS = 10 if _OFFLINE else 3
# Of those that Hypothesis makes one at a time.
MANY_EXAMPLES = 10_000 if _OFFLINE else 5
