# SPDX-License-Identifier: GPL-3.0-or-later
"""The vertices and triangles of mesh files, read by a minimal reader for tests."""

import json
import struct
from pathlib import Path

import numpy as np


def vertices(path: Path) -> np.ndarray:
    """All vertex positions of a .off, .obj, ASCII .ply, binary .stl or .glb file, with the precision of the file.

    For a .glb file, the positions of all its meshes, one after another, each in its own frame.
    """
    return {".off": _off, ".obj": _obj, ".ply": _ply, ".stl": _stl, ".glb": _glb}[path.suffix.lower()](path)


def triangles(path: Path) -> np.ndarray:
    """All triangles of a .off, .obj or ascii .ply file, as indices into `vertices`; polygons as fans."""
    if path.suffix == ".off":
        rows = [[int(word) for word in line.split()[1:4]] for line in path.read_text().splitlines() if line[:2] == "3 "]
    elif path.suffix == ".obj":
        text = path.read_text(errors="replace").replace("\\\n", " ")
        lines = (line.split() for line in text.splitlines())
        faces = [[int(word.partition("/")[0]) - 1 for word in line[1:]] for line in lines if line and line[0] == "f"]
        rows = [[face[0], face[i], face[i + 1]] for face in faces for i in range(1, len(face) - 1)]
    else:
        header, body = path.read_text().split("end_header\n")
        (count,) = (int(line.split()[2]) for line in header.splitlines() if line.startswith("element vertex"))
        rows = [[int(word) for word in line.split()[1:]] for line in body.splitlines()[count:]]
    return np.array(rows, dtype=np.int64)


def _off(path: Path) -> np.ndarray:
    words = path.read_text().split()
    assert words[0] == "OFF"
    return np.array(words[4 : 4 + 3 * int(words[1])], dtype=np.float64).reshape(-1, 3)


def _obj(path: Path) -> np.ndarray:
    lines = (line.split() for line in path.read_text(errors="replace").splitlines())
    return np.array([line[1:4] for line in lines if line and line[0] == "v"], dtype=np.float64)


def _ply(path: Path) -> np.ndarray:
    header, body = path.read_text().split("end_header\n")
    (count,) = (int(line.split()[2]) for line in header.splitlines() if line.startswith("element vertex"))
    return np.array([line.split()[:3] for line in body.splitlines()[:count]], dtype=np.float64)


def _stl(path: Path) -> np.ndarray:
    data = path.read_bytes()
    (count,) = struct.unpack_from("<I", data, 80)
    triangle = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")])
    return np.frombuffer(data, triangle, count, 84)["corners"].reshape(-1, 3)


def _glb(path: Path) -> np.ndarray:
    data = path.read_bytes()
    (length,) = struct.unpack_from("<I", data, 12)
    scene = json.loads(data[20 : 20 + length])
    blob = data[20 + length + 8 :]
    found = []
    for mesh in scene["meshes"]:
        for primitive in mesh["primitives"]:
            accessor = scene["accessors"][primitive["attributes"]["POSITION"]]
            view = scene["bufferViews"][accessor["bufferView"]]
            start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
            stride = view.get("byteStride", 12)
            rows = np.ndarray((accessor["count"], 3), "<f4", blob, start, (stride, 4))
            found.append(rows.copy())
    return np.concatenate(found)
