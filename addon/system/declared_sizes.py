# SPDX-License-Identifier: GPL-3.0-or-later
"""Detect files that declare more data than they contain: a small file may request all memory of the machine.

Importers allocate memory for the declared data before they read it. So the declared sizes are compared with the size of
the file first. Other errors are left to the importers.
"""

import json
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, BinaryIO
from urllib.parse import unquote

# Bytes of a component, and components, of the accessors of glTF.
_COMPONENTS = {5120: 1, 5121: 1, 5122: 2, 5123: 2, 5125: 4, 5126: 4}
_TYPES = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT2": 4, "MAT3": 9, "MAT4": 16}
# Accessors without data are zeros, for example shape keys that move few vertices. They may take this many bytes, and
# this many for each byte of the buffers, of which each vertex has some dozens.
_ZEROS, _ZEROS_FOR_EACH = 64 << 20, 64
_DRACO = "KHR_draco_mesh_compression"

# Bytes of the types of PLY.
_PLY_TYPES = {
    **dict.fromkeys(("char", "uchar", "int8", "uint8"), 1),
    **dict.fromkeys(("short", "ushort", "int16", "uint16"), 2),
    **dict.fromkeys(("int", "uint", "float", "int32", "uint32", "float32"), 4),
    **dict.fromkeys(("double", "float64"), 8),
}
# Bytes of the header of a binary STL file, which ends with the number of triangles, and of a triangle.
_STL_HEADER, _STL_TRIANGLE = 84, 50
# Bytes of a header that are read. Comments may be long.
_LONGEST_HEADER = 1 << 20


class TooLarge(ValueError):
    """A file declares more data than it contains. The message has the details."""


def check_declared_sizes(path: Path) -> None:
    """Compare the data that a .gltf, .glb, .ply or .stl file declares with its size.

    Raises
    ------
    TooLarge
        If it declares more.
    OSError
        If it cannot be read.
    """
    ending = path.suffix.lower()
    try:
        if ending in (".gltf", ".glb"):
            _check_gltf(path)
        elif ending == ".ply":
            _check_ply(path)
        elif ending == ".stl":
            _check_stl(path)
    except TooLarge:
        raise
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError, struct.error):
        return  # other structure than in the format


def _check_gltf(path: Path) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        binary = file.read(4) == b"glTF"
        file.seek(0)
        content = json.loads(_chunk(file, size) if binary else file.read())
        held = _bytes_after(file, size) if binary else 0
    held += sum(_length(buffer, path) for buffer in content.get("buffers", ()))
    compressed = set(_compressed(content))
    zeros = 0
    for number, accessor in enumerate(content.get("accessors", ())):
        if "bufferView" in accessor or number in compressed:
            continue
        zeros += accessor["count"] * _COMPONENTS[accessor["componentType"]] * _TYPES[accessor["type"]]
        if zeros > _ZEROS + _ZEROS_FOR_EACH * held:
            count = accessor["count"]
            raise TooLarge(f"accessor {number} declares {count} elements of which the file has no data")


def _chunk(file: BinaryIO, size: int) -> bytes:
    """Return the first chunk of a binary glTF file, which is JSON."""
    file.seek(12)
    length, kind = struct.unpack("<I4s", file.read(8))
    if kind == b"JSON" and length > size - 20:
        raise TooLarge(f"its first chunk declares {length} bytes, but the file has {size}")
    return file.read(length)


def _bytes_after(file: BinaryIO, size: int) -> int:
    """Return the number of bytes of the second chunk of a binary glTF file."""
    header = file.read(8)
    if len(header) < 8:
        return 0
    length, left = struct.unpack("<I", header[:4])[0], size - file.tell()
    if length > left:
        raise TooLarge(f"its second chunk declares {length} bytes, but only {left} follow")
    return int(length)


def _length(buffer: Mapping[str, Any], path: Path) -> int:
    """Return the actual number of bytes of a buffer outside of the chunks."""
    uri = buffer.get("uri", "")
    if uri.startswith("data:"):
        return len(uri) * 3 // 4
    file = path.parent / unquote(uri)
    return file.stat().st_size if uri and file.is_file() else 0


def _compressed(content: Mapping[str, Any]) -> Iterator[int]:
    """Return the accessors whose data is in another form."""
    for mesh in content.get("meshes", ()):
        for primitive in mesh["primitives"]:
            if _DRACO in primitive.get("extensions", ()):
                yield from primitive["attributes"].values()
                yield primitive.get("indices", -1)


def _check_stl(path: Path) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(_STL_HEADER)
    if header.lstrip()[:5].lower() == b"solid" or len(header) < _STL_HEADER:
        return  # an ASCII file
    (count,) = struct.unpack("<I", header[-4:])
    left = size - _STL_HEADER
    # Otherwise the importer treats it as an ASCII file without triangles.
    if count * _STL_TRIANGLE > left:
        raise TooLarge(f"its header declares {count} triangles, but only {left} bytes follow")


def _check_ply(path: Path) -> None:
    size = path.stat().st_size
    with path.open("rb") as file:
        header = file.read(_LONGEST_HEADER)
    end = header.index(b"end_header")
    text, name, count, row = False, "", 0, 0
    rows: list[tuple[str, int, int]] = []
    for line in header[:end].decode("latin-1").splitlines():
        words = line.split()
        if words[:1] == ["format"]:
            text = words[1] == "ascii"
        elif words[:1] == ["element"]:
            rows.append((name, count, row))
            name, count, row = words[1], int(words[2]), 0
        elif words[:1] == ["property"]:
            # In an ASCII file, a digit and a separator. For a list, at least its length.
            kind = words[2] if words[1] == "list" else words[1]
            row += 2 if text else _PLY_TYPES[kind]
    rows.append((name, count, row))
    least, left = 0, size - end - len(b"end_header")
    for name, count, row in rows:
        # A row without properties still takes a step.
        least += count * max(row, 1)
        if least > left + 1:  # the last row may have no line end
            raise TooLarge(f'its header declares {count} of "{name}", but only {left} bytes follow')
