# SPDX-License-Identifier: GPL-3.0-or-later
"""Comparison of how well each kind of collider would fit an object, valid until the object changes."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import bpy

from ..scene import events
from ..scene.objects.owners import is_collider, render_mesh_above
from ..scene.settings import collider_engine, number, scene_settings
from .latest import Latest, Result

if TYPE_CHECKING:
    from ...core.numerics.types import Floats


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
    single : bool
        Whether it is one convex shape. Only these are possible in conversions.
    recommended : bool
        Whether *Best Fit* makes it. If *Best Fit* makes none, the kind with the smallest gap is recommended.
    meshes : tuple of tuple
        The vertices and faces of each of its parts, in world space.
    """

    ratio: float
    gap: float
    vertices: int = 0
    parts: int = 1
    single: bool = True
    recommended: bool = False
    meshes: "tuple[tuple[Floats, list[list[int]]], ...]" = ()


@dataclass(eq=False)
class ComparedFits(Result):
    """The kinds of colliders for one object.

    Attributes
    ----------
    whole : bool
        Whether one collider was fitted to the entire object.
    kinds : dict of str to Expected
        The kinds that can be made, in the order of `KINDS`.
    shown : str
        The kind that is shown in the viewport. Empty if none is.
    """

    whole: bool = field(kw_only=True)
    kinds: dict[str, Expected] = field(kw_only=True)
    shown: str = ""

    @property
    def recommended(self) -> str:
        """The kind that is recommended; empty if there is none."""
        return next((kind for kind, one in self.kinds.items() if one.recommended), "")


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
    found = compared(context)
    return found.kinds if found is not None else {}


def compared(context: bpy.types.Context) -> ComparedFits | None:
    """Return the comparison of the active object or, for a collider, of its mesh. None if there is none."""
    found, ob = latest.here(events.place(context)), context.active_object
    if found is None or ob is None or found.change_for(asked_for(context)) is not None:
        return None
    if ob.session_uid not in found.uids and found.whole and is_collider(ob):
        ob = render_mesh_above(ob) or ob
    return found if ob.session_uid in found.uids else None
