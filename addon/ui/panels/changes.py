# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines above results that are not of what is open, or no longer hold."""

import bpy

from ...i18n.lookup import label_
from ...scene import events
from ...session.latest import Result
from .layout import paragraph


def draw_changes(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: Result, scene: str, asked: object
) -> None:
    """Draw the scene of results of another scene, or else what has happened since, if anything has.

    Parameters
    ----------
    layout : bpy.types.UILayout
    context : bpy.types.Context
    found : Result
    scene : str
        The name of its scene.
    asked : object
        What is asked for now, as `Result.asked` is what was.
    """
    change = found.change_for(asked)
    if events.place(context) != found.place:
        text = label_('Results of scene "{name}"', name=scene)
    elif change is not None:
        text = label_(change.value)
    else:
        return
    paragraph(layout.box(), context, text, icon="TIME", in_box=True)
