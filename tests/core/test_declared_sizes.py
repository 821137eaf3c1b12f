# SPDX-License-Identifier: GPL-3.0-or-later
"""Files of some bytes that declare billions of elements are refused before an importer makes room for them."""

import base64
import json
import struct
from pathlib import Path

import pytest

from collision_kit.addon.system.declared_sizes import TooLarge, check_declared_sizes

MANY = 2_000_000_000


def accessor(count: int, **more: object) -> dict:
    return {"count": count, "componentType": 5126, "type": "VEC3", **more}


def content(*accessors: dict, data: int = 0, primitives: list[dict] | None = None) -> dict:
    encoded = base64.b64encode(bytes(data)).decode()
    return {
        "asset": {"version": "2.0"},
        "meshes": [{"primitives": primitives or [{"attributes": {"POSITION": 0}}]}],
        "accessors": list(accessors),
        "bufferViews": [{"buffer": 0, "byteLength": data}],
        "buffers": [{"byteLength": data, "uri": f"data:application/octet-stream;base64,{encoded}"}],
    }


def binary(text: dict, data: bytes = b"", *, first: int | None = None, second: int | None = None) -> bytes:
    """A binary file whose chunks declare these lengths, or else their own."""
    chunk = json.dumps(text).encode()
    chunk += b" " * (-len(chunk) % 4)
    parts = struct.pack("<I4s", len(chunk) if first is None else first, b"JSON") + chunk
    if data or second:
        parts += struct.pack("<I4s", len(data) if second is None else second, b"BIN\0") + data
    return b"glTF" + struct.pack("<II", 2, 12 + len(parts)) + parts


def ply(form: str, *elements: str, body: bytes = b"") -> bytes:
    return f"ply\nformat {form} 1.0\ncomment a\n{''.join(elements)}end_header\n".encode() + body


def element(name: str, count: int, *properties: str) -> str:
    return f"element {name} {count}\n" + "".join(f"property {one}\n" for one in properties)


SPARSE = {"count": 1, "indices": {"bufferView": 0, "componentType": 5125}, "values": {"bufferView": 0}}
DRACO = {"attributes": {"POSITION": 0}, "indices": 1, "extensions": {"KHR_draco_mesh_compression": {}}}
POINT = ("float x", "float y", "float z")

TOO_LARGE = {
    "zeros.gltf": json.dumps(content(accessor(MANY))).encode(),
    "sparse.gltf": json.dumps(content(accessor(MANY, sparse=SPARSE), data=24)).encode(),
    "many of them.gltf": json.dumps(content(*[accessor(1_000_000)] * 500, data=24)).encode(),
    "zeros.glb": binary(content(accessor(MANY)), bytes(24)),
    "first.glb": binary(content(accessor(1)), first=4_000_000_000),
    "second.glb": binary(content(accessor(1)), bytes(8), second=4_000_000_000),
    "text.ply": ply("ascii", element("vertex", MANY, *POINT), body=b"0 0 0\n"),
    "faces.ply": ply(
        "ascii", element("vertex", 1, *POINT), element("face", MANY, "list uchar int vertex_indices"), body=b"0 0 0\n"
    ),
    "binary.ply": ply("binary_little_endian", element("vertex", MANY, *POINT), body=bytes(24)),
    "big end first.ply": ply("binary_big_endian", element("vertex", 3, "double x", "double y"), body=bytes(24)),
    "nothing of each.ply": ply("binary_little_endian", element("vertex", MANY), body=bytes(24)),
    "binary.stl": bytes(80) + struct.pack("<I", MANY) + bytes(50),
    "one short.stl": bytes(80) + struct.pack("<I", 2) + bytes(99),
}
SOUND = {
    "with data.gltf": json.dumps(content(accessor(2, bufferView=0), data=24)).encode(),
    "a shape key.gltf": json.dumps(content(accessor(1000, bufferView=0), accessor(1000, sparse=SPARSE), data=12_000)),
    "compressed.gltf": json.dumps(content(accessor(MANY), accessor(MANY), data=24, primitives=[DRACO])).encode(),
    "with data.glb": binary(content(accessor(2, bufferView=0)), bytes(24)),
    "without data.glb": binary(content()),
    "text.ply": ply("ascii", element("vertex", 2, *POINT), body=b"0 0 0\n1 1 1"),
    "binary.ply": ply("binary_little_endian", element("vertex", 2, *POINT), body=bytes(24)),
    "empty.ply": ply("ascii", element("vertex", 0, *POINT)),
    # What is no such file, or is damaged in another way, is for the importer to tell.
    "empty.gltf": b"",
    "empty.glb": b"",
    "cut off.glb": b"glTF\2\0\0\0",
    "no header.ply": b"ply\nformat ascii 1.0\nelement vertex 9",
    "a list.gltf": b"[1, 2]",
    "strings.gltf": json.dumps(content(accessor("many"))).encode(),
    "none.stl": bytes(84),
    "one.stl": bytes(80) + struct.pack("<I", 1) + bytes(50),
    "with an end.stl": bytes(80) + struct.pack("<I", 1) + bytes(60),
    "text.stl": b"solid a\nendsolid a\n" + bytes(80),
    "cut off.stl": bytes(60),
}


@pytest.mark.parametrize("name", TOO_LARGE)
def test_what_declares_more_than_it_holds_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.write_bytes(TOO_LARGE[name])
    with pytest.raises(TooLarge, match="declares"):
        check_declared_sizes(path)


@pytest.mark.parametrize("name", SOUND)
def test_what_holds_what_it_declares_or_is_damaged_otherwise_is_not(tmp_path: Path, name: str) -> None:
    path, found = tmp_path / name, SOUND[name]
    path.write_bytes(found if isinstance(found, bytes) else found.encode())
    check_declared_sizes(path)


def test_a_buffer_in_a_file_of_its_own_counts_as_long_as_it_is(tmp_path: Path) -> None:
    text = content(accessor(MANY // 100))
    text["buffers"] = [{"byteLength": 1 << 40, "uri": "a%20b.bin"}]
    path, data = tmp_path / "scene.gltf", tmp_path / "a b.bin"
    path.write_text(json.dumps(text))
    for size, refused in ((0, True), (24, True), (8 << 20, False)):
        with data.open("wb") as file:
            file.truncate(size)
        if refused:
            with pytest.raises(TooLarge):
                check_declared_sizes(path)
        else:
            check_declared_sizes(path)
