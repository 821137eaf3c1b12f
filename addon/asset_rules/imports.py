# SPDX-License-Identifier: GPL-3.0-or-later
"""Rules for imported files: content of the file that was not imported exactly."""

from collections.abc import Iterator

from .limits import Limits
from .rule import Find, OneByOne, Place, Rule
from .subject import Imported


def _told(severity: str) -> Find:
    def ask(one: Imported, _limits: Limits) -> Iterator[Place]:
        if one.severity == severity:
            yield one.subject, {"what": one.what}

    return OneByOne(lambda scene: scene.imported, ask)


NOT_IMPORTED = Rule(
    id="not-imported",
    title="Not Imported",
    severity="error",
    engine="any",
    sentence="Part of the glTF file was not imported: {what}.",
    advice="Repair the file in the program that wrote it, or add the collider here.",
    find=_told("error"),
)

IMPORTED_DIFFERENTLY = Rule(
    id="imported-differently",
    title="Imported Differently",
    severity="warning",
    engine="any",
    sentence="Not imported as in the glTF file: {what}.",
    advice="Compare it with the original, or change it in the program that wrote the file.",
    find=_told("warning"),
)

PHYSICS_NOT_IMPORTED = Rule(
    id="physics-not-imported",
    title="Property Not Imported",
    severity="info",
    engine="any",
    sentence="Not used by any collision test, and not imported as in the glTF file: {what}.",
    advice="Set it in the engine, or repair the file in the program that wrote it.",
    find=_told("info"),
)
