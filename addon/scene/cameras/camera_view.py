# SPDX-License-Identifier: GPL-3.0-or-later
"""Classes of objects: inside the active camera's view, across its boundary, or outside.

An object is classified by its tested shapes: outside if all of them are outside, inside if all of them are inside. The
shapes of one body are classified together, as is an object with everything that it instances.
"""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

import bpy
import numpy as np

from ....core.constants import CROSSING, INSIDE, OUTSIDE
from ....core.frustum.frustum import Frustum
from ....core.numerics.types import Ints
from ...model.report import Body
from ..meshes.geometry import HullMemory
from ..reading.read_scene import SceneShapes, read_scene
from .camera import camera_frustum


@dataclass(frozen=True, eq=False)
class CameraView:
    """The verdicts for some objects and the view of the active camera, in one frame.

    Attributes
    ----------
    frustum : Frustum
    shapes : SceneShapes
    verdict : dict of int to int
        -1 outside, 0 crossing, 1 inside, by `session_uid`, for every object with shapes.
    """

    frustum: Frustum
    shapes: SceneShapes
    verdict: dict[int, int]


def look_at(
    context: bpy.types.Context,
    objects: Iterable[bpy.types.Object],
    *,
    exact: bool,
    memory: HullMemory | None = None,
) -> CameraView:
    """Classify objects against the active camera, in the current frame.

    Parameters
    ----------
    context : bpy.types.Context
    objects : iterable of bpy.types.Object
        Only these are classified, even if other shapes are read with them.
    exact : bool
        As in `Frustum.classify`.
    memory : HullMemory, optional
        As in `read_scene`.

    Raises
    ------
    UnusableCamera
        If there is no active camera, or it has no frustum.
    """
    frustum = camera_frustum(context)
    wanted = list(objects)
    # Margins are not visible.
    shapes = read_scene(context, wanted, memory=memory, margins=False)
    verdict = np.asarray(frustum.classify(shapes.world, exact=exact), dtype=np.int64)
    asked = {ob.session_uid for ob in wanted}
    of_object: defaultdict[int, set[int]] = defaultdict(set)
    for body, of_body in zip(shapes.bodies, _of_bodies(verdict, shapes.body, len(shapes.bodies)), strict=True):
        for uid in shown_by(body) & asked:
            of_object[uid].add(int(of_body))
    return CameraView(frustum, shapes, {uid: combined(found) for uid, found in of_object.items()})


def in_view(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The visible objects, without those that are outside, with the exact test.

    Objects without shapes are included, so that a check can report why they have none.

    Raises
    ------
    UnusableCamera
        If there is no active camera, or it has no frustum.
    """
    view_layer = context.view_layer
    visible = [ob for ob in view_layer.objects if ob.visible_get(view_layer=view_layer)]
    verdict = look_at(context, visible, exact=True).verdict
    return [ob for ob in visible if verdict.get(ob.session_uid) != OUTSIDE]


def shown_by(body: Body) -> set[int]:
    """The `session_uid` of the scene's objects that show a body. For an instance, its instancer."""
    return {key.selected_uid for key in (body.key, *body.members)}


def combined(verdicts: set[int]) -> int:
    """The verdict for a whole whose parts have these verdicts."""
    return next(iter(verdicts)) if len(verdicts) == 1 else CROSSING


def _of_bodies(verdict: Ints, body: Ints, count: int) -> Ints:
    """The verdict for each body, from those for its shapes."""
    shapes = np.bincount(body, minlength=count)
    inside = np.bincount(body, verdict == INSIDE, count) == shapes
    outside = np.bincount(body, verdict == OUTSIDE, count) == shapes
    return np.where(inside, INSIDE, np.where(outside, OUTSIDE, CROSSING))
