# SPDX-License-Identifier: GPL-3.0-or-later
"""Which nodes of a glTF file make one body: what is seen, and the colliders that stand for it.

A body is a node with a motion and everything below it, as far as no node there has a motion of its own. Without a
motion it is the topmost node with a collider or trigger, and everything below that; and a mesh whose child that node
is. If nothing is seen in such a body,
what is seen beside it below the same parent belongs to it as well, as programs write it that have a mesh and its
collider side by side.
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
        Of each node; a forest.
    roots : collection of int
        The nodes that scenes list.
    names : sequence of str
    moved : collection of int
        The nodes with a motion, static ones as well.
    declared : collection of int
        The nodes with a collider or a trigger.
    seen : collection of int
        The nodes with a mesh that is not there for a collider only.

    Returns
    -------
    list of int
        The node that each node's body is named after; -1 for none.
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
    """Put colliders and what is seen beside them below the same parent into one body.

    Parameters
    ----------
    above : int
        The parent.
    whole : bool
        Whether all of it may be one body. Otherwise it holds the whole scene, and names decide.
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
    """Some nodes, by default those without parents, and everything below them, each after its parent."""
    if start is None:
        inner = {child for some in children for child in some}
        start = [node for node in range(len(children)) if node not in inner]
    rest = list(start)
    while rest:
        node = rest.pop()
        yield node
        rest += children[node]
