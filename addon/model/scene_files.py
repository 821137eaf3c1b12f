# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of the file of a scene that can be told before Blender is loaded."""

from pathlib import Path

from .formats import SCENES


def why_no_scene(path: Path) -> str:
    """Why a path can be no scene: it does not exist, is no file, or has another extension than `SCENES`; else "".

    Examples
    --------
    >>> why_no_scene(Path("missing.blend"))
    'no such file'
    """
    try:
        if not path.exists():
            return "no such file"
        if not path.is_file():
            return "not a file"
    except OSError as error:  # for example a name that is too long, or a folder without permission
        return error.strerror or str(error)
    if path.suffix.lower() not in SCENES:
        return f"not a scene that can be read; these can: {', '.join(SCENES)}"
    return ""
