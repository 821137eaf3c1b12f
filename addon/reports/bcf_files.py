# SPDX-License-Identifier: GPL-3.0-or-later
"""Read topics from an edited BCF file, version 2.0 to 3.0. Such a file is untrusted input.

Nothing is unpacked to disk. Only the markup of topics is read, up to a maximum size. Documents with a type declaration,
which entities need, are rejected.
"""

import re
import zipfile
import zlib
from datetime import UTC, datetime
from pathlib import Path
from xml.etree import ElementTree

from ..model.errors import UserError
from ..model.topics import Comment, Topic, date_text
from ..system.files import check_regular

MARKUP = "markup.bcf"
_VERSIONS = ("2.0", "2.1", "3.0")
_GUID = re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")
# Allowed compression of files in the archive.
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)

# Maximum bytes of one markup and of all, and maximum number of files in the archive.
_MOST_BYTES, _MOST_IN_ALL, _MOST_FILES = 4 << 20, 64 << 20, 200_000


class _Refused(Exception):
    """Reason for rejecting a file, on one line."""


class _Builder(ElementTree.TreeBuilder):
    def doctype(self, name: str, pubid: str | None, system: str | None) -> None:
        """Reject a type declaration: no BCF file has one, and entities can multiply the data."""
        raise _Refused("an XML document type declaration")


def read_topics(path: Path) -> dict[str, Topic]:
    """Return the topics of a BCF file by their GUIDs.

    Raises
    ------
    UserError
        If the file cannot be read, is not a BCF file, or is not safe to read. The message has one line.
    """
    try:
        check_regular(path)
        with zipfile.ZipFile(path) as archive:
            return _topics(archive)
    except OSError as error:
        raise UserError("{file}: cannot be read: {reason}", file=path, reason=error.strerror or error) from None
    except (
        *(_Refused, zipfile.BadZipFile, zlib.error, ElementTree.ParseError, EOFError),
        # From encrypted entries, and invalid encodings and numbers.
        *(RuntimeError, ValueError, LookupError),
    ) as error:
        raise UserError("{file}: not a BCF file: {reason}", file=path, reason=_line(error)) from None


def _topics(archive: zipfile.ZipFile) -> dict[str, Topic]:
    names = archive.namelist()
    if len(names) > _MOST_FILES:
        raise _Refused(f"more than {_MOST_FILES} files")
    for name in names:
        if name.startswith("/") or ":" in name or ".." in re.split(r"[/\\]", name):
            raise _Refused(f"a path that leads out of it, {name!r}")
    if "bcf.version" not in names:
        raise _Refused("there is no bcf.version in it")
    left = _MOST_IN_ALL
    version = _parsed(_read(archive, "bcf.version", left)).get("VersionId", "")
    if version not in _VERSIONS:
        raise _Refused(f"version {version!r} instead of {', '.join(_VERSIONS)}")
    found = {}
    for name in dict.fromkeys(names):
        folder, _, file = name.partition("/")
        if file == MARKUP and _GUID.fullmatch(folder.lower()):
            data = _read(archive, name, left)
            left -= len(data)
            topic = _topic(_parsed(data), folder.lower())
            found[topic.guid] = topic
    return found


def _read(archive: zipfile.ZipFile, name: str, left: int) -> bytes:
    """Return the content of a file. The size declared by the archive is not trusted."""
    most = min(_MOST_BYTES, left)
    if archive.getinfo(name).compress_type not in _METHODS:
        raise _Refused(f"{name} is compressed by another method than Deflate")
    with archive.open(name) as stream:
        data = stream.read(most + 1)
    if len(data) > most:
        raise _Refused(
            f"{name} is larger than {_MOST_BYTES >> 20} MiB, or all are larger than {_MOST_IN_ALL >> 20} MiB"
        )
    return data


def _parsed(data: bytes) -> ElementTree.Element:
    root: ElementTree.Element = ElementTree.fromstring(data, ElementTree.XMLParser(target=_Builder()))
    return root


def _topic(markup: ElementTree.Element, guid: str) -> Topic:
    topic = markup.find("Topic")
    if topic is None:
        raise _Refused(f"{guid}/{MARKUP} has no topic")
    # Before version 3.0, comments were beside the topic.
    listed = [*topic.iterfind("Comments/Comment"), *markup.iterfind("Comment")]
    comments = tuple(
        Comment(_text(one, "Author"), _dated(_text(one, "Date")), _text(one, "Comment"), _guid(one)) for one in listed
    )
    return Topic(guid, (topic.get("TopicStatus") or "").strip(), _text(topic, "AssignedTo"), comments)


def _guid(comment: ElementTree.Element) -> str:
    guid = (comment.get("Guid") or "").lower()
    return guid if _GUID.fullmatch(guid) else ""


def _dated(text: str) -> str:
    """Return a date in UTC, the default time zone. Empty if it is invalid."""
    try:
        date = datetime.fromisoformat(text)
        return date_text(date if date.tzinfo is not None else date.replace(tzinfo=UTC))
    except (ValueError, OverflowError):
        return ""


def _text(element: ElementTree.Element, name: str) -> str:
    return (element.findtext(name) or "").strip()


def _line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__
