# SPDX-License-Identifier: GPL-3.0-or-later
"""The topic of a pair, as BCF files have it: a status, an assignee and comments."""

import uuid
from datetime import UTC, datetime
from typing import NamedTuple

# The topics of all reports are named in this namespace.
_NAMESPACE = uuid.UUID("5d0e6a2c-2f0b-5c1f-9d7e-6b1c3a4f8e20")


# The status of a topic that nobody has changed, and others that are usual.
OPEN = "Open"
STATUSES = (OPEN, "In Progress", "Closed")


class Comment(NamedTuple):
    """A comment on a topic; its date as the file has it."""

    author: str
    date: str
    text: str
    guid: str = ""


class Topic(NamedTuple):
    """The topic of a pair.

    Attributes
    ----------
    guid : str
        That of the topic, which tells the pair.
    status, assigned_to : str
        "" if nothing is said.
    comments : tuple of Comment
        In the order in which they were made.
    """

    guid: str
    status: str = ""
    assigned_to: str = ""
    comments: tuple[Comment, ...] = ()

    def with_comment(self, text: str, author: str) -> "Topic":
        """Return the topic with another comment, made now; the same topic if the text is empty."""
        if not text.strip():
            return self
        comment = Comment(author.strip(), date_text(datetime.now(UTC)), text.strip())
        return self._replace(comments=(*self.comments, comment))

    @property
    def is_empty(self) -> bool:
        """Whether nothing is said."""
        return not (self.status or self.assigned_to or self.comments)


def date_text(when: datetime) -> str:
    """A date as the format has it, in UTC."""
    # Not strftime, which on some systems writes years before 1000 with fewer than four digits.
    return f"{when.astimezone(UTC).replace(microsecond=0, tzinfo=None).isoformat()}Z"


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
