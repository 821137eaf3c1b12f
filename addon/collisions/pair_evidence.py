# SPDX-License-Identifier: GPL-3.0-or-later
"""The evidence that a check collects about pairs of shapes, and the results for pairs of bodies."""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace

import numpy as np

from ...core import Contacts, Distances, World
from ...core.constants import Verdict
from ...core.numerics.types import Bools, Floats, Ints
from ...core.planar.world import PlacedWorld
from ...core.query.queries import proved_apart
from ...core.results import contacts_per_margin
from ..model.report import PairResults
from ..model.steps import exhausted
from .pairing import touching_levels

# The number of pairs of shapes, and then of bodies, that are processed in one step.
_TOGETHER = 512


@dataclass(frozen=True)
class Evidence:
    """The evidence about all pairs of shapes that are not separated, one row for each.

    The evidence about a pair does not depend on other pairs, so it can be kept while neither of the two shapes changes.
    """

    pairs: Ints
    measured: Distances
    verdict: Ints
    contacts: Contacts
    touching: Floats
    rounding: Floats  # distances up to this come from the rounding of coordinates
    held: Bools  # one of the two shapes contains all of the other
    interference: Floats  # the greatest depth of a point of one inside the other
    duplicate: Bools  # they are the same geometry in the same place; in a plane always False

    @classmethod
    def of(
        cls,
        world: World | PlacedWorld,
        pairs: Ints,
        touching: Floats,
        clearance: float,
        bounds: tuple[Floats, Floats] | None = None,
    ) -> "Evidence":
        """Test pairs of rows of a world, each with its tolerance; `bounds` (N, 3): those of its rows, if known."""
        return exhausted(cls.finding(world, pairs, touching, clearance, bounds))

    @classmethod
    def finding(
        cls,
        world: World | PlacedWorld,
        pairs: Ints,
        touching: Floats,
        clearance: float,
        bounds: tuple[Floats, Floats] | None = None,
    ) -> Generator[None, None, "Evidence"]:
        """`of`, in steps of one query each."""
        if isinstance(world, World):
            # Pairs that are certainly farther apart than the clearance are not measured.
            near = np.flatnonzero(~proved_apart(world, world, pairs, np.maximum(touching, clearance)))
            pairs, touching = pairs[near], touching[near]
        measured = world.distance(pairs)
        verdict = measured.verdict(touching, clearance)
        near = np.flatnonzero(verdict != Verdict.SEPARATED)
        pairs, touching, measured, verdict = pairs[near], touching[near], measured.take(near), verdict[near]
        # A part that fits into a gap may have a large penetration depth and still only touch: its interference decides.
        deep = np.flatnonzero(verdict == Verdict.PENETRATING)
        interference = np.maximum(-measured.distance, 0.0)
        for first_row in range(0, len(deep), _TOGETHER):
            some = deep[first_row : first_row + _TOGETHER]
            known, level = measured.take(some), touching[some]
            interference[some] = (
                world.interference(pairs[some], known=known, touching=level)
                if isinstance(world, World)
                else world.interference(pairs[some], known=known)
            )
            yield
        verdict = measured.verdict(touching, clearance, interference=interference)
        held = np.zeros(len(pairs), dtype=bool)
        lower, upper = world.bounds() if bounds is None else bounds
        yield
        for first, second in (pairs.T, pairs.T[::-1]):
            rows = np.flatnonzero(verdict == Verdict.PENETRATING)
            if isinstance(world, World):
                # If one contains the other, so do its bounds, within the tolerance. In a plane, heights do not count.
                slack = touching[rows, None] + measured.rounding[rows, None]
                within = (lower[first[rows]] <= lower[second[rows]] + slack) & (
                    upper[second[rows]] <= upper[first[rows]] + slack
                )
                rows = rows[within.all(axis=1)]
            if len(rows):
                held[rows] |= world.contains(np.stack([first[rows], second[rows]], axis=1))
                yield
        rows = pairs.ravel()
        rounding = touching_levels(lower[rows], upper[rows], None).reshape(-1, 2).max(axis=1)
        same = _duplicates(world, pairs, touching, (lower, upper))
        yield
        contacts = _contacts(world, pairs, measured, touching)
        # The distances of meshes keep what the queries above share.
        measured = Distances(**vars(measured))
        return cls(pairs, measured, verdict, contacts, touching, rounding, held, interference, same)

    def take(self, rows: Ints) -> "Evidence":
        """The evidence of some rows, in ascending order."""
        place = np.full(len(self.pairs), -1)
        place[rows] = np.arange(len(rows))
        pair = place[self.contacts.pair]
        kept = np.flatnonzero(pair >= 0)
        return Evidence(
            self.pairs[rows],
            self.measured.take(rows),
            self.verdict[rows],
            replace(self.contacts.take(kept), pair=pair[kept]),
            self.touching[rows],
            self.rounding[rows],
            self.held[rows],
            self.interference[rows],
            self.duplicate[rows],
        )

    @classmethod
    def joined(cls, parts: Sequence["Evidence"]) -> "Evidence":
        """The rows of all parts; there is at least one part."""
        if len(parts) == 1:
            return parts[0]
        first = np.cumsum([0, *(len(part) for part in parts[:-1])]).tolist()
        contacts = [replace(part.contacts, pair=part.contacts.pair + at) for part, at in zip(parts, first, strict=True)]
        measured = zip(*(vars(part.measured).values() for part in parts), strict=True)
        return cls(
            np.concatenate([part.pairs for part in parts]),
            Distances(*(np.concatenate(values) for values in measured)),
            np.concatenate([part.verdict for part in parts]),
            Contacts.joined(contacts),
            np.concatenate([part.touching for part in parts]),
            np.concatenate([part.rounding for part in parts]),
            np.concatenate([part.held for part in parts]),
            np.concatenate([part.interference for part in parts]),
            np.concatenate([part.duplicate for part in parts]),
        )

    def __len__(self) -> int:
        return len(self.pairs)


def _contacts(world: World | PlacedWorld, pairs: Ints, measured: Distances, touching: Floats) -> Contacts:
    """The contacts of pairs within their tolerances; some may be up to twice as far apart."""
    return contacts_per_margin(
        lambda rows, margin: world.contacts(pairs[rows], margin=margin, known=measured.take(rows)), touching
    )


def _duplicates(world: World | PlacedWorld, pairs: Ints, touching: Floats, bounds: tuple[Floats, Floats]) -> Bools:
    """Which pairs are duplicates within their tolerances.

    In a plane none are: what stands above each other often has the same outline.
    """
    result = np.zeros(len(pairs), dtype=bool)
    if isinstance(world, World) and len(pairs):
        lower, upper = bounds
        first, second = pairs.T
        # The tolerance is one of distances, and rounding at these coordinates is below a part in 10^12 of them.
        slack = touching + 1e-12 * np.abs(np.stack([lower[first], upper[first]])).max(axis=(0, 2))
        off = np.maximum(np.abs(lower[first] - lower[second]), np.abs(upper[first] - upper[second])).max(axis=1)
        near = np.flatnonzero(off <= slack)
        result[near] = world.duplicates(pairs[near], tolerance=touching[near])
    return result


def judged(world: World | PlacedWorld, evidence: Evidence, body: Ints) -> PairResults:
    """The results for all pairs of bodies with evidence; `body` (N,) is the body of each shape."""
    return exhausted(judging(world, evidence, body))


def judging(
    world: World | PlacedWorld, evidence: Evidence, body: Ints, test: int = -1
) -> Generator[None, None, PairResults]:
    """`judged`, in steps; `test` is the number of the named test that has found the pairs."""
    pairs = evidence.pairs
    if not len(pairs):
        return PairResults.of(())
    # Rows grouped by pair of bodies, those with the worst verdict first, then the deepest first.
    of_bodies = body[pairs]
    deep = -evidence.interference
    keys = *pairs.T[::-1], evidence.measured.distance, deep, -evidence.verdict, *of_bodies.T[::-1]
    order = np.lexsort(keys)
    starts = np.flatnonzero(np.any(np.diff(of_bodies[order], axis=0, prepend=-1) != 0, axis=1))
    groups = np.stack([order[starts], starts, np.append(starts[1:], len(order))])
    held, duplicate = (np.logical_or.reduceat(some[order], starts) for some in (evidence.held, evidence.duplicate))
    # About in the order in which they are listed: what is side by side in memory is read fast.
    worst = groups[0]
    distance = evidence.measured.distance[worst]
    listed = np.lexsort((distance, np.where(distance < 0.0, deep[worst], distance), -evidence.verdict[worst]))
    (worst, starts, ends), held, duplicate = groups[:, listed], held[listed], duplicate[listed]
    verdict, shapes_of = evidence.verdict[worst], np.bincount(body)
    for row in np.flatnonzero(held & (verdict == Verdict.PENETRATING)).tolist():
        # A body with one shape is contained if that shape is; with several, only if all of them are.
        both = of_bodies[worst[row]]
        if (shapes_of[both] == 1).all() or _one_inside_the_other(world, body, *both.tolist()):
            verdict[row] = Verdict.CONTAINED
        yield
    for row in np.flatnonzero(duplicate).tolist():
        mine = order[starts[row] : ends[row]]
        same = pairs[mine[evidence.duplicate[mine]]]
        # Bodies are duplicates if each shape of one has a duplicate in the other.
        if all(len(np.unique(side)) == shapes_of[one] for side, one in zip(same.T, of_bodies[worst[row]], strict=True)):
            verdict[row] = Verdict.DUPLICATE
    return _results(evidence, body, worst, verdict, test)


def _results(evidence: Evidence, body: Ints, worst: Ints, verdict: Ints, test: int) -> PairResults:
    """The results of pairs of bodies, each that of their deepest or nearest shapes: these rows of the evidence."""
    measured, contacts = evidence.measured, evidence.contacts
    shown = np.flatnonzero(contacts.depth >= -evidence.touching[contacts.pair])
    first, end = np.searchsorted(contacts.pair[shown], [worst, worst + 1])
    count = end - first
    mine = shown[np.arange(count.sum()) + np.repeat(end - np.cumsum(count), count)]
    (shape_a, shape_b), (body_a, body_b) = evidence.pairs[worst].T, body[evidence.pairs[worst]].T
    return PairResults(
        body_a=body_a,
        body_b=body_b,
        verdict=verdict,
        distance=measured.distance[worst],
        normal=measured.normal[worst],
        point_a=measured.point_a[worst],
        point_b=measured.point_b[worst],
        contacts=count,
        contact_points=contacts.point[mine],
        contact_depths=contacts.depth[mine],
        contact_normals=contacts.normal[mine],
        shape_a=shape_a,
        shape_b=shape_b,
        interference=evidence.interference[worst],
        touching=evidence.touching[worst],
        rounding=evidence.rounding[worst],
        faces=np.fromiter([()] * len(worst), object, len(worst)),
        test=np.full(len(worst), test),
    )


def _one_inside_the_other(world: World | PlacedWorld, body: Ints, body_a: int, body_b: int) -> bool:
    """Whether each shape of one body is contained in a shape of the other."""
    a, b = np.flatnonzero(body == body_a), np.flatnonzero(body == body_b)
    pairs = np.stack(np.meshgrid(a, b, indexing="ij"), axis=-1)
    in_b = world.contains(pairs[..., ::-1].reshape(-1, 2)).reshape(len(a), len(b))
    in_a = world.contains(pairs.reshape(-1, 2)).reshape(len(a), len(b))
    return bool(in_b.any(axis=1).all() or in_a.any(axis=0).all())
