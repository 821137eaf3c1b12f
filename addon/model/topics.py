# SPDX-License-Identifier: GPL-3.0-or-later
"""Comments of others about a pair in a BCF file: its topic, with a status, an assignee and comments."""

import uuid
from typing import NamedTuple

# The topics of all reports are named in this namespace.
_NAMESPACE = uuid.UUID("5d0e6a2c-2f0b-5c1f-9d7e-6b1c3a4f8e20")


class Comment(NamedTuple):
    """A comment on a topic; its date as the file has it."""

    author: str
    date: str
    text: str
    guid: str = ""


class Topic(NamedTuple):
    """The topic of a pair in a BCF file.

    Attributes
    ----------
    guid : str
        That of the topic, which tells the pair.
    status, assigned_to : str
        "" if the file says nothing.
    comments : tuple of Comment
        In the order of the file.
    """

    guid: str
    status: str = ""
    assigned_to: str = ""
    comments: tuple[Comment, ...] = ()


def topic_guid(pair_id: str) -> str:
    """The GUID of the topic of a pair with this id: the same in each run and on each computer."""
    return _guid("topic", pair_id)


def viewpoint_guid(pair_id: str) -> str:
    """The GUID of the viewpoint in the topic of a pair with this id."""
    return _guid("viewpoint", pair_id)


def project_guid(scene: str) -> str:
    """The id of the BCF project of a scene of this name."""
    return _guid("project", scene)


def comment_guid(topic: str, comment: Comment, place: int) -> str:
    """The GUID of a comment: its own, or one made of the topic, the comment and its place."""
    return comment.guid or _guid("comment", topic, str(place), comment.author, comment.date, comment.text)


def topic_text(topic: Topic) -> str:
    """The status and who it is assigned to, in one line; empty if neither is known."""
    return ", ".join(filter(None, [topic.status, topic.assigned_to and f"assigned to {topic.assigned_to}"]))


def _guid(*parts: str) -> str:
    text = "\n".join(parts).encode("utf-8", "replace").decode("utf-8")
    return str(uuid.uuid5(_NAMESPACE, text))
