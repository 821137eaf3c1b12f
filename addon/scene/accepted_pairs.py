# SPDX-License-Identifier: GPL-3.0-or-later
"""Accepted pairs: pairs that a user has judged to be correct, for example a lamp set into a wall, or a hinge in a door.

They are stored in the scene, so they are undone, saved and loaded with it. An entry identifies its two objects in two
ways: by name and library, which remain valid when the file is saved, and by `session_uid`, which remains valid when an
object is renamed. The `session_uid` counts within the session in which it was stored. When a file is loaded it is set
from the names, and before a file is saved the names are updated.
"""

import json
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import bpy

from ..model.errors import UserError
from ..model.json_text import parsed
from ..model.marks import NO_MARKS, PairMarks, ignored_rows
from ..model.probe_report import ProbeReport
from ..model.report import ObjectKey, Report
from ..model.rules import IgnoreRule
from ..model.topics import Topic
from . import events, open_file
from .objects.labels import labels_of
from .objects.saved_keys import Identities, SavedKey
from .settings import NAME, ignore_rules_of, number
from .topics import topic_rows, topics_of

PairKey = frozenset[ObjectKey]

# The depth of pairs that are accepted at any depth, such as duplicates. Blender stores it as float32.
ANY_DEPTH = 2.0**127

# Identifies the session of Blender, and the file in it, to which the uids of an entry belong.
_stamp = uuid.uuid4().hex
# Incremented when entries may have changed.
_version = 0
# The entries of one scene, with the state that they were read from.
_known: tuple[tuple[int, int, int], dict[PairKey, "Accepted"]] = ((0, 0, 0), {})


def entries(scene: bpy.types.Scene) -> Any:
    """The pairs stored in a scene: a collection of `COLLISION_KIT_PG_accepted`."""
    return getattr(scene, NAME).accepted


def known_pairs(scene: bpy.types.Scene) -> dict[PairKey, "Accepted"]:
    """The accepted pairs of a scene whose objects exist."""
    global _known
    stored = entries(scene)
    state = (scene.session_uid, _version, len(stored))
    if _known[0] != state:
        _known = (
            state,
            {
                frozenset(keys): Accepted(entry.reason, number(entry, "depth"))
                for entry, keys in _resolved(scene)
                if keys
            },
        )
    return _known[1]


class Accepted(NamedTuple):
    """The reason why a pair was accepted, and its depth at that time. A negative depth is minus the distance."""

    reason: str
    depth: float


def rows(scene: bpy.types.Scene, report: Report) -> tuple[dict[int, str], dict[int, float]]:
    """The rows of a report that are accepted in a scene, with the reasons, and the rows deeper than accepted."""
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


def scene_of(report: Report | ProbeReport) -> bpy.types.Scene | None:
    """The scene of a report, if it exists and can store accepted pairs."""
    scene: bpy.types.Scene | None = bpy.data.scenes.get(report.scene)
    if scene is None or report.file != open_file.source(scene) or not hasattr(scene, NAME):
        return None
    return scene


def marks_of(report: Report) -> PairMarks:
    """The marks that the scene of a report has for its pairs."""
    scene = scene_of(report)
    return NO_MARKS if scene is None else marked(scene, report)


def marked(
    scene: bpy.types.Scene,
    report: Report,
    rules: Sequence[IgnoreRule] | None = None,
    topics: Mapping[str, Topic] | None = None,
) -> PairMarks:
    """The marks of a scene for the pairs of a report, with the scene's rules and topics or with the given ones."""
    rules = ignore_rules_of(scene) if rules is None else rules
    said = topic_rows(report, topics_of(scene) if topics is None else topics)
    accepted, deeper = rows(scene, report)
    taken = ignored_rows(report, rules, labels_of(report.bodies)) if rules else {}
    ignored = {row: number for row, number in taken.items() if row not in accepted}
    return PairMarks(accepted, deeper=deeper, rules=tuple(rules), ignored=ignored, topics=said)


class AcceptedPair(NamedTuple):
    """A pair that is stored in a scene as accepted.

    Attributes
    ----------
    name_a, name_b : str
        The names of its objects when it was accepted or last saved.
    reason : str
        Why it was accepted. Empty if no reason was given.
    present : bool
        Whether both objects are in the file.
    """

    name_a: str
    name_b: str
    reason: str
    present: bool


def listed(scene: bpy.types.Scene) -> tuple[AcceptedPair, ...]:
    """The pairs stored in a scene, including those whose objects no longer exist."""
    found = []
    for entry, keys in _resolved(scene):
        names = [f"{saved.host}/{saved.name}" if saved.host else saved.name for saved in _names(entry.bodies)]
        if len(names) == 2:
            found.append(AcceptedPair(names[0], names[1], entry.reason, bool(keys)))
    return tuple(found)


def accept(scene: bpy.types.Scene, pairs: Mapping[PairKey, float], reason: str) -> int:
    """Store pairs as accepted, with a new reason for those accepted before. Returns the number of pairs.

    Parameters
    ----------
    scene : bpy.types.Scene
    pairs : mapping of PairKey to float
        The depth of each pair. A negative depth is minus the distance. A pair that gets deeper than this, by more than
        its touching tolerance, is no longer accepted.
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
    """Remove pairs from the accepted ones. Returns how many were accepted. Raises as `accept` does."""
    _check_writable(scene)
    stored, unwanted = entries(scene), set(pairs)
    rows = [row for row, (_, keys) in enumerate(_resolved(scene)) if keys and frozenset(keys) in unwanted]
    for row in reversed(rows):
        stored.remove(row)
    changed()
    return len(rows)


def withdraw_all(scene: bpy.types.Scene) -> int:
    """Remove all accepted pairs, including those whose objects no longer exist. Returns how many there were.

    Raises as `accept` does.
    """
    _check_writable(scene)
    count = len(entries(scene))
    entries(scene).clear()
    changed()
    return count


@events.on_undo.subscribe
def changed() -> None:
    """Record that entries may have changed, for example after an undo."""
    global _version
    _version += 1


def version() -> int:
    """A number that changes whenever entries may have changed."""
    return _version


@events.on_load.subscribe
def file_loaded() -> None:
    """Find the objects of the entries by their names, because uids differ after a file is loaded."""
    global _stamp
    _stamp = uuid.uuid4().hex
    changed()
    for scene in _writable_scenes():
        for entry, keys in _resolved(scene):
            if keys:
                entry.keys = _written(keys)


@events.on_save.subscribe
def file_saving() -> None:
    """Update the names of the entries."""
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
    """Each entry with the current keys of its two objects. Without keys if one of them does not exist."""
    # Objects of a linked scene's own file belong to its library here.
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
    """The keys that were stored in this session and for this file. Otherwise none."""
    try:
        stamp, *keys = parsed(text)
        found = tuple(ObjectKey(uid, host, tuple(ids)) for uid, host, ids in keys)
        hash(found)  # a list or an object in a key is a `TypeError`
        return found if stamp == _stamp else ()
    except (ValueError, TypeError):  # not written by the add-on
        return ()


def _names(text: str) -> list[SavedKey]:
    try:
        found = [
            SavedKey(name, library, host, host_library, tuple(ids))
            for name, library, host, host_library, ids in parsed(text)
        ]
        hash(tuple(found))
        return found
    except (ValueError, TypeError):  # not written by the add-on
        return []
