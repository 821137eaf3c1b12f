# SPDX-License-Identifier: GPL-3.0-or-later
"""Concave meshes in convex pieces: by the library CoACD where it is installed, else by loose parts.

CoACD (Wei et al., "Approximate convex decomposition for 3D meshes with collision-aware concavity and tree search",
2022) runs in a process of its own: it takes seconds, and only a process can be ended.
"""

import tempfile
import time
from collections.abc import Generator, Sequence
from dataclasses import replace
from importlib.machinery import PathFinder
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from ... import core
from ...process import search_path
from .. import colliders, scene
from ..model.errors import UserError
from ..scene import meshes
from ..system.late import np
from ..system.processes import started

if TYPE_CHECKING:
    from ...core.numerics.types import Floats


LIBRARY = "coacd"

# Seconds between two looks at whether the library is done.
_LOOK = 0.02

# The arguments are the two files and the budget.
_PROGRAM = """
import sys
import coacd, numpy
coacd.set_log_level("error")
mesh = numpy.load(sys.argv[1])
parts = coacd.run_coacd(coacd.Mesh(mesh["points"], mesh["triangles"]), max_convex_hull=int(sys.argv[3]), seed=0)
numpy.savez(sys.argv[2], *[part[0] for part in parts])
"""


class Pieces(NamedTuple):
    """The colliders that sources have become, and which of the sources have more than they may."""

    fitted: "list[colliders.fit.Fitted]"
    over: list[str]


def is_available() -> bool:
    """Whether CoACD is installed where this Python finds it, but for the working directory."""
    return PathFinder.find_spec(LIBRARY, search_path()) is not None


def steps(
    sources: "Sequence[scene.colliders.sources.Source]", request: "colliders.fit.Request", most: int
) -> "Generator[colliders.fit.Progress, None, Pieces]":
    """Cut the sources up, one after another; closing the generator ends what it runs.

    Every vertex is held by a piece: one that the library leaves outside all joins the nearest.

    Parameters
    ----------
    sources : sequence of Source
    request : Request
        Its budget is of the vertices of each piece.
    most : int
        The pieces that a source may become.

    Raises
    ------
    ValueError
        If the library fails; the text is in the language of the interface.
    """
    fitted: list[colliders.fit.Fitted] = []
    over: list[str] = []
    for done, source in enumerate(sources):
        yield colliders.fit.Progress(done, len(sources))
        if len(source.triangles) and is_available():
            found = yield from _decompose(source, most, colliders.fit.Progress(done, len(sources)))
        else:
            found = [part.points for part in scene.colliders.sources.parts_of(source)]
        pieces = [piece for piece in found if core.convex_hull(piece).dimension == 3]
        if not pieces:
            raise UserError('"{name}" is flat, so its convex pieces have no volume', name=source.owner)
        if len(pieces) > most:
            over.append(source.owner)
        for piece in held(source.points, pieces):
            yield colliders.fit.Progress(done, len(sources))
            simple = core.fit.simplify_hull(piece, vertices=request.budget).hull
            # Its corners are not all vertices of the mesh: what it held cannot be found there again.
            alone = replace(source, points=piece, triangles=meshes.geometry.NO_GEOMETRY.triangles, alone=False)
            fitted.append(colliders.fit.hull_fitted(alone, request, simple))
    return Pieces(fitted, over)


def held(points: "Floats", pieces: "Sequence[Floats]") -> "list[Floats]":
    """Pieces to which the points have been added that none of them holds: each to the nearest."""
    hulls = [core.convex_hull(piece) for piece in pieces]
    apart = np.array(
        [core.distance(core.Spheres(points, np.zeros(len(points))), core.Hulls([one], [0])).distance for one in hulls]
    )
    nearest = apart.argmin(axis=0)
    outside = apart.min(axis=0) > 0.0
    return [np.concatenate([piece, points[outside & (nearest == row)]]) for row, piece in enumerate(pieces)]


def _decompose(
    source: "scene.colliders.sources.Source", most: int, progress: "colliders.fit.Progress"
) -> "Generator[colliders.fit.Progress, None, list[Floats]]":
    """Have the library cut up a source near the world's origin; the vertices of each piece."""
    origin = source.points.mean(axis=0)
    with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
        given, made = Path(folder) / "mesh.npz", Path(folder) / "pieces.npz"
        np.savez(given, points=source.points - origin, triangles=source.triangles.astype(np.int32))
        errors = Path(folder) / "errors.txt"
        with errors.open("wb") as stream:
            process = started(_PROGRAM, [str(given), str(made), str(most)], Path(folder), stream)
            try:
                while process.poll() is None:
                    yield progress
                    time.sleep(_LOOK)
            finally:
                process.kill()  # which does nothing to one that has ended
                process.wait()
        if process.returncode or not made.exists():
            said = errors.read_text("utf-8", "replace").strip().splitlines()
            reason = said[-1] if said else str(process.returncode)
            raise UserError('CoACD could not decompose "{name}": {reason}', name=source.owner, reason=reason)
        with np.load(made) as parts:
            return [parts[name].astype(np.float64) + origin for name in parts.files]
