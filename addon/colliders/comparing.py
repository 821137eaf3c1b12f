# SPDX-License-Identifier: GPL-3.0-or-later
"""How well each kind of collider would fit, before one is made."""

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING

import bpy

from ..engines.kinds import KINDS
from ..model.errors import UserError
from ..scene.colliders.sources import Source
from ..session.fit_comparison import Expected
from .converting import held_by
from .fit import FitRequest
from .fit_copies import Fitter, Progress

if TYPE_CHECKING:
    from ...core.fit import FitQuality


def compare_steps(sources: Sequence[Source], request: FitRequest) -> Generator[Progress, None, dict[str, Expected]]:
    """Fit every kind to all sources, one at a time; return what is to be expected of each that can be made.

    Parameters
    ----------
    sources : sequence of Source
        Of several, the loosest collider is told.
    request : FitRequest
        The kind of it is not looked at.
    """
    found: dict[str, Expected] = {}
    total = len(KINDS) * len(sources)
    for number, (kind, *_) in enumerate(KINDS):
        qualities: list[FitQuality] = []
        fitter = Fitter(request._replace(kind=kind))
        for source in sources:
            yield Progress(number * len(sources) + len(qualities), total)
            try:
                qualities.append(fitter.fit(source).quality)
            except UserError:  # There is none of this kind for this engine or this mesh.
                break
        if qualities and len(qualities) == len(sources):
            ratio = max(quality.hull_ratio for quality in qualities)
            found[kind] = Expected(ratio, max(quality.gap for quality in qualities))
    return found


def compare_held_steps(
    context: bpy.types.Context, pairs: Sequence[tuple[bpy.types.Object, bpy.types.Object]], request: FitRequest
) -> Generator[Progress, None, dict[str, Expected]]:
    """Fit every kind to what colliders hold; see `converting.held_by`."""
    return (yield from compare_steps(held_by(context, pairs), request))
