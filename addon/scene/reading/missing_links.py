# SPDX-License-Identifier: GPL-3.0-or-later
"""What a scene links from a file in which Blender has not found it."""

from collections.abc import Iterator

import bpy

from ...model.message import Message
from ...model.report import Finding
from ..objects.facts import missing_file


def missing_links(scene: bpy.types.Scene) -> list[Finding]:
    """The collections that are missing, and the objects that are, or whose data or collection is."""
    named = ((ob.name, missing_file(ob, ob.data, _instanced(ob))) for ob in _objects(scene))
    return missing_collections(scene) + [_finding(name, file) for name, file in named if file]


def missing_collections(scene: bpy.types.Scene) -> list[Finding]:
    """The collections that are missing, in instances too: no object of theirs is there to be told of."""
    instanced = dict.fromkeys(filter(None, map(_instanced, _objects(scene))))
    # One that is in several collections is listed for each of them.
    found = dict.fromkeys(one for above in (scene.collection, *instanced) for one in above.children_recursive)
    named = ((one.name, missing_file(one)) for one in found)
    return [_finding(name, file) for name, file in named if file]


def _finding(name: str, file: str) -> Finding:
    return Finding("missing-link", "error", name, Message("Data linked from {file} is missing.", file=file))


def _instanced(ob: bpy.types.Object) -> bpy.types.Collection | None:
    """The collection that an object is an instance of; one that is only set, and not instanced, is of no account."""
    return ob.instance_collection if ob.instance_type == "COLLECTION" else None


def _objects(scene: bpy.types.Scene) -> Iterator[bpy.types.Object]:
    """The objects of a scene, and those of the collections that are instanced in it."""
    found = list(scene.objects)
    known = set(found)
    for ob in found:  # which grows
        yield ob
        instanced = _instanced(ob)
        inside = instanced.all_objects if instanced is not None else ()
        new = [one for one in inside if one not in known]
        known.update(new)
        found += new
