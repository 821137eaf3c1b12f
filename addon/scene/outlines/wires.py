# SPDX-License-Identifier: GPL-3.0-or-later
"""Edges that belong to no face: closed loops and single lines."""

from collections import defaultdict

import numpy as np

from ....core.numerics.types import Ints


def loops_and_lines(wires: Ints) -> tuple[list[list[int]], Ints]:
    """Divide edges (w, 2) into closed loops of vertices, and edges that belong to no loop (l, 2).

    A connected component is a loop if each of its vertices has two edges.
    """
    neighbors: defaultdict[int, list[int]] = defaultdict(list)
    for a, b in wires.tolist():
        neighbors[a].append(b)
        neighbors[b].append(a)
    loops: list[list[int]] = []
    looped: set[int] = set()
    seen: set[int] = set()
    for first in sorted(neighbors):
        if first in seen:
            continue
        together, queue = [], [first]
        while queue:
            vertex = queue.pop()
            if vertex not in seen:
                seen.add(vertex)
                together.append(vertex)
                queue += neighbors[vertex]
        if all(len(neighbors[vertex]) == 2 for vertex in together):
            loops.append(_around(first, neighbors))
            looped.update(together)
    rest = np.array([a not in looped for a in wires[:, 0].tolist()], dtype=np.bool_)
    return loops, wires[rest]


def _around(first: int, neighbors: dict[int, list[int]]) -> list[int]:
    loop, before, here = [first], first, min(neighbors[first])
    while here != first:
        loop.append(here)
        one, other = neighbors[here]
        before, here = here, other if one == before else one
    return loop
