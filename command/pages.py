# SPDX-License-Identifier: GPL-3.0-or-later
"""The page of each file, written beside the index as soon as it is ready, so that not all pages are kept in memory."""

from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import quote

from ..addon.system.files import encoded, write_whole
from .one_file import Checked

ENDING = ".html"

_FOLDER = "pages"


@dataclass(frozen=True)
class Pages:
    """Pages that belong to an index.

    Attributes
    ----------
    index : Path
        File of the index. The pages are in a folder beside it.
    """

    index: Path

    def written(self, checked: Checked) -> Checked:
        """Write the page of a file, and return the result of the file without the text of the page.

        Raises
        ------
        OSError
            If the page cannot be written.
        """
        text = checked.parts.get(ENDING)
        if not text:
            return checked
        path = self._path(checked)
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, encoded(text))
        return replace(checked, parts={**checked.parts, ENDING: ""})

    def has(self, checked: Checked) -> bool:
        """Return whether the page of a file has been written, or the file has none."""
        return ENDING not in checked.parts or self._path(checked).is_file()

    def link(self, checked: Checked) -> str:
        """Return the link to a file's page in the index. Empty if the file has no page."""
        return quote(f"{_FOLDER}/{checked.path}{ENDING}") if ENDING in checked.parts else ""

    def _path(self, checked: Checked) -> Path:
        return self.index.parent / _FOLDER / f"{checked.path}{ENDING}"
