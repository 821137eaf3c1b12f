# SPDX-License-Identifier: GPL-3.0-or-later
"""A walking capsule: up over obstacles, across, and down, from column to column of a grid.

Up is +Z. A pose is the center of the lower ball of the capsule. Each move is exact between its ends; see `heights`. If
the two ends do not prove what is between them, the move is made in small steps.
"""

from math import inf, sqrt
from typing import NamedTuple

from ..numerics.tolerances import WALK_LEVEL, WALK_ON_FACE, WALK_SAME
from .arrays import Floats1, Floats2, Ints1, Ints2, Vector, floats2
from .heights import Ground, height
from .loading import kernel
from .vectors import dot, minus, moved, plus, put, row, scaled

# Results of a move. `LANDED`: the capsule stands. `BLOCKED`: an obstacle. `HIGH`: a step that is slightly too high.
# `STEEP`: a slope that is slightly too steep. `DROPPED`: it falls farther than allowed. `BEYOND`: it left the grid.
LANDED, BLOCKED, HIGH, STEEP, DROPPED, BEYOND = range(6)
# Found while it moves on: an edge between two colliders.
SNAGGED = 6

# Size of the stack of squares while gaps are searched: three for each level, and the last.
_WAITING = 128
# Number of moves from a pose into the gaps around it that are tried.
_TRIES = 256


def _still() -> Vector:
    return 0.0, 0.0, 0.0


class Walker(NamedTuple):
    """A capsule, and its abilities.

    Attributes
    ----------
    radius : float
    tall : float
        Distance between the centers of both balls.
    step, drop : float
        The highest step, and the deepest allowed drop.
    steepest, near_steep : float
        Cosines of the steepest slope, and of one that is slightly too steep.
    rise : float
        Tangent of the steepest slope.
    margin : float
        By how much a reported step may be too high.
    carried : float
        Maximum horizontal distance of a surface that keeps the capsule from dropping too far.
    touch : float
        Distance up to which it touches.
    seam_least, seam_most : float
        Heights of seams.
    parts : int
        Number of small steps of a divided move.
    """

    radius: float
    tall: float
    step: float
    drop: float
    steepest: float
    near_steep: float
    rise: float
    margin: float
    carried: float
    touch: float
    seam_least: float
    seam_most: float
    parts: int


class Room(NamedTuple):
    """Room for the items near a move, and their heights."""

    near: Ints1
    low: Floats1
    high: Floats1


class Pose(NamedTuple):
    """Place where the capsule stands: the center of its lower ball, and the point, normal and item below it."""

    place: Vector
    point: Vector
    normal: Vector
    item: int


class Move(NamedTuple):
    """The result of a move.

    Attributes
    ----------
    code : int
    value : float
        `HIGH`: the height of the step. `STEEP`: the cosine of the slope. `DROPPED`: the depth, infinite without ground.
    before, after : Pose
        The last pose on the way, and the one after it. If blocked, both are the same, and `after.item` is in the way.
    lifted : float
        Height by which it was lifted above both poses.
    seam : float
        Height of a crossed seam, or 0.
    seam_from, seam_to : int
        Items beside it.
    seam_point : Vector
    seam_place : Vector
        The pose before the seam.
    """

    code: int
    value: float
    before: Pose
    after: Pose
    lifted: float
    seam: float
    seam_from: int
    seam_to: int
    seam_point: Vector
    seam_place: Vector


def _made(code: int, value: float, before: Pose, after: Pose, lifted: float) -> Move:
    return Move(code, value, before, after, lifted, 0.0, -1, -1, _still(), _still())


def _gathered(ground: Ground, walker: Walker, room: Room, at: Vector, way: Vector) -> int:
    """Write the items that are near a move as seen from above. Return their number."""
    reach = walker.radius
    west, east = min(at[0], at[0] + way[0]) - reach, max(at[0], at[0] + way[0]) + reach
    south, north = min(at[1], at[1] + way[1]) - reach, max(at[1], at[1] + way[1]) + reach
    count = 0
    x = min(max(int((at[0] - ground.grid[0]) / ground.grid[2]), 0), ground.size[0] - 1)
    y = min(max(int((at[1] - ground.grid[1]) / ground.grid[2]), 0), ground.size[1] - 1)
    column = x * ground.size[1] + y
    for k in range(ground.starts[column], ground.starts[column + 1]):
        item = ground.items[k]
        if (
            ground.span[item, 0] < east
            and ground.span[item, 3] > west
            and ground.span[item, 1] < north
            and ground.span[item, 4] > south
        ):
            room.near[count] = item
            count += 1
    for k in range(len(ground.planes)):
        room.near[count] = len(ground.corners) + k
        count += 1
    return count


def _stepped(ground: Ground, walker: Walker, room: Room, pose: Pose, way: Vector) -> Move:
    """Lift the capsule by as little as possible, move it across, and lower it."""
    at, radius, touch = pose.place, walker.radius, walker.touch
    count = _gathered(ground, walker, room, at, way)
    long = sqrt(way[0] * way[0] + way[1] * way[1])
    limit = at[2] + max(walker.step, long * walker.rise) + walker.margin + touch
    for k in range(count):
        item = room.near[k]
        room.low[k], room.high[k] = inf, -inf
        if ground.span[item, 5] + radius > at[2] + touch and ground.span[item, 2] - radius - walker.tall < limit:
            found = height(ground, item, at, way, radius)
            room.low[k], room.high[k] = found.low - walker.tall, found.high
    level, changed = at[2], True
    while changed:
        changed = False
        for k in range(count):
            if room.low[k] + touch < level and level < room.high[k] - touch:
                if room.high[k] > limit:
                    return _made(BLOCKED, 0.0, pose, Pose(at, at, _still(), room.near[k]), 0.0)
                level, changed = room.high[k], True
    if level > at[2] + touch:
        # Items above the lifted capsule.
        for k in range(count):
            if room.high[k] > at[2] + touch and room.low[k] < level:
                found = height(ground, room.near[k], at, _still(), radius)
                low = found.low - walker.tall
                if low >= at[2] - touch and low < level - touch and found.high > at[2] + touch:
                    return _made(BLOCKED, 0.0, pose, Pose(at, at, _still(), room.near[k]), 0.0)
    target = at[0] + way[0], at[1] + way[1], level
    landing = _lowered(ground, walker, room, count, target)
    if landing.item < 0:
        return _made(DROPPED, inf, pose, landing, 0.0)
    lifted = level - max(at[2], landing.place[2])
    return _made(LANDED, 0.0, pose, landing, lifted)


def _lowered(ground: Ground, walker: Walker, room: Room, count: int, at: Vector) -> Pose:
    """Lower the capsule onto what is below it. Item -1 if there is nothing. `room` has the nearby items."""
    best, touch = -inf, walker.touch
    point, normal, carrier = at, _still(), -1
    for k in range(count):
        item = room.near[k]
        if ground.span[item, 5] + walker.radius <= best - touch:
            continue
        found = height(ground, item, at, _still(), walker.radius)
        if found.high > at[2] + touch or found.high < best - touch:
            continue
        # Of items that carry it equally, such as the tread and the riser at an edge, the one that faces up most.
        if found.high > best + touch or found.normal[2] > normal[2]:
            point, normal, carrier = found.point, found.normal, item
        best = max(best, found.high)
    return Pose((at[0], at[1], best if carrier >= 0 else at[2]), point, normal, carrier)


def _plane(pose: Pose, at: Vector) -> float:
    """The height of the surface under a pose, extrapolated to another place."""
    if pose.normal[2] <= 0.0:
        return pose.point[2]
    off = pose.normal[0] * (at[0] - pose.point[0]) + pose.normal[1] * (at[1] - pose.point[1])
    return pose.point[2] - off / pose.normal[2]


def _on_face(pose: Pose) -> bool:
    """Whether the capsule stands on the interior of a face, and not on an edge."""
    out = minus(pose.place, pose.point)
    return dot(out, pose.normal) >= (1.0 - WALK_ON_FACE) * sqrt(dot(out, out))


def _proved(walker: Walker, move: Move) -> bool:
    """Whether the ends of a move show that nothing happens between them."""
    before, after = move.before, move.after
    if move.code != LANDED or after.normal[2] < walker.steepest or move.lifted > walker.touch:
        return False
    ahead, back = _plane(before, after.point), _plane(after, before.point)
    high, low = max(after.point[2], back), min(before.point[2], ahead)
    if high - low > walker.step:
        return False
    high, low = max(before.point[2], ahead), min(after.point[2], back)
    if high - low > walker.drop:
        return False
    return _farthest(before, after) <= walker.carried * walker.carried


def _farthest(before: Pose, after: Pose) -> float:
    """The maximum squared distance, from above, between the path and the nearer of both points that carry its ends."""
    way = minus(after.place, before.place)
    one, two = minus(before.point, before.place), minus(after.point, before.place)
    # |t way - one| = |t way - two|
    rate = 2.0 * ((two[0] - one[0]) * way[0] + (two[1] - one[1]) * way[1])
    offset = two[0] * two[0] + two[1] * two[1] - one[0] * one[0] - one[1] * one[1]
    at = offset / rate if abs(rate) > 0.0 else 0.0
    at = min(max(at, 0.0), 1.0)
    x, y = at * way[0] - one[0], at * way[1] - one[1]
    u, v = at * way[0] - two[0], at * way[1] - two[1]
    return min(x * x + y * y, u * u + v * v)


def _judged(walker: Walker, move: Move) -> Move:
    """Make a small step by the rules."""
    before, after = move.before, move.after
    if move.code != LANDED:
        return move
    drop = before.point[2] - after.point[2]
    if _on_face(before):
        drop = min(drop, _plane(before, after.point) - after.point[2])
    if drop > walker.drop + walker.touch:
        return _made(DROPPED, before.point[2] - after.point[2], before, after, 0.0)
    if after.normal[2] < walker.steepest:
        return _made(STEEP, after.normal[2], before, after, 0.0)
    rise = after.point[2] - _plane(before, after.point)
    if _on_face(after):
        rise = min(rise, _plane(after, before.point) - before.point[2])
    if rise > walker.step + walker.touch:
        return _made(HIGH if rise <= walker.step + walker.margin else BLOCKED, rise, before, after, 0.0)
    return move


def _with_seam(ground: Ground, walker: Walker, owner: Ints1, move: Move) -> Move:
    """Record the seam between two colliders that look level."""
    before, after = move.before, move.after
    if move.code != LANDED or owner[before.item] == owner[after.item]:
        return move
    if dot(before.normal, after.normal) < WALK_LEVEL:
        return move
    rise = after.point[2] - _plane(before, after.point)
    other = _plane(after, before.point) - before.point[2]
    if min(rise, other) <= walker.seam_least or rise > walker.seam_most:
        return move
    return Move(
        move.code, move.value, before, after, move.lifted, rise, before.item, after.item, after.point, before.place
    )


def _advanced(ground: Ground, walker: Walker, room: Room, owner: Ints1, pose: Pose, way: Vector) -> Move:
    """Move the capsule along a level path: at once if that is proved, otherwise in small steps."""
    move = _stepped(ground, walker, room, pose, way)
    if _proved(walker, move):
        return _with_seam(ground, walker, owner, move)
    seam, seam_from, seam_to, seam_point, seam_place = 0.0, -1, -1, _still(), _still()
    here = pose
    for k in range(walker.parts):
        share = (k + 1.0) / walker.parts
        ahead = pose.place[0] + share * way[0] - here.place[0], pose.place[1] + share * way[1] - here.place[1], 0.0
        move = _with_seam(ground, walker, owner, _judged(walker, _stepped(ground, walker, room, here, ahead)))
        if move.seam > 0.0 and seam == 0.0:
            seam, seam_from, seam_to = move.seam, move.seam_from, move.seam_to
            seam_point, seam_place = move.seam_point, move.seam_place
        if move.code != LANDED:
            break
        here = move.after
    return Move(
        move.code,
        move.value,
        move.before,
        move.after,
        move.lifted,
        seam,
        seam_from,
        seam_to,
        seam_point,
        seam_place,
    )


class Trail(NamedTuple):
    """All poses that were reached, and events on the way.

    Attributes
    ----------
    poses : (C, 9) float64
        Center of the lower ball, the point that carries it, and the normal there.
    links : (C, 5) int64
        The column along X and Y, the item, the pose that it was first reached from (-1 for a start), and the next pose
        of the same column (-1 for none).
    to : (C, W) int64
        The pose that each move leads to. -1: none.
    heads : (X * Y,) int64
        The first pose of each column. -1: none.
    counts : (3,) int64
        Numbers of poses, of poses whose moves are known, and of events.
    events : (E, 5) int64
        The pose, the number of the move (-1: a gap within the grid), the code, the item before and the item after.
    values : (E, 13) float64
        The value, the center of the lower ball before and after, the deciding point, the heights of the ground before
        and after, and the vertical component of the normal after.
    grid : (3,) float64
        The place of the first column, and the spacing.
    size : (2,) int64
        The number of columns along X and Y.
    ways : (W, 2) int64
        The moves, in columns.
    """

    poses: Floats2
    links: Ints2
    to: Ints2
    heads: Ints1
    counts: Ints1
    events: Ints2
    values: Floats2
    grid: Floats1
    size: Ints1
    ways: Ints2


def _pose(trail: Trail, at: int) -> Pose:
    point = trail.poses[at, 3], trail.poses[at, 4], trail.poses[at, 5]
    normal = trail.poses[at, 6], trail.poses[at, 7], trail.poses[at, 8]
    return Pose(row(trail.poses, at), point, normal, trail.links[at, 2])


def _noted(trail: Trail, at: int, way: int, code: int, value: float, before: Pose, after: Pose, point: Vector) -> None:
    """Add an event."""
    k = trail.counts[2]
    trail.counts[2] = k + 1
    trail.events[k, 0], trail.events[k, 1], trail.events[k, 2] = at, way, code
    trail.events[k, 3], trail.events[k, 4] = before.item, after.item
    trail.values[k, 0] = value
    trail.values[k, 1], trail.values[k, 2], trail.values[k, 3] = before.place
    trail.values[k, 4], trail.values[k, 5], trail.values[k, 6] = after.place
    trail.values[k, 7], trail.values[k, 8], trail.values[k, 9] = point
    trail.values[k, 10], trail.values[k, 11], trail.values[k, 12] = before.point[2], after.point[2], after.normal[2]


def _placed(trail: Trail, column: int, x: int, y: int, pose: Pose, parent: int, same: float) -> int:
    """The index of a pose, which is added if it is new."""
    at = trail.heads[column]
    while at >= 0:
        if abs(trail.poses[at, 2] - pose.place[2]) <= same:
            return at
        at = trail.links[at, 4]
    at = trail.counts[0]
    trail.counts[0] = at + 1
    put(trail.poses, at, pose.place)
    trail.poses[at, 3], trail.poses[at, 4], trail.poses[at, 5] = pose.point
    trail.poses[at, 6], trail.poses[at, 7], trail.poses[at, 8] = pose.normal
    trail.links[at, 0], trail.links[at, 1], trail.links[at, 2] = x, y, pose.item
    trail.links[at, 3], trail.links[at, 4] = parent, trail.heads[column]
    trail.heads[column] = at
    return at


@kernel
def walk(ground: Ground, walker: Walker, room: Room, owner: Ints1, trail: Trail, most: int) -> int:
    """Make all moves of the next poses, at most this many. Returns the number of waiting poses.

    It stops early if `trail` may not have enough room for what one pose adds.
    """
    ways = len(trail.ways)
    for _ in range(most):
        at = trail.counts[1]
        full = trail.counts[0] + ways > len(trail.poses) or trail.counts[2] + 2 * ways > len(trail.events)
        if at == trail.counts[0] or full:
            break
        trail.counts[1] = at + 1
        pose = _pose(trail, at)
        for k in range(ways):
            trail.to[at, k] = -1
            x, y = trail.links[at, 0] + trail.ways[k, 0], trail.links[at, 1] + trail.ways[k, 1]
            if x < 0 or y < 0 or x >= trail.size[0] or y >= trail.size[1]:
                continue
            way = (
                trail.grid[0] + x * trail.grid[2] - pose.place[0],
                trail.grid[1] + y * trail.grid[2] - pose.place[1],
                0.0,
            )
            move = _advanced(ground, walker, room, owner, pose, way)
            if move.seam > 0.0:
                below = moved(move.seam_point, (0.0, 0.0, 1.0), -move.seam)
                begin = Pose(move.seam_place, below, _still(), move.seam_from)
                end = Pose(move.after.place, move.seam_point, _still(), move.seam_to)
                _noted(trail, at, k, SNAGGED, move.seam, begin, end, move.seam_point)
            if move.code == LANDED:
                column = x * trail.size[1] + y
                trail.to[at, k] = _placed(trail, column, x, y, move.after, at, WALK_SAME * walker.radius)
            elif move.code != STEEP or move.value >= walker.near_steep:
                _noted(trail, at, k, move.code, move.value, move.before, move.after, move.after.point)
    return trail.counts[0] - trail.counts[1]


@kernel
def enter(
    ground: Ground, walker: Walker, room: Room, owner: Ints1, trail: Trail, start: Floats2, item: int, parent: int
) -> int:
    """Move from a place off the grid to a column beside it. Returns the pose there. -1 if all are blocked.

    Parameters
    ----------
    start : (3, 3) float64
        The pose: center of the lower ball, the point that carries it, and the normal.
    item : int
        Item below it.
    parent : int
        The pose that it was reached from. -1 for a start.
    """
    pose = Pose(row(start, 0), row(start, 1), row(start, 2), item)
    west = int((pose.place[0] - trail.grid[0]) / trail.grid[2] + 0.5)
    south = int((pose.place[1] - trail.grid[1]) / trail.grid[2] + 0.5)
    for k in range(9):
        # The nearest column first, then those around it.
        x = west + (0 if k < 3 else (1 if k < 6 else -1))
        y = south + (0 if k % 3 == 0 else (1 if k % 3 == 1 else -1))
        if x < 0 or y < 0 or x >= trail.size[0] or y >= trail.size[1]:
            continue
        way = trail.grid[0] + x * trail.grid[2] - pose.place[0], trail.grid[1] + y * trail.grid[2] - pose.place[1], 0.0
        move = _advanced(ground, walker, room, owner, pose, way)
        if move.code == LANDED:
            return _placed(trail, x * trail.size[1] + y, x, y, move.after, parent, WALK_SAME * walker.radius)
    return -1


@kernel
def search_gaps(
    ground: Ground, walker: Walker, room: Room, owner: Ints1, trail: Trail, some: Ints1, begin: int, levels: int
) -> int:
    """Search gaps around poses that no move of the grid leads into. Returns the first pose that is not finished.

    The square around a pose up to its neighbors is subdivided until something carries a capsule at every place of it,
    or the squares are small (`levels` divisions). If nothing does, the capsule moves there.

    Parameters
    ----------
    some : (K,) int64
        The poses.
    begin : int
        The first of these.
    """
    waiting = floats2(_WAITING, 3)
    for n in range(begin, len(some)):
        if trail.counts[2] + 1 > len(trail.events):
            return n
        at = some[n]
        pose = _pose(trail, at)
        waiting[0, 0], waiting[0, 1], waiting[0, 2] = 0.0, 0.0, trail.grid[2]
        top, tries = 1, 0
        least = trail.grid[2]
        for _ in range(levels):
            least *= 0.5
        while top > 0:
            top -= 1
            x, y, half = waiting[top, 0], waiting[top, 1], waiting[top, 2]
            reach = walker.carried - half * sqrt(2.0)
            carrier, away = _carried(ground, walker, room, pose, (x, y, 0.0))
            if carrier and reach > 0.0 and away <= reach:
                continue
            if not carrier and tries < _TRIES and (x != 0.0 or y != 0.0):
                tries += 1
                direct = _stepped(ground, walker, room, pose, (x, y, 0.0))
                if direct.code != BLOCKED:
                    move = _advanced(ground, walker, room, owner, pose, (x, y, 0.0))
                    if move.code == DROPPED:
                        _noted(trail, at, -1, DROPPED, move.value, move.before, move.after, move.after.point)
                        break
            if half > least and tries < _TRIES:
                for k in range(4):
                    part = 0.5 * half
                    waiting[top, 0] = x + (part if k % 2 == 0 else -part)
                    waiting[top, 1] = y + (part if k < 2 else -part)
                    waiting[top, 2] = part
                    top += 1
    return len(some)


def _carried(ground: Ground, walker: Walker, room: Room, pose: Pose, shift: Vector) -> tuple[bool, float]:
    """Whether something near a place keeps the capsule from dropping too far, and its maximum horizontal distance."""
    away = pose.point[0] - pose.place[0] - shift[0], pose.point[1] - pose.place[1] - shift[1], 0.0
    own = sqrt(dot(away, away))
    count = _gathered(ground, walker, room, plus(pose.place, shift), _still())
    found = _lowered(ground, walker, room, count, plus(pose.place, (shift[0], shift[1], walker.step)))
    if found.item < 0 or pose.point[2] - found.point[2] > walker.drop + walker.touch:
        return own < walker.carried, own
    aside = minus(found.point, found.place)
    return True, min(own, sqrt(aside[0] * aside[0] + aside[1] * aside[1]))


@kernel
def stands(
    ground: Ground, walker: Walker, room: Room, places: Floats2, begin: int, poses: Floats2, found: Ints2
) -> tuple[int, int]:
    """Find all poses at which the capsule can stand, until the output is full.

    Parameters
    ----------
    places : (Q, 2) float64
    begin : int
        The first place.
    poses : (K, 9) float64
        Written, as those of a trail.
    found : (K, 2) int64
        Written: the place and the item below it.

    Returns
    -------
    next, count : int
        The first place that is not finished, and the number of poses.
    """
    count, touch = 0, walker.touch
    for n in range(begin, len(places)):
        at = places[n, 0], places[n, 1], 0.0
        near = _gathered(ground, walker, room, at, _still())
        if count + near > len(poses):
            return n, count
        for k in range(near):
            one = height(ground, room.near[k], at, _still(), walker.radius)
            room.low[k], room.high[k] = one.low - walker.tall, one.high
        for k in range(near):
            level = room.high[k]
            if level == -inf or level == inf:
                continue
            one = height(ground, room.near[k], at, _still(), walker.radius)
            if one.normal[2] < walker.steepest:
                continue
            free = True
            for j in range(near):
                if room.low[j] + touch < level and level < room.high[j] - touch:
                    free = False
                # Of items that carry it equally, the first.
                if j < k and abs(room.high[j] - level) <= touch:
                    other = height(ground, room.near[j], at, _still(), walker.radius)
                    free = free and other.normal[2] < walker.steepest
            if not free:
                continue
            put(poses, count, (at[0], at[1], level))
            poses[count, 3], poses[count, 4], poses[count, 5] = one.point
            poses[count, 6], poses[count, 7], poses[count, 8] = one.normal
            found[count, 0], found[count, 1] = n, room.near[k]
            count += 1
    return len(places), count


@kernel
def over_ground(
    ground: Ground, walker: Walker, room: Room, poses: Floats2, thin: float, span: float, over: Ints1
) -> None:
    """Find whether there is ground under the axis of each pose, at about the height of what carries it.

    Parameters
    ----------
    poses : (K, 9) float64
        As those of a trail.
    thin : float
        Radius of the line.
    span : float
        The maximum difference of heights.
    over : (K,) int64
        Written: 1 if there is.
    """
    for n in range(len(poses)):
        over[n] = 0
        at, level = (poses[n, 0], poses[n, 1], 0.0), poses[n, 5]
        count = _gathered(ground, walker, room, at, _still())
        for k in range(count):
            item = room.near[k]
            if ground.span[item, 5] < level - span or ground.span[item, 2] > level + span or over[n] == 1:
                continue
            one = height(ground, item, at, _still(), thin)
            if abs(one.high - level) <= span:
                over[n] = 1


@kernel
def first_contacts(ground: Ground, walker: Walker, places: Floats2, ways: Floats2, item: Ints1, share: Floats1) -> None:
    """Find how far a capsule can move before it meets an item, by bisection.

    Parameters
    ----------
    places, ways : (K, 3), (K, 3) float64
        The centers of the lower ball, and the level ways.
    item : (K,) int64
    share : (K,) float64
        Written: the free fraction of the path.
    """
    for n in range(len(places)):
        at, way = row(places, n), row(ways, n)
        low, high = 0.0, 1.0
        for _ in range(40):
            middle = 0.5 * (low + high)
            one = height(ground, item[n], at, scaled(middle, way), walker.radius)
            if one.low - walker.tall + walker.touch < at[2] and at[2] < one.high - walker.touch:
                high = middle
            else:
                low = middle
        share[n] = low


@kernel
def go(
    ground: Ground,
    walker: Walker,
    room: Room,
    owner: Ints1,
    start: Floats2,
    item: int,
    way: Floats1,
    landed: Floats1,
) -> int:
    """Move from a pose along a level path.

    Returns the code of the move, and writes the pose after it, as in a trail.
    """
    pose = Pose(row(start, 0), row(start, 1), row(start, 2), item)
    move = _advanced(ground, walker, room, owner, pose, (way[0], way[1], 0.0))
    landed[0], landed[1], landed[2] = move.after.place
    landed[3], landed[4], landed[5] = move.after.point
    landed[6], landed[7], landed[8] = move.after.normal
    return move.code
