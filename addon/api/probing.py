# SPDX-License-Identifier: GPL-3.0-or-later
"""A character that walks the level."""

from collections.abc import Sequence

import bpy

from ..model.probe_report import ProbeReport, ProbeRequest
from ..probing import check
from ..scene import arguments
from ..scene.coverage import hidden_shown
from ..scene.object_states import in_scene


def probe(
    starts: Sequence[str] = (),
    *,
    radius: float = 0.4,
    height: float = 1.8,
    step: float = 0.35,
    slope: float = 45.0,
    drop: float = 2.0,
    spacing: float = 0.25,
    ball: bool = False,
    margin: float | None = None,
    scope: str = "ALL",
    collection: str = "",
    include_hidden: bool = False,
    scene: str = "",
) -> ProbeReport:
    """Let a character walk on the colliders from some starts, wherever it can go, and find what goes wrong.

    Lengths are in Blender units.

    Parameters
    ----------
    starts : sequence of str
        The names of empties or objects. The character begins on the floor below their origins. Empty: those whose
        names begin with "start" or "spawn".
    radius, height, step, slope, drop, spacing, margin
        See `collision_kit.core.Character` and `collision_kit.core.probe`.
    ball : bool
        A ball of this radius rolls instead.
    scope, collection
        As for `check_collisions`.
    include_hidden, scene
        As for `check_collisions`.

    Returns
    -------
    ProbeReport

    Raises
    ------
    ValueError
        If there is no start, scope, collection or scene of a name, no floor below a start, or a size is out of its
        range.

    Examples
    --------
    ::

        report = api.probe(["Start"], drop=3.0)
        print([(one.kind, one.objects, one.measure) for one in report.found])
    """
    arguments.texts(scope=scope, collection=collection, scene=scene)
    if isinstance(starts, str):
        raise ValueError(f"starts: {starts!r}, but a list of names is needed")
    request = ProbeRequest(
        scope, collection, tuple(starts), radius, height, step, slope, drop, spacing, bool(ball), margin
    )
    with in_scene(bpy.context, scene), hidden_shown(bpy.context, bool(include_hidden)):
        return check.probe(bpy.context, request)
