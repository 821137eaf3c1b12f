# SPDX-License-Identifier: GPL-3.0-or-later
"""Whether and why an object is hidden, and ways to show it temporarily: evaluation and the local view."""

from collections.abc import Collection, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import bpy

from ...model.message import Message
from ...model.report import EXCLUDED, HIDDEN
from .. import open_file
from .own_data import check_own_scene
from .selection import view_3d

NOT_IN_LAYER = Message('Not in view layer "{name}": the collection is excluded or not in the scene.')


def hidden_reason(ob: bpy.types.Object, view_layer: bpy.types.ViewLayer) -> str:
    """The reason why an object of the scene is hidden, as a sentence of the report. Empty if it is not."""
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
    """Return the kind of a reason from `hidden_reason`: `HIDDEN` or `EXCLUDED`."""
    return EXCLUDED if getattr(reason, "template", "") == NOT_IN_LAYER else HIDDEN


def seen_in_all_frames(ob: bpy.types.Object) -> bool:
    """Whether an object is visible.

    For an animated object, only whether the user has hidden it, because the rest may vary.
    """
    return ob.visible_get() if ob.animation_data is None else not ob.hide_get()


def hidden_in_instance(ob: bpy.types.Object, collection: bpy.types.Collection) -> str:
    """The reason why an object does not appear with its instanced collection, as a sentence of the report."""
    if ob.hide_viewport:
        return Message('Disabled in viewports in the instanced collection "{name}".', name=collection.name)
    return Message('Hidden in the instanced collection "{name}".', name=collection.name)


@dataclass(frozen=True)
class LocalView:
    """A 3D view, valid during one operator or one redraw."""

    context: bpy.types.Context
    window: bpy.types.Window
    area: bpy.types.Area
    region: bpy.types.Region

    @property
    def space(self) -> int:
        """An identifier of this view."""
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
        """Enter local view. The objects to show are selected for this, and the selection is restored."""
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


def local_view(context: bpy.types.Context) -> LocalView | None:
    """The user's 3D view, or otherwise the largest one. None if there is none."""
    found = view_3d(context)
    return LocalView(context, *found) if found is not None else None


@contextmanager
def evaluated(context: bpy.types.Context, objects: Iterable[bpy.types.Object]) -> Iterator[None]:
    """Enable disabled objects. Otherwise they have no modifiers, no constraints, and no placement after loading.

    Afterwards they are disabled again.

    Raises
    ------
    UserError
        If there are such objects and the scene is linked.
    """
    graph = context.evaluated_depsgraph_get()
    off = [ob for ob in dict.fromkeys(objects) if not ob.evaluated_get(graph).is_evaluated]
    if not off:
        yield
        return
    check_own_scene(context.scene)
    hidden = [ob.session_uid for ob in off if ob.hide_viewport]
    # A collection that is enabled, whatever other collections they are in.
    enabled = bpy.data.collections.new("Evaluated")
    try:
        context.scene.collection.children.link(enabled)
        for ob in off:
            enabled.objects.link(ob)
            ob.hide_viewport = False
        context.view_layer.update()
        yield
    finally:
        bpy.data.collections.remove(enabled)
        # The remaining ones.
        for ob in open_file.objects_by_uid(hidden).values():
            ob.hide_viewport = True
        context.view_layer.update()


def disable_like(objects: Iterable[bpy.types.Object], others: Iterable[bpy.types.Object]) -> None:
    """Disable or enable each object like another one, not only through its collections."""
    for ob, other in zip(objects, others, strict=True):
        ob.hide_viewport = other.hide_viewport
