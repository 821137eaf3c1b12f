# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts that count something: how each reads of one thing. Korean has one form, that of the plural, for both."""

from collections.abc import Mapping

# What stands in `{count}` decides. Texts that are said of several only, such as the pieces of what is in pieces, are
# not here.
SINGULAR = {
    # What was tested and found
    "{count} bodies tested": "{count} body tested",
    "{bodies} bodies tested, {count} of them move": "{bodies} bodies tested, {count} of them moves",
    "{count} pairs by their groups": "{count} pair by its groups",
    "Catching up: {count} pairs left": "Catching up: {count} pair left",
    "Testing pairs: {done} of {total}, {count} collisions so far": (
        "Testing pairs: {done} of {total}, {count} collision so far"
    ),
    "{count} contacts": "{count} contact",
    "Following motion: frame {frame} of {end}, {count} contacts so far": (
        "Following motion: frame {frame} of {end}, {count} contact so far"
    ),
    "{count} begin to touch": "{count} begins to touch",
    "{count} touch from the start": "{count} touches from the start",
    "{count} markers added": "{count} marker added",
    "{count} markers removed": "{count} marker removed",
    "Motion jumps {count} times, first after frame {frame}; tested only where each jump ends.": (
        "Motion jumps once, after frame {frame}; tested only where the jump ends."
    ),
    # Objects
    "{count} of {total} colliders are hidden; tested with the other colliders only.": (
        "{count} of {total} colliders is hidden; tested with the other colliders only."
    ),
    "{count} objects selected": "{count} object selected",
    "{count} objects hidden": "{count} object hidden",
    "Looking through the camera: {done} of {count} frames": ("Looking through the camera: {done} of {count} frame"),
    # Geometry
    "{count} vertices": "{count} vertex",
    "{count} edges": "{count} edge",
    "{count} faces": "{count} face",
    "“{name}”: {count} convex pieces": "“{name}”: {count} convex piece",
    "“{name}”: {count} convex pieces made": "“{name}”: {count} convex piece made",
    "{count} of {total} meshes are not convex": "{count} of {total} meshes is not convex",
    "{count} edges selected": "One edge selected",
    "It folds inward at {count} edges, by up to {length} and {angle}": (
        "It folds inward at one edge, by {length} and {angle}"
    ),
    "It is open: {count} edges have one face only": "It is open: {count} edge has one face only",
    "It has walls inside: {count} edges have more than two faces": (
        "It has walls inside: {count} edge has more than two faces"
    ),
    # Validation
    "{count} colliders validated": "{count} collider validated",
    "Validating: {done} of {total} tests, {count} findings so far": (
        "Validating: {done} of {total} tests, {count} finding so far"
    ),
    "{count} errors": "{count} error",
    "{count} warnings": "{count} warning",
    "{count} notes": "{count} note",
    "{count} repairs": "{count} repair",
    "{count} findings left": "{count} finding left",
    "{count} of its triangles have no area.": "{count} of its triangles has no area.",
    "{count} of its vertices lie exactly on others.": "{count} of its vertices lies exactly on another.",
    "Some of its faces point in and some out: they change sides at {count} edges.": (
        "Some of its faces point in and some out: they change sides at {count} edge."
    ),
    "Its mesh is not closed ({count} open edges), so it has no inside: things can get in and stay there.": (
        "Its mesh is not closed ({count} open edge), so it has no inside: things can get in and stay there."
    ),
}


def agreeing(text: str, values: Mapping[str, object]) -> str:
    """Return an English text in the form that agrees with its `count`: of one, the singular."""
    return SINGULAR.get(text, text) if str(values.get("count")) == "1" else text
