# SPDX-License-Identifier: GPL-3.0-or-later
"""Find when animated objects first touch, and what the camera sees of them. Save a report of each to a folder.

Run it in Blender, with the extension installed, or with the bpy package and ``pip install collision-kit[blender]``::

    blender --background shot.blend --python-exit-code 2 --python examples/scripts/motion_and_camera.py -- reports
    python examples/scripts/motion_and_camera.py reports shot.blend
"""

import sys
from pathlib import Path

import bpy

try:
    from bl_ext.user_default.collision_kit import api
except ModuleNotFoundError:
    from collision_kit import api


def main(arguments: list[str]) -> int:
    """Follow the motion, cull, and save both reports; return the exit code."""
    folder, *files = arguments
    for file in files:
        bpy.ops.wm.open_mainfile(filepath=file)
    Path(folder).mkdir(parents=True, exist_ok=True)
    scene = bpy.context.scene
    motion = api.check_motion(start=scene.frame_start, end=scene.frame_end)
    for contact in motion.contacts:
        a, b = motion.bodies[contact.body_a].name, motion.bodies[contact.body_b].name
        print(f"{a} × {b}: first touch in frame {contact.first:.3f}, {contact.depth:.4g} deep")
    api.save_report(motion, Path(folder) / "motion.json")
    if scene.camera is not None:
        seen = api.cull_to_camera(frames=(scene.frame_start, scene.frame_end))
        for verdict, count in sorted(seen.counts().items()):
            print(f"{count} objects {('outside', 'partly seen', 'inside')[verdict + 1]}")
        api.save_report(seen, Path(folder) / "camera.json")
    return 1 if any(not contact.started_touching for contact in motion.contacts) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]))
