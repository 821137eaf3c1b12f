# SPDX-License-Identifier: GPL-3.0-or-later
"""The topic of a pair in BCF files: a status, an assignee and comments."""

import uuid
from datetime import UTC, datetime
from typing import NamedTuple

# Namespace of the topics of all reports.
_NAMESPACE = uuid.UUID("5d0e6a2c-2f0b-5c1f-9d7e-6b1c3a4f8e20")


# Default status of a topic, and other usual ones.
OPEN = "Open"
STATUSES = (OPEN, "In Progress", "Closed")


class Comment(NamedTuple):
    """A comment on a topic, with its date as in the file."""

    author: str
    date: str
    text: str
    guid: str = ""


class Topic(NamedTuple):
    """The topic of a pair.

    Attributes
    ----------
    guid : str
        GUID of the topic, which identifies the pair.
    status, assigned_to : str
        Empty if not set.
    comments : tuple of Comment
        In chronological order.
    """

    guid: str
    status: str = ""
    assigned_to: str = ""
    comments: tuple[Comment, ...] = ()

    def with_comment(self, text: str, author: str) -> "Topic":
        """Return the topic with a new comment. The same topic if the text is empty."""
        if not text.strip():
            return self
        comment = Comment(author.strip(), date_text(datetime.now(UTC)), text.strip())
        return self._replace(comments=(*self.comments, comment))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is set."""
        return not (self.status or self.assigned_to or self.comments)


def date_text(when: datetime) -> str:
    """Return a date in the format of the file, in UTC."""
    # Not strftime, which on some systems writes years before 1000 with fewer than four digits.
    return f"{when.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()}Z"


def topic_guid(pair_id: str) -> str:
    """Return the GUID of the topic of a pair with this id. It is the same in each run and on each computer."""
    return _guid("topic", pair_id)


def viewpoint_guid(pair_id: str) -> str:
    """Return the GUID of the viewpoint in the topic of a pair with this id."""
    return _guid("viewpoint", pair_id)


def project_guid(scene: str) -> str:
    """Return the id of the BCF project of a scene with this name."""
    return _guid("project", scene)


def comment_guid(topic: str, comment: Comment, place: int) -> str:
    """Return the GUID of a comment: its own, or one made from the topic, the comment and its position."""
    return comment.guid or _guid("comment", topic, str(place), comment.author, comment.date, comment.text)


def topic_text(topic: Topic) -> str:
    """Return the status and the assignee on one line. Empty if neither is set."""
    return ", ".join(filter(None, [topic.status, topic.assigned_to and f"assigned to {topic.assigned_to}"]))


def _guid(*parts: str) -> str:
    text = "\n".join(parts).encode("utf-8", "replace").decode("utf-8")
    return str(uuid.uuid5(_NAMESPACE, text))
