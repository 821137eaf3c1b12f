# SPDX-License-Identifier: GPL-3.0-or-later
"""The meaning of object names to engines: Unreal's prefixes and Godot's suffixes.

Godot 4 (`resource_importer_scene.cpp`; docs, "Node type customization"): a suffix after ``-`` or ``_`` at the end of
the name, ignoring digits, spaces and underscores after it, or after ``$`` anywhere. Blender's ``.001`` becomes ``_001``
in glTF. Godot 3.2 reads a suffix after ``-`` or ``_`` at the very end only.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from .unreal_names import PREFIXES, collider_prefix

# Kind of collider of each Godot suffix, and whether the mesh is only for collisions.
GODOT_SUFFIXES = {
    "convcolonly": ("HULL", True),
    "colonly": ("MESH", True),
    "convcol": ("HULL", False),
    "col": ("MESH", False),
    "rigid": ("HULL", False),
}

_NAMES = "|".join(GODOT_SUFFIXES)
_READ = re.compile(rf"(?i)(?P<stem>.*)[-_](?P<suffix>{_NAMES})[\d\s_.]*$")
_ANYWHERE = re.compile(rf"(?i)(?P<stem>.*)\$(?P<suffix>{_NAMES})")
# Looks like a suffix but is not one for Godot: a number after another minus.
_BROKEN = re.compile(rf"(?i)(?P<stem>.*)[-_](?P<suffix>{_NAMES})-[-\d\s_.]*$")


@dataclass(frozen=True)
class ColliderRole:
    """The role that an object gets from its name.

    Attributes
    ----------
    system : str
        "unreal" or "godot".
    kind : str
        As `Collider.kind`.
    own : bool
        Whether it is only for collisions.
    stem : str
        The rest of the name, without the prefix or suffix and what follows.
    mark : str
        The prefix or suffix as written.
    read : bool
        Whether the engine recognizes it. False: only humans do.
    """

    system: str
    kind: str
    own: bool
    stem: str
    mark: str
    read: bool = True


# A scene has thousands of names, and they are looked up at each reading.
@lru_cache(maxsize=1 << 15)
def role_of(name: str) -> ColliderRole | None:
    """Return the role that an object gets from its name. None if the name has no such meaning."""
    prefix = collider_prefix(name)
    if prefix:
        mark, _, stem = name.partition("_")
        return ColliderRole("unreal", PREFIXES[prefix], True, stem, mark)
    for pattern, read in ((_READ, True), (_ANYWHERE, True), (_BROKEN, False)):
        match = pattern.match(name)
        if match:
            kind, own = GODOT_SUFFIXES[match["suffix"].lower()]
            return ColliderRole("godot", kind, own, match["stem"], match["suffix"], read)
    return None
