# SPDX-License-Identifier: GPL-3.0-or-later
"""Errors of a scene file that can be detected before Blender is loaded."""

from pathlib import Path

from .formats import SCENES


def why_no_scene(path: Path) -> str:
    """Return why a path cannot be a scene: it does not exist, is not a file, or has an unknown extension. Otherwise "".

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
