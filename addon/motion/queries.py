# SPDX-License-Identifier: GPL-3.0-or-later
"""Queries to the core about rows at several times at once: distances, times of impact and bounds."""

from collections.abc import Callable, Generator, Sequence
from functools import partial

import numpy as np

from ...core.continuous.motion import Motion
from ...core.continuous.time_of_impact import time_of_impact
from ...core.numerics.types import Bools, Floats, Ints
from ...core.numerics.vectors import length
from ...core.query.queries import local_distance, proved_apart
from ...core.results import Distances, Impacts
from ...core.world.world import World
from ..collisions.blocks import Blocks
from ..collisions.pairing import touching_levels
from ..model.shapes import HalfSpace
from ..model.steps import exhausted
from ..scene.animation.moving_shapes import Form, PosedRows, Sample, apart, in_world, motions, posed

# Number of iterations of the second attempt, for pairs that the first one has not decided.
MANY_STEPS = 4000


def distances(samples: Sequence[Sample], which: Ints, pairs: Ints) -> Distances:
    """Return the distances of pairs of rows (P, 2), each pair in its own sample, `which` (P,).

    The distance of overlapping pairs is minus their interference, as in the depths of a collision check. A part that
    fits into a slot may have to move far although it hardly interferes.
    """
    found, places, _ = _together(samples, which, pairs)
    return local_distance(found.world, found.world, places)


def impacts(begins: Sequence[Sample], ends: Sequence[Sample], which: Ints, pairs: Ints) -> Impacts:
    """Return times of impact of pairs of rows (P, 2) that move uniformly between two samples, `which` (P,)."""
    return exhausted(impact_steps(begins, ends, which, pairs))


def distance_steps(samples: Sequence[Sample], which: Ints, pairs: Ints) -> Generator[None, None, Distances]:
    """Run `distances` in blocks of pairs. Yields after each block."""
    result = Distances.empty(len(pairs))
    found, places, _ = _together(samples, which, pairs)

    def query(rows: Ints) -> None:
        result.put(rows, local_distance(found.world, found.world, places[rows]))

    yield from _in_blocks(query, found.world, places)
    return result


def separation_steps(world: World, places: Ints) -> Generator[None, None, Floats]:
    """Return how far overlapping pairs of rows of a world, `places` (P, 2), have to move to be separated, (P,).

    At most 0 for others. Yields after each block of pairs.
    """
    result = np.empty(len(places))

    def query(rows: Ints) -> None:
        result[rows] = -world.distance(places[rows]).distance

    yield from _in_blocks(query, world, places)
    return result


def apart_steps(samples: Sequence[Sample], which: Ints, pairs: Ints, reach: Floats) -> Generator[None, None, Bools]:
    """Return which pairs are proved to be farther apart than `reach` (P,). Much faster than `distances` of meshes.

    The other arguments are those of `distances`. Yields after each block.
    """
    result = np.zeros(len(pairs), dtype=bool)
    found, places, _ = _together(samples, which, pairs)

    def query(rows: Ints) -> None:
        result[rows] = proved_apart(found.world, found.world, places[rows], reach[rows])

    yield from _in_blocks(query, found.world, places)
    return result


def impact_steps(
    begins: Sequence[Sample], ends: Sequence[Sample], which: Ints, pairs: Ints
) -> Generator[None, None, Impacts]:
    """Run `impacts` in blocks of pairs. Yields after each block."""
    found, places, (sample, row) = _together(begins, which, pairs)
    motion = in_world(motions(begins, ends, sample, row), found)
    result = Impacts.misses(len(pairs))

    def query(rows: Ints) -> None:
        result.put(rows, _impacts(found.world, places[rows], motion))

    yield from _in_blocks(query, found.world, places)
    return result


def _in_blocks(query: Callable[[Ints], None], world: World, places: Ints) -> Generator[None, None, None]:
    """Ask a query about pairs of rows of a world, `places` (P, 2), in blocks of pairs. Yields after each block."""
    blocks = Blocks(world, world.bounds(), places)
    for rows in blocks:
        yield from blocks.timed(_one_step(partial(query, rows)))


def _one_step(query: Callable[[], None]) -> Generator[None, None, None]:
    """Run a query, and yield."""
    query()
    yield


def _impacts(world: World, places: Ints, motion: Motion) -> Impacts:
    """Return times of impact of pairs of rows of a world."""
    first = time_of_impact(world, world, places, motion_a=motion, motion_b=motion)
    left = np.flatnonzero(~first.decided)
    if len(left):
        # Shapes that rotate past each other very closely need many small steps. They are rare.
        again = time_of_impact(world, world, places[left], motion_a=motion, motion_b=motion, max_iterations=MANY_STEPS)
        for field, value in vars(again).items():
            getattr(first, field)[left] = value
    return first


def _together(samples: Sequence[Sample], which: Ints, pairs: Ints) -> tuple[PosedRows, Ints, tuple[Ints, Ints]]:
    """Return the rows of all pairs as one world, the pairs in it, and the sample and row of each of its rows."""
    count = max((len(sample) for sample in samples), default=1)
    code = which[:, None] * count + pairs
    distinct, place = np.unique(code, return_inverse=True)
    sample, row = np.divmod(distinct, max(count, 1))
    found = posed(samples, sample, row)
    return found, found.place[place.reshape(-1, 2)], (sample, row)


def together(samples: Sequence[Sample], which: Ints, pairs: Ints) -> tuple[PosedRows, Ints]:
    """Return the rows of all pairs (P, 2) as one world, and the pairs in it. Each pair is of a sample, `which` (P,)."""
    return _together(samples, which, pairs)[:2]


def bounds(samples: Sequence[Sample], moved: Bools) -> tuple[Floats, Floats]:
    """Return bounds of all rows in all samples: lower and upper (S, N, 3). NaN for a row that does not exist there.

    Parameters
    ----------
    samples : sequence of Sample
        All with the same number of rows.
    moved : (S - 1, N) bool
        Rows whose transform or geometry differs from the sample before.
    """
    there = np.stack([sample.there for sample in samples])
    lower, upper = np.full((2, *there.shape, 3), np.nan)
    new = there.copy()
    new[1:] &= moved
    which, row = np.nonzero(new)
    found = posed(samples, which, row)
    low, high = found.world.bounds()
    lower[which, row], upper[which, row] = low[found.place], high[found.place]
    for number in range(1, len(samples)):
        same = ~moved[number - 1] & there[number]
        lower[number, same], upper[number, same] = lower[number - 1, same], upper[number - 1, same]
    return lower, upper


def levels(lower: Floats, upper: Floats) -> Floats:
    """Return the touching tolerance of each row: (..., N)."""
    shape = lower.shape[:-1]
    # Rows that do not exist have no coordinates.
    known = np.where(np.isnan(lower), 0.0, lower).reshape(-1, 3), np.where(np.isnan(upper), 0.0, upper).reshape(-1, 3)
    return touching_levels(*known, None).reshape(shape)


def distances_and_levels(samples: Sequence[Sample], which: Ints, pairs: Ints) -> tuple[Distances, Floats]:
    """Return `distances`, and the touching tolerance of the two rows of each pair in its sample: (P,)."""
    found, places, _ = _together(samples, which, pairs)
    level: Floats = levels(*found.world.bounds())[places].max(axis=1, initial=0.0)
    return local_distance(found.world, found.world, places), level


def bulges(begin: Sample, end: Sample, rows: Ints) -> Floats:
    """Return upper bounds of the distance of points of uniformly moving rows from straight paths: (K,).

    For a rotation by an angle, linear interpolation is off by at most the square of the angle over eight, times the
    distance from the origin of the rotation.
    """
    basis = begin.basis
    turn = end.rotation[rows] - begin.rotation[rows]
    sine = np.sqrt((turn * turn).sum(axis=(1, 2)) / 8.0)
    angle = 2.0 * np.arcsin(np.minimum(sine, 1.0))
    reach = np.where(
        np.isfinite(basis.radius[rows]), length(basis.center[rows] - basis.origin[rows]) + basis.radius[rows], 0.0
    )
    result: Floats = reach * angle * angle / 8.0
    return result


def travels(begin: Sample, end: Sample, rows: Ints, parts: int = 1) -> Floats:
    """Return upper bounds of the displacement of any point of uniformly moving rows, in the shape of `rows`.

    In `parts`, the motion is divided at any time, and the bound is that of both displacements together.
    """
    some, place = np.unique(rows, return_inverse=True)
    radius = np.where(np.isfinite(begin.basis.radius), begin.basis.radius, np.inf)
    turn, shift = end.rotation[some] - begin.rotation[some], end.translation[some] - begin.translation[some]
    radius[some[~turn.any(axis=(1, 2))]] = 0.0
    way = apart(begin, some, turn, shift, radius) + parts * bulges(begin, end, some)
    result: Floats = way[place.reshape(rows.shape)]
    return result


def travel(begin: Sample, end: Sample, row: int) -> float:
    """Return an upper bound of the displacement of any point of a row, if all points move straight.

    Infinite if unknown.
    """
    if begin.basis.number[row] == end.basis.number[row]:
        return float(travels(begin, end, np.array([row]))[0])
    before, after = begin.basis.form[row], end.basis.form[row]
    if before is None or after is None:
        return np.inf
    old, new = _points(begin, row, before), _points(end, row, after)
    if old is None or new is None or len(old) != len(new):
        return np.inf
    return float(length(new - old).max(initial=0.0))


def _points(sample: Sample, row: int, form: Form) -> Floats | None:
    """Return world space points that represent a geometry: its vertices, or the corners of its bounds."""
    if form.geometry is not None and len(form.geometry.points):
        spoke = form.geometry.points @ form.matrix[:3, :3].T
        result: Floats = spoke @ sample.rotation[row].T + sample.translation[row]
        return result
    found: World = posed([sample], np.zeros(1, dtype=np.int64), np.array([row])).world
    low, high = found.bounds()
    return np.concatenate([low, high]) if np.isfinite(low).all() and np.isfinite(high).all() else None


def half_space(sample: Sample, row: int) -> tuple[Floats, float] | None:
    """Return normal and offset of a row that is a half-space, otherwise None."""
    form = sample.basis.form[row]
    if form is None or not isinstance(form.shape, HalfSpace):
        return None
    normal = sample.rotation[row] @ form.shape.normal
    inside = form.shape.offset - float(form.shape.normal @ sample.basis.origin[row])
    return normal, inside + float(normal @ sample.translation[row])
