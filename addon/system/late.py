# SPDX-License-Identifier: GPL-3.0-or-later
"""Modules that are loaded when they are first used, so that enabling the add-on is fast.

A package that says ``__getattr__ = modules_of(__name__)`` loads its modules one by one, when they are first accessed.
Code that is imported while the add-on is enabled (the panels, the operators, the results that they show) imports such
packages, uses full names, ``motion.check.steps(context)``, and takes numpy from here, and the module that knows which
kernels run. All other code may import modules and names as usual. `tests/blender/test_startup.py` checks what is loaded
when.
"""

from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

__all__ = ["kernels", "modules_of", "np"]


def modules_of(package: str) -> Callable[[str], ModuleType]:
    """Return a `__getattr__` for a package of this name, which imports its modules when they are first accessed."""

    def load(name: str) -> ModuleType:
        if not name.startswith("_"):
            try:
                return import_module(f"{package}.{name}")
            except ModuleNotFoundError as error:
                if error.name != f"{package}.{name}":
                    raise
        raise AttributeError(f"module {package!r} has no attribute {name!r}")

    return load


class _Late:
    """A module that is loaded when one of its attributes is accessed."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, name: str) -> Any:
        found = getattr(import_module(self._name), name)
        setattr(self, name, found)
        return found


if TYPE_CHECKING:
    import numpy as np

    from ...core.kernels import loading as kernels
else:
    np = _Late("numpy")
    kernels = _Late(f"{__name__.rpartition('.addon.')[0]}.core.kernels.loading")
