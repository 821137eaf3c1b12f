# SPDX-License-Identifier: GPL-3.0-or-later
"""The Python and shell snippets on the pages of the documentation."""

import re
import textwrap
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PAGES = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").rglob("*.md"))]

_BLOCK = re.compile(r"^( *)```(\w+)\n(.*?)^ *```$", re.DOTALL | re.MULTILINE)


class Snippet(NamedTuple):
    """A block of code of a page.

    Attributes
    ----------
    page : str
        The path of the page below the root.
    language : str
    text : str
    line : int
        The number of its first line.
    """

    page: str
    language: str
    text: str
    line: int

    @property
    def for_blender(self) -> bool:
        """Whether it uses the functions for scripts."""
        return bool(re.search(r"\bapi\b", self.text))

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def snippets(*languages: str) -> list[Snippet]:
    """All blocks of code in these languages."""
    found = []
    for page in PAGES:
        text = page.read_text(encoding="utf-8")
        for match in _BLOCK.finditer(text):
            line = text.count("\n", 0, match.start(3)) + 1
            found.append(Snippet(page.relative_to(ROOT).as_posix(), match[2], textwrap.dedent(match[3]), line))
    return [one for one in found if one.language in languages]


def commands() -> list[tuple[Snippet, str]]:
    """Each line of the shell snippets, with its snippet."""
    return [(one, line) for one in snippets("sh", "bash", "shell") for line in one.text.splitlines() if line.strip()]
