# SPDX-License-Identifier: GPL-3.0-or-later
"""Selects one object, and nothing else."""

import bpy


def select(context: bpy.types.Context, uid: int) -> bool:
    """Select the object with this `session_uid`, make it active, and show it if only its eye is closed.

    Returns
    -------
    bool
        Whether it is selected; False: it is gone, or not to be seen for another reason.
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
