# SPDX-License-Identifier: GPL-3.0-or-later
"""The names that scripts give to the operators that export."""

from pathlib import Path

import bpy
import pytest


@pytest.mark.parametrize("name", ["fbx", "gltf"])
def test_a_name_without_an_ending_gets_one_and_no_name_is_refused(name: str, tmp_path: Path) -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.mesh.primitive_cube_add()
    export = getattr(bpy.ops.collision_kit, f"export_{name}")
    assert export(filepath=str(tmp_path / "scene")) == {"FINISHED"}
    assert [path.stem for path in tmp_path.iterdir()] == ["scene"]
    with pytest.raises(RuntimeError, match="Cannot write"):
        export(filepath="")
