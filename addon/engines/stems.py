# SPDX-License-Identifier: GPL-3.0-or-later
"""The common part of the names of a mesh and its collider, such as `FloorMesh` and `FloorCollider`."""

import re
from functools import lru_cache

# Words without which the names of a mesh and its collider are equal.
_KIND = re.compile(r"(?i)[\s_.-]*(collision|collider|shape|mesh|visuals?|body|\d+)$")

# The end of the name of a collider in files of Unity, three.js, Decentraland and others: Crate_collider.
_COLLIDER = re.compile(r"(?P<mesh>.*[^\s_.-])[\s_.-](?i:collider|collision)(?P<number>[\s_.]*\d*)")


# Each object is asked for its name several times at each reading.
@lru_cache(maxsize=1 << 15)
def mesh_of_collider(name: str) -> tuple[str, str] | None:
    """Return the mesh that a name such as ``Crate_collider_02`` is a collider of, and the number; None for others."""
    found = _COLLIDER.fullmatch(name)
    return (found["mesh"], found["number"]) if found is not None else None


def stem(name: str) -> str:
    """Return a name without the words that describe the type of an object."""
    while (shorter := _KIND.sub("", name)) not in ("", name):
        name = shorter
    return name.casefold()
