# SPDX-License-Identifier: GPL-3.0-or-later
"""Choose the colliders of each mesh: of the requested kind or, for BEST, of one that fits.

A single shape around a room, a table or a terrain fills empty space. So BEST tries, in this order: one shape if it is
not too loose; the convex parts of the mesh, if there are few; the triangles themselves, if the mesh is static and the
engine accepts triangle meshes by name; few convex pieces.
"""

import os
from collections.abc import Callable, Generator, Sequence
from typing import NamedTuple

from ...core import convexity
from ...core.hull import convex_hull
from ...core.shapes import Hulls
from ..engines.kinds import PIECES, TRIANGLE_MESHES
from ..model.errors import UserError
from ..scene.colliders.sources import Source, parts_of
from . import decomposition
from .decomposition import Progress
from .fit import FitRequest, Fitted, flat_normal, hull_fitted
from .fit_copies import Fitter, geometry_digest
from .looseness import Judge, Loose

# Default maximum number of convex pieces of a mesh, and default search preset.
USUAL_PIECES, USUAL_PRESET = 8, "BALANCED"

# Search for the pieces of *Best Fit*. What it leaves to the others is small, and *Best Fit* judges the result.
BEST_PRESET = "FAST"

# Maximum number of meshes for which colliders are chosen at once: processes use a processor and a lot of memory each.
_AT_ONCE = min(os.cpu_count() or 1, 4)

# A hull with more vertices is no better for engines: Unity's limit.
_MOST_VERTICES = 255


class Chosen(NamedTuple):
    """Colliders of one mesh.

    Attributes
    ----------
    fitted : list of Fitted
    loose : Loose
        Remaining problems of the colliders.
    decomposed : Decomposed, optional
        How well they fit the mesh together, if they are convex pieces.
    over : bool
        Whether there are more pieces than requested, because the mesh has more parts.
    """

    fitted: list[Fitted]
    loose: Loose = Loose()
    decomposed: "decomposition.Decomposed | None" = None
    over: bool = False

    @property
    def owner(self) -> str:
        """Name of the object."""
        return self.fitted[0].source.owner

    @property
    def owner_uid(self) -> int:
        """Its `session_uid`."""
        return self.fitted[0].source.owner_uid


Choosing = Generator[Progress, None, Chosen]


class Chooser:
    """Chooses colliders. Copies of a mesh share one choice.

    Parameters
    ----------
    request : FitRequest
        For any of `kinds.KINDS`, or PIECES.
    pieces : int
        Maximum number of convex pieces of a mesh.
    preset : str
        One of `kinds.PRESETS`: how to search for PIECES. For BEST it is FAST.
    whole : bool
        Whether each source is an entire mesh. Colliders of selected faces are not compared with the mesh.
    known : Known, optional
        Results of earlier decompositions with the same settings. New ones are added.
    """

    def __init__(
        self,
        request: FitRequest,
        pieces: int = USUAL_PIECES,
        preset: str = USUAL_PRESET,
        *,
        whole: bool = True,
        known: "decomposition.Known | None" = None,
    ) -> None:
        self._request, self._most, self._preset, self._whole = request, pieces, preset, whole
        self._fitter, self._judge = Fitter(request), Judge()
        self._hulls = Fitter(request._replace(kind="HULL"))
        self._known = decomposition.Known.nothing() if known is None else known

    @property
    def engine(self) -> str:
        """The element of `kinds.ENGINES` that the colliders are for."""
        return self._request.engine

    def choosing(self, source: Source) -> Choosing:
        """Return the colliders of a mesh, in steps.

        Raises
        ------
        UserError
            If no collider of this kind can be made.
        """
        if self._request.kind == PIECES:
            return (yield from self._pieces(source, self._preset))
        if self._request.kind == "BEST" and self._whole and self._has_loose_hull(source):
            yield Progress(0, 0)
            return (yield from self._closer(source, lambda: self._single(source)))
        one = self._single(source)
        yield Progress(0, 0)
        if self._request.kind != "BEST" or one.loose == Loose():
            return one
        return (yield from self._closer(source, lambda: one))

    def _single(self, source: Source) -> Chosen:
        """Return one collider of the requested kind, and how loose it is."""
        one = self._fitter.fit(source)
        return Chosen([one], self._judge.of(one, self._request.gap) if self._whole else Loose())

    def _has_loose_hull(self, source: Source) -> bool:
        """Return whether the hull is too loose, and therefore any other single collider, without fitting one.

        They contain the hull. From a point of the hull, going outward leads away from the entire mesh, so they protrude
        from it at least as far.
        """
        try:
            hull = self._hulls.fit(source)
        except UserError:
            return False  # It is flat.
        return not hull.was_flat and self._judge.of(hull, self._request.gap) != Loose()

    def tightening(self, chosen: Chosen) -> Generator[Progress, None, Chosen | None]:
        """Return closer colliders than the chosen ones, in steps. None if there are none, or BEST was not requested."""
        source, (one, *others) = chosen.fitted[0].source, chosen.fitted
        if self._request.kind != "BEST" or not self._whole or others:
            return None
        if one.kind == "MESH" or one.was_flat or not source.alone:
            return None
        hull = convex_hull(source.points)
        has_all = isinstance(one.shape, Hulls) and len(one.shape.geometry[0].vertices) == len(hull.vertices)
        few = hull.dimension == 3 and len(hull.vertices) <= _MOST_VERTICES
        if few and not has_all and convexity.solidity(hull, source.triangles).convex:
            return Chosen([hull_fitted(source, self._request, hull)])
        closer = yield from self._closer(source, lambda: chosen)
        return None if closer is chosen else closer

    def _closer(self, source: Source, loose: Callable[[], Chosen]) -> Choosing:
        """Return the convex parts, the triangles or convex pieces, or the loose colliders if none is better."""
        if source.motion == "ARMATURE":
            return loose()  # Pieces would not follow the bones.
        if self._has_convex_parts(source):
            parts = yield from self._pieces(source, BEST_PRESET)
            if parts.loose == Loose():
                return parts
        if source.motion == "STATIC" and self._request.engine in TRIANGLE_MESHES:
            mesh = Fitter(self._request._replace(kind="MESH")).fit(source)
            return Chosen([mesh])
        pieces = yield from self._pieces(source, BEST_PRESET)
        if pieces.loose == Loose():
            return pieces
        if source.motion == "STATIC":
            raise UserError(
                'A few convex colliders do not fit "{name}", and Unreal imports no triangle mesh by its '
                "name: set Collision Complexity there to Use Complex Collision As Simple",
                name=source.owner,
            )
        return min(pieces, loose(), key=lambda one: one.loose.excess)

    def _has_convex_parts(self, source: Source) -> bool:
        parts = parts_of(source)
        if not 1 < len(parts) <= self._most:
            return False
        hulls = [convex_hull(part.points) for part in parts]
        return all(
            hull.dimension == 3 and convexity.solidity(hull, part.triangles).convex
            for hull, part in zip(hulls, parts, strict=True)
        )

    def _pieces(self, source: Source, preset: str) -> Choosing:
        if flat_normal(source.points) is not None:
            return Chosen([Fitter(self._request._replace(kind="ORIENTED_BOX")).fit(source)])
        request = self._request._replace(kind="PIECE")
        found = yield from decomposition.steps([source], request, self._most, preset, self._known)
        (one,) = found.decomposed
        loose = self._judge.of_pieces(source, one) if self._whole else Loose()
        return Chosen(found.fitted, loose, one, bool(found.over))


def choosing_steps(
    sources: Sequence[Source], chooser: Chooser
) -> Generator[Progress, None, tuple[list[Chosen], list[UserError]]]:
    """Choose colliders for all meshes. Collects the reasons for meshes without colliders.

    While the processes of some meshes run, others are begun, one for each processor. Copies of a mesh wait for it.
    """
    found: dict[int, Chosen] = {}
    problems: dict[int, UserError] = {}
    geometry = [geometry_digest(source) for source in sources]
    waiting, running = dict(enumerate(sources)), dict[int, Choosing]()
    try:
        while waiting or running:
            busy = {geometry[row] for row in running}
            for row in list(waiting):
                if len(running) >= _AT_ONCE:
                    break
                if geometry[row] not in busy:
                    busy.add(geometry[row])
                    running[row] = chooser.choosing(waiting.pop(row))
            inner, current = Progress(0, 0), ", ".join(dict.fromkeys(sources[row].owner for row in running))
            for row, steps in list(running.items()):
                try:
                    inner = next(steps)
                    continue
                except StopIteration as end:
                    found[row] = end.value
                except UserError as error:
                    problems[row] = error
                del running[row]
            yield inner._replace(done=len(found) + len(problems), total=len(sources), current=current)
    finally:
        for steps in running.values():
            steps.close()
    return [found[row] for row in sorted(found)], [problems[row] for row in sorted(problems)]
