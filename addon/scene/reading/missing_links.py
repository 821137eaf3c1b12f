# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene links from a file in which Blender has not found it."""

from collections.abc import Iterator

import bpy

from ...model.message import Message
from ...model.report import Finding
from ..objects.facts import missing_file


def missing_links(scene: bpy.types.Scene) -> list[Finding]:
    """The collections that are missing, and the objects that are, or whose data or collection is."""
    named = ((ob.name, missing_file(ob, ob.data, ob.instance_collection)) for ob in _objects(scene))
    return missing_collections(scene) + [_finding(name, file) for name, file in named if file]


def missing_collections(scene: bpy.types.Scene) -> list[Finding]:
    """The collections that are missing: no object of theirs is there to be told of."""
    named = ((one.name, missing_file(one)) for one in scene.collection.children_recursive)
    return [_finding(name, file) for name, file in named if file]


def _finding(name: str, file: str) -> Finding:
    return Finding("missing-link", "error", name, Message("Data linked from {file} is missing.", file=file))


def _objects(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """The objects of a scene, and those of the collections that are instanced in it."""
    found = list(scene.objects)
    known = set(found)
    for ob in found:  # which grows
        yield ob
        inside = ob.instance_collection.all_objects if ob.instance_collection is not None else ()
        new = [one for one in inside if one not in known]
        known.update(new)
        found += new
