# SPDX-License-Identifier: GPL-3.0-or-later
"""The source files of the compiled kernels, and a digest of them. Needs no other module of the package."""

import hashlib
from pathlib import Path

CORE = Path(__file__).resolve().parents[1]

# Name of the extension module, and of its file without extension.
MODULE = "collision_kit_kernels"

# Files of this package without kernels.
_OTHERS = {"__init__", "arrays", "loading", "sources"}


def kernel_files() -> list[Path]:
    """Return the files with kernels."""
    return [path for path in sorted((CORE / "kernels").glob("*.py")) if path.stem not in _OTHERS]


def constant_file() -> Path:
    """Return the file of the constants that kernels import."""
    return CORE / "numerics" / "tolerances.py"


def digest() -> str:
    """Return a digest of all sources of the compiled kernels, which is compiled into them."""
    result = hashlib.sha256()
    for path in [*kernel_files(), constant_file()]:
        # As text, because line endings differ between systems.
        result.update(f"{path.name}\n{path.read_text(encoding='utf-8')}".encode())
    return result.hexdigest()
