# SPDX-License-Identifier: GPL-3.0-or-later
"""Animated scenes for the tests of motion."""

from collections.abc import Sequence

import bpy

from collision_kit.addon.model.motion_report import MotionContact, MotionReport
from collision_kit.addon.motion.check import motion
from tests.helpers.blender.bridge_scene import add, cube_mesh

Key = tuple[float, object]


def curves_of(owner) -> list[bpy.types.FCurve]:
    """The F-curves of an ID's action; since Blender 5.0, they exist only in its layers."""
    action = owner.animation_data.action
    if bpy.app.version < (4, 4):
        return list(action.fcurves)
    return [curve for bag in action.layers[0].strips[0].channelbags for curve in bag.fcurves]


def keyed(owner, path: str, keys: Sequence[Key], interpolation: str = "LINEAR", holder=None):
    """Keyframe a property of an ID, or of something in it whose ID is `holder`."""
    for frame, value in keys:
        setattr(owner, path, value)
        owner.keyframe_insert(path, frame=frame)
    for curve in curves_of(holder or owner):
        for key in curve.keyframe_points:
            key.interpolation = interpolation
    return owner


def box(name: str, at=(0.0, 0.0, 0.0), half=(0.5, 0.5, 0.5), **fields) -> bpy.types.Object:
    return add(name, cube_mesh(half), at=at, **fields)


def slider(name: str = "Mover", *, y: float = 0.0, begin=(1, -5.0), end=(11, 5.0), interpolation="LINEAR", **fields):
    """A cube with side 1 that moves along X."""
    keys = [(frame, (x, y, 0.0)) for frame, x in (begin, end)]
    return keyed(box(name, (begin[1], y, 0.0), **fields), "location", keys, interpolation)


def checked(**request) -> MotionReport:
    request.setdefault("start", 1)
    request.setdefault("end", 12)
    return motion(bpy.context, request.pop("scope", "ALL"), **request)


def by_name(report: MotionReport) -> dict[tuple[str, str], MotionContact]:
    found = {}
    for contact in report.contacts:
        names = tuple(sorted((report.bodies[contact.body_a].name, report.bodies[contact.body_b].name)))
        assert names not in found, "one contact for each pair of bodies"
        found[names] = contact
    return found
