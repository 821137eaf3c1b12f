# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs of a report that lists show as one line, because of the relation of their bodies. Does not need Blender."""

from collections import Counter
from collections.abc import Mapping, Sequence
from enum import Enum
from typing import TYPE_CHECKING, NamedTuple, Protocol

from ...core.constants import Verdict
from ..system.late import np

if TYPE_CHECKING:
    from ...core.numerics.types import Ints

# Value of `motion` for a body that does not move.
STATIC = "static"

# Values of `source`: a body is tested as it is drawn, as its colliders, or it is itself a collider of no mesh, as those
# of a whole level are.
DRAWN, COLLIDERS, LEVEL = "drawn", "colliders", "level"


class FoldKind(Enum):
    """Reasons for folding pairs. The values are used in reports."""

    WITHIN = "within"  # parts of one asset
    SURROUNDINGS = "surroundings"  # a body inside a sky, or another surface around the whole scene
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
        The asset, the surroundings, or the first copy. Empty for other kinds.
    """

    kind: FoldKind
    name: str = ""


class Member(Protocol):
    """The fields of `addon.model.report.Body` that folds need. The module of `Body` imports this one."""

    @property
    def name(self) -> str:
        """Name in reports."""

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
    two_sided : tuple of bool
        For each named test, whether it tests bodies of two sets against each other.
    """

    within: bool | None
    static: bool
    library: frozenset[str]
    surroundings: tuple[str, ...]
    two_sided: tuple[bool, ...]


def asset_of_pair(a: Member, b: Member) -> str:
    """Return the common asset of two bodies, or the asset of a joint between them. Empty if there is none."""
    if a.whole and a.whole == b.whole:
        return ""
    if a.asset and a.asset == b.asset:
        return a.asset
    return min(asset_or_name(a), asset_or_name(b)) if a.joints & b.joints else ""


def outer_of_pair(a: Member, b: Member, surroundings: Sequence[str]) -> str:
    """Return the first of the surroundings that is one of two bodies. Empty if there is none."""
    return next((name for name in surroundings if name in (a.name, b.name)), "")


def of_level(a: Member, b: Member) -> bool:
    """Return whether one of two bodies is a collider of no mesh, and the other one, too, or is drawn and unmoved."""
    return any(
        one.source == LEVEL and (other.source == LEVEL or (other.source == DRAWN and other.motion in ("", STATIC)))
        for one, other in ((a, b), (b, a))
    )


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
    found, copy_of, alone = dict[int, Fold](), copies_of(*columns[:3]), bool(one_asset(bodies))
    pairs = zip(*(columns[place].tolist() for place in (0, 1, 3)), strict=True)
    told = {(frozenset(pair), test) for *pair, test in pairs} if copy_of else set()
    has_drawn = any(body.source != LEVEL for body in bodies)
    next_copy = {first: other for other, first in sorted(copy_of.items(), reverse=True)}
    special = np.array(
        [
            one in copy_of
            or bool(body.asset or body.joints or body.motion or body.name in asked.library)
            or body.name in asked.surroundings
            or body.source == LEVEL
            for one, body in enumerate(bodies)
        ],
        bool,
    )
    rows = np.flatnonzero(special[columns[0]] | special[columns[1]])
    for row, first, second, verdict, test in zip(rows.tolist(), *(one[rows].tolist() for one in columns), strict=True):
        a, b = bodies[first], bodies[second]
        # Bodies linked by a joint are not expected to collide, even if there is nothing else.
        counts = asked.within or (asked.within is None and alone and not a.joints & b.joints)
        between = test >= 0 and asked.two_sided[test]
        asset = "" if counts or between else asset_of_pair(a, b)
        inside = verdict == Verdict.CONTAINED and not between
        # The pair of the first copies says the same. For copies of one body, the first two are listed.
        same = frozenset((copy_of.get(first, first), copy_of.get(second, second)))
        if len(same) == 1 and verdict == Verdict.DUPLICATE:
            same |= {next_copy[next(iter(same))]}
        if asset:
            found[row] = Fold(FoldKind.WITHIN, asset)
        elif inside and (outer := outer_of_pair(a, b, asked.surroundings)):
            found[row] = Fold(FoldKind.SURROUNDINGS, outer)
        elif has_drawn and not (asked.static or between) and of_level(a, b):
            found[row] = Fold(FoldKind.LEVEL)
        elif not asked.static and a.motion == b.motion == STATIC:
            found[row] = Fold(FoldKind.STATIC)
        elif asset_or_name(a) != asset_or_name(b) and {asset_or_name(a), asset_or_name(b)} <= asked.library:
            found[row] = Fold(FoldKind.LIBRARY)
        elif same != {first, second} and (same, test) in told:
            found[row] = Fold(FoldKind.COPIES, bodies[copy_of.get(first, copy_of.get(second, second))].name)
    return found


def copies_of(body_a: "Ints", body_b: "Ints", verdict: "Ints") -> dict[int, int]:
    """Return the bodies that are copies of another in the same place, each with the first copy."""
    duplicates = np.flatnonzero(verdict == Verdict.DUPLICATE)
    ends = sorted(map(sorted, zip(body_a[duplicates].tolist(), body_b[duplicates].tolist(), strict=True)))
    first: dict[int, int] = {}
    for one, other in ends:
        first.setdefault(other, first.get(one, one))
    return first


def copies_told(columns: "Sequence[Ints]", folded: Mapping[int, Fold]) -> dict[int, int]:
    """Return the rows of duplicates that stand for more than two copies, and their numbers. Arguments as above."""
    copy_of = copies_of(*columns[:3])
    copies = Counter(copy_of.values())
    found = {}
    for row in np.flatnonzero(columns[2] == Verdict.DUPLICATE).tolist():
        count = copies[min(int(columns[0][row]), int(columns[1][row]))] + 1
        if row not in folded and count > 2:
            found[row] = count
    return found
