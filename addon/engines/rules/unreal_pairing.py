# SPDX-License-Identifier: GPL-3.0-or-later
"""Which render mesh Unreal's importers take a collider for.

What follows the first underscore is a name; the render mesh of exactly that name wins, else that of the name without
its last ``_suffix``. The older importer does not look at capitals. Nothing else counts: no parent, no Blender number.
"""

from collections.abc import Collection


def candidates(name: str) -> tuple[str, str]:
    """The two names that a collider's name may mean, the first of which wins; the second may be empty."""
    rest = name.partition("_")[2]
    return rest, rest.rpartition("_")[0]


def paired(name: str, render_names: Collection[str]) -> str:
    """The render mesh that a collider is taken for; empty: none."""
    return next((one for one in candidates(name) if one in render_names), "")
