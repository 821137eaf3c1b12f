# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters of names and texts that are unsafe for a terminal, a build server or an editor.

These are control characters, line and paragraph ends, and marks that change the text direction. Each kind of text has
its own notation for them: an escape sequence, or a replacement if there is none.
"""

import re

# C0, DEL and C1; line and paragraph separator; embeddings, overrides and isolates of the text direction.
_CONTROLS = "\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[{_CONTROLS}]")
# Including characters that XML 1.0 does not allow.
_UNPRINTABLE = re.compile(f"[{_CONTROLS}]|[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPACE = re.compile("([\t\n])")
# JSON and TOML escape C0 already, and line ends are between values.
_RAW = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\udc80-\udcff]")
# A byte of a path that is not UTF-8, as in Python, and a backslash that would look like an escaped one.
_BYTE = re.compile("[\udc80-\udcff]")
_LIKE_BYTE = re.compile(r"\\(?=x[89a-f][0-9a-f]|x5c)")
_WRITTEN_BYTE = re.compile(r"\\x([89a-f][0-9a-f]|5c)")


def shown(line: str) -> str:
    """Return a line with control characters and line ends escaped."""
    if line.isprintable():
        return line
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), _BYTE.sub(_byte, line))


def printable(text: str) -> str:
    """Return a line with control characters and characters invalid in XML 1.0 replaced by the replacement character.

    Unpaired surrogates and noncharacters are replaced, too, as are line ends, after which build servers read commands.
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def printable_lines(text: str) -> str:
    """Return a text of several lines, such as a comment, with each line `printable`. Tabs are kept."""
    return "".join(part if part in ("\t", "\n") else printable(part) for part in _SPACE.split(text))


def escaped(quoted: str) -> str:
    """Return JSON, or a string of TOML, with control characters escaped.

    Bytes that are not UTF-8 are as in `spelled`.
    """
    if quoted.isascii() and "\x7f" not in quoted:
        return quoted
    return _RAW.sub(lambda found: _byte(found, "\\\\x") if found[0] > "\ud7ff" else f"\\u{ord(found[0]):04x}", quoted)


def spelled(path: str) -> str:
    r"""Return a path for reports. A byte that is not UTF-8 is written as ``\xff``.

    The result is unique: a backslash that would look like the beginning of such a byte is written as ``\x5c``.
    """
    return _BYTE.sub(_byte, _LIKE_BYTE.sub(r"\\x5c", path))


def unspelled(path: str) -> str:
    """Return the path from the result of `spelled`."""

    def character(found: re.Match[str]) -> str:
        code = int(found[1], 16)
        return chr(code) if code < 0x80 else chr(0xDC00 + code)

    return _WRITTEN_BYTE.sub(character, path)


def _byte(found: re.Match[str], before: str = "\\x") -> str:
    return f"{before}{ord(found[0]) - 0xDC00:02x}"
