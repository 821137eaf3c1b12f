# SPDX-License-Identifier: GPL-3.0-or-later
"""The evidence that a check collects about pairs of shapes, and the results for pairs of bodies.

Verdicts and interferences of all pairs come first. The separating translation and the contacts of a pair with a mesh
take much longer, and are needed for few pairs: `measuring` adds them to chosen results.
"""

from collections.abc import Generator, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from ...core import Contacts, Distances, World
from ...core.constants import Verdict
from ...core.numerics.rows import ragged_arange
from ...core.numerics.types import Bools, Floats, Ints
from ...core.planar.world import PlacedWorld
from ...core.query.queries import proved_apart
from ...core.results import Depths, contacts_per_margin, per_margin
from ...core.shapes import UNBOUNDED, Hulls, Kind
from ..model.report import Body, PairResults, Shape
from ..model.steps import exhausted, telling
from ..scene.meshes.facing import facing
from .blocks import BLOCK, Blocks, Bounds
from .pairing import touching_levels

# Number of touching pairs in a step whose faces are compared, some tenths of a millisecond each.
_COPLANAR = 500


@dataclass(frozen=True)
class PairEvidence:
    """Evidence about all pairs of shapes that are not separated, one row for each.

    The evidence about a pair does not depend on other pairs, so it can be kept while neither of the two shapes changes.
    """

    pairs: Ints
    measured: Distances  # of pairs that are not complete, as in `PairResult`
    verdict: Ints
    touching: Floats
    rounding: Floats  # distances up to this are rounding errors of coordinates
    held: Bools  # one shape contains the other
    interference: Floats  # greatest depth of a point of one inside the other; infinite: a duplicate, not measured
    duplicate: Bools  # the same geometry in the same place; always False in a plane
    complete: Bools  # as in `PairResult`
    at_least: Bools  # as in `PairResult`
    contacts: Contacts  # of pairs without a mesh or duplicate; some may be up to twice as far apart as tolerances

    @classmethod
    def of(
        cls, world: World | PlacedWorld, pairs: Ints, touching: Floats, clearance: float, bounds: Bounds | None = None
    ) -> "PairEvidence":
        """Test pairs of rows of a world, each with its tolerance. `bounds` (N, 3): those of its rows, if known."""
        return exhausted(cls.finding(world, pairs, touching, clearance, bounds))

    @classmethod
    def finding(
        cls,
        world: World | PlacedWorld,
        pairs: Ints,
        touching: Floats,
        clearance: float,
        bounds: Bounds | None = None,
        verdict_only: Bools | None = None,
    ) -> Generator[None, None, "PairEvidence"]:
        """Run `of` in steps of one query each.

        `verdict_only` (P,) are pairs of which only the verdict is needed. If they have a mesh and penetrate, they are
        only known to be deeper than their tolerances.
        """
        if bounds is None:
            bounds = world.bounds()
        brief = np.zeros(len(pairs), bool) if verdict_only is None else verdict_only
        if isinstance(world, World):
            # Pairs that are certainly farther apart than the clearance are not measured. `classify` finds the others.
            apart, rows = np.zeros(len(pairs), dtype=bool), np.flatnonzero(~with_mesh(world, pairs))
            apart[rows] = proved_apart(world, world, pairs[rows], np.maximum(touching, clearance)[rows])
            pairs, touching, brief = pairs[~apart], touching[~apart], brief[~apart]
        duplicate = _duplicates(world, pairs, touching, bounds)
        yield
        concave = with_mesh(world, pairs)
        decided = concave & ~duplicate
        verdict = np.where(duplicate, int(Verdict.PENETRATING), int(Verdict.SEPARATED))
        inner = Depths(*np.zeros((2, len(pairs))))
        if isinstance(world, World) and decided.any():
            for rows, measures in ((np.flatnonzero(decided & ~brief), True), (np.flatnonzero(decided & brief), False)):
                if not len(rows):
                    continue
                verdict[rows], found = yield from world.classify_steps(
                    pairs[rows], touching=touching[rows], clearance=clearance, depths=measures
                )
                inner.put(rows, found if measures else Depths(found.depth, np.full(len(rows), np.inf)))
                yield
            near = np.flatnonzero(~decided | (verdict != Verdict.SEPARATED))
            pairs, touching, verdict, inner = pairs[near], touching[near], verdict[near], inner.take(near)
            duplicate, concave, decided = duplicate[near], concave[near], decided[near]
        contained = decided & (verdict == Verdict.CONTAINED)
        verdict[contained] = Verdict.PENETRATING
        crossing = concave & (verdict >= Verdict.TOUCHING)
        # Those that penetrate are known to be above the tolerance.
        deep = decided & (verdict == Verdict.PENETRATING)
        inner = Depths(np.where(deep, np.maximum(inner.depth, touching), 0.0), np.where(deep, inner.bound, 0.0))
        measured, depths = yield from _measured(world, pairs, touching, bounds, crossing, inner, duplicate)
        interference, at_least = depths.depth, depths.at_least
        # A part that fits into a gap may have a large penetration depth although it only touches. So its interference
        # decides.
        by_distance = measured.verdict(touching, clearance, interference=interference)
        verdict = np.where(decided, verdict, by_distance)
        near = np.flatnonzero(verdict != Verdict.SEPARATED)
        pairs, touching, measured, verdict = pairs[near], touching[near], measured.take(near), verdict[near]
        duplicate, concave, contained, at_least = duplicate[near], concave[near], contained[near], at_least[near]
        interference = np.where(duplicate & concave, np.inf, interference[near])
        held = duplicate | contained
        lower, upper = bounds
        for first, second in (pairs.T, pairs.T[::-1]):
            rows = np.flatnonzero((verdict == Verdict.PENETRATING) & ~duplicate & ~concave)
            if isinstance(world, World):
                # If one contains the other, so do its bounds, within the tolerance. In a plane, heights are ignored.
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
        complete = ~concave | duplicate | (verdict == Verdict.WITHIN_CLEARANCE)
        rows = np.flatnonzero(~concave & ~duplicate)
        contacts = _contacts(world, pairs[rows], measured.take(rows), touching[rows])
        contacts = replace(contacts, pair=rows[contacts.pair])
        return cls(
            pairs, measured, verdict, touching, rounding, held, interference, duplicate, complete, at_least, contacts
        )

    def take(self, rows: Ints) -> "PairEvidence":
        """Return the evidence of some rows."""
        columns: dict[str, Any] = {one.name: getattr(self, one.name) for one in fields(self)}
        measured, contacts = columns.pop("measured").take(rows), columns.pop("contacts")
        place = np.full(len(self.pairs), -1)
        place[rows] = np.arange(len(rows))
        pair = place[contacts.pair]
        kept = np.flatnonzero(pair >= 0)
        contacts = replace(contacts.take(kept), pair=pair[kept])
        taken = {name: values[rows] for name, values in columns.items()}
        return PairEvidence(measured=measured, contacts=contacts, **taken)

    def told_of(self, rows: Ints, pairs: Ints) -> "PairEvidence":
        """Return the evidence of these rows, which may repeat, for pairs (R, 2) of equal shapes."""
        others = {"measured", "contacts", "pairs"}
        columns: dict[str, Any] = {
            one.name: getattr(self, one.name)[rows] for one in fields(self) if one.name not in others
        }
        order = np.argsort(self.contacts.pair, kind="stable")
        first, end = (np.searchsorted(self.contacts.pair[order], at) for at in (rows, rows + 1))
        row, place = ragged_arange(end - first, first)
        contacts = replace(self.contacts.take(order[place]), pair=row)
        return PairEvidence(pairs=pairs, measured=self.measured.take(rows), contacts=contacts, **columns)

    @classmethod
    def joined(cls, parts: Sequence["PairEvidence"]) -> "PairEvidence":
        """Return the rows of all parts. There is at least one part."""
        if len(parts) == 1:
            return parts[0]
        columns: dict[str, Any] = {one.name: [getattr(part, one.name) for part in parts] for one in fields(cls)}
        measured = Distances.joined(columns.pop("measured"))
        first = np.cumsum([0, *(len(part) for part in parts[:-1])]).tolist()
        contacts = [replace(part, pair=part.pair + at) for part, at in zip(columns.pop("contacts"), first, strict=True)]
        joined = {name: np.concatenate(some) for name, some in columns.items()}
        return cls(measured=measured, contacts=Contacts.joined(contacts), **joined)

    def __len__(self) -> int:
        return len(self.pairs)


def with_mesh(world: World | PlacedWorld, pairs: Ints) -> Bools:
    """Return which pairs (P, 2) have a concave mesh and no half-space.

    Convex meshes are hulls in the worlds of a check.
    """
    if isinstance(world, PlacedWorld):
        return np.zeros(len(pairs), dtype=bool)
    kind = world.kind[pairs]
    result: Bools = (kind == Kind.MESH).any(axis=1) & ~np.isin(kind, UNBOUNDED).any(axis=1)
    return result


def _measured(
    world: World | PlacedWorld,
    pairs: Ints,
    touching: Floats,
    bounds: Bounds,
    crossing: Bools,
    inner: Depths,
    duplicate: Bools,
) -> Generator[None, None, tuple[Distances, Depths]]:
    """Return distance and interference of pairs. Those of pairs that are `crossing` (P,) are known, `inner`."""
    interference, bound = inner.depth.copy(), inner.bound
    measured = Distances.empty(len(pairs))
    rows = np.flatnonzero(~crossing)
    if len(rows):
        measured.put(rows, world.distance(pairs[rows]))
        depth = -measured.distance[rows]
        interference[rows] = np.where(depth > measured.rounding[rows], depth, 0.0)
        yield
    rows = rows[measured.distance[rows] < -np.maximum(touching[rows], measured.rounding[rows])]
    if len(rows):
        known = measured.take(rows)
        interference[rows] = (
            world.interference(pairs[rows], known=known, touching=touching[rows])
            if isinstance(world, World)
            else world.interference(pairs[rows], known=known)
        )
        yield
    rows = np.flatnonzero(crossing)
    if len(rows):
        # Duplicates are never measured. Moving the bounds past each other separates them as well.
        move = _past_each_other(pairs[rows], bounds)
        same = duplicate[rows]
        middle = (bounds[0][pairs[rows]].max(axis=1) + bounds[1][pairs[rows]].min(axis=1)) / 2.0
        point_a = np.where(same[:, None], move.point_a, middle)
        length = np.where(same, move.distance, -interference[rows])
        point_b = point_a + length[:, None] * move.normal
        measured.put(rows, Distances(length, point_a, point_b, move.normal, move.rounding))
        interference[rows[same]] = -move.distance[same]
    return measured, Depths(interference, np.maximum(interference, bound))


def _past_each_other(pairs: Ints, bounds: Bounds) -> Distances:
    """Return the shortest axis-aligned translation that separates the bounds, which separates any pair."""
    (low_a, low_b), (high_a, high_b) = (side[pairs].transpose(1, 0, 2) for side in bounds)
    ways = np.concatenate([high_a - low_b, high_b - low_a], axis=1)
    best = ways.argmin(axis=1)
    every = np.arange(len(pairs))
    length, normal = ways[every, best], np.zeros((len(pairs), 3))
    normal[every, best % 3] = np.where(best < 3, 1.0, -1.0)
    point_a = (np.maximum(low_a, low_b) + np.minimum(high_a, high_b)) / 2.0
    point_a[every, best % 3] = np.where(best < 3, high_a[every, best % 3], low_a[every, best % 3])
    return Distances(-length, point_a, point_a - length[:, None] * normal, normal, np.zeros(len(pairs)))


@dataclass(frozen=True)
class DrawnFaces:
    """Tested shapes, and their faces that are drawn.

    Attributes
    ----------
    shapes : sequence of N Shape
    bodies : sequence of Body
    """

    shapes: Sequence[Shape]
    bodies: Sequence[Body]

    def coplanar(self, world: World, pairs: Ints, tolerance: Floats) -> Ints:
        """Return the rows of pairs (P, 2) with visible coplanar faces that face the same way."""
        shown = {row: self._is_shown(row) for row in np.unique(pairs).tolist()}
        rows = np.array([place for place, (a, b) in enumerate(pairs.tolist()) if shown[a] and shown[b]], np.int64)
        found = world.coplanar_faces(pairs[rows], tolerance=tolerance[rows])
        ends, kept = pairs[rows[found.pair]], np.ones(len(found), dtype=bool)
        # A flat mesh is tested as a hull with two sides. One of them is drawn as its front.
        for row in np.unique(ends[_is_flat(world, ends)]).tolist():
            mine, way = (
                (ends == row).any(axis=1),
                facing(self.bodies[self.shapes[row].body].key, self.shapes[row].object),
            )
            kept[mine] &= way is not None and found.normal[mine] @ way >= 0.0
        return rows[np.unique(found.pair[kept])]

    def _is_shown(self, row: int) -> bool:
        """Return whether the faces of a shape are drawn: a mesh that is tested unchanged."""
        return str(self.shapes[row].reason) in {"mesh", "convex mesh"}


def _is_flat(world: World, rows: Ints) -> Bools:
    """Return whether rows of a world are hulls without volume, in the shape of `rows`."""
    result = np.zeros(rows.shape, dtype=bool)
    for number, batch in enumerate(world.batches):
        if isinstance(batch, Hulls):
            flat = np.array([hull.dimension < 3 for hull in batch.geometry], dtype=bool)
            mine = world.batch[rows] == number
            result[mine] = flat[batch.index[world.slot[rows[mine]]]]
    return result


def _duplicates(world: World | PlacedWorld, pairs: Ints, touching: Floats, bounds: Bounds) -> Bools:
    """Return which pairs are duplicates within their tolerances.

    In a plane, no pairs are: objects above each other often have the same outline.
    """
    result = np.zeros(len(pairs), dtype=bool)
    if isinstance(world, World) and len(pairs):
        lower, upper = bounds
        first, second = pairs.T
        # The tolerance is a distance. Rounding at these coordinates is below a part in 10^12 of them.
        slack = touching + 1e-12 * np.abs(np.stack([lower[first], upper[first]])).max(axis=(0, 2))
        off = np.maximum(np.abs(lower[first] - lower[second]), np.abs(upper[first] - upper[second])).max(axis=1)
        near = np.flatnonzero(off <= slack)
        result[near] = world.duplicates(pairs[near], tolerance=touching[near])
    return result


def judged(
    world: World | PlacedWorld, evidence: PairEvidence, body: Ints, drawn: DrawnFaces | None = None
) -> PairResults:
    """Return the results for all pairs of bodies with evidence.

    Parameters
    ----------
    world : World or PlacedWorld
    evidence : PairEvidence
    body : (N,) int64
        Body of each shape.
    drawn : DrawnFaces, optional
        Visible faces. None: no pair is coplanar.
    """
    return exhausted(judging(world, evidence, body, drawn))


def judging(
    world: World | PlacedWorld, evidence: PairEvidence, body: Ints, drawn: DrawnFaces | None = None, test: int = -1
) -> Generator[None, None, PairResults]:
    """Run `judged` in steps. `test` is the number of the named test that found the pairs."""
    pairs = evidence.pairs
    if not len(pairs):
        return PairResults.of(())
    # Rows grouped by pair of bodies: worst verdict first, then deepest first.
    of_bodies = body[pairs]
    deep = -evidence.interference
    keys = *pairs.T[::-1], evidence.measured.distance, deep, -evidence.verdict, *of_bodies.T[::-1]
    order = np.lexsort(keys)
    starts = np.flatnonzero(np.any(np.diff(of_bodies[order], axis=0, prepend=-1) != 0, axis=1))
    groups = np.stack([order[starts], starts, np.append(starts[1:], len(order))])
    held, duplicate = (np.logical_or.reduceat(some[order], starts) for some in (evidence.held, evidence.duplicate))
    # Approximately in listing order, because adjacent memory is read fast.
    worst = groups[0]
    distance = evidence.measured.distance[worst]
    listed = np.lexsort((distance, np.where(distance < 0.0, deep[worst], distance), -evidence.verdict[worst]))
    (worst, starts, ends), held, duplicate = groups[:, listed], held[listed], duplicate[listed]
    verdict, shapes_of = evidence.verdict[worst], np.bincount(body)
    simple = (shapes_of[of_bodies[worst]] == 1).all(axis=1)
    # A body with one shape is contained if that shape is. A body with several shapes is contained if all of them are.
    inside = held & (verdict == Verdict.PENETRATING)
    verdict[inside & simple] = Verdict.CONTAINED
    for row in np.flatnonzero(inside & ~simple).tolist():
        if _one_inside_the_other(world, body, *of_bodies[worst[row]].tolist()):
            verdict[row] = Verdict.CONTAINED
        yield
    verdict[duplicate & simple] = Verdict.DUPLICATE
    for row in np.flatnonzero(duplicate & ~simple).tolist():
        mine = order[starts[row] : ends[row]]
        same = pairs[mine[evidence.duplicate[mine]]]
        # Bodies are duplicates if each shape of one has a duplicate in the other.
        if all(len(np.unique(side)) == shapes_of[one] for side, one in zip(same.T, of_bodies[worst[row]], strict=True)):
            verdict[row] = Verdict.DUPLICATE
    rows = np.flatnonzero(verdict == Verdict.TOUCHING)
    if drawn is not None and isinstance(world, World):
        for start in range(0, len(rows), _COPLANAR):
            some = rows[start : start + _COPLANAR]
            asked = worst[some]
            verdict[some[drawn.coplanar(world, pairs[asked], evidence.touching[asked])]] = Verdict.COPLANAR
            yield
    found = _results(evidence.take(worst), body, verdict, test)
    # The depth of duplicates is needed if the bodies have more shapes than these two.
    rows = np.flatnonzero(np.isinf(found.interference))
    found.interference[rows] = np.nan
    rows = rows[verdict[rows] != Verdict.DUPLICATE]
    if len(rows) and isinstance(world, World):
        asked = np.stack([found.shape_a, found.shape_b], axis=1)[rows]
        found.interference[rows] = world.interference(asked, touching=found.touching[rows])
        yield
    return found


def _results(evidence: PairEvidence, body: Ints, verdict: Ints, test: int) -> PairResults:
    """Return the results of pairs of bodies. Their evidence is that of the deepest or nearest shapes."""
    measured, count = evidence.measured, len(evidence)
    (shape_a, shape_b), (body_a, body_b) = evidence.pairs.T, body[evidence.pairs].T
    found = PairResults(
        body_a=body_a,
        body_b=body_b,
        verdict=verdict,
        distance=measured.distance,
        normal=measured.normal,
        point_a=measured.point_a,
        point_b=measured.point_b,
        contacts=np.zeros(count, dtype=np.int64),
        contact_points=np.empty((0, 3)),
        contact_depths=np.empty(0),
        contact_normals=np.empty((0, 3)),
        shape_a=shape_a,
        shape_b=shape_b,
        interference=evidence.interference,
        touching=evidence.touching,
        rounding=evidence.rounding,
        faces=np.fromiter([()] * count, object, count),
        test=np.full(count, test),
        complete=evidence.complete,
        at_least=evidence.at_least,
    )
    return _with_contacts(found, evidence.contacts)


def measured(world: World | PlacedWorld, found: PairResults, rows: Ints) -> PairResults:
    """Return the results with some rows complete. The rows need not be sorted."""
    return exhausted(measuring(world, found, rows, np.inf))


def measuring(
    world: World | PlacedWorld, found: PairResults, rows: Ints, seconds: float = BLOCK
) -> Generator[int, None, PairResults]:
    """Run `measured` in steps of about this many seconds, or of one pair. Yields the number of finished rows."""
    rows = rows[~found.complete[rows]]
    pairs = np.stack([found.shape_a, found.shape_b], axis=1)[rows]
    parts, order, done = list[PairResults](), list[Ints](), 0
    given = Blocks(world, world.bounds(), pairs, seconds, evidence=True)
    for some in given:
        steps_of_block = _completing(world, found.take(rows[some]), pairs[some])
        parts.append((yield from telling(done, given.timed(steps_of_block))))
        order.append(some)
        done += len(some)
        yield done
    return found.with_rows(rows[np.concatenate(order)], PairResults.joined(parts)) if order else found


def _completing(world: World | PlacedWorld, part: PairResults, pairs: Ints) -> Generator[None, None, PairResults]:
    """Return the results with accurate depths, then with their separating translations, then with their contacts."""
    rows = np.flatnonzero(part.at_least)
    if len(rows) and isinstance(world, World):
        depths = yield from world.depth_steps(pairs[rows], touching=part.touching[rows])
        interference, at_least = part.interference.copy(), part.at_least.copy()
        interference[rows] = np.maximum(depths.depth, interference[rows])
        at_least[rows] = depths.bound > interference[rows]
        part = replace(part, interference=interference, at_least=at_least)
        yield
    if isinstance(world, World):
        distances = yield from world.distance_steps(pairs)
    else:
        distances = world.distance(pairs)
    part = _with_distances(world, part, pairs, distances)
    yield
    if not isinstance(world, World):
        return _with_contacts(part, _contacts(world, pairs, distances, part.touching))
    found = []
    for rows, margin in per_margin(part.touching):
        some = yield from world.contact_steps(pairs[rows], margin, known=distances.take(rows))
        found.append(replace(some, pair=rows[some.pair]))
        yield
    return _with_contacts(part, Contacts.joined(found))


def _with_distances(world: World | PlacedWorld, part: PairResults, pairs: Ints, distances: Distances) -> PairResults:
    """Return the results with their separating translations."""
    # The translation of touching pairs has not been needed so far.
    interference = np.where(part.verdict == Verdict.TOUCHING, np.maximum(-distances.distance, 0.0), part.interference)
    held = (part.verdict == Verdict.TOUCHING) & (interference > np.maximum(part.touching, distances.rounding))
    if held.any() and isinstance(world, World):
        level = part.touching[held]
        inner = world.interference(pairs[held], known=distances.take(np.flatnonzero(held)), touching=level)
        interference[held] = np.minimum(inner, level)
    return replace(
        part,
        interference=interference,
        distance=distances.distance,
        normal=distances.normal,
        point_a=distances.point_a,
        point_b=distances.point_b,
        complete=np.ones(len(part), dtype=bool),
    )


def _contacts(world: World | PlacedWorld, pairs: Ints, measured: Distances, touching: Floats) -> Contacts:
    """Return the contacts of pairs within their tolerances. Some may be up to twice as far apart."""
    return contacts_per_margin(
        lambda rows, margin: world.contacts(pairs[rows], margin=margin, known=measured.take(rows)), touching
    )


def _with_contacts(found: PairResults, contacts: Contacts) -> PairResults:
    """Return the results with these contacts, as far as they are within the tolerances."""
    shown = np.flatnonzero(contacts.depth >= -found.touching[contacts.pair])
    shown = shown[np.argsort(contacts.pair[shown], kind="stable")]
    return replace(
        found,
        contacts=np.bincount(contacts.pair[shown], minlength=len(found)),
        contact_points=contacts.point[shown],
        contact_depths=contacts.depth[shown],
        contact_normals=contacts.normal[shown],
    )


def _one_inside_the_other(world: World | PlacedWorld, body: Ints, body_a: int, body_b: int) -> bool:
    """Return whether each shape of one body is contained in a shape of the other."""
    a, b = np.flatnonzero(body == body_a), np.flatnonzero(body == body_b)
    pairs = np.stack(np.meshgrid(a, b, indexing="ij"), axis=-1)
    in_b = world.contains(pairs[..., ::-1].reshape(-1, 2)).reshape(len(a), len(b))
    in_a = world.contains(pairs.reshape(-1, 2)).reshape(len(a), len(b))
    return bool(in_b.any(axis=1).all() or in_a.any(axis=0).all())
