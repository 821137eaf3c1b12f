# SPDX-License-Identifier: GPL-3.0-or-later
"""A glTF file of a box."""

from pathlib import Path

from tests.helpers.blender.gltf_writing import collider, triangle_mesh, wrote

BOX = {"type": "box", "box": {"size": [1.0, 2.0, 3.0]}}


EYE = {"type": "orthographic", "orthographic": {"xmag": 2.0, "ymag": 2.0, "zfar": 20.0, "znear": 0.1}}


def file(
    tmp_path: Path,
    shape: dict | None = None,
    more: dict | None = None,
    primitive: dict | None = None,
    top: dict | None = None,
    physics: bool = True,
    **content,
) -> Path:
    """A file with a box, a camera, and a rock with this collider; they are apart.

    `more` are fields of the node of the rock, `primitive` of its mesh, and `top` of the file itself. Without `physics`,
    there are no colliders, and the box is a mesh.
    """
    mesh = triangle_mesh()
    mesh["meshes"][0]["primitives"][0] |= primitive or {}
    nodes = [
        {"name": "Good", "extensions": collider(), "translation": [9.0, 0.0, 0.0]},
        {"name": "Rock", "mesh": 0, "extensions": collider(**({"shape": 1} | content)), **(more or {})},
        {"name": "Eye", "camera": 0},
    ]
    if not physics:
        nodes = [{name: value for name, value in node.items() if name != "extensions"} for node in nodes]
    return wrote(tmp_path, nodes, [BOX, shape or BOX] if physics else [], cameras=[EYE], **mesh | (top or {}))
