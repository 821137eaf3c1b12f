# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues of a reading about single objects: every possible issue, with id, severity and text.

Each message is one sentence about the object, whose name is shown beside it: the problem, and the result.
"""

from collections.abc import Sequence
from typing import NamedTuple

from ....core.convexity import Solidity
from ...asset_rules.limits import Length
from ...model.message import Message
from ..objects.choice import ShapeChoice


class ReadingIssue(NamedTuple):
    """An issue without its object."""

    id: str
    severity: str  # "error", "warning" or "info"
    message: Message


# As used in a sentence.
SHAPE_NAMES = {
    "BOX": Message("box"),
    "SPHERE": Message("sphere"),
    "CAPSULE": Message("capsule"),
    "ELLIPSOID": Message("ellipsoid"),
    "CYLINDER": Message("cylinder"),
    "CONE": Message("cone"),
    "HULL": Message("convex hull"),
    "MESH": Message("triangle mesh"),
}

MATRIX_NOT_FINITE = ReadingIssue(
    "non-finite", "error", Message("Location, rotation or scale is infinite or not a number; not tested.")
)
VERTEX_NOT_FINITE = ReadingIssue(
    "non-finite", "error", Message("A vertex coordinate is infinite or not a number; not tested.")
)
NO_PLANE = ReadingIssue("no-plane", "error", Message("Scale is zero, so the plane has no direction; not tested."))
NO_FACES = ReadingIssue(
    "no-faces", "info", Message("Mesh has vertices but no faces; tested as the convex hull of its vertices.")
)
ZERO_SCALE = ReadingIssue(
    "zero-scale", "warning", Message("Scale is zero along at least one axis; tested as a flat convex hull.")
)
NOT_A_CAPSULE = ReadingIssue(
    "not-a-capsule",
    "warning",
    Message(
        "Name says capsule (UCP_), but the mesh is more than 5 % off one; "
        "tested as the capsule between its two farthest vertices, as Unreal imports it."
    ),
)
OPEN_MESH = ReadingIssue(
    "open-mesh", "info", Message("Mesh is not closed; tested as a surface, without an inside and without thickness.")
)
ELLIPSOID = ReadingIssue(
    "scaled-sphere", "info", Message("Scale is not uniform, which makes the sphere an ellipsoid; tested as one.")
)
FLAT_ELLIPSOID = ReadingIssue(
    "zero-scale", "warning", Message("Scale is zero along at least one axis; tested as a flat ellipsoid.")
)

SCRIPT_NOT_RUN = ReadingIssue(
    "script-not-run", "error", Message("Script was not run because scripts are disabled; it might move objects.")
)


def driver_not_run(path: str) -> ReadingIssue:
    """A driver that needs Python."""
    return ReadingIssue(
        "script-not-run",
        "error",
        Message(
            "Python driver of {path} was not run because scripts are disabled; positions and shapes might be wrong.",
            path=path,
        ),
    )


def distorted(shape: str) -> ReadingIssue:
    """The object's matrix distorts the shape."""
    if shape == "BOX":
        return ReadingIssue(
            "sheared-box",
            "warning",
            Message(
                "Transform is sheared by a parent whose scale is not uniform, so the box has no right angles; "
                "tested as a convex hull."
            ),
        )
    name = SHAPE_NAMES[shape]
    return ReadingIssue(
        f"scaled-{name}",
        "warning",
        Message("Scale is not uniform, so the shape is no longer a {shape}; tested as a convex hull.", shape=name),
    )


def not_a(choice: ShapeChoice) -> ReadingIssue:
    """The mesh is not what its name says."""
    name = SHAPE_NAMES[choice.shape]
    return ReadingIssue(
        f"not-a-{name}",
        "warning",
        Message(
            "Name says {shape} ({prefix}_), but the mesh is not one, so Unreal rejects it; tested as a convex hull.",
            shape=name,
            prefix=choice.note,
        ),
    )


def no_geometry(shape: str) -> ReadingIssue:
    """A shape is set for an object without a surface."""
    return ReadingIssue(
        "no-geometry",
        "error",
        Message("Shape is set to {shape}, but the object has no surface; not tested.", shape=SHAPE_NAMES[shape]),
    )


def off_center(shape: str, distance: float) -> ReadingIssue:
    """A rigid body whose mesh is not centered on its origin."""
    return ReadingIssue(
        "off-center-rigid-body",
        "warning",
        Message(
            "Blender's simulation centers the rigid body's {shape} on the origin, {distance} from the center of the "
            "mesh (before scaling); tested there.",
            shape=SHAPE_NAMES[shape],
            distance=Length(distance),
        ),
    )


def inward_parts(count: int) -> ReadingIssue:
    """A closed mesh with parts that face inward and are not cavities."""
    return ReadingIssue(
        "inward-parts",
        "info",
        Message(
            "Closed parts of the mesh face different ways; those that face inward and are not cavities "
            "({count}) were tested as if they faced outward.",
            count=count,
        ),
    )


def rigid_body_margin(margin: float) -> ReadingIssue:
    """A rigid body with a margin, which makes it collide before it is touched."""
    return ReadingIssue(
        "rigid-body-margin",
        "info",
        Message("Rigid body has a collision margin of {margin}; tested without it.", margin=Length(margin)),
    )


def circular_body(names: Sequence[str]) -> ReadingIssue:
    """Objects that the user has made part of each other, in a cycle."""
    if len(names) == 1:
        return ReadingIssue("circular-body", "warning", Message("Part Of points to the object itself; ignored."))
    return ReadingIssue(
        "circular-body",
        "warning",
        Message(
            "Part Of forms a cycle ({names}); these objects were tested as one body.",
            names=" → ".join([*names, names[0]]),
        ),
    )


def lost_body(name: str) -> ReadingIssue:
    """An object that the user has made part of a missing object."""
    return ReadingIssue(
        "lost-body",
        "warning",
        Message('Part Of points to "{name}", which is not in this scene; tested as a separate body.', name=name),
    )


def concave_collider(solidity: Solidity, hull_volume: float) -> ReadingIssue:
    """A UCX_ mesh that is not convex."""
    return ReadingIssue("concave-collider", "warning", _tested_as_hull(solidity, hull_volume))


def _tested_as_hull(solidity: Solidity, hull_volume: float) -> Message:
    if not solidity.closed:
        return Message(
            "Name says convex (UCX_), but the mesh is not; tested as its convex hull, which fills all holes and "
            "cavities."
        )
    if hull_volume <= 1.01 * solidity.volume:
        return Message(
            "Name says convex (UCX_), but the mesh is not; tested as its convex hull, which is less than 1 % larger."
        )
    if hull_volume <= 1000.0 * solidity.volume:
        return Message(
            "Name says convex (UCX_), but the mesh is not; tested as its convex hull, which has {factor} × its volume.",
            factor=f"{hull_volume / solidity.volume:.3g}",
        )
    return Message("Name says convex (UCX_), but the mesh is not; tested as its convex hull, which fills all cavities.")


EMPTY_COLLIDER = ReadingIssue(
    "empty-collider",
    "warning",
    Message("Name says collider, but engines import none from an empty; not tested."),
)


def orphan_collider(name: str, *, needs_mesh: bool = True) -> ReadingIssue:
    """A collider without an owner. Colliders named for Godot need none."""
    return ReadingIssue(
        "orphan-collider",
        "warning" if needs_mesh else "info",
        Message(
            'Name says collider of "{name}", but there is no such object; tested as a separate body.',
            name=name,
        ),
    )


def lone_collider() -> ReadingIssue:
    """An object that was made as a collider and no longer has an owner."""
    return ReadingIssue(
        "orphan-collider",
        "warning",
        Message("The object that this collider was made for is gone; tested as a separate body."),
    )


def missing(file: str) -> ReadingIssue:
    """A linked object for which Blender has not found the file, its mesh or its collection."""
    return ReadingIssue("missing-link", "error", Message("Data linked from {file} is missing; not tested.", file=file))


def hidden_colliders(hidden: int, total: int) -> ReadingIssue:
    """A render mesh with hidden colliders."""
    if hidden < total:
        message = Message(
            "{count} of {total} colliders are hidden; tested with the other colliders only.", count=hidden, total=total
        )
    elif total > 1:
        message = Message("All {total} colliders are hidden; tested as the render mesh.", total=total)
    else:
        message = Message("The collider is hidden; tested as the render mesh.")
    return ReadingIssue("hidden-colliders", "warning", message)
