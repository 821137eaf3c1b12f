# SPDX-License-Identifier: GPL-3.0-or-later
"""Sentences of reports: English text that remembers what it was filled in with. No Blender in it.

Files show a message as it is, in English. The interface translates its template and fills the same values into the
translation, so that no sentence is ever recognized by its words.
"""

from collections.abc import Mapping
from typing import Any, Self

from ..asset_rules.limits import Length
from .plurals import agreeing


class Message(str):
    """An English text with the template and the values that it was made from.

    Attributes
    ----------
    template : str
        English, with names in braces for what is filled in.
    values : mapping of str to object
        A `Message` among them is translated as well; a `Length` gets the unit of the scene (`i18n.units.with_unit`).
    """

    template: str
    values: Mapping[str, object]

    def __new__(cls, template: str, /, **values: object) -> Self:
        """Fill the values in."""
        shown = {name: f"{value:.4g}" if isinstance(value, Length) else value for name, value in values.items()}
        message = super().__new__(cls, agreeing(template, shown).format(**shown) if values else template)
        message.template, message.values = template, values
        return message

    def __reduce__(self) -> tuple[Any, ...]:
        """For processes that send each other reports."""
        return _message, (self.template, dict(self.values))


def _message(template: str, values: dict[str, object]) -> Message:
    return Message(template, **values)
