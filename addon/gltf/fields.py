# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a file's JSON, which can have any type and any size."""

from collections.abc import Mapping
from typing import Any

import numpy as np

# Blender stores lengths as float32. Larger values are infinite there, and smaller ones may be zero.
MOST = float(np.finfo(np.float32).max)
LEAST = float(np.finfo(np.float32).tiny)


def as_number(value: Any) -> float | None:
    """Return the value as a float. None if it is not a number, or not finite in float32.

    JSON integers can have any size, and Python reads 1e400 as infinity.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MOST <= value <= MOST:
        return None
    return float(value)


def as_mapping(content: Any) -> Mapping[str, Any]:
    """Return the value if it is a JSON object, otherwise an empty one."""
    return content if isinstance(content, Mapping) else {}


def as_list(content: Any) -> list[Any]:
    """Return the value if it is a JSON array, otherwise an empty one."""
    return content if isinstance(content, list) else []


def is_index(index: Any, count: int) -> bool:
    """Return whether a value is a valid index for this many entries."""
    return isinstance(index, int) and not isinstance(index, bool) and 0 <= index < count
