# SPDX-License-Identifier: GPL-3.0-or-later
"""The local view of a 3D view, and the objects that it shows."""

from collections.abc import Collection
from dataclasses import dataclass

import bpy

from .selection import view_3d


@dataclass(frozen=True)
class LocalView:
    """A 3D view, valid during one operator or one drawing."""

    context: bpy.types.Context
    window: bpy.types.Window
    area: bpy.types.Area
    region: bpy.types.Region

    @property
    def space(self) -> int:
        """A value that identifies this view."""
        return self._space.as_pointer()

    def is_local(self) -> bool:
        """Whether the view is in local view."""
        return self._space.local_view is not None

    def shown(self) -> set[int]:
        """The `session_uid` of each object in its local view."""
        # Evaluated objects have the flags of local views; originals do not before Blender 5.0.
        depsgraph, space = self.context.evaluated_depsgraph_get(), self._space
        objects = self.context.view_layer.objects
        return {ob.session_uid for ob in objects if ob.evaluated_get(depsgraph).local_view_get(space)}

    def visible(self, uids: Collection[int]) -> bool:
        """Whether the scene shows any of these objects, apart from local view."""
        objects = self.context.view_layer.objects
        with self.context.temp_override(area=None, region=None):
            return any(ob.session_uid in uids and ob.visible_get() for ob in objects)

    def enter(self, uids: Collection[int]) -> bool:
        """Enter local view; the objects to be shown are selected for this, and the selection is restored."""
        objects = list(self.context.view_layer.objects)
        selected = {ob.session_uid for ob in objects if ob.select_get()}
        for ob in objects:
            ob.select_set(ob.session_uid in uids)
        try:
            return self._toggle()
        finally:
            for ob in objects:
                ob.select_set(ob.session_uid in selected)

    def leave(self) -> None:
        """Leave local view."""
        self._toggle()

    def show_only(self, uids: Collection[int]) -> None:
        """Change the objects in local view to exactly these."""
        for ob in self.context.view_layer.objects:
            ob.local_view_set(self._space, ob.session_uid in uids)
        self.context.view_layer.update()

    @property
    def _space(self) -> bpy.types.SpaceView3D:
        space = self.area.spaces.active
        assert isinstance(space, bpy.types.SpaceView3D)
        return space

    def _toggle(self) -> bool:
        with self.context.temp_override(window=self.window, area=self.area, region=self.region):
            # The view does not move: the pair is visible, or the caller frames it.
            return bpy.ops.view3d.localview(frame_selected=False) == {"FINISHED"}


def of(context: bpy.types.Context) -> LocalView | None:
    """The user's 3D view, or else the largest one; None if there is none."""
    found = view_3d(context)
    return LocalView(context, *found) if found is not None else None
