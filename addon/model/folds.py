# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of a report that lists show as one line, because of the relation of their bodies. Does not need Blender."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ...core.constants import Verdict
from ..system.late import np

if TYPE_CHECKING:
    from ...core.numerics.types import Bools, Ints

# Value of `motion` for a body that does not move.
STATIC = "static"

# Values of `source`: a body is tested as it is drawn, as its colliders, or it is itself a collider of no mesh, as those
# of a whole level are.
DRAWN, COLLIDERS, LEVEL = "drawn", "colliders", "level"


class FoldKind(Enum):
    """Reasons for folding pairs. The values are used in reports."""

    WITHIN = "within"  # parts of one asset
    SURROUNDINGS = "surroundings"  # a body inside a sky, or another surface around the whole scene
    AREA = "area"  # a body and water, fog, a navigation mesh or a trigger, by its name
    LEVEL = "level"  # a collider of no mesh, and another one or what is drawn
    STATIC = "static"  # neither body moves
    LIBRARY = "library"  # parts of assets that are stored at one place
    COPIES = "copies"  # repeats a pair of the body that it is a copy of


# Folded pairs that are not faults. Pairs of copies are faults, but those of the first copy are listed.
INFORMATION = frozenset(FoldKind) - {FoldKind.COPIES}


class Fold(NamedTuple):
    """One line for several pairs.

    Attributes
    ----------
    kind : FoldKind
    name : str
        The asset, the surroundings, the area, or the first copy. Empty for other kinds.
    """

    kind: FoldKind
    name: str = ""


class Member(Protocol):
    """The fields of `addon.model.report.Body` that folds need. The module of `Body` imports this one."""

    @property
    def name(self) -> str:
        """Name in reports."""

    @property
    def object(self) -> str:
        """Name of the object."""

    @property
    def part(self) -> int:
        """Number of a loose part."""

    @property
    def whole(self) -> str:
        """Body of a loose part."""

    @property
    def asset(self) -> str:
        """Asset that it is a part of."""

    @property
    def assembly(self) -> str:
        """Smaller asset that it is a part of, if all bodies are parts of one."""

    @property
    def motion(self) -> str:
        """Motion type, if declared."""

    @property
    def joints(self) -> frozenset[int]:
        """Joints that it takes part in."""

    @property
    def source(self) -> str:
        """Source of its shapes: `DRAWN`, `COLLIDERS` or `LEVEL`."""


class CheckRequest(NamedTuple):
    """The request of a check, with the field names of `addon.model.report.Report`.

    Attributes
    ----------
    within : bool, optional
    static : bool
    library : frozenset of str
    surroundings : tuple of str
        Names of the bodies around all others, outermost first.
    areas : bool
        Whether pairs with water, fog, navigation meshes and triggers are faults.
    two_sided : tuple of bool
        For each named test, whether it tests bodies of two sets against each other.
    joined : mapping of (int, int) to str
        Pairs of bodies that are joined parts of one thing, the lesser first, with the name of the thing.
    odd : frozenset of (int, int)
        Pairs of bodies of one thing that are faults nevertheless, the lesser first.
    """

    within: bool | None
    static: bool
    library: frozenset[str]
    surroundings: tuple[str, ...]
    areas: bool
    two_sided: tuple[bool, ...]
    joined: Mapping[tuple[int, int], str] = {}
    odd: frozenset[tuple[int, int]] = frozenset()


def asset_of_pair(a: Member, b: Member) -> str:
    """Return the smallest asset that two bodies are parts of, or the asset of a joint between them. Empty: none."""
    if a.whole and a.whole == b.whole:
        return ""
    if a.assembly and a.assembly == b.assembly:
        return a.assembly
    if a.asset and a.asset == b.asset:
        return a.asset
    return min(filter(None, (a.asset, b.asset)), default=min(a.name, b.name)) if a.joints & b.joints else ""


def outer_of_pair(a: Member, b: Member, surroundings: Sequence[str]) -> str:
    """Return the first of the surroundings that is one of two bodies. Empty if there is none."""
    return next((name for name in surroundings if name in (a.name, b.name)), "")


# Words for what other bodies are in or pass through. `Water` and `WaterPlane` are, and `WaterTower` is not.
_MEDIA = frozenset(
    ["water", "ocean", "sea", "lake", "pond", "river", "lava", "fog", "mist", "clouds", "cloud", "nav", "navigation"]
)
_FORMS = frozenset(["area", "box", "cube", "mesh", "plane", "region", "surface", "tile", "trimesh", "volume", "zone"])
_AREAS = frozenset(["navmesh", "trigger", "triggers"])
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")


def is_area(body: Member) -> bool:
    """Return whether the name of a body says water, fog, a navigation mesh or a trigger, and it is tested as drawn."""
    return body.source == DRAWN and not body.motion and _says_area(body.object or body.name)


@cache
def _says_area(name: str) -> bool:
    words = [word.casefold() for word in _WORDS.findall(name)]
    known = _MEDIA.intersection(words)
    return bool(_AREAS.intersection(words) or (known and _MEDIA.union(_FORMS).issuperset(words)))


def asset_or_name(body: Member) -> str:
    """Return the asset of a body. If it has none, the body itself."""
    return body.asset or body.name


def one_asset(bodies: Sequence[Member]) -> str:
    """Return the common asset of all bodies. Empty if there is none, or if there are fewer than two bodies."""
    assets = [body.asset for body in bodies if not body.part]
    return assets[0] if len(assets) > 1 and len(set(assets)) == 1 else ""


def folded_rows(bodies: Sequence[Member], columns: "Sequence[Ints]", asked: CheckRequest) -> dict[int, Fold]:
    """Return the folded rows of a report, and the line of each.

    Parameters
    ----------
    bodies : sequence of Body
    columns : (P,) int64, four times
        The two bodies, the verdict and the test of each pair.
    asked : CheckRequest
    """
    if not len(columns[0]):
        return {}
    first, second, verdict, _ = columns
    copy_of, leader = copies_of(first, second, verdict), np.arange(len(bodies))
    if copy_of:
        leader[list(copy_of)] = list(copy_of.values())
    kinds = _kinds(bodies, columns, asked)
    if copy_of:
        kinds.append((FoldKind.COPIES, _repeated(columns, copy_of, leader)))
    found, left = dict[int, Fold](), np.ones(len(first), bool)
    for kind, some in kinds:
        rows = np.flatnonzero(some & left)
        left[rows] = False
        ends = first[rows], second[rows]
        if kind is FoldKind.COPIES:
            # The body that is a copy, or the first one of two.
            copies = np.where(leader[ends[0]] != ends[0], *ends)
            lines = [Fold(kind, bodies[one].name) for one in leader.tolist()]
            found.update(zip(rows.tolist(), map(lines.__getitem__, copies.tolist()), strict=True))
        elif kind in (FoldKind.WITHIN, FoldKind.SURROUNDINGS, FoldKind.AREA):
            for row, one, other in zip(rows.tolist(), *(side.tolist() for side in ends), strict=True):
                a, b = bodies[one], bodies[other]
                if kind is FoldKind.WITHIN:
                    joined = asked.joined.get((min(one, other), max(one, other)), "")
                    name = joined or asset_of_pair(a, b)
                elif kind is FoldKind.AREA:
                    name = (a if is_area(a) else b).name
                else:
                    name = outer_of_pair(a, b, asked.surroundings)
                found[row] = Fold(kind, name)
        else:
            found.update(dict.fromkeys(rows.tolist(), Fold(kind)))
    ordered = sum(bool(some.any()) for _, some in kinds) < 2
    return found if ordered else dict(sorted(found.items()))


def _kinds(bodies: Sequence[Member], columns: "Sequence[Ints]", asked: CheckRequest) -> "list[tuple[FoldKind, Bools]]":
    """Return which pairs are of each kind, (P,), except copies. The first kind of a pair counts."""
    first, second, verdict, test = columns
    asset, assembly, whole = (
        _numbers([getattr(one, name) for one in bodies]) for name in ("asset", "assembly", "whole")
    )
    linked = np.zeros(len(first), bool)
    for row in np.flatnonzero(_each(bodies, "joints")[np.stack([first, second])].all(axis=0)).tolist():
        linked[row] = bool(bodies[first[row]].joints & bodies[second[row]].joints)
    parts = (whole[first] > 0) & (whole[first] == whole[second])
    # A part that exists twice in one place is a fault of an asset, too.
    related = (asset[first] > 0) & (asset[first] == asset[second])
    within = (related | linked) & (verdict != Verdict.DUPLICATE) & ~parts
    # Bodies linked by a joint are not expected to collide, even if there is nothing else.
    if asked.within:
        within[:] = False
    elif asked.within is None and one_asset(bodies):
        within &= linked | (assembly[first] > 0) & (assembly[first] == assembly[second])
    codes = (np.sort(np.stack([first, second]), axis=0) * np.array([[len(bodies)], [1]])).sum(axis=0)
    if asked.joined and not asked.within:
        within |= np.isin(codes, [a * len(bodies) + b for a, b in asked.joined])
    if asked.odd:
        within &= ~np.isin(codes, [a * len(bodies) + b for a, b in asked.odd])
    between = np.array([*asked.two_sided, False], bool)[test]
    within &= ~between
    kinds = [(FoldKind.WITHIN, within)]
    if asked.surroundings:
        outer = np.array([one.name in asked.surroundings for one in bodies], bool)
        inside = (verdict == Verdict.CONTAINED) & ~between & (outer[first] | outer[second])
        kinds.append((FoldKind.SURROUNDINGS, inside))
    if not asked.areas:
        area = np.array([is_area(one) for one in bodies], bool)
        if not area.all():
            kinds.append((FoldKind.AREA, (area[first] | area[second]) & (verdict != Verdict.DUPLICATE) & ~between))
    level = np.array([one.source == LEVEL for one in bodies], bool)
    if not asked.static and not level.all():
        # What is static, or drawn and not declared to move.
        still = np.array([one.motion == STATIC or (one.source == DRAWN and not one.motion) for one in bodies], bool)
        of_level = level[first] & (level | still)[second] | level[second] & (level | still)[first]
        kinds.append((FoldKind.LEVEL, of_level & ~between))
    if not asked.static:
        fixed = np.array([one.motion == STATIC for one in bodies], bool)
        kinds.append((FoldKind.STATIC, fixed[first] & fixed[second]))
    if asked.library:
        stored = np.array([asset_or_name(one) in asked.library for one in bodies], bool)
        names = _numbers([asset_or_name(one) for one in bodies])
        kinds.append((FoldKind.LIBRARY, (names[first] != names[second]) & stored[first] & stored[second]))
    return kinds


def _numbers(names: Sequence[str]) -> "Ints":
    """Number names (N,). Equal names have the same number, and the empty name has 0."""
    known = {"": 0}
    return np.array([known.setdefault(name, len(known)) for name in names], np.int64)


def _each(bodies: Sequence[Member], name: str) -> "Bools":
    """Return whether a field of each body is not empty, (B,)."""
    return np.array([bool(getattr(one, name)) for one in bodies], bool)


def _repeated(columns: "Sequence[Ints]", copy_of: Mapping[int, int], leader: "Ints") -> "Bools":
    """Return which pairs are those of copies, so that the pair of the first copies says the same, (P,).

    `leader` (B,) is the first copy of each body. For copies of one body, the first two are listed.
    """
    first, second, verdict, test = columns
    size = len(leader)
    following = np.zeros(size, np.int64)
    for other, one in sorted(copy_of.items(), reverse=True):
        following[one] = other
    a, b = leader[first], leader[second]
    of_one = (a == b) & (verdict == Verdict.DUPLICATE)
    b = np.where(of_one, following[a], b)

    def code(one: "Ints", other: "Ints") -> "Ints":
        ends: Ints = (np.minimum(one, other) * size + np.maximum(one, other)) * (int(test.max()) + 2) + test + 1
        return ends

    own, same = code(first, second), code(a, b)
    result: Bools = (same != own) & np.isin(same, own)
    return result


def copies_of(body_a: "Ints", body_b: "Ints", verdict: "Ints") -> dict[int, int]:
    """Return the bodies that are copies of another in the same place, each with the first copy."""
    ends = np.sort(np.stack([body_a, body_b], axis=1)[verdict == Verdict.DUPLICATE], axis=1)
    ends = ends[np.lexsort((ends[:, 0], ends[:, 1]))]
    # The least body that each is a copy of. It is its own first copy, or its first copy is known by then.
    others, at = np.unique(ends[:, 1], return_index=True)
    first: dict[int, int] = {}
    for other, one in zip(others.tolist(), ends[at, 0].tolist(), strict=True):
        first[other] = first.get(one, one)
    return first


def copies_told(columns: "Sequence[Ints]", folded: Mapping[int, Fold]) -> dict[int, int]:
    """Return the rows of duplicates that stand for more than two copies, and their numbers. Arguments as above."""
    copy_of = copies_of(*columns[:3])
    copies = Counter(copy_of.values())
    found, listed = {}, columns[2] == Verdict.DUPLICATE
    listed[list(folded)] = False
    for row in np.flatnonzero(listed).tolist():
        count = copies[min(int(columns[0][row]), int(columns[1][row]))] + 1
        if count > 2:
            found[row] = count
    return found
