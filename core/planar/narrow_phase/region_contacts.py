# SPDX-License-Identifier: GPL-3.0-or-later
"""Contacts of regions: the contacts of their pieces whose normals are consistent with the boundaries of the bodies."""

from dataclasses import replace

import numpy as np

from ...numerics.tolerances import SAME_CONTACT
from ...numerics.types import Bools, Floats, Ints
from ...results import Contacts
from ..shapes.regions import Body, Regions, piece_pairs, pieces_of
from . import convex
from .convex import Block, blocks, near_pairs
from .sat import Facets, edge_gaps
from .witnesses import Witnesses


def boundary_contacts(
    a: Body, b: Body, rows_a: Ints, rows_b: Ints, margin: float, shift: Floats | None = None
) -> tuple[Contacts, Bools]:
    """Contacts with normals of the boundaries, and whether any two pieces of each pair are near (P,).

    B is moved by `shift` (P, 2).
    """
    found, touched = [], np.zeros(len(rows_a), dtype=np.bool_)
    scale = np.zeros(len(rows_a))
    first, second = pieces_of(a), pieces_of(b)
    for part in piece_pairs(a, b, rows_a, rows_b):
        moved = None if shift is None else shift[part.owner]
        near = near_pairs(first, second, part.a, part.b, margin, moved)
        for block in blocks(first, second, part.a, part.b, near, moved):
            facets, owner = block.facets(), part.owner[block.slots]
            if facets is None:
                continue
            witnesses = block.witnesses(facets)
            touched[owner[witnesses.distance <= margin + block.slack]] = True
            np.maximum.at(scale, owner, block.size)
            facets, witnesses, usable = _on_boundary(a, b, part.a, part.b, block, facets, witnesses)
            made = convex.block_contacts(
                block, facets, witnesses, usable & (witnesses.distance <= margin + block.slack), margin
            )
            found.append(replace(made, pair=part.owner[made.pair]))
    return _without_duplicates(Contacts.joined(found, 2), scale), touched


def _without_duplicates(found: Contacts, scale: Floats) -> Contacts:
    """The contacts of each pair, deepest first, without duplicates from several pieces; `scale` (P,): pair sizes."""
    found = found.take(np.lexsort((-found.depth, found.pair)))
    steps = np.rint(found.point / (SAME_CONTACT * scale[found.pair])[:, None])
    keys = np.column_stack((found.pair, steps, np.rint(found.normal / SAME_CONTACT)))
    kept = np.unique(keys, axis=0, return_index=True)[1]
    return found.take(np.sort(kept))


def _on_boundary(
    a: Body, b: Body, rows_a: Ints, rows_b: Ints, block: Block, facets: Facets, witnesses: Witnesses
) -> tuple[Facets, Witnesses, Bools]:
    """The facets and witness points of a block, and which are usable; overlapping pieces use a boundary facet."""
    corners_a, corners_b = _corner_ids(a, rows_a[block.slots]), _corner_ids(b, rows_b[block.slots])
    best, given = _boundary_facets(a, b, corners_a, corners_b, block, facets)
    apart = facets.gap > block.slack
    change = ~apart & np.isfinite(best.gap)
    chosen = Facets(*(np.where(change, vars(best)[f], vars(facets)[f]) for f in vars(facets)))
    witnesses = block.witnesses(chosen)
    beside = _between(a, corners_a, witnesses.corner_a, witnesses.nx, witnesses.ny) & _between(
        b, corners_b, witnesses.corner_b, -witnesses.nx, -witnesses.ny
    )
    usable = np.where(apart, np.where(witnesses.facing, given, beside), change & witnesses.shared)
    return chosen, witnesses, usable


def _corner_ids(body: Body, rows: Ints) -> Ints | None:
    """The first corner of each piece in the pool of its region; None for other shapes."""
    return body.pieces.pool.start[body.pieces.index[rows]] if isinstance(body, Regions) else None


def _between(body: Body, first: Ints | None, corner: Ints, x: Floats, y: Floats) -> Bools:
    """Whether corners (-1 always passes) can be touched from the direction of a unit vector."""
    if first is None or not isinstance(body, Regions):
        return np.ones(len(corner), np.bool_)
    return (corner < 0) | body.cones.contains(first + np.maximum(corner, 0), x, y)


def _boundary_facets(
    a: Body, b: Body, corners_a: Ints | None, corners_b: Ints | None, block: Block, facets: Facets
) -> tuple[Facets, Bools]:
    """The best facet whose edge is on the boundary and whose corner can be touched; whether each given facet is such.

    The gap is minus infinity if there is none.
    """
    count = len(block.slots)
    best, by_b, which = np.full(count, -np.inf), np.zeros(count, np.bool_), np.zeros(count, np.int64)
    given = np.zeros(count, np.bool_)
    for of_b in (False, True):
        of, other = (block.b, block.a) if of_b else (block.a, block.b)
        own, theirs = (corners_b, corners_a) if of_b else (corners_a, corners_b)
        body, other_body = (b, a) if of_b else (a, b)
        sign = -1.0 if of_b else 1.0
        for edge, gap in enumerate(edge_gaps(of, other, sign * block.x, sign * block.y)):
            real = np.minimum(edge, of.count - 1)
            fits = np.ones(count, np.bool_)
            if own is not None and isinstance(body, Regions):
                fits &= body.cones.boundary[own + real]
            lowest = np.minimum((of.nx[edge] * other.x + of.ny[edge] * other.y).argmin(axis=0), other.count - 1)
            fits &= _between(other_body, theirs, lowest, -of.nx[edge], -of.ny[edge])
            given |= fits & (facets.by_b == of_b) & (facets.edge == edge)
            better = fits & (gap > best)
            best, by_b, which = np.where(better, gap, best), np.where(better, of_b, by_b), np.where(better, edge, which)
    return Facets(best, by_b, which), given
