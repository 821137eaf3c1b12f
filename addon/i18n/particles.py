# SPDX-License-Identifier: GPL-3.0-or-later
"""Korean particles after values. The right one of two forms depends on the last sound of the value."""

import re
from collections.abc import Mapping

# Forms after a consonant, and after a vowel.
_FORMS = {
    "은(는)": ("은", "는"),
    "이(가)": ("이", "가"),
    "을(를)": ("을", "를"),
    "과(와)": ("과", "와"),
    "(으)로": ("으로", "로"),
    "(이)라": ("이라", "라"),
}
_MARKED = re.compile(r"\{([a-z_]+)\}([\"'’”)]?)(" + "|".join(map(re.escape, _FORMS)) + ")")

_FIRST, _LAST, _FINALS = ord("가"), ord("힣"), 28
_RIEUL = 8  # the final consonant ㄹ, after which -로 has no 으
# The final consonants of the digits as they are read: 영, 일, 이, 삼, 사, 오, 육, 칠, 팔, 구.
_DIGITS = (21, _RIEUL, 0, 16, 0, 0, 1, _RIEUL, _RIEUL, 0)


def with_particles(text: str, values: Mapping[str, object]) -> str:
    """Return a text, before values are filled in, with the right form of each particle after its value.

    After a value that is neither Korean nor a number, both forms remain, as usual in Korean.
    """
    return _MARKED.sub(lambda match: _agreeing(match, values), text) if "(" in text else text


def _agreeing(match: re.Match[str], values: Mapping[str, object]) -> str:
    name, quote, particle = match.groups()
    final = _final(str(values.get(name, ""))[-1:])
    if final is None:
        return match[0]
    closed = bool(final) and not (final == _RIEUL and particle == "(으)로")
    return f"{{{name}}}{quote}{_FORMS[particle][0 if closed else 1]}"


def _final(character: str) -> int | None:
    """Return the final consonant of a character as it is read. 0 if it ends in a vowel. None if unknown."""
    if character and _FIRST <= ord(character) <= _LAST:
        return (ord(character) - _FIRST) % _FINALS
    return _DIGITS[int(character)] if character.isascii() and character.isdigit() else None
