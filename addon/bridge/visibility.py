# SPDX-License-Identifier: GPL-3.0-or-later
"""Why an object cannot be seen."""

import bpy


def hidden_reason(ob: bpy.types.Object, view_layer: bpy.types.ViewLayer) -> str:
    """Return why an object of the scene is hidden, as a phrase without its subject; empty if it is not."""
    if ob.visible_get(view_layer=view_layer):
        return ""
    if ob.name not in view_layer.objects or view_layer.objects[ob.name] != ob:
        return f"not in the view layer {view_layer.name!r}: its collection is excluded or not in the scene"
    if ob.hide_viewport:
        return "disabled in viewports"
    if ob.hide_get(view_layer=view_layer):
        return "hidden in the viewport"
    return "in a hidden collection"


def hidden_in_instance(ob: bpy.types.Object, collection: bpy.types.Collection) -> str:
    """Return why an object does not appear with its instanced collection, as a phrase without its subject."""
    why = "disabled in viewports" if ob.hide_viewport else "hidden"
    return f"{why} in the instanced collection {collection.name!r}"
