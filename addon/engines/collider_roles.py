# SPDX-License-Identifier: GPL-3.0-or-later
"""The meaning of object names to engines: Unreal's prefixes and Godot's suffixes.

Godot 4 (`resource_importer_scene.cpp`; docs, "Node type customization"): a suffix after ``-`` or ``_`` at the end of
the name, where digits, spaces and underscores after it do not count, or after ``$`` anywhere. Blender's ``.001``
becomes ``_001`` on the way through glTF. Godot 3.2 reads a suffix after ``-`` or ``_`` at the very end only.
"""

import re
from dataclasses import dataclass
from functools import lru_cache

from .unreal_names import PREFIXES, collider_prefix

# The kind of collider that each of Godot's suffixes asks for, and whether the mesh is there for that only.
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
# What looks like a suffix, and is none to Godot: a number behind another minus.
_BROKEN = re.compile(rf"(?i)(?P<stem>.*)[-_](?P<suffix>{_NAMES})-[-\d\s_.]*$")


@dataclass(frozen=True)
class ColliderRole:
    """The role that the name of an object gives it.

    Attributes
    ----------
    system : str
        "unreal" or "godot".
    kind : str
        As `Collider.kind`.
    own : bool
        It is there for collisions only.
    stem : str
        What is left of the name without the prefix or the suffix, and what follows that.
    mark : str
        The prefix or the suffix as it is written.
    read : bool
        The engine sees it, too; False: only a human does.
    """

    system: str
    kind: str
    own: bool
    stem: str
    mark: str
    read: bool = True


# A scene has thousands of names, which are asked for again at each reading.
@lru_cache(maxsize=1 << 15)
def role_of(name: str) -> ColliderRole | None:
    """Return the role that a name gives an object; None if it has no such meaning."""
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
