# SPDX-License-Identifier: GPL-3.0-or-later
"""What is not in Blender, or not in the file, as it was: gathered, said once, and kept until the next time."""

from collections.abc import Iterable, Iterator
from typing import Any

from ..i18n.lookup import enumerated, report_
from ..model.report import Finding
from .sentences import severity_of

# How many names are listed of what is alike.
_NAMES = 4

# The ids of findings by their severity, which are those of the rules in `asset_rules.imports`.
_IDS = {"error": "not-imported", "warning": "imported-differently", "info": "physics-not-imported"}


class Notes:
    """Remarks on objects, those that are alike together."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, tuple[tuple[str, object], ...]], list[str]] = {}

    def add(self, name: str, text: str, **parts: object) -> None:
        """Remark something on an object; `text` is English, with names of parts in braces."""
        names = self._found.setdefault((text, tuple(parts.items())), [])
        if name not in names:
            names.append(name)

    def lines(self) -> tuple[str, ...]:
        """Everything, in English."""
        return tuple(
            f"{name}: {text.format(**dict(parts))}" for (text, parts), names in self._found.items() for name in names
        )

    def findings(self) -> tuple[Finding, ...]:
        """The same of an import, the worst first."""
        found = [
            Finding(_IDS[severity], severity, name, f"{text.format(**dict(parts))}.")
            for (text, parts), names in self._found.items()
            for severity in (severity_of(text, dict(parts)),)
            for name in names
        ]
        return tuple(sorted(found, key=lambda one: [*_IDS].index(one.severity)))

    def translated(self) -> Iterator[str]:
        """The same in the language of the interface, names of objects that are alike together."""
        for (text, parts), names in self._found.items():
            yield report_("{name}: {text}", name=_listed(names), text=report_(text, **dict(parts)))

    def say(self, log: Any, summary: str) -> None:
        """Give everything to the log of Blender's glTF add-on, which shows it as reports."""
        for text in self.translated():
            log.warning(text, popup=True)
        if summary:
            log.info(summary, popup=True)


_last = Notes()


def keep(notes: Notes) -> None:
    """Keep the notes of the file that is imported or exported now; more may be added to them."""
    global _last
    _last = notes


def last_notes() -> tuple[str, ...]:
    """What there was to say of the last file that was imported or exported, in English; for scripts and tests."""
    return _last.lines()


def last_findings() -> tuple[Finding, ...]:
    """The same of a file that was imported, as findings."""
    return _last.findings()


def _listed(names: Iterable[str]) -> str:
    every = [f'"{name}"' for name in names]
    rest = len(every) - _NAMES
    if rest > 1:
        every = [*every[:_NAMES], report_("{count} more", count=rest)]
    return enumerated(every)
