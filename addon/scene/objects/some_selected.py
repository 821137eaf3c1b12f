# SPDX-License-Identifier: GPL-3.0-or-later
"""Limited views of the selection for polls and panels, which run at every redraw with perhaps thousands of objects."""

from collections.abc import Callable
from typing import cast

import bpy

# The number of selected objects that are examined.
MOST = 16


def some_selected(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The first selected objects, at most `MOST`."""
    return list(context.view_layer.objects.selected[:MOST])


def may_be_selected(context: bpy.types.Context, wanted: Callable[[bpy.types.Object], bool]) -> bool:
    """Whether an object that meets a condition is selected; with too many objects to examine, it may be."""
    some = some_selected(context)
    return len(some) == MOST or any(map(wanted, some))


def may_make_instances(ob: bpy.types.Object) -> bool:
    """Whether an object may instance several bodies."""
    return ob.is_instancer or any(modifier.type == "NODES" for modifier in ob.modifiers)


def is_mesh_editable(ob: bpy.types.Object) -> bool:
    """Whether the mesh of an object can be edited; linked ones cannot."""
    return bool(cast(bpy.types.Mesh, ob.data).is_editable)
