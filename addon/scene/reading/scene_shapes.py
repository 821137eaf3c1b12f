# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of reading a scene, in 3D or in a plane: shapes, their bodies, and the skipped objects."""

from collections import defaultdict
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Generic, NamedTuple, Self, TypeVar

import numpy as np

from ....core.broad_phase.collision_filter import CollisionFilter
from ....core.numerics.types import Floats, Ints
from ....core.planar.world import PlacedWorld
from ....core.world.world import World
from ...engines.collider_roles import role_of
from ...model.folds import COLLIDERS, DRAWN, LEVEL, STATIC
from ...model.report import Body, Issue, Shape, Skipped
from ..objects.collision_settings import filter_of
from .assets import AssetTree, bounds_of_bodies
from .body_tree import BodyTree
from .items import Item
from .items_in_scope import ItemsInScope
from .linked import joints_of

AnyWorld = TypeVar("AnyWorld", World, PlacedWorld)


class ShapeRow(NamedTuple):
    """A row of a world: its item, its kind as named in reports, and the reason for this kind."""

    item: int
    kind: str
    reason: str


@dataclass(frozen=True, eq=False)
class ReadShapes(Generic[AnyWorld]):
    """The shapes of a scope, row for row, and the bodies that they belong to.

    Attributes
    ----------
    world : World or PlacedWorld
    shapes : tuple of Shape
        One for each row of the world.
    bodies : tuple of Body
        Sorted by name. Each has at least one row.
    body : (N,) int64
        The body of each row.
    issues : tuple of Issue
    skipped : tuple of Skipped
        Every object of the scope that has no row and is not represented by an object with one.
    filter : CollisionFilter, optional
        Which rows may collide, from their collision groups. None: all.
    assets : AssetTree, optional
        Relations of the bodies, independent of their places.
    """

    world: AnyWorld
    shapes: tuple[Shape, ...]
    bodies: tuple[Body, ...]
    body: Ints
    issues: tuple[Issue, ...]
    skipped: tuple[Skipped, ...]
    filter: CollisionFilter | None = None
    assets: AssetTree | None = None

    @classmethod
    def of(
        cls,
        world: AnyWorld,
        rows: Sequence[ShapeRow],
        in_scope: ItemsInScope,
        *,
        margins: bool = True,
        include_hidden_as_skipped: bool = True,
    ) -> Self:
        """Collect the data about the rows of a world and the items of a scope.

        Parameters
        ----------
        world : World or PlacedWorld
        rows : sequence of ShapeRow
            One for each row of the world.
        in_scope : ItemsInScope
            With the results of all items.
        margins : bool
            Whether the shapes include the margins of their objects.
        include_hidden_as_skipped : bool
            Whether hidden objects of the scope are listed as skipped.
        """
        items = in_scope.items
        bodies, body, assets = bodies_of_rows([row.item for row in rows], items, in_scope.tree, world.bounds())
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
            issues=tuple(in_scope.issues),
            skipped=in_scope.skipped(with_hidden=include_hidden_as_skipped),
            filter=filter_of([one.groups for one in traits]),
            assets=assets,
        )


def bodies_of_rows(
    rows: Sequence[int], items: Sequence[Item], tree: BodyTree, bounds: tuple[Floats, Floats]
) -> tuple[tuple[Body, ...], Ints, AssetTree]:
    """The bodies of the items of shapes with these bounds, sorted by name; the body of each shape; and the assets.

    The assets can be evaluated again for other bounds; see `with_assets`.
    """
    members: defaultdict[int, list[int]] = defaultdict(list)
    for row in rows:
        members[tree.root[row]].append(row)
    roots = sorted(members, key=lambda root: (items[root].label, root))
    number = {root: place for place, root in enumerate(roots)}
    body = np.array([number[tree.root[row]] for row in rows], dtype=np.int64)
    joints = joints_of(items, tree.root, roots)
    represents = {row for colliders in tree.colliders.values() for row in colliders}
    assets = AssetTree(items, roots, joints)
    bodies = tuple(
        Body(
            items[root].label,
            items[root].key,
            tuple(items[row].key for row in sorted(set(members[root]))),
            items[root].facts.library,
            items[root].facts.name,
            items[root].facts.library_file,
            motion=items[root].facts.motion,
            joints=holding,
            source=_source(root, members[root], items, represents, tree.all_colliders),
        )
        for root, holding in zip(roots, joints, strict=True)
    )
    return with_assets(bodies, body, assets, bounds), body, assets


def _source(root: int, rows: Sequence[int], items: Sequence[Item], represents: Set[int], colliders: Set[int]) -> str:
    """The source of the shapes of a body with these items."""
    if root not in rows or root in represents or root not in colliders:
        return DRAWN if represents.isdisjoint(rows) and colliders.isdisjoint(rows) else COLLIDERS
    facts, role = items[root].facts, role_of(items[root].facts.name)
    needs_no_mesh = not facts.made if role is None else role.system == "godot"
    moves = facts.structure.bone_of or facts.motion not in ("", STATIC)
    return LEVEL if needs_no_mesh and not moves else COLLIDERS


def with_assets(
    bodies: tuple[Body, ...], body: Ints, assets: AssetTree | None, bounds: tuple[Floats, Floats]
) -> tuple[Body, ...]:
    """The bodies with their assets, assemblies and joints, when the shapes have these bounds."""
    if assets is None:
        return bodies
    around = bounds_of_bodies(body, bounds, len(bodies))
    names = assets.names(around)
    inner, held = assets.assemblies(names, around), assets.joints(names, around)
    return tuple(
        one
        if (one.asset, one.assembly, one.joints) == (name, assembly, joints)
        else replace(one, asset=name, assembly=assembly, joints=joints)
        for one, name, assembly, joints in zip(bodies, names, inner, held, strict=True)
    )


if TYPE_CHECKING:
    SceneShapes = ReadShapes[World]
    PlanarShapes = ReadShapes[PlacedWorld]
else:
    # `typing` caches every type that was subscripted, and with it everything that its methods refer to. If `bpy` is
    # among that, Blender 4.5 hangs and 4.2 crashes when Python exits.
    SceneShapes = PlanarShapes = ReadShapes
