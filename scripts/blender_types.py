# SPDX-License-Identifier: GPL-3.0-or-later
"""Plugin of mypy: what the stubs of Blender call optional, and what is always there where this add-on asks for it."""

from collections.abc import Callable

from mypy.plugin import AttributeContext, Plugin
from mypy.types import NoneType, Type, UnionType, get_proper_type

# A context of an open file has them in every operator, panel, handler and script; `Context` itself is not optional.
ALWAYS_THERE = {
    *(f"bpy.types.Context.{name}" for name in ("scene", "view_layer", "window_manager", "preferences", "workspace")),
    "bpy.types.Panel.layout",
    "bpy.types.Menu.layout",
    "bpy.types.Header.layout",
    "bpy.types.Operator.layout",
    "bpy.types.UIList.layout",
    # What the depsgraph lists is evaluated from something, and what it lists as an instance has a parent.
    "bpy.types.ID.original",
    "bpy.types.DepsgraphObjectInstance.object",
    "bpy.types.DepsgraphObjectInstance.parent",
}


class BlenderTypes(Plugin):
    """Takes `None` out of the types of these attributes."""

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Return what changes the type of this attribute."""
        return without_none if fullname in ALWAYS_THERE else None


def without_none(context: AttributeContext) -> Type:
    """Return the type of an attribute that is never None."""
    found = get_proper_type(context.default_attr_type)
    if not isinstance(found, UnionType):
        return found
    return UnionType.make_union([item for item in found.items if not isinstance(get_proper_type(item), NoneType)])


def plugin(_version: str) -> type[Plugin]:
    """Return the plugin, for mypy."""
    return BlenderTypes
