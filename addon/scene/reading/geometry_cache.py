# SPDX-License-Identifier: GPL-3.0-or-later
"""A cache of geometry. Each object is read once and kept until it changes."""

from collections.abc import Callable, Generator, Iterable, Mapping
from weakref import WeakValueDictionary

import bpy
import numpy as np

from ...model.report import ObjectKey
from ...model.steps import after, exhausted
from ..meshes.geometry import Geometry, GeometryReader, HullMemory, make_hulls
from ..meshes.types import GEOMETRY_TYPES
from .scene_snapshot import SceneChanged, instances_of

# Number of vertices whose hulls are computed between two checks of the time.
_TOGETHER = 4096


class KnownGeometry:
    """The geometry of many objects, by key: plain arrays, which remain valid after the evaluation has changed."""

    def __init__(self, hulls: HullMemory | None = None) -> None:
        """Start empty. `hulls` may contain some of the hulls already."""
        self._hulls = hulls
        self._known: dict[ObjectKey, Geometry] = {}
        # Equal geometry is one object, so that it keeps its hull when another object has it.
        self._same: WeakValueDictionary[tuple[int, int], Geometry] = WeakValueDictionary()

    def forget(self, uids: Iterable[int]) -> None:
        """Discard the geometry of these objects, and of what they instance."""
        changed = set(uids)
        for key in [key for key in self._known if key.session_uid in changed or key.instancer_uid in changed]:
            del self._known[key]

    def forget_all(self) -> None:
        """Discard all geometry. Geometry with the same vertices and triangles as before keeps its hull."""
        self._known.clear()

    def read(
        self, context: bpy.types.Context, wanted: Mapping[int, ObjectKey], with_hull: set[ObjectKey]
    ) -> dict[ObjectKey, Geometry]:
        """Run all steps of `reading`."""
        return exhausted(self.reading(context, wanted, with_hull, np.inf))

    def reading(
        self,
        context: bpy.types.Context,
        wanted: Mapping[int, ObjectKey],
        with_hull: set[ObjectKey],
        seconds: float,
    ) -> Generator[None, None, dict[ObjectKey, Geometry]]:
        """The geometry at some positions among the instances, in steps. Each step iterates over the instances again.

        Geometry that was read stays in the cache, whether or not further steps are taken.

        Parameters
        ----------
        context : bpy.types.Context
        wanted : mapping of int to ObjectKey
            Position in the depsgraph's instances, and the key of the instance there.
        with_hull : set of ObjectKey
            Objects whose hulls will certainly be needed. They are computed together.
        seconds : float
            Approximate seconds for a step.

        Returns
        -------
        dict of ObjectKey to Geometry

        Raises
        ------
        SceneChanged
            If another instance is at a position.
        """
        missing = {position: key for position, key in wanted.items() if key not in self._known}
        while missing:
            late = after(seconds)
            self._read_some(context.evaluated_depsgraph_get(), missing, late)
            if missing or late():
                yield
        known = self._known
        found = {key: known[key] for key in wanted.values() if key in known}
        needed = [found[key].surface for key in with_hull if key in found]
        if self._hulls is not None:
            self._hulls.make_hulls(needed)
        else:
            yield from _make_hulls(needed, seconds)
        # Geometry that is no longer used is discarded.
        if len(known) > 2 * len(found) + 64:
            self._known = dict(found)
        return found

    def _read_some(
        self, depsgraph: bpy.types.Depsgraph, missing: dict[int, ObjectKey], late: Callable[[], bool]
    ) -> None:
        """Read missing geometry, at least one object, until the time is up. Removes it from `missing`."""
        reader = GeometryReader()
        same: dict[Geometry, Geometry] = {}
        for position, instance in instances_of(depsgraph):
            key = missing.pop(position, None)
            if key is None:
                continue
            evaluated = instance.object
            if evaluated.original.session_uid != key.session_uid:
                raise SceneChanged
            if evaluated.type in GEOMETRY_TYPES:
                geometry = reader.read(evaluated)
                if geometry not in same:
                    same[geometry] = self._shared(geometry)
                self._known[key] = same[geometry]
                if late():
                    return
        if missing:
            raise SceneChanged

    def _shared(self, geometry: Geometry) -> Geometry:
        """The geometry itself, or the cached one with the same vertices and triangles."""
        looks = (hash(geometry.points.tobytes()), hash(geometry.triangles.tobytes()))
        other = self._same.setdefault(looks, geometry)
        same = np.array_equal(geometry.points, other.points, equal_nan=True) and np.array_equal(
            geometry.triangles, other.triangles
        )
        return other if same else geometry


def _make_hulls(geometries: list[Geometry], seconds: float) -> Generator[None, None, None]:
    """Compute the missing hulls."""
    missing = [one for one in dict.fromkeys(geometries) if "hull" not in vars(one) and len(one.points)]
    missing = [one for one in missing if one.is_finite]
    late: Callable[[], bool] = after(seconds)
    while missing:
        size, count = 0, 0
        while count < len(missing) and (not count or size + len(missing[count].points) <= _TOGETHER):
            size, count = size + len(missing[count].points), count + 1
        make_hulls(missing[:count])
        missing = missing[count:]
        if missing and late():
            yield
            late = after(seconds)
