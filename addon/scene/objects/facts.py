# SPDX-License-Identifier: GPL-3.0-or-later
"""All properties of an object that a reading depends on, except its placement and geometry."""

import os
from typing import NamedTuple

import bpy

from .choice import ShapeChoice, choice_by
from .collision_settings import CollisionTraits, settings_of, traits_by
from .structure import Structure, structure_of


class ObjectFacts(NamedTuple):
    """An object as plain data. Equal as long as nothing that a reading depends on has changed.

    Attributes
    ----------
    uid : int
        `session_uid`, as for all objects below. 0: none.
    name, type, instance_type : str
    parent : int
    collection : int
        The collection that it instances. 0: none.
    hide_viewport : bool
        Disabled in viewports.
    setting : str
        The shape that the user has set. AUTO if nothing is set.
    made : bool
        Whether it was made as a collider of its parent.
    choice : ShapeChoice
    traits : CollisionTraits
    structure : Structure
    part_of : str
        The name of the object that the user has made it part of.
    rigid_body : str
        The shape of its rigid body. Empty: none.
    rigid_margin : float
        The margin of its rigid body. -1 if it is not used.
    size : float
        The display size of an empty.
    library : str
        The name of the file that it is linked from. Empty: the open file.
    library_file : str
        The path of the file that it, or the object that it overrides, is linked from. Empty: the open file.
    lod_group : bool
        Whether the FBX exporter makes a group of levels of detail from it.
    motion : str
        static, dynamic or kinematic, from its settings or its rigid body. Empty: undeclared.
    joined : tuple of int
        The two objects that its rigid body constraint links, if these do not collide. Empty for all other objects.
    missing : str
        The missing file from which it, its data or its instanced collection is linked.
    """

    uid: int
    name: str
    type: str
    instance_type: str
    parent: int
    collection: int
    hide_viewport: bool
    setting: str
    made: bool
    choice: ShapeChoice
    traits: CollisionTraits
    structure: Structure
    part_of: str
    rigid_body: str
    rigid_margin: float
    size: float
    library: str
    library_file: str
    lod_group: bool
    motion: str
    joined: tuple[int, ...]
    missing: str

    @property
    def extras(self) -> tuple[object, ...]:
        """The data other than geometry and matrix that determines the shape of a collider for a given object."""
        return (self.type, self.size, self.rigid_margin, self.traits.margin)


def facts_of(ob: bpy.types.Object) -> ObjectFacts:
    """Read the facts of an original object."""
    settings, body, parent, kind, instances = settings_of(ob), ob.rigid_body, ob.parent, ob.type, ob.instance_type
    traits = traits_by(settings, ob)
    collection = ob.instance_collection if instances == "COLLECTION" else None
    return ObjectFacts(
        ob.session_uid,
        ob.name,
        kind,
        instances,
        parent.session_uid if parent is not None else 0,
        collection.session_uid if collection is not None else 0,
        ob.hide_viewport,
        settings.shape,
        settings.collider.kind != "NONE",
        choice_by(settings, ob),
        traits,
        structure_of(ob, settings),
        settings.part_of.name if traits.part_of else "",
        body.collision_shape if body is not None else "",
        body.collision_margin if body is not None and body.use_margin else -1.0,
        ob.empty_display_size if kind == "EMPTY" else 0.0,
        ob.library.name if ob.library is not None else "",
        _library_file(ob),
        kind == "EMPTY" and ob.get("fbx_type") == "LodGroup",
        motion_type(body) if settings.motion == "AUTO" else settings.motion.lower(),
        _joined(ob.rigid_body_constraint),
        missing_file(ob, ob.data, collection),
    )


def motion_type(body: bpy.types.RigidBodyObject | None) -> str:
    """Return how a rigid body moves: static, dynamic or kinematic. Empty: no rigid body."""
    if body is None:
        return ""
    # An inactive rigid body is moved by its animation, if it has any.
    if body.kinematic:
        return "kinematic"
    return "dynamic" if body.type == "ACTIVE" and body.enabled else "static"


def _joined(constraint: bpy.types.RigidBodyConstraint | None) -> tuple[int, ...]:
    """The objects that a constraint links, if it disables their collisions."""
    if constraint is None or not constraint.enabled or not constraint.disable_collisions:
        return ()
    return tuple(ob.session_uid for ob in (constraint.object1, constraint.object2) if ob is not None)


def missing_file(*linked: bpy.types.ID | None) -> str:
    """The name of the file of the first of these that Blender has not found. Empty if none is missing."""
    return next((_file_of(one) for one in linked if one is not None and one.is_missing), "")


def _library_file(ob: bpy.types.Object) -> str:
    """The path of the file that an object, or the object that it overrides, is linked from."""
    override = ob.override_library
    library = ob.library if override is None or override.reference is None else override.reference.library
    return os.path.normpath(bpy.path.abspath(library.filepath)) if library is not None else ""


def _file_of(missing: bpy.types.ID) -> str:
    """The name of the file that a datablock is linked from."""
    library = missing.library
    return bpy.path.basename(library.filepath) if library is not None else missing.name
