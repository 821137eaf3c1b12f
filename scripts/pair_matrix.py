# SPDX-License-Identifier: GPL-3.0-or-later
"""Write docs/pairs.md: which method answers for which pair of kinds, as the code has it.

    python scripts/pair_matrix.py [FILE]

A test compares the file in the tree with what this makes.
"""

import inspect
import sys
from pathlib import Path
from types import ModuleType

ROOT = Path(__file__).resolve().parent.parent

HEAD = """\
# Pairs

Generated from `core/narrow_phase` by `scripts/pair_matrix.py`. Every pair of kinds answers `overlap`, `classify`,
`contains`, `separating_axis`, `distance` and `contacts`, in either order. Each cell names the class with the method of
the pair; the methods are described below the table. A dash means `UnsupportedPair`: both shapes are unbounded. Two
unbounded shapes meet unless they are exactly parallel, so every answer would depend on rounding. For a compound, each
pair of its parts is tested with the method of the kinds of these parts. A convex solid mesh counts as a hull if the
other shape is convex, too (`core/query/convex_meshes.py`).
"""


def page() -> str:
    """The whole page."""
    from collision_kit.core.narrow_phase.table import PAIRS
    from collision_kit.core.shapes import Kind

    modules = {method(pair): module_of(pair) for pair in PAIRS.values()}
    classes = {class_of(pair) for pair in PAIRS.values()}
    names = {kind: kind.name.lower().replace("_", "-") for kind in Kind}
    rows = [["", *names.values()], ["---"] * (len(Kind) + 1)]
    for first in Kind:
        cells = []
        for second in Kind:
            pair = PAIRS.get((min(first, second), max(first, second)))
            if Kind.COMPOUND in (first, second):
                cells.append("parts")
            else:
                cells.append("—" if pair is None else f"[{class_of(pair).__name__}](#{method(pair)})")
        rows.append([f"**{names[first]}**", *cells])
    table = "\n".join("| " + " | ".join(row) + " |" for row in rows)
    sections = []
    for name in sorted(modules):
        text = inspect.getdoc(modules[name]) or ""
        path = modules[name].__name__.partition(".")[2].replace(".", "/") + ".py"
        own = sorted((one for one in classes if one.__module__ == modules[name].__name__), key=lambda one: one.__name__)
        if len(own) > 1:
            text += "".join(f"\n\n**{one.__name__}.** {inspect.getdoc(one)}" for one in own)
        sections.append(f"### {name}\n\n[`{path}`](../{path})\n\n{text}\n")
    return f"{HEAD}\n{table}\n\n## Methods\n\n" + "\n".join(sections)


def class_of(pair: object) -> type[object]:
    """The class of a pair's algorithm."""
    return type(getattr(pair, "algorithm", pair))


def module_of(pair: object) -> ModuleType:
    """The module that has a pair's algorithm."""
    return sys.modules[class_of(pair).__module__]


def method(pair: object) -> str:
    """The name of that module within its package."""
    return module_of(pair).__name__.rsplit(".", 1)[1]


if __name__ == "__main__":
    target = Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "docs" / "pairs.md"
    target.write_text(page(), encoding="utf-8")
