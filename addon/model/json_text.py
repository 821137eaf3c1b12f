# SPDX-License-Identifier: GPL-3.0-or-later
"""JSON that anybody may have written."""

import json
from typing import Any


def parsed(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    ValueError
        If it is none, or is nested too deep for Python's reader.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
