# SPDX-License-Identifier: GPL-3.0-or-later
"""The reports of commands that change or write a scene. Plain data, without Blender."""

from dataclasses import dataclass
from typing import NamedTuple

from ..asset_rules.limits import SEVERITIES
from .report import Issue, Units
from .validation_report import Done

# The id of the issues of `make` about pairs that collide only since then.
NEW_COLLISION = "new-collision"


class MadeCollider(NamedTuple):
    """A collider that was made.

    Attributes
    ----------
    object, owner : str
        The names of the collider and of what it stands for.
    kind : str
        BOX, SPHERE, CAPSULE, CYLINDER, HULL or MESH.
    volume, hull_ratio, mesh_ratio, protrusion, gap, gap_error, protrusion_error : float
        As in `core.fit.FitQuality`.
    """

    object: str
    owner: str
    kind: str
    volume: float
    hull_ratio: float
    mesh_ratio: float
    protrusion: float
    gap: float
    gap_error: float
    protrusion_error: float


class MadePieces(NamedTuple):
    """The convex pieces of one object together.

    Attributes
    ----------
    owner : str
        The name of the object.
    pieces : int
        How many there are.
    volume, hull_ratio, mesh_ratio, protrusion, gap, gap_error, protrusion_error : float
        As in `core.fit.PiecesQuality`.
    """

    owner: str
    pieces: int
    volume: float
    hull_ratio: float
    mesh_ratio: float
    protrusion: float
    gap: float
    gap_error: float
    protrusion_error: float


class ChangedPair(NamedTuple):
    """Two bodies, by the names that a check of collisions gives them."""

    a: str
    b: str


class ObjectMessage(NamedTuple):
    """A sentence about an object, in English."""

    object: str
    message: str


@dataclass(frozen=True)
class WritingReport:
    """The files that were written, and what could not be written as it is.

    Attributes
    ----------
    file, scene : str
    units : Units
    paths : tuple of str
        The files that were written.
    notes : tuple of str
        What the formats of the files do not have.
    issues : tuple of Issue
        What was not imported of a glTF file, or not exactly.
    configuration : str
        As in `Report`.
    """

    file: str
    scene: str
    units: Units
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    issues: tuple[Issue, ...] = ()
    configuration: str = ""


@dataclass(frozen=True)
class MakeReport(WritingReport):
    """The report of `make`.

    Attributes
    ----------
    engine, kind : str
        As they were asked for, in lower case.
    colliders : tuple of MadeCollider
    pieces : tuple of MadePieces
        Of each object that was made into convex pieces.
    warnings : tuple of ObjectMessage
        Objects that are not quite as they were asked for.
    kept : tuple of ObjectMessage
        Objects that were left as they are, because they have colliders, or have no surface.
    problems : tuple of ObjectMessage
        Objects of which none could be made.
    made : tuple of Issue
        What is to be said of the colliders that were made.
    new, gone : tuple of ChangedPair
        Pairs of bodies that collide now and were apart before, and the other way around.
    """

    engine: str = ""
    kind: str = ""
    colliders: tuple[MadeCollider, ...] = ()
    pieces: tuple[MadePieces, ...] = ()
    warnings: tuple[ObjectMessage, ...] = ()
    kept: tuple[ObjectMessage, ...] = ()
    problems: tuple[ObjectMessage, ...] = ()
    made: tuple[Issue, ...] = ()
    new: tuple[ChangedPair, ...] = ()
    gone: tuple[ChangedPair, ...] = ()

    def failing(self, severity: str) -> bool:
        """Whether something was not made, or there is an issue of what was that is of this severity or worse."""
        bad = SEVERITIES[: SEVERITIES.index(severity) + 1] if severity in SEVERITIES else ()
        return ("error" in bad and bool(self.problems)) or any(one.severity in bad for one in self.made)


class Moved(NamedTuple):
    """An object that was moved, by how much, in Blender units, and what it touches now, if it was moved to that."""

    object: str
    offset: tuple[float, float, float]
    onto: str = ""


class LeftPair(NamedTuple):
    """A pair that is wrong still; its verdict is as in reports."""

    a: str
    b: str
    verdict: str
    depth: float


@dataclass(frozen=True)
class FixReport(WritingReport):
    """The report of `fix`.

    Attributes
    ----------
    fixed : tuple of Done
        Repairs of colliders, in order.
    moved : tuple of Moved
    refused : tuple of ObjectMessage
        Objects that could not be moved.
    left : tuple of LeftPair
        Pairs that are wrong still.
    unfixed : tuple of ObjectMessage
        Errors of colliders that are left, each with the id of its rule.
    """

    fixed: tuple[Done, ...] = ()
    moved: tuple[Moved, ...] = ()
    refused: tuple[ObjectMessage, ...] = ()
    left: tuple[LeftPair, ...] = ()
    unfixed: tuple[ObjectMessage, ...] = ()


@dataclass(frozen=True)
class ExportReport(WritingReport):
    """The report of `export`.

    If an engine was asked for, `issues` has what that will not take as it is, too.
    """
