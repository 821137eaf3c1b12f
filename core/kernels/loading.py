# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose the kernels: compiled ones, if they were made from these sources, otherwise the sources themselves.

The environment variable ``COLLISION_KIT_KERNELS`` selects one of both: ``compiled`` raises an error if there are none,
and ``interpreted`` runs the sources, which a debugger can step through. Compiled kernels are the extension module
``collision_kit_kernels``. It is installed beside this package, or was built in the clone that contains this package.
"""

import functools
import importlib
import importlib.machinery
import importlib.util
import os
import warnings
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

from .sources import CORE, MODULE, digest

COMPILED, INTERPRETED = "compiled", "interpreted"

Function = TypeVar("Function", bound=Callable[..., Any])

# The kernels in Python, by module and name, such as ``gjk.closest``.
SOURCES: dict[str, Callable[..., Any]] = {}


class _Stale(Exception):
    """Compiled kernels that were made from other sources. The message names their file."""


def _requested() -> str:
    mode = os.environ.get("COLLISION_KIT_KERNELS", "")
    if mode not in {COMPILED, INTERPRETED, ""}:
        raise ValueError(
            f"the environment variable COLLISION_KIT_KERNELS is {mode!r}; it can be {COMPILED!r} or {INTERPRETED!r}"
        )
    return mode


def built_file(root: Path) -> Path | None:
    """Return the file of the compiled kernels in a clone; None if they have not been built."""
    for ending in importlib.machinery.EXTENSION_SUFFIXES:
        path = root / "build" / "kernels" / f"{MODULE}{ending}"
        if path.is_file():
            return path
    return None


def _import() -> ModuleType:
    path = built_file(CORE.parent)
    if path is None:
        module = importlib.import_module(MODULE)
    else:
        spec = importlib.util.spec_from_file_location(MODULE, path)
        assert spec is not None and spec.loader is not None
        # The same module, if another copy of this package has loaded it.
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    if digest() != module.DIGEST:
        raise _Stale(f"{module.__file__} was made of other sources of core/kernels; in a clone, run: make kernels")
    return module


def _loaded(mode: str) -> ModuleType | None:
    """The compiled kernels, or None if the sources are used."""
    if mode == INTERPRETED:
        return None
    try:
        return _import()
    except (ImportError, _Stale) as error:
        if mode == COMPILED:
            raise ImportError(f"the kernels are to be {COMPILED}, but cannot be used: {error}") from error
        if not (isinstance(error, ImportError) and error.name == MODULE):
            warnings.warn(f"the kernels are {INTERPRETED}: {error}", RuntimeWarning, stacklevel=2)
        return None


_MODULE = _loaded(_requested())

# Which kernels run in this process.
mode = INTERPRETED if _MODULE is None else COMPILED


# Number of pairs up to which an interpreted kernel is faster than numpy.
_FEW = 4


def pays(pairs: int) -> bool:
    """Whether a kernel is faster than numpy for this many pairs."""
    return mode == COMPILED or pairs <= _FEW


def kernel(function: Function) -> Function:
    """Mark a function as a kernel, which is called from outside this package, and return the compiled one if it exists.

    Arrays are contiguous, of float64, int64 or bool. Those that it writes must be writable.
    """
    name = f"{function.__module__.rpartition('.')[2]}.{function.__name__}"
    SOURCES[name] = source = _with_views(function)
    return source if _MODULE is None else getattr(_MODULE, name.replace(".", "_"))  # type: ignore[return-value]


def interpreted(function: Function) -> Function:
    """Mark a function that only kernels in Python call."""
    return function


def _with_views(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function with views of its arrays, whose elements are Python numbers instead of small arrays."""

    @functools.wraps(function)
    def called(*arguments: Any) -> Any:
        return function(*map(_view, arguments))

    return called


def _view(argument: Any) -> Any:
    if isinstance(argument, bool | int | float | memoryview):
        return argument
    if isinstance(argument, tuple):
        values = map(_view, argument)
        if not hasattr(argument, "_make"):
            return tuple(values)
        result = type(argument)._make(values)
        # Classes that derive from a named tuple may have more attributes.
        if hasattr(argument, "__dict__"):
            vars(result).update(vars(argument))
        return result
    return memoryview(argument)
