# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert the results of a walk to bytes for storage in a file, and back. Does not need Blender.

The bytes are compressed: a JSON object, followed by the floors and the paths, column by column, in float32.
"""

import json
import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ..system.late import np
from .errors import UserError
from .probe_report import KINDS, Ground, ProbeIssue, ProbeReport, ProbeRequest
from .report import ObjectKey, Units
from .stored_values import (
    MISREAD,
    MOST_BYTES,
    Damaged,
    Reader,
    packed,
    read_float,
    read_int,
    read_issues,
    read_key,
    read_skipped,
    read_str,
    stored_issues,
    stored_skipped,
)

if TYPE_CHECKING:
    from ...core.numerics.types import Floats

VERSION = 1

# A normal is stored in this many steps from -1 to 1 on each axis.
_STEPS = 32767
_OF_FLOORS = (("place", 3, "<f4"), ("normal", 3, "<i2"))
_OF_POINTS = (("point", 3, "<f8"),)
_OF_PATHS = (("step", 3, "<f4"),)
# The points of each issue: where it is, before, after, and the contact.
_POINTS = 4


@dataclass(frozen=True, eq=False)
class StoredWalk:
    """Results of a walk, and the state of the objects that they depend on.

    Attributes
    ----------
    report : ProbeReport
        After reading, without the poses, `ProbeReport.walk`.
    request : ProbeRequest
        That of the user, whose starts may be empty.
    view_layer : str
    state : mapping
        Digest of the state of each object, by its name and library. Empty if it had changed since the walk.
    chosen : int
        Row of the chosen issue. -1: none.
    """

    report: ProbeReport
    request: ProbeRequest
    view_layer: str
    state: Mapping[tuple[str, str], str]
    chosen: int = -1


def stored(content: StoredWalk, saved: Callable[[ObjectKey], Sequence[Any] | None]) -> bytes:
    """Return results as bytes; see `stored_report.stored`."""
    report = content.report
    uids = sorted({*report.uids, *(uid for one in report.found for uid in one.uids)})
    number = {uid: row for row, uid in enumerate(uids)}
    floors = [report.reached, *(one.ground for one in report.found if one.ground is not None)]
    header = {
        "version": VERSION,
        "scene": report.scene,
        "view_layer": content.view_layer,
        "request": content.request._asdict(),
        "walked": report.request._asdict(),
        "reached_area": report.reached_area,
        "undetected_below": report.undetected_below,
        "poses": report.poses,
        "bodies": report.bodies,
        "keys": [saved(ObjectKey(uid)) for uid in uids],
        "uids": [number[uid] for uid in sorted(report.uids)],
        "gravity": report.reached.gravity.tolist(),
        "starts": report.starts.tolist(),
        "floors": [len(one.places) for one in floors],
        "findings": [
            [
                *(
                    one.id,
                    one.kind,
                    list(one.objects),
                    one.measure,
                    one.deep if np.isfinite(one.deep) else None,
                    one.area,
                    one.pose,
                ),
                *(one.accepted, one.ground is not None, len(one.path), [number[uid] for uid in one.uids]),
            ]
            for one in report.found
        ],
        "issues": stored_issues(report.issues),
        "skipped": stored_skipped(report.skipped),
        "state": [[*key, digest] for key, digest in content.state.items()],
        "chosen": content.chosen,
    }
    text = json.dumps(header, ensure_ascii=True, separators=(",", ":"), allow_nan=False).encode()
    of_floors = {
        "place": np.concatenate([one.places for one in floors]),
        "normal": np.rint(_STEPS * np.concatenate([one.normal for one in floors])),
    }
    points = [(one.point, one.before, one.after, one.contact) for one in report.found]
    found = b"".join(
        (
            len(text).to_bytes(8, "little"),
            text,
            packed(_OF_FLOORS, of_floors),
            packed(_OF_POINTS, {"point": np.array(points).reshape(-1, 3)}),
            packed(_OF_PATHS, {"step": np.array([point for one in report.found for point in one.path]).reshape(-1, 3)}),
        )
    )
    return zlib.compress(found) if len(found) <= MOST_BYTES else b""


def restored(
    data: bytes, loaded: Callable[[list[Any]], ObjectKey | None], file: str, units: Units, scene: str
) -> StoredWalk | None:
    """Return the results from bytes of `stored`; arguments, result and errors as for `stored_report.restored`."""
    try:
        return _restored(data, loaded, file, units, scene)
    except UserError:
        raise
    except MISREAD as error:
        raise Damaged("The results of the walk in this file are damaged and were ignored") from error


def _restored(
    data: bytes, loaded: Callable[[list[Any]], ObjectKey | None], file: str, units: Units, scene: str
) -> StoredWalk | None:
    unpacking = zlib.decompressobj()
    content = unpacking.decompress(data, MOST_BYTES)
    if not unpacking.eof:
        raise ValueError
    length = int.from_bytes(content[:8], "little")
    header, reader = json.loads(content[8 : 8 + length]), Reader(content[8 + length :])
    if header["version"] != VERSION:
        raise Damaged("The results of the walk in this file are from another version of Collision Kit and were ignored")
    if header["scene"] != scene:
        return None
    request, walked = _request(header["request"]), _request(header["walked"])
    keys = [read_key(loaded, one, number).session_uid for number, one in enumerate(header["keys"])]
    gravity = np.array([read_float(value) for value in header["gravity"]])
    floors = _floors(reader, [read_int(count) for count in header["floors"]], walked.spacing, gravity)
    reached = next(floors)
    findings = header["findings"]
    points = reader.read(_OF_POINTS, _POINTS * len(findings))["point"].reshape(-1, _POINTS, 3).tolist()
    steps = [read_int(one[9]) for one in findings]
    path, end = reader.read(_OF_PATHS, sum(steps))["step"].tolist(), 0
    found = []
    for places, one in zip(points, findings, strict=True):
        number, kind, objects, measure, deep, area, pose, accepted, ground, count, uids = one
        if kind not in KINDS or count < 0:
            raise ValueError
        values: tuple[Any, ...] = (
            *(read_str(number), kind, *map(_point, places), tuple(map(read_str, objects)), read_float(measure)),
            *(_endless(deep), read_float(area), read_int(pose), tuple(map(_point, path[end : end + count]))),
            *(next(floors) if ground else None, tuple(keys[read_int(row)] for row in uids), bool(accepted)),
        )
        found.append(ProbeIssue(*values))
        end += count
    if reader.at != len(reader.data):
        raise ValueError
    report = ProbeReport(
        file=file,
        scene=scene,
        units=units,
        request=walked,
        reached_area=read_float(header["reached_area"]),
        undetected_below=read_float(header["undetected_below"]),
        poses=read_int(header["poses"]),
        bodies=read_int(header["bodies"]),
        found=tuple(found),
        reached=reached,
        starts=np.array([[read_float(value) for value in one] for one in header["starts"]]).reshape(-1, 3),
        uids=frozenset(keys[read_int(row)] for row in header["uids"]),
        issues=read_issues(header["issues"]),
        skipped=read_skipped(header["skipped"]),
    )
    state = {(read_str(name), read_str(library)): read_str(digest) for name, library, digest in header["state"]}
    chosen = read_int(header["chosen"])
    if not -1 <= chosen < len(found):
        raise ValueError
    return StoredWalk(report, request, read_str(header["view_layer"]), state, chosen)


def _floors(reader: Reader, counts: list[int], spacing: float, gravity: "Floats") -> Any:
    """Read the floors, one after the other."""
    if min(counts) < 0:
        raise ValueError
    of, begin = reader.read(_OF_FLOORS, sum(counts)), 0
    found = []
    for count in counts:
        rows = slice(begin, begin + count)
        found.append(Ground(of["place"][rows], of["normal"][rows] / _STEPS, spacing, gravity))
        begin += count
    return iter(found)


def _request(found: Any) -> ProbeRequest:
    usual = ProbeRequest()
    numbers = {name: read_float(found[name]) for name in ("radius", "height", "step", "slope", "drop", "spacing")}
    if set(found) != set(usual._fields):
        raise ValueError
    return usual._replace(
        scope=read_str(found["scope"]),
        collection=read_str(found["collection"]),
        starts=tuple(map(read_str, found["starts"])),
        ball=bool(found["ball"]),
        margin=None if found["margin"] is None else read_float(found["margin"]),
        **numbers,
    )


def _point(values: Any) -> tuple[float, float, float]:
    x, y, z = map(float, values)
    return x, y, z


def _endless(found: Any) -> float:
    """Read a number; infinite for None."""
    return float("inf") if found is None else read_float(found)
