# SPDX-License-Identifier: GPL-3.0-or-later
"""Work during which Python does not look for unreachable cycles of references."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def without_collection() -> Iterator[None]:
    """Keep Python from looking for unreachable cycles of references.

    An update in live mode, or a report, makes thousands of objects and no cycles. Now and then Python would look
    through all objects that there are, which takes longer than an update.
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_enabled:
            gc.enable()
