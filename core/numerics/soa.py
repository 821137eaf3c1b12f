# SPDX-License-Identifier: GPL-3.0-or-later
"""Vector algebra in structure-of-arrays layout: arrays of shape (3, P), one row per coordinate.

Iterative algorithms process thousands of pairs at once. With contiguous coordinates, sums of products are several times
as fast as on rows of three.
"""

import numpy as np

from .types import Floats


def dot(a: Floats, b: Floats) -> Floats:
    """Inner products: (3, P), (3, P) -> (P,)."""
    result: Floats = a[0] * b[0]
    result += a[1] * b[1]
    result += a[2] * b[2]
    return result


def cross(a: Floats, b: Floats) -> Floats:
    """Cross products: (3, P), (3, P) -> (3, P)."""
    result = np.empty(np.broadcast_shapes(a.shape, b.shape))
    for k, (i, j) in enumerate(((1, 2), (2, 0), (0, 1))):
        np.multiply(a[i], b[j], out=result[k])
        result[k] -= a[j] * b[i]
    return result


def of_rows(vectors: Floats) -> Floats:
    """Copy rows to components: (P, ...) -> (..., P), contiguous."""
    return np.array(vectors.transpose(*range(1, vectors.ndim), 0), order="C")


def columns(vectors: Floats) -> Floats:
    """Rows as components: (P, ...) -> (..., P). A view if the components are already contiguous: do not write to it."""
    return np.ascontiguousarray(vectors.transpose(*range(1, vectors.ndim), 0))


def turned(rotation: Floats, vectors: Floats) -> Floats:
    """Apply each matrix to its vector: (3, 3, P), (3, P) -> (3, P)."""
    result: Floats = np.einsum("kjp,jp->kp", rotation, vectors)
    return result


def turned_back(rotation: Floats, vectors: Floats) -> Floats:
    """Apply each transposed matrix to its vector: the coordinates along the columns of a rotation."""
    result: Floats = np.einsum("jkp,jp->kp", rotation, vectors)
    return result
