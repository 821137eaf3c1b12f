# SPDX-License-Identifier: GPL-3.0-or-later
"""Presets for the settings of a check: those of the add-on, and the folder of the user's presets."""

from typing import Any

# Below `presets` in the user's scripts folder.
FOLDER = "collision_kit/check"

# The panel that lists the presets. The operators of its entries are below.
MENU = "COLLISION_KIT_PT_check_presets"
APPLY = "collision_kit.apply_check_preset"
ADD = "collision_kit.add_check_preset"

# Values of a preset, as paths from the scene's settings. Collections are specific to a file, so they are not included.
VALUES = (
    "scope",
    "planar.dimension",
    "planar.plane",
    "touching_mode",
    "touching",
    "clearance",
    "include_operands",
    "self_check",
    "loose_parts",
    "parts",
    "static",
    "surroundings",
)

OWN = "OWN"
SHIPPED = (
    (OWN, "Custom", "User preset"),
    (
        "GAME_LEVEL",
        "Game Level",
        "Ignore gaps and overlaps up to 1 mm, for objects placed by hand",
    ),
    (
        "MECHANICAL",
        "Mechanical Clearance",
        "List all parts that are less than 0.3 mm apart, for 3D printing and moving parts",
    ),
    (
        "TOUCHING_COUNTS",
        "Zero Tolerance",
        "Report every overlap above floating-point precision",
    ),
)

# Lengths in meters.
_AS_SHIPPED: dict[str, dict[str, Any]] = {
    "GAME_LEVEL": {"touching_mode": "MANUAL", "touching": 0.001, "clearance": 0.0},
    "MECHANICAL": {"touching_mode": "AUTOMATIC", "clearance": 0.0003},
    "TOUCHING_COUNTS": {"touching_mode": "MANUAL", "touching": 0.0, "clearance": 0.0},
}


def apply_shipped(settings: Any, preset: str, unit_scale: float) -> None:
    """Apply a preset of the add-on to the settings of a scene.

    Parameters
    ----------
    settings : COLLISION_KIT_PG_scene
    preset : str
        Identifier in `SHIPPED`, other than `OWN`.
    unit_scale : float
        Meters per Blender unit.
    """
    settings.scope, settings.planar.dimension, settings.include_operands = "VISIBLE", "SPACE", False
    settings.self_check, settings.loose_parts, settings.parts = False, False, "AUTOMATIC"
    settings.static, settings.surroundings = False, False
    for name, value in _AS_SHIPPED[preset].items():
        setattr(settings, name, value / unit_scale if isinstance(value, float) else value)
