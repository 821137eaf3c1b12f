# SPDX-License-Identifier: GPL-3.0-or-later
"""Draws panels without a window, and records what they would show."""

from types import FunctionType, MethodType, SimpleNamespace
from typing import Any

import bpy

CONTAINERS = {"row", "column", "box", "split", "grid_flow", "column_flow"}
ICONS = set(bpy.types.UILayout.bl_rna.functions["label"].parameters["icon"].enum_items.keys())


class Recorder:
    """Replaces `UILayout`; its parts share the records.

    Attributes
    ----------
    texts : list of str
        The displayed texts, translated by Blender or by the panel itself.
    untranslated : list of str
        The texts among them that Blender would look up.
    props : list of (owner, str)
    operators : list of str
    lists : list of str
    enabled, active, alert : bool
        The state of this part.
    """

    def __init__(self, parent: "Recorder | None" = None) -> None:
        for name in ("texts", "untranslated", "props", "operators", "lists"):
            setattr(self, name, [] if parent is None else getattr(parent, name))
        self.parts: list[Recorder] = []
        self.enabled, self.active, self.alert = True, True, False

    def __getattr__(self, name: str) -> Any:
        if name in CONTAINERS:
            return self._part
        raise AttributeError(name)

    def _part(self, **_options: Any) -> "Recorder":
        self.parts.append(Recorder(self))
        return self.parts[-1]

    def label(self, *, text: str = "", icon: str = "NONE", translate: bool = True) -> None:
        assert icon in ICONS, icon
        self._write(text, translate)

    def prop(
        self,
        data: Any,
        name: str,
        *,
        text: str | None = None,
        icon: str = "NONE",
        translate: bool = True,
        **_looks: bool,
    ) -> None:
        assert icon in ICONS, icon
        assert name in data.bl_rna.properties
        self.props.append((data, name))
        self._write(text or "", translate)

    def prop_enum(
        self, data: Any, name: str, value: str, *, text: str = "", icon: str = "NONE", translate: bool = True
    ) -> None:
        assert value in data.bl_rna.properties[name].enum_items
        self._write(text, translate)

    def operator(
        self, name: str, *, text: str | None = None, icon: str = "NONE", translate: bool = True, **_looks: bool
    ) -> Any:
        assert icon in ICONS, icon
        group, _, verb = name.partition(".")
        assert verb in dir(getattr(bpy.ops, group))
        self.operators.append(name)
        self._write(text or "", translate)
        return SimpleNamespace()

    def menu(self, name: str, *, text: str | None = None, icon: str = "NONE", translate: bool = True) -> None:
        assert icon in ICONS, icon
        assert hasattr(bpy.types, name)
        self._write(text or "", translate)

    def popover(self, *, panel: str, icon: str = "NONE", text: str = "") -> None:
        assert icon in ICONS, icon
        assert hasattr(bpy.types, panel)
        self._write(text)

    def separator(self, *, factor: float = 1.0) -> None:
        assert factor > 0.0

    def panel(self, name: str, *, default_closed: bool = False) -> "tuple[Recorder, Recorder]":
        """Both the header and the body below it, as if it were expanded."""
        return self._part(), self._part()

    def template_list(
        self,
        kind: str,
        _id: str,
        data: Any,
        items: str,
        active_data: Any,
        active: str,
        *,
        item_dyntip_propname: str = "",
        rows: int,
        maxrows: int = 5,
    ) -> None:
        assert hasattr(bpy.types, kind)
        assert items in data.bl_rna.properties
        assert active in active_data.bl_rna.properties
        if item_dyntip_propname:
            assert item_dyntip_propname in data.bl_rna.properties[items].fixed_type.properties
        assert rows > 0
        self.lists.append(kind)

    def _write(self, text: str, translate: bool = True) -> None:
        if text:
            self.texts.append(text)
            if translate:
                self.untranslated.append(text)


def stand_in(cls: type, **attributes: Any) -> SimpleNamespace:
    """An object with the methods of one of Blender's classes, which Python cannot instantiate."""
    fake = SimpleNamespace(**attributes)
    for base in reversed(cls.__mro__):
        for name, member in vars(base).items():
            if isinstance(member, FunctionType):
                setattr(fake, name, MethodType(member, fake))
    return fake


def drawn(panel: type[bpy.types.Panel], context: bpy.types.Context) -> Recorder | None:
    """The contents of a panel, including its header; None if it is not shown."""
    poll = getattr(panel, "poll", None)
    if poll is not None and not poll(context):
        return None
    recorder = Recorder()
    fake = stand_in(panel, layout=recorder)
    for header in ("draw_header", "draw_header_preset"):
        if hasattr(fake, header):
            getattr(fake, header)(context)
    fake.draw(context)
    return recorder


def drawn_row(ui_list: type[bpy.types.UIList], context: bpy.types.Context, index: int) -> Recorder:
    """The contents of one row of a list."""
    recorder = Recorder()
    stand_in(ui_list).draw_item(context, recorder, None, None, 0, None, "", index, 0)
    return recorder
