# SPDX-License-Identifier: GPL-3.0-or-later
"""Outlines of text from Blender's own text objects, without a graphics driver or another package."""

from pathlib import Path

import bpy
import numpy as np

from ....core.numerics.types import Floats
from .arrays import edge_vertices, positions

# Height of a capital letter of a text with size one: in the interface's font, and in the built-in one.
CAPITALS, BUILT_IN_CAPITALS = 0.5087, 0.682


def text_outlines(text: str) -> Floats:
    """Directed edges (E, 2, 2) of one line of text with capitals of height one, starting at the origin.

    The area that their closed loops wind around is filled. Blender's own fill is not used, because it leaves holes
    where the loops of a letter overlap, as in many fonts.

    The font is that of Blender's interface if it is available, otherwise Blender's built-in font. Characters missing
    from it come from Blender's fallback fonts. No data remains in the file.
    """
    text = text.encode("utf-8", "replace").decode()  # file names that are not UTF-8
    # A new text curve loads Blender's built-in font, so the existing fonts are recorded first.
    fonts = set(bpy.data.fonts)
    font = _interface_font(text)
    curve = bpy.data.curves.new("Collision Kit text", "FONT")
    assert isinstance(curve, bpy.types.TextCurve)
    text_object = bpy.data.objects.new("Collision Kit text", curve)
    try:
        curve.body = text
        curve.resolution_u = 4
        curve.size = 1.0 / (CAPITALS if font else BUILT_IN_CAPITALS)
        if font:
            curve.font = font
        curve.fill_mode = "NONE"  # type: ignore[assignment]
        mesh = text_object.to_mesh()
        if mesh is None:  # no letters
            return np.empty((0, 2, 2))
        ends, points = edge_vertices(mesh), positions(mesh)
        text_object.to_mesh_clear()
    finally:
        bpy.data.objects.remove(text_object)
        bpy.data.curves.remove(curve)
        for loaded in set(bpy.data.fonts) - fonts:
            bpy.data.fonts.remove(loaded)
    return points[ends, :2].astype(np.float64)


def _interface_font(text: str) -> bpy.types.VectorFont | None:
    # Unlike the built-in font, a loaded one has no fallback: it would show boxes for characters of scripts that it
    # lacks.
    if not all(ord(character) < 0x530 or 0x1E00 <= ord(character) < 0x2300 for character in text):
        return None
    folder = bpy.utils.system_resource("DATAFILES")  # type: ignore[attr-defined]
    path = Path(folder, "fonts", "Inter.woff2")
    return bpy.data.fonts.load(str(path), check_existing=False) if folder and path.is_file() else None
