# SPDX-License-Identifier: GPL-3.0-or-later
"""Nodes of a glTF file that form a body: visible meshes and their colliders.

A body is a node with a motion and everything below it, except nodes with their own motion. Without a motion, it is the
topmost node with a collider or trigger and everything below it, and the mesh that is its parent, if any. If such a body
has nothing visible, visible siblings belong to it as well, because some programs write a mesh and its collider side by
side.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence

from ..engines.stems import stem


def node_bodies(
    children: Sequence[Sequence[int]],
    roots: Collection[int],
    names: Sequence[str],
    moved: Collection[int],
    declared: Collection[int],
    seen: Collection[int],
) -> list[int]:
    """Find the body of each node.

    Parameters
    ----------
    children : sequence of sequence of int
        Children of each node; a forest.
    roots : collection of int
        Nodes listed by scenes.
    names : sequence of str
    moved : collection of int
        Nodes with a motion, including static ones.
    declared : collection of int
        Nodes with a collider or a trigger.
    seen : collection of int
        Nodes with a mesh that is not only for a collider.

    Returns
    -------
    list of int
        Node that the body of each node is named after. -1: none.
    """
    body = [-1] * len(children)
    parent = [-1] * len(children)
    for node in _downward(children):
        for child in children[node]:
            parent[child] = node
        above = parent[node]
        if node in moved:
            body[node] = node
        elif above >= 0 and body[above] >= 0:
            body[node] = body[above]
        elif node in declared:
            body[node] = node
    with_mesh = {body[node] for node in seen}
    beside: defaultdict[int, list[int]] = defaultdict(list)
    for node in sorted(declared):
        if body[node] == node and node not in moved and node not in with_mesh and parent[node] >= 0:
            beside[parent[node]].append(node)
    for above, colliders in beside.items():
        if above in seen:
            # A mesh and its colliders, which are its children.
            for node in (above, *_downward(children, colliders)):
                if body[node] in (-1, *colliders):
                    body[node] = above
        else:
            whole = above not in roots or len(roots) > 1
            _join_siblings(children, names, seen, body, above, colliders, whole=whole)
    return body


def _join_siblings(
    children: Sequence[Sequence[int]],
    names: Sequence[str],
    seen: Collection[int],
    body: list[int],
    above: int,
    colliders: Iterable[int],
    *,
    whole: bool,
) -> None:
    """Combine colliders and visible siblings into one body.

    Parameters
    ----------
    above : int
        The parent.
    whole : bool
        Whether all of it may be one body. Otherwise it contains the whole scene, and names decide.
    """
    visible = {}
    for child in children[above]:
        below = [node for node in _downward(children, [child]) if body[node] < 0]
        if any(node in seen for node in below):
            visible[child] = below
    if whole or len(visible) == 1:
        joined = dict.fromkeys(colliders, above) if visible else {}
        for below in visible.values():
            for node in below:
                body[node] = above
    else:
        stems = {stem(names[child]): child for child in visible}
        joined = {node: stems[common] for node in colliders if (common := stem(names[node])) in stems}
        for child in joined.values():
            for node in visible[child]:
                body[node] = child
    for collider, target in joined.items():
        for node in _downward(children, [collider]):
            if body[node] == collider:
                body[node] = target


def _downward(children: Sequence[Sequence[int]], start: Iterable[int] | None = None) -> Iterable[int]:
    """Return some nodes (default: those without parents) and everything below them, each after its parent."""
    if start is None:
        inner = {child for some in children for child in some}
        start = [node for node in range(len(children)) if node not in inner]
    rest = list(start)
    while rest:
        node = rest.pop()
        yield node
        rest += children[node]
