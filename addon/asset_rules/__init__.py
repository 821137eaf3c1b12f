# SPDX-License-Identifier: GPL-3.0-or-later
"""What engines will make of colliders: rules that hold anywhere, a file each.

A rule is plain data and a function from a `Scene` to the places where it is broken; `broken` asks many of them. The
rules of single engines, which know names, are with the add-on.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .catalog import *  # noqa: F403


def __getattr__(name: str) -> Any:
    """Load all rules when the first of it is asked for: who needs the limits only gets them from their module."""
    if name.startswith("__") and name != "__all__":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.catalog"), name)
