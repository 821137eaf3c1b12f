# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as text and as files."""

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
    """A report as text in one of the formats that the command line has.

    Parameters
    ----------
    report : CollisionReport, MotionReport, CullReport or ValidationReport
    format : str
        text, json, html (without pictures) or junit; of a `CollisionReport` also csv.

    Returns
    -------
    str
        Ending in a newline.

    Raises
    ------
    ValueError
        If it is no report, or not one that has such a format.

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
    """Write a report to a file, whole or not at all; its ending says in which format.

    Parameters
    ----------
    report : CollisionReport, MotionReport, CullReport or ValidationReport
    path : str or Path
        .json, .txt, .html or .xml (JUnit); of a `CollisionReport` also .csv and .bcf.
    pictures : int
        Of an .html or .bcf of the open file's current frame: how many of the worst pairs that are not accepted are
        shown as pictures, which take some seconds each. The scene must be as it was checked.

    Returns
    -------
    Path
        Of the file.

    Raises
    ------
    ValueError
        For any other ending, and for what is no report or no path.
    OSError
        If it cannot be written.

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

    They take the place of those that the current scene stores of the same pairs, and are in every report on it.

    Parameters
    ----------
    path : str or Path
        A BCF file that `save_report` or the command line has written, as another program has changed it.

    Returns
    -------
    int
        The number of topics in the file.

    Raises
    ------
    ValueError
        If the file cannot be read, is no BCF file, or the scene is linked.

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
    """The status, the assignee and the comments of a pair, as the scene of a report stores them.

    Parameters
    ----------
    report : CollisionReport
    pair : PairResult
        One of the report's.

    Returns
    -------
    Topic or None
        With `status`, `assigned_to` and `comments`; None if there is no topic of the pair.

    Raises
    ------
    ValueError
        If it is no report of a collision check, or the pair is none of its.

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

    Reports and BCF files contain them from now on. They change no verdict and no exit code.

    Parameters
    ----------
    report : CollisionReport
        Of a scene of the open file.
    pair : PairResult
        One of the report's.
    status, assigned_to : str, optional
        None: as they are. Empty: none.
    comment, author : str
        Of the comment that is added; empty: none is.

    Returns
    -------
    Topic
        What is stored now. If nothing is said any more, the scene stores no topic of the pair.

    Raises
    ------
    ValueError
        If the report is of another file or scene, the pair is none of its, or the scene is linked.

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
    """The report as a BCF file, with viewpoints if its shapes are known."""
    marks = accepted_pairs.marks_of(report)
    rows = topic_rows(report, marks)
    viewpoints = {}
    if isinstance(report, CollisionReport):
        pictured = rows[:most] if _is_open(report) else []
        viewpoints = dict(pair_viewpoints(bpy.context, report, report.world, rows, pictured))
    return as_bcf(report, rows, marks, viewpoints, global_ids_of(report.bodies))


def _is_open(report: Report) -> bool:
    """Whether a report is of the open file, its current scene and frame."""
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
