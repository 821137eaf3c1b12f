# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests and ignore rules, both with patterns of names. Does not need Blender."""

import csv
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from fnmatch import translate
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from ..system.late import np
from .errors import UserError

if TYPE_CHECKING:
    from ...core.numerics.types import Bools


class Labels(NamedTuple):
    """Texts of a body that patterns are matched against: names of its objects, collections and materials.

    Attributes
    ----------
    name : frozenset of str
        The body as named in reports, its objects, and the instancers of an instance.
    collection : frozenset of str
        Collections of its objects, including their ancestors.
    library : frozenset of str
        Names of the files that its objects or their data are linked from.
    material : frozenset of str
    type : frozenset of str
        Blender's object types: MESH, CURVE, EMPTY, …
    parent : frozenset of str
        All ancestors of its objects. The instancer of an instance counts as a parent.
    motion : frozenset of str
        Motion type if declared in the file: static, dynamic or kinematic. Otherwise animated or undeclared.
    """

    name: frozenset[str] = frozenset()
    collection: frozenset[str] = frozenset()
    library: frozenset[str] = frozenset()
    material: frozenset[str] = frozenset()
    type: frozenset[str] = frozenset()
    parent: frozenset[str] = frozenset()
    motion: frozenset[str] = frozenset()


class Pattern(NamedTuple):
    """A glob, and the field of `Labels` that it is matched against."""

    field: str
    glob: str

    @classmethod
    def read(cls, text: str) -> "Pattern":
        """Read ``GLOB``, which is matched against names, or ``FIELD:GLOB``.

        Raises
        ------
        UserError
            If the glob is missing.
        """
        found = cls.parse(text)
        if not found.glob:
            raise UserError("{pattern} is not a pattern of names", pattern=repr(text))
        return found

    @classmethod
    def parse(cls, text: str) -> "Pattern":
        """Read a pattern. A pattern without a glob matches nothing."""
        field, colon, glob = text.partition(":")
        if not colon or field not in Labels._fields:
            field, glob = "name", text
        return cls(field, glob.strip())

    @property
    def text(self) -> str:
        """The text that `read` converts to this pattern."""
        plain = self.field == "name" and self.glob.partition(":")[0] not in Labels._fields
        return self.glob if plain else f"{self.field}:{self.glob}"

    def matches(self, labels: Labels) -> bool:
        """Return whether a label of the body equals the glob or matches it. Case-sensitive, except for types."""
        found, glob = getattr(labels, self.field), self.glob
        if self.field == "type":
            glob = glob.upper()
        return glob in found or any(map(_expression(glob).match, found))


def read_list(text: str) -> tuple[Pattern, ...]:
    """Read patterns separated by commas or line breaks. A pattern that contains one of these is in quotes."""
    rows = csv.reader(io.StringIO(text, newline=""), skipinitialspace=True)
    return tuple(Pattern.parse(field) for row in rows for field in row if field.strip())


def listed(patterns: Sequence[Pattern]) -> str:
    """Return patterns as text for `read_list`."""
    fields = []
    for one in patterns:
        field = io.StringIO(newline="")
        broken = "\r" in one.text or "\n" in one.text
        csv.writer(field, lineterminator="", quoting=csv.QUOTE_ALL if broken else csv.QUOTE_MINIMAL).writerow(
            [one.text]
        )
        fields.append(field.getvalue())
    return ", ".join(fields)


def _patterns(value: Sequence[Pattern | str]) -> tuple[Pattern, ...]:
    texts = [value] if isinstance(value, str) else value
    return tuple(Pattern.read(one) if isinstance(one, str) else one for one in texts)


@cache
def _expression(glob: str) -> re.Pattern[str]:
    return re.compile(translate(glob))


@dataclass(frozen=True)
class PairTest:
    """A named test: sets of bodies to test, with tolerances. Lengths are in Blender units.

    Attributes
    ----------
    name : str
    a, b : tuple of Pattern
        Bodies that match one of `a` are tested against those that match one of `b`. Without `b`, those of `a` against
        each other.
    touching, clearance : float, optional
        None: as for the check.
    severity : str
        Severity of its pairs: error, warning or info. Only errors fail a check.
    """

    name: str
    a: tuple[Pattern, ...]
    b: tuple[Pattern, ...] = ()
    touching: float | None = None
    clearance: float | None = None
    severity: str = "error"

    def __post_init__(self) -> None:
        """Read patterns that are given as text."""
        object.__setattr__(self, "a", _patterns(self.a))
        object.__setattr__(self, "b", _patterns(self.b))


@dataclass(frozen=True)
class IgnoreRule:
    """Pairs that are meant to collide. Lengths are in Blender units.

    Attributes
    ----------
    a, b : tuple of Pattern
        Pairs of a body that matches one of `a` and a body that matches one of `b`. Without `b`, and any other body.
    max_depth : float, optional
        Deeper pairs and duplicates are not ignored. None: no limit.
    reason : str
    """

    a: tuple[Pattern, ...]
    b: tuple[Pattern, ...] = ()
    max_depth: float | None = None
    reason: str = ""

    def __post_init__(self) -> None:
        """Read patterns that are given as text."""
        object.__setattr__(self, "a", _patterns(self.a))
        object.__setattr__(self, "b", _patterns(self.b))


def matching(patterns: Sequence[Pattern], labels: Sequence[Labels]) -> "Bools":
    """Return which bodies (B,) match one of the patterns."""
    return np.array([any(one.matches(body) for one in patterns) for body in labels], dtype=np.bool_)
