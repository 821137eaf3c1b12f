# SPDX-License-Identifier: GPL-3.0-or-later
"""Collision detection over batches of shapes, with numpy alone.

Make shapes and query them::

    import collision_kit.core as ck

    boxes = ck.Boxes(center=[[0, 0, 0]], half_extents=[[1, 1, 1]])
    balls = ck.Spheres(center=[[1.5, 0, 0], [4, 0, 0]], radius=[1, 1])
    ck.overlap(boxes, balls)               # [True, False]
    ck.distance(boxes, balls).distance     # [-0.5, 2.0]: negative is penetration depth

All normals point from A to B; below zero is penetration; lengths are in the caller's unit, float64.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import convexity as convexity
    from . import fit as fit
    from . import mesh as mesh
    from . import numerics as numerics
    from . import shapes as shapes
    from .public import *  # noqa: F403

    __version__: str


def __getattr__(name: str) -> Any:
    """Load the public names at their first use, so that importing a constant does not load numpy."""
    if name == "__version__":
        # That of the package around this one, which `core` does not depend on otherwise.
        return import_module(".._version", __name__).__version__
    missing = AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name.startswith("__") and name != "__all__":
        raise missing
    try:
        # A module of that name first: modules import each other from here, before `public` can import them all.
        found = import_module(f"{__name__}.{name}")
    except ModuleNotFoundError as error:
        if error.name != f"{__name__}.{name}":
            raise
        public = import_module(f"{__name__}.public")
        if not hasattr(public, name):
            raise missing from None
        found = getattr(public, name)
    globals()[name] = found
    return found


def __dir__() -> list[str]:
    return list(__getattr__("__all__"))
