# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts with a count: the English singular of each, and the number of forms in other languages."""

from collections.abc import Callable, Mapping

# The value of `{count}` decides. Texts that are used for several only, such as those about pieces, are not included.
SINGULAR = {
    # Tested objects and results
    "{count} bodies tested": "{count} body tested",
    "{count} pairs by collision layers": "{count} pair by collision layers",
    "Not listed: {count} pairs that touch and never move": "Not listed: {count} pair that touches and never moves",
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
    "{count} falls": "{count} fall",
    "{count} places without a way back": "{count} place without a way back",
    "{count} snags": "{count} snag",
    "{count} narrow passages": "{count} narrow passage",
    "{count} high steps": "{count} high step",
    "{count} steep slopes": "{count} steep slope",
    "{count} unreachable floors": "{count} unreachable floor",
    "{count} starts added": "{count} start added",
    "Pairs within it share one line, and {count} of {total} pairs remain": (
        "Pairs within it share one line, and {count} of {total} pairs remains"
    ),
    "{count} of {total} pairs remain with all of these rules": (
        "{count} of {total} pairs remains with all of these rules"
    ),
    "{count} pairs within {name}": "{count} pair within {name}",
    "{count} pairs with the surroundings {name}": "{count} pair with the surroundings {name}",
    "{count} pairs with {name}, which others are in": "{count} pair with {name}, which others are in",
    "{count} pairs of colliders that belong to no mesh": "{count} pair of colliders that belong to no mesh",
    "{count} pairs of static objects": "{count} pair of static objects",
    "{count} pairs of assets in one place": "{count} pair of assets in one place",
    "{count} pairs of copies of {name}": "{count} pair of copies of {name}",
    "{count} rules added": "{count} rule added",
    "{count} selected objects": "{count} selected object",
    "{count} collections with fewer pairs are not shown": "{count} collection with fewer pairs is not shown",
    "{count} smaller groups are not shown": "{count} smaller group is not shown",
    # Objects
    "{count} objects": "{count} object",
    "{count} of {total} colliders are hidden; tested with the other colliders only.": (
        "{count} of {total} colliders is hidden; tested with the other colliders only."
    ),
    "Comparing: {done} of {total} objects": "Comparing: {done} of {total} object",
    "{count} objects compared": "{count} object compared",
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
    "{sentence} {count} other objects are held only by it.": "{sentence} {count} other object is held only by it.",
    "{count} floating objects": "{count} floating object",
    "{count} Parts": "{count} Part",
    "{count} Pieces": "{count} Piece",
    "{engine} does not read the names of {count} colliders": "{engine} does not read the name of {count} collider",
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
    """Return an English text in the form for its `count`: the singular for one."""
    return SINGULAR.get(text, text) if str(values.get("count")) == "1" else text


def _one_form(_count: int) -> int:
    return 0


def _one_and_others(count: int) -> int:
    return int(count != 1)


def _up_to_one_and_others(count: int) -> int:
    return int(count > 1)


def _few(count: int) -> bool:
    return count % 10 in (2, 3, 4) and count % 100 not in (12, 13, 14)


def _east_slavic(count: int) -> int:
    if count % 10 == 1 and count % 100 != 11:
        return 0
    return 1 if _few(count) else 2


def _polish(count: int) -> int:
    return 0 if count == 1 else 1 if _few(count) else 2


def _czech(count: int) -> int:
    return 0 if count == 1 else 1 if count in (2, 3, 4) else 2


def _romanian(count: int) -> int:
    return 0 if count == 1 else 1 if count == 0 or 0 < count % 100 < 20 else 2


def _lithuanian(count: int) -> int:
    if count % 10 == 1 and count % 100 != 11:
        return 0
    return 1 if count % 10 >= 2 and not 10 < count % 100 < 20 else 2


def _slovenian(count: int) -> int:
    return {1: 0, 2: 1, 3: 2, 4: 2}.get(count % 100, 3)


def _arabic(count: int) -> int:
    if count < 3:
        return count
    return 3 if 3 <= count % 100 <= 10 else 4 if count % 100 > 10 else 5


# For each language, the form of a number and the number of forms, from "Plural forms" in the gettext manual. Languages
# that are not listed have a singular and a plural, as in English.
_RULES: dict[str, tuple[Callable[[int], int], int]] = {
    **dict.fromkeys(("id", "ja", "ko", "ms", "th", "vi", "zh"), (_one_form, 1)),
    **dict.fromkeys(("fr", "pt_BR"), (_up_to_one_and_others, 2)),
    **dict.fromkeys(("be", "bs", "hr", "ru", "sr", "uk"), (_east_slavic, 3)),
    **dict.fromkeys(("cs", "sk"), (_czech, 3)),
    "ar": (_arabic, 6),
    "lt": (_lithuanian, 3),
    "pl": (_polish, 3),
    "ro": (_romanian, 3),
    "sl": (_slovenian, 4),
}

# Separates a text from the number of its form in catalogs.
_FORM = "\x1f"


def _rule(language: str) -> tuple[Callable[[int], int], int]:
    usual = (_one_and_others, 2)
    return _RULES.get(language) or _RULES.get(language.partition("_")[0].partition("@")[0], usual)


def form_count(language: str) -> int:
    """Return the number of plural forms of a language, such as ``pl`` or ``pt_BR``."""
    return _rule(language)[1]


def plural_form(language: str, count: int) -> int:
    """Return the index of the form for a count, from zero."""
    return _rule(language)[0](count)


def of_form(text: str, form: int) -> str:
    """Return the key of a form of an English plural text in catalogs."""
    return f"{text}{_FORM}{form}"


def is_form(text: str) -> bool:
    """Return whether this is the key of a form and not a text."""
    return _FORM in text
