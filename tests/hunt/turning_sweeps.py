# SPDX-License-Identifier: GPL-3.0-or-later
"""Sweeps with rotation of all kinds, checked by the distance at many times on the way.

Before the first contact and after the last one nothing may be deep, and at these times the gap must be closed. Every
displacement, every rotation and every pivot is zero in some cases: bodies that only turn, or turn alike.
"""

from typing import Any

import numpy as np

import collision_kit.core as ck
from collision_kit.core.shapes import Shapes
from tests.helpers import zoo
from tests.hunt.alone import KINDS

COUNT = 200
# Times at which the distance is measured, equally spaced.
_TIMES = 256
# Dimensionless: fractions of the size. Depth before a contact, and gap at it.
_DEEP, _GAP = 1e-6, 1e-4


def run(seed: int, count: int) -> list[dict[str, Any]]:
    """Try cases and return the failures."""
    failures = []
    for number in range(count):
        what = fault(seed, number)
        if what:
            failures.append({"what": what, "case": {"seed": seed, "number": number}})
    return failures


def wrong(failure: dict[str, Any]) -> str:
    """Check the case of a failure again; returns the errors."""
    return fault(failure["case"]["seed"], failure["case"]["number"])


def shrink(failure: dict[str, Any]) -> dict[str, Any]:
    """A case is its seed and number."""
    return failure


def fault(seed: int, number: int) -> str:
    """The errors in the sweeps of one case; empty if there are none."""
    rng = np.random.default_rng([seed, number])
    a, b = (zoo.generic(kind, rng, 1) for kind in KINDS[rng.integers(len(KINDS))])
    motion = {f"velocity_{side}": [rng.normal(size=3) * rng.choice([0.0, 1.0, 5.0])] for side in "ab"}
    if rng.random() < 0.2:
        motion["velocity_b"] = motion["velocity_a"]
    motion |= {f"angular_velocity_{side}": [rng.normal(size=3) * rng.choice([0.0, 0.3, 2.0, 9.0])] for side in "ab"}
    motion |= {f"pivot_{side}": [rng.normal(size=3) * rng.choice([0.0, 1.0, 3.0])] for side in "ab"}
    first, last = ck.time_of_impact(a, b, **motion), ck.last_contact(a, b, **motion)
    if not (first.decided[0] and last.decided[0]):
        return "a sweep is not decided"
    if first.hit[0] != last.hit[0]:
        return "there is a first contact and no last one, or the other way around"
    ends = [found.time[0] for found in (first, last) if found.hit[0]]
    times = np.unique(np.append(np.linspace(0.0, 1.0, _TIMES), ends))
    there = [
        posed(
            shapes,
            *(np.array(motion[f"{name}_{side}"][0]) for name in ("velocity", "angular_velocity", "pivot")),
            times,
        )
        for shapes, side in ((a, "a"), (b, "b"))
    ]
    gap = ck.distance(*there).distance
    size = min(_size(a), _size(b))
    deep = gap < -_DEEP * size
    if not first.hit[0]:
        return "a contact is missed" if deep.any() else ""
    if (deep & (times < first.time[0])).any():
        return "the first contact is late"
    if (deep & (times > last.time[0])).any():
        return "the last contact is early"
    return "there is a gap at a contact" if (gap[np.searchsorted(times, ends)] > _GAP * size).any() else ""


def posed(shapes: Shapes, velocity: np.ndarray, spin: np.ndarray, pivot: np.ndarray, times: np.ndarray) -> Shapes:
    """One shape at each of these times: turned about the pivot, then displaced (Rodrigues' formula)."""
    angle = np.linalg.norm(spin)
    x, y, z = spin / angle if angle > 0.0 else spin
    cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
    turn = np.sin(times * angle)[:, None, None] * cross + (1.0 - np.cos(times * angle))[:, None, None] * (cross @ cross)
    turn += np.eye(3)
    return shapes.take(np.zeros(len(times), dtype=np.int64)).placed(
        turn, pivot + times[:, None] * velocity - turn @ pivot
    )


def _size(shapes: Shapes) -> float:
    """The radius of the bounding sphere, at most ten: unbounded shapes have none."""
    low, high = shapes.bounds()
    size = float(np.linalg.norm(high - low)) / 2.0
    return min(size, 10.0)
