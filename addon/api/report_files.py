# SPDX-License-Identifier: GPL-3.0-or-later
"""Format and save reports, and exchange topics in BCF files."""

from pathlib import Path

import bpy

from ..model.culling_report import CullReport
from ..model.formats import ENDINGS, MOST_PICTURES
from ..model.motion_report import MotionReport
from ..model.report import PairResult, Report
from ..model.topics import Topic
from ..model.validation_report import ValidationReport
from ..picture import pair_pictures, pair_viewpoints
from ..reports.bcf import as_bcf
from ..reports.bcf_files import read_topics
from ..reports.documents import formats_of, pictured_rows, topic_rows, written
from ..scene import accepted_pairs, arguments, open_file
from ..scene.objects.labels import collections_of, global_ids_of
from ..scene.topics import store_topics, topic_of
from ..system.files import encoded, write_whole
from .accepting import row_of
from .checking import CollisionReport
from .choices import Format

AnyReport = Report | MotionReport | CullReport | ValidationReport


def report_text(report: AnyReport, format: Format = "text") -> str:
    """Return a report as text, in a format of the command line.

    Parameters
    ----------
    report : CollisionReport, MotionReport, CullReport or ValidationReport
    format : str
        text, json, html (without pictures) or junit. For a `CollisionReport` also csv.

    Returns
    -------
    str
        The text, ending in a newline.

    Raises
    ------
    ValueError
        If `report` is not a report, or has no such format.

    Examples
    --------
    ::

        print(api.report_text(api.check_collisions()))
        content = json.loads(api.report_text(api.check_motion(), "json"))
    """
    arguments.report(report, Report, MotionReport, CullReport, ValidationReport)
    arguments.one_of("format", format, formats_of(report))
    return _written(report, format, 0)


def save_report(report: AnyReport, path: str | Path, *, pictures: int = MOST_PICTURES) -> Path:
    """Save a report to a file. The extension determines the format. An existing file is replaced only on success.

    Parameters
    ----------
    report : CollisionReport, MotionReport, CullReport or ValidationReport
    path : str or Path
        .json, .txt, .html or .xml (JUnit). For a `CollisionReport` also .csv and .bcf.
    pictures : int
        For .html and .bcf of the open file's current frame: the number of pictures, of the worst pairs that are not
        accepted. Each takes some seconds. The scene must be unchanged since the check.

    Returns
    -------
    Path
        Path of the file.

    Raises
    ------
    ValueError
        If the extension is unknown, `report` is not a report, or `path` is not a path.
    OSError
        If the file cannot be written.

    Examples
    --------
    ::

        api.save_report(api.check_collisions(), "collisions.html", pictures=3)
    """
    arguments.report(report, Report, MotionReport, CullReport, ValidationReport)
    most, target = arguments.count("pictures", pictures, 0), arguments.path(path)
    kinds = (*formats_of(report), "bcf") if isinstance(report, Report) else formats_of(report)
    endings = [ending for ending, name in ENDINGS.items() if name in kinds]
    if target.suffix.lower() not in endings:
        raise ValueError(f"{target.name!r} ends in none of {', '.join(endings)}")
    kind = ENDINGS[target.suffix.lower()]
    if kind == "bcf" and isinstance(report, Report):
        write_whole(target, _archive(report, most))
    else:
        write_whole(target, encoded(_written(report, kind, most)))
    return target


def load_bcf(path: str | Path) -> int:
    """Load the status, the assignee and the comments of pairs from a BCF file.

    They replace those that the current scene stores for the same pairs, and appear in all reports on the scene.

    Parameters
    ----------
    path : str or Path
        A BCF file written by `save_report` or the command line, possibly edited in another program.

    Returns
    -------
    int
        The number of topics in the file.

    Raises
    ------
    ValueError
        If the file cannot be read or is not a BCF file, or the scene is linked.

    Examples
    --------
    ::

        api.load_bcf("//review.bcf")
    """
    topics = read_topics(arguments.path(path))
    store_topics(bpy.context.scene, topics.values())
    accepted_pairs.changed()
    return len(topics)


def pair_topic(report: Report, pair: PairResult) -> Topic | None:
    """Return the status, the assignee and the comments of a pair, as stored by the scene of the report.

    Parameters
    ----------
    report : CollisionReport
    pair : PairResult
        A pair of the report.

    Returns
    -------
    Topic or None
        With `status`, `assigned_to` and `comments`. None if the pair has no topic.

    Raises
    ------
    ValueError
        If `report` is not a collision report, or does not contain the pair.

    Examples
    --------
    ::

        for pair in api.faults(report):
            topic = api.pair_topic(report, pair)
            if topic is not None and topic.status == "Closed":
                print(*api.names(report, pair))
    """
    arguments.report(report, Report)
    return accepted_pairs.marks_of(report).topics.get(row_of(report, pair))


def set_pair_topic(
    report: Report,
    pair: PairResult,
    *,
    status: str | None = None,
    assigned_to: str | None = None,
    comment: str = "",
    author: str = "",
) -> Topic:
    """Set the status and the assignee of a pair, and add a comment. The scene of the report stores them.

    Later reports and BCF files include them. They change neither verdicts nor exit codes.

    Parameters
    ----------
    report : CollisionReport
        A report on a scene of the open file.
    pair : PairResult
        A pair of the report.
    status, assigned_to : str, optional
        None: unchanged. Empty: removed.
    comment, author : str
        Text and author of a new comment. Empty text: no comment is added.

    Returns
    -------
    Topic
        The stored topic. If it has become empty, the scene does not store it.

    Raises
    ------
    ValueError
        If the report belongs to another file or scene, it does not contain the pair, or the scene is linked.

    Examples
    --------
    ::

        for pair in api.faults(report):
            api.set_pair_topic(report, pair, status="Open", assigned_to="level team")
    """
    arguments.report(report, Report)
    arguments.texts(status=status or "", assigned_to=assigned_to or "", comment=comment, author=author)
    scene = accepted_pairs.scene_of(report)
    if scene is None:
        raise ValueError("report: not of a scene of the open file")
    topic = topic_of(scene, report, row_of(report, pair))
    if status is not None:
        topic = topic._replace(status=status.strip())
    if assigned_to is not None:
        topic = topic._replace(assigned_to=assigned_to.strip())
    topic = topic.with_comment(comment, author)
    store_topics(scene, [topic])
    accepted_pairs.changed()
    return topic


def _archive(report: Report, most: int) -> bytes:
    """Return the report as a BCF file, with viewpoints if its shapes are known."""
    marks = accepted_pairs.marks_of(report)
    rows = topic_rows(report, marks)
    viewpoints = {}
    if isinstance(report, CollisionReport):
        pictured = rows[:most] if _is_open(report) else []
        viewpoints = dict(pair_viewpoints(bpy.context, report, report.world, rows, pictured))
    return as_bcf(report, rows, marks, viewpoints, global_ids_of(report.bodies))


def _is_open(report: Report) -> bool:
    """Return whether a report is on the current scene and frame of the open file."""
    scene = bpy.context.scene
    return report.file == open_file.source(scene) and report.scene == scene.name and report.frame == scene.frame_current


def _written(report: AnyReport, kind: str, most: int) -> str:
    if not isinstance(report, Report):
        return written(kind, report)
    marks = accepted_pairs.marks_of(report)
    drawn: dict[int, bytes] = {}
    if kind == "html" and most and _is_open(report) and isinstance(report, CollisionReport):
        drawn.update(pair_pictures(bpy.context, report, report.world, pictured_rows(report, marks, most=most)))
    collections = collections_of(report.bodies) if kind == "html" else ()
    return written(kind, report, marks, pictures=drawn, collections=collections)
