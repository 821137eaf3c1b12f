# SPDX-License-Identifier: GPL-3.0-or-later
"""The local view of a 3D view: which objects it shows, beside what the scene hides."""

from collections.abc import Collection
from dataclasses import dataclass

import bpy

from .selection import view_3d


@dataclass(frozen=True)
class LocalView:
    """A 3D view, for as long as one operator or one drawing lasts."""

    context: bpy.types.Context
    window: bpy.types.Window
    area: bpy.types.Area
    region: bpy.types.Region

    @property
    def space(self) -> int:
        """What tells this view from others."""
        return self._space.as_pointer()

    def is_local(self) -> bool:
        """Whether it shows some objects only."""
        return self._space.local_view is not None

    def shown(self) -> set[int]:
        """The `session_uid` of each object in its local view."""
        # Objects learn of local views when they are evaluated; before Blender 5.0 the originals never do.
        depsgraph, space = self.context.evaluated_depsgraph_get(), self._space
        objects = self.context.view_layer.objects
        return {ob.session_uid for ob in objects if ob.evaluated_get(depsgraph).local_view_get(space)}

    def visible(self, uids: Collection[int]) -> bool:
        """Whether the scene shows any of these objects, whatever the local view holds."""
        objects = self.context.view_layer.objects
        with self.context.temp_override(area=None, region=None):
            return any(ob.session_uid in uids and ob.visible_get() for ob in objects)

    def enter(self, uids: Collection[int]) -> bool:
        """Make it local; what it is to show is selected while Blender does that, and the selection is put back."""
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
        """Show everything again."""
        self._toggle()

    def show_only(self, uids: Collection[int]) -> None:
        """Have its local view hold these objects and no others."""
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
            # The view stays where it is: the pair is in it, or is to be framed by whoever wants that.
            return bpy.ops.view3d.localview(frame_selected=False) == {"FINISHED"}


def of(context: bpy.types.Context) -> LocalView | None:
    """The 3D view that the user is in or, failing that, the largest; None where there is none."""
    found = view_3d(context)
    return LocalView(context, *found) if found is not None else None
