# SPDX-License-Identifier: GPL-3.0-or-later
"""Characters of names and texts that must not reach a terminal, a build server or an editor as they are.

These are controls, which terminals take for commands, ends of lines and paragraphs, and what turns the direction of
writing round. Each kind of text has its own way to write them: an escape, or a replacement where it has none.
"""

import re

# C0, DEL and C1; line and paragraph separator; embeddings, overrides and isolates of the direction of writing.
_CONTROLS = "\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069"
_CONTROL = re.compile(f"[{_CONTROLS}]")
# With what has no place in XML 1.0.
_UNPRINTABLE = re.compile(f"[{_CONTROLS}]|[^\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_SPACE = re.compile("([\t\n])")
# In JSON and TOML, C0 is escaped already, and ends of lines are between values.
_RAW = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\udc80-\udcff]")
# A byte of a path that is no UTF-8, as Python has it; and what would read like an escape of one.
_BYTE = re.compile("[\udc80-\udcff]")
_LIKE_BYTE = re.compile(r"\\(?=x[89a-f][0-9a-f]|x5c)")
_WRITTEN_BYTE = re.compile(r"\\x([89a-f][0-9a-f]|5c)")


def shown(line: str) -> str:
    """A line with what would control the terminal, or begin another line, written as an escape."""
    return _CONTROL.sub(lambda found: found[0].encode("unicode_escape").decode(), _BYTE.sub(_byte, line))


def printable(text: str) -> str:
    """A line without controls, and without what XML 1.0 cannot hold; each is a replacement character.

    Halves of pairs and what is no character are replaced, too; and ends of lines, after which build servers read
    commands.
    """
    return _UNPRINTABLE.sub("\N{REPLACEMENT CHARACTER}", text)


def printable_lines(text: str) -> str:
    """A text of several lines, such as a comment, with each line `printable`; tabs stay."""
    return "".join(part if part in ("\t", "\n") else printable(part) for part in _SPACE.split(text))


def escaped(quoted: str) -> str:
    """JSON, or a string of TOML, with controls written as escapes; bytes that are no UTF-8 as in `spelled`."""
    if quoted.isascii() and "\x7f" not in quoted:
        return quoted
    return _RAW.sub(lambda found: _byte(found, "\\\\x") if found[0] > "\ud7ff" else f"\\u{ord(found[0]):04x}", quoted)


def spelled(path: str) -> str:
    r"""A path as reports have it: a byte that is no UTF-8 is written ``\xff``.

    No two paths become one: a backslash that would read like the beginning of such a byte is written ``\x5c``.
    """
    return _BYTE.sub(_byte, _LIKE_BYTE.sub(r"\\x5c", path))


def unspelled(path: str) -> str:
    """The path of which `spelled` makes this one."""

    def character(found: re.Match[str]) -> str:
        code = int(found[1], 16)
        return chr(code) if code < 0x80 else chr(0xDC00 + code)

    return _WRITTEN_BYTE.sub(character, path)


def _byte(found: re.Match[str], before: str = "\\x") -> str:
    return f"{before}{ord(found[0]) - 0xDC00:02x}"
