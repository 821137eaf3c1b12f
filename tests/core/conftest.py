# SPDX-License-Identifier: GPL-3.0-or-later
"""Which tests are slow because of the shapes that they take."""

import os
import re

import pytest

# Every question about every pair of these takes minutes: what the two kinds have of their own is quick.
_CONTRACTS = {"test_pair_contract.py", "test_hypothesis_pairs.py", "test_early_outs.py"}
_SUPPORT_MAPPED = re.compile(r"cone|ellipsoid", re.IGNORECASE)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the contracts of cones and ellipsoids as slow, and leave what is slow with any kinds to OFFLINE=1."""
    for item in items:
        if not _SUPPORT_MAPPED.search(item.name):
            continue
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skipif("OFFLINE" not in os.environ, reason="takes long: OFFLINE=1 runs it"))
        elif item.path.name in _CONTRACTS:
            item.add_marker(pytest.mark.slow)
