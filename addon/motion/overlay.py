# SPDX-License-Identifier: GPL-3.0-or-later
"""The drawing of the chosen contact: both bodies as they first touch, the normal, and the way of the point."""

import numpy as np

from ...core.overlay.motion import contact_primitives, path_primitives
from ...core.overlay.primitives import Primitives, concatenate
from ...core.results import Ints
from ...core.world import World
from ..drawing import handler
from ..language import label_
from ..overlay.pair import ARROW_SHARE, hide
from ..session import last
from . import session as motion_session
from .report import MotionContact
from .session import Kept


def draw() -> None:
    """Draw the chosen contact instead of whatever is drawn, as far as it still holds; otherwise nothing of it."""
    found = motion_session.kept()
    contact = found.contact(found.chosen) if found is not None else None
    if found is None or contact is None or found.change is not None:
        undraw()
        return
    hide()
    handler.set_primitives(_primitives(found, contact), found.place.scene_uid)
    last.motion_drawn = True


def undraw() -> None:
    """Draw it no more."""
    if last.motion_drawn:
        hide()


def undraw_if_changed() -> None:
    """Stop drawing what no longer holds."""
    found = motion_session.kept()
    if found is None or found.change is not None:
        undraw()


def _primitives(found: Kept, contact: MotionContact) -> Primitives:
    world = found.evidence.world_at(contact)
    rows_a, rows_b = (found.evidence.rows_of(contact, body) for body in (contact.body_a, contact.body_b))
    size = _size(world, rows_a, rows_b)
    drawn = contact_primitives(
        world,
        rows_a,
        rows_b,
        point=contact.point,
        normal=contact.normal,
        length=ARROW_SHARE * size,
        size=size,
        label=label_("Frame {frame}", frame=f"{contact.first:.3f}"),
    )
    return concatenate([drawn, path_primitives(contact.path, contact.deepest if contact.depth > 0.0 else None)])


def _size(world: World, rows_a: Ints, rows_b: Ints) -> float:
    """Diagonal of the smaller body's bounds; one unit where neither has any."""
    lower, upper = world.bounds()
    diagonals = [
        float(np.linalg.norm(upper[rows].max(axis=0) - lower[rows].min(axis=0)))
        for rows in (rows_a, rows_b)
        if len(rows)
    ]
    return min((size for size in diagonals if 0.0 < size < np.inf), default=1.0)
