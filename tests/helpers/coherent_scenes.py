# SPDX-License-Identifier: GPL-3.0-or-later
"""Resting shapes for the tests of contact coherence."""

import numpy as np
from scipy.spatial.transform import Rotation

import collision_kit.core as ck

COUNT = 120


def turns(rng, count=COUNT):
    return Rotation.random(count, random_state=int(rng.integers(2**31))).as_matrix()


def sunk(depths):
    """Spheres that penetrate a half-space by these depths."""
    depth = np.asarray(depths, dtype=float)
    return ck.Spheres(np.column_stack([3.0 * np.arange(len(depth)), 0 * depth, 1.0 - depth]), np.ones(len(depth)))


FLOOR = ck.HalfSpaces([[0, 0, 1]], [0])
