# SPDX-License-Identifier: GPL-3.0-or-later
"""The check of the whole scene that comes before changes can be followed, in parts."""

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

# About how many seconds a step takes; and how often the check begins anew because the scene has changed while it was
# read. After that it is read without a pause.
_STEP, _ANEW = 0.02, 3


class Beginning:
    """A check of the whole scene, of which parts are done while time allows.

    Parameters
    ----------
    place : Place
        Where it takes place.
    settings : Settings
    selected : function, optional
        Returns the objects that are tested. None: those that the settings mean.
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
        """The number of pairs of shapes still to be tested, as far as it is known."""
        return 0 if self._progress is None else self._progress.total - self._progress.done

    def go_on(self, context: bpy.types.Context, changes: SceneChanges, late: Callable[[], bool]) -> Checked | None:
        """Do some of the work; return the outcome, or None if this is not all.

        Parameters
        ----------
        context : bpy.types.Context
        changes : SceneChanges
            The changes since the scene was read, which remain to be processed. Those before are forgotten.
        late : function
            Whether the time is over.
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
        """Take no more steps of what was begun."""
        if self._steps is not None:
            self._steps.close()
        self._steps = self._progress = None
        self._anew += 1
