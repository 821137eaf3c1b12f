# SPDX-License-Identifier: GPL-3.0-or-later
"""Small glTF files that declare colliders, for tests of reading them."""

import base64
import json
from pathlib import Path

import numpy as np


def wrote(tmp_path: Path, nodes: list[dict], shapes: list[dict] = (), physics: dict | None = None, **more) -> Path:
    """A file with these nodes, all in its scene unless a node declares otherwise."""
    apart_nodes = {number for number, node in enumerate(nodes) if node.pop("apart", False)}
    children = {child for node in nodes for child in node.get("children", ())}
    content = {
        "asset": {"version": "2.0"},
        "extensionsUsed": ["KHR_implicit_shapes", "KHR_physics_rigid_bodies"],
        "extensions": {
            "KHR_implicit_shapes": {"shapes": list(shapes)},
            "KHR_physics_rigid_bodies": physics or {},
        },
        "scene": 0,
        "scenes": [{"nodes": [n for n in range(len(nodes)) if n not in apart_nodes and n not in children]}],
        "nodes": nodes,
        **more,
    }
    path = tmp_path / "file.gltf"
    path.write_text(json.dumps(content))
    return path


def collider(role: str = "collider", motion: dict | None = None, **content) -> dict:
    found = {role: {"geometry": content.pop("geometry", None) or {"shape": content.pop("shape", 0)}, **content}}
    if motion is not None:
        found["motion"] = motion
    return {"KHR_physics_rigid_bodies": found}


def triangle_mesh(count: int = 1, centered: bool = False) -> dict:
    """Fields of a file with meshes: tetrahedra with sides 1, 2 and so on."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float32)
    corners -= 0.5 * np.float32(centered)
    faces = np.array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], np.uint16)
    blob, views, accessors, meshes = b"", [], [], []
    for number in range(count):
        points = corners * (number + 1)
        for data, kind, shape in ((points, 5126, "VEC3"), (faces, 5123, "SCALAR")):
            views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": data.nbytes})
            bounds = {"min": points.min(axis=0).tolist(), "max": points.max(axis=0).tolist()} if data is points else {}
            accessors.append(
                {"bufferView": len(views) - 1, "componentType": kind, "count": len(data), "type": shape, **bounds}
            )
            blob += data.tobytes()
        meshes.append(
            {
                "primitives": [{"attributes": {"POSITION": 2 * number}, "indices": 2 * number + 1}],
                "name": f"Mesh{number}",
            }
        )
    uri = "data:application/octet-stream;base64," + base64.b64encode(blob).decode()
    buffers = [{"uri": uri, "byteLength": len(blob)}]
    return {"meshes": meshes, "accessors": accessors, "bufferViews": views, "buffers": buffers}
