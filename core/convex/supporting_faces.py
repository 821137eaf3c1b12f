# SPDX-License-Identifier: GPL-3.0-or-later
"""Supporting faces of polytopes."""

import numpy as np

from ..kernels import solids
from ..numerics.tolerances import SUPPORT
from ..numerics.types import Floats, Ints
from .polytopes.placed import Polytopes
from .rooms import manifold_room


def supporting_face(polytopes: Polytopes, normal: Floats, level: Floats | None = None) -> tuple[Ints, Floats]:
    """The supporting face along `normal` (P, 3), and the cosine of its normal with it; -1 and -1 if there is no face.

    Vertices within `level` (P,) of a plane are on it; None stands for `tolerances.SUPPORT` of the size. See
    `kernels.solids.supporting_face`.
    """
    face, cosine = np.empty(len(normal), dtype=np.int64), np.empty(len(normal))
    slack = SUPPORT * polytopes.size if level is None else level
    given = np.ascontiguousarray(normal), np.ascontiguousarray(slack)
    solids.supporting_faces(polytopes.solids, manifold_room(polytopes.pool.width).a, *given, face, cosine)
    return face, cosine
