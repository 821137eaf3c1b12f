# SPDX-License-Identifier: GPL-3.0-or-later
"""What the operators that make colliders have in common: settings that the scene has, too."""

import bpy

from ...scene.settings import collider_engine, scene_settings


def take_from_scene(operator: bpy.types.Operator, context: bpy.types.Context, *names: str) -> None:
    """Give an operator the scene's value of each of these settings that it was not given."""
    stored = scene_settings(context).colliders
    for name in names:
        if not operator.properties.is_property_set(name):
            setattr(operator, name, collider_engine(context) if name == "engine" else getattr(stored, name))


def draw_settings(operator: bpy.types.Operator, kind: str, *names: str) -> None:
    """Draw these settings of an operator, and those that this kind of collider has."""
    layout = operator.layout
    layout.use_property_split = True
    layout.use_property_decorate = False
    for name in names:
        layout.prop(operator, name)
    if kind in {"BUDGET_HULL", "BEST"}:
        layout.prop(operator, "budget")
    if kind in {"BOX", "ORIENTED_BOX", "BEST"}:
        layout.prop(operator, "thickness")
    if kind == "BEST":
        layout.prop(operator, "gap")
