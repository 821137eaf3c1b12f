# SPDX-License-Identifier: GPL-3.0-or-later
"""Validate the arguments of scripts before anything is done. Errors name the argument."""

import math
import operator
from collections.abc import Iterable
from pathlib import Path
from typing import Any, TypeVar

import bpy

from ..model.rules import Pattern

_Kind = TypeVar("_Kind")


def texts(**given: Any) -> None:
    """Raise `ValueError` unless each argument is a string."""
    for name, value in given.items():
        if not isinstance(value, str):
            raise ValueError(f"{name}: {value!r} is not a text")


def frame(name: str, value: Any) -> int | None:
    """A validated frame number, or None.

    Raises
    ------
    ValueError
        If it is not an integer.
    """
    if value is None:
        return None
    try:
        return operator.index(value)
    except TypeError:
        raise ValueError(f"{name}: {value!r} is not a frame, which is a whole number") from None


def frames(value: Any) -> tuple[int, int] | None:
    """The validated first and last frame, or None.

    Raises
    ------
    ValueError
        If it is not a pair of integers.
    """
    if value is None:
        return None
    try:
        first, last = value
        return operator.index(first), operator.index(last)
    except (TypeError, ValueError):
        raise ValueError(f"frames: {value!r} is not two frames, the first and the last") from None


def objects(name: str, given: Any) -> list[bpy.types.Object]:
    """Objects of the current view layer, given as objects or by name.

    Raises
    ------
    KeyError
        If no object has a given name.
    ValueError
        If it is not such a list, or an object was removed or is not in the current view layer.
    """
    if isinstance(given, str):
        raise ValueError(f"{name}: {given!r} is one name, but a list of objects or names is needed")
    if not isinstance(given, Iterable):
        raise ValueError(f"{name}: {given!r} is not a list of objects or names")
    layer = bpy.context.view_layer
    layer.update()
    here = {ob.session_uid for ob in layer.objects}
    found = []
    for one in given:
        ob = bpy.data.objects.get(one) if isinstance(one, str) else one
        if ob is None and one is not None:
            raise KeyError(f"{name}: there is no object {one!r}")
        if not isinstance(ob, bpy.types.Object):
            raise ValueError(f"{name}: {one!r} is neither an object nor the name of one")
        try:
            present = ob.session_uid in here
        except ReferenceError:
            raise ValueError(f"{name}: an object of these was removed") from None
        if not present:
            raise ValueError(
                f"{name}: {ob.name!r} is not in the view layer {layer.name!r} of {bpy.context.scene.name!r}"
            )
        found.append(ob)
    return found


def one_of(name: str, value: Any, allowed: Iterable[str]) -> str:
    """One of the allowed names.

    Raises
    ------
    ValueError
        If it is not one of them.
    """
    known = tuple(allowed)
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name}: {value!r} is not one of {', '.join(known)}")
    return value


def some_of(name: str, value: Any, allowed: Iterable[str]) -> frozenset[str]:
    """Several of the allowed names.

    Raises
    ------
    ValueError
        If it is a single string, or contains an unknown name.
    """
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ValueError(f"{name}: {value!r} is not a set of names")
    return frozenset(one_of(name, one, allowed) for one in value)


def instances(name: str, given: Any, kind: type[_Kind]) -> list[_Kind]:
    """A list of instances of one class.

    Raises
    ------
    ValueError
        If it contains another object.
    """
    found = list(given) if isinstance(given, Iterable) else [given]
    for one in found:
        if not isinstance(one, kind):
            raise ValueError(f"{name}: {one!r} is not a {kind.__name__}")
    return found


def count(name: str, value: Any, least: int) -> int:
    """A validated integer.

    Raises
    ------
    ValueError
        If it is not an integer, or less than `least`.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = least - 1
    if number < least:
        raise ValueError(f"{name}: {value!r} is not a whole number of at least {least}")
    return number


def length(name: str, value: Any) -> float:
    """A validated length.

    Raises
    ------
    ValueError
        If it is not a finite number of at least zero.
    """
    try:
        number = float(value)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isfinite(number) and number >= 0.0):
        raise ValueError(f"{name}: {value!r} is not a length of at least zero")
    return number


def object_(name: str, given: Any) -> bpy.types.Object:
    """An object of the current view layer, given as an object or by name. Raises as `objects` does."""
    return objects(name, [given])[0]


def path(value: Any) -> Path:
    """A path, given as a path or as a string.

    Raises
    ------
    ValueError
        If it is neither, or empty.
    """
    if not isinstance(value, str | Path) or not str(value) or "\0" in str(value):
        raise ValueError(f"path: {value!r} is not a path")
    return Path(value)


def report(value: Any, *kinds: type) -> None:
    """Raise `ValueError` unless the value is a report of one of these classes."""
    if not isinstance(value, kinds):
        raise ValueError(f"report: {value!r} is not a {' or a '.join(kind.__name__ for kind in kinds)}")


def patterns(**texts: Iterable[str]) -> tuple[Pattern, ...]:
    """Return the patterns of the argument with this name. A single text is one pattern."""
    ((name, some),) = texts.items()
    given = (some,) if isinstance(some, str) else tuple(some)
    instances(name, given, str)
    return tuple(map(Pattern.read, given))
