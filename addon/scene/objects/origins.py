# SPDX-License-Identifier: GPL-3.0-or-later
"""The origins of objects."""

import bpy
import numpy as np

from ....core.numerics.types import Floats
from ..open_file import objects_by_uid


def origin_of(ob: bpy.types.Object) -> Floats:
    """The origin (3,) of an object in the world."""
    return np.array(ob.matrix_world, dtype=np.float64)[:3, 3]


def origin_by_uid(uid: int) -> Floats | None:
    """The origin (3,) of the object with this `session_uid`; None if there is none."""
    return next((origin_of(ob) for ob in objects_by_uid([uid]).values()), None)
