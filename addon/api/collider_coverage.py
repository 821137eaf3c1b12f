# SPDX-License-Identifier: GPL-3.0-or-later
"""Measure the distances between colliders and render meshes."""

from collections.abc import Mapping
from typing import Literal

import bpy

from ..model.coverage_report import CoverageReport, CoverageRequest, Thresholds
from ..model.probe_report import ProbeReport, ProbeRequest
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
    walk: ProbeReport | None = None,
    reach: float | None = None,
    scene: str = "",
) -> CoverageReport:
    """Compare colliders with render meshes: how far they protrude, and how far they fall short of the visible surface.

    Parameters
    ----------
    scope : str
        ALL, VISIBLE, SELECTED or COLLECTION.
    collection : str
        Name of the collection for scope COLLECTION.
    max_outside, max_inside : float, optional
        Largest allowed distances, in Blender units: from the colliders to the render mesh, and from the render mesh to
        the colliders. None: no limit.
    by_collection : mapping of str to (float, float), optional
        Limits for the objects of these collections.
    tolerance : float, optional
        Accuracy of the distances. None: a thousandth of the diagonal of each object.
    include_hidden : bool
        Whether hidden render meshes are included. Hidden colliders always are.
    walk : ProbeReport, optional
        A report of `probe` of the same scene. Only surfaces that its character comes near count. None: all do.
    reach : float, optional
        How near, in Blender units. None: one and a half spacings of the walk.
    scene : str
        As for `check_collisions`.

    Returns
    -------
    CoverageReport
        Its `objects` are sorted, worst first. Each has `outside`, `inside`, their upper bounds, and the points where
        they occur. `without_collider` lists names.
        `out_of_reach` lists what the character does not come near.

    Raises
    ------
    ValueError
        If the scope, the collection or the scene does not exist, a length is negative or not finite, there was nothing
        to walk on, or `reach` is given without a walk.

    Examples
    --------
    ::

        report = api.coverage(max_outside=0.05, max_inside=0.05)
        for one in report.failing:
            print(one.name, one.outside, one.outside_point)

        reached = api.coverage(max_outside=0.05, walk=api.probe(["Start"]))
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
        walk=_walked(walk),
        reach=_length("reach", reach),
    )
    if walk is None and reach is not None:
        raise ValueError("reach: given without a walk")
    with in_scene(bpy.context, scene):
        return compared.compare(bpy.context, request, walk)


def _walked(walk: ProbeReport | None) -> ProbeRequest | None:
    if walk is None:
        return None
    arguments.report(walk, ProbeReport)
    return walk.request


def _length(name: str, value: float | None) -> float | None:
    return None if value is None else arguments.length(name, value)
