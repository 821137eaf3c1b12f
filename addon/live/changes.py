# SPDX-License-Identifier: GPL-3.0-or-later
"""Changes of the scene reported to live mode, and the objects that it tests."""

from dataclasses import dataclass, field

import bpy

from .. import scene
from ..model.report import Settings

# Scopes of the objects that are selected when a live check begins.
SELECTION_SCOPES = {"SELECTED", "ACTIVE"}


@dataclass
class SceneChanges:
    """Changes of the scene, by `session_uid`."""

    moved: set[int] = field(default_factory=set)  # only moved
    reshaped: set[int] = field(default_factory=set)
    relations: bool = False  # objects may have been added, removed, or changed their bodies
    everything: bool = False  # the shape of any object may have changed
    frame: bool = False  # the current frame has changed
    hidden: bool = False  # hidden objects may have changed

    def __bool__(self) -> bool:
        return bool(self.moved or self.reshaped or self.relations or self.everything or self.frame or self.hidden)

    @property
    def more_than_moves(self) -> bool:
        """Return whether more than the transforms of objects may have changed."""
        return bool(self.relations or self.reshaped or self.everything or self.frame or self.hidden)

    def discard_geometry(self, known: "scene.reading.geometry_cache.KnownGeometry") -> None:
        """Make the next reading include the geometry that may have changed."""
        if self.everything:
            known.forget_all()
        else:
            known.forget(self.reshaped)

    def forget(self) -> None:
        """Clear all changes."""
        self.moved.clear()
        self.reshaped.clear()
        self.relations = self.everything = self.frame = self.hidden = False


@dataclass(frozen=True)
class Scope:
    """The tested objects: `a` against each other or, if there is `b`, each of `a` against each of `b`."""

    a: frozenset[int]
    b: frozenset[int] | None = None

    @classmethod
    def of(cls, context: bpy.types.Context, settings: Settings) -> "Scope":
        """Return the objects of the current settings. Raises as `scope_objects` does."""
        selection = scene.scope.scope_objects(context, settings.scope, settings.collection_a, settings.collection_b)
        first, second = (
            None if objects is None else frozenset(ob.session_uid for ob in objects)
            for objects in (selection.set_a, selection.set_b)
        )
        assert first is not None
        return cls(first, second)
