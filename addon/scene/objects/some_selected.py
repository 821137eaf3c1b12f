# SPDX-License-Identifier: GPL-3.0-or-later
"""What polls and panels may know of the selection: they are asked at every redraw, and thousands may be selected."""

from collections.abc import Callable
from typing import cast

import bpy

# How many of the selected objects are looked at.
MOST = 16


def some_selected(context: bpy.types.Context) -> list[bpy.types.Object]:
    """Return the first of the selected objects, at most `MOST`."""
    return list(context.view_layer.objects.selected[:MOST])


def may_be_selected(context: bpy.types.Context, wanted: Callable[[bpy.types.Object], bool]) -> bool:
    """Whether an object that is wanted is selected; where too many are selected to look at all, it may be."""
    some = some_selected(context)
    return len(some) == MOST or any(map(wanted, some))


def may_make_instances(ob: bpy.types.Object) -> bool:
    """Whether an object may make several bodies."""
    return ob.is_instancer or any(modifier.type == "NODES" for modifier in ob.modifiers)


def is_mesh_editable(ob: bpy.types.Object) -> bool:
    """Whether the mesh of an object can be edited: linked ones can be looked at only."""
    return bool(cast(bpy.types.Mesh, ob.data).is_editable)
