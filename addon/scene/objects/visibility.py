# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether an object is visible, and the reason why not."""

import bpy

from ...model.message import Message
from ...model.report import EXCLUDED, HIDDEN

NOT_IN_LAYER = Message('Not in view layer "{name}": the collection is excluded or not in the scene.')


def hidden_reason(ob: bpy.types.Object, view_layer: bpy.types.ViewLayer) -> str:
    """The reason why an object of the scene is hidden, as a sentence of the report; empty if it is not."""
    if ob.visible_get(view_layer=view_layer):
        return ""
    if ob.name not in view_layer.objects or view_layer.objects[ob.name] != ob:
        return Message(NOT_IN_LAYER, name=view_layer.name)
    if ob.hide_viewport:
        return Message("Disabled in viewports.")
    if ob.hide_get(view_layer=view_layer):
        return Message("Hidden in the viewport.")
    return Message("In a hidden collection.")


def why_hidden(reason: str) -> str:
    """What kind of reason one that `hidden_reason` gives is: `HIDDEN` or `EXCLUDED`."""
    return EXCLUDED if getattr(reason, "template", "") == NOT_IN_LAYER else HIDDEN


def seen_in_all_frames(ob: bpy.types.Object) -> bool:
    """Whether an object is visible; for an animated one, only whether the user has hidden it: the rest may vary."""
    return ob.visible_get() if ob.animation_data is None else not ob.hide_get()


def hidden_in_instance(ob: bpy.types.Object, collection: bpy.types.Collection) -> str:
    """The reason why an object does not appear with its instanced collection, as a sentence of the report."""
    if ob.hide_viewport:
        return Message('Disabled in viewports in the instanced collection "{name}".', name=collection.name)
    return Message('Hidden in the instanced collection "{name}".', name=collection.name)
