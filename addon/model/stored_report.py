# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert results of a check to bytes for storage in a file, and back. Does not need Blender. Nothing is executed.

The bytes are compressed: a JSON object, followed by the numbers of all pairs, column by column. Contact points are
stored relative to their pair in float32.
"""

import json
import math
import string
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ...core.constants import Verdict
from ..asset_rules.limits import Length
from ..system.late import np
from .errors import UserError
from .message import Message
from .report import Body, Issue, ObjectKey, PairResult, Report, Settings, Shape, Skipped, Surface, Units
from .rules import Labels, PairTest, Pattern

if TYPE_CHECKING:
    from numpy.typing import NDArray

VERSION = 5

# Maximum size in bytes before compression, for storing and reading.
MOST_BYTES = 1 << 26

# The columns: the field, its number of values, and their type.
_OF_PAIRS = (
    *((name, 1, "<i4") for name in ("body_a", "body_b", "verdict", "shape_a", "shape_b", "test")),
    *((name, 1, "<i4") for name in ("contacts", "faces", "complete")),
    *((name, 1, "<f8") for name in ("distance", "interference", "touching", "rounding")),
    *((name, 3, "<f8") for name in ("normal", "point_a")),
)
_OF_CONTACTS = (("point", 3, "<f4"), ("depth", 1, "<f4"), ("turned", 3, "<f4"))
_OF_FACES = (("face", 1, "<i4"),)

# Codes for an interference of None, and for one that is minus the distance, as for penetrating convex pairs.
_UNKNOWN, _PENETRATION = -1.0, -2.0

# Exceptions of reading other bytes.
_MISREAD = (
    *(ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError),
    zlib.error,
)


class Damaged(UserError):
    """The bytes are not stored results."""


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
        "tested": report.tested,
        "keys": [saved(key) for key in numbers],
        "bodies": [
            [
                *(one.name, numbers[one.key], [numbers[key] for key in one.members]),
                *(one.library, one.object, one.library_file, one.part, one.whole),
                *(one.asset, one.motion, [keyed[joint] for joint in sorted(one.joints)], one.source),
            ]
            for one in report.bodies
        ],
        "shapes": [
            [one.object, one.body, one.kind, _text(one.reason), one.margin, *one.surface] for one in report.shapes
        ],
        "findings": [[one.id, one.severity, one.object, _text(one.message)] for one in report.issues],
        "skipped": [[one.object, _text(one.reason), one.why] for one in report.skipped],
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
    except _MISREAD as error:
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
    keys = [_key(loaded, one, number) for number, one in enumerate(header["keys"])]
    bodies = tuple(
        Body(
            _str(name),
            keys[_row(key, keys)],
            tuple(keys[_row(one, keys)] for one in members),
            _str(library),
            _str(ob),
            _str(path),
            _int(part),
            _str(whole),
            _str(asset),
            _str(motion),
            frozenset(map(_int, joints)),
            _str(source),
        )
        for name, key, members, library, ob, path, part, whole, asset, motion, joints, source in header["bodies"]
    )
    shapes = tuple(
        Shape(_str(ob), _row(body, bodies), _str(kind), _read_text(why), _float(margin), Surface(_float(mu), _float(e)))
        for ob, body, kind, why, margin, mu, e in header["shapes"]
    )
    settings = _read_settings(header["settings"])
    pairs = _pairs(content[8 + length :], header, len(bodies), len(shapes), len(settings.tests))
    report = Report(
        file=file,
        scene=scene,
        frame=_int(header["frame"]),
        scope=settings.scope,
        units=units,
        touching=_float(header["touching"]),
        clearance=settings.clearance,
        bodies=bodies,
        shapes=shapes,
        pairs=pairs,
        issues=tuple(Issue(_str(a), _str(b), _str(c), _read_text(text)) for a, b, c, text in header["findings"]),
        skipped=tuple(Skipped(_str(ob), _read_text(text), _str(why)) for ob, text, why in header["skipped"]),
        plane=settings.plane,
        tested={_str(name): _int(count) for name, count in header["tested"].items()},
        tests=settings.tests,
        self_check=settings.self_check,
        loose_parts=settings.loose_parts,
        within=settings.asked_within,
        static=settings.static,
        library=frozenset(map(_str, header["library"])),
        surroundings=tuple(map(_str, header["surroundings"])),
    )
    state = {(_str(name), _str(library)): _str(digest) for name, library, digest in header["state"]}
    view = {_str(name): value for name, value in header["view"].items()}
    if not all(isinstance(value, str | bool | int | float) for value in view.values()):
        raise ValueError
    chosen = _int(header["chosen"])
    if not -1 <= chosen < len(pairs):
        raise ValueError
    return Stored(report, settings, _str(header["view_layer"]), state, view, chosen)


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
    return _packed(_OF_PAIRS, values) + _packed(_OF_CONTACTS, contacts) + _packed(_OF_FACES, faces)


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


def _packed(columns: Sequence[tuple[str, int, str]], values: Mapping[str, Any]) -> bytes:
    parts = []
    for name, width, kind in columns:
        column = np.array(values[name], dtype=np.dtype(kind)).reshape(-1, width).T.ravel()
        # The first bytes of all numbers, then the second ones: this compresses better.
        parts.append(column.view(np.uint8).reshape(-1, np.dtype(kind).itemsize).T.tobytes())
    return b"".join(parts)


class _Reader:
    """Reads columns from bytes, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def read(self, columns: Sequence[tuple[str, int, str]], rows: int) -> "dict[str, NDArray[Any]]":
        found = {}
        for name, width, kind in columns:
            item, count = np.dtype(kind).itemsize, rows * width
            part = self.data[self.at : self.at + item * count]
            if len(part) != item * count:
                raise ValueError
            self.at += item * count
            raw = np.frombuffer(part, np.uint8).reshape(item, count)
            column = np.ascontiguousarray(raw.T).view(kind).reshape(width, rows).T
            if kind.startswith("<f") and not np.isfinite(column).all():
                raise ValueError
            found[name] = column.astype(np.float64 if kind.startswith("<f") else np.int64)
        return found


def _pairs(data: bytes, header: Any, bodies: int, shapes: int, tests: int) -> tuple[PairResult, ...]:
    count, reader = _int(header["pairs"]), _Reader(data)
    if count < 0:
        raise ValueError
    of = reader.read(_OF_PAIRS, count)
    for name, lowest, end in (
        *((name, 0, bodies) for name in ("body_a", "body_b")),
        *((name, 0, shapes) for name in ("shape_a", "shape_b")),
        ("test", -1, tests),
        ("contacts", 0, len(data)),
        ("faces", 0, len(data)),
        ("complete", 0, 2),
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
            _str(name),
            _patterns(a),
            _patterns(b),
            _limit(touching),
            _limit(clearance),
            _str(severity),
        )
        for name, a, b, touching, clearance, severity in found["tests"]
    )
    return Settings(
        scope=_str(found["scope"]),
        collection_a=_str(found["collection_a"]),
        collection_b=_str(found["collection_b"]),
        touching=_limit(found["touching"]),
        clearance=_float(found["clearance"]),
        plane=None if found["plane"] is None else _str(found["plane"]),
        include_operands=bool(found["include_operands"]),
        tests=tests,
        self_check=bool(found["self_check"]),
        within=None if found["within"] is None else bool(found["within"]),
        static=bool(found["static"]),
        each_asset=bool(found["each_asset"]),
        loose_parts=bool(found["loose_parts"]),
        surroundings=bool(found["surroundings"]),
    )


def _patterns(found: Any) -> tuple[Pattern, ...]:
    patterns = tuple(Pattern(_str(field), _str(glob)) for field, glob in found)
    if not all(one.field in Labels._fields for one in patterns):
        raise ValueError
    return patterns


def _limit(value: Any) -> float | None:
    return None if value is None else _float(value)


def _text(text: object) -> Any:
    """Return a value of a message for JSON."""
    if isinstance(text, Message):
        return {"template": text.template, "values": {name: _text(value) for name, value in text.values.items()}}
    if isinstance(text, Length):
        return {"length": float(text)}
    return text if isinstance(text, int | float) else str(text)


def _read_text(found: Any) -> Any:
    if not isinstance(found, dict):
        return found if isinstance(found, int | float) else _str(found)
    if "length" in found:
        return Length(_float(found["length"]))
    values = {_str(name): _read_text(value) for name, value in found["values"].items()}
    template = _str(found["template"])
    for _, name, how, conversion in string.Formatter().parse(template):
        # Names only: other fields of a format string can read attributes or produce text of any length.
        if name is not None and (not name.isidentifier() or name not in values or how or conversion):
            raise ValueError
    return Message(template, **values)


def _key(loaded: Callable[[list[Any]], ObjectKey | None], found: Any, number: int) -> ObjectKey:
    key = None
    if found is not None:
        name, library, host, host_library, place = found
        key = loaded([_str(name), _str(library), _str(host), _str(host_library), tuple(map(_int, place))])
    # No object has a negative number.
    return ObjectKey(-1 - number) if key is None else key


def _row(value: Any, rows: Sequence[object]) -> int:
    if not 0 <= _int(value) < len(rows):
        raise ValueError
    return int(value)


def _str(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError
    return value


def _int(value: Any) -> int:
    if type(value) is not int or abs(value) >= 1 << 62:
        raise TypeError
    return value


def _float(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError
    return float(value)
