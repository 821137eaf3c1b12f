# SPDX-License-Identifier: GPL-3.0-or-later
"""Fingerprints that change when a collider or its owner changes after it was made."""

import zlib

import bpy

from ...system.late import np
from ..objects.structure import bone_above

# Decimal places: float32 has seven digits, and the last two change for children of a moving parent.
_DIGITS = 5


def fingerprint(ob: bpy.types.Object, owner: bpy.types.Object | None) -> str:
    """Text that is constant while a collider and its owner keep their geometry and relative placement.

    A collider that follows a bone fits in every pose, so the bounds of its owner, which depend on the pose, are left
    out.
    """
    crc = 0
    for one in (ob, owner):
        if one is None:
            continue
        posed = one != ob and bool(bone_above(ob))
        box = np.zeros(3) if posed else np.array(one.bound_box, dtype=np.float64)
        size = float(np.abs(box).max(initial=0.0)) or 1.0
        crc = zlib.crc32(np.rint(box / size * 10**_DIGITS).astype(np.int64).tobytes(), crc)
        crc = zlib.crc32(f"{size:.{_DIGITS}g} {len(getattr(one.data, 'vertices', ()))}".encode(), crc)
    basis = np.array(ob.matrix_parent_inverse @ ob.matrix_basis, dtype=np.float64)
    basis /= max(float(np.abs(basis).max()), 1.0)
    text = " ".join(f"{value:.{_DIGITS}f}" for value in (basis.ravel() + 0.0).tolist())
    return f"{zlib.crc32(text.encode(), crc):08x}"
