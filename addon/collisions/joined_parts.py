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
from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from ...core.constants import Verdict
from ...core.numerics.rows import connected_components
from ...core.numerics.types import Bools, Floats, Ints
from ..model.alike import is_own_name, without_numbers
from ..model.folds import DRAWN, is_area, one_asset
from ..model.report import Body
from ..scene.reading.assets import are_near, ground_of
from .authored_parts import SHARE, Authored, authored_parts
from .body_extents import BodyExtents
from .copied_parts import copied_parts
from .pair_geometry import COMMON, DETAIL, FEWEST, PairGeometry, distinct, is_plate, own_names

# A joint is at most this deep, as a fraction of the longest side of the smaller part. The second fraction is for parts
# that nobody has named and that are not of one asset, because they may be the crates of a level.
DEEPEST, SLIGHT = 0.2, 0.02
# The same for a pair with a part of an asset, if there is nothing else in the scene or if several parts do the same.
# For other parts, it is `HALF`.
OUTSIDE = 0.1
# Parts that are joined crosswise are at least so many, each joined to this many others. Their joints are at most this
# fraction deep, or at most `DEEPEST` if moving the smaller part by `DEEPEST` of its size separates the bounds.
WEB, LINKED, THIN = 4, 2, 0.05
# A part is odd if it is this many times as deep as its siblings, which are at least this many, and agree to this.
ODD, SIBLINGS, AGREE = 1.5, 3, 0.1
# The first word of a name: up to the first separator, or the first capital letter after a small one.
_FIRST_WORD = re.compile(r"[\W_]*[^\W_]+?(?=[\W_]|(?<=[^\W\dA-Z_])[A-Z]|$)")


def joined_parts(
    bodies: Sequence[Body],
    collections: Sequence[str],
    bounds: tuple[Floats, Floats],
    columns: tuple[Ints, Ints, Ints, Floats],
    extents: BodyExtents | None = None,
    authored: Authored | None = None,
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
    authored : Authored, optional
        What the author has left at each body; see `authored_parts`, whose pairs are joined, too.

    Returns
    -------
    dict of (int, int) to str
        The lesser body of each pair is first.
    """
    first, second = columns[:2]
    count = len(bodies)
    joints = _Joints(bodies, bounds, columns, extents)
    if not joints.penetrates.any():
        return {}
    given = copied_parts(joints) | ({} if authored is None else authored_parts(joints, authored))
    if np.count_nonzero(joints.penetrates) < FEWEST:
        return given
    found: dict[tuple[int, int], str] = {}
    # The thing that the joints of each body have been found in. Chairs and tables in one collection are different ones.
    thing = np.zeros(count, np.int64)
    for number, (name, members, kept, counted) in enumerate(joints.things(collections), 1):
        inside = np.zeros(count, bool)
        inside[members] = True
        among = inside[first] & inside[second]
        apart = (thing[first] != thing[second]) & (thing[first] > 0) & (thing[second] > 0)
        mine = kept[(among & ~apart)[kept]]
        met = distinct(first, second, (joints.meets if counted is None else counted) & among)
        if counted is None:
            mine = mine[_habitual(mine, met, first, second, count)]
        elif len(mine) < max(FEWEST, SHARE * len(met)):
            continue
        found.update((ends, name) for ends in _ends(first, second, mine) if ends not in found)
        thing[first[mine]] = thing[second[mine]] = number
    return given | found


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
    names = own_names(bodies)
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


class _Joints(PairGeometry):
    """The joints among bodies, and the things that the bodies may be parts of."""

    def _kinds(self) -> tuple[Ints, Ints, Ints]:
        """Return the joints of parts of one name or collection, of unnamed parts, and of a scene that is one thing."""
        inside, near = self.inside(), self.neighbors
        shallow, details = (self.penetrates & some for some in (self.shallow(DEEPEST), self.details()))
        joints = self.without_copies((shallow & ~inside) | (details & ~self.stands))
        # Parts of a machine are in a web or high up. A chair is at the bottom of a room, and meets only it.
        webbed = self.half & ~self.stands
        bottom = np.flatnonzero(webbed & inside)
        bottom = bottom[self.at_bottom(self.first[bottom], self.second[bottom])]
        ends = self.first[bottom], self.second[bottom]
        for row, a, b in zip(*(each.tolist() for each in (bottom, *ends)), strict=True):
            webbed[row] = not near[a].isdisjoint(near[b])
        passes, pierces, buried = self.crossing
        slight = shallow if one_asset(self.bodies) else shallow & self.shallow(SLIGHT)
        repeated = distinct(self.first, self.second, self._repeated(webbed))
        of_unnamed = np.union1d(self.without_copies(slight & webbed & ~pierces), repeated)
        of_asset = np.array([bool(one.asset) for one in self.bodies], bool)
        alone = ~of_asset[self.first] & ~of_asset[self.second]
        stuck = self.half & (alone | self.shallow(OUTSIDE)) & ~passes & ~buried
        return joints, of_unnamed, self.without_copies((stuck | details) & ~self.stands)

    def things(self, collections: Sequence[str]) -> Iterator[tuple[str, list[int], Ints, Bools | None]]:
        """Yield things that bodies may be parts of, the surest first.

        Each has a name, its bodies, and the joints that count. If these need not be connected with each other, it also
        has the pairs (P,) of which the joints are a fraction.
        """
        joints, of_unnamed, of_scene = self._kinds()
        bodies = self.bodies
        whole = one_asset(bodies)
        if whole:
            # What is between the assets inside is no joint.
            yield whole, [row for row, one in enumerate(bodies) if not one.assembly], joints, None
        else:
            alone = [row for row, one in enumerate(bodies) if not one.asset]
            names = {row: bodies[row].object or bodies[row].name for row in alone}
            for name, rows in _named(alone, _first_words(names)):
                yield name, rows, joints, None
            for name, rows in _named(alone, {row: collections[row] for row in alone}):
                yield name, rows, joints, None
        ground = ground_of(*self.bounds)
        unnamed = [row for row, one in enumerate(bodies) if row != ground and not _is_named(one, bool(whole))]
        for rows in self.connected(unnamed):
            yield self.largest(rows), rows, of_unnamed, None
        every = self.without_backdrops()
        # A file that declares what moves or what collides says what is one body.
        if any(one.source != DRAWN or one.motion for one in bodies) or len(every) <= FEWEST:
            return
        rooms = self.shells(every)
        single = not (whole or self.plates(every).any() or rooms.any())
        if single and are_near(self.bounds[0][every], self.bounds[1][every]):
            yield self.largest(every), every, of_scene, self.meets
        parts = np.zeros(len(bodies), bool)
        parts[np.array(every)[~rooms]] = True
        parts[[row for row, one in enumerate(bodies) if row == ground or is_area(one)]] = False
        if not whole:
            parts[self._props()] = False
        for rows, linked in self._webs(parts):
            yield self.largest(rows), rows, linked, self.penetrates

    def _webs(self, parts: Bools) -> Iterator[tuple[list[int], Ints]]:
        """Yield groups of parts that are joined crosswise, as those of a car are, each with the joints.

        Furniture in a room is not: most of it is joined to nothing but the room. Assets inside are one part each.
        `parts` (B,) are the bodies that may be parts.
        """
        sunk, sizes = self.sunk(), self.bounds[1] - self.bounds[0]
        node, size = self._nodes(), sizes.max(axis=1)
        named = np.array([bool(name) for name in self.own_names], bool) | bool(one_asset(self.bodies))
        named = named[self.first] | named[self.second]
        slight, little = self.shallow(THIN), sunk <= DEEPEST
        slight &= named | self.shallow(SLIGHT)
        plate, larger = is_plate(sizes), size[self.first] >= size[self.second]
        # Furniture is not deep in a wall, and things at a wall or on a table are no parts of it.
        on_plate = np.where(larger, plate[self.first], plate[self.second])
        beside = on_plate & ~(plate[self.first] & plate[self.second])
        most = np.where(beside, slight & little, slight | (named & self.shallow(DEEPEST) & little))
        pairs = self.penetrates & parts[self.first] & parts[self.second] & (node[self.first] != node[self.second])
        rows = self.without_copies(pairs & most & (~self.crossing[1] | self.set_in()))
        first, second = self.first[rows], self.second[rows]
        core = _linked(node[first], node[second], len(node))
        within = core[node[first]] & core[node[second]]
        small, large = np.minimum(size[first], size[second]), np.maximum(size[first], size[second])
        detail = little[rows] | (small <= DETAIL * large)
        leaf = (core[node[first]] ^ core[node[second]]) & slight[rows] & detail & ~(self.stands | on_plate)[rows]
        kept = rows[within | leaf]
        label = connected_components(len(node), node[self.first[kept]], node[self.second[kept]])[node]
        for one in np.unique(label[self.first[kept]]).tolist():
            if len(np.unique(node[(label == one) & core[node]])) >= WEB:
                yield np.flatnonzero((label == one) & parts).tolist(), kept[label[self.first[kept]] == one]

    def _props(self) -> list[int]:
        """Return the bodies of which there are at least `FEWEST` of one size or of one name, as of chairs in a hall."""
        sides = [tuple(f"{side:.2e}" for side in one) for one in self.sides.tolist()]
        sizes, names = Counter(sides), Counter(filter(None, self.own_names))
        return [
            row
            for row, (side, name) in enumerate(zip(sides, self.own_names, strict=True))
            if sizes[side] >= FEWEST or names[name] >= FEWEST
        ]

    def _nodes(self) -> Ints:
        """Return the first body of the asset that each body is a part of, or the body itself, (B,)."""
        whole, found = bool(one_asset(self.bodies)), dict[str, int]()
        names = (one.assembly if whole else one.asset for one in self.bodies)
        return np.array([found.setdefault(name, row) if name else row for row, name in enumerate(names)], np.int64)

    def _repeated(self, some: Bools) -> Bools:
        """Return which of some pairs (P,) are of copies that are equally deep in one body, or in copies of one.

        Copies in each other that are not turned are crates in a row.
        """
        lower, upper = self.bounds
        sides = [tuple(f"{side:.1e}" for side in one) for one in np.sort(upper - lower, axis=1).tolist()]
        groups: defaultdict[tuple[object, ...], list[int]] = defaultdict(list)
        for row in np.flatnonzero(some).tolist():
            a, b = int(self.first[row]), int(self.second[row])
            if sides[a] == sides[b] and not self.are_turned(a, b):
                continue
            groups[a, sides[b]].append(row)
            groups[b, sides[a]].append(row)
            groups[tuple(sorted((sides[a], sides[b])))].append(row)
        found = np.zeros(len(self.depth), bool)
        for group in groups.values():
            if len(group) < FEWEST:
                continue
            usual = float(np.median(self.depth[group]))
            agree = np.array(group)[np.abs(self.depth[group] - usual) <= AGREE * usual]
            if len(agree) >= FEWEST:
                found[agree] = True
        return found


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


def _is_named(body: Body, whole: bool) -> bool:
    """Return whether somebody has named the object of a body, or its asset. `whole`: all bodies are of one asset."""
    names = (body.object or body.name, body.assembly if whole else body.asset)
    return any(name and is_own_name(without_numbers(name)) for name in names)
