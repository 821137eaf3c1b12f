# SPDX-License-Identifier: GPL-3.0-or-later
"""The physics that glTF files declare, read by a minimal reader that is independent of the code under test."""

import base64
import json
import struct
from dataclasses import dataclass
from pathlib import Path

import numpy as np

# From glTF's axes to Blender's: X, -Z, Y.
TO_BLENDER = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, -1.0], [0.0, 1.0, 0.0]])


@dataclass
class File:
    json: dict
    blob: bytes

    @property
    def nodes(self) -> list[dict]:
        return self.json["nodes"]


@dataclass
class Found:
    """A collider or trigger: `points` (n, 3) or a `shape`, and its placement, (4, 4), all in Blender's axes."""

    name: str
    role: str
    matrix: np.ndarray
    shape: dict | None
    points: np.ndarray | None
    convex: bool
    content: dict


def read_file(path: Path) -> File:
    """The content of a .glb file, or of a .gltf file with embedded binary data, if it has any."""
    data = path.read_bytes()
    if data[:4] != b"glTF":
        content = json.loads(data)
        uri = content.get("buffers", [{"uri": ","}])[0]["uri"]
        return File(content, base64.b64decode(uri.partition(",")[2]))
    (length,) = struct.unpack_from("<I", data, 12)
    return File(json.loads(data[20 : 20 + length]), data[20 + length + 8 :])


def write_binary(path: Path, file: File) -> None:
    """Write a .glb file."""
    text = json.dumps(file.json).encode()
    text += b" " * (-len(text) % 4)
    chunks = b"".join(struct.pack("<I4s", len(d), kind) + d for kind, d in ((b"JSON", text), (b"BIN\0", file.blob)))
    path.write_bytes(struct.pack("<4sII", b"glTF", 2, 12 + len(chunks)) + chunks)


def declared(file: File) -> list[Found]:
    """All declarations of the nodes of a file, in the order of the nodes."""
    physics = file.json.get("extensions", {})
    shapes = physics.get("KHR_implicit_shapes", {}).get("shapes", [])
    found = []
    for number, node in enumerate(file.nodes):
        content = node.get("extensions", {}).get("KHR_physics_rigid_bodies", {})
        for role in ("collider", "trigger"):
            geometry = content.get(role, {}).get("geometry")
            if geometry is None:
                continue
            shape = shapes[geometry["shape"]] if "shape" in geometry else None
            points = None
            if shape is None:
                mesh = geometry["mesh"] if "mesh" in geometry else file.nodes[geometry["node"]]["mesh"]
                points = mesh_points(file, mesh) @ TO_BLENDER.T
            name = node.get("name", "")
            convex = geometry.get("convexHull", False)
            found.append(Found(name, role, world(file, number), shape, points, convex, content[role]))
    return found


def world(file: File, number: int) -> np.ndarray:
    """The placement of a node, in Blender's axes."""
    basis = np.eye(4)
    basis[:3, :3] = TO_BLENDER
    matrix = np.eye(4)
    at: int | None = number
    while at is not None:
        matrix = local(file.nodes[at]) @ matrix
        at = next((above for above, node in enumerate(file.nodes) if at in node.get("children", ())), None)
    return basis @ matrix @ basis.T


def local(node: dict) -> np.ndarray:
    if "matrix" in node:
        return np.array(node["matrix"]).reshape(4, 4).T
    x, y, z, w = node.get("rotation", (0.0, 0.0, 0.0, 1.0))
    turn = np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - z * w), 2 * (x * z + y * w)],
            [2 * (x * y + z * w), 1 - 2 * (x * x + z * z), 2 * (y * z - x * w)],
            [2 * (x * z - y * w), 2 * (y * z + x * w), 1 - 2 * (x * x + y * y)],
        ]
    )
    matrix = np.eye(4)
    matrix[:3, :3] = turn * np.array(node.get("scale", (1.0, 1.0, 1.0)))
    matrix[:3, 3] = node.get("translation", (0.0, 0.0, 0.0))
    return matrix


def mesh_points(file: File, mesh: int) -> np.ndarray:
    """The vertices of a mesh, (n, 3), in glTF's axes."""
    found = []
    for primitive in file.json["meshes"][mesh]["primitives"]:
        accessor = file.json["accessors"][primitive["attributes"]["POSITION"]]
        view = file.json["bufferViews"][accessor["bufferView"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        stride = view.get("byteStride", 12)
        found.append(np.ndarray((accessor["count"], 3), "<f4", file.blob, start, (stride, 4)).astype(np.float64))
    return np.concatenate(found)
