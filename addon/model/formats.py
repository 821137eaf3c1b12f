# SPDX-License-Identifier: GPL-3.0-or-later
"""File formats of scenes that can be opened, and of reports."""

GLTF = (".glb", ".gltf")
USD = (".usd", ".usda", ".usdc", ".usdz")
# Formats that a scene can be read from.
SCENES = (".blend", *GLTF, ".obj", ".ply", ".stl", ".fbx", *USD)

# Formats among them without a unit of length. It can be specified.
UNITLESS = (".obj", ".ply", ".stl")
UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "ft": 0.3048}

# Format of a report by file extension.
ENDINGS = {
    **{".txt": "text", ".json": "json", ".xml": "junit", ".html": "html", ".htm": "html", ".csv": "csv"},
    ".bcf": "bcf",
}
# Default extension of each format.
USUAL_ENDINGS = {kind: ending for ending, kind in reversed(ENDINGS.items())}
# The last one is an archive, not text.
TEXTS = ("text", "json", "junit", "html", "csv")
FORMATS = (*TEXTS, "bcf")

# A picture takes some seconds and a hundred kilobytes, so only this many of the worst pairs have one.
MOST_PICTURES = 8
