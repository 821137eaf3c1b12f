# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of pairs from the corners of a patch, or the pair's own contact, midway between its witness points."""

from dataclasses import dataclass

import numpy as np

from ..convex.manifold import Patch, reduced
from ..numerics.rows import RowTable
from ..numerics.tolerances import PATCH_LEVEL
from ..numerics.types import Floats, Ints
from ..results import Contacts, contact_type


@dataclass(frozen=True)
class OwnContact(RowTable):
    """Fallback contact of each pair, used if there is no patch, in a frame at `origin` (P, 3).

    `rows`: indices of the pairs in the query. `middle`: midpoint of the witness points. `feature_a`, `feature_b` (P,
    2): farthest features along the normal.
    """

    rows: Ints
    origin: Floats
    middle: Floats
    distance: Floats
    normal: Floats
    slack: Floats
    feature_a: Ints
    feature_b: Ints


def contacts_of(patch: Patch, own: OwnContact, margin: float) -> Contacts:
    """At most four corners of each patch, and the pair's own contact if the patch is less deep than the pair."""
    # If the patch is less deep than the pair, add the pair's own contact. A rim is represented by a few points. The
    # depth that a cap tilted by noise lacks between these points is ignored.
    deepest = np.where(patch.valid, patch.depth, -np.inf).max(axis=1)
    scale = np.abs(np.where(patch.valid[..., None], patch.point, 0.0)).max(axis=(1, 2), initial=0.0)
    lacking = np.where(np.count_nonzero(patch.valid, axis=1) > 2, PATCH_LEVEL * scale, own.slack)
    shallow = (deepest < -own.distance - lacking) | (deepest < -(margin + own.slack))
    whole = Patch(
        np.concatenate([patch.point, own.middle[:, None]], axis=1),
        np.concatenate([patch.depth, -own.distance[:, None]], axis=1),
        np.concatenate([patch.valid, shallow[:, None]], axis=1),
        np.concatenate([patch.feature_a, own.feature_a[:, None]], axis=1),
        np.concatenate([patch.feature_b, own.feature_b[:, None]], axis=1),
    )
    chosen = reduced(whole, own.normal, -(margin + own.slack))
    at = np.arange(len(chosen))[:, None]
    depth = np.where(chosen >= 0, whole.depth[at, chosen], -np.inf)
    order = np.argsort(-depth, axis=1, kind="stable")
    pair, rank = np.nonzero(depth[at, order] > -np.inf)
    corner = chosen[pair, order[pair, rank]]
    first, second = whole.feature_a[pair, corner], whole.feature_b[pair, corner]
    return Contacts(
        pair=own.rows[pair],
        point=whole.point[pair, corner] + own.origin[pair],
        normal=own.normal[pair],
        depth=np.maximum(whole.depth[pair, corner], -margin),
        type=contact_type(first[:, 0], second[:, 0]),
        feature_a=first,
        feature_b=second,
    )
