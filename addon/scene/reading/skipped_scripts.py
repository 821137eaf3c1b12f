# SPDX-License-Identifier: GPL-3.0-or-later
"""What Blender has not run because scripts are disabled, as far as it might move or reshape something."""

import ast
from collections.abc import Iterator

import bpy

from ...model.report import Finding
from . import remarks

# Data that has no influence on where anything is, nor on its shape, but for custom properties that others may read.
_LOOKS = (bpy.types.Light, bpy.types.Material, bpy.types.Scene, bpy.types.Texture, bpy.types.World)

# What of an object only changes how it is displayed or rendered.
_DISPLAY = ("color", "display", "hide_render", "show_", "visible_")

# What a script asks Blender to call later, at any time.
_CALLED_LATER = {"driver_namespace", "handlers", "msgbus", "timers"}

# What scripts that only add to the interface set and call when they are loaded.
_HARMLESS = ("bpy.props.", "bpy.types.", "bpy.utils.")


def skipped_scripts(context: bpy.types.Context) -> list[Finding]:
    """Drivers and scripts that were not run and might move or reshape objects of the view layer.

    A driver that Blender works out without Python, or with what it considers safe of it, is none of them.
    """
    # Set as soon as Blender has come to one that it may not run.
    if not bpy.app.autoexec_fail:
        return []
    found = [_finding(data.name, remarks.driver_not_run(path)) for data, path in _drivers(context)]
    texts = (text for text in bpy.data.texts if text.use_module and may_move_objects(text.as_string()))
    return found + [_finding(text.name, remarks.SCRIPT_NOT_RUN) for text in texts]


def _finding(name: str, remark: remarks.Remark) -> Finding:
    return Finding(remark.id, remark.severity, name, remark.message)


def _drivers(context: bpy.types.Context) -> Iterator[tuple[bpy.types.ID, str]]:
    """Each data-block of the view layer that has such a driver, and the property of the first one."""
    for evaluated in context.evaluated_depsgraph_get().ids:
        data = evaluated.original
        animation = getattr(data, "animation_data", None)
        for curve in animation.drivers if animation is not None else ():
            driver = curve.driver
            if driver.type == "SCRIPTED" and not driver.is_valid and _matters(data, curve.data_path):
                yield data, curve.data_path
                break


def _matters(data: bpy.types.ID, path: str) -> bool:
    if isinstance(data, _LOOKS) or (isinstance(data, bpy.types.NodeTree) and data.bl_idname != "GeometryNodeTree"):
        return path.startswith("[")
    return not (isinstance(data, bpy.types.Object) and path.startswith(_DISPLAY))


def may_move_objects(source: str) -> bool:
    """Whether a script might do more, when it is loaded or later by itself, than add to the interface."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return True
    if any(isinstance(node, ast.Attribute | ast.Name) and _name(node) in _CALLED_LATER for node in ast.walk(tree)):
        return True
    return any(_acts(node) for statement in _at_load(tree.body) for node in ast.walk(statement))


def _name(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _at_load(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    """The statements that run when a script is loaded; its function `register` is called then."""
    for statement in body:
        if isinstance(statement, ast.FunctionDef) and statement.name == "register":
            yield from statement.body
        elif not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            yield statement


def _acts(node: ast.AST) -> bool:
    """Whether a part of a statement sets, deletes or calls something that is not a script's own or the interface's."""
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return not ast.unparse(node).startswith(_HARMLESS)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        return not (called.startswith(_HARMLESS) or called in {"print", "register", "register_class", "unregister"})
    return False
