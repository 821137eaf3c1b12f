# SPDX-License-Identifier: GPL-3.0-or-later
"""Import scripts for engines, which make colliders from names."""

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "engines"

# Script of each engine.
SCRIPTS = {
    "UNITY": FOLDER / "unity" / "CollisionKitPostprocessor.cs",
    "GODOT": FOLDER / "godot" / "collision_kit_import.gd",
}

# Rules whose issues a script solves, each with its engine.
SETTLED_BY = {"unity-import-script": "UNITY", "godot-name": "GODOT"}
