# SPDX-License-Identifier: GPL-3.0-or-later
"""Read JSON from any source."""

import json
from typing import Any


def parsed(text: str | bytes) -> Any:
    """Return the value of a JSON text.

    Raises
    ------
    ValueError
        If it is not valid, or is nested too deep for Python's parser.
    """
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("nested too deep") from None
