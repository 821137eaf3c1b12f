# SPDX-License-Identifier: GPL-3.0-or-later
"""The common part of the names of a mesh and its collider, such as `FloorMesh` and `FloorCollider`."""

import re
from functools import lru_cache

# Words without which the names of a mesh and its collider are equal.
_KIND = re.compile(r"(?i)[\s_.-]*(collision|collider|shape|mesh|visuals?|body|\d+)$")

# Names of colliders in files of Unity, three.js, Decentraland and others: Crate_collider, CrateCollider and
# Collider_Crate; and Collision.014 for a collider of the level.
_WORD, _NUMBER = "(?i:collider|collision)", r"(?P<number>[\s_.]*\d*)"
_COLLIDERS = tuple(
    map(
        re.compile,
        (
            rf"(?P<mesh>.*[^\s_.-])[\s_.-]{_WORD}{_NUMBER}",
            rf"(?P<mesh>.*[a-z\d])(?:Collider|Collision){_NUMBER}",
            rf"{_WORD}(?i:s|[\s_.-]?mesh|[\s_.-]?box)?(?P<mesh>){_NUMBER}",
            rf"{_WORD}[\s_.-](?P<mesh>.*?[^\s_.-]){_NUMBER}",
        ),
    )
)


# Each object is asked for its name several times at each reading.
@lru_cache(maxsize=1 << 15)
def mesh_of_collider(name: str) -> tuple[str, str] | None:
    """Return the mesh that a name such as ``Crate_collider_02`` is a collider of, and the number; None for others.

    The mesh is empty for names such as ``Collision.014``.
    """
    for pattern in _COLLIDERS:
        found = pattern.fullmatch(name)
        if found is not None:
            return found["mesh"], found["number"]
    return None


def stem(name: str) -> str:
    """Return a name without the words that describe the type of an object."""
    while (shorter := _KIND.sub("", name)) not in ("", name):
        name = shorter
    return name.casefold()
