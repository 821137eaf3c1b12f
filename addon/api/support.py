# SPDX-License-Identifier: GPL-3.0-or-later
"""Find floating objects."""

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
    """Find objects that nothing supports, as *Find Floating* does.

    Bodies that touch or penetrate are connected, and so are the parts of one asset. A body is held if it is connected
    to the ground: it stands, leans or hangs.

    Parameters
    ----------
    scope, collection, other_collection, include_operands, include_hidden, scene
        As for `check_collisions`. They limit what is listed. All visible objects count as support.
    gap : float, optional
        Bodies that are no farther apart than this count as touching, in Blender units. None: one millimeter.
    below : bool
        Also list bodies that are only held from the side or from above. Dynamic bodies are always listed if nothing
        holds them from below, because engines let them fall.
    ground : iterable of Pattern or str
        Bodies that need no support, as names or rule patterns such as ``"collection:Terrain"``. Empty: static bodies,
        half-spaces, and bodies with nothing below them that are connected to other bodies or lie below some.

    Returns
    -------
    list of Floating
        The bodies with the shortest way down first. Connected bodies are one entry: `object` is the lowest, `others`
        are only held by it. `drop` is how far they can move down, and `onto` what they touch then.

    Raises
    ------
    ValueError
        If the scope, the collection or the scene does not exist, a pattern is empty, or the gap is negative or not
        finite.

    Examples
    --------
    ::

        for one in api.floating():
            print(one.message)
            api.drop_to_surface([one.object, *one.others], "GRAVITY", as_one=True)
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
        return list(find_floating(bpy.context, request).found)
