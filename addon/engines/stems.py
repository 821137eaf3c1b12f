# SPDX-License-Identifier: GPL-3.0-or-later
"""The common part of the names of a mesh and its collider, such as `FloorMesh` and `FloorCollider`."""

import re

# Words without which the names of a mesh and its collider are equal.
_KIND = re.compile(r"(?i)[\s_.-]*(collision|collider|shape|mesh|visuals?|body|\d+)$")


def stem(name: str) -> str:
    """Return a name without the words that describe the type of an object."""
    while (shorter := _KIND.sub("", name)) not in ("", name):
        name = shorter
    return name.casefold()
