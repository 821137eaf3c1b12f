# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert results of a check to bytes for storage in a file, and back. Does not need Blender. Nothing is executed.

The bytes are compressed: a JSON object, followed by the numbers of all pairs, column by column. Contact points are
stored relative to their pair in float32.
"""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.constants import Verdict
from ..system.late import np
from .errors import UserError
from .report import Body, Issue, ObjectKey, PairResult, Report, Settings, Shape, Skipped, Surface, Units
from .rules import Labels, PairTest, Pattern
from .stored_values import (
    MISREAD,
    MOST_BYTES,
    Damaged,
    Reader,
    packed,
    read_float,
    read_int,
    read_key,
    read_str,
    read_text,
    stored_issues,
    stored_skipped,
    stored_text,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERSION = 8

# The columns: the field, its number of values, and their type.
_OF_PAIRS = (
    *((name, 1, "<i4") for name in ("body_a", "body_b", "verdict", "shape_a", "shape_b", "test")),
    *((name, 1, "<i4") for name in ("contacts", "faces", "complete", "at_least")),
    *((name, 1, "<f8") for name in ("distance", "interference", "touching", "rounding")),
    *((name, 3, "<f8") for name in ("normal", "point_a")),
)
_OF_CONTACTS = (("point", 3, "<f4"), ("depth", 1, "<f4"), ("turned", 3, "<f4"))
_OF_FACES = (("face", 1, "<i4"),)

# Codes for an interference of None, and for one that is minus the distance, as for penetrating convex pairs.
_UNKNOWN, _PENETRATION = -1.0, -2.0


@dataclass(frozen=True)
class Stored:
    """Results of a check, and the state of the objects that they depend on.

    Attributes
    ----------
    report : Report
    settings : Settings
    view_layer : str
    state : mapping
        Digest of the state of each object, by its name and library. Empty if it had changed since the check.
    view : mapping
        Filters and order of the list of results: texts, numbers and flags.
    chosen : int
        Row of the chosen pair in the list. -1: none.
    """

    report: Report
    settings: Settings
    view_layer: str
    state: Mapping[tuple[str, str], str]
    view: Mapping[str, str | float | bool] = field(default_factory=dict)
    chosen: int = -1


def stored(content: Stored, saved: Callable[[ObjectKey], Sequence[Any] | None]) -> bytes:
    """Return results as bytes. Empty if they are too large to be read again.

    `saved` returns the identifier of an object in the file, or None if it does not exist.
    """
    report, numbers = content.report, dict[ObjectKey, int]()
    # In another session, only the common joints of two bodies are known.
    keyed = {
        joint: number for number, joint in enumerate(sorted(frozenset().union(*(one.joints for one in report.bodies))))
    }
    for body in report.bodies:
        for key in (body.key, *body.members):
            numbers.setdefault(key, len(numbers))
    header = {
        "version": VERSION,
        "scene": report.scene,
        "view_layer": content.view_layer,
        "settings": _settings(content.settings),
        "frame": report.frame,
        "touching": report.touching,
        "library": sorted(report.library),
        "surroundings": report.surroundings,
        "joined": [[a, b, name] for (a, b), name in report.joined.items()],
        "odd": [[a, b] for a, b in sorted(report.odd)],
        "tested": report.tested,
        "keys": [saved(key) for key in numbers],
        "bodies": [
            [
                *(one.name, numbers[one.key], [numbers[key] for key in one.members]),
                *(one.library, one.object, one.library_file, one.part, one.whole),
                *(one.asset, one.motion, [keyed[joint] for joint in sorted(one.joints)]),
                *(one.source, one.assembly),
            ]
            for one in report.bodies
        ],
        "shapes": [
            [one.object, one.body, one.kind, stored_text(one.reason), one.margin, *one.surface] for one in report.shapes
        ],
        "findings": stored_issues(report.issues),
        "skipped": stored_skipped(report.skipped),
        "state": [[*key, digest] for key, digest in content.state.items()],
        "pairs": len(report.pairs),
        "view": dict(content.view),
        "chosen": content.chosen,
    }
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode()
    found = len(text).to_bytes(8, "little") + text + _columns(report.pairs)
    return zlib.compress(found) if len(found) <= MOST_BYTES else b""


def restored(
    data: bytes, loaded: Callable[[list[Any]], ObjectKey | None], file: str, units: Units, scene: str
) -> Stored | None:
    """Return the results from bytes of `stored`.

    Parameters
    ----------
    data : bytes
    loaded : function
        Returns the object with this identifier. None if it does not exist.
    file, scene : str
        Path of the open file, and name of its scene.
    units : Units
        The units of the scene.

    Returns
    -------
    Stored or None
        None: they belong to a scene with another name, which this one is a copy of.

    Raises
    ------
    Damaged
        If the bytes are not from `stored`.
    """
    try:
        return _restored(data, loaded, file, units, scene)
    except UserError:
        raise
    except MISREAD as error:
        raise Damaged("The collision results in this file are damaged and were ignored") from error


def _restored(
    data: bytes, loaded: Callable[[list[Any]], ObjectKey | None], file: str, units: Units, scene: str
) -> Stored | None:
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(data, MOST_BYTES)
    if not unpacking.eof:
        raise ValueError
    length = int.from_bytes(content[:8], "little")
    header = json.loads(content[8 : 8 + length])
    if header["version"] != VERSION:
        raise Damaged("The collision results in this file are from another version of Collision Kit and were ignored")
    if header["scene"] != scene:
        return None
    keys = [read_key(loaded, one, number) for number, one in enumerate(header["keys"])]
    bodies = tuple(
        Body(
            read_str(name),
            keys[_row(key, keys)],
            tuple(keys[_row(one, keys)] for one in members),
            read_str(library),
            read_str(ob),
            read_str(path),
            read_int(part),
            read_str(whole),
            read_str(asset),
            read_str(motion),
            frozenset(map(read_int, held)),
            read_str(source),
            read_str(inner),
        )
        for name, key, members, library, ob, path, part, whole, asset, motion, held, source, inner in header["bodies"]
    )
    shapes = tuple(
        Shape(
            read_str(ob),
            _row(body, bodies),
            read_str(kind),
            read_text(why),
            read_float(margin),
            Surface(read_float(mu), read_float(e)),
        )
        for ob, body, kind, why, margin, mu, e in header["shapes"]
    )
    settings = _read_settings(header["settings"])
    pairs = _pairs(content[8 + length :], header, len(bodies), len(shapes), len(settings.tests))
    report = Report(
        file=file,
        scene=scene,
        frame=read_int(header["frame"]),
        scope=settings.scope,
        units=units,
        touching=read_float(header["touching"]),
        clearance=settings.clearance,
        bodies=bodies,
        shapes=shapes,
        pairs=pairs,
        issues=tuple(
            Issue(read_str(a), read_str(b), read_str(c), read_text(text)) for a, b, c, text in header["findings"]
        ),
        skipped=tuple(Skipped(read_str(ob), read_text(text), read_str(why)) for ob, text, why in header["skipped"]),
        plane=settings.plane,
        tested={read_str(name): read_int(count) for name, count in header["tested"].items()},
        tests=settings.tests,
        self_check=settings.self_check,
        loose_parts=settings.loose_parts,
        within=settings.asked_within,
        static=settings.static,
        library=frozenset(map(read_str, header["library"])),
        surroundings=tuple(map(read_str, header["surroundings"])),
        joined={(_row(a, bodies), _row(b, bodies)): read_str(name) for a, b, name in header["joined"]},
        areas=settings.asked_areas,
        odd=frozenset((_row(a, bodies), _row(b, bodies)) for a, b in header["odd"]),
    )
    state = {(read_str(name), read_str(library)): read_str(digest) for name, library, digest in header["state"]}
    view = {read_str(name): value for name, value in header["view"].items()}
    if not all(isinstance(value, str | bool | int | float) for value in view.values()):
        raise ValueError
    chosen = read_int(header["chosen"])
    if not -1 <= chosen < len(pairs):
        raise ValueError
    return Stored(report, settings, read_str(header["view_layer"]), state, view, chosen)


# Numbers.


def _columns(pairs: Sequence[PairResult]) -> bytes:
    """Return the numbers of all pairs."""
    copied = (name for name, _, _ in _OF_PAIRS if name not in {"interference", "faces", "contacts"})
    values: dict[str, Any] = {name: [getattr(pair, name) for pair in pairs] for name in copied}
    values["interference"] = [_stored_interference(pair) for pair in pairs]
    values["faces"] = [len(pair.faces) for pair in pairs]
    values["contacts"] = [len(pair.contact_points) for pair in pairs]
    contacts = {
        "point": [row for pair in pairs for row in pair.contact_points - pair.point_a],
        "depth": [row for pair in pairs for row in pair.contact_depths],
        # Most are those of their pairs.
        "turned": [row for pair in pairs for row in _normals(pair) - pair.normal],
    }
    faces = {"face": [face for pair in pairs for face in pair.faces]}
    return packed(_OF_PAIRS, values) + packed(_OF_CONTACTS, contacts) + packed(_OF_FACES, faces)


def _stored_interference(pair: PairResult) -> float:
    if pair.interference is None:
        return _UNKNOWN
    return _PENETRATION if pair.interference == -pair.distance else pair.interference


def _interference(stored: float, distance: float) -> float | None:
    if stored == _PENETRATION:
        return -distance
    return None if stored < 0.0 else stored


def _normals(pair: PairResult) -> "NDArray[Any]":
    """Return the normals of the contacts. If they were not measured, that of the pair."""
    if len(pair.contact_normals) == len(pair.contact_points):
        return pair.contact_normals
    return np.broadcast_to(pair.normal, pair.contact_points.shape)


def _pairs(data: bytes, header: Any, bodies: int, shapes: int, tests: int) -> tuple[PairResult, ...]:
    count, reader = read_int(header["pairs"]), Reader(data)
    if count < 0:
        raise ValueError
    of = reader.read(_OF_PAIRS, count)
    for name, lowest, end in (
        *((name, 0, bodies) for name in ("body_a", "body_b")),
        *((name, 0, shapes) for name in ("shape_a", "shape_b")),
        ("test", -1, tests),
        ("contacts", 0, len(data)),
        ("faces", 0, len(data)),
        *((name, 0, 2) for name in ("complete", "at_least")),
    ):
        if count and not (lowest <= of[name].min() and of[name].max() < end):
            raise ValueError
    contacts = reader.read(_OF_CONTACTS, int(of["contacts"].sum()))
    faces = reader.read(_OF_FACES, int(of["faces"].sum()))["face"][:, 0].tolist()
    if reader.at != len(data):
        raise ValueError
    numbers = {name: column[:, 0].tolist() for name, column in of.items() if column.shape[1] == 1}
    end, face = np.cumsum(of["contacts"]).tolist(), 0
    result = []
    for row in range(count):
        mine = slice(end[row] - numbers["contacts"][row], end[row])
        of_row = {name: column[row] for name, column in numbers.items()}
        normal, point = of["normal"][row], of["point_a"][row]
        verdict = Verdict(of_row["verdict"])
        if verdict == Verdict.SEPARATED:
            raise ValueError
        result.append(
            PairResult(
                body_a=of_row["body_a"],
                body_b=of_row["body_b"],
                verdict=verdict,
                distance=of_row["distance"],
                normal=normal,
                point_a=point,
                point_b=point + normal * of_row["distance"],
                contact_points=point + contacts["point"][mine],
                contact_depths=contacts["depth"][mine, 0],
                shape_a=of_row["shape_a"],
                shape_b=of_row["shape_b"],
                interference=_interference(of_row["interference"], of_row["distance"]),
                contact_normals=normal + contacts["turned"][mine],
                touching=of_row["touching"],
                rounding=of_row["rounding"],
                faces=tuple(faces[face : face + of_row["faces"]]),
                test=of_row["test"],
                complete=bool(of_row["complete"]),
                at_least=bool(of_row["at_least"]),
            )
        )
        face += of_row["faces"]
    return tuple(result)


# Content of the JSON object.


def _settings(settings: Settings) -> dict[str, Any]:
    return {
        **settings._asdict(),
        "tests": [(one.name, one.a, one.b, one.touching, one.clearance, one.severity) for one in settings.tests],
    }


def _read_settings(found: Any) -> Settings:
    tests = tuple(
        PairTest(
            read_str(name),
            _patterns(a),
            _patterns(b),
            _limit(touching),
            _limit(clearance),
            read_str(severity),
        )
        for name, a, b, touching, clearance, severity in found["tests"]
    )
    return Settings(
        scope=read_str(found["scope"]),
        collection_a=read_str(found["collection_a"]),
        collection_b=read_str(found["collection_b"]),
        touching=_limit(found["touching"]),
        clearance=read_float(found["clearance"]),
        plane=None if found["plane"] is None else read_str(found["plane"]),
        include_operands=bool(found["include_operands"]),
        tests=tests,
        self_check=bool(found["self_check"]),
        within=None if found["within"] is None else bool(found["within"]),
        static=bool(found["static"]),
        each_asset=bool(found["each_asset"]),
        loose_parts=bool(found["loose_parts"]),
        surroundings=bool(found["surroundings"]),
        one_thing=_patterns(found["one_thing"]),
    )


def _patterns(found: Any) -> tuple[Pattern, ...]:
    patterns = tuple(Pattern(read_str(field), read_str(glob)) for field, glob in found)
    if not all(one.field in Labels._fields for one in patterns):
        raise ValueError
    return patterns


def _limit(value: Any) -> float | None:
    return None if value is None else read_float(value)


def _row(value: Any, rows: Sequence[object]) -> int:
    if not 0 <= read_int(value) < len(rows):
        raise ValueError
    return int(value)
