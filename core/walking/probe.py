# SPDX-License-Identifier: GPL-3.0-or-later
"""The probe: a character starts on colliders and walks wherever it can."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from ..numerics.tolerances import WALK_FINEST, WALK_TOUCH
from ..numerics.types import Bools, Floats, Ints
from ..numerics.validation import array, check_type, coordinates, one_length, whole_number
from ..numerics.vectors import length
from ..shapes import Batch, Boxes, check_shapes
from ..shapes.batch import ShapeCollection
from ..world.world import World
from .character import Character
from .finding import Finding
from .findings import Found, falls, seams, slopes, steps, stuck
from .floors import unreachable
from .ground import Frame, items_of
from .passages import Passage, passages
from .squeezes import squeezes
from .starts import NoStart, inside_shapes, no_floor
from .trails import EIGHT, FOUR, Level, Walk, grid_of, ground_below, over_ground, room_of, standing

# Distance around all bounded shapes, in radii, up to which unbounded floors are walked on.
_AROUND = 10.0
# A move is divided into steps of at most this fraction of the radius if its ends do not prove it.
_PART = 1.0 / 20.0
# Default margins for reporting: a fraction of the radius, and degrees.
_MARGIN, _SLOPE_MARGIN = 1.0 / 8.0, 1.0


@dataclass(frozen=True, eq=False)
class Probe:
    """The floors that a character reached, and the findings.

    Attributes
    ----------
    character : Character
    spacing : float
        Distance between neighboring columns of the grid.
    gravity : (3,) float64
        Its direction, of unit length.
    poses : (N, 3) float64
        The lowest point of the capsule at each reached pose.
    floor : (N, 3) float64
        The point that carries it there.
    normal : (N, 3) float64
        The surface normal there.
    ground : (N, 3) float64
        The point below the axis of the capsule, on the plane of that surface.
    shape : (N,) int64
        The row of the shape that carries it.
    parent : (N,) int64
        The pose that each one was first reached from. -1 for a start.
    over_ground : (N,) bool
        Whether there is ground below the axis of the capsule. If not, it stands on an edge beside it.
    reached_area : float
        The area of the reached floor, seen along gravity, from the poses over ground.
    undetected_below : float
        No wider gap was missed where the character can move to it directly from a pose beside it.
    findings : tuple of Finding
        In the order of their kinds, and of their distance from a start.
    """

    character: Character
    spacing: float
    gravity: Floats
    poses: Floats
    floor: Floats
    normal: Floats
    ground: Floats
    shape: Ints
    parent: Ints
    over_ground: Bools
    reached_area: float
    undetected_below: float
    findings: tuple[Finding, ...]

    def path(self, pose: int) -> Floats:
        """Return the path from a start to a pose.

        Parameters
        ----------
        pose : int
            A row of `poses`.

        Returns
        -------
        (K, 3) float64
            The lowest point of the capsule, from the start on.

        Raises
        ------
        ValueError
            If the pose does not exist.
        """
        row = whole_number(pose, "pose", 0)
        if row >= len(self.poses):
            raise ValueError(f"pose: {row}, but there are {len(self.poses)} poses")
        rows = []
        while row >= 0:
            rows.append(row)
            row = int(self.parent[row])
        return self.poses[rows[::-1]]

    def near(self, reach: float = 0.0) -> World:
        """Return the space that the character takes up in all poses, and what is near it.

        `coverage` takes it as `within`, to count only surfaces that the character comes near. Between poses, it is up
        to half a diagonal of a square of the grid away from one, and next to walls a whole one.

        Parameters
        ----------
        reach : float
            What is no farther from the character than this is near it; in the caller's unit, not negative.

        Returns
        -------
        World
            One shape for each row of neighboring poses at one height: an upright rectangle with a margin.

        Raises
        ------
        ValueError
            If `reach` is negative or not finite.

        Examples
        --------
        >>> import collision_kit.core as ck
        >>> found = ck.probe(ck.Boxes([0, 0, -1], [3, 3, 1]), [[0, 0, 0]])
        >>> roof = ck.Boxes([0, 0, 2.5], [9, 9, 0.2])
        >>> low = ck.Boxes([0, 0, 2], [9, 9, 0.1])
        >>> [ck.greatest_distance(roof, low, within=found.near(reach)).distance > 0 for reach in (0.4, 0.6)]
        [False, True]
        """
        more = one_length(reach, "reach")
        frame = Frame.of(self.gravity, self.poses[0])
        local = frame.into(self.poses)
        cell = np.rint(local[:, :2] / self.spacing).astype(np.int64)
        height = np.rint(local[:, 2] / (WALK_TOUCH * self.character.radius)).astype(np.int64)
        order = np.lexsort((cell[:, 0], height, cell[:, 1]))
        x, row, local = cell[order, 0], np.stack([cell[order, 1], height[order]], axis=1), local[order]
        begins = np.append(True, (x[1:] != x[:-1] + 1) | (row[1:] != row[:-1]).any(axis=1))
        first = np.flatnonzero(begins)
        last = np.append(first[1:], len(local)) - 1
        tall = self.character.height - 2.0 * self.character.radius
        middle = 0.5 * (local[first] + local[last]) + (0.0, 0.0, self.character.radius + 0.5 * tall)
        half = np.zeros((len(first), 3))
        half[:, 0], half[:, 2] = 0.5 * (local[last, 0] - local[first, 0]), 0.5 * tall
        turn = np.broadcast_to(frame.rotation.T, (len(first), 3, 3))
        return World([Boxes(frame.out(middle), half, turn)], margin=np.full(len(first), self.character.radius + more))


def probe(
    shapes: Batch | ShapeCollection,
    starts: ArrayLike,
    character: Character | None = None,
    *,
    spacing: float = 0.25,
    gravity: ArrayLike = (0.0, 0.0, -1.0),
    neighbors: int = 8,
    margin: float | None = None,
    slope_margin: float = _SLOPE_MARGIN,
    least_area: float | None = None,
) -> Probe:
    """Let a character walk on shapes from some starts, wherever it can go, and report problems.

    The capsule moves between neighboring columns of a grid: it is lifted by as little as necessary, at most by its step
    height, moved across, and lowered. Each of these sweeps is exact. If the ends of a move do not prove what is between
    them, it is made in small steps, and gaps that the grid may have missed are searched by subdivision. The capsule
    stands if a face below the point that carries it is not too steep; on an edge, one of the adjacent faces is enough.
    The height of a step is that between the points that carry the capsule before and after it.

    Parameters
    ----------
    shapes : batch of shapes or World
        The colliders.
    starts : (S, 3) array-like
        The character begins on the highest floor that is at most a step above each point.
    character : Character, optional
    spacing : float
        Distance between neighboring columns. The first start is in one of them.
    gravity : (3,) array-like
        Direction of gravity, of any length except zero.
    neighbors : int
        4 or 8: number of neighboring columns that the character moves to.
    margin : float, optional
        Steps that are too high, and passages that are too narrow, by at most this are reported. Default: an eighth of
        the radius.
    slope_margin : float
        Slopes that are too steep by at most this, in degrees, are reported.
    least_area : float, optional
        Unreached floors with a smaller area are not reported. Default: six squares around the capsule.

    Returns
    -------
    Probe

    Raises
    ------
    UnsupportedPair
        If a shape is of a third-party kind.
    NoStart
        If there is no floor below a start, or no column beside it can be reached. It is a `ValueError`.
    ValueError
        If an argument has the wrong shape or is out of range. The message names it.

    Examples
    --------
    Two plates with a gap of 1.2 m between them, and rails around both:

    >>> import collision_kit.core as ck
    >>> plates = ck.Boxes([[0, 0, -0.1], [5.2, 0, -0.1]], [[2, 2, 0.1], [2, 2, 0.1]])
    >>> rails = ck.Boxes([[2.6, 2, 1], [2.6, -2, 1], [-2, 0, 1], [7.2, 0, 1]],
    ...                  [[5, 0.1, 1], [5, 0.1, 1], [0.1, 2, 1], [0.1, 2, 1]])
    >>> found = ck.probe(ck.World([plates, rails]), [[0, 0, 0]])
    >>> [(one.kind, round(one.measure, 2)) for one in found.findings]
    [('fall', 1.2), ('unreachable', 0.0)]
    """
    going = probe_steps(
        shapes,
        starts,
        character,
        spacing=spacing,
        gravity=gravity,
        neighbors=neighbors,
        margin=margin,
        slope_margin=slope_margin,
        least_area=least_area,
    )
    while True:
        try:
            next(going)
        except StopIteration as done:
            result: Probe = done.value
            return result


def probe_steps(
    shapes: Batch | ShapeCollection,
    starts: ArrayLike,
    character: Character | None = None,
    *,
    spacing: float = 0.25,
    gravity: ArrayLike = (0.0, 0.0, -1.0),
    neighbors: int = 8,
    margin: float | None = None,
    slope_margin: float = _SLOPE_MARGIN,
    least_area: float | None = None,
) -> Generator[float, None, Probe]:
    """Do the same as `probe` in steps that each take a fraction of a second, for programs that show progress.

    Parameters
    ----------
    shapes, starts, character, spacing, gravity, neighbors, margin, slope_margin, least_area
        As for `probe`.

    Returns
    -------
    generator
        Yields the finished fraction of the work, from 0 to 1, which may grow unevenly, because it is unknown in advance
        how far the character gets. Its return value is a `Probe`.

    Raises
    ------
    UnsupportedPair, NoStart, ValueError
        As for `probe`, when the generator is first advanced.

    Examples
    --------
    >>> import collision_kit.core as ck
    >>> going = ck.probe_steps(ck.HalfSpaces([0, 0, 1], 0), [[0, 0, 0]])
    >>> 0 <= next(going) <= 1
    True
    """
    check_shapes(shapes, "shapes")
    begin = coordinates(starts, "starts", (-1, 3))
    if not len(begin):
        raise ValueError("starts: empty, but a point is needed")
    capsule = Character() if character is None else character
    check_type(capsule, Character, "character")
    width = one_length(spacing, "spacing")
    if width <= 0.0:
        raise ValueError(f"spacing: {width:g}, but a number above 0 is needed")
    down = array(gravity, "gravity", (3,))
    if not np.abs(down).max() > 0.0:
        raise ValueError("gravity: zero, but a direction is needed")
    around = whole_number(neighbors, "neighbors", 0)
    if around not in (4, 8):
        raise ValueError(f"neighbors: {around}, but 4 or 8 is needed")
    near = capsule.radius * _MARGIN if margin is None else one_length(margin, "margin")
    steeper = one_length(slope_margin, "slope_margin")
    area = 6.0 * (2.0 * capsule.radius) ** 2 if least_area is None else one_length(least_area, "least_area")
    result = yield from _probed(shapes, begin, capsule, width, down, around, near, steeper, area)
    return result


def _probed(
    shapes: Any,
    starts: Floats,
    character: Character,
    spacing: float,
    gravity: Floats,
    neighbors: int,
    margin: float,
    slope_margin: float,
    least_area: float,
) -> Generator[float, None, Probe]:
    frame = Frame.of(gravity, starts[0])
    items = items_of(shapes, frame)
    local = frame.into(starts)
    parts = max(ceil(sqrt(2.0) * spacing / (_PART * character.radius)), 4)
    walker = character.walker(margin, slope_margin, parts)
    bounded = items.span[items.bounded]
    around = _AROUND * character.radius if len(items.planes) else 2.0 * (character.radius + spacing)
    lower = np.concatenate([bounded[:, :2], local[:, :2]]).min(axis=0) - around
    upper = np.concatenate([bounded[:, 3:5], local[:, :2]]).max(axis=0) + around
    grid, size = grid_of(spacing, lower, upper)
    ground = items.near_columns(spacing, character.radius, lower, upper)
    yield 0.0
    ways = EIGHT if neighbors == 8 else FOUR
    level = Level(ground, walker, room_of(ground), items.owner, grid, size, ways)
    walk = Walk(level)
    for row, cause in _begin(shapes, frame, level, walk, local, character):
        raise no_floor(shapes, starts[row], row, gravity, character) if cause == "air" else NoStart.at(row, cause)
    columns = float(size.prod())
    sources = np.arange(len(walk))
    narrow: list[Passage] = []
    before = -1
    while len(walk) > before:
        before = len(walk)
        for done, waiting in walk.go():
            yield 0.5 * min(done / max(columns, done + waiting), 1.0)
        # Passages between the columns of the grid may lead farther.
        more = passages(shapes, frame, level, walk, character, margin, narrow)
        for one in more:
            if one.width >= 2.0 * character.radius:
                _pass(walk, one)
        narrow += more
    levels = max(ceil(np.log2(spacing / (WALK_FINEST * character.radius))), 1)
    fallen = np.unique(walk.events[walk.events[:, 2] == 4, 0])
    others = np.setdiff1d(np.arange(len(walk)), fallen)
    for done, waiting in walk.search_gaps(others, levels):
        yield 0.5 + 0.3 * done / max(done + waiting, 1)
    over = over_ground(level, walk.poses)
    found = Found(shapes, frame, level, walk, character, spacing, over, margin)
    findings = [*falls(found)]
    yield 0.82
    findings += stuck(found, walk.returning(sources))
    findings += seams(found)
    yield 0.85
    findings += squeezes(found, narrow)
    yield 0.9
    findings += [*steps(found), *slopes(found)]
    yield 0.92
    findings += unreachable(found, least_area)
    yield 1.0
    foot = walk.poses[:, :3] - (0.0, 0.0, walker.radius)
    return Probe(
        character,
        spacing,
        gravity / length(gravity[None])[0],
        frame.out(foot),
        frame.out(walk.poses[:, 3:6]),
        frame.turned_out(walk.poses[:, 6:9]),
        frame.out(ground_below(walk.poses)),
        items.owner[walk.links[:, 2]],
        walk.links[:, 3].copy(),
        over,
        float(np.count_nonzero(over)) * spacing * spacing,
        2.0 * character.radius + 2.0 * sqrt(2.0) * spacing * 0.5**levels,
        tuple(findings),
    )


def _begin(
    shapes: Any, frame: Frame, level: Level, walk: Walk, starts: Floats, character: Character
) -> Iterator[tuple[int, str]]:
    """Put the character below each start, and let it move to a column of the grid. Yields rows where it cannot."""
    for row, start in enumerate(starts):
        poses, which = standing(level, start[None, :2])
        below = np.flatnonzero(poses[:, 2] - level.walker.radius <= start[2] + character.step + level.walker.touch)
        # A walk meets surfaces only: within a solid, there may be room for the character.
        below = below[~inside_shapes(shapes, frame.out(poses[below, :3]))]
        if not len(below):
            yield row, "air"
            continue
        best = below[np.argmax(poses[below, 2])]
        if walk.enter(poses[best], int(which[best, 1]), -1) < 0:
            yield row, "closed"


def _pass(walk: Walk, passage: Passage) -> None:
    """Let the character go through a passage, in both directions."""
    ends = []
    for pose, item in passage.ends:
        ends.append(walk.enter(pose, item, int(walk.events[passage.event, 0])))
    if min(ends) >= 0:
        walk.connect(ends[0], ends[1])
        walk.connect(ends[1], ends[0])
