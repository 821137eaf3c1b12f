# SPDX-License-Identifier: GPL-3.0-or-later
"""The formats of files: of scenes that can be opened, and of reports."""

GLTF = (".glb", ".gltf")
USD = (".usd", ".usda", ".usdc", ".usdz")
# What a scene can be read from.
SCENES = (".blend", *GLTF, ".obj", ".ply", ".stl", ".fbx", *USD)

# Of these, which do not say how long a unit is, it can be told.
UNITLESS = (".obj", ".ply", ".stl")
UNITS = {"mm": 0.001, "cm": 0.01, "m": 1.0, "in": 0.0254, "ft": 0.3048}

# Which format a report is in, by the ending of its file.
ENDINGS = {
    **{".txt": "text", ".json": "json", ".xml": "junit", ".html": "html", ".htm": "html", ".csv": "csv"},
    ".bcf": "bcf",
}
# The usual ending of each format.
USUAL_ENDINGS = {kind: ending for ending, kind in reversed(ENDINGS.items())}
# The last is no text, but an archive.
TEXTS = ("text", "json", "junit", "html", "csv")
FORMATS = (*TEXTS, "bcf")

# Pictures take some seconds each, and a hundred kilobytes: of this many of the worst pairs there is one.
MOST_PICTURES = 8
