# SPDX-License-Identifier: GPL-3.0-or-later
"""The style and the script of every HTML page, which loads no other files."""

from pathlib import Path

# If a name ever escaped the quoting, a browser may only display the page.
POLICY = "default-src 'none'; img-src data:; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def text_beside(module: str, name: str) -> str:
    """Return the text of a file in the folder of a module, given as its `__file__`."""
    return Path(module).with_name(name).read_text(encoding="utf-8")


STYLE, SCRIPT = text_beside(__file__, "page.css"), text_beside(__file__, "page.js")
