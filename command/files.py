# SPDX-License-Identifier: GPL-3.0-or-later
"""Find the files to check: the given files, and the scenes in the given folders."""

import fnmatch
import os
import re
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path, PurePath

from ..addon.model.errors import CommandError
from ..addon.model.formats import SCENES

# Autosaves of Blender: NAME_autosave.blend, NAME_1234_autosave.blend.
_AUTOSAVE = "_autosave"


def scene_files(paths: Sequence[Path], include: Sequence[str] = (), exclude: Sequence[str] = ()) -> list[Path]:
    """Return the files of the given paths, as absolute paths in order, without repetition.

    Parameters
    ----------
    paths : sequence of Path
        A file is taken with any extension. A folder is searched recursively for scenes. Blender's backups (.blend1) and
        autosaves, and folders whose names begin with a dot, are left out. Links are followed, and each folder is
        searched once.
    include, exclude : sequence of str
        Case-sensitive globs. A glob without a slash matches the name of a file or, for `exclude`, of a folder. A glob
        with a slash matches the path below the given folder, and ``**`` stands for any number of folders.

    Raises
    ------
    CommandError
        If a path does not exist or is a device or a named pipe, or a folder that is not excluded cannot be read.

    Examples
    --------
    >>> scene_files([Path("shots")], exclude=["**/old/**", "test_*"])  # doctest: +SKIP
    """
    found: set[Path] = set()
    searched: set[tuple[int, int]] = set()
    for path in paths:
        absolute = Path(os.path.abspath(path))
        if absolute.is_dir():
            scenes = _scenes(absolute, searched, exclude)
            found.update(file for file in scenes if _taken(file, absolute, include, exclude))
        elif not absolute.exists():
            raise CommandError(f"{path}: no such file or folder")
        elif not absolute.is_file():  # reading a named pipe or a device might never end
            raise CommandError(f"{path}: not a file")
        elif _taken(absolute, absolute.parent, include, exclude):
            found.add(absolute)
    return sorted(found, key=lambda file: file.as_posix())


def scene_path(path: str, scene: str) -> str:
    """Return the report's path for a scene that is not the active one of its file, or for a clip.

    Examples
    --------
    >>> scene_path("levels/town.blend", "Night: 2")
    'levels/town.blend/Night%3A 2'
    """
    return f"{path}/" + re.sub(r'[%/\\:*?"<>|\x00-\x1f]', lambda found: f"%{ord(found[0]):02X}", scene)


def common_folder(paths: Sequence[Path], files: Sequence[Path]) -> Path:
    """Return the folder that the paths of files are relative to: their deepest common folder.

    Raises
    ------
    CommandError
        If there is none, because the files are on several drives (Windows).
    """
    absolute = [Path(os.path.abspath(path)) for path in paths]
    folders = [path if path.is_dir() else path.parent for path in absolute] or [file.parent for file in files]
    try:
        return Path(os.path.commonpath(folders))
    except ValueError:
        raise CommandError("the files have no folder in common") from None


def _scenes(top: Path, searched: set[tuple[int, int]], exclude: Sequence[str]) -> Iterator[Path]:
    def unreadable(error: OSError) -> None:
        # A folder is excluded if every scene in it would be.
        if any(_taken(Path(error.filename, f"_{ending}"), top, (), exclude) for ending in SCENES):
            raise CommandError(f"{error.filename}: {error.strerror}")

    for folder, folders, names in os.walk(top, onerror=unreadable, followlinks=True):
        there = os.stat(folder)
        identity = (there.st_dev, there.st_ino)
        if identity in searched:
            folders.clear()
            continue
        searched.add(identity)
        # Folders before links to them, so that a file is listed under its path without links.
        folders.sort(key=lambda name: (os.path.islink(os.path.join(folder, name)), name))
        folders[:] = [name for name in folders if not name.startswith(".")]
        for name in names:
            path = Path(folder, name)
            ending = path.suffix.lower()
            if ending in SCENES and not path.stem.endswith(_AUTOSAVE) and path.is_file():
                yield path


def _taken(file: Path, folder: Path, include: Sequence[str], exclude: Sequence[str]) -> bool:
    path = file.relative_to(folder)
    if include and not any(_matches(glob, path, path.name) for glob in include):
        return False
    return not any(_matches(glob, path, *path.parts) for glob in exclude)


def _matches(glob: str, path: PurePath, *names: str) -> bool:
    if "/" in glob:
        return _pattern(glob).fullmatch(path.as_posix()) is not None
    return any(fnmatch.fnmatchcase(name, glob) for name in names)


@cache
def _pattern(glob: str) -> re.Pattern[str]:
    """A glob for paths. PurePath.match supports ``**`` only from Python 3.13 on."""
    text = ""
    for part in re.findall(r"\*\*/|\*\*|\*|\?|\[!?\]?[^\]]*\]|.", glob.removeprefix("./"), re.DOTALL):
        if part.startswith("["):
            text += "[" + re.sub(r"^!", "^", re.sub(r"([\[\\&|~])", r"\\\1", part[1:-1])) + "]"
        else:
            text += {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*", "?": "[^/]"}.get(part) or re.escape(part)
    return re.compile(text, re.DOTALL)
