# SPDX-License-Identifier: GPL-3.0-or-later
"""The topics of pairs that are stored in a scene. A topic identifies its pair by id."""

import json
from collections.abc import Iterable, Mapping

import bpy

from ..model.errors import UserError
from ..model.json_text import parsed
from ..model.pair_ids import pair_ids
from ..model.report import Report
from ..model.topics import Comment, Topic, topic_guid
from .settings import NAME


def topics_of(scene: bpy.types.Scene) -> dict[str, Topic]:
    """The topics of a scene, by GUID."""
    stored = getattr(scene, NAME).topics
    return {one.guid: Topic(one.guid, one.status, one.assigned_to, _comments(one.comments)) for one in stored}


def store_topics(scene: bpy.types.Scene, topics: Iterable[Topic]) -> None:
    """Store topics in a scene, replacing those with the same GUID. Empty ones are removed.

    Raises
    ------
    UserError
        If the scene is linked.
    """
    if scene.library is not None:
        raise UserError("The scene is linked: change topics in its own file")
    stored = getattr(scene, NAME).topics
    known = topics_of(scene) | {topic.guid: topic for topic in topics}
    stored.clear()
    for topic in known.values():
        if topic.is_empty:
            continue
        one = stored.add()
        one.guid, one.status, one.assigned_to = topic.guid, topic.status, topic.assigned_to
        one.comments = json.dumps(topic.comments)


def topic_rows(report: Report, topics: Mapping[str, Topic]) -> dict[int, Topic]:
    """The rows of a report that have one of the topics."""
    if not topics:
        return {}
    guids = [topic_guid(name) for name in pair_ids(report)]
    return {row: topics[guid] for row, guid in enumerate(guids) if guid in topics}


def topic_of(scene: bpy.types.Scene, report: Report, row: int) -> Topic:
    """The topic of a row of a report. An empty one if the scene stores none."""
    guid = topic_guid(pair_ids(report)[row])
    return topics_of(scene).get(guid, Topic(guid))


def _comments(text: str) -> tuple[Comment, ...]:
    try:
        return tuple(Comment(*map(str, one)) for one in parsed(text))
    except (ValueError, TypeError):  # not written by the add-on
        return ()
