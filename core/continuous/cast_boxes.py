# SPDX-License-Identifier: GPL-3.0-or-later
"""First contact of two translating boxes, by the kernel `sweeps`."""

import numpy as np

from .. import results
from ..kernels import sweeps
from ..narrow_phase.flat_faced import BOX_BOX
from ..numerics.types import Bools, Floats
from ..shapes import Boxes
from ..shapes.batch import BatchView
from .first_contacts import FirstContacts


def first_contacts(a: BatchView[Boxes], b: BatchView[Boxes], velocity_a: Floats, velocity_b: Floats) -> FirstContacts:
    """First contact of each pair in the interval [0, 1]. The velocities (P, 3) are those of the pairs."""
    count = len(velocity_a)
    verdict, touching, time = np.empty(count, dtype=np.int64), np.empty(count, dtype=np.int64), np.empty(count)
    point, normal = np.empty((2, count, 3))
    sides = _side(a, velocity_a), _side(b, velocity_b)
    hits = sweeps.box_contacts(*sides, verdict, touching, time, point, normal)
    started = np.flatnonzero(verdict[touching[:hits]] == sweeps.STARTED)
    if len(started):
        rows = touching[started]
        at_start = BOX_BOX.separating_axis(a.take(rows), b.take(rows))
        normal[started] = at_start.axis
        sweeps.box_points(*sides, rows, started, at_start.gap, at_start.axis, point)
    stages = (results.BOUNDING_SPHERES, sweeps.BALLS_APART), (results.FACE_AXES, sweeps.FACES_APART)
    for stage, code in (*stages, (results.EDGE_AXES, sweeps.EDGES_APART), (results.EXACT, sweeps.TOUCHING)):
        results.record_resolved(stage, verdict == code)
    results.record_resolved(results.EXACT, len(started))
    settled: Bools = verdict != sweeps.DOUBTFUL
    return FirstContacts(settled, touching[:hits], time[:hits], point[:hits], normal[:hits])


def _side(boxes: BatchView[Boxes], velocity: Floats) -> sweeps.MovingBoxes:
    """One side of the pairs for the kernel."""
    shapes, rows = boxes.smaller()
    center, half, rotation = map(np.ascontiguousarray, (shapes.center, shapes.half_extents, shapes.rotation))
    return sweeps.MovingBoxes(center, half, rotation, np.ascontiguousarray(rows), np.ascontiguousarray(velocity))
