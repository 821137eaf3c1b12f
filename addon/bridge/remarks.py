# SPDX-License-Identifier: GPL-3.0-or-later
"""What the bridge has to say about single objects: every finding it can make, its id, severity and words.

Each message is one sentence about "it", the object: what is wrong or special, and what was done.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ...core.convexity import Solidity
from .choice import Choice


class Remark(NamedTuple):
    """A finding without its object."""

    id: str
    severity: str  # "error", "warning" or "info"
    message: str


_SHAPE_NAMES = {
    "BOX": "box",
    "SPHERE": "sphere",
    "CAPSULE": "capsule",
    "CYLINDER": "cylinder",
    "CONE": "cone",
}

MATRIX_NOT_FINITE = Remark(
    "non-finite", "error", "Its location, rotation or scale is infinite or not a number; it was not tested."
)
VERTEX_NOT_FINITE = Remark(
    "non-finite",
    "error",
    "A vertex of it is at an infinite place or at none (not a number); it was not tested.",
)
NO_PLANE = Remark(
    "no-plane", "error", "It is scaled to nothing, so its XY plane bounds no half-space; it was not tested."
)
NO_FACES = Remark("no-faces", "info", "It has vertices but no faces; the convex hull of its vertices was tested.")
ZERO_SCALE = Remark(
    "zero-scale", "warning", "It is scaled to nothing along at least one direction; its flat hull was tested."
)
NOT_A_CAPSULE = Remark(
    "not-a-capsule",
    "warning",
    "Its name says capsule (UCP_), but its vertices are more than 5 % off one; "
    "the capsule between its two farthest vertices was tested, as Unreal would make it.",
)
CONE = Remark(
    "unsupported-shape",
    "info",
    "Its rigid body is a cone, which cannot be tested as such yet; the convex hull of its mesh was tested.",
)
OPEN_MESH = Remark(
    "open-mesh", "info", "Its mesh is not closed; it was tested as a surface, which has no inside and no thickness."
)
DISTORTED_EMPTY = Remark(
    "scaled-sphere",
    "error",
    "Its scale is not the same in every direction, which makes its sphere an ellipsoid; it was not tested.",
)

SCRIPT_NOT_RUN = Remark(
    "script-not-run", "error", "This script was not run because scripts are disabled; it might move objects."
)


def driver_not_run(path: str) -> Remark:
    """A driver for which Python would be needed."""
    return Remark(
        "script-not-run",
        "error",
        f"Its Python driver of {path} was not run because scripts are disabled; positions and shapes might be wrong.",
    )


def distorted(shape: str) -> Remark:
    """Its matrix makes something else of the shape."""
    if shape == "BOX":
        return Remark(
            "sheared-box",
            "warning",
            "Its matrix is sheared (a parent scaled unevenly), so its box has no right angles; "
            "its convex hull was tested.",
        )
    name = _SHAPE_NAMES[shape]
    return Remark(
        f"scaled-{name}",
        "warning",
        f"Its scale is not the same in every direction, so it is no {name} any more; its convex hull was tested.",
    )


def not_a(choice: Choice) -> Remark:
    """The mesh is not what its name says."""
    name = _SHAPE_NAMES[choice.shape]
    return Remark(
        f"not-a-{name}",
        "warning",
        f"Its name says {name} ({choice.note}_), but its mesh is none, and Unreal would refuse it; "
        "its convex hull was tested.",
    )


def no_geometry(shape: str) -> Remark:
    """A shape was asked for of something that has no surface."""
    name = _SHAPE_NAMES.get(shape, "convex hull")
    return Remark("no-geometry", "error", f"It is set to {name}, but has no surface to make one of; it was not tested.")


def off_center(shape: str, distance: float) -> Remark:
    """A rigid body whose mesh is not about its origin."""
    name = _SHAPE_NAMES[shape]
    return Remark(
        "off-center-rigid-body",
        "warning",
        f"Blender's simulation puts its {name} on its origin, {distance:.3g} (before scaling) from the "
        "middle of its mesh; the shape was tested there.",
    )


def rigid_body_margin(margin: float) -> Remark:
    """A rigid body that collides before it is touched."""
    return Remark(
        "rigid-body-margin",
        "info",
        f"Its rigid body has a collision margin of {margin:.3g}; the shape was tested without it.",
    )


def circular_body(names: Sequence[str]) -> Remark:
    """Objects each of which is said to be part of the next."""
    if len(names) == 1:
        return Remark("circular-body", "warning", "It is said to be part of itself, which says nothing.")
    listed = " → ".join([*names, names[0]])
    return Remark(
        "circular-body",
        "warning",
        f"It is said to be part of itself by way of others ({listed}); all of them were tested as one body.",
    )


def lost_body(name: str) -> Remark:
    """An object that is said to be part of one that is not there."""
    return Remark(
        "lost-body",
        "warning",
        f"It is said to be part of “{name}”, which is not in this scene; it was tested as a body of its own.",
    )


def concave_collider(solidity: Solidity, hull_volume: float) -> Remark:
    """A UCX_ mesh that is not convex."""
    return Remark(
        "concave-collider",
        "warning",
        f"Its name says convex (UCX_), but its mesh is not; {_hull_of(solidity, hull_volume)} was tested.",
    )


def _hull_of(solidity: Solidity, hull_volume: float) -> str:
    if not solidity.closed:
        return "its convex hull, with every opening and hollow filled,"
    if hull_volume <= 1.01 * solidity.volume:
        return "its convex hull, which is less than 1 % larger,"
    if hull_volume <= 1000.0 * solidity.volume:
        return f"its convex hull, {hull_volume / solidity.volume:.3g} times its volume with every hollow filled,"
    return "its convex hull, with every hollow filled,"


def orphan_collider(name: str) -> Remark:
    """A collider that stands for nothing."""
    return Remark(
        "orphan-collider",
        "warning",
        f"Its name says that it is the collider of {name!r}, but there is no such object; "
        "it was tested as a body of its own.",
    )


def lone_collider() -> Remark:
    """A collider that was made as one, and stands for nothing any more."""
    return Remark(
        "orphan-collider",
        "warning",
        "It was made as a collider, but the object that it was made for is gone; it was tested as a body of its own.",
    )


def missing(file: str) -> Remark:
    """An object that is linked from a file in which Blender has not found it, or its mesh, or its collection."""
    return Remark("missing-link", "error", f"What is linked from {file} for it is not there; it was not tested.")


def hidden_colliders(hidden: int, total: int) -> Remark:
    """A render mesh some or all of whose colliders cannot be seen."""
    if hidden == total:
        which = "Its collider is" if total == 1 else f"All {total} of its colliders are"
        return Remark("hidden-colliders", "warning", f"{which} hidden; its own mesh was tested.")
    which = f"{hidden} of its {total} colliders {'is' if hidden == 1 else 'are'}"
    return Remark("hidden-colliders", "warning", f"{which} hidden; only the others were tested.")
