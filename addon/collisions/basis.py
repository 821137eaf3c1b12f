# SPDX-License-Identifier: GPL-3.0-or-later
"""Data of a check that allows its report to be updated without another check of the whole scene."""

from dataclasses import dataclass
from typing import NamedTuple

from ...core.planar.world import PlacedWorld
from ...core.world.world import World
from ..model.report import Report, Settings
from ..scene.reading.geometry_cache import KnownGeometry
from ..scene.reading.incremental import Reading
from ..scene.reading.scene_shapes import PlanarShapes, SceneShapes
from .pair_evidence import PairEvidence


@dataclass(frozen=True, eq=False)
class Basis:
    """Input and evidence of a check in 3D, without named tests, self collision and loose parts.

    Attributes
    ----------
    settings : Settings
    sets : tuple of frozenset of int
        The `session_uid` of the tested objects, for one set or two sets.
    known : KnownGeometry
        Geometry of the tested objects.
    reading : Reading
    evidence : PairEvidence or None
        Evidence of all pairs of shapes that are not separated. None: no pair was tested.
    """

    settings: Settings
    sets: tuple[frozenset[int], ...]
    known: KnownGeometry
    reading: Reading
    evidence: PairEvidence | None


class Checked(NamedTuple):
    """Outcome of a check.

    Attributes
    ----------
    report : Report
    shapes : SceneShapes or PlanarShapes
        Shapes that were tested.
    basis : Basis or None
        None: a check with these settings cannot be updated.
    """

    report: Report
    shapes: SceneShapes | PlanarShapes
    basis: Basis | None

    @property
    def world(self) -> World | PlacedWorld:
        """The tested shapes, row for row with the report."""
        return self.shapes.world
