# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the translations of the interface: one `.po` file for each language, named as Blender names the language.

A message without a context is shown by the add-on's own code or by Blender. A message with the context `Operator` is
the name of an operator, which Blender looks up separately. Fields in braces are filled in afterwards. A text that
counts something can have a form for each plural of the language, as in gettext: `msgid_plural`, which is the text in
the code, and `msgstr[0]` and so on.
"""

import re
from pathlib import Path

from ..model.plurals import SINGULAR, form_count, of_form
from . import CONTEXT

Catalog = dict[tuple[str, str], str]

FOLDER = Path(__file__).parent

_ENTRY = re.compile(r'(?:^msgctxt "(.*)"\n)?^msgid "(.*)"\nmsgstr "(.*)"$', re.MULTILINE)
_PLURAL = re.compile(
    r'(?:^msgctxt "(.*)"\n)?^msgid "(.*)"\nmsgid_plural "(.*)"\n((?:msgstr\[\d\] ".*"(?:\n|$))+)', re.MULTILINE
)
_FORM = re.compile(r'^msgstr\[\d\] "(.*)"$', re.MULTILINE)
_ESCAPED = re.compile(r"\\(.)")
_ESCAPES = {"n": "\n", '"': '"', "\\": "\\"}

# Contexts in which Blender or the add-on looks up entries without a context.
_CONTEXTS = ("*", CONTEXT)


def catalogs() -> dict[str, Catalog]:
    """Return all translations for `bpy.app.translations.register`."""
    return {path.stem: registered(read(path)) for path in sorted(FOLDER.glob("*.po"))}


def registered(entries: Catalog) -> Catalog:
    """Return each entry under every context in which it is looked up, and both forms of entries that count."""
    found: Catalog = {}
    for (context, english), text in entries.items():
        for name in (context,) if context else _CONTEXTS:
            found[name, english] = text
            if english in SINGULAR and (context, SINGULAR[english]) not in entries:
                found[name, SINGULAR[english]] = text
    return found


def read(path: Path) -> Catalog:
    """Return the entries of a `.po` file: context (may be empty) and English text to translation.

    Raises
    ------
    ValueError
        If an entry is incomplete, has the wrong number of plural forms, or occurs twice.
    """
    found: Catalog = {}
    # A long text is split over several lines.
    lines = "\n" + path.read_text(encoding="utf-8").replace('"\n"', "")
    entries = _ENTRY.findall(lines)
    for context, *texts in entries:
        english, text = map(_unescaped, texts)
        if (context, english) in found:
            raise ValueError(f"{path.name}: translated twice: {english}")
        found[context, english] = text
    counted = _PLURAL.findall(lines)
    for context, one, many, forms in counted:
        one, many = _unescaped(one), _unescaped(many)
        texts = [_unescaped(text) for text in _FORM.findall(forms)]
        if len(texts) != form_count(path.stem):
            raise ValueError(f"{path.name}: {form_count(path.stem)} forms are needed: {many}")
        if (context, many) in found:
            raise ValueError(f"{path.name}: translated twice: {many}")
        found |= {(context, one): texts[0], (context, many): texts[-1]}
        found |= {(context, of_form(many, form)): text for form, text in enumerate(texts)}
    if len(entries) + len(counted) != lines.count("\nmsgid ") or len(entries) != lines.count("\nmsgstr "):
        raise ValueError(f"{path.name}: an entry is not complete")
    return {key: text for key, text in found.items() if key[1]}  # the entry without a text describes the file


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda match: _ESCAPES[match[1]], text) if "\\" in text else text
