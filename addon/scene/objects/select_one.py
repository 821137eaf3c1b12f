# SPDX-License-Identifier: GPL-3.0-or-later
"""Selects single objects, and shows them if they are hidden."""

from collections.abc import Iterable

import bpy


def select(context: bpy.types.Context, uids: Iterable[int]) -> int:
    """Select exactly the objects with these `session_uid`, activate the first, and show what an eye icon hides.

    Returns
    -------
    int
        How many are selected: not those that no longer exist or are hidden for another reason and, outside Object
        Mode, only the active one. If there are none, the selection is not changed.
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
