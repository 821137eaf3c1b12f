# SPDX-License-Identifier: GPL-3.0-or-later
"""Decompose meshes into convex pieces: convex parts are kept, and others are cut by planes, or by CoACD.

Cuts along flat faces take a fraction of a second, and fit meshes that consist of boxes exactly. Where they do not come
near enough to the mesh, and for meshes of many triangles, CoACD is used, if available. CoACD (Wei et al., "Approximate
convex decomposition for 3D meshes with collision-aware concavity and tree search", 2022) runs in a separate process,
because it takes seconds and only a process can be ended. It prints its progress.
"""

import json
import platform
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from ... import core
from .. import colliders, scene
from ..i18n.lookup import enumerated, report_
from ..i18n.units import spoken_range
from ..model.errors import UserError
from ..model.message import Message
from ..scene import meshes
from ..system.late import np
from ..system.processes import started
from ..system.search_path import search_path

if TYPE_CHECKING:
    import bpy

    from ...core.numerics.types import Floats

LIBRARY = "coacd"

# Platforms without a wheel: system and processor.
_WITHOUT = {("darwin", "x86_64"), ("win32", "ARM64")}

# Seconds between polls of the process.
_LOOK = 0.05

# Dimensionless. Surface areas and volumes of copies differ by less.
_SAME_SIZE = 1e-4

# Arguments of CoACD for each of `kinds.PRESETS`. BALANCED is CoACD's default. `threshold` is the allowed concavity of a
# piece; the rest control how many cuts are tried and how finely.
_OPTIONS: dict[str, dict[str, Any]] = {
    "FAST": {"threshold": 0.1, "mcts_nodes": 10, "mcts_iterations": 60, "mcts_max_depth": 2, "resolution": 1000},
    "BALANCED": {},
    "FINE": {"threshold": 0.02, "mcts_nodes": 25, "mcts_iterations": 250, "preprocess_resolution": 80},
}

# Dimensionless: fractions of the size of a part. Pieces between cuts along its faces are used if no gap is wider. Parts
# with more triangles are usually curved, so such cuts would only take time.
_GAPS = {"FAST": 0.05, "BALANCED": 0.02, "FINE": 0.01}
_MOST_TRIANGLES = 512

# The arguments are the two files, the budget and the options. If the Blender that started it crashes or is killed, the
# other end of its standard input closes. Linux then ends the program by SIGIO. On other systems it ends when it is
# done.
_PROGRAM = """
import json, os, sys
if sys.platform == "linux":
    import fcntl, select
    fcntl.fcntl(0, fcntl.F_SETOWN, os.getpid())
    fcntl.fcntl(0, fcntl.F_SETFL, os.O_ASYNC)
    if select.select([0], [], [], 0)[0]:
        sys.exit(1)  # It has been closed before.
import coacd, numpy
coacd.set_log_level("info")
mesh = numpy.load(sys.argv[1])
given = coacd.Mesh(mesh["points"], mesh["triangles"])
parts = coacd.run_coacd(given, max_convex_hull=int(sys.argv[3]), seed=0, **json.loads(sys.argv[4]))
numpy.savez(sys.argv[2], *[part[0] for part in parts])
"""

# Output of CoACD: at the beginning of each round of cuts, the number of parts to cut, and then a line for each of them.
_ROUND = re.compile(rb"iter \d+ -+ waiting pool: (\d+)")
_PART = b"Processing ["


class Progress(NamedTuple):
    """Progress of the decomposition.

    Attributes
    ----------
    done, total : int
        Numbers of sources.
    round : int
        Round of cuts, from 1. 0 before the first and after the last.
    part : float
        Finished fraction of the round, from 0 to 1.
    current : str
        Names of the objects whose colliders are being made.
    """

    done: int
    total: int
    round: int = 0
    part: float = 0.0
    current: str = ""

    @property
    def share(self) -> float:
        """Finished fraction. The number of rounds is unknown, so each counts as half of the rest."""
        current = 1.0 - 0.5 ** (self.round - 1 + self.part) if self.round else 0.0
        return (self.done + current) / self.total


class Piece(NamedTuple):
    """A convex piece of a source.

    Attributes
    ----------
    points : (k, 3) float64
        The piece is their convex hull.
    whole : bool
        Whether the piece is an entire convex part of the mesh.
    """

    points: "Floats"
    whole: bool


class Cut(NamedTuple):
    """The pieces, by their vertices, into which a part of a mesh was cut. `most`: the maximum number."""

    part: "scene.colliders.sources.Source"
    most: int
    pieces: "list[Floats]"


class Known(NamedTuple):
    """Results of decompositions with the same settings. New ones are added.

    Attributes
    ----------
    sources : list
        Sources with their pieces.
    cuts : list of Cut
    """

    sources: "list[tuple[scene.colliders.sources.Source, list[Piece]]]"
    cuts: list[Cut]

    @classmethod
    def nothing(cls) -> "Known":
        """Return no results."""
        return cls([], [])


class Decomposed(NamedTuple):
    """Measures of how well the pieces of one source fit it."""

    owner: str
    quality: "core.fit.PiecesQuality"


class DecomposedObjects(NamedTuple):
    """Colliders of the sources, how well they fit, and which sources have more pieces than allowed."""

    fitted: "list[colliders.fit.Fitted]"
    decomposed: list[Decomposed]
    over: list[str]


def is_available() -> bool:
    """Return whether CoACD is installed for this Python, ignoring the working directory."""
    return PathFinder.find_spec(LIBRARY, search_path()) is not None


def lacking() -> str:
    """Return a message in English if CoACD is missing, with what is made instead. Empty if it is installed."""
    if is_available():
        return ""
    if (sys.platform, platform.machine()) in _WITHOUT:
        return Message("CoACD does not exist for this platform: meshes are cut along flat faces only")
    return Message("CoACD is not installed: meshes are cut along flat faces only")


def steps(
    sources: "Sequence[scene.colliders.sources.Source]",
    request: "colliders.fit.FitRequest",
    most: int,
    preset: str,
    known: "Known | None" = None,
) -> Generator[Progress, None, DecomposedObjects]:
    """Decompose the sources, one after another. Closing the generator ends a running process.

    Convex parts are kept. Every vertex is in a piece: a vertex outside all pieces is added to the nearest.

    Parameters
    ----------
    sources : sequence of Source
    request : Request
        Its budget is the number of vertices of each piece.
    most : int
        Maximum number of pieces for a source, but at least one for each part.
    preset : str
        One of `kinds.PRESETS`.
    known : Known, optional
        Results of earlier decompositions. Copies of the same size are decomposed once.

    Raises
    ------
    ValueError
        If CoACD fails. The text is in the language of the interface.
    """
    found, known = DecomposedObjects([], [], []), Known.nothing() if known is None else known
    for done, source in enumerate(sources):
        yield Progress(done, len(sources))
        pieces = _copied(source, known)
        if pieces is None:
            pieces = yield from _pieces_of(source, most, preset, Progress(done, len(sources)), known.cuts)
            known.sources.append((source, pieces))
        if len(pieces) > most:
            found.over.append(source.owner)
        hulls = []
        for piece in pieces:
            yield Progress(done, len(sources))
            hulls.append(_hull_of(piece, request.budget))
        triangles = source.triangles if len(source.triangles) else None
        quality = core.fit.pieces_quality(hulls, source.points, triangles)
        found.decomposed.append(Decomposed(source.owner, quality))
        for piece, hull, own in zip(pieces, hulls, quality.pieces, strict=True):
            # Its corners are not all vertices of the mesh, so the points that it enclosed cannot be found again.
            alone = replace(source, points=piece.points, triangles=meshes.geometry.NO_GEOMETRY.triangles, alone=False)
            own = replace(own, hull_ratio=own.volume / core.convex_hull(piece.points).volume)
            found.fitted.append(colliders.fit.hull_fitted(alone, request, hull, own))
    return found


def _pieces_of(
    source: "scene.colliders.sources.Source", most: int, preset: str, progress: Progress, known: list[Cut]
) -> "Generator[Progress, None, list[Piece]]":
    """Decompose the concave parts with volume of a source, as far as the number of pieces allows.

    `known`: cuts of other sources. New ones are added.
    """
    left = np.ones(len(source.points), np.bool_)
    parts: list[tuple[scene.colliders.sources.Source, core.ConvexHull]] = []
    for part, index in scene.colliders.sources.indexed_parts_of(source):
        hull = core.convex_hull(part.points)
        if hull.dimension == 3:
            parts.append((part, hull))
            left[index] = False
    if not parts:
        raise UserError('"{name}" is flat, so its convex pieces have no volume', name=source.owner)
    convex = [not len(part.triangles) or core.convexity.solidity(hull, part.triangles).convex for part, hull in parts]
    found = [[Piece(part.points, whole)] for (part, _), whole in zip(parts, convex, strict=True)]
    concave = [row for row, whole in enumerate(convex) if not whole]
    if concave:
        spare = most - len(parts)
        groups = _copies([parts[row][0] for row in concave])
        empty = [len(group) * _empty(*parts[concave[group[0][0]]]) for group in groups]
        # Parts with less to cut away leave what they do not need to those with more.
        for number in sorted(range(len(groups)), key=lambda number: empty[number]):
            group = groups[number]
            total, empty[number], own = sum(empty), 0.0, empty[number]
            more = int(spare * (own / total if total > 0.0 else 1.0) / len(group) + 1e-9)
            if more < 1:
                continue
            first = parts[concave[group[0][0]]][0]
            cut = _known_cut(first, 1 + more, known)
            if cut is None:
                cut = _cut_by_planes(first, 1 + more, preset)
                if not cut and is_available():
                    cut = yield from _decompose(first, 1 + more, preset, progress)
                    cut = [one for one in cut if len(one) and core.convex_hull(one).dimension == 3]
                known.append(Cut(first, 1 + more, cut))
            if not cut:
                continue
            spare -= len(group) * (len(cut) - 1)
            for member, way in group:
                part = parts[concave[member]][0]
                moved = [colliders.fit_copies.moved(one, way) for one in cut]
                found[concave[member]] = [Piece(one, False) for one in held(part.points, moved)]
    pieces = [piece for some in found for piece in some]
    if left.any():
        points = held(source.points[left], [piece.points for piece in pieces])
        pieces = [piece._replace(points=more) for piece, more in zip(pieces, points, strict=True)]
    return pieces


def _known_cut(part: "scene.colliders.sources.Source", most: int, known: Sequence[Cut]) -> "list[Floats] | None":
    """Return the pieces of a copy of a part, moved to it. None if no copy of it is known."""
    sizes = _sizes(part)
    for one in known:
        if one.most == most and one.part.points.shape == part.points.shape:
            way = _way(one.part, _sizes(one.part), part, sizes)
            if way is not None:
                return [colliders.fit_copies.moved(piece, way) for piece in one.pieces]
    return None


def _cut_by_planes(part: "scene.colliders.sources.Source", most: int, preset: str) -> "list[Floats]":
    """Return the vertices of the pieces between cuts along faces. Empty if they leave wide gaps that CoACD may not."""
    if is_available() and len(part.triangles) > _MOST_TRIANGLES:
        return []
    pieces = core.fit.convex_pieces(part.points, part.triangles, most, gap=_GAPS[preset])
    if any(piece.dimension < 3 for piece in pieces):
        return []
    if is_available():
        quality = core.fit.pieces_quality(pieces, part.points, part.triangles)
        if quality.gap > _GAPS[preset] * np.linalg.norm(np.ptp(part.points, axis=0)):
            return []
    return [piece.points[piece.vertices] for piece in pieces]


def _copies(parts: "Sequence[scene.colliders.sources.Source]") -> "list[list[tuple[int, Floats]]]":
    """Group parts that are copies of each other.

    Return the numbers of each group, and the transforms from its first part.
    """
    groups: list[list[tuple[int, Floats]]] = []
    sizes = [_sizes(part) for part in parts]
    for number, part in enumerate(parts):
        for group in groups:
            first = group[0][0]
            way = _way(parts[first], sizes[first], part, sizes[number])
            if way is not None:
                group.append((number, way))
                break
        else:
            groups.append([(number, np.eye(4))])
    return groups


def _way(
    part: "scene.colliders.sources.Source", sizes: "Floats", other: "scene.colliders.sources.Source", theirs: "Floats"
) -> "Floats | None":
    """Return the matrix (4, 4) that moves a part to another one, with the `_sizes` of both. None if it is no copy."""
    # Faces with more than three corners may be triangulated differently in a rotated copy.
    same = np.allclose(sizes, theirs, rtol=_SAME_SIZE, atol=0.0)
    return colliders.fit_copies.rigid_way(part.points, other.points) if same else None


def _sizes(part: "scene.colliders.sources.Source") -> "Floats":
    """Return the surface area and the squared volume of a part.

    The volume is squared because the winding may differ.
    """
    corner = part.points[part.triangles] - part.points.mean(axis=0)
    across = np.cross(corner[:, 1] - corner[:, 0], corner[:, 2] - corner[:, 0])
    volume = (corner[:, 0] * across).sum()
    return np.array([np.sqrt((across * across).sum(axis=1)).sum(), volume * volume])


def _empty(part: "scene.colliders.sources.Source", hull: "core.ConvexHull") -> float:
    """Return the volume of a part's hull that is outside the part. If the part is open, the volume of the hull."""
    solidity = core.convexity.solidity(hull, part.triangles)
    return max(hull.volume - solidity.volume, 0.0) if solidity.closed else float(hull.volume)


def _copied(source: "scene.colliders.sources.Source", known: "Known") -> "list[Piece] | None":
    """Return the pieces of a copy, moved to a source. None if no copy of it is known."""
    copies = colliders.fit_copies
    for other, pieces in known.sources:
        way = copies.way_between(other, source)
        if way is not None:
            return [piece._replace(points=copies.moved(piece.points, way)) for piece in pieces]
    return None


def _hull_of(piece: Piece, budget: int) -> "core.ConvexHull":
    """Return the hull of a piece, within the vertex budget. The hull of a convex part is kept if possible."""
    if piece.whole:
        hull = core.convex_hull(piece.points)
        if len(hull.vertices) <= budget:
            return hull
    return core.fit.simplify_hull(_without_near_corners(piece.points), vertices=budget).hull


def _without_near_corners(piece: "Floats") -> "Floats":
    """Return the corners of a piece's hull. Corners nearer than the rounding of float32 are merged, as in meshes."""
    origin = piece.mean(axis=0)
    hull = core.convex_hull((piece - origin).astype(np.float32))
    return hull.points[hull.vertices] + origin


def held(points: "Floats", pieces: "Sequence[Floats]") -> "list[Floats]":
    """Return the pieces with all points added that are in no piece, each to the nearest."""
    hulls = [core.convex_hull(piece) for piece in pieces]
    # Few points are above a face of every piece.
    points = points[np.min([core.fit.point_set.highest(points, one) for one in hulls], axis=0) > 0.0]
    if not len(points):
        return [*pieces]
    balls = core.Spheres(points, np.zeros(len(points)))
    found = [core.distance(balls, core.Hulls([one], [0])) for one in hulls]
    apart = np.array([np.where(one.distance > one.rounding, one.distance, 0.0) for one in found])
    nearest = apart.argmin(axis=0)
    outside = apart.min(axis=0) > 0.0
    return [np.concatenate([piece, points[outside & (nearest == row)]]) for row, piece in enumerate(pieces)]


def summary(context: "bpy.types.Context", decomposed: Sequence[Decomposed]) -> str:
    """Describe how well pieces fit their mesh. For several meshes, the loosest is described."""
    worst = max(decomposed, key=lambda one: one.quality.hull_ratio)
    text = quality_text(context, worst.quality)
    return text if len(decomposed) == 1 else report_('Loosest is "{name}": {text}', name=worst.owner, text=text)


def quality_text(context: "bpy.types.Context", quality: "core.fit.PiecesQuality") -> str:
    """Describe the number of pieces and how well they fit the mesh."""
    units = context.scene.unit_settings
    parts = [report_("{ratio} × the volume of the hull", ratio=f"{quality.hull_ratio:.3g}")]
    if quality.mesh_ratio == quality.mesh_ratio:
        parts.append(report_("{ratio} × the volume of the mesh", ratio=f"{quality.mesh_ratio:.3g}"))
    parts.append(report_("largest gap {length}", length=spoken_range(quality.gap, quality.gap_error, units)))
    if quality.protrusion + quality.protrusion_error > 0.0:
        length = spoken_range(quality.protrusion, quality.protrusion_error, units)
        parts.append(report_("protrusion {length}", length=length))
    return report_("{count} pieces: {text}", count=quality.count, text=enumerated(parts))


def _decompose(
    source: "scene.colliders.sources.Source", most: int, preset: str, progress: Progress
) -> "Generator[Progress, None, list[Floats]]":
    """Run CoACD for a source near the world origin. Return the vertices of each piece."""
    origin = source.points.mean(axis=0)
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        given, made = Path(folder) / "mesh.npz", Path(folder) / "pieces.npz"
        np.savez(given, points=source.points - origin, triangles=source.triangles.astype(np.int32))
        errors, output = Path(folder) / "errors.txt", Path(folder) / "output.txt"
        arguments = [str(given), str(made), str(most), json.dumps(_OPTIONS[preset])]
        with (
            errors.open("wb") as stream,
            output.open("wb") as printed,
            started(_PROGRAM, arguments, Path(folder), stream, output=printed, given=subprocess.PIPE) as process,
        ):
            try:
                while process.poll() is None:
                    yield _how_far(output.read_bytes(), progress)
                    time.sleep(_LOOK)
            finally:
                process.kill()  # no effect on a process that has ended
        if process.returncode or not made.exists():
            said = errors.read_text("utf-8", "replace").strip().splitlines()
            reason = said[-1] if said else str(process.returncode)
            raise UserError('CoACD could not decompose "{name}": {reason}', name=source.owner, reason=reason)
        with np.load(made) as parts:
            return [parts[name].astype(np.float64) + origin for name in parts.files]


def _how_far(printed: bytes, progress: Progress) -> Progress:
    """Return the progress of CoACD from its output."""
    rounds = list(_ROUND.finditer(printed))
    if not rounds:
        return progress
    parts = max(int(rounds[-1][1]), 1)
    return progress._replace(round=len(rounds), part=min(printed.count(_PART, rounds[-1].end()) / parts, 1.0))
