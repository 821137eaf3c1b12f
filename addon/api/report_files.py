# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports as text and as files."""

from pathlib import Path

import bpy

from ..model.culling_report import CullReport
from ..model.formats import ENDINGS, MOST_PICTURES
from ..model.motion_report import MotionReport
from ..model.report import Report
from ..model.validation_report import ValidationReport
from ..picture import pair_pictures
from ..reports.documents import formats_of, pictured_rows, written
from ..scene import accepted_pairs, arguments, open_file
from ..scene.objects.labels import collections_of
from ..system.files import encoded, write_whole
from .checking import CollisionReport
from .choices import Format

AnyReport = Report | MotionReport | CullReport | ValidationReport


def report_text(report: AnyReport, format: Format = "text") -> str:
    """A report as text in one of the formats that the command line has.

    Parameters
    ----------
    report : CollisionReport, MotionReport, CullReport or ValidationReport
    format : str
        text or json; of a `CollisionReport` also html (without pictures) and junit.

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
        .json or .txt; of a `CollisionReport` also .html, .xml (JUnit) and .csv.
    pictures : int
        Of an .html of the open file's current frame: how many of the worst pairs that are not accepted are shown as
        pictures, which take some seconds each. The scene must be as it was checked.

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
    endings = [ending for ending, name in ENDINGS.items() if name in formats_of(report)]
    if target.suffix.lower() not in endings:
        raise ValueError(f"{target.name!r} ends in none of {', '.join(endings)}")
    write_whole(target, encoded(_written(report, ENDINGS[target.suffix.lower()], most)))
    return target


def _written(report: AnyReport, kind: str, most: int) -> str:
    if not isinstance(report, Report):
        return written(kind, report)
    marks = accepted_pairs.marks_of(report)
    drawn: dict[int, bytes] = {}
    scene = bpy.context.scene
    here = report.file == open_file.path() and report.scene == scene.name and report.frame == scene.frame_current
    if kind == "html" and most and here and isinstance(report, CollisionReport):
        drawn.update(pair_pictures(bpy.context, report, report.world, pictured_rows(report, marks, most=most)))
    collections = collections_of(report.bodies) if kind == "html" else ()
    return written(kind, report, marks, pictures=drawn, collections=collections)
