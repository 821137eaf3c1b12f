# SPDX-License-Identifier: GPL-3.0-or-later
"""Compare how well each kind of collider would fit, without making one."""

from collections.abc import Generator, Sequence
from typing import NamedTuple

import bpy
import numpy as np

from ...core.fit import pieces_quality
from ...core.hull import convex_hull
from ..engines.kinds import KINDS
from ..model.errors import UserError
from ..model.steps import telling
from ..scene.colliders.sources import Source, parts_of
from ..session.fit_comparison import PARTS, PIECES, Expected
from . import decomposition
from .converting import held_by
from .fit import FitRequest, Fitted
from .fit_copies import Fitter, Progress

# Kinds from the simplest on. The first that fits well enough is recommended.
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
# A gap of this fraction of the mesh size is good enough, as is the largest gap that the user allows.
_ENOUGH = 0.02
# With more loose parts, hulls for parts are not compared.
_MOST_PARTS = 64


class Pieces(NamedTuple):
    """Maximum number of convex pieces of a mesh, and how closely they follow it."""

    most: int
    preset: str


def compare_steps(
    sources: Sequence[Source], request: FitRequest, pieces: Pieces | None = None
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
    """
    found: dict[str, Expected] = {}
    several = pieces is not None and len(sources) == 1
    total = (len(KINDS) + 2 * several) * len(sources)
    for number, (kind, *_) in enumerate(KINDS):
        fitted: list[Fitted] = []
        fitter = Fitter(request._replace(kind=kind))
        for source in sources:
            yield Progress(number * len(sources) + len(fitted), total)
            try:
                fitted.append(fitter.fit(source))
            except UserError:  # This kind does not exist for this engine or this mesh.
                break
        if fitted and len(fitted) == len(sources):
            qualities = [one.quality for one in fitted]
            ratio = max(quality.hull_ratio for quality in qualities)
            vertices = max(len(one.mesh(np.eye(4))[0]) for one in fitted)
            found[kind] = Expected(ratio, max(quality.gap for quality in qualities), vertices)
    if pieces is not None and several:
        yield Progress(len(KINDS), total)
        parts = _of_parts(sources[0])
        cut = yield from telling(Progress(len(KINDS) + 1, total), _of_pieces(sources[0], request, pieces))
        found |= {kind: one for kind, one in ((PARTS, parts), (PIECES, cut)) if one is not None}
    return _recommended(found, request, sources)


def _of_pieces(source: Source, request: FitRequest, pieces: Pieces) -> Generator[object, None, Expected | None]:
    """Return the expected convex pieces. None if the mesh is flat."""
    try:
        steps = decomposition.steps([source], request._replace(kind="PIECE"), pieces.most, pieces.preset)
        made = yield from steps
    except UserError:
        return None
    quality = made.decomposed[0].quality
    vertices = sum(len(one.mesh(np.eye(4))[0]) for one in made.fitted)
    return Expected(quality.hull_ratio, quality.gap, vertices, quality.count)


def _of_parts(source: Source) -> Expected | None:
    """Return the expected hulls of loose parts. None if there are no such parts, or one is flat."""
    parts = parts_of(source)
    hulls = [convex_hull(part.points) for part in parts] if 1 < len(parts) <= _MOST_PARTS else []
    if not hulls or any(hull.dimension < 3 for hull in hulls):
        return None
    quality = pieces_quality(hulls, source.points, source.triangles)
    return Expected(quality.hull_ratio, quality.gap, sum(len(hull.vertices) for hull in hulls), len(hulls))


def _recommended(found: dict[str, Expected], request: FitRequest, sources: Sequence[Source]) -> dict[str, Expected]:
    """Mark the simplest kind that fits well enough or, if there is none, the closest."""
    known = [kind for kind in _SIMPLEST if kind in found]
    if not known:
        return found
    size = min(float(np.linalg.norm(np.ptp(source.points, axis=0))) for source in sources)
    enough = max(request.gap, _ENOUGH * size)
    best = next((kind for kind in known if found[kind].gap <= enough), min(known, key=lambda kind: found[kind].gap))
    return found | {best: found[best]._replace(recommended=True)}


def compare_held_steps(
    context: bpy.types.Context, pairs: Sequence[tuple[bpy.types.Object, bpy.types.Object]], request: FitRequest
) -> Generator[Progress, None, dict[str, Expected]]:
    """Fit every kind to the points in colliders; see `converting.held_by`."""
    return (yield from compare_steps(held_by(context, pairs), request))
