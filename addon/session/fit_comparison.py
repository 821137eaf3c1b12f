# SPDX-License-Identifier: GPL-3.0-or-later
"""How well each kind of collider would fit an object, valid until the object changes."""

from dataclasses import dataclass, field
from typing import NamedTuple

import bpy

from ..scene import events
from ..scene.objects.owners import is_collider, render_mesh_above
from ..scene.settings import collider_engine, number, scene_settings
from .latest import Latest, Result

# In addition to the kinds of single colliders: a hull for each loose part, and convex pieces.
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
        Its volume relative to the convex hull.
    gap : float
        Its largest distance from the surface, in Blender units.
    vertices : int
        Number of vertices of all of its parts.
    parts : int
        Number of its parts.
    recommended : bool
        Whether it is the simplest kind that fits well.
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
        Whether one collider was fitted to the entire object.
    kinds : dict of str to Expected
        The kinds that can be made.
    """

    whole: bool = field(kw_only=True)
    kinds: dict[str, Expected] = field(kw_only=True)


latest: "Latest[ComparedFits]" = Latest()


def asked_for(context: bpy.types.Context) -> FitSettings:
    """Return the settings of the scene that the fits depend on."""
    stored = scene_settings(context).colliders
    lengths = number(stored, "thickness"), number(stored, "gap")
    return FitSettings(collider_engine(context), stored.budget, *lengths, stored.source, stored.pieces, stored.preset)


def keep(
    context: bpy.types.Context, ob: bpy.types.Object, asked: FitSettings, kinds: dict[str, Expected], *, whole: bool
) -> None:
    """Store the results for an object with some settings."""
    uids = frozenset({ob.session_uid})
    latest.store(ComparedFits(place=events.place(context), asked=asked, uids=uids, whole=whole, kinds=kinds))


def known(context: bpy.types.Context) -> dict[str, Expected]:
    """Return the expected colliders of the active object or, for a collider, of its mesh. Otherwise none."""
    found, ob = latest.here(events.place(context)), context.active_object
    if found is None or ob is None or found.change_for(asked_for(context)) is not None:
        return {}
    if ob.session_uid not in found.uids and found.whole and is_collider(ob):
        ob = render_mesh_above(ob) or ob
    return found.kinds if ob.session_uid in found.uids else {}
