# SPDX-License-Identifier: GPL-3.0-or-later
"""How far colliders are from what is seen."""

from collections.abc import Mapping
from typing import Literal

import bpy

from ..model.coverage_report import CoverageReport, CoverageRequest, Thresholds
from ..scene import arguments
from ..scene.object_states import in_scene
from ..validation import coverage as compared


def coverage(
    scope: Literal["ALL", "VISIBLE", "SELECTED", "COLLECTION"] = "ALL",
    *,
    collection: str = "",
    max_outside: float | None = None,
    max_inside: float | None = None,
    by_collection: Mapping[str, tuple[float | None, float | None]] | None = None,
    tolerance: float | None = None,
    include_hidden: bool = False,
    scene: str = "",
) -> CoverageReport:
    """Compare colliders with render meshes: how far they stick out, and how far they miss what is seen.

    Parameters
    ----------
    scope : str
        ALL, VISIBLE, SELECTED or COLLECTION.
    collection : str
        The name of that of the last.
    max_outside, max_inside : float, optional
        Greatest distances that are no issue, in Blender units: of colliders from what is seen, and of what is seen
        from the colliders. None: none is one.
    by_collection : mapping of str to (float, float), optional
        Others for objects of these collections.
    tolerance : float, optional
        Of the distances. None: a thousandth of the diagonal of each object.
    include_hidden : bool
        Whether hidden render meshes count as seen. Hidden colliders always count.
    scene : str
        As for `check_collisions`.

    Returns
    -------
    CoverageReport
        Its `objects` come worst first, each with `outside`, `inside`, what these are at most, and where;
        `without_collider` has names.

    Raises
    ------
    ValueError
        If there is no such scope, collection or scene, or a length is negative or not finite.

    Examples
    --------
    ::

        report = api.coverage(max_outside=0.05, max_inside=0.05)
        for one in report.failing:
            print(one.name, one.outside, one.outside_point)
    """
    arguments.texts(scope=scope, collection=collection, scene=scene)
    usual = Thresholds(_length("max_outside", max_outside), _length("max_inside", max_inside))
    special = {
        name: Thresholds(*(_length(f"by_collection[{name!r}]", one) for one in pair))
        for name, pair in (by_collection or {}).items()
    }
    request = CoverageRequest(
        scope,
        collection,
        usual,
        special,
        _length("tolerance", tolerance) or None,
        include_hidden=bool(include_hidden),
    )
    with in_scene(bpy.context, scene):
        return compared.compare(bpy.context, request)


def _length(name: str, value: float | None) -> float | None:
    return None if value is None else arguments.length(name, value)
