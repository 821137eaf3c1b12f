# SPDX-License-Identifier: GPL-3.0-or-later
"""Names of colliders that tell an engine their kind and their owner."""

from collections.abc import Iterable, Mapping

from .kinds import PREFIX_OF
from .name_templates import name_by
from .unreal_names import PREFIXES, collider_prefix, without_number

GODOT_SUFFIX = "-convcolonly"
GODOT_MESH_SUFFIX = "-colonly"


class Names:
    """Generates free names.

    Parameters
    ----------
    taken : iterable of str
        Names of all objects of the file.
    templates : mapping of str to str, optional
        By engine, a template of `name_templates` that replaces the engine's convention.
    """

    def __init__(self, taken: Iterable[str], templates: Mapping[str, str] | None = None) -> None:
        self._templates = dict(templates or {})
        self._taken = set(taken)
        # Unreal's older importer ignores case.
        self._folded = {name.casefold() for name in self._taken}

    def next_of(self, collider: str, owner: str) -> str:
        """Return a free name for a copy of a collider, similar to its name, for any engine."""
        prefix = collider_prefix(collider)
        if prefix:
            return self.take("UNREAL", PREFIXES[prefix], owner)
        for suffix, kind in ((GODOT_SUFFIX, "HULL"), (GODOT_MESH_SUFFIX, "MESH")):
            if without_number(collider)[0].endswith(suffix):
                return self.take("GODOT", kind, owner)
        return self.take("UNITY", "HULL", owner)

    def take(self, engine: str, kind: str, owner: str) -> str:
        """Reserve and return the next free name of a collider.

        Parameters
        ----------
        engine : str
            UNREAL, GODOT, UNITY or GLTF.
        kind : str
            BOX, SPHERE, CAPSULE, CYLINDER, HULL or MESH, which Unreal does not have.
        owner : str
            Name of its render mesh.

        Notes
        -----
        ``UCX_Crate_01`` would belong to ``Crate_01`` rather than to ``Crate`` if that object exists. So numbers that
        give the name of another object are skipped.
        """
        number = 1
        while True:
            name = self._name(engine, kind, owner, number)
            pairs_with = f"{owner}_{number:02d}".casefold() if engine == "UNREAL" else ""
            if name.casefold() not in self._folded and pairs_with not in self._folded:
                self._taken.add(name)
                self._folded.add(name.casefold())
                return name
            number += 1

    def free(self, name: str) -> str:
        """Reserve and return a name, with a number if it is taken."""
        number, found = 1, name
        while found in self._taken:
            number += 1
            found = f"{name}_{number:02d}"
        self._taken.add(found)
        self._folded.add(found.casefold())
        return found

    def give_back(self, *names: str) -> None:
        """Release the names of objects that will be renamed."""
        self._taken.difference_update(names)
        self._folded = {one.casefold() for one in self._taken}

    def _name(self, engine: str, kind: str, owner: str, number: int) -> str:
        if engine in self._templates:
            return name_by(self._templates[engine], engine, kind, owner, number)
        if engine == "UNREAL":
            return f"{PREFIX_OF[kind]}_{owner}_{number:02d}"
        if engine == "GODOT":
            # Godot requires the suffix at the very end, and the rest must be a valid name.
            return f"{owner}_{number:02d}{GODOT_MESH_SUFFIX if kind == 'MESH' else GODOT_SUFFIX}"
        return f"{owner}_collider" if number == 1 else f"{owner}_collider_{number:02d}"
