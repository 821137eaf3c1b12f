# SPDX-License-Identifier: GPL-3.0-or-later
"""What names an object, or an instance of one, in a saved file: `session_uid` is another one each time it is loaded."""

from collections.abc import Iterator
from typing import NamedTuple

import bpy

from ...model.report import ObjectKey


class SavedKey(NamedTuple):
    """An object by its name and that of its library; of an instance, also what makes it appear, and which one it is."""

    name: str
    library: str  # "": of the file itself
    host: str = ""
    host_library: str = ""
    persistent_id: tuple[int, ...] = ()

    def seen_from(self, home: str) -> "SavedKey":
        """The same where the file that it was saved in is a library of this name; "": that file is open."""
        return self._replace(library=self.library or home, host_library=self.host_library or home)


class Identities:
    """The objects of the open file by both their names; valid as long as none comes, goes or is renamed."""

    def __init__(self) -> None:
        self._names = dict(_named())
        self._uids = {name: uid for uid, name in self._names.items()}

    def saved(self, key: ObjectKey) -> SavedKey | None:
        """What will name it in a saved file; None if it is not there."""
        name, host = self._names.get(key.session_uid), self._names.get(key.instancer_uid)
        if name is None or (key.instancer_uid and host is None):
            return None
        return SavedKey(*name, *(host or ("", "")), key.persistent_id)

    def loaded(self, saved: SavedKey) -> ObjectKey | None:
        """What names it while this Blender runs; None if it is not there."""
        uid = self._uids.get((saved.name, saved.library))
        host = self._uids.get((saved.host, saved.host_library)) if saved.host else 0
        return None if uid is None or host is None else ObjectKey(uid, host, saved.persistent_id)


def _named() -> Iterator[tuple[int, tuple[str, str]]]:
    for ob in bpy.data.objects:
        yield ob.session_uid, (ob.name, ob.library.name if ob.library is not None else "")
