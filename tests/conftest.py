# SPDX-License-Identifier: GPL-3.0-or-later
"""Fixtures for every test.

Tests write `from collision_kit.core import …` and `from collision_kit.addon… import …`; inside Blender these
are the installed extension (tests/run_in_blender.py). `from tests.helpers.scenes import …` and
`from examples.… import …` are the checkout.
"""

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.helpers.expected_skips import ExpectedSkips

ROOT = Path(__file__).resolve().parent.parent

# There is a process for each processor already: more threads in numpy would only wait for each other.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")


def pytest_configure(config: pytest.Config) -> None:
    """Have unexpected skips fail the run; workers of pytest-xdist report to the process that has started them."""
    if not hasattr(config, "workerinput"):
        config.pluginmanager.register(ExpectedSkips(config.rootpath))


@pytest.fixture
def interruptible() -> Iterator[None]:
    """SIGINT as in the foreground: a job in the background ignores it, and so would the processes that it starts."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, signal.default_int_handler if before is None else before)


@pytest.fixture(scope="session")
def root() -> Path:
    """The checkout."""
    return ROOT


@pytest.fixture(scope="session")
def data_dir() -> Path:
    """Real scenes and meshes that are not part of the project: $COLLISION_KIT_DATA, or ../shared/data."""
    folder = Path(os.environ.get("COLLISION_KIT_DATA", ROOT.parent / "shared" / "data"))
    if not folder.is_dir():
        pytest.skip(f"no {folder}: set COLLISION_KIT_DATA to a folder with gltf_physics/ and meshes/ in it")
    return folder
