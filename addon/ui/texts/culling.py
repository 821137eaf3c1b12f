# SPDX-License-Identifier: GPL-3.0-or-later
"""What the interface says about cameras and what is in their view."""

from collections.abc import Mapping
from typing import NamedTuple

import bpy

from ....core.constants import CROSSING, INSIDE, OUTSIDE
from ...i18n.lookup import enumerated, report_, tip_
from ...model.culling_report import CullReport
from ...scene.cameras.camera import camera_problem


class ClassText(NamedTuple):
    """The name of a class of objects, and how many are in it."""

    name: str
    counted: str


CLASSES = {
    INSIDE: ClassText("Inside", "{count} inside"),
    CROSSING: ClassText("Partly Inside", "{count} partly inside"),
    OUTSIDE: ClassText("Outside", "{count} outside"),
}


def camera_missing(context: bpy.types.Context) -> str:
    """Return why the active camera cannot be used, as a tooltip; empty if it can."""
    problem = camera_problem(context.scene)
    return tip_(problem.reason, name=problem.name) if problem is not None else ""


def counted(counts: Mapping[int, int]) -> str:
    """Return how many objects are in each class, as a report."""
    return enumerated(report_(text.counted, count=counts.get(verdict, 0)) for verdict, text in CLASSES.items())


def frames_text(report: CullReport) -> str:
    """Return of which frames a culling speaks."""
    first, final = report.first_frame, report.last_frame
    return f"{first}" if first == final else f"{first} – {final}"
