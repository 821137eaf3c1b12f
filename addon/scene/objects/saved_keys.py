# SPDX-License-Identifier: GPL-3.0-or-later
"""Keys of objects and instances that are valid in a saved file; `session_uid` changes each time a file is loaded."""

from collections.abc import Iterator
from typing import NamedTuple

import bpy

from ...model.report import ObjectKey


class SavedKey(NamedTuple):
    """An object by its name and library. For an instance, also its instancer and its number."""

    name: str
    library: str  # "": the file itself
    host: str = ""
    host_library: str = ""
    persistent_id: tuple[int, ...] = ()

    def seen_from(self, home: str) -> "SavedKey":
        """The key in a file that links the saved file as a library with this name. Empty: the saved file is open."""
        return self._replace(library=self.library or home, host_library=self.host_library or home)


class Identities:
    """The objects of the open file by both keys. Valid until objects are added, removed or renamed."""

    def __init__(self) -> None:
        self._names = dict(_named())
        self._uids = {name: uid for uid, name in self._names.items()}

    def saved(self, key: ObjectKey) -> SavedKey | None:
        """The key for a saved file. None if the object does not exist."""
        name, host = self._names.get(key.session_uid), self._names.get(key.instancer_uid)
        if name is None or (key.instancer_uid and host is None):
            return None
        return SavedKey(*name, *(host or ("", "")), key.persistent_id)

    def loaded(self, saved: SavedKey) -> ObjectKey | None:
        """The key in this session. None if the object does not exist."""
        uid = self._uids.get((saved.name, saved.library))
        host = self._uids.get((saved.host, saved.host_library)) if saved.host else 0
        return None if uid is None or host is None else ObjectKey(uid, host, saved.persistent_id)


def _named() -> Iterator[tuple[int, tuple[str, str]]]:
    for ob in bpy.data.objects:
        yield ob.session_uid, (ob.name, ob.library.name if ob.library is not None else "")
