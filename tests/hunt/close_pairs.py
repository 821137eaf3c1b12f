# SPDX-License-Identifier: GPL-3.0-or-later
"""The pairs of `pairs`, moved until they are two roundings deep to eight apart, or so many times as many.

Methods hand over to each other where pairs all but touch. Of the pairs of `pairs`, one in a hundred is this close.
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.hunt import pair_cases, pairs
from tests.hunt.pairs import wrong

__all__ = ["run", "wrong"]

COUNT = 30_000
# Roundings; and how many times as many, up to.
_DEEPEST, _FARTHEST, _TIMES = -2.0, 8.0, 1000.0
# The direction of the closest points is not known before the pair is close.
_MOVES = 2


def run(seed: int, count: int) -> list[dict[str, Any]]:
    return pairs.tried(seed, batches(seed, count))


def batches(seed: int, count: int) -> Iterator[tuple[Shapes, Shapes]]:
    for number, (a, b) in enumerate(pairs.batches(seed, count)):
        rng = np.random.default_rng([seed, number, 1])
        times = _TIMES ** rng.choice([0.0, 0.0, rng.random()])
        wanted = times * rng.uniform(_DEEPEST, _FARTHEST, len(a))
        with np.errstate(all="ignore"):
            for _ in range(_MOVES):
                found = ck.distance(a, b)
                b = pair_cases.moved(b, (wanted * found.rounding - found.distance)[:, None] * found.normal)
        yield a, b
