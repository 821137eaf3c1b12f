# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare how well each kind of collider would fit, without making one."""

from collections.abc import Generator, Sequence
from typing import NamedTuple

import bpy
import numpy as np

from ...core.fit import pieces_quality
from ...core.hull import convex_hull
from ..engines.kinds import KINDS, PARTS, PIECES
from ..model.errors import UserError
from ..model.steps import telling
from ..scene.colliders.sources import Source, parts_of
from ..session.fit_comparison import Expected
from . import decomposition
from .choosing import BEST_PRESET, USUAL_PIECES, Chooser
from .converting import held_by
from .fit import FitRequest, Fitted, placed_mesh
from .fit_copies import Fitter, Progress
from .meshes import hull_mesh

# Kinds from the simplest on. If several have the same collider, the first is marked.
_SIMPLEST = (
    "BOX",
    "ORIENTED_BOX",
    "SPHERE",
    "CAPSULE",
    "CYLINDER",
    "KDOP10",
    "KDOP18",
    "KDOP26",
    "BUDGET_HULL",
    "HULL",
    PARTS,
    PIECES,
    "MESH",
)
# Dimensionless: fraction of the hull volume and of the mesh size. Colliders that differ by less are the same.
_SAME = 1e-6
# With more loose parts, hulls for parts are not compared.
_MOST_PARTS = 64


class Pieces(NamedTuple):
    """Maximum number of convex pieces of a mesh, and how closely they follow it."""

    most: int
    preset: str


def compare_steps(
    sources: Sequence[Source], request: FitRequest, pieces: Pieces | None = None, *, chooses: bool = True
) -> Generator[Progress, None, dict[str, Expected]]:
    """Fit every kind to all sources, one at a time. Return the expected quality of each possible kind.

    Parameters
    ----------
    sources : sequence of Source
        For several sources, the loosest collider is reported.
    request : FitRequest
        Its kind is ignored.
    pieces : Pieces, optional
        Also compare convex pieces, and a hull for each loose part, if there is a single source.
    chooses : bool
        Whether *Best Fit* can make parts, pieces or triangles of a mesh. It cannot if it converts a collider.
    """
    found: dict[str, Expected] = {}
    several = pieces is not None and len(sources) == 1
    total = (len(KINDS) + 2 * several) * len(sources)
    cut_up = decomposition.Known.nothing()
    best_pieces = Pieces(USUAL_PIECES, BEST_PRESET)
    for number, (kind, *_) in enumerate(KINDS):
        expected: list[Expected] = []
        wanted = request._replace(kind=kind)
        fitter, known = Fitter(wanted), cut_up if pieces == best_pieces else decomposition.Known.nothing()
        chooser = Chooser(wanted, *best_pieces, known=known)
        for source in sources:
            progress = Progress(number * len(sources) + len(expected), total)
            yield progress
            try:
                if kind == "BEST" and chooses:
                    chosen = yield from telling(progress, chooser.choosing(source))
                    expected.append(_expected(chosen.fitted, chosen.decomposed))
                else:
                    expected.append(_expected([fitter.fit(source)]))
            except UserError:  # This kind does not exist for this engine or this mesh.
                break
        if expected and len(expected) == len(sources):
            found[kind] = _loosest(expected)
    if pieces is not None and several:
        yield Progress(len(KINDS), total)
        parts = _of_parts(sources[0])
        cut = yield from telling(Progress(len(KINDS) + 1, total), _of_pieces(sources[0], request, pieces, cut_up))
        found |= {kind: one for kind, one in ((PARTS, parts), (PIECES, cut)) if one is not None}
    return _recommended(found, sources)


def _expected(fitted: Sequence[Fitted], decomposed: "decomposition.Decomposed | None" = None) -> Expected:
    """Return the expected quality of the collider of a source, or of all its pieces together."""
    placed = tuple(placed_mesh(one) for one in fitted)
    quality = fitted[0].quality if decomposed is None else decomposed.quality
    single = decomposed is None and fitted[0].kind != "MESH"
    vertices = sum(len(points) for points, _ in placed)
    return Expected(quality.hull_ratio, quality.gap, vertices, len(fitted), single, meshes=placed)


def _loosest(expected: Sequence[Expected]) -> Expected:
    """Return the largest value of each quality of several sources, and the sum of their parts."""
    return Expected(
        max(one.ratio for one in expected),
        max(one.gap for one in expected),
        max(one.vertices for one in expected),
        sum(one.parts for one in expected),
        all(one.single for one in expected),
        meshes=tuple(mesh for one in expected for mesh in one.meshes),
    )


def _of_pieces(
    source: Source, request: FitRequest, pieces: Pieces, known: "decomposition.Known"
) -> Generator[object, None, Expected | None]:
    """Return the expected convex pieces. None if the mesh is flat."""
    try:
        steps = decomposition.steps([source], request._replace(kind="PIECE"), pieces.most, pieces.preset, known)
        made = yield from steps
    except UserError:
        return None
    return _expected(made.fitted, made.decomposed[0])


def _of_parts(source: Source) -> Expected | None:
    """Return the expected hulls of loose parts. None if there are no such parts, or one is flat."""
    parts = parts_of(source)
    hulls = [convex_hull(part.points) for part in parts] if 1 < len(parts) <= _MOST_PARTS else []
    if not hulls or any(hull.dimension < 3 for hull in hulls):
        return None
    quality = pieces_quality(hulls, source.points, source.triangles)
    placed = tuple(hull_mesh(hull) for hull in hulls)
    return Expected(
        quality.hull_ratio, quality.gap, sum(len(hull.vertices) for hull in hulls), len(hulls), False, meshes=placed
    )


def _recommended(found: dict[str, Expected], sources: Sequence[Source]) -> dict[str, Expected]:
    """Mark the simplest kind whose collider *Best Fit* makes; if that makes none, the closest."""
    known = [kind for kind in _SIMPLEST if kind in found]
    if not known:
        return found
    size = min(float(np.linalg.norm(np.ptp(source.points, axis=0))) for source in sources)
    best = found.get("BEST")
    if best is None:
        recommended = min(known, key=lambda kind: found[kind].gap)
    else:
        recommended = next((kind for kind in known if _same(found[kind], best, size)), "BEST")
    return found | {recommended: found[recommended]._replace(recommended=True)}


def _same(one: Expected, other: Expected, size: float) -> bool:
    """Whether two colliders have the same size and consist of as many parts and vertices."""
    ratios = one.ratio, other.ratio
    same_ratio = abs(ratios[0] - ratios[1]) <= _SAME or not np.isfinite(ratios).any()
    return same_ratio and abs(one.gap - other.gap) <= _SAME * size and one[2:4] == other[2:4]


def compare_held_steps(
    context: bpy.types.Context, pairs: Sequence[tuple[bpy.types.Object, bpy.types.Object]], request: FitRequest
) -> Generator[Progress, None, dict[str, Expected]]:
    """Fit every kind to the points in colliders; see `converting.held_by`."""
    return (yield from compare_steps(held_by(context, pairs), request, chooses=False))
