# SPDX-License-Identifier: GPL-3.0-or-later
"""Reports of commands that change or write a scene. Plain data, without Blender."""

from dataclasses import dataclass
from typing import NamedTuple

from ..asset_rules.limits import SEVERITIES
from .report import Issue, Units
from .validation_report import Done

# Id of the issues of `make` for pairs that only collide since then.
NEW_COLLISION = "new-collision"


class MadeCollider(NamedTuple):
    """A collider that was made.

    Attributes
    ----------
    object, owner : str
        Names of the collider and of its owner.
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
        Number of pieces.
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
    """Two bodies, named as in a collision check."""

    a: str
    b: str


class ObjectMessage(NamedTuple):
    """A sentence about an object, in English."""

    object: str
    message: str


@dataclass(frozen=True)
class WritingReport:
    """Files that were written, and what could not be written exactly.

    Attributes
    ----------
    file, scene : str
    units : Units
    paths : tuple of str
        Files that were written.
    notes : tuple of str
        Features that the file formats do not support.
    issues : tuple of Issue
        Issues of importing a glTF file.
    left_out : tuple of str
        Hidden objects that got no collider, and are in no file but a .blend.
    configuration : str
        As in `Report`.
    """

    file: str
    scene: str
    units: Units
    paths: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    issues: tuple[Issue, ...] = ()
    configuration: str = ""


@dataclass(frozen=True)
class MakeReport(WritingReport):
    """The report of `make`.

    Attributes
    ----------
    engine, kind : str
        As requested, in lower case.
    colliders : tuple of MadeCollider
    pieces : tuple of MadePieces
        For each object that was made into convex pieces.
    warnings : tuple of ObjectMessage
        Objects whose result differs from the request.
    kept : tuple of ObjectMessage
        Objects that were left unchanged, because they have colliders or no surface.
    problems : tuple of ObjectMessage
        Objects for which no collider could be made.
    made : tuple of Issue
        Issues of the colliders that were made.
    new, gone : tuple of ChangedPair
        Pairs of bodies that started to collide, and pairs that no longer collide.
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
        """Return whether something was not made, or what was made has an issue of at least this severity."""
        bad = SEVERITIES[: SEVERITIES.index(severity) + 1] if severity in SEVERITIES else ()
        return ("error" in bad and bool(self.problems)) or any(one.severity in bad for one in self.made)


class Moved(NamedTuple):
    """An object that was moved, its translation in Blender units, and what it touches, if that was the goal."""

    object: str
    offset: tuple[float, float, float]
    onto: str = ""


class LeftPair(NamedTuple):
    """A pair that is still a fault, with its verdict as in reports."""

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
        Fixes of colliders, in order.
    moved : tuple of Moved
    refused : tuple of ObjectMessage
        Objects that could not be moved.
    left : tuple of LeftPair
        Pairs that are still faults.
    unfixed : tuple of ObjectMessage
        Remaining errors of colliders, each with the id of its rule.
    """

    fixed: tuple[Done, ...] = ()
    moved: tuple[Moved, ...] = ()
    refused: tuple[ObjectMessage, ...] = ()
    left: tuple[LeftPair, ...] = ()
    unfixed: tuple[ObjectMessage, ...] = ()


@dataclass(frozen=True)
class ExportReport(WritingReport):
    """The report of `export`.

    If an engine was requested, `issues` also has what it will not import exactly.
    """
