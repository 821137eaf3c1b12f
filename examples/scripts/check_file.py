# SPDX-License-Identifier: GPL-3.0-or-later
"""Check a file for collisions, list them, and save the report; exit code 1 if there are any.

Run it in Blender, with the extension installed, or with the bpy package and ``pip install collision-kit[blender]``::

    blender --background level.blend --python-exit-code 2 --python examples/scripts/check_file.py -- report.json
    python examples/scripts/check_file.py report.json level.blend
"""

import sys

import bpy

try:
    from bl_ext.user_default.collision_kit import api
except ModuleNotFoundError:
    from collision_kit import api


def main(arguments: list[str]) -> int:
    """Check and save; return the exit code."""
    path, *files = arguments
    for file in files:
        bpy.ops.wm.open_mainfile(filepath=file)
    report = api.check_collisions(scope="ALL", clearance=0.005)
    for pair in api.faults(report):
        a, b = api.names(report, pair)
        print(f"{a} × {b}: {pair.verdict.name.lower()}, {-pair.distance:.4g} deep")
    api.save_report(report, path)
    return 1 if api.faults(report) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]))
