# SPDX-License-Identifier: GPL-3.0-or-later
"""The property for a length, which several groups of settings have."""

from typing import Any

from bpy.props import FloatProperty


def length_setting(*, name: str, description: str, fine: bool = False, **more: Any) -> object:
    """Return a property for a length in Blender units, which is zero by default and never less.

    Parameters
    ----------
    name, description : str
    fine : bool
        Whether it changes by thousandths, and not by hundredths, of a unit.
    **more
        Further arguments of `FloatProperty`, and others in the place of the usual ones.
    """
    usual = {"default": 0.0, "min": 0.0, "soft_max": 1.0, "step": 0.1 if fine else 1, "precision": 4 if fine else 3}
    return FloatProperty(name=name, description=description, subtype="DISTANCE", options=set(), **{**usual, **more})
