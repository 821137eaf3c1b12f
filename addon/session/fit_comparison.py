# SPDX-License-Identifier: GPL-3.0-or-later
"""How well each kind of collider would fit an object, as long as nothing has changed about it."""

from dataclasses import dataclass, field
from typing import NamedTuple

import bpy

from ..scene import events
from ..scene.objects.owners import is_collider, render_mesh_above
from ..scene.settings import collider_engine, number, scene_settings
from .latest import Latest, Result

# Besides the kinds of single colliders: a hull for each loose part, and convex pieces.
PARTS, PIECES = "PARTS", "PIECES"


class FitSettings(NamedTuple):
    """The settings that the fits depend on."""

    engine: str
    budget: int
    thickness: float
    gap: float
    source: str
    pieces: int
    preset: str


class Expected(NamedTuple):
    """The expected collider of one kind.

    Attributes
    ----------
    ratio : float
        Its volume over that of the convex hull.
    gap : float
        Its largest distance from the surface, in Blender units.
    vertices : int
        Of all of its parts.
    parts : int
        The number of its parts.
    recommended : bool
        Whether it is the simplest that fits well.
    """

    ratio: float
    gap: float
    vertices: int = 0
    parts: int = 1
    recommended: bool = False


@dataclass(eq=False)
class ComparedFits(Result):
    """The kinds of colliders for one object.

    Attributes
    ----------
    whole : bool
        Whether one collider was fitted to all of the object, as colliders of it hold.
    kinds : dict of str to Expected
        Those that can be made.
    """

    whole: bool = field(kw_only=True)
    kinds: dict[str, Expected] = field(kw_only=True)


latest: "Latest[ComparedFits]" = Latest()


def asked_for(context: bpy.types.Context) -> FitSettings:
    """The settings that the fits depend on, as the scene has them."""
    stored = scene_settings(context).colliders
    lengths = number(stored, "thickness"), number(stored, "gap")
    return FitSettings(collider_engine(context), stored.budget, *lengths, stored.source, stored.pieces, stored.preset)


def keep(
    context: bpy.types.Context, ob: bpy.types.Object, asked: FitSettings, kinds: dict[str, Expected], *, whole: bool
) -> None:
    """Remember what was found out about an object with some settings."""
    uids = frozenset({ob.session_uid})
    latest.store(ComparedFits(place=events.place(context), asked=asked, uids=uids, whole=whole, kinds=kinds))


def known(context: bpy.types.Context) -> dict[str, Expected]:
    """Return the expected colliders of the active object or, if that is a collider, of its mesh; else nothing."""
    found, ob = latest.here(events.place(context)), context.active_object
    if found is None or ob is None or found.change_for(asked_for(context)) is not None:
        return {}
    if ob.session_uid not in found.uids and found.whole and is_collider(ob):
        ob = render_mesh_above(ob) or ob
    return found.kinds if ob.session_uid in found.uids else {}
