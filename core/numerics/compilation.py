# SPDX-License-Identifier: GPL-3.0-or-later
"""Kernels that numba compiles, used where numba is installed and where they pay: ``pip install collision-kit[fast]``.

Modules named ``compiled`` contain inner loops in scalar form. They are imported here and nowhere else. Without numba,
numpy does the same work. Compiling kernels takes many seconds. numba keeps the result in a cache on disk, and loading
it from there takes a fraction of a second. So a process starts with numpy, counts the time that kernels would have
saved, and loads them when this is more than the time that loading takes.

The environment variable ``COLLISION_KIT_FAST`` changes this: ``always`` loads kernels at their first use, ``never``
leaves them out.
"""

import contextlib
import functools
import hashlib
import logging
import os
import sys
import warnings
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

ALWAYS, NEVER, AUTOMATIC = "always", "never", ""

# Seconds that it takes to import numba and to load kernels from its cache, and to compile the kernels of a package.
_LOADING, _COMPILING = 0.5, 20.0
# Seconds that kernels save for each call, in addition to those for its rows.
_CALL = 2e-4

# In the names of the files in which numba keeps what it has compiled for this version of Python.
_PYTHON = f"py{sys.version_info[0]}{sys.version_info[1]}{getattr(sys, 'abiflags', '')}"

_log = logging.getLogger(__name__)

_CONSTANTS = (bool, int, float, np.ndarray)


def _requested() -> str:
    mode = os.environ.get("COLLISION_KIT_FAST", AUTOMATIC)
    if mode not in {ALWAYS, NEVER, AUTOMATIC}:
        raise ValueError(f"the environment variable COLLISION_KIT_FAST is {mode!r}; it can be {ALWAYS!r} or {NEVER!r}")
    return mode


def constant(array: NDArray[Scalar]) -> NDArray[Scalar]:
    """The array as kernels get it: contiguous and read-only. For arrays of other types they would be compiled again."""
    result = np.ascontiguousarray(array).view()
    result.flags.writeable = False
    return result


class Kernels:
    """The kernels of one package of `core`.

    Parameters
    ----------
    package : str
        Its module ``compiled`` contains the kernels, which are its functions with public names.
    saved : float
        Seconds that the kernels save for one row, compared with numpy.
    *names : str
        The kernels that this work needs. If there are none, all.

    Attributes
    ----------
    mode : str
        `ALWAYS`, `NEVER` or `AUTOMATIC`, for all packages.
    """

    mode = _requested()
    # Seconds that all kernels would have saved in this process, whether numba cannot be used in it, and whether it has
    # been told that its cache cannot.
    _work, _absent, _told = 0.0, False, False

    def __init__(self, package: str, saved: float, *names: str) -> None:
        self._package, self._saved, self._names = package, saved, names
        self._module: ModuleType | None = None
        self._ready = False
        # Seconds of work that pay for loading, or for compiling.
        self._needed = _LOADING

    def load(self, rows: int) -> Any | None:
        """The module of kernels, or None where numpy has to do the work of this many rows.

        Raises
        ------
        ImportError
            If the mode is `ALWAYS` and numba cannot be imported.
        """
        mode = Kernels.mode
        if mode == NEVER or (Kernels._absent and mode != ALWAYS):
            return None
        if self._ready or mode == ALWAYS:
            return self._module or self._load()
        Kernels._work += rows * self._saved + _CALL * (rows > 0)
        if Kernels._work < self._needed:
            return None
        module = self._module or self._load()
        if module is not None and not _cached(module, self._names):
            if self._needed < _COMPILING:
                self._needed = _COMPILING
                return None
            _log.info("the kernels of %s are compiled, which takes about %g s", self._package, _COMPILING)
        self._ready = module is not None
        return module

    def _load(self) -> ModuleType | None:
        """Import the kernels. None if numba is absent, cannot be used, or does not compile."""
        core = __name__.rpartition(".numerics.")[0]
        try:
            module = import_module(f"{core}.{self._package}.compiled")
            _make_cache_optional(module)
        # An installed numba may not support the installed numpy, or no longer what the kernels ask of it.
        except Exception as error:
            if Kernels.mode == ALWAYS:
                raise ImportError(f"kernels are to be used {ALWAYS}, but numba cannot be used: {error}") from error
            Kernels._absent = True
            if not (isinstance(error, ImportError) and error.name == "numba"):
                warnings.warn(f"numba cannot be used: {error}", RuntimeWarning, stacklevel=3)
            return None
        # With NUMBA_DISABLE_JIT, numba leaves the functions as they are, and numpy is faster.
        Kernels._absent = Kernels.mode != ALWAYS and not _compiled(module)
        self._module = None if Kernels._absent else module
        return self._module


def _compiled(module: ModuleType) -> dict[str, Any]:
    """The kernels of a module, by their names."""
    return {name: value for name, value in vars(module).items() if hasattr(value, "stats") and name[0] != "_"}


def _clear_outdated(module: ModuleType) -> None:
    """Clear the cache of kernels that were compiled from another source, with other constants, or by another numba.

    Constants become part of the compiled code. But numba does not compare those that other modules define, and an
    update of the package leaves the cache in place. What another numba has compiled is not loaded, and would be taken
    for a cache that is complete.
    """
    constants = sorted(f"{name} {value!r}" for name, value in vars(module).items() if isinstance(value, _CONSTANTS))
    version = getattr(sys.modules.get("numba"), "__version__", "")
    content = "\n".join([version, *constants]).encode() + Path(str(module.__file__)).read_bytes()
    current = hashlib.sha256(content).hexdigest()
    for folder in {Path(each.stats.cache_path) for each in _compiled(module).values()}:
        known = folder / f"compiled.{_PYTHON}.sha256"
        if not known.exists() or known.read_text() != current:
            for file in folder.glob(f"compiled.*.{_PYTHON}.*nb[ic]"):
                file.unlink(missing_ok=True)
            folder.mkdir(parents=True, exist_ok=True)
            known.write_text(current)


def _make_cache_optional(module: ModuleType) -> None:
    """Have kernels compiled in memory where the files of their cache are damaged or outdated, or cannot be written.

    Otherwise numba raises the error out of the call that needs the kernel.
    """
    caches = [each._cache for each in vars(module).values() if hasattr(each, "stats") and hasattr(each, "_cache")]
    for cache in caches:
        for name in ("load_overload", "save_overload"):
            access = getattr(cache, name)
            if not hasattr(access, "__wrapped__"):
                setattr(cache, name, _optional(cache, access))
    try:
        _clear_outdated(module)
    except OSError as error:
        for cache in caches:
            cache.disable()
        _tell(error)


def _optional(cache: Any, access: Callable[..., Any]) -> Callable[..., Any]:
    """A method of a cache of numba that empties the cache where it fails."""

    @functools.wraps(access)
    def tried(*arguments: Any) -> Any:
        try:
            return access(*arguments)
        # Damaged files raise errors of any type.
        except Exception as error:
            with contextlib.suppress(Exception):
                cache.flush()
            _tell(error)
            return None

    return tried


def _tell(error: Exception) -> None:
    """Warn once in a process that the cache of numba cannot be used."""
    if not Kernels._told:
        Kernels._told = True
        warnings.warn(f"the cache of numba cannot be used: {error}", RuntimeWarning, stacklevel=2)


def _cached(module: ModuleType, names: tuple[str, ...]) -> bool:
    """Whether the cache of numba contains these kernels of a module, or all if no names are given."""
    public = _compiled(module)
    kernels = [public[name] for name in names or public]
    return all(any(Path(each.stats.cache_path).glob(f"*.{each.__name__}-*.{_PYTHON}.*.nbc")) for each in kernels)
