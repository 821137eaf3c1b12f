# SPDX-License-Identifier: GPL-3.0-or-later
"""Values of a file's JSON, which may be of any type and of any size."""

from collections.abc import Mapping
from typing import Any

import numpy as np

# Blender keeps lengths as float32: what is above is infinite there, and what is below may be zero.
MOST = float(np.finfo(np.float32).max)
LEAST = float(np.finfo(np.float32).tiny)


def as_number(value: Any) -> float | None:
    """The value as a float; None if it is not a number, or not finite as a float32.

    JSON has integers of any size, and Python reads 1e400 as infinity.
    """
    if isinstance(value, bool) or not isinstance(value, int | float) or not -MOST <= value <= MOST:
        return None
    return float(value)


def as_mapping(content: Any) -> Mapping[str, Any]:
    """The value if it is a JSON object, else an empty one."""
    return content if isinstance(content, Mapping) else {}


def as_list(content: Any) -> list[Any]:
    """The value if it is a JSON array, else an empty one."""
    return content if isinstance(content, list) else []


def is_index(index: Any, count: int) -> bool:
    """Whether a value is the index of one of so many entries."""
    return isinstance(index, int) and not isinstance(index, bool) and 0 <= index < count
