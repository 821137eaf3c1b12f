# SPDX-License-Identifier: GPL-3.0-or-later
"""The table of pairs: the algorithm for each pair of kinds, convex, unbounded or a mesh.

The kinds of a pair are in the order of `Kind`. A pair that is not in the table raises `UnsupportedPair`.
"""

from typing import Any

from ..shapes import Kind
from ..shapes.batch import UNBOUNDED
from .algorithm import PairAlgorithm
from .convex_table import CONVEX_PAIRS
from .mesh.bounded_mesh import BoundedMesh
from .mesh.unbounded_mesh import UnboundedMesh

_BOUNDED_MESH = BoundedMesh()
_UNBOUNDED_MESH = UnboundedMesh()

PAIRS: dict[tuple[Kind, Kind], PairAlgorithm[Any, Any]] = {
    **CONVEX_PAIRS,
    **{(kind, Kind.MESH): _BOUNDED_MESH for kind in Kind if kind <= Kind.MESH and kind not in UNBOUNDED},
    **{(kind, Kind.MESH): _UNBOUNDED_MESH for kind in UNBOUNDED},
}
