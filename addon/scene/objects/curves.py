# SPDX-License-Identifier: GPL-3.0-or-later
"""The animation curves of actions, in all versions of Blender."""

from typing import Any


def curves_of(animated: Any) -> list[Any]:
    """The curves of the action of an object's `animation_data`, or of an NLA strip; empty if it has no action."""
    action, slot = animated.action, getattr(animated, "action_slot", None)
    if action is None:
        return []
    if slot is None or not hasattr(action, "layers"):
        return list(getattr(action, "fcurves", ()))
    bags = (strip.channelbag(slot) for layer in action.layers for strip in layer.strips)
    return [curve for bag in bags if bag is not None for curve in bag.fcurves]
