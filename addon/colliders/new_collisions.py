# SPDX-License-Identifier: GPL-3.0-or-later
"""Find bodies that collide only because of new colliders, and bodies that no longer collide.

The scene is read before and after the change, as in a collision check. The bodies with new colliders are tested against
all others.
"""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import bpy
import numpy as np

from ...core.constants import Verdict
from ...core.numerics.vectors import length
from ...core.query.queries import classify
from ..collisions.blocks import BLOCK, blocks
from ..collisions.pairing import Pairing, touching_levels
from ..model.message import Message
from ..model.report import Body, Issue, ObjectKey
from ..model.steps import telling
from ..model.writing_reports import NEW_COLLISION, ChangedPair
from ..scene.colliders.nearby import nearby
from ..scene.colliders.sources import Source
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import reading
from ..scene.reading.scene_shapes import SceneShapes

_COLLIDES = Message('Collides with "{other}" now: they were apart before.')

# Colliding pairs of bodies by their keys, with both names.
Colliding = dict[frozenset[ObjectKey], tuple[str, str]]


class Progress(NamedTuple):
    """Number of pairs to test. It is unknown while the scene is being read."""

    done: int
    total: int


class CollisionChanges(NamedTuple):
    """Changes caused by colliders.

    Attributes
    ----------
    new, gone : tuple of ChangedPair
        Pairs of bodies that started to collide, and pairs that no longer collide.
    uids : frozenset of int
        The `session_uid` of the bodies that started to collide.
    """

    new: tuple[ChangedPair, ...] = ()
    gone: tuple[ChangedPair, ...] = ()
    uids: frozenset[int] = frozenset()

    def issues(self) -> list[Issue]:
        """Return a warning for each pair that started to collide."""
        return [Issue(NEW_COLLISION, "warning", a, Message(_COLLIDES, other=b)) for a, b in self.new]


@dataclass(eq=False)
class Before:
    """Shapes of a scene before colliders are made.

    Attributes
    ----------
    shapes : SceneShapes
    """

    shapes: SceneShapes
    _scope: set[int]
    _known: KnownGeometry
    _colliding: Colliding | None = field(default=None)

    @classmethod
    def reading(cls, context: bpy.types.Context, sources: Sequence[Source]) -> Generator[Progress, None, "Before"]:
        """Read the surroundings of the meshes that get colliders."""
        scope = _near(context, sources)
        known = KnownGeometry()
        read = yield from telling(Progress(0, 0), reading(context, scope, known=known, seconds=BLOCK))
        return cls(read.shapes, scope, known)

    def changes(self, context: bpy.types.Context, uids: Iterable[int]) -> Generator[Progress, None, CollisionChanges]:
        """Return the changes caused by the new colliders of objects, by `session_uid`."""
        wanted = set(uids)
        after = yield from telling(Progress(0, 0), reading(context, self._scope, known=self._known, seconds=BLOCK))
        now = yield from _colliding(after.shapes, wanted)
        if self._colliding is None:
            self._colliding = yield from _colliding(self.shapes, wanted)
        before = self._colliding
        new = {pair: names for pair, names in now.items() if pair not in before}
        # What was tried first, and is the triangles themselves now, was not tested again.
        tested = {body.key for body in self.shapes.bodies if _is_of(body, wanted)}
        gone = [names for pair, names in before.items() if pair not in now and pair & tested]
        return CollisionChanges(
            tuple(ChangedPair(*names) for names in sorted(new.values())),
            tuple(ChangedPair(*names) for names in sorted(gone)),
            frozenset(key.session_uid for pair in new for key in pair),
        )


def _near(context: bpy.types.Context, sources: Sequence[Source]) -> set[int]:
    """Return the objects that colliders of these meshes may touch.

    No collider is larger than a ball around its mesh.
    """
    lower = np.array([source.points.min(axis=0) for source in sources]).reshape(-1, 3)
    upper = np.array([source.points.max(axis=0) for source in sources]).reshape(-1, 3)
    more = length(upper - lower)[:, None]
    return nearby(context, lower - more, upper + more)


def _colliding(shapes: SceneShapes, uids: set[int]) -> Generator[Progress, None, Colliding]:
    """Return the penetrating pairs of bodies with one of these objects."""
    world, bounds = shapes.world, shapes.world.bounds()
    level = touching_levels(*bounds, None)
    changed = np.array([_is_of(body, uids) for body in shapes.bodies], dtype=np.bool_)
    pairs = Pairing(shapes.body, filter=shapes.filter).ordered(world.pairs(float(level.max(initial=0.0))))
    pairs = pairs[changed[shapes.body[pairs]].any(axis=1)]
    touching = np.maximum(level[pairs[:, 0]], level[pairs[:, 1]])
    found: set[tuple[int, int]] = set()
    done = 0
    yield Progress(0, len(pairs))
    for rows in blocks(world, bounds, pairs):
        # One colliding pair of shapes is enough.
        rest = rows[[tuple(pair) not in found for pair in shapes.body[pairs[rows]].tolist()]]
        verdict = classify(world, world, pairs[rest], touching=touching[rest])
        deep = rest[(verdict == Verdict.PENETRATING) | (verdict == Verdict.CONTAINED)]
        found.update(zip(*shapes.body[pairs[deep]].T.tolist(), strict=True))
        done += len(rows)
        yield Progress(done, len(pairs))
    bodies = shapes.bodies
    return {frozenset({bodies[a].key, bodies[b].key}): (bodies[a].name, bodies[b].name) for a, b in found}


def _is_of(body: Body, uids: set[int]) -> bool:
    return any(key.session_uid in uids for key in (body.key, *body.members))
