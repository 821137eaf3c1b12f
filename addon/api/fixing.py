# SPDX-License-Identifier: GPL-3.0-or-later
"""Move objects so that they no longer collide, or just touch."""

import bpy
import numpy as np
from numpy.typing import ArrayLike

from ...core.numerics.types import Floats
from ...core.numerics.validation import check_lengths
from ..fixes import moving
from ..fixes.fix_result import FixResult
from ..model.report import Settings
from ..model.steps import exhausted
from ..scene import arguments
from ..scene.objects import transforms
from ..scene.reading.body_tree import body_uids
from .choices import DIRECTIONS, Direction, Objects, Scope


def push_apart(
    objects: Objects,
    *,
    together: bool = False,
    scope: Scope = "VISIBLE",
    touching: float | None = None,
    include_operands: bool = False,
) -> FixResult:
    """Move objects by the shortest distance out of everything in the scope that they penetrate.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
    together : bool
        If two of the objects penetrate each other, move both by half. False: move the smaller one first.
    scope, touching, include_operands
        As for `check_collisions`.

    Returns
    -------
    FixResult
        Which objects were moved and how far, which could not be moved and why, and which still penetrate.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        As `check_collisions`.

    Examples
    --------
    ::

        result = api.push_apart(["Crate"])
        print(result.moved, result.left, result.refused)
    """
    chosen = arguments.objects("objects", objects)
    settings = _settings(scope, touching, include_operands)
    return moving.push_apart(bpy.context, chosen, together=together, settings=settings)


def drop_to_surface(
    objects: Objects,
    direction: Direction | ArrayLike = "DOWN",
    *,
    push_apart_first: bool = False,
    as_one: bool = False,
    scope: Scope = "VISIBLE",
    touching: float | None = None,
    include_operands: bool = False,
) -> FixResult:
    """Move objects along a direction until they touch something, as *Drop to Surface* does.

    Parameters
    ----------
    objects : iterable of bpy.types.Object or str
    direction : str or (3,) array-like
        DOWN, GRAVITY, VIEW, or a local axis of the object: X, Y, Z, NEGATIVE_X, NEGATIVE_Y, NEGATIVE_Z. Or a vector in
        world space of any length except zero.
    push_apart_first : bool
        Push penetrating objects apart first. False: they are not moved.
    as_one : bool
        Move all of them by the same translation, such as a shelf with what is on it. They may penetrate each other.
        False: each on its own.
    scope, touching, include_operands
        As for `check_collisions`.

    Returns
    -------
    FixResult
        As for `push_apart`. `onto` names what each object touches now.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If the direction is invalid, or a local axis with `as_one`, or as for `check_collisions`.

    Examples
    --------
    ::

        result = api.drop_to_surface(["Crate"], "GRAVITY")
        print(result.onto)
        for one in api.floating():
            api.drop_to_surface([one.object, *one.others], "GRAVITY", as_one=True)
    """
    way = _direction(direction)
    if as_one and isinstance(way, str) and way not in transforms.OF_ALL:
        raise ValueError(f"direction: {way} is an axis of each object, and as_one needs one direction for all")
    chosen = arguments.objects("objects", objects)
    ways = {
        ob.session_uid: transforms.direction(bpy.context, ob, way) if isinstance(way, str) else way for ob in chosen
    }
    settings = _settings(scope, touching, include_operands)
    steps = moving.drop_to_surface_steps(
        bpy.context,
        ways,
        push_apart_first=push_apart_first,
        settings=settings,
        together=(frozenset(ways),) if as_one else (),
    )
    return exhausted(steps)


def snap_to_contact(
    ob: bpy.types.Object | str,
    to: bpy.types.Object | str,
    *,
    scope: Scope = "VISIBLE",
    touching: float | None = None,
    include_operands: bool = False,
) -> FixResult:
    """Move an object by the shortest translation until it touches another object that it is apart from.

    Parameters
    ----------
    ob, to : bpy.types.Object or str
        The object to move, and the object to touch. Both include all objects of their bodies.
    scope, touching, include_operands
        As for `check_collisions`.

    Returns
    -------
    FixResult

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        As `check_collisions`.

    Examples
    --------
    ::

        api.snap_to_contact("Drawer", "Cupboard")
    """
    mover, other = arguments.object_("ob", ob), arguments.object_("to", to)
    settings = _settings(scope, touching, include_operands)
    return moving.snap(bpy.context, mover, body_uids(bpy.context, other), settings=settings)


def move_away(
    ob: bpy.types.Object | str,
    other: bpy.types.Object | str,
    clearance: float,
    *,
    scope: Scope = "VISIBLE",
    touching: float | None = None,
    include_operands: bool = False,
) -> FixResult:
    """Move an object away from another object that is too near, until it keeps a clearance.

    Parameters
    ----------
    ob, other : bpy.types.Object or str
        The object to move, and the object to move away from. Both include all objects of their bodies.
    clearance : float
        The gap that there should be, in Blender units.
    scope, touching, include_operands
        As for `check_collisions`.

    Returns
    -------
    FixResult

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        As for `check_collisions`, and if the clearance is negative or not finite.

    Examples
    --------
    ::

        api.move_away("Drawer", "Cupboard", 0.002)
    """
    mover, there = arguments.object_("ob", ob), arguments.object_("other", other)
    check_lengths(clearance=clearance)
    settings = _settings(scope, touching, include_operands)
    return moving.move_away(bpy.context, mover, body_uids(bpy.context, there), clearance, settings=settings)


def nudge(
    ob: bpy.types.Object | str,
    offset: ArrayLike,
    *,
    scope: Scope = "VISIBLE",
    touching: float | None = None,
    include_operands: bool = False,
) -> FixResult:
    """Move an object by a short translation, for example to separate coplanar faces.

    Parameters
    ----------
    ob : bpy.types.Object or str
    offset : (3,) array-like
        In Blender units.
    scope, touching, include_operands
        As for `check_collisions`. The result lists what the object penetrates afterwards.

    Returns
    -------
    FixResult

    Raises
    ------
    KeyError
        If no object has that name.
    ValueError
        As for `check_collisions`, and if the offset is zero or not finite.

    Examples
    --------
    ::

        api.nudge("Poster", [0, -0.001, 0])
    """
    mover, way = arguments.object_("ob", ob), np.asarray(offset, dtype=np.float64)
    if way.shape != (3,) or not np.isfinite(way).all() or not way.any():
        raise ValueError(f"offset: {offset!r} is not one of (3,) numbers")
    return moving.nudge(bpy.context, mover, way, settings=_settings(scope, touching, include_operands))


def _settings(scope: str, touching: float | None, include_operands: bool) -> Settings:
    arguments.texts(scope=scope)
    return Settings(scope, "", "", touching, 0.0, include_operands=include_operands)


def _direction(given: str | ArrayLike) -> str | Floats:
    """Return the name of a direction, or a unit vector."""
    if isinstance(given, str):
        return arguments.one_of("direction", given, DIRECTIONS)
    try:
        way = np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        way = np.empty(0)
    if way.shape != (3,) or not np.isfinite(way).all() or not way.any():
        raise ValueError(f"direction: {given!r} is not one of (3,) numbers")
    way = way / np.abs(way).max()
    return np.asarray(way / np.linalg.norm(way))
