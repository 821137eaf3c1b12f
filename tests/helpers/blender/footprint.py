# SPDX-License-Identifier: GPL-3.0-or-later
"""All references to the extension that Blender and Python hold, wherever they are."""

import logging
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import bpy

NAME = "collision_kit"


def footprint(package: str) -> set[str]:
    """The registered, listening, waiting or drawing parts of the package, as text; empty when it is disabled.

    Modules stay loaded when Blender disables an extension, but nothing may call them any more.
    """
    return {*_known_to_blender(package), *_called_by_blender(package), *_known_to_python(package)}


def modules(package: str) -> set[str]:
    """The loaded modules of a package."""
    return {name for name in sys.modules if name == package or name.startswith(f"{package}.")}


def _is_ours(thing: Any, package: str) -> bool:
    thing = getattr(thing, "func", thing)  # of functools.partial
    module = getattr(thing, "__module__", None) or type(thing).__module__
    return isinstance(module, str) and (module == package or module.startswith(f"{package}."))


def _known_to_blender(package: str) -> Iterator[str]:
    for cls in _subclasses(bpy.types.bpy_struct):
        if _is_ours(cls, package) and "bl_rna" in vars(cls) and getattr(cls, "is_registered", True):
            yield f"class {cls.__name__}"
    for name in dir(bpy.types):
        kind = getattr(bpy.types, name)
        if name.upper().startswith(NAME.upper()):
            yield f"type {name}"
        for rule in kind.bl_rna.properties if hasattr(kind, "bl_rna") else ():
            if rule.is_runtime and (NAME in rule.identifier or _points_to_ours(rule)):
                yield f"property {name}.{rule.identifier}"
        if hasattr(kind, NAME) and isinstance(kind, type):
            yield f"attribute {name}.{NAME}"
    yield from (f"operator {name}" for name in dir(getattr(bpy.ops, NAME)))
    # The user's own keys are updated by the next event.
    configuration = bpy.context.window_manager.keyconfigs.addon
    for keymap in configuration.keymaps if configuration is not None else ():
        for item in keymap.keymap_items:
            called = getattr(item.properties, "name", "") if item.properties is not None else ""
            if NAME in item.idname or NAME.upper() in str(called):
                yield f"key {keymap.name} {item.idname} {called}"


def _points_to_ours(rule: bpy.types.Property) -> bool:
    pointed = getattr(rule, "fixed_type", None)
    return pointed is not None and NAME.upper() in pointed.identifier.upper()


def _called_by_blender(package: str) -> Iterator[str]:
    for name in dir(bpy.app.handlers):
        handlers = getattr(bpy.app.handlers, name)
        if isinstance(handlers, list):
            yield from (f"handler {name} {one.__name__}" for one in handlers if _is_ours(one, package))
    for name in dir(bpy.types):
        drawn = getattr(getattr(getattr(bpy.types, name), "draw", None), "_draw_funcs", ())
        yield from (f"menu {name}" for one in drawn if _is_ours(one, package))
    yield from (f"manual {one.__name__}" for one in bpy.utils._manual_map if _is_ours(one, package))
    status = getattr(bpy.types, "STATUSBAR_HT_header", None)
    if _is_ours(getattr(status, "draw", None), package):
        yield "status bar"
    for module in modules(package):
        for name, thing in vars(sys.modules[module]).items():
            if callable(thing) and _is_ours(thing, package) and bpy.app.timers.is_registered(thing):
                yield f"timer {module}.{name}"
    exporter = sys.modules.get("io_scene_gltf2")
    for name, draw in getattr(exporter, "exporter_extension_layout_draw", {}).items():
        if _is_ours(draw, package):
            yield f"glTF export {name}"
    handler = sys.modules.get(f"{package}.addon.viewport.handler")
    if handler is not None and handler.is_installed():
        yield "draw handlers"


def _known_to_python(package: str) -> Iterator[str]:
    for name in [None, *logging.root.manager.loggerDict]:
        yield from (f"log handler of {name}" for one in logging.getLogger(name).handlers if _is_ours(one, package))
    yield from (f"finder {one}" for one in sys.meta_path if _is_ours(one, package))
    yield from (f"sys.{name}" for name in ("stdout", "stderr", "excepthook") if _is_ours(getattr(sys, name), package))
    yield from (f"thread {one.name}" for one in threading.enumerate() if _is_ours(one, package))
    if not package.startswith("bl_ext."):  # a checkout that contains the tests themselves
        return
    folder = Path(sys.modules[package].__file__ or "").parent if package in sys.modules else Path("/nowhere")
    yield from (f"path {one}" for one in sys.path if one and Path(one).is_relative_to(folder))
    for name, module in list(sys.modules.items()):
        path = getattr(module, "__file__", None)
        if isinstance(path, str) and Path(path).is_relative_to(folder) and not name.startswith((package, NAME)):
            yield f"module {name}"


def _subclasses(cls: type) -> Iterator[type]:
    for one in type.__subclasses__(cls):
        yield one
        yield from _subclasses(one)
