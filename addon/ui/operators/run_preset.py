# SPDX-License-Identifier: GPL-3.0-or-later
"""Applies presets that users have saved."""

from pathlib import Path
from typing import Any

import bpy

from ... import scene
from ...i18n.lookup import report_


def run_preset(operator: Any, menu: str) -> set[str]:
    """Run the script of a preset as Blender does.

    Parameters
    ----------
    operator : bpy.types.Operator
        Its `filepath` is that of the preset; it reports that there is none, or why it fails.
    menu : str
        The menu or panel that lists the presets, whose label Blender changes.
    """
    if not Path(operator.filepath).is_file():
        operator.report({"ERROR"}, report_("Preset not found"))
        return {"CANCELLED"}
    script: Any = bpy.ops.script
    try:
        return {*script.execute_preset(filepath=operator.filepath, menu_idname=menu)}
    except RuntimeError as error:  # whatever its script raises
        operator.report({"ERROR"}, scene.files.reason_of(error))
        return {"CANCELLED"}
