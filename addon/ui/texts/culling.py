# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the interface about cameras and the objects in their view."""

from typing import NamedTuple

import bpy

from ....core.constants import CROSSING, INSIDE, OUTSIDE
from ...i18n.lookup import enumerated, report_, tip_
from ...model.culling_report import CullReport
from ...scene.cameras.camera import camera_problem


class ClassText(NamedTuple):
    """Name of a class of objects, and their number."""

    name: str
    counted: str


CLASSES = {
    INSIDE: ClassText("Inside", "{count} inside"),
    CROSSING: ClassText("Partly Inside", "{count} partly inside"),
    OUTSIDE: ClassText("Outside", "{count} outside"),
}


# For several frames: objects that are seen in every frame, in some, and in none.
SIGHTINGS = (
    ClassText("Seen in Every Frame", "{count} seen in every frame"),
    ClassText("Seen in Some Frames", "{count} seen in some frames"),
    ClassText("Never Seen", "{count} never seen"),
)


def camera_missing(context: bpy.types.Context) -> str:
    """Return why the active camera cannot be used, as a tooltip. Empty if it can."""
    problem = camera_problem(context.scene)
    return tip_(problem.reason, name=problem.name) if problem is not None else ""


def classes(report: CullReport) -> list[tuple[ClassText, int]]:
    """Return the classes of objects of a culling, and the number of objects in each."""
    if report.frames > 1:
        return list(zip(SIGHTINGS, report.sightings(), strict=True))
    counts = report.counts()
    return [(text, counts[verdict]) for verdict, text in CLASSES.items()]


def counted(report: CullReport) -> str:
    """Return the number of objects in each class, as a report."""
    return enumerated(report_(text.counted, count=count) for text, count in classes(report))


def frames_text(report: CullReport) -> str:
    """Return the frames of a culling as text."""
    first, final = report.first_frame, report.last_frame
    return f"{first}" if first == final else f"{first} – {final}"
