# SPDX-License-Identifier: GPL-3.0-or-later
"""All texts that the interface shows, found in the code and in the classes registered with Blender."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import bpy

from collision_kit import addon
from collision_kit.addon.engines.rules import RULES
from collision_kit.addon.exchange import sentences
from collision_kit.addon.i18n.rule_sentences import FIXED
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.model.errors import UserError
from collision_kit.addon.scene.cameras import camera
from collision_kit.addon.scene.outlines import planes
from collision_kit.addon.scene.outlines.read_outlines import KINDS
from collision_kit.addon.session.convexity_results import OTHER_FLAWS
from collision_kit.addon.session.latest import Change
from collision_kit.addon.ui import operators, panels, preferences
from collision_kit.addon.ui.panels import menus
from collision_kit.addon.ui.panels.object import SHAPE_NAMES, SOURCE_NAMES
from collision_kit.addon.ui.properties import scene as properties
from collision_kit.addon.ui.texts import folds
from collision_kit.addon.ui.texts.culling import CLASSES, SIGHTINGS
from collision_kit.addon.ui.texts.probe import KIND_TEXTS
from collision_kit.addon.ui.verdicts import VERDICTS
from collision_kit.core.shapes import Kind

# The kinds of shapes that the add-on tests.
TESTED = {*Kind} - {Kind.TRIANGLE, Kind.PLANE, Kind.COMPOUND}

# Functions that look up a text, and the context that they use.
LOOKUPS = {"label_": "*", "report_": "*", "tip_": "*"}
# Methods of a layout whose argument `text` Blender looks up.
LAYOUT = {"label", "prop", "operator"}


@cache
def sources() -> list[Path]:
    assert addon.__file__ is not None
    return sorted(Path(addon.__file__).parent.rglob("*.py"))


@cache
def nodes(path: Path) -> list[ast.AST]:
    """All nodes of a file."""
    return list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))


def literals(node: ast.AST) -> Iterator[str]:
    """All texts that an expression may evaluate to: for ``"a" if x else "b"``, both."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def looked_up(path: Path) -> Iterator[tuple[str, str]]:
    """Context and text of each literal of a file that is looked up when it is shown."""
    for node in nodes(path):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in LOOKUPS:
            yield from ((LOOKUPS[node.func.id], text) for text in literals(node.args[0]))
        elif isinstance(node.func, ast.Name) and node.func.id == "fact":
            yield from (("*", text) for text in literals(node.args[1]))
        elif isinstance(node.func, ast.Attribute) and node.func.attr in LAYOUT:
            yield from (("*", text) for word in node.keywords if word.arg == "text" for text in literals(word.value))


@cache
def kinds_of_user_errors() -> set[str]:
    """The names of `UserError` and of all its subclasses, loaded or not."""
    bases = {
        node.name: {called(base) for base in node.bases}
        for path in sources()
        for node in nodes(path)
        if isinstance(node, ast.ClassDef)
    }
    found, more = set[str](), {UserError.__name__}
    while more:
        found |= more
        more = {name for name, above in bases.items() if above & found} - found
    return found


def called(node: ast.expr) -> str:
    """The last part of the name that an expression calls or refers to."""
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def user_errors(path: Path) -> Iterator[ast.expr]:
    """The first argument of each call in a file that makes a `UserError`."""
    kinds = kinds_of_user_errors()
    for node in nodes(path):
        if isinstance(node, ast.Call) and called(node.func) in kinds:
            yield node.args[0]
        elif isinstance(node, ast.ClassDef) and {called(base) for base in node.bases} & kinds:
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__":
                    yield call.args[0]


def returned(path: Path, function: str) -> Iterator[str]:
    """The texts that a function of a file returns."""
    for node in nodes(path):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            for part in ast.walk(node):
                if isinstance(part, ast.Return) and part.value is not None:
                    yield from literals(part.value)


def messages(path: Path) -> Iterator[str]:
    """The templates of the messages that a file makes."""
    for node in nodes(path):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Message":
            yield from literals(node.args[0])


def property_texts(group: type, rna: bpy.types.Struct) -> Iterator[tuple[str, str]]:
    for name in vars(group).get("__annotations__", ()):
        shown = rna.properties[name]
        if shown.type == "COLLECTION":
            continue  # never displayed itself
        yield shown.translation_context, shown.name
        yield "*", shown.description
        for item in getattr(shown, "enum_items", ()):
            yield shown.translation_context, item.name
            yield "*", item.description


@cache
def texts() -> list[tuple[str, str]]:
    """Context and text of everything that the interface shows."""
    return list(_texts())


def _texts() -> Iterator[tuple[str, str]]:
    for operator in operators.CLASSES:
        yield "Operator", operator.bl_label
        yield "*", operator.bl_description
        yield from property_texts(operator, getattr(bpy.ops.collision_kit, verb(operator)).get_rna_type())
    for panel in panels.CLASSES:
        if issubclass(panel, bpy.types.Panel):
            yield "*", panel.bl_label
            yield "*", getattr(panel, "bl_category", "")  # a popover has none
    for menu in menus.CLASSES:
        yield "*", menu.bl_label
        yield from (("*", entry.text) for entry in getattr(menu, "ENTRIES", ()) if isinstance(entry, menus.Entry))
    for group in (*properties.CLASSES, *preferences.CLASSES):
        yield from property_texts(group, group.bl_rna)
    for path in sources():
        yield from looked_up(path)
    yield from (("*", change.value) for change in Change)
    yield from (("*", status.value) for status in live.Status)
    yield from (("*", text) for verdict in VERDICTS.values() for text in (verdict.name, verdict.counted))
    yield from (("*", text) for text in (*folds.COUNTED.values(), *folds.WHY.values()))
    yield from (("*", text) for text in (*SHAPE_NAMES.values(), *SOURCE_NAMES.values()))
    yield from (("*", text) for text in returned(_addon("ui/operators/check.py"), "_missing") if text)
    yield from (("*", text) for text in returned(_addon("viewport/obstacle.py"), "missing") if text)
    yield from (("*", text) for text in OTHER_FLAWS.values())
    yield from (("*", text) for text in (*camera.REFUSALS, *planes.REFUSALS))
    errors = (error for path in sources() for error in user_errors(path))
    yield from (("*", text) for error in errors for text in literals(error))
    yield from (("*", text) for kind in KIND_TEXTS.values() for text in (kind.name, kind.counted))
    yield from (("*", text) for texts in (*CLASSES.values(), *SIGHTINGS) for text in texts)
    yield from (("*", text) for name, text in vars(sentences).items() if name.isupper())
    yield from (("*", text) for path in sources() for text in messages(path))
    # The names of kinds of shapes in reports.
    yield from (("*", kind.name.lower().replace("_", "-")) for kind in Kind if kind in TESTED)
    yield from (("*", text) for text in KINDS.values())
    yield from (("*", text) for rule in RULES for text in (rule.title, rule.sentence, rule.advice))
    yield from (("*", text) for text in FIXED.values())
    yield from (("*", text) for text in ("{first}. {second}", "{first}, {second}"))


def verb(operator: type[bpy.types.Operator]) -> str:
    """The name of an operator without the prefix of the add-on."""
    return operator.bl_idname.partition(".")[2]


def _addon(name: str) -> Path:
    return sources()[0].parent / name
