# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs that somebody has looked at and found to be as they should be: a lamp let into the wall, a hinge in its door.

A scene remembers them, so that they are undone, saved and loaded with it. An entry names its two objects twice: by
name and library, which is what outlives a file, and by `session_uid`, which outlives a rename. The latter counts as
long as it is this run's; from loading a file on it is, and before a file is saved the names are brought up to date.
"""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import bpy

from ..model.errors import UserError
from ..model.marks import NO_MARKS, Marks, ignored_rows
from ..model.report import ObjectKey, Report
from ..model.rules import IgnoreRule
from ..model.topics import Topic
from . import events
from .objects.labels import labels_of
from .objects.saved_keys import Identities, SavedKey
from .settings import NAME, ignore_rules_of
from .topics import topic_rows, topics_of

PairKey = frozenset[ObjectKey]

# The depth of pairs that were accepted at any depth, as duplicates are. Blender keeps it as float32.
ANY_DEPTH = 2.0**127

# Which run of Blender, and which file in it, the uids of an entry are of.
_stamp = uuid.uuid4().hex
# Raised when entries may have changed.
_version = 0
# The entries of one scene: of which state, and what they say.
_known: tuple[tuple[int, int, int], dict[PairKey, "Accepted"]] = ((0, 0, 0), {})


def entries(scene: bpy.types.Scene) -> Any:
    """The pairs that a scene remembers: a collection of `COLLISION_KIT_PG_accepted`."""
    return getattr(scene, NAME).accepted


def known_pairs(scene: bpy.types.Scene) -> dict[PairKey, "Accepted"]:
    """The accepted pairs of a scene whose objects are there."""
    global _known
    stored = entries(scene)
    state = (scene.session_uid, _version, len(stored))
    if _known[0] != state:
        _known = (
            state,
            {frozenset(keys): Accepted(entry.reason, entry.depth) for entry, keys in _resolved(scene) if keys},
        )
    return _known[1]


class Accepted(NamedTuple):
    """Why a pair was accepted, and how deep its bodies were in each other then; below zero: how far apart."""

    reason: str
    depth: float


def rows(scene: bpy.types.Scene, report: Report) -> tuple[dict[int, str], dict[int, float]]:
    """The rows of a report that are accepted in a scene, and why; and those that are deeper than was accepted."""
    known = known_pairs(scene)
    if not known:
        return {}, {}
    body = {body.key: index for index, body in enumerate(report.bodies)}
    wanted = {
        frozenset(body[key] for key in keys): entry for keys, entry in known.items() if all(key in body for key in keys)
    }
    accepted, deeper = {}, {}
    for row, pair in enumerate(report.pairs):
        entry = wanted.get(frozenset((pair.body_a, pair.body_b)))
        if entry is not None and min(pair.depth, ANY_DEPTH) > entry.depth + pair.touching:
            deeper[row] = entry.depth
        elif entry is not None:
            accepted[row] = entry.reason
    return accepted, deeper


def scene_of(report: Report) -> bpy.types.Scene | None:
    """The scene that a report is of, if that is there and can hold accepted pairs."""
    scene: bpy.types.Scene | None = bpy.data.scenes.get(report.scene)
    return scene if scene is not None and report.file == bpy.data.filepath and hasattr(scene, NAME) else None


def marks_of(report: Report) -> Marks:
    """What the scene of a report says of its pairs."""
    scene = scene_of(report)
    return NO_MARKS if scene is None else marked(scene, report)


def marked(
    scene: bpy.types.Scene,
    report: Report,
    rules: Sequence[IgnoreRule] | None = None,
    topics: Mapping[str, Topic] | None = None,
) -> Marks:
    """What a scene says of the pairs of a report; with the rules and topics that it stores, or these in their place."""
    rules = ignore_rules_of(scene) if rules is None else rules
    said = topic_rows(report, topics_of(scene) if topics is None else topics)
    accepted, deeper = rows(scene, report)
    taken = ignored_rows(report, rules, labels_of(report.bodies)) if rules else {}
    ignored = {row: number for row, number in taken.items() if row not in accepted}
    return Marks(accepted, deeper=deeper, rules=tuple(rules), ignored=ignored, topics=said)


class AcceptedPair(NamedTuple):
    """A pair that a scene remembers as accepted.

    Attributes
    ----------
    name_a, name_b : str
        The names of its objects, as they were when it was accepted or last saved.
    reason : str
        Why it was accepted; "" if no reason was given.
    present : bool
        Whether both objects are in the file.
    """

    name_a: str
    name_b: str
    reason: str
    present: bool


def listed(scene: bpy.types.Scene) -> tuple[AcceptedPair, ...]:
    """The pairs that a scene remembers, also those of objects that are gone."""
    found = []
    for entry, keys in _resolved(scene):
        names = [f"{saved.host}/{saved.name}" if saved.host else saved.name for saved in _names(entry.bodies)]
        if len(names) == 2:
            found.append(AcceptedPair(names[0], names[1], entry.reason, bool(keys)))
    return tuple(found)


def accept(scene: bpy.types.Scene, pairs: Mapping[PairKey, float], reason: str) -> int:
    """Remember pairs as accepted; what was accepted before gets the new reason. Returns how many there were.

    Parameters
    ----------
    scene : bpy.types.Scene
    pairs : mapping of PairKey to float
        How deep each is, below zero: how far apart. Deeper than this, give or take its touching tolerance, it is
        accepted no longer.
    reason : str

    Raises
    ------
    UserError
        If the scene is linked.
    """
    _check_writable(scene)
    stored, identities = entries(scene), Identities()
    found = {frozenset(keys): entry for entry, keys in _resolved(scene) if keys}
    count = 0
    for pair, depth in pairs.items():
        first, second = sorted(pair, key=lambda key: (key.session_uid, key.instancer_uid, key.persistent_id))
        names = [identities.saved(key) for key in (first, second)]
        if None in names:
            continue
        entry = found.get(pair) or stored.add()
        entry.bodies, entry.keys, entry.reason = json.dumps(names), _written((first, second)), reason
        entry.depth = min(depth, ANY_DEPTH)
        count += 1
    changed()
    return count


def withdraw(scene: bpy.types.Scene, pairs: Iterable[PairKey]) -> int:
    """Accept pairs no longer; returns how many were accepted. Raises as `accept`."""
    _check_writable(scene)
    stored, unwanted = entries(scene), set(pairs)
    rows = [row for row, (_, keys) in enumerate(_resolved(scene)) if keys and frozenset(keys) in unwanted]
    for row in reversed(rows):
        stored.remove(row)
    changed()
    return len(rows)


def withdraw_all(scene: bpy.types.Scene) -> int:
    """Accept no pair any longer, not even one whose objects are gone; returns how many were accepted.

    Raises as `accept`.
    """
    _check_writable(scene)
    count = len(entries(scene))
    entries(scene).clear()
    changed()
    return count


@events.on_undo.subscribe
def changed() -> None:
    """Entries may be others than they were, as after an undo."""
    global _version
    _version += 1


def version() -> int:
    """Another number whenever entries may have changed."""
    return _version


@events.on_load.subscribe
def file_loaded() -> None:
    """Other objects have the uids now: find those of the entries by their names."""
    global _stamp
    _stamp = uuid.uuid4().hex
    changed()
    for scene in _writable_scenes():
        for entry, keys in _resolved(scene):
            if keys:
                entry.keys = _written(keys)


@events.on_save.subscribe
def file_saving() -> None:
    """Bring the names of the entries up to date."""
    identities: Identities | None = None
    for scene in _writable_scenes():
        for entry, keys in _resolved(scene):
            identities = identities or Identities()
            names = [identities.saved(key) for key in keys]
            if names and None not in names:
                entry.bodies = json.dumps(names)


def _check_writable(scene: bpy.types.Scene) -> None:
    if scene.library is not None:
        raise UserError("The scene is linked: accept pairs in its own file")


def _writable_scenes() -> Iterator[bpy.types.Scene]:
    return (scene for scene in bpy.data.scenes if scene.library is None and len(entries(scene)))


def _resolved(scene: bpy.types.Scene) -> list[tuple[Any, tuple[ObjectKey, ...]]]:
    """Each entry with what names its two objects now; with nothing if one of them is not there."""
    # What is of the file itself there is of its library here.
    home = scene.library.name if scene.library is not None else ""
    found: list[tuple[Any, tuple[ObjectKey, ...]]] = []
    identities: Identities | None = None
    for entry in entries(scene):
        keys = _read(entry.keys)
        if not keys:
            identities = identities or Identities()
            loaded = [identities.loaded(saved.seen_from(home)) for saved in _names(entry.bodies)]
            keys = tuple(key for key in loaded if key is not None)
        found.append((entry, keys if len(keys) == 2 else ()))
    return found


def _written(keys: Iterable[ObjectKey]) -> str:
    return json.dumps([_stamp, *([key.session_uid, key.instancer_uid, key.persistent_id] for key in keys)])


def _read(text: str) -> tuple[ObjectKey, ...]:
    """The keys that were written in this run and for this file; else nothing."""
    try:
        stamp, *keys = json.loads(text)
        return tuple(ObjectKey(uid, host, tuple(ids)) for uid, host, ids in keys) if stamp == _stamp else ()
    except (ValueError, TypeError):  # Not written by us.
        return ()


def _names(text: str) -> list[SavedKey]:
    try:
        return [
            SavedKey(name, library, host, host_library, tuple(ids))
            for name, library, host, host_library, ids in json.loads(text)
        ]
    except (ValueError, TypeError):  # Not written by us.
        return []
