# SPDX-License-Identifier: GPL-3.0-or-later
"""The legend of an overlay: the meaning of the colors in it."""

from collections.abc import Mapping
from dataclasses import replace

import numpy as np

from ...core.numerics.types import Floats
from ..debug_draw.primitives import Primitives
from ..debug_draw.roles import Role
from ..model.message import Message

# Usual meanings in a pair and of floating objects, and those in a walk, in the order of the legend. Other roles are
# explained by a label.
MEANINGS = {
    Role.CURVE: Message("the surfaces cross"),
    Role.CONTACT: Message("contacts and normals"),
    Role.DEPTH: Message("depth"),
    Role.GAP: Message("gap"),
    Role.RULER: Message("ranges along the axis"),
    Role.FLOATING: Message("held by nothing"),
}
WALK = {
    Role.REACHED: Message("reached floor"),
    Role.UNREACHED: Message("floor not reached"),
    Role.TRAP: Message("no way back from here"),
    Role.START: Message("start"),
    Role.PATH: Message("path"),
    Role.POSE_BEFORE: Message("character before the issue"),
    Role.POSE_AFTER: Message("character after the issue"),
    Role.CONTACT: Message("place of the issue"),
    Role.FOUND: Message("other issues"),
    Role.CLEAR: Message("accepted issues"),
}
# Stronger colors for thin lines. The ranges along an axis have those of their objects.
_COLORS = {
    Role.SHAPE_A: (Role.WITNESS_A,),
    Role.SHAPE_B: (Role.WITNESS_B,),
    Role.RULER: (Role.INTERVAL_A, Role.INTERVAL_B),
}


def with_legend(drawn: Primitives, meanings: Mapping[Role, str]) -> Primitives:
    """Return primitives with a legend of those roles among `meanings` that are drawn.

    A `Message` is translated when drawn, and a name is not.
    """
    roles = set(np.concatenate([drawn.line_role, drawn.point_role, drawn.triangle_role]).tolist())
    shown = ((_COLORS.get(role, (role,)), text) for role, text in meanings.items() if role in roles)
    return replace(drawn, legend=tuple(shown))


def meanings_of(*roles: Role, **own: str) -> dict[Role, str]:
    """Return the usual meanings of some roles, after those given by the names of their roles."""
    return {**{Role[name]: text for name, text in own.items()}, **{role: MEANINGS[role] for role in roles}}


def is_near(drawn: Primitives, role: Role, center: Floats, radius: float) -> bool:
    """Return whether lines of a role are within a ball, which is what a view shows."""
    start, end = drawn.lines[drawn.line_role == role].swapaxes(0, 1)
    along = end - start
    share = ((center - start) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), np.finfo(np.float64).tiny)
    nearest = start + np.clip(share, 0.0, 1.0)[:, None] * along
    return bool((np.linalg.norm(nearest - center, axis=1) < radius).any())
