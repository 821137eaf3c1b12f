# SPDX-License-Identifier: GPL-3.0-or-later
"""Data of a check from which its report is updated without another check of the whole scene."""

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
    """Input and evidence of a check in space, without named tests, self collision and loose parts.

    Attributes
    ----------
    settings : Settings
    sets : tuple of frozenset of int
        The `session_uid` of the objects of the one set, or of the two sets, that were tested.
    known : KnownGeometry
        The geometry of the tested objects.
    reading : Reading
    evidence : PairEvidence or None
        That of all pairs of shapes that are not separated; None: no pair was tested.
    """

    settings: Settings
    sets: tuple[frozenset[int], ...]
    known: KnownGeometry
    reading: Reading
    evidence: PairEvidence | None


class Checked(NamedTuple):
    """The outcome of a check.

    Attributes
    ----------
    report : Report
    shapes : SceneShapes or PlanarShapes
        The shapes that were tested.
    basis : Basis or None
        None: a check with these settings cannot be kept up to date.
    """

    report: Report
    shapes: SceneShapes | PlanarShapes
    basis: Basis | None

    @property
    def world(self) -> World | PlacedWorld:
        """The shapes that were tested, row for row with the report."""
        return self.shapes.world
