# SPDX-License-Identifier: GPL-3.0-or-later
"""Accepted issues of a probe: places that a user has judged to be correct, for example a pit that is a trap.

They are stored in the scene, so they are undone, saved and loaded with it. An entry has the id of the issue, which is
made from the kind and the names of the objects, and a reason.
"""

from collections.abc import Iterable
from typing import Any

import bpy

from ..model.errors import UserError
from .settings import NAME


def reasons(scene: bpy.types.Scene) -> dict[str, str]:
    """The reason of each accepted issue of a scene, by its id."""
    settings = getattr(scene, NAME, None)
    return {} if settings is None else {entry.id: entry.reason for entry in settings.probe.accepted}


def accept(scene: bpy.types.Scene, ids: Iterable[str], reason: str) -> int:
    """Store issues as accepted, with a new reason for those accepted before. Returns the number of issues.

    Raises
    ------
    UserError
        If the scene is linked.
    """
    stored = _entries(scene)
    found = {entry.id: entry for entry in stored}
    count = 0
    for one in dict.fromkeys(ids):
        entry = found.get(one) or stored.add()
        entry.id, entry.reason = one, reason
        count += 1
    return count


def withdraw(scene: bpy.types.Scene, ids: Iterable[str]) -> int:
    """Remove issues from the accepted ones. Returns how many were accepted. Raises as `accept` does."""
    stored, unwanted = _entries(scene), set(ids)
    rows = [row for row, entry in enumerate(stored) if entry.id in unwanted]
    for row in reversed(rows):
        stored.remove(row)
    return len(rows)


def withdraw_all(scene: bpy.types.Scene) -> int:
    """Remove all accepted issues, including those that no longer occur. Returns how many there were.

    Raises as `accept` does.
    """
    stored = _entries(scene)
    count = len(stored)
    stored.clear()
    return count


def _entries(scene: bpy.types.Scene) -> Any:
    if scene.library is not None:
        raise UserError("The scene is linked: accept issues in its own file")
    return getattr(scene, NAME).probe.accepted
