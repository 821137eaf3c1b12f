# SPDX-License-Identifier: GPL-3.0-or-later
"""Find objects that nothing supports.

Bodies that touch or penetrate are connected, and so are the parts of one asset. A body connected to the ground is held,
whether it stands, leans or hangs. A dynamic body has to be held from below. The ground is given by patterns. By
default, it is made of static bodies, half-spaces, and bodies with nothing below them that are connected to other bodies
or lie below some. A body that contains another one holds it, unless it contains ground as well, as a sky does.
"""

from collections import defaultdict
from collections.abc import Generator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import bpy
import numpy as np

from ...core.constants import Verdict
from ...core.numerics.rows import connected_components
from ...core.numerics.types import Bools, Floats, Ints
from ...core.numerics.validation import check_lengths
from ...core.shapes import Kind
from ...core.world.world import World
from ..collisions.blocks import BLOCK, blocks
from ..collisions.pairing import Pairing, touching_levels, uids_of
from ..culling.check import Progress
from ..model.floating import Floating, FloatingRequest
from ..model.floating_search import FloatingEvidence, FloatingSearch
from ..model.folds import STATIC, asset_or_name, one_asset
from ..model.report import Body, body_uids
from ..model.rules import matching
from ..model.steps import exhausted, telling
from ..scene.objects.labels import labels_of
from ..scene.objects.transforms import direction_of_gravity, movers_of
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import reading
from ..scene.reading.scene_shapes import SceneShapes
from ..scene.scope import scope_objects
from .obstacles import Scenery
from .solver import fall

_DYNAMIC = "dynamic"
# The nearest held body is named if it is within this many times the gap.
_NEAR = 100.0


class _Contacts(NamedTuple):
    """Pairs of bodies (P, 2) that touch, that penetrate, and in which the first contains the second."""

    touching: Ints
    penetrating: Ints
    contained: Ints


class _Fall(NamedTuple):
    """Distance that bodies can move down (infinite: without limit), and the body and its shape that they touch then.

    Both are -1 if there is none.
    """

    distance: float
    onto: int
    row: int


class _Nearest(NamedTuple):
    """Distance of the nearest held body (infinite: none is near), that body (-1: none), and both places (2, 3)."""

    distance: float
    body: int
    places: Floats


_NOWHERE = np.full((2, 3), np.nan)


@dataclass(frozen=True, eq=False)
class _Scene:
    """The scene that is searched for floating objects.

    Attributes
    ----------
    world : World
    pairing : Pairing
    level : (N,) float64
        Touching tolerance of each shape.
    node : (B,) int64
        Node of each body. All parts of an asset have the node of its first part.
    contacts : _Contacts
    ground, dynamic : (B,) bool
        Whether each node is ground, and whether it has to be held from below.
    down : (3,) float64
    gap : float
    """

    world: World
    pairing: Pairing
    level: Floats
    node: Ints
    contacts: _Contacts
    ground: Bools
    dynamic: Bools
    down: Floats
    gap: float

    def connected(self, some: Bools) -> Ints:
        """Return the group of each node (B,), named by its lowest node, from the contacts between some nodes (B,)."""
        pairs = self.node[np.concatenate([self.contacts.touching, self.contacts.penetrating])]
        pairs = pairs[some[pairs].all(axis=1)]
        return connected_components(len(self.node), *pairs.T)

    def scenery(self, group: Ints, *, alone: bool) -> Scenery:
        """Return the shapes with groups of nodes (B,) as units.

        `alone`: bodies that penetrate do not block each other.
        """
        through = self.contacts.contained
        if alone:
            through = np.concatenate([through, self.contacts.penetrating])
        level = np.maximum(self.level, self.gap)
        pairs = [(a, b) for a, b in through.tolist()]
        return Scenery(self.world, group[self.node][self.pairing.body], self.pairing, level, pairs)

    def fall(self, scenery: Scenery, unit: int) -> _Fall:
        """Return how far a unit can move down."""
        met = fall(scenery, unit, np.zeros((len(self.node), 3)), self.down)
        return _Fall(met.distance, int(self.pairing.body[met.row]) if met.row >= 0 else -1, met.row)

    def places_of_fall(self, scenery: Scenery, unit: int, met: _Fall) -> Floats:
        """Return the place (2, 3) of a unit that touches something after its fall, now, and the place that it touches.

        NaN if nothing is below.
        """
        if met.onto < 0:
            return _NOWHERE
        offsets = np.zeros((len(self.node), 3))
        offsets[unit] = met.distance * self.down
        mine = np.flatnonzero(scenery.unit == unit)
        found = scenery.measured(np.stack([mine, np.full(len(mine), met.row)], axis=1), offsets)
        nearest = int(np.argmin(found.distance))
        return np.stack([found.point_a[nearest] - offsets[unit], found.point_b[nearest]])

    def falls(self, group: Ints, names: Sequence[int]) -> Generator[Progress, None, dict[int, _Fall]]:
        """Return how far groups of nodes can move down, by name. They penetrate nothing else."""
        scenery, found = self.scenery(group, alone=False), {}
        for done, one in enumerate(names):
            yield Progress(done, len(names))
            found[one] = self.fall(scenery, one)
        return found


def find_floating(context: bpy.types.Context, request: FloatingRequest) -> FloatingSearch:
    """Run all steps of `floating_steps`."""
    return exhausted(floating_steps(context, request, seconds=np.inf))


def floating_steps(
    context: bpy.types.Context, request: FloatingRequest, *, seconds: float = BLOCK
) -> Generator[Progress, None, FloatingSearch]:
    """Find objects of a scope that nothing supports, in steps.

    Parameters
    ----------
    context : bpy.types.Context
        Its scene is tested in the current frame. Down is the direction of gravity, or −Z if the scene has none.
    request : FloatingRequest
    seconds : float
        Approximate seconds for a step.

    Returns
    -------
    FloatingSearch

    Raises
    ------
    UserError
        If the scope or collection does not exist.
    """
    check_lengths(gap=request.gap)
    context.view_layer.update()
    selection = scope_objects(context, request.scope, request.collection_a, request.collection_b)
    wanted = set[int]().union(*uids_of(selection))
    scope = wanted | {ob.session_uid for ob in scope_objects(context, "VISIBLE").set_a}
    steps = reading(context, scope, known=KnownGeometry(), include_operands=request.include_operands, seconds=seconds)
    read = yield from telling(Progress(0, 1), steps)
    bodies = read.shapes.bodies
    # Read before anything can change.
    movers, down = movers_of(bodies), direction_of_gravity(context.scene)
    scene = yield from _scene_of(read.shapes, request, down, seconds)
    scene, held = yield from _held(scene, given=bool(request.ground))
    group = scene.connected(~held)
    names = np.unique(group[scene.node[~held]]).tolist()
    falls = yield from scene.falls(group, names)
    near = scene.pairing.ordered(scene.world.pairs(_NEAR * scene.gap)) if names else np.empty((0, 2), np.int64)
    reach, scenery, found = _reach_down(scene), scene.scenery(group, alone=False), []
    lower, upper = scene.world.bounds()
    for name in names:
        members = np.flatnonzero(group[scene.node] == name)
        if all(wanted.isdisjoint(body_uids(bodies[body])) for body in members.tolist()):
            continue
        members = members[np.argsort(-reach[members], kind="stable")]
        met, held_near = falls[name], _nearest(scene, near, members, held, falls[name].distance)
        one = _floating(bodies, scene.node, members, movers, met, held_near)
        rows = np.flatnonzero(np.isin(scene.pairing.body, members))
        bounds = np.stack([lower[rows].min(axis=0), upper[rows].max(axis=0)])
        found.append((one, rows, bounds, scene.places_of_fall(scenery, name, met), held_near.places))
    found.sort(key=lambda each: (each[0].drop, each[0].object))
    around, drop, beside = (np.array([each[part] for each in found]).reshape(-1, 2, 3) for part in (2, 3, 4))
    contained = frozenset(frozenset(bodies[body].key for body in pair) for pair in scene.contacts.contained.tolist())
    evidence = FloatingEvidence(scene.world, tuple(each[1] for each in found), around, drop, beside, down, contained)
    return FloatingSearch(tuple(each[0] for each in found), evidence)


def _floating(
    bodies: Sequence[Body], node: Ints, members: Ints, movers: Sequence[int], met: _Fall, near: _Nearest
) -> Floating:
    """Return the result for connected bodies, the lowest first."""
    called = list(dict.fromkeys(_called(bodies, node, body) for body in members.tolist()))
    return Floating(
        called[0],
        tuple(called[1:]),
        frozenset(movers[body] for body in members.tolist()),
        met.distance,
        bodies[met.onto].name if met.onto >= 0 else "",
        near.distance,
        bodies[near.body].name if near.body >= 0 else "",
    )


def _scene_of(
    shapes: SceneShapes, request: FloatingRequest, down: Floats, seconds: float
) -> Generator[Progress, None, _Scene]:
    bodies, world = shapes.bodies, shapes.world
    node = _nodes(bodies)
    pairing, level = Pairing(shapes.body, filter=shapes.filter), touching_levels(*world.bounds(), None)
    contacts = yield from _contacts(world, pairing, node, np.maximum(level, request.gap), seconds)
    ground = np.array([body.motion == STATIC for body in bodies], dtype=np.bool_)
    ground[shapes.body[np.asarray(world.kind) == Kind.HALF_SPACE]] = True
    if request.ground:
        ground |= matching(request.ground, labels_of(bodies))
    dynamic = np.array([request.below or body.motion == _DYNAMIC for body in bodies], dtype=np.bool_)
    return _Scene(
        world, pairing, level, node, contacts, _any(node, ground), _any(node, dynamic), down, float(request.gap)
    )


def _nodes(bodies: Sequence[Body]) -> Ints:
    """Return the first part of the asset of each body.

    If all bodies are parts of one asset, each body is on its own.
    """
    first: dict[tuple[str, int], int] = {}
    whole = one_asset(bodies)
    keys = [("", row) if whole or not body.asset else (body.asset, -1) for row, body in enumerate(bodies)]
    return np.array([first.setdefault(key, row) for row, key in enumerate(keys)], dtype=np.int64)


def _any(node: Ints, of_bodies: Bools) -> Bools:
    """Return whether any body of each node (B,) has this property."""
    result = np.zeros(len(node), dtype=np.bool_)
    result[node[of_bodies]] = True
    return result


def _called(bodies: Sequence[Body], node: Ints, body: int) -> str:
    """Return the name of a body, or of the asset whose parts are one node."""
    return asset_or_name(bodies[body]) if np.count_nonzero(node == node[body]) > 1 else bodies[body].name


def _contacts(
    world: World, pairing: Pairing, node: Ints, level: Floats, seconds: float
) -> Generator[Progress, None, _Contacts]:
    """Return the contacts of bodies of different nodes. Shapes may be apart by the larger of their levels."""
    pairs = pairing.ordered(world.pairs(float(level.max(initial=0.0))))
    pairs = pairs[np.not_equal(*node[pairing.body[pairs]].T)] if len(pairs) else pairs
    verdict, done = np.full(len(pairs), int(Verdict.SEPARATED)), 0
    for some in blocks(world, world.bounds(), pairs, seconds):
        yield Progress(done, max(len(pairs), 1))
        verdict[some] = world.classify(pairs[some], touching=level[pairs[some]].max(axis=1))
        done += len(some)
    body = pairing.body[pairs]
    touching = body[verdict == Verdict.TOUCHING]
    penetrating = body[verdict == Verdict.PENETRATING]
    contained = pairing.body[_larger_first(world, pairs[verdict == Verdict.CONTAINED])]
    return _Contacts(touching, penetrating, contained)


def _larger_first(world: World, pairs: Ints) -> Ints:
    """Return pairs of shapes (P, 2) with the larger one first."""
    lower, upper = world.bounds()
    first, second = np.linalg.norm(upper - lower, axis=1)[pairs].T
    return np.where((first < second)[:, None], pairs[:, ::-1], pairs)


def _held(scene: _Scene, *, given: bool) -> Generator[Progress, None, tuple[_Scene, Bools]]:
    """Return the scene with bodies connected to what contains them, and whether each body is held (B,).

    `given`: the ground is given, and nothing else is ground.
    """
    is_node = scene.node == np.arange(len(scene.node))
    group = scene.connected(is_node)
    size = np.bincount(group[is_node], minlength=len(group))
    grounded = set(group[scene.ground].tolist())
    names = sorted(set(group[is_node].tolist()) - grounded)
    falls = yield from scene.falls(group, names)
    single: dict[int, _Fall] = {}
    bottom: list[int] = []
    alone = scene.scenery(scene.node, alone=True)
    if not given:
        below = {int(group[scene.node[one.onto]]) for one in falls.values() if one.onto >= 0}
        reach = _reach_down(scene)
        for done, name in enumerate(one for one in names if size[one] > 1 or one in below):
            yield Progress(done, len(names))
            if falls[name].onto < 0:
                bottom.append(name)
                continue
            members = np.flatnonzero(is_node & (group == name)) if size[name] > 1 else np.empty(0, np.int64)
            # The lowest body usually has nothing below it.
            for one in members[np.argsort(-reach[members], kind="stable")].tolist():
                yield Progress(done, len(names))
                single[one] = scene.fall(alone, one)
                if single[one].onto < 0:
                    bottom.append(name)
                    break
    mixed = np.isin(group, group[scene.dynamic])
    at_bottom = np.isin(group, bottom) & is_node
    # In a group of connected bodies without dynamic bodies, those with nothing below them are ground.
    wanted = mixed & ~scene.ground & (at_bottom | (scene.dynamic & np.isin(group, sorted(grounded))))
    for done, one in enumerate(np.flatnonzero(wanted).tolist()):
        yield Progress(done, int(wanted.sum()))
        if one not in single:
            single[one] = scene.fall(alone, one)
    seeds = scene.ground | (at_bottom & ~mixed)
    seeds[[one for one, met in single.items() if met.onto < 0 and at_bottom[one]]] = True
    scene = _with_contained(scene, seeds)
    return scene, _spread(scene, seeds, single)


def _with_contained(scene: _Scene, ground: Bools) -> _Scene:
    """Return the scene with bodies connected to what contains them, as if they penetrated it.

    Bodies that contain ground, such as a sky, are not connected to what they contain.
    """
    touching, penetrating, contained = scene.contacts
    outer, inner = scene.node[contained].T
    around = np.isin(outer, outer[ground[inner]])
    contacts = _Contacts(touching, np.concatenate([penetrating, contained[~around]]), contained[around])
    return replace(scene, contacts=contacts)


def _spread(scene: _Scene, seeds: Bools, single: dict[int, _Fall]) -> Bools:
    """Return the bodies (B,) that are held, starting from ground nodes and following contacts that hold."""
    holds: defaultdict[int, list[int]] = defaultdict(list)
    for pairs, fastened in ((scene.contacts.penetrating, True), (scene.contacts.touching, False)):
        for a, b in scene.node[pairs].tolist():
            for holder, one in ((a, b), (b, a)):
                hangs = one in single and scene.dynamic[one] and single[one].distance > scene.gap
                if fastened or not hangs:
                    holds[holder].append(one)
    held, left = seeds.copy(), np.flatnonzero(seeds).tolist()
    while left:
        for one in holds[left.pop()]:
            if not held[one]:
                held[one] = True
                left.append(one)
    result: Bools = held[scene.node]
    return result


def _reach_down(scene: _Scene) -> Floats:
    """Return how far down each body reaches (B,): its largest coordinate in the direction down."""
    lower, upper = scene.world.bounds()
    axes = np.flatnonzero(scene.down)
    along = np.where(scene.down > 0.0, upper, lower)[:, axes] @ scene.down[axes]
    result = np.full(len(scene.node), -np.inf)
    np.maximum.at(result, scene.pairing.body, along)
    return result


def _nearest(scene: _Scene, near: Ints, members: Ints, held: Bools, drop: float) -> _Nearest:
    """Return the nearest held body of some bodies. `near` (P, 2) are the pairs of shapes that may be near."""
    body = scene.pairing.body
    mine = np.isin(body[near], members)
    pairs = near[(mine[:, 0] & held[body[near[:, 1]]]) | (mine[:, 1] & held[body[near[:, 0]]])]
    if len(pairs):
        measured = scene.world.distance(pairs)
        distance = measured.distance
        distance = np.where((distance > scene.gap) & (distance < min(drop, _NEAR * scene.gap)), distance, np.inf)
        place = int(np.argmin(distance))
        a, b = body[pairs[place]].tolist()
        if np.isfinite(distance[place]):
            places = np.stack([measured.point_a[place], measured.point_b[place]])
            return _Nearest(float(distance[place]), *((b, places) if held[b] else (a, places[::-1])))
    return _Nearest(np.inf, -1, _NOWHERE)
