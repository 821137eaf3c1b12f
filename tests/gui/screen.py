# SPDX-License-Identifier: GPL-3.0-or-later
"""Pictures of the screen: read as Xvfb keeps it (X Window Dump, version 7), written as PNG."""

import struct
import zlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

# The header is 25 numbers, these among them, and the window's name; a table of colors follows.
FIELDS = struct.Struct(">25I")
HEADER_SIZE, WIDTH, HEIGHT, BITS, ROW_SIZE, COLORS = 0, 4, 5, 11, 12, 19
COLOR_SIZE = 12


def read_screen(path: Path) -> NDArray[np.uint8]:
    """Return what is on a screen with 32 bits per pixel, (height, width, 3)."""
    data = path.read_bytes()
    header = FIELDS.unpack_from(data)
    assert header[BITS] == 32
    begin = header[HEADER_SIZE] + header[COLORS] * COLOR_SIZE
    width, height, row = header[WIDTH], header[HEIGHT], header[ROW_SIZE]
    pixels = np.frombuffer(data, np.uint8, row * height, begin).reshape(height, row)
    # The least significant byte comes first: blue, green, red, nothing.
    return pixels[:, : 4 * width].reshape(height, width, 4)[..., 2::-1].copy()


def write_png(path: Path, image: NDArray[np.uint8]) -> None:
    """Write an image (height, width, 3)."""
    height, width = image.shape[:2]
    rows = filtered(image)
    parts = (
        (b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)),
        (b"IDAT", zlib.compress(rows.tobytes(), 9)),
        (b"IEND", b""),
    )
    chunks = (
        struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data)) for kind, data in parts
    )
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + b"".join(chunks))


def filtered(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Return the rows as PNG keeps them: the number of a filter, and what it leaves of the row."""
    height, width = image.shape[:2]
    left, above = np.zeros_like(image), np.zeros_like(image)
    left[:, 1:], above[1:] = image[:, :-1], image[:-1]
    choices = np.stack([image, image - left, image - above]).reshape(3, height, 3 * width)
    best = np.abs(choices.view(np.int8).astype(np.int16)).sum(axis=2).argmin(axis=0)
    return np.concatenate([best[:, None].astype(np.uint8), choices[best, np.arange(height)]], axis=1)


def colors(image: NDArray[np.uint8]) -> int:
    """Count the colors of an image."""
    return len(np.unique(image.reshape(-1, 3).astype(np.uint32) @ np.array([1, 256, 65536], np.uint32)))
