# SPDX-License-Identifier: GPL-3.0-or-later
"""Collider names: the shape and the owner of ``UBX_Crate_01``.

By the rules of Unreal's importer, the prefix up to the first underscore is the shape, and the rest is the name of the
render mesh, exactly or without its last ``_suffix``. Blender's ``.001`` exists in neither, so names are tried with and
without it.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Generic, TypeVar

# Shape of each prefix. The last is an older spelling of UCX.
PREFIXES = {"UBX": "BOX", "USP": "SPHERE", "UCP": "CAPSULE", "UCX": "HULL", "MCDCX": "HULL"}

_BLENDER_NUMBER = re.compile(r"\.\d{3,}$")

Owner = TypeVar("Owner")


def collider_prefix(name: str) -> str:
    """Return the collider prefix of a name in capitals, without underscore. Empty if there is none."""
    prefix, underscore, _ = name.partition("_")
    return prefix.upper() if underscore and prefix.upper() in PREFIXES else ""


def without_number(name: str) -> tuple[str, str]:
    """Split a name into the name without Blender's ``.001``, and that number, which may be empty."""
    number = _BLENDER_NUMBER.search(name)
    return (name[: number.start()], number.group()) if number else (name, "")


class RenderMeshes(Generic[Owner]):
    """Objects of one scene, or of one collection instance, that can own colliders.

    Parameters
    ----------
    named : iterable of (str, owner)
        Name of each render mesh, and its owner. Names that occur more than once, as in adjacent instances, are
        ambiguous and left out.
    """

    def __init__(self, named: Iterable[tuple[str, Owner]]) -> None:
        self._exact: dict[str, Owner] = {}
        self._any_case: dict[str, Owner] = {}
        ambiguous = set()
        for name, owner in named:
            if name in self._exact:
                ambiguous.add(name)
            self._exact[name] = owner
            self._any_case.setdefault(name.casefold(), owner)
        for name in ambiguous:
            del self._exact[name]
            self._any_case.pop(name.casefold(), None)

    def of_collider(self, name: str, parents: Sequence[tuple[str, Owner]] = ()) -> Owner | None:
        """Return the owner of a collider, or None.

        Parameters
        ----------
        name : str
            Name of the collider, with its prefix.
        parents : sequence of (str, owner)
            Its render mesh ancestors, nearest first. They decide between numbered copies, and the nearest one is the
            result if no name matches.

        Notes
        -----
        For ``UBX_Crate_01.001``, in this order: ``Crate_01.001``; a parent named ``Crate_01`` or ``Crate`` with any
        number; ``Crate_01``; ``Crate.001`` (the collider of a duplicated crate); ``Crate``; the first level of detail,
        ``Crate_01_LOD0`` or ``Crate_LOD0``; the same names ignoring case, as in Unreal's older importer; the nearest
        parent.
        """
        rest = name.partition("_")[2]
        stem, number = without_number(rest)
        shorter = stem.rpartition("_")[0] or stem
        if rest in self._exact:
            return self._exact[rest]
        for parent, owner in parents:
            if without_number(parent)[0] in {stem, shorter}:
                return owner
        candidates = (rest, stem, shorter + number, shorter, f"{stem}_LOD0", f"{shorter}_LOD0")
        for candidate in candidates:
            if candidate in self._exact:
                return self._exact[candidate]
        for candidate in candidates:
            if candidate.casefold() in self._any_case:
                return self._any_case[candidate.casefold()]
        return parents[0][1] if parents else None
