# SPDX-License-Identifier: GPL-3.0-or-later
"""Display of colliders in the viewport: as wires or translucent surfaces in colors, or hidden.

Only Blender's own settings of objects and views are used, so undo restores the objects, and the add-on draws nothing.
"""

import colorsys
from collections.abc import Callable, Hashable
from typing import Literal

import bpy

from ...engines.collider_roles import role_of
from ..objects.choice import is_trigger
from ..objects.collision_settings import settings_of
from ..objects.owners import Owners, is_collider

# Blender's display types for colliders.
Style = Literal["WIRE", "SOLID"]

# Difference between the hues of successive groups, as a fraction: neighboring groups differ much, and no two have the
# same hue.
_GOLDEN = 0.6180339887498949
_FIRST_HUE = 0.58

# Kinds of colliders that engines distinguish. Each always has the same color.
_KINDS = ("BOX", "SPHERE", "CAPSULE", "CYLINDER", "HULL", "MESH", "TRIGGER")
_ENGINES = ("UNREAL", "GODOT", "NONE")


def scene_colliders(context: bpy.types.Context) -> list[bpy.types.Object]:
    """The colliders and triggers of the view layer that can be changed."""
    return [ob for ob in context.view_layer.objects if ob.is_editable and (is_collider(ob) or is_trigger(ob))]


def hide(context: bpy.types.Context, hidden: bool) -> list[bpy.types.Object]:
    """Hide or show all colliders in the view layer, as Blender's command does. Return those that have changed."""
    layer = context.view_layer
    changed = [ob for ob in scene_colliders(context) if ob.hide_get(view_layer=layer) != hidden]
    for ob in changed:
        ob.hide_set(hidden, view_layer=layer)
    return changed


def show_as(context: bpy.types.Context, style: Style, color: str, opacity: float) -> list[bpy.types.Object]:
    """Set the display of all colliders of the view layer.

    Parameters
    ----------
    context : bpy.types.Context
    style : str
        WIRE or SOLID. The views of the window then show object colors, unless it is WIRE without a color.
    color : str
        Source of the colors. NONE: white; KIND: the type of shape; ENGINE: the engine of the naming convention;
        RENDER_MESH: the owner; LAYER: the first of the collision layers.
    opacity : float
        Opacity of surfaces, from 0 to 1.

    Returns
    -------
    list of bpy.types.Object
        The colliders.
    """
    found = scene_colliders(context)
    numbers = _numbers(context, found, color)
    for ob, number in zip(found, numbers, strict=True):
        ob.display_type = style
        red, green, blue = (1.0, 1.0, 1.0) if number is None else _shade(number)
        ob.color = (red, green, blue, opacity if style == "SOLID" else 1.0)
    if found and (style, color) != ("WIRE", "NONE"):
        _color_by_object(context.screen)
    return found


def _numbers(context: bpy.types.Context, found: list[bpy.types.Object], color: str) -> list[int | None]:
    """The index of the color of each collider."""
    if color == "NONE":
        return [None] * len(found)
    if color == "RENDER_MESH":
        owners = Owners(context.scene.objects)
        keys = [owner.name if (owner := owners.of(ob)) is not None else "" for ob in found]
        order: dict[Hashable, int] = {key: number for number, key in enumerate(sorted(set(keys)))}
        return [order[key] for key in keys]
    number: dict[str, Callable[[bpy.types.Object], int]] = {"KIND": _kind, "ENGINE": _engine, "LAYER": _layer}
    return [number[color](ob) for ob in found]


def _kind(ob: bpy.types.Object) -> int:
    made, role = settings_of(ob).collider.kind, role_of(ob.name)
    kind = "TRIGGER" if is_trigger(ob) else made if made != "NONE" else role.kind if role is not None else "HULL"
    return _KINDS.index("BOX" if kind == "ORIENTED_BOX" else kind if kind in _KINDS else "HULL")


def _engine(ob: bpy.types.Object) -> int:
    role = role_of(ob.name)
    return _ENGINES.index(role.system.upper() if role is not None and role.own else "NONE")


def _layer(ob: bpy.types.Object) -> int:
    settings = settings_of(ob)
    return next((number for number, on in enumerate(settings.groups) if on), 0) if settings.own_groups else 0


def _shade(number: int) -> tuple[float, float, float]:
    return colorsys.hsv_to_rgb((_FIRST_HUE + _GOLDEN * number) % 1.0, 0.75, 0.9)


def _color_by_object(screen: bpy.types.Screen | None) -> None:
    """Make the 3D views of a window show object colors. Does nothing without a window."""
    for area in screen.areas if screen is not None else ():
        for space in area.spaces:
            if isinstance(space, bpy.types.SpaceView3D):
                space.shading.color_type = "OBJECT"
                space.shading.wireframe_color_type = "OBJECT"
