# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose which of many contacts have a normal, so that normals do not cover each other."""

import numpy as np

from ...core.numerics.types import Bools, Floats

# Up to this many contacts, such as the corners of a contact face, all have normals.
MOST_NORMALS = 16

# Minimum spacing of normals, as a fraction of the length of the pair's axis. An arrowhead is a quarter as wide.
SPACING_SHARE = 0.4


def prominent(points: Floats, depths: Floats, spacing: float) -> Bools:
    """Choose the contacts that have a normal.

    Up to `MOST_NORMALS`, all have. If there are more, the deepest has one, then the deepest of those that are farther
    from it than the spacing, and so on. No two are nearer to each other than that, and near each of the others is one
    that is at least as deep.

    Parameters
    ----------
    points : (K, 3) array
    depths : (K,) array
        Of equally deep ones, the first is preferred.
    spacing : float
        In the unit of the points, above zero.

    Returns
    -------
    (K,) array of bool
    """
    chosen = np.ones(len(points), np.bool_)
    if len(points) <= MOST_NORMALS:
        return chosen
    chosen[:] = False
    left = np.argsort(-depths, kind="stable")
    while len(left):
        chosen[left[0]] = True
        away = points[left] - points[left[0]]
        left = left[np.einsum("ij,ij->i", away, away) > spacing * spacing]
    return chosen
