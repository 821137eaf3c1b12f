# SPDX-License-Identifier: GPL-3.0-or-later
"""The answer of a search for floating objects, with the evidence for it. Without Blender."""

from typing import TYPE_CHECKING, NamedTuple

from .floating import Floating
from .report import ObjectKey

if TYPE_CHECKING:
    from ...core.numerics.types import Floats, Ints
    from ...core.world.world import World


class FloatingEvidence(NamedTuple):
    """Shapes of the search for floating objects, and places where they are nearest to others. One row for each result.

    Attributes
    ----------
    world : World
        Tested shapes.
    rows : tuple of (K,) int64
        The shapes of each result.
    bounds : (N, 2, 3) float64
        The lowest and the highest coordinates of these shapes.
    drop : (N, 2, 3) float64
        The place that first touches something on the way down, and the place that it touches. NaN if nothing is below.
    near : (N, 2, 3) float64
        The place of the object that is nearest to a body that is held, and the place of this body. NaN: none.
    down : (3,) float64
        Unit vector.
    contained : frozenset of frozenset of ObjectKey
        Pairs of bodies of which one contains the other, such as a sky around a level. Neither stops the other.
    """

    world: "World"
    rows: "tuple[Ints, ...]"
    bounds: "Floats"
    drop: "Floats"
    near: "Floats"
    down: "Floats"
    contained: frozenset[frozenset[ObjectKey]]


class FloatingSearch(NamedTuple):
    """The answer of a search for floating objects.

    Attributes
    ----------
    found : tuple of Floating
        Those with the shortest way down first.
    evidence : FloatingEvidence
    """

    found: tuple[Floating, ...]
    evidence: FloatingEvidence
