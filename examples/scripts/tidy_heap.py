# SPDX-License-Identifier: GPL-3.0-or-later
"""Drop crates that overlap in the air onto a floor: separated first, then set down one by one; saved as a file.

Run it in Blender, with the extension installed, or with the bpy package and ``pip install collision-kit[blender]``::

    blender --background --python-exit-code 2 --python examples/scripts/tidy_heap.py -- heap.blend
    python examples/scripts/tidy_heap.py heap.blend
"""

import random
import sys

import bpy

try:
    from bl_ext.user_default.collision_kit import api
except ModuleNotFoundError:
    from collision_kit import api

CRATES = 12


def build() -> list[bpy.types.Object]:
    """A new scene: a floor, and crates above it that overlap each other. Returns the crates."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.mesh.primitive_cube_add(size=10.0, location=(0.0, 0.0, -5.0))
    bpy.context.object.name = "Floor"
    rng = random.Random(1)
    crates = []
    for number in range(CRATES):
        place = (rng.uniform(-1.0, 1.0), rng.uniform(-1.0, 1.0), rng.uniform(3.0, 5.0))
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=place, rotation=(0.0, 0.0, rng.uniform(0.0, 3.0)))
        bpy.context.object.name = f"Crate {number + 1}"
        crates.append(bpy.context.object)
    return crates


def main(arguments: list[str]) -> int:
    """Build, tidy up and save; return the exit code."""
    crates = build()
    print(f"{len(api.faults(api.check_collisions()))} collisions at first")
    outcome = api.push_apart(crates, together=True)
    print(f"{len(outcome.moved)} crates moved apart, the farthest by {outcome.farthest:.3g}")
    outcome = api.drop_to_surface(crates)
    for name, other in outcome.onto.items():
        print(f"{name} rests on {other}")
    left = api.faults(api.check_collisions())
    print(f"{len(left)} collisions left")
    bpy.ops.wm.save_as_mainfile(filepath=arguments[0])
    return 1 if left else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[sys.argv.index("--") + 1 :] if "--" in sys.argv else sys.argv[1:]))
