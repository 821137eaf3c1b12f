# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets of what a check looks at: those that come with the add-on, and where Blender keeps the user's."""

from typing import Any

# Under `presets` in the user's folder of scripts.
FOLDER = "collision_kit/check"

# The panel that lists them, and the operators of its entries.
MENU = "COLLISION_KIT_PT_check_presets"
APPLY = "collision_kit.apply_check_preset"
ADD = "collision_kit.add_check_preset"

# What a preset holds, as paths from the scene's settings. Collections are of one file only, and no part of it.
VALUES = ("scope", "planar.dimension", "planar.plane", "touching_mode", "touching", "clearance", "include_operands")

OWN = "OWN"
SHIPPED = (
    (OWN, "Your Own", "A preset that you have added"),
    (
        "GAME_LEVEL",
        "Game Level",
        "What is put down by hand: up to a millimeter apart or deep is at rest, and only what is deeper penetrates",
    ),
    (
        "MECHANICAL",
        "Mechanical Clearance",
        "What is printed or turns beside another part: all that leaves less than 0.3 millimeters is listed",
    ),
    (
        "TOUCHING_COUNTS",
        "Touching Counts",
        "No tolerance: what is any deeper than numbers are rounded penetrates",
    ),
)

# Lengths in meters.
_AS_SHIPPED: dict[str, dict[str, Any]] = {
    "GAME_LEVEL": {"touching_mode": "MANUAL", "touching": 0.001, "clearance": 0.0},
    "MECHANICAL": {"touching_mode": "AUTOMATIC", "clearance": 0.0003},
    "TOUCHING_COUNTS": {"touching_mode": "MANUAL", "touching": 0.0, "clearance": 0.0},
}


def apply_shipped(settings: Any, preset: str, unit_scale: float) -> None:
    """Give a scene the settings of a preset that comes with the add-on.

    Parameters
    ----------
    settings : COLLISION_KIT_PG_scene
    preset : str
        Its identifier in `SHIPPED`, but not `OWN`.
    unit_scale : float
        Meters in one Blender unit.
    """
    settings.scope, settings.planar.dimension, settings.include_operands = "VISIBLE", "SPACE", False
    for name, value in _AS_SHIPPED[preset].items():
        setattr(settings, name, value / unit_scale if isinstance(value, float) else value)
