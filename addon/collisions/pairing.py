# SPDX-License-Identifier: GPL-3.0-or-later
"""Choice of the pairs of shapes that are tested, and their touching tolerances."""

from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

import numpy as np

from ...core.broad_phase.collision_filter import CollisionFilter
from ...core.numerics.types import Bools, Floats, Ints
from ..model.report import Body
from ..model.tolerances import TOUCHING_STEPS
from ..scene.reading.scene_shapes import PlanarShapes, SceneShapes
from ..scene.scope import ScopeSelection


def touching_levels(lower: Floats, upper: Floats, touching: float | None) -> Floats:
    """Return the touching tolerance of each shape from its bounds (N, 3). For a pair, the larger one is used."""
    if touching is not None:
        return np.full(len(lower), touching)
    reach = np.abs(np.stack([lower, upper]))
    # An unbounded shape has no coordinates, so only the tolerance of the other shape is used.
    return TOUCHING_STEPS * np.where(np.isfinite(reach), reach, 0.0).max(axis=(0, 2), initial=0.0)


@dataclass(frozen=True)
class Pairing:
    """Choice of the pairs of shapes that are tested: shapes of different bodies and, for two sets, one from each.

    Attributes
    ----------
    body : (N,) int64
        Body of each shape.
    first, second : (B,) bool, optional
        Whether each body is in the first set, and in the second.
    filter : CollisionFilter, optional
        Which shapes may collide according to their collision groups. None: all.
    asset : (B,) int64, optional
        Asset of each body. Only bodies of the same asset are tested. -1: no asset. None: all are tested.
    """

    body: Ints
    first: Bools | None = None
    second: Bools | None = None
    filter: CollisionFilter | None = None
    asset: Ints | None = None

    @classmethod
    def of(cls, shapes: SceneShapes | PlanarShapes, selection: ScopeSelection) -> "Pairing":
        """Return the pairing of the shapes of a scope."""
        return cls.among(shapes, uids_of(selection))

    @classmethod
    def among(cls, shapes: SceneShapes | PlanarShapes, sets: Sequence[Set[int]]) -> "Pairing":
        """Return the pairing within one set, or between two sets, of objects with these `session_uid`."""
        return cls(shapes.body, filter=shapes.filter) if len(sets) == 1 else cls.across(shapes, *sets)

    @classmethod
    def across(cls, shapes: SceneShapes | PlanarShapes, uids_a: Set[int], uids_b: Set[int]) -> "Pairing":
        """Return the pairing between two sets of objects with these `session_uid`."""
        return cls(shapes.body, _members(shapes, uids_a), _members(shapes, uids_b), shapes.filter)

    def within_assets(self, bodies: Sequence[Body]) -> "Pairing":
        """Return this pairing, limited to parts of the same asset."""
        numbers = {name: number for number, name in enumerate(sorted({body.asset for body in bodies} - {""}))}
        return replace(self, asset=np.array([numbers.get(body.asset, -1) for body in bodies], dtype=np.int64))

    def ordered(self, pairs: Ints) -> Ints:
        """Return the tested pairs of shapes. The shape of the first set, or of the earlier body, comes first."""
        if self.filter is not None:
            pairs = pairs[self.filter.allows(pairs[:, 0], pairs[:, 1])]
        return self._ordered(pairs)

    def left_out(self, pairs: Ints) -> int:
        """Return the number of pairs of shapes that are excluded only by their collision groups."""
        return len(self.excluded(pairs))

    def excluded(self, pairs: Ints) -> Ints:
        """Return the pairs of shapes that are excluded only by their collision groups."""
        if self.filter is None:
            return pairs[:0]
        return self._ordered(pairs[~self.filter.allows(pairs[:, 0], pairs[:, 1])])

    def _ordered(self, pairs: Ints) -> Ints:
        a, b = self.body[pairs[:, 0]], self.body[pairs[:, 1]]
        wanted = a != b
        if self.asset is not None:
            wanted &= (self.asset[a] == self.asset[b]) & (self.asset[a] >= 0)
        pairs, a, b = pairs[wanted], a[wanted], b[wanted]
        earlier = np.where((a > b)[:, None], pairs[:, ::-1], pairs)
        if self.first is None or self.second is None:
            return earlier
        return across(earlier, self.first[self.body], self.second[self.body])


def across(pairs: Ints, first: Bools, second: Bools) -> Ints:
    """Return the pairs of shapes (P, 2) with one in the first set (N,) and the other in the second, in this order.

    Pairs with both shapes in both sets are unchanged.
    """
    a, b = pairs.T
    forward, backward = first[a] & second[b], second[a] & first[b]
    return np.where((backward & ~forward)[:, None], pairs[:, ::-1], pairs)[forward | backward]


def uids_of(selection: ScopeSelection) -> list[set[int]]:
    """Return the `session_uid` of the objects of each set."""
    return [{ob.session_uid for ob in objects} for objects in (selection.set_a, selection.set_b) if objects is not None]


def _members(shapes: SceneShapes | PlanarShapes, uids: Set[int]) -> Bools:
    """Return whether each body has an object among these."""
    return np.array([_belongs(body, uids) for body in shapes.bodies], dtype=np.bool_)


def _belongs(body: Body, uids: Set[int]) -> bool:
    return any(key.session_uid in uids or key.instancer_uid in uids for key in (body.key, *body.members))


def scattered_pairs(bodies: Sequence[Body], first: Ints, second: Ints) -> Bools:
    """Return which pairs of bodies (P,) one object scatters, or are a scattered one and that object.

    These are parts of one asset; see `scene.reading.assets.scattered_by`.
    """
    own, maker = np.array([[one.key.session_uid, one.key.instancer_uid] for one in bodies], np.int64).reshape(-1, 2).T
    names: dict[str, int] = {"": -1}
    asset = np.array([names.setdefault(one.asset, len(names)) for one in bodies], np.int64)
    one_maker = (maker[first] == maker[second]) | (maker[first] == own[second]) | (own[first] == maker[second])
    found: Bools = one_maker & (np.maximum(maker[first], maker[second]) > 0) & (asset[first] == asset[second])
    return found & (asset[first] >= 0)
