# SPDX-License-Identifier: GPL-3.0-or-later
"""Make a collider for each visible object of a file that has none, repair what can be, and export it all as glTF.

Exit code 1 if an error is left. Run it in Blender, with the extension installed, or with the bpy package and
``pip install collision-kit[blender]``::

    blender --background level.blend --python-exit-code 2 --python examples/scripts/make_level_colliders.py -- level.glb
    python examples/scripts/make_level_colliders.py level.glb level.blend
"""

import sys

import bpy

try:
    from bl_ext.user_default.collision_kit import api
except ModuleNotFoundError:
    from collision_kit import api


def main(arguments: list[str]) -> int:
    """Make, repair and export; return the exit code."""
    path, *files = arguments
    for file in files:
        bpy.ops.wm.open_mainfile(filepath=file)
    without = [
        ob
        for ob in bpy.context.scene.objects
        if ob.type == "MESH" and ob.visible_get() and not api.render_mesh_of(ob) and not api.colliders_of([ob])
    ]
    for ob in without:
        (collider,) = api.make_collider([ob], "BEST", engine="GLTF").colliders
        print(f"{ob.name}: {collider.kind.lower()}, {collider.quality.hull_ratio:.3g} times the volume of the hull")
    report = api.fix_issues(api.validate_colliders("GLTF"))
    for issue in report.issues:
        print(f"{issue.rule.severity}: {issue.object}: {api.issue_text(report, issue)}")
    for note in api.export_gltf(path):
        print(note)
    return 1 if report.failing("error") else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]))
