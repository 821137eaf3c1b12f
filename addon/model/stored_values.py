# SPDX-License-Identifier: GPL-3.0-or-later
"""Values in the bytes of results in files: texts, numbers and columns. Reading checks types; nothing is executed."""

import math
import string
import zlib
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from ..asset_rules.limits import Length
from ..system.late import np
from .errors import UserError
from .message import Message
from .report import Issue, ObjectKey, Skipped

if TYPE_CHECKING:
    from numpy.typing import NDArray

# Maximum size in bytes before compression, for storing and reading.
MOST_BYTES = 1 << 26

# Exceptions of reading other bytes.
MISREAD = (
    *(ArithmeticError, AttributeError, LookupError, MemoryError, RecursionError, TypeError, ValueError),
    zlib.error,
)


class Damaged(UserError):
    """The bytes are not stored results."""


def packed(columns: Sequence[tuple[str, int, str]], values: Mapping[str, Any]) -> bytes:
    """Return columns as bytes, which compress well."""
    parts = []
    for name, width, kind in columns:
        column = np.array(values[name], dtype=np.dtype(kind)).reshape(-1, width).T.ravel()
        # The first bytes of all numbers, then the second ones: this compresses better.
        parts.append(column.view(np.uint8).reshape(-1, np.dtype(kind).itemsize).T.tobytes())
    return b"".join(parts)


class Reader:
    """Reads columns from bytes, one after the other."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def read(self, columns: Sequence[tuple[str, int, str]], rows: int) -> "dict[str, NDArray[Any]]":
        """Read columns with this number of rows."""
        found = {}
        for name, width, kind in columns:
            item, count = np.dtype(kind).itemsize, rows * width
            part = self.data[self.at : self.at + item * count]
            if len(part) != item * count:
                raise ValueError
            self.at += item * count
            raw = np.frombuffer(part, np.uint8).reshape(item, count)
            column = np.ascontiguousarray(raw.T).view(kind).reshape(width, rows).T
            if kind.startswith("<f") and not np.isfinite(column).all():
                raise ValueError
            found[name] = column.astype(np.float64 if kind.startswith("<f") else np.int64)
        return found


def stored_text(text: object) -> Any:
    """Return a value of a message for JSON."""
    if isinstance(text, Message):
        return {"template": text.template, "values": {name: stored_text(value) for name, value in text.values.items()}}
    if isinstance(text, Length):
        return {"length": float(text)}
    return text if isinstance(text, int | float) else str(text)


def read_text(found: Any) -> Any:
    """Read a value of `stored_text`."""
    if not isinstance(found, dict):
        return found if isinstance(found, int | float) else read_str(found)
    if "length" in found:
        return Length(read_float(found["length"]))
    values = {read_str(name): read_text(value) for name, value in found["values"].items()}
    template = read_str(found["template"])
    for _, name, how, conversion in string.Formatter().parse(template):
        # Names only: other fields of a format string can read attributes or produce text of any length.
        if name is not None and (not name.isidentifier() or name not in values or how or conversion):
            raise ValueError
    return Message(template, **values)


def read_str(value: Any) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise TypeError
    return value


def read_int(value: Any) -> int:
    """Read an integer."""
    if type(value) is not int or abs(value) >= 1 << 62:
        raise TypeError
    return value


def read_float(value: Any) -> float:
    """Read a finite number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value):
        raise TypeError
    return float(value)


def stored_issues(issues: Sequence[Issue]) -> list[Any]:
    """Return issues of objects for JSON."""
    return [[one.id, one.severity, one.object, stored_text(one.message)] for one in issues]


def read_issues(found: Any) -> tuple[Issue, ...]:
    """Read issues of objects."""
    return tuple(Issue(read_str(a), read_str(b), read_str(c), read_text(text)) for a, b, c, text in found)


def stored_skipped(skipped: Sequence[Skipped]) -> list[Any]:
    """Return objects that were left out for JSON."""
    return [[one.object, stored_text(one.reason), one.why] for one in skipped]


def read_skipped(found: Any) -> tuple[Skipped, ...]:
    """Read objects that were left out."""
    return tuple(Skipped(read_str(ob), read_text(text), read_str(why)) for ob, text, why in found)


def read_key(loaded: Callable[[list[Any]], ObjectKey | None], found: Any, number: int) -> ObjectKey:
    """Read the key of an object; a key of no object if it does not exist. `number` tells these apart."""
    key = None
    if found is not None:
        name, library, host, host_library, place = found
        key = loaded(
            [read_str(name), read_str(library), read_str(host), read_str(host_library), tuple(map(read_int, place))]
        )
    # No object has a negative number.
    return ObjectKey(-1 - number) if key is None else key
