# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts in the language of the interface, with what is in braces filled in.

The user chooses which of labels, tooltips and reports Blender translates; so there are three functions.
"""

from collections.abc import Callable, Mapping

from bpy.app.translations import pgettext_iface, pgettext_rpt, pgettext_tip

from .errors import UserError
from .translations import CONTEXT
from .translations.counted import SINGULAR


def label_(text: str, **parts: object) -> str:
    """Return a text of a panel."""
    return _translated(text, parts, pgettext_iface)


def tip_(text: str, **parts: object) -> str:
    """Return a text of a tooltip."""
    return _translated(text, parts, pgettext_tip)


def report_(text: str, **parts: object) -> str:
    """Return a text of the status bar."""
    return _translated(text, parts, pgettext_rpt)


def error_text(error: UserError) -> str:
    """Return what the user did that cannot be done, as a text of the status bar."""
    return report_(error.message, **error.values)


def agreeing(text: str, parts: Mapping[str, object]) -> str:
    """Return an English text in the form that agrees with its `count`: of one, the singular."""
    return SINGULAR.get(text, text) if str(parts.get("count")) == "1" else text


def _translated(text: str, parts: dict[str, object], look_up: Callable[..., str]) -> str:
    text = agreeing(text, parts)
    own = look_up(text, CONTEXT)
    # Words of Blender's own are in reports, too: what it calls its types of objects.
    found = own if own != text else look_up(text)
    # A text with nothing to fill in may hold a name with braces in it.
    return found.format(**parts) if parts else found
