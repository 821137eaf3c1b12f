# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues of imports and exports: differences between Blender and the file, collected until the next one."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ..asset_rules.limits import SEVERITIES
from ..i18n.lookup import enumerated, report_
from ..model.report import Issue
from . import sentences

# Number of names listed for issues of the same kind.
_NAMES = 4

# Ids of issues by severity, as in `asset_rules.imports`.
_IDS = {"error": "not-imported", "warning": "imported-differently", "info": "physics-not-imported"}

# Losses of an imported file, or of its colliders.
_LOST = {
    sentences.SECOND_PARENT,
    sentences.NO_GEOMETRY,
    sentences.UNREADABLE,
    sentences.TOO_LARGE,
    sentences.NO_FACES,
    sentences.LONG_NAME,
}
_LOST_PARTS = {"shape", "mesh", "node", "collider", "trigger", "geometry", "translation", "rotation", "scale", "matrix"}
# Data that no collision test uses.
_PHYSICS = {
    sentences.JOINT,
    sentences.NO_JOINT,
    sentences.MOTION,
    sentences.TWO_FRICTIONS,
    sentences.NO_AMOUNT,
    sentences.COMBINE,
    sentences.RESTITUTION,
}
_PHYSICS_PARTS = {"motion", "physicsMaterials"}


class FileIssues:
    """Issues of an imported or exported file, grouped by kind."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, tuple[tuple[str, object], ...]], list[str]] = {}
        self._told: set[str] = set()

    def add(self, name: str, text: str, **parts: object) -> None:
        """Add an issue of an object. `text` is English, with names in braces."""
        names = self._found.setdefault((text, tuple(parts.items())), [])
        if name not in names:
            names.append(name)

    def lines(self) -> tuple[str, ...]:
        """Return all issues, in English."""
        return tuple(
            f"{name}: {text.format(**dict(parts))}" for (text, parts), names in self._found.items() for name in names
        )

    def issues(self) -> tuple[Issue, ...]:
        """Return the issues of an import, worst first."""
        found: list[Issue] = []
        for (text, parts), names in self._found.items():
            message = f"{text.format(**dict(parts))}."
            for name in names:
                severity = _severity(name, text, dict(parts))
                found.append(Issue(_IDS[severity], severity, name, message))
        return tuple(sorted(found, key=lambda one: SEVERITIES.index(one.severity)))

    def translated(self) -> Iterator[str]:
        """Return the issues in the language of the interface, with the objects of equal issues together."""
        for (text, parts), names in self._found.items():
            yield report_("{name}: {text}", name=_listed(names), text=report_(text, **dict(parts)))

    def say(self, log: Any) -> None:
        """Pass new issues to the log of Blender's glTF add-on, which shows them as reports."""
        for text in self.translated():
            if text not in self._told:
                self._told.add(text)
                log.warning(text, popup=True)

    def sum_up(self, log: Any, summary: str) -> None:
        """Report the rest. The last report has the count, because only it appears in Blender's status bar."""
        self.say(log)
        if self._told:
            count = len(self._told)
            text = report_("{summary}. {count} warnings: see the Info editor", summary=summary, count=count)
            log.warning(text, popup=True)
        else:
            log.info(summary, popup=True)


# For each file of the last import or export.
_last: list[FileIssues] = []


def begin() -> None:
    """Clear the issues of the previous import or export."""
    _last.clear()


def keep(issues: FileIssues) -> None:
    """Store the issues of a file that is being imported or exported. More can be added to them."""
    _last.append(issues)


def add_to_last(names: Iterable[str], text: str) -> None:
    """Add the same issue for several objects to those of the last file."""
    for issues in _last[-1:]:
        for name in names:
            issues.add(name, text)


def last_lines() -> tuple[str, ...]:
    """Return the issues of the last import or export in English, for scripts and tests."""
    return tuple(line for issues in _last for line in issues.lines())


def last_issues() -> tuple[Issue, ...]:
    """Return the issues of the last import, worst first for each file."""
    return tuple(issue for issues in _last for issue in issues.issues())


def _severity(name: str, text: str, parts: Mapping[str, object]) -> str:
    """Return the severity of an import issue."""
    if text in (sentences.MISSING, sentences.NO_DATA, sentences.NO_FILE):
        return _severity_of_missing(name, parts.get("what"))
    # A reference, a field, or a list of the file and an index.
    part, *_ = str(parts.get("what", parts.get("field"))).split("/")
    if text in _LOST or part in _LOST_PARTS:
        return "error"
    return "info" if text in _PHYSICS or part in _PHYSICS_PARTS else "warning"


def _severity_of_missing(where: str, what: object) -> str:
    """Return the severity of a missing element that this JSON pointer refers to."""
    _, top, *_ = where.split("/")
    if what in ("camera", "material") or top in ("materials", "textures", "images"):
        return "info"
    if top in ("animations", "skins") or what in ("scene", "skin"):
        return "warning"
    if top != "meshes" or where.endswith(("/attributes/POSITION", "/indices")):
        return "error"
    # Deformation changes the tested shape. Normals, texture coordinates and colors do not.
    return "warning" if any(part in where for part in ("/targets/", "/JOINTS_", "/WEIGHTS_")) else "info"


def _listed(names: Iterable[str]) -> str:
    every = [f'"{name}"' for name in names]
    rest = len(every) - _NAMES
    if rest > 1:
        every = [*every[:_NAMES], report_("{count} more", count=rest)]
    return enumerated(every)
