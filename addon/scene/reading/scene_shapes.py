# SPDX-License-Identifier: GPL-3.0-or-later
"""What comes out when a scene is read, in space or in a plane: shapes, their bodies and what was left out."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeVar

import numpy as np

from ....core.broad_phase.collision_filter import CollisionFilter
from ....core.numerics.types import Ints
from ....core.planar.world import PlacedWorld
from ....core.world.world import World
from ...model.report import Body, Finding, Shape, Skipped
from ..objects.traits import filter_of
from .bodies import Family
from .gathering import Gathering
from .items import Item

AnyWorld = TypeVar("AnyWorld", World, PlacedWorld)


class Row(NamedTuple):
    """A row of a world: the item that it is a shape of, its kind as reports name it, and why it is that."""

    item: int
    kind: str
    reason: str


@dataclass(frozen=True, eq=False)
class ReadShapes(Generic[AnyWorld]):
    """The shapes of a scope, row for row, and what they belong to.

    Attributes
    ----------
    world : World or PlacedWorld
    shapes : tuple of Shape
        One for each row of the world.
    bodies : tuple of Body
        Sorted by name. Each has at least one row.
    body : (N,) int64
        The body of each row.
    findings : tuple of Finding
    skipped : tuple of Skipped
        Every object of the scope that has no row, unless something that has one stands for it.
    filter : CollisionFilter, optional
        Which rows may meet by their groups; None: any two.
    """

    world: AnyWorld
    shapes: tuple[Shape, ...]
    bodies: tuple[Body, ...]
    body: Ints
    findings: tuple[Finding, ...]
    skipped: tuple[Skipped, ...]
    filter: CollisionFilter | None = None

    @classmethod
    def of(
        cls,
        world: AnyWorld,
        rows: Sequence[Row],
        gathering: Gathering,
        *,
        margins: bool = True,
        include_hidden_as_skipped: bool = True,
    ) -> Self:
        """Say of the rows of a world what they are, and of the items of a scope what became of them.

        Parameters
        ----------
        world : World or PlacedWorld
        rows : sequence of Row
            One for each of the world's.
        gathering : Gathering
            Everything is settled.
        margins : bool
            Whether the shapes have the margins of their objects.
        include_hidden_as_skipped : bool
            Whether objects of the scope that cannot be seen are listed as skipped.
        """
        items = gathering.items
        bodies, body = bodies_of_rows([row.item for row in rows], items, gathering.kin)
        traits = [items[row.item].facts.traits for row in rows]
        return cls(
            world=world,
            shapes=tuple(
                Shape(
                    items[row.item].label,
                    number,
                    row.kind,
                    row.reason,
                    one.margin if margins else 0.0,
                    one.surface,
                )
                for row, number, one in zip(rows, body.tolist(), traits, strict=True)
            ),
            bodies=bodies,
            body=body,
            findings=tuple(gathering.findings),
            skipped=gathering.skipped(with_hidden=include_hidden_as_skipped),
            filter=filter_of([one.groups for one in traits]),
        )


def bodies_of_rows(rows: Sequence[int], items: Sequence[Item], kin: Family) -> tuple[tuple[Body, ...], Ints]:
    """Return the bodies that some items make up, sorted by name, and which of them each item belongs to."""
    members: defaultdict[int, list[int]] = defaultdict(list)
    for row in rows:
        members[kin.root[row]].append(row)
    roots = sorted(members, key=lambda root: (items[root].label, root))
    number = {root: place for place, root in enumerate(roots)}
    bodies = tuple(
        Body(
            items[root].label,
            items[root].key,
            tuple(items[row].key for row in sorted(set(members[root]))),
            items[root].facts.library,
            items[root].facts.name,
            items[root].facts.library_file,
        )
        for root in roots
    )
    return bodies, np.array([number[kin.root[row]] for row in rows], dtype=np.int64)


if TYPE_CHECKING:
    SceneShapes = ReadShapes[World]
    PlanarShapes = ReadShapes[PlacedWorld]
else:
    # `typing` remembers every type that was subscripted, and so everything that its methods can reach: with `bpy` among
    # that Blender 4.5 hangs, and 4.2 crashes, when Python ends.
    SceneShapes = PlanarShapes = ReadShapes
