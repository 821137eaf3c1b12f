# SPDX-License-Identifier: GPL-3.0-or-later
"""The origins of objects."""

from collections.abc import Sequence

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ...model.folds import one_asset
from ...model.report import Body
from ..open_file import objects_by_uid


def origin_of(ob: bpy.types.Object) -> Floats:
    """The origin (3,) of an object in the world."""
    return np.array(ob.matrix_world, dtype=np.float64)[:3, 3]


def origin_by_uid(uid: int) -> Floats | None:
    """The origin (3,) of the object with this `session_uid`; None if there is none."""
    return next((origin_of(ob) for ob in objects_by_uid([uid]).values()), None)


def origins_of_assets(bodies: Sequence[Body]) -> Floats:
    """The origins (B, 3) of the assets of bodies, or of the bodies that are in none; NaN if there is no such object."""
    found = np.full((len(bodies), 3), np.nan)
    for row, ob in enumerate(_roots(bodies)):
        if ob is not None:
            found[row] = origin_of(ob)
    return found


def movers_of(bodies: Sequence[Body]) -> list[int]:
    """The `session_uid` of the object that moves each body with the parts of its asset.

    Where all bodies are parts of one asset, it is that of the body's own object.
    """
    roots = [None] * len(bodies) if one_asset(bodies) else _roots(bodies)
    return [body.key.selected_uid if ob is None else ob.session_uid for body, ob in zip(bodies, roots, strict=True)]


def _roots(bodies: Sequence[Body]) -> list[bpy.types.Object | None]:
    objects, found = objects_by_uid({body.key.selected_uid for body in bodies}), []
    for body in bodies:
        ob = objects.get(body.key.selected_uid)
        while ob is not None and body.asset and ob.name != body.asset and ob.parent is not None:
            ob = ob.parent
        found.append(ob)
    return found
