# SPDX-License-Identifier: GPL-3.0-or-later
"""Drivers and scripts that Blender has not run because scripts are disabled, if they might move or reshape objects."""

import ast
from collections.abc import Iterator

import bpy

from ...model.report import Issue
from . import known_issues

# Datablocks that do not affect the placement or shape of objects, unless another driver reads them.
_LOOKS = (bpy.types.Light, bpy.types.Material, bpy.types.Texture, bpy.types.World)

# Properties of an object that only change its display or rendering.
_DISPLAY = ("color", "display", "hide_render", "show_", "visible_")

# Names in a script that register functions to be called later.
_CALLED_LATER = {"driver_namespace", "handlers", "msgbus", "timers"}

# Names that scripts which only extend the interface assign or call when they are loaded.
_HARMLESS = ("bpy.props.", "bpy.types.", "bpy.utils.previews.", "bpy.utils.register_", "bpy.utils.unregister_")


def skipped_scripts(context: bpy.types.Context) -> list[Issue]:
    """Drivers and scripts that were not run and might move or reshape objects of the view layer.

    Drivers that Blender evaluates without Python, or with the subset that it considers safe, are not included.
    """
    # Blender sets this as soon as it has blocked a script or driver.
    if not bpy.app.autoexec_fail:
        return []
    found = [_issue(data.name, known_issues.driver_not_run(path)) for data, path in _drivers(context)]
    texts = (text for text in bpy.data.texts if text.use_module and may_move_objects(text.as_string()))
    return found + [_issue(text.name, known_issues.SCRIPT_NOT_RUN) for text in texts]


def _issue(name: str, issue: known_issues.ReadingIssue) -> Issue:
    return Issue(issue.id, issue.severity, name, issue.message)


def _drivers(context: bpy.types.Context) -> Iterator[tuple[bpy.types.ID, str]]:
    """Each datablock of the view layer with such a driver, and the property of its first one."""
    driven = [
        (evaluated.original, animation.drivers)
        for evaluated in context.evaluated_depsgraph_get().ids
        if (animation := getattr(evaluated.original, "animation_data", None)) is not None
    ]
    read = set(_read(context, [curve.driver for _, curves in driven for curve in curves]))
    for data, curves in driven:
        for curve in curves:
            driver = curve.driver
            skipped = driver.type == "SCRIPTED" and not driver.is_valid
            if skipped and (data in read or not _only_looks(data, curve.data_path)):
                yield data, curve.data_path
                break


def _read(context: bpy.types.Context, drivers: list[bpy.types.Driver]) -> Iterator[bpy.types.ID | None]:
    """The datablocks whose properties are variables of drivers."""
    for driver in drivers:
        for variable in driver.variables:
            if variable.type == "SINGLE_PROP":
                yield variable.targets[0].id
            elif variable.type == "CONTEXT_PROP":
                yield context.scene


def _only_looks(data: bpy.types.ID, path: str) -> bool:
    """Whether a property only changes how an object is displayed or rendered."""
    if isinstance(data, bpy.types.NodeTree):
        return data.bl_idname != "GeometryNodeTree"
    return isinstance(data, _LOOKS) or (isinstance(data, bpy.types.Object) and path.startswith(_DISPLAY))


def may_move_objects(source: str) -> bool:
    """Whether a script might do more than extend the interface, when it is loaded or later."""
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError):
        return True
    if any(isinstance(node, ast.Attribute | ast.Name) and _name(node) in _CALLED_LATER for node in ast.walk(tree)):
        return True
    return any(_acts(node) for statement in _at_load(tree.body) for node in ast.walk(statement))


def _name(node: ast.Attribute | ast.Name) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id


def _at_load(body: list[ast.stmt]) -> Iterator[ast.AST]:
    """The statements that run when a script is loaded, including the function `register`, which is called then."""
    for statement in body:
        if isinstance(statement, ast.ClassDef) or (
            isinstance(statement, ast.FunctionDef) and statement.name == "register"
        ):
            yield from _at_load(statement.body)
        elif isinstance(statement, ast.AnnAssign):
            if statement.value is not None:
                yield statement.value
        elif not isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef):
            yield statement


def _acts(node: ast.AST) -> bool:
    """Whether a part of a statement sets, deletes or calls anything other than the script's own or the interface's."""
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return not ast.unparse(node).startswith(_HARMLESS)
    if isinstance(node, ast.Call):
        called = ast.unparse(node.func)
        return not (called.startswith(_HARMLESS) or called in {"print", "register", "register_class", "unregister"})
    return False
