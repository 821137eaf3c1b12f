# SPDX-License-Identifier: GPL-3.0-or-later
"""How well a collider fitted when it was made: kept with the object, and known to be old when it has changed."""

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
        For the best primitive: the volume of each kind over the least.
    alone : bool
        Whether it was made around its owner's points only.
    print : str
        What the collider and its owner were like.
    """

    quality: "core.fit.FitQuality"
    scores: dict[str, float]
    alone: bool
    print: str


def keep(ob: bpy.types.Object, owner: bpy.types.Object, fitted: "colliders.fit.Fitted", kind: str) -> None:
    """Keep with an object what is known of the collider that it has just been made into."""
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
    """Say of an object that it is a collider of a kind, of which nothing else is known."""
    settings = object_settings(ob).collider
    settings.kind, settings.record = kind, ""


def known(ob: bpy.types.Object) -> FitRecord | None:
    """Return what is kept of a collider; None if nothing is, or nothing that can be read."""
    try:
        content = parsed(settings_of(ob).collider.record)
        return FitRecord(
            core.fit.FitQuality(*content["quality"]), content["scores"], content["alone"], content["print"]
        )
    except (ValueError, KeyError, TypeError):
        return None


def is_stale(ob: bpy.types.Object, owner: bpy.types.Object | None, record: FitRecord) -> bool:
    """Whether the collider or what it stands for has changed since."""
    return record.print != fingerprint(ob, owner)
