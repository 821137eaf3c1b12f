# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of an ellipsoid or a cone with every convex kind, in either order, tried and checked as by `pairs`."""

from collections.abc import Iterator
from typing import Any

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.hunt import pair_cases, pairs
from tests.hunt.pairs import wrong

__all__ = ["run", "wrong"]

KINDS = [kinds for kinds in pair_cases.KINDS if {*kinds} & {ck.Kind.ELLIPSOID, ck.Kind.CONE}]
# Of two pairs of kinds; 36 seeds have every one twice.
COUNT = 1000


def run(seed: int, count: int) -> list[dict[str, Any]]:
    return pairs.tried(seed, batches(seed, count))


def batches(seed: int, count: int) -> Iterator[tuple[Shapes, Shapes]]:
    return pairs.batches(seed, count, KINDS)
