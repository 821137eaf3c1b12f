# SPDX-License-Identifier: GPL-3.0-or-later
"""How well a collider fitted when it was made: kept with the object, and known to be old when it has changed."""

import json
import zlib
from typing import NamedTuple

import bpy
import numpy as np

from ...core.fit import FitQuality
from ..scene.settings import object_settings
from .fit import Fitted

# Places after the point of the figures that are kept, and of what tells whether an object has changed: float32 has
# seven digits, and children of a moving parent do not keep the last two.
_DIGITS = 5


class Record(NamedTuple):
    """What is kept of a collider.

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

    quality: FitQuality
    scores: dict[str, float]
    alone: bool
    print: str


def keep(ob: bpy.types.Object, owner: bpy.types.Object, fitted: Fitted, kind: str) -> None:
    """Keep with an object what is known of the collider that it has just been made into."""
    one = fitted.quality
    content = {
        "quality": [one.volume, one.hull_ratio, one.mesh_ratio, one.protrusion, one.gap, one.gap_error],
        "scores": fitted.scores,
        "alone": fitted.source.alone,
        "print": fingerprint(ob, owner),
    }
    settings = object_settings(ob)
    settings.shape = fitted.setting
    settings.collider.kind = kind
    settings.collider.record = json.dumps(content)


def mark(ob: bpy.types.Object, kind: str) -> None:
    """Say of an object that it is a collider of a kind, of which nothing else is known."""
    settings = object_settings(ob).collider
    settings.kind, settings.record = kind, ""


def known(ob: bpy.types.Object) -> Record | None:
    """Return what is kept of a collider; None if nothing is, or nothing that can be read."""
    try:
        content = json.loads(object_settings(ob).collider.record)
        return Record(FitQuality(*content["quality"]), content["scores"], content["alone"], content["print"])
    except (ValueError, KeyError, TypeError):
        return None


def fingerprint(ob: bpy.types.Object, owner: bpy.types.Object | None) -> str:
    """Text that stays the same as long as a collider and its owner keep their forms and their places to each other."""
    crc = 0
    for one in (ob, owner):
        if one is None:
            continue
        box = np.array(one.bound_box, dtype=np.float64)
        size = float(np.abs(box).max(initial=0.0)) or 1.0
        crc = zlib.crc32(np.rint(box / size * 10**_DIGITS).astype(np.int64).tobytes(), crc)
        crc = zlib.crc32(f"{size:.{_DIGITS}g} {len(getattr(one.data, 'vertices', ()))}".encode(), crc)
    basis = np.array(ob.matrix_parent_inverse @ ob.matrix_basis, dtype=np.float64)
    basis /= max(float(np.abs(basis).max()), 1.0)
    text = " ".join(f"{value:.{_DIGITS}f}" for value in (basis.ravel() + 0.0).tolist())
    return f"{zlib.crc32(text.encode(), crc):08x}"


def is_stale(ob: bpy.types.Object, owner: bpy.types.Object | None, record: Record) -> bool:
    """Whether the collider or what it stands for has changed since."""
    return record.print != fingerprint(ob, owner)
