# SPDX-License-Identifier: GPL-3.0-or-later
"""Selects a single object."""

import bpy


def select(context: bpy.types.Context, uid: int) -> bool:
    """Select the object with this `session_uid`, activate it, and show it if it is only hidden by its eye icon.

    Returns
    -------
    bool
        Whether it is selected; False if it no longer exists, or is hidden for another reason.
    """
    layer = context.view_layer
    ob = next((one for one in layer.objects if one.session_uid == uid), None)
    if ob is None:
        return False
    if ob.hide_get(view_layer=layer):
        ob.hide_set(False, view_layer=layer)
    if not ob.visible_get(view_layer=layer):
        return False
    if context.mode != "OBJECT" and layer.objects.active is not ob:
        return False
    for other in tuple(layer.objects.selected):
        other.select_set(False, view_layer=layer)
    ob.select_set(True, view_layer=layer)
    layer.objects.active = ob
    return True
