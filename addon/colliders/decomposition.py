# SPDX-License-Identifier: GPL-3.0-or-later
"""Concave meshes in convex pieces: by the library CoACD where there is one for the platform, else by loose parts.

CoACD (Wei et al., "Approximate convex decomposition for 3D meshes with collision-aware concavity and tree search",
2022) runs in a process of its own: it takes seconds, and only a process can be ended. How far it is it prints.
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
from ...process import search_path
from .. import colliders, scene
from ..i18n.lookup import enumerated, report_
from ..i18n.units import length_text
from ..model.errors import UserError
from ..model.message import Message
from ..scene import meshes
from ..system.late import np
from ..system.processes import started

if TYPE_CHECKING:
    import bpy

    from ...core.numerics.types import Floats

    # Sources, and the vertices of each of their pieces.
    Known = list[tuple[scene.colliders.sources.Source, list[Floats]]]

LIBRARY = "coacd"

# For these there is no wheel of it: system and processor.
_WITHOUT = {("darwin", "x86_64"), ("win32", "ARM64")}

# Seconds between two looks at whether the library is done.
_LOOK = 0.02

# What the library is given for each of `kinds.PRESETS`. BALANCED is what it does by itself; `threshold` is the
# concavity that a piece may have, and the rest how many cuts are tried and how closely.
_OPTIONS: dict[str, dict[str, Any]] = {
    "FAST": {"threshold": 0.1, "mcts_nodes": 10, "mcts_iterations": 60, "mcts_max_depth": 2, "resolution": 1000},
    "BALANCED": {},
    "FINE": {"threshold": 0.02, "mcts_nodes": 25, "mcts_iterations": 250, "preprocess_resolution": 80},
}

# The arguments are the two files, the budget and the options. It ends with the Blender that has started it, even if
# that crashes or is killed: then the other end of its standard input closes.
_PROGRAM = """
import json, os, sys, threading
threading.Thread(target=lambda: (os.read(0, 1), os._exit(1)), daemon=True).start()
import coacd, numpy
coacd.set_log_level("info")
mesh = numpy.load(sys.argv[1])
given = coacd.Mesh(mesh["points"], mesh["triangles"])
parts = coacd.run_coacd(given, max_convex_hull=int(sys.argv[3]), seed=0, **json.loads(sys.argv[4]))
numpy.savez(sys.argv[2], *[part[0] for part in parts])
"""

# What it prints: at the beginning of each round of cuts how many parts there are to cut, and a line for each of them.
_ROUND = re.compile(rb"iter \d+ -+ waiting pool: (\d+)")
_PART = b"Processing ["


class Progress(NamedTuple):
    """How far it is.

    Attributes
    ----------
    done, total : int
        Of the sources.
    round : int
        Of cuts, from 1; 0 before the first and after the last.
    part : float
        How much of that round is done, from 0 to 1.
    """

    done: int
    total: int
    round: int = 0
    part: float = 0.0

    @property
    def share(self) -> float:
        """How much of all is done, where nobody knows how many rounds there will be: each is half of what is left."""
        current = 1.0 - 0.5 ** (self.round - 1 + self.part) if self.round else 0.0
        return (self.done + current) / self.total


class Decomposed(NamedTuple):
    """How well the pieces of one source stand for it."""

    owner: str
    quality: "core.fit.PiecesQuality"


class Pieces(NamedTuple):
    """The colliders that sources have become, how well they stand for each, and which have more than they may."""

    fitted: "list[colliders.fit.Fitted]"
    decomposed: list[Decomposed]
    over: list[str]


def is_available() -> bool:
    """Whether CoACD is installed where this Python finds it, but for the working directory."""
    return PathFinder.find_spec(LIBRARY, search_path()) is not None


def lacking() -> str:
    """Say in English that there is no CoACD, and what is made instead; empty where there is one."""
    if is_available():
        return ""
    if (sys.platform, platform.machine()) in _WITHOUT:
        return Message("CoACD does not exist for this platform: one hull per loose part")
    return Message("CoACD is not installed: one hull per loose part")


def steps(
    sources: "Sequence[scene.colliders.sources.Source]",
    request: "colliders.fit.Request",
    most: int,
    preset: str,
    known: "Known | None" = None,
) -> Generator[Progress, None, Pieces]:
    """Cut the sources up, one after another; closing the generator ends what it runs.

    Every vertex is held by a piece: one that the library leaves outside all joins the nearest.

    Parameters
    ----------
    sources : sequence of Source
    request : Request
        Its budget is of the vertices of each piece.
    most : int
        The pieces that a source may become.
    preset : str
        One of `kinds.PRESETS`.
    known : Known, optional
        Sources that were cut up before, to which these are added: of copies of the same size only one is.

    Raises
    ------
    ValueError
        If the library fails; the text is in the language of the interface.
    """
    found, known = Pieces([], [], []), [] if known is None else known
    for done, source in enumerate(sources):
        yield Progress(done, len(sources))
        with_triangles = bool(len(source.triangles))
        if with_triangles and is_available():
            copied = _copied(source, known)
            if copied is None:
                copied = yield from _decompose(source, most, preset, Progress(done, len(sources)))
                known.append((source, copied))
            parts = copied
        else:
            parts = [part.points for part in scene.colliders.sources.parts_of(source)]
        # The library has parts without points where the mesh has no volume.
        solid = [part for part in parts if len(part) and core.convex_hull(part).dimension == 3]
        if not solid:
            raise UserError('"{name}" is flat, so its convex pieces have no volume', name=source.owner)
        if len(solid) > most:
            found.over.append(source.owner)
        hulls = []
        for piece in held(source.points, solid):
            yield Progress(done, len(sources))
            simple = core.fit.simplify_hull(_without_near_corners(piece), vertices=request.budget).hull
            hulls.append(simple)
            # Its corners are not all vertices of the mesh: what it held cannot be found there again.
            alone = replace(source, points=piece, triangles=meshes.geometry.NO_GEOMETRY.triangles, alone=False)
            found.fitted.append(colliders.fit.hull_fitted(alone, request, simple))
        yield Progress(done, len(sources))
        quality = core.fit.pieces_quality(hulls, source.points, source.triangles if with_triangles else None)
        found.decomposed.append(Decomposed(source.owner, quality))
    return found


def _copied(source: "scene.colliders.sources.Source", known: "Known") -> "list[Floats] | None":
    """The pieces of a copy, moved to a source; None if no copy of it is known."""
    copies = colliders.fit_copies
    for other, parts in known:
        way = copies.way_between(other, source)
        if way is not None:
            return [copies.moved(part, way) for part in parts]
    return None


def _without_near_corners(piece: "Floats") -> "Floats":
    """The corners of a piece's hull. Those nearer to each other than the rounding of float32, as in meshes, are one."""
    origin = piece.mean(axis=0)
    hull = core.convex_hull((piece - origin).astype(np.float32))
    return hull.points[hull.vertices] + origin


def held(points: "Floats", pieces: "Sequence[Floats]") -> "list[Floats]":
    """Pieces to which the points have been added that none of them holds: each to the nearest."""
    hulls = [core.convex_hull(piece) for piece in pieces]
    apart = np.array(
        [core.distance(core.Spheres(points, np.zeros(len(points))), core.Hulls([one], [0])).distance for one in hulls]
    )
    nearest = apart.argmin(axis=0)
    outside = apart.min(axis=0) > 0.0
    return [np.concatenate([piece, points[outside & (nearest == row)]]) for row, piece in enumerate(pieces)]


def summary(context: "bpy.types.Context", decomposed: Sequence[Decomposed]) -> str:
    """Say how well pieces stand for their mesh; of several meshes, for the one that they are the loosest of."""
    worst = max(decomposed, key=lambda one: one.quality.hull_ratio)
    text = quality_text(context, worst.quality)
    return text if len(decomposed) == 1 else report_('Loosest is "{name}": {text}', name=worst.owner, text=text)


def quality_text(context: "bpy.types.Context", quality: "core.fit.PiecesQuality") -> str:
    """Say how many pieces there are and how well they stand for the mesh."""
    units = context.scene.unit_settings
    parts = [report_("{ratio} × the volume of the hull", ratio=f"{quality.hull_ratio:.3g}")]
    if quality.mesh_ratio == quality.mesh_ratio:
        parts.append(report_("{ratio} × the volume of the mesh", ratio=f"{quality.mesh_ratio:.3g}"))
    parts.append(report_("largest gap {length}", length=length_text(quality.gap, units)))
    if quality.protrusion > 0.0:
        parts.append(report_("protrusion {length}", length=length_text(quality.protrusion, units)))
    return report_("{count} pieces: {text}", count=quality.count, text=enumerated(parts))


def _decompose(
    source: "scene.colliders.sources.Source", most: int, preset: str, progress: Progress
) -> "Generator[Progress, None, list[Floats]]":
    """Have the library cut up a source near the world's origin; the vertices of each piece."""
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
                process.kill()  # which does nothing to one that has ended
        if process.returncode or not made.exists():
            said = errors.read_text("utf-8", "replace").strip().splitlines()
            reason = said[-1] if said else str(process.returncode)
            raise UserError('CoACD could not decompose "{name}": {reason}', name=source.owner, reason=reason)
        with np.load(made) as parts:
            return [parts[name].astype(np.float64) + origin for name in parts.files]


def _how_far(printed: bytes, progress: Progress) -> Progress:
    """How far the library is by what it has printed."""
    rounds = list(_ROUND.finditer(printed))
    if not rounds:
        return progress
    parts = max(int(rounds[-1][1]), 1)
    return progress._replace(round=len(rounds), part=min(printed.count(_PART, rounds[-1].end()) / parts, 1.0))
