# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts in the language of the interface, with what is in braces filled in.

The user chooses which of labels, tooltips and reports Blender translates; so there are three functions.
"""

from bpy.app.translations import pgettext_iface, pgettext_rpt, pgettext_tip


def label_(text: str, **parts: object) -> str:
    """Return a text of a panel."""
    return _filled_in(pgettext_iface(text), parts)


def tip_(text: str, **parts: object) -> str:
    """Return a text of a tooltip."""
    return _filled_in(pgettext_tip(text), parts)


def report_(text: str, **parts: object) -> str:
    """Return a text of the status bar."""
    return _filled_in(pgettext_rpt(text), parts)


def _filled_in(text: str, parts: dict[str, object]) -> str:
    # A text with nothing to fill in may hold a name with braces in it.
    return text.format(**parts) if parts else text
