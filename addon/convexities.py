# SPDX-License-Identifier: GPL-3.0-or-later
"""What the last convexity check of each object found, and whether it still holds.

Kept in Python and keyed by `session_uid`, as the report of a collision check is. `addon.watch` tells when an
object may have changed; whether it has is looked at when the panel is drawn.
"""

from collections.abc import Iterable
from dataclasses import dataclass, field

import bpy

from ..core import Convexity, Flaw
from .bridge.editable import Fingerprint, fingerprint
from .language import label_
from .lengths import angle_text, length_text


@dataclass
class Checked:
    """An object's convexity.

    Attributes
    ----------
    convexity : Convexity
        In the object's place and scale: lengths in Blender units.
    fingerprint : Fingerprint
        Of what was checked.
    suspect : bool
        The object may have changed since.
    """

    convexity: Convexity
    fingerprint: Fingerprint
    suspect: bool = field(default=False)


_checked: dict[int, Checked] = {}


def keep(ob: bpy.types.Object, convexity: Convexity) -> None:
    """Remember what was found out about an object, as it is now."""
    _checked[ob.session_uid] = Checked(convexity, fingerprint(ob))


def known(ob: bpy.types.Object) -> Checked | None:
    """Return what is known about an object; None if it was never checked."""
    return _checked.get(ob.session_uid)


def any_known() -> bool:
    """Whether anything was checked."""
    return bool(_checked)


def suspect(uids: Iterable[int]) -> None:
    """Take note that these objects may have changed."""
    for uid in uids:
        if uid in _checked:
            _checked[uid].suspect = True


def suspect_all() -> None:
    """Take note that any object may have changed."""
    suspect(tuple(_checked))


def forget() -> None:
    """Forget all objects."""
    _checked.clear()


def is_stale(ob: bpy.types.Object) -> bool:
    """Whether an object is no longer what was checked; what is being edited is not, once it has been touched."""
    checked = known(ob)
    if checked is None or not checked.suspect:
        return False
    if ob.mode == "EDIT":
        return True
    if fingerprint(ob) != checked.fingerprint:
        return True
    checked.suspect = False
    return False


def flaw_text(flaw: Flaw, convexity: Convexity, units: bpy.types.UnitSettings) -> str:
    """Return what is wrong as a sentence of the interface."""
    if flaw is Flaw.NO_FACES:
        return label_("It has no faces")
    if flaw is Flaw.REFLEX_EDGES:
        count = len(convexity.reflex_edges)
        angle = angle_text(float(convexity.reflex_angle.max()), units)
        length = length_text(float(convexity.reflex_height.max()), units)
        return label_(
            "It folds inward at {count} edges, by up to {length} and {angle}", count=count, length=length, angle=angle
        )
    if flaw is Flaw.BOUNDARY_EDGES:
        return label_("It is open: {count} edges have one face only", count=len(convexity.boundary_edges))
    if flaw is Flaw.NON_MANIFOLD_EDGES:
        return label_(
            "It has walls inside: {count} edges have more than two faces", count=len(convexity.non_manifold_edges)
        )
    if flaw is Flaw.DISCONNECTED:
        return label_("It is in {count} pieces", count=convexity.components)
    if flaw is Flaw.SHALLOW_DENT:
        length = length_text(convexity.dent_depth, units)
        return label_("It sinks in smoothly, {length} deep: too little at each edge to name one", length=length)
    return label_(OTHER_FLAWS[flaw])


# Those that speak of no number.
OTHER_FLAWS = {
    Flaw.UNREFERENCED_VERTICES: "Vertices without a face stand out of it",
    Flaw.NON_ORIENTABLE: "Its faces cannot all face the same way, as on a Möbius strip",
    Flaw.SELF_INTERSECTING: "It passes through itself or goes around more than once",
    Flaw.NOT_COVERING: "It is flat and does not fill the convex outline around it exactly once",
}
