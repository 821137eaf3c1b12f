# SPDX-License-Identifier: GPL-3.0-or-later
"""The style and the script of every HTML page, which loads nothing from elsewhere."""

from pathlib import Path

# What a browser may do with the page, should a name ever get past the escaping: show it, and nothing else.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def text_beside(module: str, name: str) -> str:
    """Return the text of a file in the folder of a module, given as its `__file__`."""
    return Path(module).with_name(name).read_text(encoding="utf-8")


STYLE, SCRIPT = text_beside(__file__, "page.css"), text_beside(__file__, "page.js")
