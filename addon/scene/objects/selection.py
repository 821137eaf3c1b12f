# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the objects of a report, select them and frame them, and examine the selection.

Objects may have been deleted since, or another file may have been loaded. Then nothing is found, and nothing is
changed. Polls and panels run at every redraw, possibly with thousands of selected objects, so they examine only the
first few.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast

import bpy
from mathutils import Vector

from ...model.report import ObjectKey
from ..open_file import objects_by_uid
from .view_area import FreePart, free_part

# Half the width in millimeters of the sensor that Blender assumes for the longer side of a 3D view, and the factor by
# which a view shows more than a ball.
_FILM, _MARGIN = 36.0, 1.1

# Objects are framed from this many times the distance that Blender uses, because Blender cuts off parts that
# perspective enlarges, and overlays around the objects need room.
AROUND = 1.5


def select_objects(context: bpy.types.Context, keys: Iterable[ObjectKey]) -> list[bpy.types.Object]:
    """Select exactly the objects with these keys. For an instance, its instancer.

    Returns
    -------
    list of bpy.types.Object
        The selected objects, in the order of the keys, without those that are deleted, hidden or in another view layer.
        If there are none, the selection is not changed.
    """
    view_layer = context.view_layer
    objects = objects_by_uid()
    wanted = dict.fromkeys(key.selected_uid for key in keys)
    found = [objects[uid] for uid in wanted if uid in objects and objects[uid].visible_get(view_layer=view_layer)]
    if not found:
        return []
    for ob in tuple(view_layer.objects.selected):
        ob.select_set(False, view_layer=view_layer)
    for ob in found:
        ob.select_set(True, view_layer=view_layer)
    if context.mode == "OBJECT":
        # In other modes, the active object is the one that is being edited.
        view_layer.objects.active = found[0]
    return [ob for ob in found if ob.select_get(view_layer=view_layer)]


def hide_objects(context: bpy.types.Context, keys: Iterable[ObjectKey]) -> list[bpy.types.Object]:
    """Hide the objects with these keys in the viewport, as Blender's command does. For an instance, its instancer.

    Returns
    -------
    list of bpy.types.Object
        The objects that were visible and are hidden now.
    """
    view_layer = context.view_layer
    wanted = {key.selected_uid for key in keys}
    found = [ob for ob in view_layer.objects if ob.session_uid in wanted and ob.visible_get(view_layer=view_layer)]
    for ob in found:
        ob.hide_set(True, view_layer=view_layer)
    return found


def select_pair(context: bpy.types.Context, key_a: ObjectKey, key_b: ObjectKey) -> list[bpy.types.Object]:
    """Select the two objects of a result, and activate the first; see `select_objects`."""
    return select_objects(context, (key_a, key_b))


def edit(context: bpy.types.Context, ob: bpy.types.Object) -> None:
    """Activate an object and enter Edit Mode, together with other selected objects."""
    context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")


def edit_alone(context: bpy.types.Context, ob: bpy.types.Object) -> None:
    """Enter Edit Mode with only the active object. Other selected objects remain selected."""
    others = [other for other in context.view_layer.objects.selected if other != ob]
    for other in others:
        other.select_set(False)
    edit(context, ob)
    for other in others:
        other.select_set(True)


def frame_selected(context: bpy.types.Context) -> bool:
    """Frame the selected objects. Returns False if there is no 3D view."""
    view = view_3d(context)
    if view is None:
        return False
    window, area, region = view
    with context.temp_override(window=window, area=area, region=region):
        try:
            bpy.ops.view3d.view_selected()
        except RuntimeError:
            return False  # the view is in a mode without framing
    look = _look(area)
    # As Blender frames it, but in the free part of the view.
    radius = min(region.width, region.height) / 2.0 / _MARGIN * _pixel(area, region, AROUND * look.view_distance)
    return frame_ball(context, tuple(look.view_location), radius)


def frame_ball(
    context: bpy.types.Context,
    center: Sequence[float],
    radius: float,
    farther: Callable[[Sequence[float], float], float] | None = None,
) -> bool:
    """Show a ball in the part of the 3D view that sidebars leave free, keeping the view direction.

    Returns False if there is no 3D view. A view through a camera becomes a free view. `farther` may move the viewpoint
    away from the ball: it gets the direction from the ball to the viewpoint, and the distance.
    """
    view = view_3d(context)
    if view is None:
        return False
    _, area, region = view
    space: Any = area.spaces.active
    look = _look(area)
    if look.view_perspective == "CAMERA":
        look.view_perspective = "PERSP"
    free = free_part(context, area, region)
    shorter = max(min(free.right - free.left, free.high - free.low), 1.0)
    distance = 2.0 * _MARGIN * radius / shorter / _pixel(area, region, 1.0)
    distance = max(distance, 1.5 * space.clip_start)
    if farther is not None:
        distance = farther(look.view_rotation @ Vector((0.0, 0.0, 1.0)), distance)
    pixel = _pixel(area, region, distance)
    aside, above = _moved(free, region, _MARGIN * radius / pixel)
    look.view_distance = distance
    look.view_location = Vector(center) - pixel * (look.view_rotation @ Vector((aside, above, 0.0)))
    area.tag_redraw()
    return True


def _look(area: bpy.types.Area) -> Any:
    """The viewpoint of a 3D view."""
    space: Any = area.spaces.active
    return space.region_3d


def _pixel(area: bpy.types.Area, region: bpy.types.Region, distance: float) -> float:
    """The length that a pixel shows at a distance from the viewpoint."""
    space: Any = area.spaces.active
    return 2.0 * distance * _FILM / space.lens / max(region.width, region.height, 1)


def _moved(free: FreePart, region: bpy.types.Region, radius: float) -> tuple[float, float]:
    """Pixels by which a disc in the middle of a region is moved into its free part: to the right, and up."""
    moves = []
    for size, first, last in ((region.width, free.left, free.right), (region.height, free.low, free.high)):
        nearest, farthest = first + radius, last - radius
        middle = size / 2.0
        wanted = min(max(middle, nearest), farthest) if nearest <= farthest else (first + last) / 2.0
        moves.append(wanted - middle)
    return moves[0], moves[1]


def view_3d(
    context: bpy.types.Context,
) -> tuple[bpy.types.Window, bpy.types.Area, bpy.types.Region] | None:
    """The user's 3D view, or otherwise the largest one of this window, or of any window."""
    windows = [window for window in context.window_manager.windows if window.scene == context.scene]
    windows.sort(key=lambda window: window != context.window)
    for window in windows:
        areas = [area for area in window.screen.areas if area.type == "VIEW_3D"]
        areas.sort(key=lambda area: (area != context.area, -area.width * area.height))
        for area in areas:
            region = next((region for region in area.regions if region.type == "WINDOW"), None)
            if region is not None:
                return window, area, region
    return None


def one_for_each_mesh(objects: Iterable[bpy.types.Object]) -> list[bpy.types.Object]:
    """The first object of each group of objects that share a mesh."""
    found: dict[bpy.types.ID | None, bpy.types.Object] = {}
    for ob in objects:
        found.setdefault(ob.data, ob)
    return list(found.values())


def select_uids(context: bpy.types.Context, uids: Iterable[int]) -> int:
    """Select exactly the objects with these `session_uid`, activate the first, and show those hidden by the eye icon.

    Returns
    -------
    int
        Number of selected objects, without those that no longer exist or are hidden for another reason. Outside Object
        Mode, only the active object counts. If there are none, the selection is not changed.
    """
    layer, places = context.view_layer, {uid: place for place, uid in enumerate(dict.fromkeys(uids))}
    found = sorted((ob for ob in layer.objects if ob.session_uid in places), key=lambda ob: places[ob.session_uid])
    if context.mode != "OBJECT":
        found = [ob for ob in found if ob is layer.objects.active]
    for ob in found:
        if ob.hide_get(view_layer=layer):
            ob.hide_set(False, view_layer=layer)
    shown = [ob for ob in found if ob.visible_get(view_layer=layer)]
    if not shown:
        return 0
    for other in tuple(layer.objects.selected):
        other.select_set(False, view_layer=layer)
    for ob in shown:
        ob.select_set(True, view_layer=layer)
    layer.objects.active = shown[0]
    return len(shown)


# The number of selected objects that are examined.
MOST_EXAMINED = 16


def some_selected(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The first selected objects, at most `MOST_EXAMINED`."""
    return list(context.view_layer.objects.selected[:MOST_EXAMINED])


def may_be_selected(context: bpy.types.Context, wanted: Callable[[bpy.types.Object], bool]) -> bool:
    """Whether an object that meets a condition is selected. With too many objects to examine, True."""
    some = some_selected(context)
    return len(some) == MOST_EXAMINED or any(map(wanted, some))


def may_make_instances(ob: bpy.types.Object) -> bool:
    """Whether an object may instance several bodies."""
    return ob.is_instancer or any(modifier.type == "NODES" for modifier in ob.modifiers)


def is_mesh_editable(ob: bpy.types.Object) -> bool:
    """Whether the mesh of an object can be edited. Linked ones cannot."""
    return bool(cast(bpy.types.Mesh, ob.data).is_editable)
