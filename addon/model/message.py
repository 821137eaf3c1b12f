# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences of reports: English text that keeps its template and values. Does not need Blender.

Files contain a message in English. The interface translates its template and fills in the same values, so that no code
has to recognize a sentence by its words.
"""

from collections.abc import Mapping
from typing import Any, Self

from ..asset_rules.limits import Length
from .plurals import agreeing


class Message(str):
    """An English text with its template and values.

    Attributes
    ----------
    template : str
        English, with fields in braces.
    values : mapping of str to object
        Values of the fields. A `Message` is translated as well. A `Length` gets the unit of the scene
        (`i18n.units.with_unit`).
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill in the values."""
        shown = {name: f"{value:.4g}" if isinstance(value, Length) else value for name, value in values.items()}
        message = super().__new__(cls, agreeing(template, shown).format(**shown) if values else template)
        message.template, message.values = template, values
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        """Needed by processes that exchange reports."""
        return _message, (self.template, dict(self.values))


def _message(template: str, values: dict[str, object]) -> Message:
    return Message(template, **values)
