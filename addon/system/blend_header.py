# SPDX-License-Identifier: GPL-3.0-or-later
"""Read the version of Blender from the header of a .blend file that this Blender cannot open."""

import re
import zlib
from pathlib import Path

# "BLENDER-v405": the size of pointers, the order of bytes, the version. Since 5.0: "BLENDER17-01v0500", with the size
# of the header and the version of the format in between.
_HEADER = re.compile(rb"BLENDER(?:[-_][vV](\d)(\d\d)|\d\d-\d\dv(\d\d)(\d\d))")
_ZSTD, _GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b"
# Number of bytes that are read from the file, and after decompression.
_READ, _LONGEST = 1 << 18, 32


def saved_version(path: Path) -> tuple[int, int] | None:
    """Return the version in the header of a file. None if it has no such header.

    Examples
    --------
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "scene.blend")
    ...     _ = path.write_bytes(b"BLENDER17-01v0501")
    ...     saved_version(path)
    (5, 1)
    """
    with path.open("rb") as stream:
        start = stream.read(_READ)
    found = _HEADER.match(_uncompressed(start))
    if found is None:
        return None
    major, minor = (one for one in found.groups() if one is not None)
    return int(major), int(minor)


def _uncompressed(start: bytes) -> bytes:
    """Return the decompressed beginning of a file from its first bytes. Empty if they are damaged."""
    if start.startswith(_GZIP):
        try:
            return zlib.decompressobj(wbits=31).decompress(start, _LONGEST)
        except zlib.error:
            return b""
    if start.startswith(_ZSTD):
        try:
            # Part of Blender's Python.
            import zstandard
        except ImportError:
            return b""
        try:
            return zstandard.ZstdDecompressor().decompressobj().decompress(start)[:_LONGEST]
        except zstandard.ZstdError:
            return b""
    return start
