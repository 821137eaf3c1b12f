# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that nothing holds."""

from collections.abc import Iterable

import bpy

from ..fixes.floating import find_floating
from ..model.floating import GAP, Floating, FloatingRequest
from ..model.rules import Pattern
from ..scene import arguments
from ..scene.coverage import hidden_shown
from ..scene.object_states import in_scene
from .choices import Scope


def floating(
    *,
    scope: Scope = "VISIBLE",
    collection: str = "",
    other_collection: str = "",
    gap: float | None = None,
    below: bool = False,
    ground: Iterable[Pattern | str] = (),
    include_operands: bool = False,
    include_hidden: bool = False,
    scene: str = "",
) -> list[Floating]:
    """Find objects that nothing holds: *Find Floating*.

    Bodies that touch or penetrate each other are connected, and so are the parts of one asset. What is connected with
    the ground is held: it stands, leans or hangs.

    Parameters
    ----------
    scope, collection, other_collection, include_operands, include_hidden, scene
        As for `check_collisions`. They limit what is listed; all visible objects hold others.
    gap : float, optional
        Bodies that are no farther apart than this touch, in Blender units. None: one millimeter.
    below : bool
        List also what is only held from the side or from above. Bodies that are declared as dynamic always have to be
        held from below, because engines let them fall.
    ground : iterable of Pattern or str
        The bodies that need no support, by names or as in rules, such as ``"collection:Terrain"``. Empty: bodies that
        are declared as static, half-spaces, and those that have nothing below them, if they are connected with other
        bodies or below some.

    Returns
    -------
    list of Floating
        Those with the shortest way down first. Bodies that are connected with each other are one entry: `object` is the
        lowest, `others` are held only by it. `drop` is how far they can move down, `onto` what they then touch.

    Raises
    ------
    ValueError
        If there is no such scope, collection or scene, a pattern is empty, or the gap is negative or not finite.

    Examples
    --------
    ::

        for one in api.floating():
            print(one.message)
            api.drop_to_surface([one.object, *one.others], "GRAVITY")
    """
    arguments.texts(scope=scope, collection=collection, other_collection=other_collection, scene=scene)
    given = [ground] if isinstance(ground, str | Pattern) else ground
    patterns = tuple(one if isinstance(one, Pattern) else Pattern.read(one) for one in given)
    with in_scene(bpy.context, scene), hidden_shown(bpy.context, bool(include_hidden)):
        meters = float(bpy.context.scene.unit_settings.scale_length)
        request = FloatingRequest(
            scope,
            collection,
            other_collection,
            GAP / meters if gap is None else arguments.length("gap", gap),
            bool(below),
            patterns,
            bool(include_operands),
        )
        return list(find_floating(bpy.context, request))
