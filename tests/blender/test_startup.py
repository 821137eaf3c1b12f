# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that are loaded when the add-on is enabled, and when its panels are drawn before anything was checked."""

import json
import subprocess
import sys
from pathlib import Path

import collision_kit

ROOT = Path(__file__).resolve().parents[2]

PROGRAM = """
import json, os, sys
sys.path[:0] = sys.argv[1:3]
import bpy

before = set(sys.modules)
import collision_kit

collision_kit.register()
enabled = set(sys.modules) - before
from collision_kit.addon.ui import operators, panels
from tests.helpers.blender.panel_recorder import drawn

shown = [panel.__name__ for panel in panels.CLASSES if issubclass(panel, bpy.types.Panel) and drawn(panel, bpy.context)]
asked = [operator.poll(bpy.context) for operator in operators.CLASSES if hasattr(operator, "poll")]
print(json.dumps([sorted(enabled), sorted(set(sys.modules) - before), shown, asked]))
sys.stdout.flush()
os._exit(0)
"""

# Packages that do the work when it is asked for: of these, enabling loads nothing but the package itself.
WORKERS = (
    *("api", "cli", "culling", "exchange", "fixes", "gltf", "motion"),
    *("picture", "project", "reports", "urdf", "usd", "validation"),
)
ALLOWED = {"collision_kit.core", "collision_kit.core.constants"}


def test_nothing_numeric_is_loaded_to_enable_the_add_on_and_to_draw_its_panels() -> None:
    assert collision_kit.__file__ is not None
    package = Path(collision_kit.__file__).resolve().parent
    command = [sys.executable, "-c", PROGRAM, str(package.parent), str(ROOT)]
    result = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stderr
    enabled, drawn, shown, asked = json.loads(result.stdout.splitlines()[-1])
    assert {"COLLISION_KIT_PT_check", "COLLISION_KIT_PT_object"} <= set(shown)
    assert any(asked)
    assert not all(asked)
    for loaded in (enabled, drawn):
        assert not [name for name in loaded if name.partition(".")[0] in {"numpy", "bmesh", "mathutils"}]
        assert {name for name in loaded if name.startswith("collision_kit.core")} <= ALLOWED
    workers = tuple(f"collision_kit.addon.{name}." for name in WORKERS)
    assert [name for name in enabled if name.startswith(workers)] == []
