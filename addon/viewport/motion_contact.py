# SPDX-License-Identifier: GPL-3.0-or-later
"""Overlay of the chosen contact: both bodies at first contact, the normal, and the path of the contact point."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ... import core
from .. import debug_draw, viewport
from ..model.message import Message
from ..model.motion_report import MotionContact
from ..session.motion_results import MotionResult, latest
from ..system.late import np
from . import stage
from .pair import ARROW_SHARE

if TYPE_CHECKING:
    from ...core.numerics.types import Ints


@dataclass(eq=False)
class ContactDrawing(stage.Drawing):
    """Overlay of a contact of moving objects."""

    motion: MotionResult

    def holds(self) -> bool:
        """Return whether the motion is unchanged."""
        return self.motion is latest.result and self.motion.change is None


def is_drawn() -> bool:
    """Return whether a contact is drawn."""
    return stage.current(ContactDrawing) is not None


def draw() -> None:
    """Draw the chosen contact instead of the current overlay. Nothing if it is out of date."""
    found = latest.result
    contact = found.contact(found.chosen) if found is not None else None
    if found is None or contact is None or found.change is not None:
        undraw()
    else:
        stage.show(ContactDrawing(_primitives(found, contact), found.place.scene_uid, found))


def undraw() -> None:
    """Stop drawing it."""
    stage.clear(ContactDrawing)


def _primitives(found: MotionResult, contact: MotionContact) -> "debug_draw.primitives.Primitives":
    world = found.evidence.world_at(contact)
    rows_a, rows_b = (found.evidence.rows_of(contact, body) for body in (contact.body_a, contact.body_b))
    size = _size(world, rows_a, rows_b)
    drawn = debug_draw.motion.contact_primitives(
        world,
        rows_a,
        rows_b,
        point=contact.point,
        normal=contact.normal,
        length=ARROW_SHARE * size,
        size=size,
        label=Message(
            "nearest in frame {frame}" if contact.is_near_miss else "first contact in frame {frame}",
            frame=f"{contact.first:.3f}",
        ),
    )
    path = debug_draw.motion.path_primitives(contact.path, contact.deepest if contact.penetrates else None)
    role, (name_a, name_b) = debug_draw.roles.Role, map(found.body_name, found.bodies_of(contact))
    return viewport.legend.with_legend(
        debug_draw.primitives.concatenate([drawn, path]),
        {
            role.SHAPE_A: name_a,
            role.SHAPE_B: name_b,
            role.CONTACT: Message(
                "between the nearest points, and its direction"
                if contact.is_near_miss
                else "first contact, and its direction"
            ),
            role.PATH: Message("path of the contact"),
            role.DEPTH: Message("deepest"),
        },
    )


def _size(world: "core.World", rows_a: "Ints", rows_b: "Ints") -> float:
    """Return the diagonal of the smaller body's bounds. One unit if neither has any."""
    lower, upper = world.bounds()
    diagonals = [
        float(np.linalg.norm(upper[rows].max(axis=0) - lower[rows].min(axis=0)))
        for rows in (rows_a, rows_b)
        if len(rows)
    ]
    return min((size for size in diagonals if 0.0 < size < np.inf), default=1.0)


latest.on_new.subscribe(stage.refresh)
