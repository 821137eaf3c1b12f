# SPDX-License-Identifier: GPL-3.0-or-later
"""What live mode is told of the scene, and the objects that it is about."""

from dataclasses import dataclass, field

import bpy

from .. import scene
from ..model.report import Settings

# Scopes that mean the objects that were selected when they were asked about.
SELECTION_SCOPES = {"SELECTED", "ACTIVE"}


@dataclass
class Changes:
    """What has happened to the scene, by `session_uid`."""

    moved: set[int] = field(default_factory=set)  # and nothing else
    reshaped: set[int] = field(default_factory=set)
    relations: bool = False  # objects may have come, gone, or be of other bodies
    everything: bool = False  # any object may have any other shape
    frame: bool = False  # another frame is the current one

    def __bool__(self) -> bool:
        return bool(self.moved or self.reshaped or self.relations or self.everything or self.frame)

    def forget(self) -> None:
        """Nothing has happened."""
        self.moved.clear()
        self.reshaped.clear()
        self.relations = self.everything = self.frame = False


@dataclass(frozen=True)
class Scope:
    """The objects that are tested: `a` among themselves or, if there is a `b`, across."""

    a: frozenset[int]
    b: frozenset[int] | None = None

    @classmethod
    def of(cls, context: bpy.types.Context, settings: Settings) -> "Scope":
        """What the settings mean now; raises as `scope_objects`."""
        selection = scene.scope.scope_objects(context, settings.scope, settings.collection_a, settings.collection_b)
        first, second = (
            None if objects is None else frozenset(ob.session_uid for ob in objects)
            for objects in (selection.set_a, selection.set_b)
        )
        assert first is not None
        return cls(first, second)
