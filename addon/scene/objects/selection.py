# SPDX-License-Identifier: GPL-3.0-or-later
"""Shows results in Blender: finds the objects of a report again, selects them and brings them into view.

Objects may have been deleted since, and whole files loaded; then there is nothing to find, and nothing is
done.
"""

from collections.abc import Iterable, Sequence
from typing import Any

import bpy

from ...model.report import ObjectKey
from ..open_file import objects_by_uid

# How much farther away objects are framed than Blender does it: it cuts off what perspective makes large, and what is
# drawn around them needs room.
AROUND = 1.5


def select_objects(context: bpy.types.Context, keys: Iterable[ObjectKey]) -> list[bpy.types.Object]:
    """Select what these keys name and nothing else; of an instance, the object that makes it appear.

    Returns
    -------
    list of bpy.types.Object
        What is selected now, in the order of the keys: without what is gone, hidden or in another view layer.
        If that is nothing, the selection is left as it was.
    """
    view_layer = context.view_layer
    objects = objects_by_uid()
    wanted = dict.fromkeys(key.instancer_uid or key.session_uid for key in keys)
    found = [objects[uid] for uid in wanted if uid in objects and objects[uid].visible_get(view_layer=view_layer)]
    if not found:
        return []
    for ob in tuple(view_layer.objects.selected):
        ob.select_set(False, view_layer=view_layer)
    for ob in found:
        ob.select_set(True, view_layer=view_layer)
    if context.mode == "OBJECT":
        # In another mode the active object is the one that is being worked on.
        view_layer.objects.active = found[0]
    return [ob for ob in found if ob.select_get(view_layer=view_layer)]


def hide_objects(context: bpy.types.Context, keys: Iterable[ObjectKey]) -> list[bpy.types.Object]:
    """Hide what these keys name in the viewport, as its own command does; of an instance, what makes it appear.

    Returns
    -------
    list of bpy.types.Object
        What is hidden now and could be seen before.
    """
    view_layer = context.view_layer
    wanted = {key.instancer_uid or key.session_uid for key in keys}
    found = [ob for ob in view_layer.objects if ob.session_uid in wanted and ob.visible_get(view_layer=view_layer)]
    for ob in found:
        ob.hide_set(True, view_layer=view_layer)
    return found


def select_pair(context: bpy.types.Context, key_a: ObjectKey, key_b: ObjectKey) -> list[bpy.types.Object]:
    """Select the two objects of a result, and make the first the active one; see `select_objects`."""
    return select_objects(context, (key_a, key_b))


def edit(context: bpy.types.Context, ob: bpy.types.Object) -> None:
    """Make an object active and enter edit mode, with whatever else is selected."""
    context.view_layer.objects.active = ob
    bpy.ops.object.mode_set(mode="EDIT")


def edit_alone(context: bpy.types.Context, ob: bpy.types.Object) -> None:
    """Enter edit mode with the active object alone; whatever else is selected stays so."""
    others = [other for other in context.view_layer.objects.selected if other != ob]
    for other in others:
        other.select_set(False)
    edit(context, ob)
    for other in others:
        other.select_set(True)


def frame_selected(context: bpy.types.Context, objects: Sequence[bpy.types.Object] | None = None) -> bool:
    """Bring the selected objects, or only these of them, into view; return False if there is no 3D view."""
    view = view_3d(context)
    if view is None:
        return False
    others = [] if objects is None else [ob for ob in context.view_layer.objects.selected if ob not in objects]
    for ob in others:
        ob.select_set(False)
    window, area, region = view
    with context.temp_override(window=window, area=area, region=region):
        try:
            bpy.ops.view3d.view_selected()
        except RuntimeError:
            return False  # the view is in a mode that has nothing to frame
        finally:
            for ob in others:
                ob.select_set(True)
    space: Any = area.spaces.active
    space.region_3d.view_distance *= AROUND
    return True


def view_3d(
    context: bpy.types.Context,
) -> tuple[bpy.types.Window, bpy.types.Area, bpy.types.Region] | None:
    """The 3D view that the user is in or, failing that, the largest of this window, or of any window."""
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
    """Return the first of the objects that share a mesh."""
    found: dict[bpy.types.ID | None, bpy.types.Object] = {}
    for ob in objects:
        found.setdefault(ob.data, ob)
    return list(found.values())
