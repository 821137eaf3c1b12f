# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts in the language of the interface, with fields in braces filled in.

The user chooses whether Blender translates labels, tooltips and reports. So there are three functions.
"""

from collections.abc import Callable, Iterable
from typing import Any

from bpy.app import translations

from ..model.errors import UserError
from ..model.message import Message
from ..model.plurals import agreeing, of_form, plural_form
from . import CONTEXT
from .particles import with_particles

# The stubs declare that functions written in C return nothing.
pgettext_iface: Any = translations.pgettext_iface
pgettext_rpt: Any = translations.pgettext_rpt
pgettext_tip: Any = translations.pgettext_tip


def label_(text: str, /, **parts: object) -> str:
    """Return a text of a panel."""
    return _translated(text, parts, pgettext_iface)


def tip_(text: str, /, **parts: object) -> str:
    """Return a text of a tooltip."""
    return _translated(text, parts, pgettext_tip)


def report_(text: str, /, **parts: object) -> str:
    """Return a text of the status bar."""
    return _translated(text, parts, pgettext_rpt)


def error_text(error: UserError) -> str:
    """Return a message for a user error, as a text of the status bar."""
    return report_(error.message, **error.values)


def translated(text: str) -> str:
    """Return a message of a report, or a word in it, as a text of a panel."""
    return _of_message(text, pgettext_iface)


def sentences(texts: Iterable[str]) -> str:
    """Return several reports as one."""
    return _joined(texts, "{first}. {second}")


def enumerated(texts: Iterable[str]) -> str:
    """Return several reports, or parts of one, as a list. Empty for no reports."""
    return _joined(texts, "{first}, {second}")


def _joined(texts: Iterable[str], pattern: str) -> str:
    first, *others = [*texts] or [""]
    for second in others:
        first = report_(pattern, first=first, second=second)
    return first


def _of_message(text: str, look_up: Callable[..., str]) -> str:
    if isinstance(text, Message):
        return _translated(text.template, dict(text.values), look_up)
    return _translated(text, {}, look_up)


def _translated(text: str, parts: dict[str, object], look_up: Callable[..., str]) -> str:
    parts = {name: _of_message(part, look_up) if isinstance(part, Message) else part for name, part in parts.items()}
    form = _form_of(text, parts, look_up)
    if form:
        return with_particles(form, parts).format(**parts)
    text = agreeing(text, parts)
    own = look_up(text, CONTEXT)
    # Reports also contain words of Blender, such as its names of object types.
    found = own if own != text else look_up(text)
    # A text without fields can contain a name with braces.
    return with_particles(found, parts).format(**parts) if parts else found


def _form_of(text: str, parts: dict[str, object], look_up: Callable[..., str]) -> str:
    """Return the form of a text for its `count` in the language of the interface. Empty if it has no forms."""
    count = str(parts.get("count", ""))
    if not count.isdecimal():
        return ""
    name = of_form(text, plural_form(translations.locale, int(count)))
    found = look_up(name, CONTEXT)
    return found if found != name else ""
