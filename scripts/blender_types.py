# SPDX-License-Identifier: GPL-3.0-or-later
"""Plugin of mypy for Blender: what the stubs call optional and is not, and who may read and change the open file."""

from collections.abc import Callable
from pathlib import Path

from mypy.plugin import AttributeContext, MethodContext, Plugin
from mypy.types import NoneType, Type, UnionType, get_proper_type

TYPES = "bpy.types."

# A context of an open file has the first ones in every operator, panel, handler and script. What the depsgraph lists is
# evaluated from something, and what it lists as an instance has a parent.
ALWAYS_THERE = {
    *(f"Context.{name}" for name in ("scene", "view_layer", "window_manager", "preferences", "workspace")),
    *(f"{name}.layout" for name in ("Panel", "Menu", "Header", "Operator", "UIList")),
    *("ID.original", "DepsgraphObjectInstance.object", "DepsgraphObjectInstance.parent"),
}

# The package of the add-on that reads and changes what is in the open file.
OWNER = Path("addon", "scene")
# What is not in the file: the window, its events and its layouts, operators and preferences.
INTERFACE = {
    *("AddonPreferences", "Addon", "Area", "Context", "Event", "Header", "Menu", "Operator", "OperatorOptions"),
    *(
        "OperatorProperties",
        "Panel",
        "Preferences",
        "PreferencesSystem",
        "PreferencesView",
        "Region",
        "RegionView3D",
        "Screen",
    ),
    *("Addons", "ContextTempOverride", "KeyConfig", "KeyConfigurations", "KeyMap", "KeyMapItem", "KeyMapItems"),
    *("KeyMaps", "Screen", "SpaceView3D", "ThemeFontStyle", "ThemeStyle", "UILayout", "UIList", "View3DOverlay"),
    *("WindowManager", "WorkSpace"),
}
# What the other packages may read of the file: which objects there are, and what a context says of the scene.
READ_ANYWHERE = {
    *(f"ID.{name}" for name in ("library", "name", "session_uid")),
    *("Object.mode", "Object.type", "LayerObjects.active", "LayerObjects.selected", "ViewLayer.objects"),
    *(f"Scene.{name}" for name in ("camera", "objects", "render", "unit_settings", "use_preview_range")),
    *(f"Scene.frame_{name}" for name in ("current", "end", "start")),
    *("RenderSettings.fps", "RenderSettings.fps_base"),
    *(f"UnitSettings.{name}" for name in ("length_unit", "scale_length", "system", "system_rotation")),
}
# Whether an object can be seen; have evaluated what was changed.
CALLED_ANYWHERE = {"Object.visible_get", "ViewLayer.update"}


class BlenderTypes(Plugin):
    """Looks at every attribute of Blender's types."""

    def get_attribute_hook(self, fullname: str) -> Callable[[AttributeContext], Type] | None:
        """Return what gives this attribute its type."""
        if not fullname.startswith(TYPES):
            return None
        name = fullname.removeprefix(TYPES)

        def hook(context: AttributeContext) -> Type:
            if is_elsewhere(context, name) and (context.is_lvalue or name not in READ_ANYWHERE):
                context.api.fail(f"{name} is {'set' if context.is_lvalue else 'read'} outside {OWNER}", context.context)
            return without_none(context.default_attr_type) if name in ALWAYS_THERE else context.default_attr_type

        return hook

    def get_method_hook(self, fullname: str) -> Callable[[MethodContext], Type] | None:
        """Return what gives a call of this method its type."""
        # All may go through a list, and compare what they hold.
        if not fullname.startswith(TYPES) or fullname.endswith("__") or "bpy_prop_collection" in fullname:
            return None
        name = fullname.removeprefix(TYPES)

        def hook(context: MethodContext) -> Type:
            if is_elsewhere(context, name) and name not in CALLED_ANYWHERE:
                context.api.fail(f"{name} is called outside {OWNER}", context.context)
            return context.default_return_type

        return hook


def is_elsewhere(context: AttributeContext | MethodContext, name: str) -> bool:
    """Whether this belongs to the open file, and is named in the add-on by another than its owner."""
    parts = Path(context.api.path).parts
    if name.partition(".")[0] in INTERFACE or "addon" not in parts:
        return False
    return not Path(*parts[parts.index("addon") :]).is_relative_to(OWNER)


def without_none(whole: Type) -> Type:
    """Return a type without None."""
    found = get_proper_type(whole)
    if not isinstance(found, UnionType):
        return found
    return UnionType.make_union([item for item in found.items if not isinstance(get_proper_type(item), NoneType)])


def plugin(_version: str) -> type[Plugin]:
    """Return the plugin, for mypy."""
    return BlenderTypes
