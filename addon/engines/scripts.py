# SPDX-License-Identifier: GPL-3.0-or-later
"""The import scripts for engines that come along: they make colliders of names."""

from pathlib import Path

FOLDER = Path(__file__).parents[2] / "engines"

# By engine: the script.
SCRIPTS = {
    "UNITY": FOLDER / "unity" / "CollisionKitPostprocessor.cs",
    "GODOT": FOLDER / "godot" / "collision_kit_import.gd",
}

# The rules whose issues a script settles, each with its engine.
SETTLED_BY = {"unity-import-script": "UNITY", "godot-name": "GODOT"}
