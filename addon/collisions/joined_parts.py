# SPDX-License-Identifier: GPL-3.0-or-later
"""Recognize pairs of parts that overlap only where they are joined, as the legs of a chair do in its seat.

Parts are of one thing if all bodies are parts of one asset, if their names begin with the same word, if they are in one
collection, if nobody has named them and they are connected, if everything in the scene is connected and stands on no
ground, or if each is joined to several others, as the panels of a car are. Each of these says little alone: the same
collection has chairs and tables. So it counts only for pairs that overlap like a joint, and if several of them connect
their parts.

A joint that is much deeper than those of its siblings is a fault, whatever the parts are of. So is a bar that passes
through a plate, unless several bars do.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence

import numpy as np

from ...core.broad_phase.sweep_and_prune import sweep_and_prune
from ...core.constants import Verdict
from ...core.numerics.rows import connected_components
from ...core.numerics.types import Bools, Floats, Ints
from ..model.alike import is_own_name, without_numbers
from ..model.folds import DRAWN, is_area, one_asset
from ..model.report import Body
from ..scene.reading.assets import HEIGHT, are_near, ground_of
from .body_extents import BodyExtents

# At least this many joints connect parts of a thing, and they are at least this fraction of the pairs that meet there.
FEWEST, SHARE = 3, 0.5
# A joint is at most this deep, as a fraction of the longest side of the smaller part. The second fraction is for parts
# that nobody has named and that are not of one asset, because they may be the crates of a level.
DEEPEST, SLIGHT = 0.2, 0.02
# The same if there is nothing else in the scene, or if several parts do the same: less than half of the part. The
# second fraction is for pairs with a part of an asset.
HALF, OUTSIDE = 0.5, 0.1
# A detail is at most as large as the first fraction of what it is on, and in it by at most the second.
DETAIL, FLUSH = 0.4, 0.05
# A backdrop is at least this many times as large as everything else together.
BACKDROP = 10.0
# Parts that are joined crosswise are at least so many, each joined to this many others. Their joints are at most this
# fraction deep, or at most `DEEPEST` if moving the smaller part by `DEEPEST` of its size separates the bounds.
WEB, LINKED, THIN = 4, 2, 0.05
# What is this near to the bounds of the larger part, as a fraction of its size, sits on it and is not inside.
RIM = 0.05
# A word or a collection that more than this fraction of bodies have says nothing, as `SM` of `SM_Wall` and `SM_Tree`.
COMMON = 0.9
# A wall or a floor is at most as thick as this fraction of its width, and as long as this fraction of the scene or more
# in two directions.
PLATE, COVERED = 0.1, 0.4
# A part is odd if it is this many times as deep as its siblings, which are at least this many, and agree to this.
ODD, SIBLINGS, AGREE = 1.5, 3, 0.1
# Parts are copies if the sides of their bounds differ by at most this fraction.
_SAME_SIZE = 1e-3
# They are turned against each other if their lengths along a diagonal differ by more than this fraction.
_TURNED = 0.05
# The first word of a name: up to the first separator, or the first capital letter after a small one.
_FIRST_WORD = re.compile(r"[\W_]*[^\W_]+?(?=[\W_]|(?<=[^\W\dA-Z_])[A-Z]|$)")


def joined_parts(
    bodies: Sequence[Body],
    collections: Sequence[str],
    bounds: tuple[Floats, Floats],
    columns: tuple[Ints, Ints, Ints, Floats],
    extents: BodyExtents | None = None,
) -> dict[tuple[int, int], str]:
    """Return the pairs of bodies that are joined parts of one thing, each with the name of the thing.

    A joint is a pair that penetrates by at most `DEEPEST` of the size of the smaller part, whose center is not well
    inside of the larger part's bounds; `_Joints` has what else counts. Parts that are inside others, in the same place,
    or have faces in one plane have no joint, and neither have copies of one object, such as crates in a stack. Parts of
    one thing that joints connect are joined if they have `FEWEST` joints, and if these are `SHARE` of all pairs of the
    thing that meet at these parts: three props that were each pushed into another are not joined.

    Parameters
    ----------
    bodies : sequence of Body
    collections : sequence of str
        The collection that directly contains each body. Empty for the collection of the scene.
    bounds : (B, 3) float64 and (B, 3) float64
        Bounds of each body.
    columns : (P,) int64, three times, and (P,) float64
        The two bodies, the verdict and the depth of each found pair. Infinite if only a lower bound is known.
    extents : BodyExtents, optional
        Without them, each body is one part, and copies are not turned against each other.

    Returns
    -------
    dict of (int, int) to str
        The lesser body of each pair is first.
    """
    first, second, verdict, _ = columns
    if np.count_nonzero(verdict == Verdict.PENETRATING) < FEWEST:
        return {}
    count = len(bodies)
    meets = (verdict == Verdict.PENETRATING) | (verdict == Verdict.TOUCHING) | (verdict == Verdict.COPLANAR)
    joints = _Joints(bodies, bounds, columns, meets, extents)
    found: dict[tuple[int, int], str] = {}
    # The thing that the joints of each body have been found in. Chairs and tables in one collection are different ones.
    thing = np.zeros(count, np.int64)
    for number, (name, members, kept, counted) in enumerate(joints.things(collections), 1):
        inside = np.zeros(count, bool)
        inside[members] = True
        among = inside[first] & inside[second]
        apart = (thing[first] != thing[second]) & (thing[first] > 0) & (thing[second] > 0)
        mine = kept[(among & ~apart)[kept]]
        met = _distinct(first, second, (meets if counted is None else counted) & among)
        if counted is None:
            mine = mine[_habitual(mine, met, first, second, count)]
        elif len(mine) < max(FEWEST, SHARE * len(met)):
            continue
        found.update((ends, name) for ends in _ends(first, second, mine) if ends not in found)
        thing[first[mine]] = thing[second[mine]] = number
    return found


def odd_ones(
    bodies: Sequence[Body], bounds: tuple[Floats, Floats], columns: tuple[Ints, Ints, Ints, Floats]
) -> frozenset[tuple[int, int]]:
    """Return the pairs of a part that is much deeper in another than its siblings are: one leg of a table of four.

    Siblings are copies of one object, by their sizes or by names, that penetrate the same body. At least `SIBLINGS` of
    them agree in depth, and the odd one is `ODD` times as deep. Instances of one object that another one scatters have
    no such order. Parameters are those of `joined_parts`.
    """
    first, second, verdict, depth = columns
    of_instancer = np.array([[one.key.instancer_uid, one.key.session_uid] for one in bodies], np.int64).reshape(-1, 2)
    scattered = (of_instancer[first] == of_instancer[second]).all(axis=1) & (of_instancer[first, 0] > 0)
    rows = np.flatnonzero((verdict == Verdict.PENETRATING) & np.isfinite(depth) & ~scattered)
    if len(rows) <= SIBLINGS:
        return frozenset()
    sides = np.sort(bounds[1] - bounds[0], axis=1)
    sizes = [f"{one:.2e} {two:.2e} {three:.2e}" for one, two, three in sides.tolist()]
    names = _own_names(bodies)
    kinds: defaultdict[tuple[int, str, str], list[int]] = defaultdict(list)
    for row, a, b in zip(rows.tolist(), first[rows].tolist(), second[rows].tolist(), strict=True):
        for one, other in ((a, b), (b, a)):
            kinds[other, sizes[one], ""].append(row)
            if names[one]:
                kinds[other, "", names[one]].append(row)
    odd = set[int]()
    for some in kinds.values():
        if len(some) <= SIBLINGS:
            continue
        deep = depth[some]
        for place in np.flatnonzero(deep >= ODD * np.median(deep)).tolist():
            others = np.delete(deep, place)
            usual = float(np.median(others))
            if (np.abs(others - usual) <= AGREE * usual).sum() >= max(SIBLINGS, 0.8 * len(others)) and (
                deep[place] >= ODD * usual
            ):
                odd.add(some[place])
    return frozenset(_ends(first, second, np.array(sorted(odd), np.int64)))


class _Joints:
    """The joints among bodies, and the things that the bodies may be parts of.

    Parameters are those of `joined_parts`; `meets` (P,) are the pairs that touch or penetrate.
    """

    def __init__(
        self,
        bodies: Sequence[Body],
        bounds: tuple[Floats, Floats],
        columns: tuple[Ints, Ints, Ints, Floats],
        meets: Bools,
        extents: BodyExtents | None,
    ) -> None:
        self._bodies, self._bounds, self._meets, self._extents = bodies, bounds, meets, extents
        self._sides = np.sort(bounds[1] - bounds[0], axis=1)
        self._own_names = _own_names(bodies)
        self._first, self._second, verdict, depth = columns
        penetrates = verdict == Verdict.PENETRATING
        inside = self._inside()
        half, shallow, details = (
            penetrates & some
            for some in (self._shallow(depth, HALF), self._shallow(depth, DEEPEST), self._details(depth))
        )
        near = [set[int]() for _ in bodies]
        for a, b in zip(self._first[meets].tolist(), self._second[meets].tolist(), strict=True):
            near[a].add(b)
            near[b].add(a)
        stands = self._stand(near)
        self._joints = self._without_copies((shallow & ~inside) | (details & ~stands))
        # Parts of a machine are in a web or high up. A chair is at the bottom of a room, and meets only it.
        webbed = half & ~stands
        bottom = np.flatnonzero(webbed & inside)
        bottom = bottom[self._at_bottom(self._first[bottom], self._second[bottom])]
        ends = self._first[bottom], self._second[bottom]
        for row, a, b in zip(*(each.tolist() for each in (bottom, *ends)), strict=True):
            webbed[row] = not near[a].isdisjoint(near[b])
        passes, pierces, buried = self._crossing(half & ~stands)
        self._penetrates, self._depth, self._stands, self._pierces = penetrates, depth, stands, pierces
        slight = shallow if one_asset(bodies) else shallow & self._shallow(depth, SLIGHT)
        repeated = _distinct(self._first, self._second, self._repeated(webbed, depth))
        self._webbed = np.union1d(self._without_copies(slight & webbed & ~pierces), repeated)
        of_asset = np.array([bool(one.asset) for one in bodies], bool)
        alone = ~of_asset[self._first] & ~of_asset[self._second]
        stuck = half & (alone | self._shallow(depth, OUTSIDE)) & ~passes & ~buried
        self._hung = self._without_copies((stuck | details) & ~stands)

    def things(self, collections: Sequence[str]) -> Iterator[tuple[str, list[int], Ints, Bools | None]]:
        """Yield things that bodies may be parts of, the surest first.

        Each has a name, its bodies, and the joints that count. If these need not be connected with each other, it also
        has the pairs (P,) of which the joints are a fraction.
        """
        bodies = self._bodies
        whole = one_asset(bodies)
        if whole:
            # What is between the assets inside is no joint.
            yield whole, [row for row, one in enumerate(bodies) if not one.assembly], self._joints, None
        else:
            alone = [row for row, one in enumerate(bodies) if not one.asset]
            names = {row: bodies[row].object or bodies[row].name for row in alone}
            for name, rows in _named(alone, _first_words(names)):
                yield name, rows, self._joints, None
            for name, rows in _named(alone, {row: collections[row] for row in alone}):
                yield name, rows, self._joints, None
        ground = ground_of(*self._bounds)
        unnamed = [row for row, one in enumerate(bodies) if row != ground and not _is_named(one, bool(whole))]
        for rows in self._connected(unnamed):
            yield self._largest(rows), rows, self._webbed, None
        every = self._without_backdrops()
        # A file that declares what moves or what collides says what is one body.
        if any(one.source != DRAWN or one.motion for one in bodies) or len(every) <= FEWEST:
            return
        rooms = self._shells(every)
        single = not (whole or self._plates(every).any() or rooms.any())
        if single and are_near(self._bounds[0][every], self._bounds[1][every]):
            yield self._largest(every), every, self._hung, self._meets
        parts = np.zeros(len(bodies), bool)
        parts[np.array(every)[~rooms]] = True
        parts[[row for row, one in enumerate(bodies) if row == ground or is_area(one)]] = False
        if not whole:
            parts[self._props()] = False
        for rows, linked in self._webs(parts):
            yield self._largest(rows), rows, linked, self._penetrates

    def _webs(self, parts: Bools) -> Iterator[tuple[list[int], Ints]]:
        """Yield groups of parts that are joined crosswise, as those of a car are, each with the joints.

        Furniture in a room is not: most of it is joined to nothing but the room. Assets inside are one part each.
        `parts` (B,) are the bodies that may be parts.
        """
        sunk, sizes = self._sunk(), self._bounds[1] - self._bounds[0]
        node, size = self._nodes(), sizes.max(axis=1)
        named = np.array([bool(name) for name in self._own_names], bool) | bool(one_asset(self._bodies))
        named = named[self._first] | named[self._second]
        slight, little = self._shallow(self._depth, THIN), sunk <= DEEPEST
        slight &= named | self._shallow(self._depth, SLIGHT)
        plate, larger = _is_plate(sizes), size[self._first] >= size[self._second]
        # Furniture is not deep in a wall, and things at a wall or on a table are no parts of it.
        on_plate = np.where(larger, plate[self._first], plate[self._second])
        beside = on_plate & ~(plate[self._first] & plate[self._second])
        most = np.where(beside, slight & little, slight | (named & self._shallow(self._depth, DEEPEST) & little))
        pairs = self._penetrates & parts[self._first] & parts[self._second] & (node[self._first] != node[self._second])
        rows = self._without_copies(pairs & most & (~self._pierces | self._set_in()))
        first, second = self._first[rows], self._second[rows]
        core = _linked(node[first], node[second], len(node))
        within = core[node[first]] & core[node[second]]
        small, large = np.minimum(size[first], size[second]), np.maximum(size[first], size[second])
        detail = little[rows] | (small <= DETAIL * large)
        leaf = (core[node[first]] ^ core[node[second]]) & slight[rows] & detail & ~(self._stands | on_plate)[rows]
        kept = rows[within | leaf]
        label = connected_components(len(node), node[self._first[kept]], node[self._second[kept]])[node]
        for one in np.unique(label[self._first[kept]]).tolist():
            if len(np.unique(node[(label == one) & core[node]])) >= WEB:
                yield np.flatnonzero((label == one) & parts).tolist(), kept[label[self._first[kept]] == one]

    def _props(self) -> list[int]:
        """Return the bodies of which there are at least `FEWEST` of one size or of one name, as of chairs in a hall."""
        sides = [tuple(f"{side:.2e}" for side in one) for one in self._sides.tolist()]
        sizes, names = Counter(sides), Counter(filter(None, self._own_names))
        return [
            row
            for row, (side, name) in enumerate(zip(sides, self._own_names, strict=True))
            if sizes[side] >= FEWEST or names[name] >= FEWEST
        ]

    def _nodes(self) -> Ints:
        """Return the first body of the asset that each body is a part of, or the body itself, (B,)."""
        whole, found = bool(one_asset(self._bodies)), dict[str, int]()
        names = (one.assembly if whole else one.asset for one in self._bodies)
        return np.array([found.setdefault(name, row) if name else row for row, name in enumerate(names)], np.int64)

    def _sunk(self) -> Floats:
        """Return how far the smaller body has to move to free the bounds, as a fraction of its size that way, (P,)."""
        (lower, upper), size = self._bounds, self._bounds[1] - self._bounds[0]
        larger = size.max(axis=1)[self._first] >= size.max(axis=1)[self._second]
        small, large = np.where(larger, self._second, self._first), np.where(larger, self._first, self._second)
        with np.errstate(invalid="ignore", divide="ignore"):
            ways = np.minimum(upper[small] - lower[large], upper[large] - lower[small]) / size[small]
        result: Floats = np.nan_to_num(ways, nan=np.inf).min(axis=1)
        return result

    def _set_in(self) -> Bools:
        """Return of which pairs (P,) both are plates that lie the same way, as a window in a wall."""
        size = self._bounds[1] - self._bounds[0]
        with np.errstate(invalid="ignore"):
            plate, way = _is_plate(size), size.argmin(axis=1)
        result: Bools = (plate[self._first] & plate[self._second]) & (way[self._first] == way[self._second])
        return result

    def _connected(self, rows: Iterable[int]) -> Iterator[list[int]]:
        """Yield groups of more than `FEWEST` of these bodies that meet each other, directly or through others."""
        inside = np.zeros(len(self._bodies), bool)
        inside[list(rows)] = True
        among = self._meets & inside[self._first] & inside[self._second]
        label = connected_components(len(self._bodies), self._first[among], self._second[among])
        for one in np.unique(label[self._first[among]]).tolist():
            group = np.flatnonzero(inside & (label == one)).tolist()
            if len(group) > FEWEST:
                yield group

    def _largest(self, rows: Sequence[int]) -> str:
        """Return the name of the largest of these bodies, and the number of the others."""
        lower, upper = self._bounds
        largest = self._bodies[rows[int(np.argmax(np.linalg.norm(upper[rows] - lower[rows], axis=1)))]].name
        return f"{largest} + {len(rows) - 1}"

    def _shells(self, rows: Sequence[int]) -> Bools:
        """Return which of these bodies are a room or a terrain, (R,).

        They have half of the others inside of their bounds. Half of these stand at the bottom, or nothing but the room
        connects all others with each other.
        """
        lower, upper = self._bounds[0][rows], self._bounds[1][rows]
        pairs = sweep_and_prune(lower, upper)
        outer = np.concatenate([pairs[:, 0], pairs[:, 1]])
        inner = np.concatenate([pairs[:, 1], pairs[:, 0]])
        holds = ((lower[outer] <= lower[inner]) & (upper[inner] <= upper[outer])).all(axis=1)
        found = np.asarray(2 * np.bincount(outer[holds], minlength=len(rows)) >= len(rows) - 1)
        for place in np.flatnonzero(found).tolist():
            within = np.array(rows)[inner[holds & (outer == place)]]
            standing = int(self._at_bottom(np.full(len(within), rows[place]), within).sum())
            others = [one for one in rows if one != rows[place] and not is_area(self._bodies[one])]
            apart = max(map(len, self._connected(others)), default=0) < len(others)
            found[place] = apart or 2 * standing >= len(within)
        return found

    def _without_backdrops(self) -> list[int]:
        """Return all bodies but those that are far larger than everything else, on which a thing is shown."""
        lower, upper = self._bounds
        size = (upper - lower).max(axis=1)
        rows = np.argsort(size, kind="stable").tolist()
        while len(rows) > 1 and np.isfinite(size[rows[-1]]):
            rest = rows[:-1]
            if size[rows[-1]] < BACKDROP * (upper[rest].max(axis=0) - lower[rest].min(axis=0)).max():
                break
            rows = rest
        return sorted(rows)

    def _plates(self, rows: Sequence[int]) -> Bools:
        """Return which of these bodies are walls, floors or ceilings of all of them, (R,)."""
        lower, upper = self._bounds[0][rows], self._bounds[1][rows]
        size = upper - lower
        whole = upper.max(axis=0) - lower.min(axis=0)
        found = ~np.isfinite(size.sum(axis=1))
        for axis in range(3):
            wide = [one for one in range(3) if one != axis]
            # A terrain has hills.
            thin = size[:, axis] <= (HEIGHT if axis == 2 else PLATE) * size[:, wide].min(axis=1)
            found |= thin & (size[:, wide] >= COVERED * whole[wide]).all(axis=1)
        return found

    def _stand(self, near: Sequence[set[int]]) -> Bools:
        """Return of which pairs (P,) one stands on the other and meets nothing else, as a vase does on a table.

        `near` are the bodies that each body meets. A head is wider than its neck, so it does not stand on it.
        """
        lower, upper = (each[:, 2] for each in self._bounds)
        left, right = (each[:, :2] for each in self._bounds)
        alone = np.array([len(others) == 1 for others in near], bool)
        result = np.zeros(len(self._first), bool)
        for one, other in ((self._first, self._second), (self._second, self._first)):
            above = (lower[other] < lower[one]) & (lower[one] < upper[other]) & (upper[other] < upper[one])
            over = ((left[other] <= left[one]) & (right[one] <= right[other])).all(axis=1)
            result |= above & over & alone[one]
        return result

    def _at_bottom(self, a: Ints, b: Ints) -> Bools:
        """Return of which pairs the smaller body begins at the bottom of the larger, as furniture in a room does."""
        lower, upper = self._bounds
        size = (upper - lower).max(axis=1)
        small, large = np.where(size[a] >= size[b], (b, a), (a, b))
        with np.errstate(invalid="ignore"):
            low = lower[small, 2] - lower[large, 2] <= PLATE * (upper[large, 2] - lower[large, 2])
        found: Bools = low | ~np.isfinite(size[large])
        return found

    def _crossing(self, some: Bools) -> tuple[Bools, Bools, Bools]:
        """Return of which pairs (P,) one passes through the other, or through a plate, or has its middle inside.

        All is asked of the bounds of some pairs, and then of those of their loose parts. False for all other pairs.
        """
        lower, upper = self._bounds
        passes, pierces, buried = found = np.zeros((3, len(some)), bool)
        rows = np.flatnonzero(some)
        first, second = self._first[rows], self._second[rows]
        found[:, rows] = _crossings((lower[first], upper[first]), (lower[second], upper[second]))
        if self._extents is None:
            return passes, pierces, buried
        alone = self._extents.in_one_piece()
        divided = ~alone[self._first] | ~alone[self._second]
        for row in np.flatnonzero(found.any(axis=0) & divided).tolist():
            one, other = (self._extents.loose(int(body)) for body in (self._first[row], self._second[row]))
            parts = _crossings((one[0][:, None], one[1][:, None]), other)
            found[:, row] &= parts.any(axis=(1, 2))
        return passes, pierces, buried

    def _repeated(self, some: Bools, depth: Floats) -> Bools:
        """Return which of some pairs (P,) are of copies that are equally deep in one body, or in copies of one.

        Copies in each other that are not turned are crates in a row.
        """
        lower, upper = self._bounds
        sides = [tuple(f"{side:.1e}" for side in one) for one in np.sort(upper - lower, axis=1).tolist()]
        groups: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
        for row in np.flatnonzero(some).tolist():
            a, b = int(self._first[row]), int(self._second[row])
            if sides[a] == sides[b] and not self._are_turned(a, b):
                continue
            groups[a, sides[b]].append(row)
            groups[b, sides[a]].append(row)
            groups[tuple(sorted((sides[a], sides[b])))].append(row)
        found = np.zeros(len(depth), bool)
        for group in groups.values():
            if len(group) < FEWEST:
                continue
            usual = float(np.median(depth[group]))
            agree = np.array(group)[np.abs(depth[group] - usual) <= AGREE * usual]
            if len(agree) >= FEWEST:
                found[agree] = True
        return found

    def _are_turned(self, a: int, b: int) -> bool:
        """Return whether two copies of one object are turned against each other."""
        if self._extents is None:
            return False
        one, other = self._extents.diagonal(a), self._extents.diagonal(b)
        return bool((np.abs(one - other) > _TURNED * np.maximum(one, other)).any())

    def _shallow(self, depth: Floats, most: float) -> Bools:
        """Return which pairs overlap by at most this fraction of the smaller body, (P,)."""
        size = (self._bounds[1] - self._bounds[0]).max(axis=1)
        small = np.minimum(size[self._first], size[self._second])
        result: Bools = np.isfinite(small) & (depth <= most * small)
        return result

    def _details(self, depth: Floats) -> Bools:
        """Return of which pairs the smaller body is a detail of the larger, as a button is of a robot, (P,)."""
        size = (self._bounds[1] - self._bounds[0]).max(axis=1)
        small = np.minimum(size[self._first], size[self._second])
        large = np.maximum(size[self._first], size[self._second])
        result: Bools = np.isfinite(large) & (small <= DETAIL * large) & (depth <= FLUSH * large)
        return result

    def _inside(self) -> Bools:
        """Return of which pairs the center of the smaller body is well inside the bounds of the larger, (P,)."""
        lower, upper = self._bounds
        size = (upper - lower).max(axis=1)
        larger = size[self._first] >= size[self._second]
        small = np.where(larger, self._second, self._first)
        large = np.where(larger, self._first, self._second)
        with np.errstate(invalid="ignore"):  # a half-space has no center
            center = (lower[small] + upper[small]) / 2.0
            margin = RIM * (upper[large] - lower[large])
            outside = (center < lower[large] + margin) | (upper[large] - margin < center)
        result: Bools = outside.sum(axis=1) == 0
        return result

    def _without_copies(self, joints: Bools) -> Ints:
        """Return one row for each pair of bodies that are no copies of each other."""
        rows = _distinct(self._first, self._second, joints)
        return rows[~self._are_copies(self._first[rows], self._second[rows])]

    def _are_copies(self, first: Ints, second: Ints) -> Bools:
        """Return which pairs (P,) are copies of one object, by sizes, or by names that differ only in numbers."""
        one, other = self._sides[first], self._sides[second]
        result: Bools = np.abs(one - other).max(axis=1, initial=0.0) <= _SAME_SIZE * np.maximum(one[:, 2], other[:, 2])
        left = np.flatnonzero(~result)
        names = [[self._own_names[body] for body in each[left].tolist()] for each in (first, second)]
        result[left] = [bool(a) and a == b for a, b in zip(*names, strict=True)]
        return result


def _crossings(one: tuple[Floats, Floats], other: tuple[Floats, Floats]) -> Bools:
    """Return which bounds (..., 3) pass through others, or through a plate, or have their middle inside: (3, ...).

    What passes through is longer than the other along some axis, on both sides, and narrower across. The middle is
    that of the smaller bounds, well inside of the larger.
    """
    (low, high), (lower, upper) = one, other
    with np.errstate(invalid="ignore"):  # half-spaces have no sizes and no centers
        size, sizes = high - low, upper - lower
        meet = ((low <= upper) & (lower <= high)).all(axis=-1)
        room = RIM * np.minimum(size, sizes)
        inner = (lower + room < low) & (high < upper - room)
        outer = (low + room < lower) & (upper < high - room)
        passes = meet & (inner | outer).all(axis=-1) & inner.any(axis=-1) & outer.any(axis=-1)
        plate = _is_plate(size) | _is_plate(sizes)
        larger = (size.max(axis=-1) >= sizes.max(axis=-1))[..., None]
        middle = np.where(larger, lower + upper, low + high) / 2.0
        margin = RIM * np.where(larger, size, sizes)
        after = np.where(larger, low, lower) + margin <= middle
        before = middle <= np.where(larger, high, upper) - margin
    return np.array([passes, passes & plate, meet & (after & before).all(axis=-1)])


def _is_plate(size: Floats) -> Bools:
    """Return which sizes (..., 3) are those of plates, (...)."""
    sides = np.sort(size, axis=-1)
    result: Bools = sides[..., 0] <= PLATE * sides[..., 1]
    return result


def _distinct(first: Ints, second: Ints, some: Bools) -> Ints:
    """Return one of these rows for each pair of bodies: several named tests may find the same pair."""
    rows = np.flatnonzero(some)
    return rows[np.sort(np.unique(np.sort([first[rows], second[rows]], axis=0), axis=1, return_index=True)[1])]


def _ends(first: Ints, second: Ints, rows: Ints) -> list[tuple[int, int]]:
    """Return the bodies of these pairs, the lesser of each first."""
    return list(zip(*np.sort([first[rows], second[rows]], axis=0).tolist(), strict=True))


def _habitual(joints: Ints, meets: Ints, first: Ints, second: Ints, count: int) -> Bools:
    """Return which joints (J,) are of parts whose habit it is, given all pairs (M,) of the thing that meet."""
    label = connected_components(count, first[joints], second[joints])
    mine = np.bincount(label[first[joints]], minlength=count)
    one, other = label[first[meets]], label[second[meets]]
    of_all = np.bincount(one, minlength=count) + np.bincount(other[one != other], minlength=count)
    habit: Bools = ((mine >= FEWEST) & (mine >= SHARE * of_all))[label[first[joints]]]
    return habit


def _linked(first: Ints, second: Ints, count: int) -> Bools:
    """Return which of so many nodes (N,) are linked with at least `LINKED` others of these, given their pairs."""
    ends = np.unique(np.sort([first, second], axis=0)[:, first != second], axis=1)
    while True:
        degree = np.bincount(ends.ravel(), minlength=count)
        left = (degree[ends] >= LINKED).all(axis=0)
        if left.all():
            return np.asarray(degree >= LINKED)
        ends = ends[:, left]


def _named(rows: Sequence[int], names: Mapping[int, str]) -> Iterator[tuple[str, list[int]]]:
    """Yield names that several rows have, with these rows. A name of nearly all rows says nothing."""
    members: defaultdict[str, list[int]] = defaultdict(list)
    for row in rows:
        if names[row]:
            members[names[row]].append(row)
    return ((name, some) for name, some in members.items() if 2 < len(some) <= COMMON * len(rows))


def _first_words(names: Mapping[int, str]) -> dict[int, str]:
    """Return the first word of each name, such as `Chair` of `Chair_leg`, if some name of several words begins with it.

    Where nearly all names begin with the same word, as `SM` of `SM_Prop_crate`, it is that and the next one.
    Empty for all other names.
    """
    found, several = dict.fromkeys(names, ""), set[str]()
    left = list(names)
    while left:
        longer = dict[int, str]()
        for row in left:
            word = _FIRST_WORD.match(names[row], len(found[row]))
            if word is not None:
                longer[row] = names[row][: word.end()]
                if without_numbers(names[row][word.end() :]):
                    several.add(longer[row])
        many = Counter(longer.values())
        found |= longer
        left = [row for row, word in longer.items() if many[word] > COMMON * len(names) and len(names[row]) > len(word)]
    return {row: word if word in several else "" for row, word in found.items()}


def _own_names(bodies: Sequence[Body]) -> list[str]:
    """Return the name of each body without numbers. Empty if nobody has named it."""
    names = [without_numbers(one.object or one.name) for one in bodies]
    return [name if is_own_name(name) else "" for name in names]


def _is_named(body: Body, whole: bool) -> bool:
    """Return whether somebody has named the object of a body, or its asset. `whole`: all bodies are of one asset."""
    names = (body.object or body.name, body.assembly if whole else body.asset)
    return any(name and is_own_name(without_numbers(name)) for name in names)
