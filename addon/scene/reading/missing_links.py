# SPDX-License-Identifier: GPL-3.0-or-later
"""Data-blocks of a scene that are linked from a file in which Blender has not found them."""

from collections.abc import Iterable, Iterator

import bpy

from ...model.message import Message
from ...model.report import Issue
from ..objects.facts import missing_file


def missing_links(view_layer: bpy.types.ViewLayer) -> list[Issue]:
    """The missing collections, and the objects of the scene that are missing, or whose data or collection is."""
    scene = view_layer.id_data
    assert isinstance(scene, bpy.types.Scene)
    named = ((ob.name, missing_file(ob, ob.data, _instanced(ob))) for ob in _objects(scene.objects))
    return missing_collections(view_layer) + [_issue(name, file) for name, file in named if file]


def missing_collections(view_layer: bpy.types.ViewLayer) -> list[Issue]:
    """The missing collections, including those in instances. Their objects do not exist, so they cannot be reported.

    Collections excluded from the view layer do not take part in a check, so they may be missing.
    """
    instanced = dict.fromkeys(filter(None, map(_instanced, _objects(view_layer.objects))))
    # A collection in several others is listed for each of them.
    found = dict.fromkeys(_included(view_layer.layer_collection))
    found |= dict.fromkeys(one for above in instanced for one in above.children_recursive)
    named = ((one.name, missing_file(one)) for one in found)
    return [_issue(name, file) for name, file in named if file]


def _issue(name: str, file: str) -> Issue:
    return Issue("missing-link", "error", name, Message("Data linked from {file} is missing.", file=file))


def _instanced(ob: bpy.types.Object) -> bpy.types.Collection | None:
    """The collection that an object instances. A collection that is set but not instanced does not count."""
    return ob.instance_collection if ob.instance_type == "COLLECTION" else None


def _included(above: bpy.types.LayerCollection) -> Iterator[bpy.types.Collection]:
    """The collections below one that are not excluded. One may be in an excluded collection."""
    for below in above.children:
        if not below.exclude:
            yield below.collection
        yield from _included(below)


def _objects(objects: Iterable[bpy.types.Object]) -> Iterator[bpy.types.Object]:
    """The objects, and those of the collections that they instance."""
    found = list(objects)
    known = set(found)
    for ob in found:  # grows during the loop
        yield ob
        instanced = _instanced(ob)
        inside = instanced.all_objects if instanced is not None else ()
        new = [one for one in inside if one not in known]
        known.update(new)
        found += new
