# SPDX-License-Identifier: GPL-3.0-or-later
"""Every text of the interface is there in every language, and says the same."""

import ast
import pickle
import re
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from collision_kit.addon.asset_rules.limits import Length
from collision_kit.addon.engines.rules import RULES
from collision_kit.addon.i18n import lookup
from collision_kit.addon.i18n.catalogs import catalogs, read, registered
from collision_kit.addon.i18n.particles import with_particles
from collision_kit.addon.i18n.units import with_unit
from collision_kit.addon.model.errors import UserError
from collision_kit.addon.model.message import Message
from collision_kit.addon.model.plurals import SINGULAR, form_count, is_form, plural_form
from collision_kit.addon.model.report import Units
from collision_kit.addon.scene.cameras import camera
from collision_kit.addon.scene.outlines import planes
from collision_kit.addon.scene.reading import known_issues
from collision_kit.addon.ui import operators, preferences
from collision_kit.addon.ui.properties import scene as properties
from tests.helpers.blender.shown_texts import (
    LAYOUT,
    LOOKUPS,
    literals,
    messages,
    nodes,
    sources,
    texts,
    user_errors,
    verb,
)
from tests.helpers.us_english import BRITISH

CATALOGS = catalogs()
KOREAN = CATALOGS["ko_KR"]
HANGUL = re.compile("[가-힣]")

BRACES = re.compile(r"\{[a-z_]+\}")


def test_all_messages_of_user_errors_are_found() -> None:
    """A message that is no literal is a constant of `REFUSALS`, or the name of what cannot be called so."""
    found = [(path.name, message) for path in sources() for message in user_errors(path)]
    told = [text for _, message in found for text in literals(message)]
    assert len(told) > 15
    refusals = {*camera.REFUSALS, *planes.REFUSALS}
    constants = {name for module in (camera, planes) for name, text in vars(module).items() if str(text) in refusals}
    others = {(name, ast.unparse(message)) for name, message in found if not list(literals(message))}
    passed_on = {("camera.py", "reason"), ("camera.py", "refused"), ("exporting.py", "missing")}
    names = {("objects.py", "one.name"), ("objects.py", "wanted.name")}
    assert {(name, text) for name, text in others if text not in constants} <= passed_on | names


def test_blender_looks_no_text_of_a_layout_up_among_its_own() -> None:
    """Blender's words come before an add-on's: of a text that both have, panels would show Blender's translation."""
    for path in sources():
        for node in nodes(path):
            words = {word.arg: word.value for word in node.keywords} if isinstance(node, ast.Call) else {}
            if "text" in words and isinstance(node.func, ast.Attribute) and node.func.attr in {*LAYOUT, "menu"}:
                shown = ast.unparse(words["text"]) != "''"
                assert not shown or "translate" in words, f"{path.name}, line {node.lineno}"


def test_what_is_no_user_error_is_not_told_as_one() -> None:
    for path in (path for path in sources() if path.parent.name in {"operators", "live"}):
        for node in nodes(path):
            if isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Name) and node.type.id == "ValueError":
                raise AssertionError(f"{path.name}, line {node.lineno}: UserError is what the user did")


def test_a_user_error_is_told_in_the_language_of_the_interface(monkeypatch: pytest.MonkeyPatch) -> None:
    error = UserError("There is no collection {name}", name="'A {b}'")
    assert isinstance(error, ValueError) and str(error) == "There is no collection 'A {b}'"
    assert lookup.error_text(error) == str(error)
    monkeypatch.setattr(lookup, "pgettext_rpt", lambda text, context="*": KOREAN.get((context, text), text))
    assert HANGUL.search(lookup.error_text(error)) and "'A {b}'" in lookup.error_text(error)


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


def test_a_text_that_is_not_translated_is_shown_in_english(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lookup, "pgettext_iface", lambda text, context="*": KOREAN.get((context, text), text))
    assert lookup.label_("{count} texts that nobody has translated", count=3) == "3 texts that nobody has translated"


@pytest.mark.parametrize("language_id", CATALOGS)
def test_nothing_is_translated_that_is_not_shown(language_id: str) -> None:
    shown = {text for _, text in texts()} | set(SINGULAR.values())
    unseen = {text for _, text in CATALOGS[language_id] if not is_form(text)} - shown
    assert not unseen


TRANSLATED = sorted({(name, text, other) for name, found in CATALOGS.items() for (_, text), other in found.items()})


@pytest.mark.parametrize(("language_id", "english", "other"), TRANSLATED)
def test_each_translation_keeps_what_is_filled_in(language_id: str, english: str, other: str) -> None:
    assert sorted(BRACES.findall(english)) == sorted(BRACES.findall(other))
    assert english.endswith(".") == other.endswith("."), "tooltips end without a full stop, sentences with one"
    if language_id == "ko_KR":
        assert HANGUL.search(BRACES.sub("", other)) or not re.search("[a-z]{2}", BRACES.sub("", english))


# Words of the interface that have been given up, each with the one that took its place: `docs/glossary.md`.
GIVEN_UP = re.compile(
    r"\b(?:[Cc]hosen|[Rr]eflex|[Cc]rowded|[Ss]tands? for|without end|[Mm]eets groups|sticks? out|[Mm]ade as|[Rr]ead as"
    r")\b|^Its\b"
)
TOOLTIP = 160


def tooltips() -> Iterator[str]:
    """The descriptions of operators, of their properties and of settings, and of the items of each."""
    groups = [
        (operator, getattr(bpy.ops.collision_kit, verb(operator)).get_rna_type()) for operator in operators.CLASSES
    ]
    groups += [(group, group.bl_rna) for group in (*properties.CLASSES, *preferences.CLASSES)]
    yield from (operator.bl_description for operator in operators.CLASSES)
    for group, rna in groups:
        for name in vars(group).get("__annotations__", ()):
            shown = rna.properties[name]
            yield shown.description
            yield from (item.description for item in getattr(shown, "enum_items", ()))


def test_tooltips_are_short_sentences_without_a_full_stop() -> None:
    found = {text for text in tooltips() if text}
    assert len(found) > 200
    assert not {text: len(text) for text in found if len(text) > TOOLTIP}
    assert not {text for text in found if text.endswith(".") or not (text[0].isupper() or text[0].isdigit())}


def test_the_interface_is_in_us_english_and_keeps_to_its_words() -> None:
    english = {text for _, text in texts() if text} | set(SINGULAR.values())
    assert not {text for text in english if BRITISH.search(text)}
    assert not {text for text in english if GIVEN_UP.search(text)}
    assert not {text for text in english if re.search("[“”’]", text)}, "Blender has straight quotation marks"


@pytest.mark.parametrize("name", ["sentence", "advice"])
def test_issues_have_one_grammar(name: str) -> None:
    """A sentence about a part of the object, which is named beside it, with a capital letter and a full stop."""
    found = {getattr(rule, name) for rule in RULES}
    if name == "sentence":
        templates = {text for path in sources() if path.name.endswith("_issues.py") for text in messages(path)}
        found |= {text for text in templates if " " in text and not text[0].islower()}
        assert not {text for text in found if re.match(r"(?:It|They|This)\b", text)}
    assert len(found) > 20
    assert not {text for text in found if not re.match(r"[A-Z{]", text) or not text.endswith(".")}


def test_no_sentence_is_joined_from_translated_parts() -> None:
    """A translated value is filled into a text that is translated itself, so that every language has its own order."""
    looking_up = {*LOOKUPS, "translated", "sentences", "enumerated"}
    for path in sources():
        for node in nodes(path):
            joined = list(node.values) if isinstance(node, ast.JoinedStr) else []
            if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Mod):
                joined = [node.left, node.right]
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "join":
                joined = list(node.args)
            calls = (call for part in joined for call in ast.walk(part) if isinstance(call, ast.Call))
            names = {call.func.id for call in calls if isinstance(call.func, ast.Name)}
            assert not names & looking_up, f"{path.name}, line {node.lineno}"


# Nouns in the plural after a number, and what else ends in s there.
MANY = re.compile(r"\{([a-z]+)\} (?:of (?:its|them) )?(?:[a-z]+ )??(?!miss\b)([a-z]+s|vertices|bodies|meshes)\b")
NO_NOUNS = {"is", "was", "has", "its", "ms"}
# Of what is said of several only, and why there are several.
NEVER_ONE = {
    "move {name} this way": "it counts nothing",
    "move {name} this way (not to scale)": "it counts nothing",
    "All {total} meshes are convex": "of one mesh its name is said",
    "{corners} corners, {pieces} convex pieces, {area}": "an outline has three corners, and one piece is not counted",
    "Only the deepest or nearest of {count} pairs of parts is drawn": "there are others that do not decide",
    "{count} loose parts": "else it is whole",
    "Convex collider has {count} loose parts: engines enclose all of them in one hull.": "else it is whole",
    "Convex hull has {count} vertices; the limit is {limit}.": "a limit is four at least",
    "Triangle mesh collider has {count} triangles; the limit is {limit}.": "a limit is four at least",
    "{bodies} bodies tested, {count} moving": "of one body nothing is told",
    "Convex hull has {count} vertices; a convex mesh collider in Unity has at most {limit}.": "there are too many",
    "Convex hull has {count} triangles; a convex mesh collider in Unity has at most {limit}.": "there are too many",
    "{count} objects moved by up to {length}": "of one object its name is said",
    "More than {count} objects: moved one by one instead of both": "the number is fixed",
    "{name}: seen in {seen} of {total} frames": "said of several frames only",
    "All {total} colliders are hidden; tested as the render mesh.": "of one collider there is another sentence",
}


def numbers(text: str) -> set[str]:
    """The names of the numbers after which an English text has a noun in the plural."""
    return {match[1] for match in MANY.finditer(text) if match[2] not in NO_NOUNS}


def test_what_counts_things_can_count_one() -> None:
    english = {text for _, text in texts()}
    counting = {text for text in english if numbers(text)}
    assert counting - set(SINGULAR) == set(NEVER_ONE)
    assert english >= set(SINGULAR)


@pytest.mark.parametrize(("many", "one"), SINGULAR.items())
def test_of_one_thing_no_noun_is_in_the_plural(many: str, one: str) -> None:
    parts = {name: "2" for name in re.findall(r"\{([a-z]+)\}", many)}
    assert lookup.label_(many, **parts) == many.format(**parts)
    alone = lookup.label_(many, **parts | {"count": "1"})
    assert alone == lookup.label_(many, **parts | {"count": 1}) == one.format(**parts | {"count": 1})
    # One of several things is named after them.
    assert not numbers(one.replace("{count} of", "one of")) & {"count"}


def test_blender_takes_the_catalogs() -> None:
    bpy.app.translations.register("collision_kit.test", CATALOGS)
    bpy.app.translations.unregister("collision_kit.test")


# What a report says, in Blender's language.


@pytest.fixture
def korean(monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender as a module has no languages to switch to."""
    for name in ("iface", "tip", "rpt"):
        monkeypatch.setattr(lookup, f"pgettext_{name}", lambda text, context="*": KOREAN.get((context, text), text))


def test_a_message_is_english_and_keeps_what_it_was_made_from() -> None:
    message = Message(
        "{count} of {total} colliders are hidden; tested with the other colliders only.", count=1, total=3
    )
    assert message == "1 of 3 colliders is hidden; tested with the other colliders only."
    again = pickle.loads(pickle.dumps(message))
    assert (again, again.template, again.values) == (message, message.template, message.values)


@pytest.mark.usefixtures("korean")
def test_what_is_filled_in_stays() -> None:
    name = "Hidden in the viewport."
    orphan = known_issues.orphan_collider(name).message
    assert f'"{name}"' in lookup.translated(orphan) and HANGUL.search(lookup.translated(orphan))
    assert HANGUL.search(lookup.translated(Message(name)))
    assert "구체" in lookup.translated(known_issues.distorted("SPHERE").message)
    assert lookup.translated("A sentence that nobody knows.") == "A sentence that nobody knows."


def test_lengths_in_messages_have_the_unit_of_the_scene() -> None:
    margin = known_issues.rigid_body_margin(0.04).message
    assert "margin of 0.04;" in margin
    assert "margin of 40 mm;" in with_unit(margin, Units("METRIC", 1.0, "MILLIMETERS"))
    assert isinstance(margin.values["margin"], Length)


@pytest.mark.parametrize(
    ("name", "object_of", "direction"),
    [
        ("상자", '"상자"를', "상자로"),
        ("공", '"공"을', "공으로"),
        ("칼", '"칼"을', "칼로"),
        ("Box_3", '"Box_3"을', "Box_3으로"),
        ("Box_1", '"Box_1"을', "Box_1로"),
        ("Box", '"Box"을(를)', "Box(으)로"),
    ],
)
def test_korean_particles_agree_with_what_is_filled_in(name: str, object_of: str, direction: str) -> None:
    text = with_particles('"{name}"을(를), {name}(으)로, 을(를)', {"name": name})
    assert text.format(name=name) == f"{object_of}, {direction}, 을(를)"


# Files of translations.


def test_a_file_of_translations_is_read_as_it_is_written(tmp_path: Path) -> None:
    path = tmp_path / "xx_YY.po"
    path.write_text(
        'msgid ""\nmsgstr ""\n"Language: xx_YY\\n"\n\n# A comment\nmsgid "one"\nmsgstr "eins"\n\n'
        'msgctxt "Operator"\nmsgid ""\n"a \\"quoted\\" "\n"text"\nmsgstr "ein \\\\ \\"Text\\""\n',
        encoding="utf-8",
    )
    assert read(path) == {("", "one"): "eins", ("Operator", 'a "quoted" text'): 'ein \\ "Text"'}
    assert set(registered(read(path))) == {("*", "one"), ("CollisionKit", "one"), ("Operator", 'a "quoted" text')}


@pytest.mark.parametrize("bad", ['msgid "one"\n', 'msgid "two"\nmsgstr "zwei"\n\nmsgid "two"\nmsgstr "zwo"\n'])
def test_a_file_of_translations_that_is_not_complete_is_refused(bad: str, tmp_path: Path) -> None:
    (tmp_path / "xx_YY.po").write_text(f'msgid ""\nmsgstr ""\n\n{bad}', encoding="utf-8")
    with pytest.raises(ValueError, match=r"xx_YY\.po"):
        read(tmp_path / "xx_YY.po")


# Forms of the plural.


@pytest.mark.parametrize(
    ("language_id", "forms"),
    [
        ("de", {0: 1, 1: 0, 2: 1, 21: 1}),
        ("fr", {0: 0, 1: 0, 2: 1, 21: 1}),
        ("pt_BR", {0: 0, 1: 0, 2: 1}),
        ("pt_PT", {0: 1, 1: 0, 2: 1}),
        ("ko_KR", {0: 0, 1: 0, 2: 0}),
        ("zh_HANS", {1: 0, 5: 0}),
        ("pl", {0: 2, 1: 0, 2: 1, 4: 1, 5: 2, 12: 2, 21: 2, 22: 1, 112: 2}),
        ("ru_RU", {0: 2, 1: 0, 2: 1, 5: 2, 11: 2, 21: 0, 22: 1, 111: 2, 114: 2}),
        ("cs_CZ", {0: 2, 1: 0, 2: 1, 4: 1, 5: 2, 22: 2}),
        ("ro_RO", {0: 1, 1: 0, 2: 1, 19: 1, 20: 2, 101: 1, 120: 2}),
        ("lt", {0: 2, 1: 0, 2: 1, 9: 1, 10: 2, 11: 2, 21: 0, 22: 1}),
        ("sl", {0: 3, 1: 0, 2: 1, 3: 2, 4: 2, 5: 3, 101: 0, 102: 1}),
        ("ar_EG", {0: 0, 1: 1, 2: 2, 3: 3, 10: 3, 11: 4, 99: 4, 100: 5, 103: 3}),
    ],
)
def test_forms_of_the_plural_are_those_of_the_language(language_id: str, forms: dict[int, int]) -> None:
    assert {count: plural_form(language_id, count) for count in forms} == forms
    assert {plural_form(language_id, count) for count in range(300)} == set(range(form_count(language_id)))


POLISH = """
msgid "{count} object selected"
msgid_plural "{count} objects selected"
msgstr[0] "zaznaczono {count} obiekt"
msgstr[1] "zaznaczono {count} obiekty"
msgstr[2] "zaznaczono {count} obiektów"
"""


def test_a_language_with_three_forms_gets_each(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "pl_PL.po"
    path.write_text(POLISH, encoding="utf-8")
    catalog = registered(read(path))
    monkeypatch.setattr(lookup, "pgettext_rpt", lambda text, context="*": catalog.get((context, text), text))
    monkeypatch.setattr(lookup, "translations", SimpleNamespace(locale="pl_PL"))
    said = {count: lookup.report_("{count} objects selected", count=count) for count in (1, 2, 5, 22)}
    assert said == {
        1: "zaznaczono 1 obiekt",
        2: "zaznaczono 2 obiekty",
        5: "zaznaczono 5 obiektów",
        22: "zaznaczono 22 obiekty",
    }
    path.write_text(POLISH.replace('msgstr[2] "zaznaczono {count} obiektów"\n', ""), encoding="utf-8")
    with pytest.raises(ValueError, match="3 forms are needed"):
        read(path)
