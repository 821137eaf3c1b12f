# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of the whole scene that precedes live updates, in parts."""

from collections.abc import Callable, Generator

import bpy

from ..collisions.basis import Checked
from ..collisions.check import Progress, based_steps
from ..model.report import Settings
from ..scene.events import Place
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.scene_snapshot import SceneChanged
from ..scene.scope import ScopeSelection
from .changes import SceneChanges

# Approximate seconds of a step, and number of restarts after the scene has changed while it was read. After that, it is
# read without a pause.
_STEP, _ANEW = 0.02, 3


class Beginning:
    """A check of the whole scene that is done in parts as time allows.

    Parameters
    ----------
    place : Place
        Scene and view layer.
    settings : Settings
    selected : function, optional
        Returns the objects to test. None: those of the settings.
    known : KnownGeometry, optional
        Geometry that an earlier check has read.
    """

    def __init__(
        self,
        place: Place,
        settings: Settings,
        selected: Callable[[], ScopeSelection] | None = None,
        known: KnownGeometry | None = None,
    ) -> None:
        self.place, self.settings, self._selected = place, settings, selected
        self._known = known or KnownGeometry()
        self._steps: Generator[Progress, None, Checked] | None = None
        self._progress: Progress | None = None
        self._anew = 0

    @property
    def is_reading(self) -> bool:
        """Whether the scene is still being read."""
        return self._progress is None or not self._progress.total

    @property
    def left(self) -> int:
        """The number of pairs of shapes still to be tested, as far as known."""
        return 0 if self._progress is None else self._progress.total - self._progress.done

    def go_on(self, context: bpy.types.Context, changes: SceneChanges, late: Callable[[], bool]) -> Checked | None:
        """Do some of the work. Return the outcome, or None if it is not finished.

        Parameters
        ----------
        context : bpy.types.Context
        changes : SceneChanges
            Changes since the scene was read, which remain to be processed. Earlier changes are cleared.
        late : function
            Returns whether the time is up.
        """
        if self._steps is not None and self.is_reading and changes.more_than_moves:
            self.discard()
        if self._steps is None:
            changes.discard_geometry(self._known)
            changes.forget()
            selection = self._selected() if self._selected is not None else None
            self._steps = based_steps(
                context, self.settings, selection, seconds=_STEP, evidence=False, known=self._known
            )
        try:
            while True:
                self._progress = next(self._steps)
                if late() and (not self.is_reading or self._anew < _ANEW):
                    return None
        except StopIteration as end:
            found: Checked = end.value
            return found
        except SceneChanged:
            self.discard()
            return None

    def discard(self) -> None:
        """Cancel the check."""
        if self._steps is not None:
            self._steps.close()
        self._steps = self._progress = None
        self._anew += 1
