# SPDX-License-Identifier: GPL-3.0-or-later
"""Quality of the fit of a collider when it was made. It is stored with the object, and is invalid after changes."""

import json
from typing import NamedTuple

import bpy

from ... import core
from .. import colliders
from ..model.json_text import parsed
from ..scene.colliders.fingerprint import fingerprint
from ..scene.objects.collision_settings import settings_of
from ..scene.settings import object_settings


class FitRecord(NamedTuple):
    """The stored record of how a collider was made.

    Attributes
    ----------
    quality : FitQuality
    scores : dict of str to float
        For BEST: the volume of each kind relative to the smallest.
    alone : bool
        Whether it was made around points of its owner only.
    print : str
        Fingerprint of the collider and its owner.
    """

    quality: "core.fit.FitQuality"
    scores: dict[str, float]
    alone: bool
    print: str


def keep(ob: bpy.types.Object, owner: bpy.types.Object, fitted: "colliders.fit.Fitted", kind: str) -> None:
    """Store the record of a new collider with its object."""
    one = fitted.quality
    content = {
        "quality": [
            one.volume,
            one.hull_ratio,
            one.mesh_ratio,
            one.protrusion,
            one.gap,
            one.gap_error,
            one.protrusion_error,
        ],
        "scores": fitted.scores,
        "alone": fitted.source.alone,
        "print": fingerprint(ob, owner),
    }
    settings = object_settings(ob)
    settings.shape = fitted.setting
    settings.collider.axis = "Z" if fitted.setting == "CYLINDER" else "NONE"
    settings.collider.kind = kind
    settings.collider.record = json.dumps(content)


def mark(ob: bpy.types.Object, kind: str) -> None:
    """Mark an object as a collider of a kind without a record."""
    settings = object_settings(ob).collider
    settings.kind, settings.record = kind, ""


def known(ob: bpy.types.Object) -> FitRecord | None:
    """Return the record of a collider. None if there is none, or it cannot be read."""
    try:
        content = parsed(settings_of(ob).collider.record)
        return FitRecord(
            core.fit.FitQuality(*content["quality"]), content["scores"], content["alone"], content["print"]
        )
    except (ValueError, KeyError, TypeError):
        return None


def is_stale(ob: bpy.types.Object, owner: bpy.types.Object | None, record: FitRecord) -> bool:
    """Return whether the collider or its owner has changed since."""
    return record.print != fingerprint(ob, owner)
