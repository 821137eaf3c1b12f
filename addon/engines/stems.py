# SPDX-License-Identifier: GPL-3.0-or-later
"""The common part of the names of a mesh and its collider, such as `FloorMesh` and `FloorCollider`."""

import re

# Words after which an object with a mesh and that of its collider have the same name.
_KIND = re.compile(r"(?i)[\s_.-]*(collision|collider|shape|mesh|visuals?|body|\d+)$")


def stem(name: str) -> str:
    """The rest of a name without the words for what an object is."""
    while (shorter := _KIND.sub("", name)) not in ("", name):
        name = shorter
    return name.casefold()
