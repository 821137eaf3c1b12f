# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that count something: how each reads of one thing. Korean has one form, that of the plural, for both."""

from collections.abc import Mapping

# What stands in `{count}` decides. Texts that are said of several only, such as the pieces of what is in pieces, are
# not here.
SINGULAR = {
    # What was tested and found
    "{count} bodies tested": "{count} body tested",
    "{count} pairs by collision layers": "{count} pair by collision layers",
    "Updating: {count} pairs left": "Updating: {count} pair left",
    "Testing pairs: {done} of {total}, {count} collisions found": (
        "Testing pairs: {done} of {total}, {count} collision found"
    ),
    "{count} contacts": "{count} contact",
    "Checking motion: frame {frame} of {end}, {count} contacts found": (
        "Checking motion: frame {frame} of {end}, {count} contact found"
    ),
    "{count} markers added": "{count} marker added",
    "{count} markers removed": "{count} marker removed",
    "Motion jumps {count} times, first after frame {frame}; tested only where each jump ends.": (
        "Motion jumps once, after frame {frame}; tested only where the jump ends."
    ),
    "{count} pairs": "{count} pair",
    "This and {count} other assets are stored in one place, so that pairs between them are no collisions; "
    "Each Asset Alone (--each-asset) tests each on its own.": (
        "This and {count} other asset are stored in one place, so that pairs between them are no collisions; "
        "Each Asset Alone (--each-asset) tests each on its own."
    ),
    "{count} of {total} pairs remain with all of these rules": (
        "{count} of {total} pairs remains with all of these rules"
    ),
    "{count} pairs within {name}": "{count} pair within {name}",
    "{count} pairs of static objects": "{count} pair of static objects",
    "{count} pairs of assets in one place": "{count} pair of assets in one place",
    "{count} pairs of copies of {name}": "{count} pair of copies of {name}",
    "{count} rules added": "{count} rule added",
    "{count} collections with fewer pairs are not shown": "{count} collection with fewer pairs is not shown",
    "{count} smaller groups are not shown": "{count} smaller group is not shown",
    # Objects
    "{count} objects": "{count} object",
    "{count} of {total} colliders are hidden; tested with the other colliders only.": (
        "{count} of {total} colliders is hidden; tested with the other colliders only."
    ),
    "{count} objects selected": "{count} object selected",
    "{count} objects hidden": "{count} object hidden",
    "Culling: {done} of {count} frames": ("Culling: {done} of {count} frame"),
    # Geometry
    "{count} vertices": "{count} vertex",
    "{count} edges": "{count} edge",
    "{count} faces": "{count} face",
    "{count} triangles": "{count} triangle",
    "{count} colliders renamed": "{count} collider renamed",
    '"{name}": {count} convex pieces': '"{name}": {count} convex piece',
    '"{name}" split into {count} convex pieces': '"{name}" is one convex piece',
    "{count} of {total} meshes are not convex": "{count} of {total} meshes is not convex",
    "{count} edges selected": "{count} edge selected",
    "{count} concave edges, by up to {length} and {angle}": ("{count} concave edge, by {length} and {angle}"),
    "{count} boundary edges (only one face)": "{count} boundary edge (only one face)",
    "{count} non-manifold edges (more than two faces)": ("{count} non-manifold edge (more than two faces)"),
    "{count} colliders created": "{count} collider created",
    "{count} pieces: {text}": "{count} piece: {text}",
    "{count} colliders displayed": "{count} collider displayed",
    "{count} colliders hidden": "{count} collider hidden",
    "{count} colliders shown": "{count} collider shown",
    "{count} colliders mirrored": "{count} collider mirrored",
    "{count} colliders selected": "{count} collider selected",
    "{count} duplicates selected": "{count} duplicate selected",
    "Settings copied to {count} colliders": "Settings copied to {count} collider",
    "Collision settings copied to {count} objects": "Collision settings copied to {count} object",
    "Collision settings of {count} objects reset": "Collision settings of {count} object reset",
    '{count} faces of "{name}" intersect other surfaces': '{count} face of "{name}" intersects other surfaces',
    "{count} faces only touch": "{count} face only touches",
    "{count} faces are inside other objects": "{count} face is inside other objects",
    "{count} colliders imported": "{count} collider imported",
    "{count} colliders imported, of which triggers: {triggers}": (
        "{count} collider imported, of which triggers: {triggers}"
    ),
    "{summary}. {count} warnings: see the Info editor": "{summary}. {count} warning: see the Info editor",
    "{count} types compared": "{count} type compared",
    "{count} pairs copied": "{count} pair copied",
    "{count} topics loaded, {found} of listed pairs": "{count} topic loaded, {found} of listed pairs",
    "{count} new contacts": "{count} new contact",
    "{count} near misses": "{count} near miss",
    # Validation
    "{count} colliders validated": "{count} collider validated",
    "Validating: {done} of {total} tests, {count} issues found": (
        "Validating: {done} of {total} tests, {count} issue found"
    ),
    "{count} errors": "{count} error",
    "{count} warnings": "{count} warning",
    "{count} issues fixed": "{count} issue fixed",
    "Validating: {count} issues fixed": "Validating: {count} issue fixed",
    "{count} issues left": "{count} issue left",
    "Mesh has {count} triangles without area.": "Mesh has {count} triangle without area.",
    "Mesh has {count} duplicate vertices.": "Mesh has {count} duplicate vertex.",
    "Normals are inconsistent at {count} edges.": ("Normals are inconsistent at {count} edge."),
    "Mesh is open ({count} boundary edges): objects can get inside and stay there.": (
        "Mesh is open ({count} boundary edge): objects can get inside and stay there."
    ),
}


def agreeing(text: str, values: Mapping[str, object]) -> str:
    """Return an English text in the form that agrees with its `count`: of one, the singular."""
    return SINGULAR.get(text, text) if str(values.get("count")) == "1" else text
