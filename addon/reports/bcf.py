# SPDX-License-Identifier: GPL-3.0-or-later
"""Pairs as a BCF file, the BIM Collaboration Format 3.0 of buildingSMART: a zip archive with a topic for each pair.

Lengths are meters. Except for the dates, the same report gives the same bytes.
"""

import io
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import PurePath
from typing import TYPE_CHECKING, NamedTuple
from xml.etree import ElementTree

from ...core import __version__
from ..i18n.units import stand_text
from ..model.marks import NO_MARKS, PairMarks
from ..model.pair_ids import pair_ids
from ..model.report import PairResult, Report
from ..model.topics import OPEN, STATUSES, Topic, comment_guid, date_text, project_guid, topic_guid, viewpoint_guid
from ..model.verdict_names import words
from ..system.characters import printable_lines
from .bcf_files import MARKUP
from .text import direction, notes, number

if TYPE_CHECKING:
    from ...core.numerics.types import Floats

VERSION = "3.0"
AUTHOR = "Collision Kit"
TYPE = "Clash"
PRIORITIES = {"error": "Error", "warning": "Warning", "info": "Info"}

_VIEWPOINT, _SNAPSHOT = "viewpoint.bcfv", "snapshot.png"

# Entries of zip archives have dates. This is the earliest possible.
_DATE = (1980, 1, 1, 0, 0, 0)
_FILE, _FOLDER = 0o644 << 16, (0o40755 << 16) | 0x10


class Viewpoint(NamedTuple):
    """A camera for a pair, in Blender units, with an optional PNG picture.

    Attributes
    ----------
    position, direction, up : (3,) float64
        Of the camera. The last two are unit vectors.
    field_of_view : float
        Vertical, in degrees.
    aspect : float
        Width of the picture divided by its height.
    snapshot : bytes
        Empty: no picture.
    """

    position: "Floats"
    direction: "Floats"
    up: "Floats"
    field_of_view: float
    aspect: float
    snapshot: bytes = b""


def as_bcf(
    report: Report,
    rows: Iterable[int],
    marks: PairMarks = NO_MARKS,
    viewpoints: Mapping[int, Viewpoint] | None = None,
    global_ids: Sequence[str] = (),
    created: datetime | None = None,
) -> bytes:
    """Return the pairs of some rows as a BCF file.

    Parameters
    ----------
    report : Report
    rows : iterable of int
        Rows of `report.pairs`.
    marks : PairMarks
        Its topics have the status, the assignee and the comments of a pair.
    viewpoints : mapping of int to Viewpoint, optional
        By row.
    global_ids : sequence of str
        IFC GUID of each body. Empty if it has none.
    created : datetime, optional
        Creation time of the topics. None: now.
    """
    ids, date = pair_ids(report), date_text(created or datetime.now(UTC))
    chosen = list(rows)
    files: list[tuple[str, bytes]] = [
        ("bcf.version", _document(ElementTree.Element("Version", VersionId=VERSION))),
        ("extensions.xml", _document(_extensions(report, marks, chosen))),
        ("project.bcfp", _document(_project(report))),
    ]
    for row in chosen:
        folder, viewpoint = topic_guid(ids[row]), (viewpoints or {}).get(row)
        files.append((f"{folder}/", b""))
        files.append((f"{folder}/{MARKUP}", _document(_markup(report, marks, row, ids[row], viewpoint, date))))
        if viewpoint is not None:
            seen = _seen(report, report.pairs[row], viewpoint_guid(ids[row]), viewpoint, global_ids)
            files.append((f"{folder}/{_VIEWPOINT}", _document(seen)))
            if viewpoint.snapshot:
                files.append((f"{folder}/{_SNAPSHOT}", viewpoint.snapshot))
    return _archive(files)


def _archive(files: Iterable[tuple[str, bytes]]) -> bytes:
    """Return a zip archive. A name that ends in a slash is a folder."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        for name, data in files:
            entry = zipfile.ZipInfo(name, _DATE)
            entry.create_system = 3  # otherwise it differs from system to system
            entry.external_attr = _FOLDER if name.endswith("/") else _FILE
            # Pictures are compressed already.
            packed = bool(data) and not name.endswith(".png")
            entry.compress_type = zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED
            archive.writestr(entry, data)
    return stream.getvalue()


def _project(report: Report) -> ElementTree.Element:
    root = ElementTree.Element("ProjectInfo")
    project = ElementTree.SubElement(root, "Project", ProjectId=project_guid(report.scene))
    _add(project, "Name", report.scene)
    return root


def _extensions(report: Report, marks: PairMarks, rows: Sequence[int]) -> ElementTree.Element:
    """Return the words that topics use. Viewers offer them as choices."""
    known = [marks.topics[row] for row in rows if row in marks.topics]
    root = ElementTree.Element("Extensions")
    listed = (
        ("TopicTypes", "TopicType", [TYPE]),
        ("TopicStatuses", "TopicStatus", [*STATUSES, *(topic.status for topic in known)]),
        ("Priorities", "Priority", [*PRIORITIES.values()]),
        ("TopicLabels", "TopicLabel", [label for row in rows for label in _labels(report, report.pairs[row])]),
        ("Users", "User", [topic.assigned_to for topic in known]),
    )
    for name, item, values in listed:
        group = ElementTree.SubElement(root, name)
        for value in dict.fromkeys(values):
            _add(group, item, value)
    return root


def _markup(
    report: Report, marks: PairMarks, row: int, pair_id: str, viewpoint: Viewpoint | None, date: str
) -> ElementTree.Element:
    pair, guid = report.pairs[row], topic_guid(pair_id)
    known = marks.topics.get(row, Topic(guid))
    root = ElementTree.Element("Markup")
    if report.file:
        files = ElementTree.SubElement(ElementTree.SubElement(root, "Header"), "Files")
        _add(ElementTree.SubElement(files, "File", IsExternal="true"), "Filename", PurePath(report.file).name)
    status = _cleaned(known.status) or OPEN
    topic = ElementTree.SubElement(root, "Topic", Guid=guid, TopicType=TYPE, TopicStatus=status)
    _add(topic, "Title", _title(report, pair))
    _add(topic, "Priority", PRIORITIES[report.severity_of(row)])
    labels = ElementTree.SubElement(topic, "Labels")
    for label in _labels(report, pair):
        _add(labels, "Label", label)
    _add(topic, "CreationDate", date)
    _add(topic, "CreationAuthor", AUTHOR)
    _add(topic, "AssignedTo", known.assigned_to)
    _add(topic, "Description", _description(report, marks, row))
    comments = ElementTree.SubElement(topic, "Comments") if known.comments else topic
    for place, one in enumerate(known.comments):
        comment = ElementTree.SubElement(comments, "Comment", Guid=comment_guid(guid, one, place))
        _add(comment, "Date", one.date or date)
        _add(comment, "Author", one.author, AUTHOR)
        _add(comment, "Comment", one.text)
    if viewpoint is not None:
        points = ElementTree.SubElement(topic, "Viewpoints")
        point = ElementTree.SubElement(points, "ViewPoint", Guid=viewpoint_guid(pair_id))
        _add(point, "Viewpoint", _VIEWPOINT)
        _add(point, "Snapshot", _SNAPSHOT if viewpoint.snapshot else "")
    return root


def _title(report: Report, pair: PairResult) -> str:
    names = [report.bodies[body].name for body in (pair.body_a, pair.body_b)]
    return f"{names[0]} × {names[1]}: {words(pair.verdict)}, {stand_text(pair, report.units)}"


def _labels(report: Report, pair: PairResult) -> list[str]:
    test = report.test_of(pair)
    return [words(pair.verdict), *([test.name] if test is not None else [])]


def _description(report: Report, marks: PairMarks, row: int) -> str:
    """Return a description with one fact per line."""
    pair = report.pairs[row]
    shapes = [
        f"{report.bodies[shape.body].name}: {shape.kind} of {shape.object} ({shape.reason})"
        for shape in (report.shapes[pair.shape_a], report.shapes[pair.shape_b])
    ]
    lines = [
        f"{words(pair.verdict).capitalize()}: {stand_text(pair, report.units)}",
        *([f"Axis: {direction(pair.normal)}"] if pair.complete else []),
        f"Severity: {report.severity_of(row)}",
        *shapes,
        *([number(len(pair.contact_points), "contact", "contacts")] if len(pair.contact_points) else []),
        *notes(report, replace(marks, topics={}), row),
        f"Scene {report.scene}, frame {report.frame}, checked with Collision Kit {__version__}",
    ]
    return "\n".join(lines)


def _seen(
    report: Report, pair: PairResult, guid: str, viewpoint: Viewpoint, global_ids: Sequence[str]
) -> ElementTree.Element:
    """Return the camera, the two objects, and the line between the two witness points."""
    meters = report.units.scale_length
    root = ElementTree.Element("VisualizationInfo", Guid=guid)
    components = ElementTree.SubElement(root, "Components")
    selection = ElementTree.SubElement(components, "Selection")
    for body in (pair.body_a, pair.body_b):
        component = ElementTree.SubElement(selection, "Component")
        if global_ids and global_ids[body]:
            component.set("IfcGuid", global_ids[body])
        _add(component, "OriginatingSystem", "Blender")
        _add(component, "AuthoringToolId", report.bodies[body].name)
    ElementTree.SubElement(components, "Visibility", DefaultVisibility="true")
    camera = ElementTree.SubElement(root, "PerspectiveCamera")
    _add_vector(camera, "CameraViewPoint", viewpoint.position * meters)
    _add_vector(camera, "CameraDirection", viewpoint.direction)
    _add_vector(camera, "CameraUpVector", viewpoint.up)
    _add(camera, "FieldOfView", repr(float(viewpoint.field_of_view)))
    _add(camera, "AspectRatio", repr(float(viewpoint.aspect)))
    line = ElementTree.SubElement(ElementTree.SubElement(root, "Lines"), "Line")
    _add_vector(line, "StartPoint", pair.point_a * meters)
    _add_vector(line, "EndPoint", pair.point_b * meters)
    return root


def _add_vector(parent: ElementTree.Element, name: str, vector: "Floats") -> None:
    element = ElementTree.SubElement(parent, name)
    for axis, value in zip("XYZ", vector.tolist(), strict=True):
        _add(element, axis, repr(value + 0.0))


def _add(parent: ElementTree.Element, name: str, text: str, instead: str = "") -> None:
    """Add an element with a text. The format has no empty elements."""
    said = _cleaned(text) or instead
    if said:
        ElementTree.SubElement(parent, name).text = said


def _cleaned(text: str) -> str:
    return printable_lines(text).strip()


def _document(root: ElementTree.Element) -> bytes:
    ElementTree.indent(root)
    return b'<?xml version="1.0" encoding="UTF-8"?>\n' + ElementTree.tostring(root, encoding="utf-8") + b"\n"
