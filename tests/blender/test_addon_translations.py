# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text of the interface is there in Korean."""

import ast
import inspect
import re
from collections.abc import Iterator
from pathlib import Path

import bpy
import pytest

from collision_kit import addon
from collision_kit.addon import language, operators, panels, phrases, preferences
from collision_kit.addon.bridge import camera, planes, remarks
from collision_kit.addon.bridge.choice import Choice
from collision_kit.addon.bridge.remarks import Remark
from collision_kit.addon.convexities import OTHER_FLAWS
from collision_kit.addon.culling.texts import CLASSES
from collision_kit.addon.errors import UserError
from collision_kit.addon.gltf import sentences
from collision_kit.addon.latest import Change
from collision_kit.addon.live import mode as live
from collision_kit.addon.panels import menus
from collision_kit.addon.panels.object import SHAPE_NAMES, SOURCE_NAMES
from collision_kit.addon.properties import scene as properties
from collision_kit.addon.rules import RULES
from collision_kit.addon.translations.counted import SINGULAR
from collision_kit.addon.translations.general import DICTIONARY, KOREAN
from collision_kit.addon.verdicts import VERDICTS
from collision_kit.core.convexity import Solidity

HANGUL = re.compile("[가-힣]")

# Functions that look a text up, and the context in which they do.
LOOKUPS = {"label_": "*", "report_": "*", "tip_": "*"}
# Methods of a layout whose argument `text` Blender looks up.
LAYOUT = {"label", "prop", "operator"}


def sources() -> list[Path]:
    assert addon.__file__ is not None
    return sorted(Path(addon.__file__).parent.rglob("*.py"))


def literals(node: ast.AST) -> Iterator[str]:
    """All texts that an expression may be: of ``"a" if x else "b"`` both."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value
    elif isinstance(node, ast.IfExp):
        yield from literals(node.body)
        yield from literals(node.orelse)


def looked_up(path: Path) -> Iterator[tuple[str, str]]:
    """Context and text of each literal of a file that is looked up when it is shown."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if not isinstance(node, ast.Call):
            continue
        if isinstance(node.func, ast.Name) and node.func.id in LOOKUPS:
            yield from ((LOOKUPS[node.func.id], text) for text in literals(node.args[0]))
        elif isinstance(node.func, ast.Name) and node.func.id == "fact":
            yield from (("*", text) for text in literals(node.args[1]))
        elif isinstance(node.func, ast.Attribute) and node.func.attr in LAYOUT:
            yield from (("*", text) for word in node.keywords if word.arg == "text" for text in literals(word.value))


def kinds_of_user_errors() -> set[str]:
    """The names of `UserError` and of all that are one."""
    kinds, found = [UserError], set()
    while kinds:
        kind = kinds.pop()
        found.add(kind.__name__)
        kinds += kind.__subclasses__()
    return found


def user_errors(path: Path) -> Iterator[ast.expr]:
    """The first argument of each call in a file that makes a `UserError`."""
    kinds = kinds_of_user_errors()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
            yield node.args[0]
        elif isinstance(node, ast.ClassDef) and {base.id for base in node.bases if isinstance(base, ast.Name)} & kinds:
            for call in ast.walk(node):
                if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr == "__init__":
                    yield call.args[0]


def test_all_messages_of_user_errors_are_translated() -> None:
    """A message that is no literal is a constant of `REFUSALS`, or the name of what cannot be called so."""
    found = [(path.name, message) for path in sources() for message in user_errors(path)]
    told = [text for _, message in found for text in literals(message)]
    assert len(told) > 15
    assert not [text for text in (*told, *camera.REFUSALS, *planes.REFUSALS) if ("*", text) not in KOREAN]
    refusals = {*camera.REFUSALS, *planes.REFUSALS}
    constants = {name for module in (camera, planes) for name, text in vars(module).items() if str(text) in refusals}
    others = {(name, ast.unparse(message)) for name, message in found if not list(literals(message))}
    passed_on = {("camera.py", "reason"), ("camera.py", "refused")}
    names = {("make_objects.py", "one.name"), ("make_objects.py", "wanted.name")}
    assert {(name, text) for name, text in others if text not in constants} <= passed_on | names


def test_what_is_no_user_error_is_not_told_as_one() -> None:
    for path in (path for path in sources() if path.parent.name in {"operators", "live"}):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name) and node.type.id == "ValueError":
                raise AssertionError(f"{path.name}, line {node.lineno}: UserError is what the user did")


def test_a_user_error_is_told_in_the_language_of_the_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    error = UserError("there is no collection {name}", name="'A {b}'")
    assert isinstance(error, ValueError) and str(error) == "there is no collection 'A {b}'"
    assert language.error_text(error) == str(error)
    monkeypatch.setattr(language, "pgettext_rpt", lambda text, context="*": KOREAN.get((context, text), text))
    assert HANGUL.search(language.error_text(error)) and "'A {b}'" in language.error_text(error)


def returned(path: Path, function: str) -> Iterator[str]:
    """The texts that a function of a file returns."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef) and node.name == function:
            for part in ast.walk(node):
                if isinstance(part, ast.Return) and part.value is not None:
                    yield from literals(part.value)


def property_texts(group: type, rna: bpy.types.Struct) -> Iterator[tuple[str, str]]:
    for name in vars(group).get("__annotations__", ()):
        shown = rna.properties[name]
        if shown.type == "COLLECTION":
            continue  # Never shown itself.
        yield shown.translation_context, shown.name
        yield "*", shown.description
        for item in getattr(shown, "enum_items", ()):
            yield shown.translation_context, item.name
            yield "*", item.description


def texts() -> Iterator[tuple[str, str]]:
    """Context and text of everything that the interface shows."""
    for operator in operators.CLASSES:
        yield "Operator", operator.bl_label
        yield "*", operator.bl_description
        yield from property_texts(operator, getattr(bpy.ops.collision_kit, _verb(operator)).get_rna_type())
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
    yield from (("*", text) for text in (*SHAPE_NAMES.values(), *SOURCE_NAMES.values()))
    yield from (("*", text) for text in returned(_file("check_collisions.py"), "_missing") if text)
    yield from (("*", text) for text in returned(_addon("overlay/obstacle.py"), "missing") if text)
    yield from (("*", text) for text in OTHER_FLAWS.values())
    yield from (("*", text) for text in (*camera.REFUSALS, *planes.REFUSALS))
    errors = (error for path in sources() for error in user_errors(path))
    yield from (("*", text) for error in errors for text in literals(error))
    yield from (("*", text) for texts in CLASSES.values() for text in texts)
    yield from (("*", text) for name, text in vars(sentences).items() if name.isupper())


def _verb(operator: type[bpy.types.Operator]) -> str:
    return operator.bl_idname.partition(".")[2]


def _addon(name: str) -> Path:
    return sources()[0].parent / name


def _file(name: str) -> Path:
    return next(path for path in sources() if path.name == name)


def test_the_texts_are_found_at_all() -> None:
    found = {text for _, text in texts()}
    assert {
        "Check Collisions",
        "Clearance",
        "Not Tested",
        "Depth",
        "Gap",
        "Select at least two objects",
    } <= found
    assert len(found) > 100


def test_each_text_has_a_korean_one() -> None:
    missing = {(context, text) for context, text in texts() if text} - set(KOREAN)
    assert not missing


def test_nothing_is_translated_that_is_not_shown() -> None:
    shown = {text for _, text in texts()} | set(SINGULAR.values())
    assert not {text for _, text in KOREAN} - shown - set(phrases.PHRASES)


@pytest.mark.parametrize(("english", "korean"), sorted({(text, korean) for (_, text), korean in KOREAN.items()}))
def test_each_korean_text_is_korean_and_keeps_what_is_filled_in(english: str, korean: str) -> None:
    braces = re.compile(r"\{[a-z]+\}")
    assert sorted(braces.findall(english)) == sorted(braces.findall(korean))
    assert HANGUL.search(braces.sub("", korean)) or not braces.sub("", korean)
    assert english.endswith(".") == korean.endswith("."), "tooltips end without a full stop, sentences with one"


# Nouns in the plural after a number, and what else ends in s there.
MANY = re.compile(r"\{([a-z]+)\} (?:of (?:its|them) )?(?:[a-z]+ )??([a-z]+s|vertices|bodies|meshes)\b")
NO_NOUNS = {"is", "was", "has", "its", "ms", "begins", "touches"}
# Of what is said of several only, and why there are several.
NEVER_ONE = {
    "All {total} meshes are convex": "of one mesh its name is said",
    "{corners} corners, {pieces} convex pieces, {area}": "an outline has three corners, and one piece is not counted",
    "Of {count} pairs of parts only the one that decides is drawn": "there are others that do not decide",
    "It is in {count} pieces": "else it is whole",
    "It is to be convex and has {count} loose pieces, of which engines make one hull.": "else it is whole",
    "Its convex hull has {count} vertices; the budget is {limit}.": "a budget is four at least",
    "Its convex hull has {count} vertices; a convex mesh collider in Unity has at most {limit}.": "there are too many",
    "Its convex hull has {count} triangles; a convex mesh collider in Unity has at most {limit}.": "there are too many",
    "{count} objects moved, the farthest by {length}": "of one object its name is said",
    "More than {count} objects are moved one by one, not by halves": "the number is fixed",
    "All {total} of its colliders are hidden; its own mesh was tested.": "of one collider there is another sentence",
    "{hidden} of its {total} colliders is hidden; only the others were tested.": "there are others",
    "{hidden} of its {total} colliders are hidden; only the others were tested.": "there are others",
    "it jumps {count} times, first after frame {frame}; nothing on the way is tested, only where it arrives": (
        "there is another sentence for once"
    ),
    "its convex hull, {factor} times its volume with every hollow filled,": "a factor",
}


def numbers(text: str) -> set[str]:
    """What the numbers are called after which an English text has a noun in the plural."""
    return {match[1] for match in MANY.finditer(text) if match[2] not in NO_NOUNS}


def test_what_counts_things_can_count_one() -> None:
    english = {text for _, text in texts()} | set(phrases.PHRASES) | {rule.sentence for rule in RULES}
    counting = {text for text in english if numbers(text)}
    assert counting - set(SINGULAR) == set(NEVER_ONE)
    assert english >= set(SINGULAR)


@pytest.mark.parametrize(("many", "one"), SINGULAR.items())
def test_of_one_thing_no_noun_is_in_the_plural(many: str, one: str) -> None:
    parts = {name: "2" for name in re.findall(r"\{([a-z]+)\}", many)}
    assert language.label_(many, **parts) == many.format(**parts)
    alone = language.label_(many, **parts | {"count": "1"})
    assert alone == language.label_(many, **parts | {"count": 1}) == one.format(**parts | {"count": 1})
    # One of several things is named after them.
    assert not numbers(one.replace("{count} of", "one of")) & {"count"}


def test_its_own_words_come_before_blenders(monkeypatch: pytest.MonkeyPatch) -> None:
    blenders = {"Convex Hull": "볼록 선체", "Lattice": "격자"}
    for name, look_up in (("iface", language.label_), ("tip", language.tip_), ("rpt", language.report_)):
        monkeypatch.setattr(
            language,
            f"pgettext_{name}",
            lambda text, context="*": (blenders if context == "*" else {}).get(text, KOREAN.get((context, text), text)),
        )
        assert look_up("Convex Hull") == "볼록 껍질"
        assert look_up("Lattice") == "격자"
        assert look_up("{count} bodies tested", count=1) == "물체 1개 검사함"


def test_blender_takes_the_dictionary() -> None:
    bpy.app.translations.register("collision_kit.test", DICTIONARY)
    bpy.app.translations.unregister("collision_kit.test")


# What the report says, in Blender's language: the samples are real sentences of the bridge.

CLOSED = Solidity(convex=False, closed=True, volume=2.0)
UNORIENTED = Solidity(convex=False, closed=True, volume=-1.0)
OPEN = Solidity(convex=False, closed=False, volume=float("nan"))
SAMPLES: dict[str, list[tuple[object, ...]]] = {
    "distorted": [("BOX",), ("SPHERE",), ("CAPSULE",), ("CYLINDER",)],
    "not_a": [(Choice("BOX", "name", "UBX"),), (Choice("SPHERE", "name", "USP"),)],
    "missing": [("library.blend",)],
    "no_geometry": [("BOX",), ("HULL",)],
    "off_center": [("CAPSULE", 0.125)],
    "rigid_body_margin": [(0.04,)],
    "concave_collider": [(CLOSED, 3.0), (UNORIENTED, 3.0), (OPEN, 3.0)],
    "orphan_collider": [("Crate_01",)],
    "lone_collider": [()],
    "driver_not_run": [("location",)],
    "circular_body": [(["A"],), (["A", "B", "C"],)],
    "lost_body": [("Crate_01",)],
    "hidden_colliders": [(1, 1), (3, 3), (1, 3), (2, 3)],
}


def test_every_kind_of_finding_has_a_sample() -> None:
    made = {
        name
        for name, function in inspect.getmembers(remarks, inspect.isfunction)
        if function.__module__ == remarks.__name__ and not name.startswith("_")
    }
    assert made == set(SAMPLES)


def findings() -> list[str]:
    fixed = [value.message for value in vars(remarks).values() if isinstance(value, Remark)]
    made = [getattr(remarks, name)(*sample).message for name, samples in SAMPLES.items() for sample in samples]
    return fixed + made


# Stands for what the bridge fills in; a phrase of its own, because some of it is translated.
FILLED_IN = "hidden"


def sentences_in(name: str) -> Iterator[str]:
    """The phrases in a file of the bridge that go into the report as they are or with something filled in."""
    tree = ast.parse(_file(name).read_text(encoding="utf-8"))
    inside = {id(part) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for part in node.values}
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            parts = (part.value if isinstance(part, ast.Constant) else FILLED_IN for part in node.values)
            yield "".join(str(part) for part in parts)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
            yield node.value


def docstrings(name: str) -> set[str]:
    tree = ast.parse(_file(name).read_text(encoding="utf-8"))
    kinds = (ast.Module, ast.ClassDef, ast.FunctionDef)
    found = [ast.get_docstring(node, clean=False) for node in ast.walk(tree) if isinstance(node, kinds)]
    return {text for text in found if text}


def reasons() -> list[str]:
    """What the bridge says of objects that were not tested, and of the shapes of those that were."""
    files = ("choice.py", "visibility.py", "placing.py", "items.py", "gathering.py")
    found = [text for name in files for text in sentences_in(name) if text not in docstrings(name)]
    # Names made of names are no sentences, and "name UBX_" is a sample of its own.
    made_of_names = re.compile(rf"(\W|_|{FILLED_IN})*$")
    return [text for text in found if " " in text.strip() and not made_of_names.match(text)]


SENTENCES = sorted({*findings(), *reasons(), "mesh, its hull", "convex mesh", "mesh", "name UBX_", "half-space"})


@pytest.mark.parametrize("sentence", SENTENCES)
def test_each_sentence_of_the_report_has_a_korean_one(sentence: str, monkeypatch: pytest.MonkeyPatch) -> None:
    # Blender as a module has no languages to switch to.
    monkeypatch.setattr(language, "pgettext_iface", lambda text, context="*": KOREAN.get((context, text), text))
    korean = phrases.translated(sentence)
    assert HANGUL.search(korean)
    assert not re.search(r"\b(is|was|it|its|the|in|of|no)\b", korean), korean


def test_what_is_filled_in_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "pgettext_iface", lambda text, context="*": KOREAN.get((context, text), text))
    orphan = remarks.orphan_collider("it is hidden").message
    assert "'it is hidden'" in phrases.translated(orphan)
    assert phrases.translated("it is hidden in the viewport") == "뷰포트에서 숨겨져 있습니다"
    assert "구체" in phrases.translated(remarks.distorted("SPHERE").message)
    assert phrases.translated("A sentence that nobody knows.") == "A sentence that nobody knows."
