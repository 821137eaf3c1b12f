# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to know about an object apart from where it is and what it looks like, read in one go."""

import os
from typing import NamedTuple

import bpy

from .choice import Choice, choice_by
from .traits import Traits, settings_of, traits_by


class Facts(NamedTuple):
    """An object as plain data, equal as long as nothing about it has changed that a reading of the scene goes by.

    Attributes
    ----------
    uid : int
        `session_uid`, as for all objects below; 0: none.
    name, type, instance_type : str
    parent : int
    collection : int
        What it instances; 0: no collection.
    hide_viewport : bool
        Disabled in viewports.
    setting : str
        The shape that the user has set; AUTO where nothing is.
    made : bool
        Made as a collider of what it is parented to.
    choice : Choice
    traits : Traits
    part_of : str
        The name of what the user has said it is part of.
    rigid_body : str
        The shape of its rigid body; "": it has none.
    rigid_margin : float
        That of its rigid body; -1 where it is not used.
    size : float
        Of an empty, as it is displayed.
    library : str
        The name of the file that it is linked from; "": it is of the open file.
    library_file : str
        The path of the file that it, or what it overrides, is linked from; "": it is of the open file.
    missing : str
        The file from which it, its data or what it instances is linked, where Blender has not found it there.
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
    choice: Choice
    traits: Traits
    part_of: str
    rigid_body: str
    rigid_margin: float
    size: float
    library: str
    library_file: str
    missing: str

    @property
    def extras(self) -> tuple[object, ...]:
        """What of it, apart from geometry and matrix, decides the shape of an object that stands for a given one."""
        return (self.type, self.size, self.rigid_margin, self.traits.margin)


def facts_of(ob: bpy.types.Object) -> Facts:
    """Read an original object."""
    settings, body, parent, kind, instances = settings_of(ob), ob.rigid_body, ob.parent, ob.type, ob.instance_type
    traits = traits_by(settings, body)
    collection = ob.instance_collection if instances == "COLLECTION" else None
    return Facts(
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
        settings.part_of.name if traits.part_of else "",
        body.collision_shape if body is not None else "",
        body.collision_margin if body is not None and body.use_margin else -1.0,
        ob.empty_display_size if kind == "EMPTY" else 0.0,
        ob.library.name if ob.library is not None else "",
        _library_file(ob),
        next((_file_of(one) for one in (ob, ob.data, collection) if one is not None and one.is_missing), ""),
    )


def _library_file(ob: bpy.types.Object) -> str:
    """The path of the file that an object, or what it overrides, is linked from."""
    override = ob.override_library
    library = ob.library if override is None or override.reference is None else override.reference.library
    return os.path.normpath(bpy.path.abspath(library.filepath)) if library is not None else ""


def _file_of(missing: bpy.types.ID) -> str:
    """The name of the file that something is linked from."""
    library = missing.library
    return bpy.path.basename(library.filepath) if library is not None else missing.name
