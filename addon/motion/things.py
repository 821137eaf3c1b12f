# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of parts of one thing: parts that are joined in the first frame and stay so, and of declared things."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from ...core.constants import Verdict
from ..collisions.body_extents import BodyExtents
from ..collisions.check import Found, places_of, things_without_objects
from ..collisions.joined_parts import joined_parts
from ..model.motion_report import MotionContact
from ..model.one_thing import pairs_within, things_of
from ..model.report import Body, Issue
from ..model.rules import Pattern
from ..scene.objects.labels import labels_of
from ..scene.reading.assets import bounds_of_bodies
from ..scene.reading.scene_shapes import SceneShapes
from .contact_records import ContactRecord


def joined_at_start(
    shapes: SceneShapes, bodies: Sequence[Body], records: Mapping[tuple[int, int], ContactRecord]
) -> dict[tuple[int, int], str]:
    """Return the pairs of bodies that are joined parts of one thing in the first frame, each with its name.

    Parameters
    ----------
    shapes : SceneShapes
        Those of the current frame, the first.
    bodies : sequence of Body
        Bodies of the reader.
    records : mapping of (int, int) to ContactRecord
        The contacts in the first frame, by the numbers of the reader.

    Returns
    -------
    dict of (int, int) to str
        By the numbers of the reader, as in `records`.
    """
    row_of = {body.key: row for row, body in enumerate(shapes.bodies)}
    ends = {pair: tuple(row_of.get(bodies[one].key, -1) for one in pair) for pair in records}
    known = [pair for pair, rows in ends.items() if min(rows) >= 0]
    first, second = np.array([ends[pair] for pair in known], np.int64).reshape(-1, 2).T
    touch, deep = int(Verdict.TOUCHING), int(Verdict.PENETRATING)
    verdict = np.array([deep if records[pair].penetrates else touch for pair in known], np.int64)
    found = Found(first, second, verdict, np.array([max(records[pair].depth, 0.0) for pair in known], np.float64))
    places = places_of(shapes.bodies, {})
    around = bounds_of_bodies(shapes.body, shapes.world.bounds(), len(shapes.bodies))
    joined = joined_parts(shapes.bodies, places.collections, around, found, BodyExtents(shapes), places.authored)
    return {pair: joined[key] for pair in known if (key := tuple(sorted(ends[pair]))) in joined}


def parts_of_things(
    contacts: Iterable[MotionContact],
    joined: Mapping[tuple[int, int], str],
    bodies: Sequence[Body],
    patterns: Sequence[Pattern],
    scene: str,
) -> tuple[dict[tuple[int, int], str], list[Issue]]:
    """Return the pairs of bodies whose contacts are those of parts of one thing, each with its name.

    Parameters
    ----------
    contacts : iterable of MotionContact
    joined : mapping of (int, int) to str
        Joined parts in the first frame, by the numbers of the report. They count if they are never apart.
    bodies : sequence of Body
        Bodies of the report.
    patterns : sequence of Pattern
        Declared things.
    scene : str
        Name of the scene.

    Returns
    -------
    dict of (int, int) to str
        The lesser body of each pair is first.
    list of Issue
        A warning for each declared thing without bodies.
    """
    rows = list(contacts)
    found = {(one.body_a, one.body_b): joined.get((one.body_a, one.body_b), "") for one in rows if one.unbroken}
    found = {pair: name for pair, name in found.items() if name}
    if not patterns:
        return found, []
    things = things_of(patterns, labels_of(bodies))
    columns = [[one.body_a for one in rows], [one.body_b for one in rows], [int(one.verdict) for one in rows]]
    declared = pairs_within(things, [np.array(column, np.int64) for column in columns], scene)
    return found | declared, things_without_objects(things)
