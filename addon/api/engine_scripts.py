# SPDX-License-Identifier: GPL-3.0-or-later
"""Save import scripts for engines."""

from pathlib import Path

from ..engines.scripts import SCRIPTS
from ..scene import arguments
from ..system.files import write_whole
from .choices import ScriptEngine


def save_import_script(path: str | Path, engine: ScriptEngine = "UNITY") -> Path:
    """Save an engine's import script, which makes colliders from names when a file is imported.

    Parameters
    ----------
    path : str or Path
    engine : str
        UNITY: an AssetPostprocessor. GODOT: an import script for Godot 4.

    Returns
    -------
    Path
        Path of the file.

    Raises
    ------
    ValueError
        If there is no import script for the engine.
    OSError
        If the file cannot be written.

    Examples
    --------
    ::

        api.save_import_script("Assets/Editor/CollisionKitPostprocessor.cs", "UNITY")
    """
    arguments.one_of("engine", engine, tuple(SCRIPTS))
    target = arguments.path(path)
    write_whole(target, SCRIPTS[engine].read_bytes())
    return target
