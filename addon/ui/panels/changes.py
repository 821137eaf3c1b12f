# SPDX-License-Identifier: GPL-3.0-or-later
"""Lines above results that belong to another scene, or are out of date."""

import bpy

from ...i18n.lookup import label_
from ...scene import events
from ...session.latest import Result
from .layout import paragraph


def draw_changes(
    layout: bpy.types.UILayout, context: bpy.types.Context, found: Result, scene: str, asked: object
) -> None:
    """Draw the name of the other scene that the results belong to, or else what has changed since.

    Parameters
    ----------
    layout : bpy.types.UILayout
    context : bpy.types.Context
    found : Result
    scene : str
        Name of its scene.
    asked : object
        Current request, to compare with `Result.asked`.
    """
    change = found.change_for(asked)
    if events.place(context) != found.place:
        text = label_('Results of scene "{name}"', name=scene)
    elif change is not None:
        text = label_(change.value)
    else:
        return
    paragraph(layout.box(), context, text, icon="TIME", in_box=True)
