# SPDX-License-Identifier: GPL-3.0-or-later
"""Geometry that is read once and kept until its object changes."""

from collections.abc import Callable, Iterable, Mapping
from time import monotonic
from weakref import WeakValueDictionary

import bpy
import numpy as np

from ..report import ObjectKey
from .items import walk
from .meshes import GEOMETRY_TYPES, Geometry, GeometryReader, HullMemory, make_hulls

# Vertices whose hulls are made together before time is looked at.
_TOGETHER = 4096


class KnownGeometry:
    """The geometry of many objects, by their keys: plain arrays, so it may outlive the evaluation that it is of."""

    def __init__(self, hulls: HullMemory | None = None) -> None:
        """Keep nothing yet; `hulls` may know some of the hulls already."""
        self._hulls = hulls
        self._known: dict[ObjectKey, Geometry] = {}
        # What looks the same is the same: it keeps its hull, whichever object has it now.
        self._same: WeakValueDictionary[tuple[int, int], Geometry] = WeakValueDictionary()

    def forget(self, uids: Iterable[int]) -> None:
        """Read the geometry of these objects, and of what they make appear, anew."""
        changed = set(uids)
        for key in [key for key in self._known if key.session_uid in changed or key.instancer_uid in changed]:
            del self._known[key]

    def forget_all(self) -> None:
        """Read everything anew; what has the same vertices and triangles as before keeps its hull."""
        self._known.clear()

    def read(
        self,
        depsgraph: bpy.types.Depsgraph,
        wanted: Mapping[int, ObjectKey],
        with_hull: set[ObjectKey],
        late: Callable[[], bool],
        listed: float = 0.0,
    ) -> dict[ObjectKey, Geometry] | None:
        """The geometry at these positions of the instances, which are walked anew: those seen are gone.

        Parameters
        ----------
        wanted : mapping of int to ObjectKey
            Position in the depsgraph's instances, and what is there.
        with_hull : set of ObjectKey
            Those whose hulls are sure to be needed, which are made together.
        late : function
            Whether to stop.
        listed : float
            Seconds that it took to find out what is wanted. It takes as long again each time, so no less is spent on
            reading, however late it is: listings do not become most of the work.

        Returns
        -------
        dict of ObjectKey to Geometry, or None
            None: stopped. Something more is known than before.
        """
        begin = monotonic()

        def enough() -> bool:
            return monotonic() - begin >= listed and late()

        missing = {position for position, key in wanted.items() if key not in self._known}
        if missing:
            reader = GeometryReader()
            same: dict[Geometry, Geometry] = {}
            for position, instance in walk(depsgraph):
                if position in missing and instance.object.type in GEOMETRY_TYPES:
                    geometry = reader.read(instance.object)
                    if geometry not in same:
                        same[geometry] = self._shared(geometry)
                    self._known[wanted[position]] = same[geometry]
                    if enough():
                        return None
        found = {key: self._known[key] for key in wanted.values() if key in self._known}
        needed = [found[key] for key in with_hull if key in found]
        if self._hulls is not None:
            self._hulls.make_hulls(needed)
        elif not _make_hulls(needed, enough):
            return None
        # What is gone for good is not kept.
        if len(self._known) > 2 * len(found) + 64:
            self._known = dict(found)
        return found

    def _shared(self, geometry: Geometry) -> Geometry:
        """The geometry itself, or the one with the same vertices and triangles that is known already."""
        looks = (hash(geometry.points.tobytes()), hash(geometry.triangles.tobytes()))
        other = self._same.setdefault(looks, geometry)
        same = np.array_equal(geometry.points, other.points, equal_nan=True) and np.array_equal(
            geometry.triangles, other.triangles
        )
        return other if same else geometry


def _make_hulls(geometries: list[Geometry], late: Callable[[], bool]) -> bool:
    """Make the hulls that are missing; False: stopped before all were made."""
    missing = [one for one in dict.fromkeys(geometries) if "hull" not in vars(one) and len(one.points)]
    missing = [one for one in missing if one.is_finite]
    while missing:
        size, count = 0, 0
        while count < len(missing) and (not count or size + len(missing[count].points) <= _TOGETHER):
            size, count = size + len(missing[count].points), count + 1
        make_hulls(missing[:count])
        missing = missing[count:]
        if missing and late():
            return False
    return True
