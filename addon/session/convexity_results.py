# SPDX-License-Identifier: GPL-3.0-or-later
"""The result of the last convexity check of each object, and whether it is still valid."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import bpy

from ... import core
from ..i18n.lookup import label_
from ..i18n.units import angle_text, spoken_text
from ..scene import events, meshes
from ..scene.events import SceneChange
from ..scene.open_file import objects_by_uid
from .latest import Change, Result


@dataclass(eq=False)
class ConvexityResult(Result):
    """An object's convexity.

    Attributes
    ----------
    convexity : Convexity
        With the transform of the object: lengths are in Blender units.
    fingerprint : Fingerprint
        Fingerprint of the checked mesh.
    """

    convexity: "core.Convexity" = field(kw_only=True)
    fingerprint: "meshes.edit_mesh.Fingerprint" = field(kw_only=True)

    def mark_changed(self, uids: Iterable[int]) -> None:
        """Record that these objects may have changed."""
        self.suspect |= not self.uids.isdisjoint(uids)

    def happened(self, change: SceneChange) -> None:
        """Record a change of a scene."""
        self.mark_changed(change.uids)

    def mark_undone(self) -> None:
        """Record that another state of the scene has replaced it. It may be the same for this object."""
        self.suspect = True


# By `session_uid`.
_checked: dict[int, ConvexityResult] = {}


def keep(ob: bpy.types.Object, convexity: "core.Convexity") -> None:
    """Store the result for an object in its current state."""
    uid = ob.session_uid
    _checked[uid] = ConvexityResult(
        uids=frozenset({uid}), convexity=convexity, fingerprint=meshes.edit_mesh.fingerprint(ob)
    )


def known(ob: bpy.types.Object) -> ConvexityResult | None:
    """Return the result for an object. None if it was never checked."""
    return _checked.get(ob.session_uid)


def is_stale(ob: bpy.types.Object) -> bool:
    """Return whether an object has changed since it was checked. In Edit Mode, any edit counts as a change."""
    checked = known(ob)
    return checked is not None and (checked.change is not None or (checked.suspect and ob.mode == "EDIT"))


def is_suspect() -> bool:
    """Return whether an object that was checked may have changed since the last review."""
    return any(checked.suspect for checked in _checked.values())


def review() -> None:
    """Find out which of the objects that may have changed have changed."""
    suspects = [uid for uid, checked in _checked.items() if checked.suspect]
    for uid, ob in objects_by_uid(suspects).items() if suspects else ():
        checked = _checked[uid]
        if ob.mode != "EDIT":
            checked.suspect = False
            checked.change = Change.SCENE if meshes.edit_mesh.fingerprint(ob) != checked.fingerprint else None


@events.on_change.subscribe
def _on_change(change: SceneChange) -> None:
    for checked in _checked.values():
        checked.happened(change)


@events.on_undo.subscribe
def _on_undo() -> None:
    for checked in _checked.values():
        checked.mark_undone()


@events.on_reset.subscribe
def forget() -> None:
    """Clear all results."""
    _checked.clear()


def flaw_text(flaw: "core.Flaw", convexity: "core.Convexity", units: bpy.types.UnitSettings) -> str:
    """Return the flaws as a sentence of the interface."""
    if flaw is core.Flaw.NO_FACES:
        return label_("Mesh has no faces")
    if flaw is core.Flaw.REFLEX_EDGES:
        count = len(convexity.reflex_edges)
        angle = angle_text(float(convexity.reflex_angle.max()), units)
        length = spoken_text(float(convexity.reflex_height.max()), units)
        return label_("{count} concave edges, by up to {length} and {angle}", count=count, length=length, angle=angle)
    if flaw is core.Flaw.BOUNDARY_EDGES:
        return label_("{count} boundary edges (only one face)", count=len(convexity.boundary_edges))
    if flaw is core.Flaw.NON_MANIFOLD_EDGES:
        return label_("{count} non-manifold edges (more than two faces)", count=len(convexity.non_manifold_edges))
    if flaw is core.Flaw.DISCONNECTED:
        return label_("{count} loose parts", count=convexity.components)
    if flaw is core.Flaw.SHALLOW_DENT:
        length = spoken_text(convexity.dent_depth, units)
        return label_("Shallow concavity, {length} deep, below the threshold of each edge", length=length)
    return label_(OTHER_FLAWS[flaw.name])


# Flaws without a number.
OTHER_FLAWS = {
    "UNREFERENCED_VERTICES": "Loose vertices outside the mesh",
    "NON_ORIENTABLE": "Faces cannot be oriented consistently, as on a Möbius strip",
    "SELF_INTERSECTING": "Mesh intersects itself",
    "NOT_COVERING": "Flat mesh that does not fill its convex outline",
}
