# SPDX-License-Identifier: GPL-3.0-or-later
"""The bodies of the nodes of glTF files, as programs lay them out."""

import pytest

from collision_kit.addon.gltf.node_bodies import node_bodies

# Of each node: name, children, and letters: a motion, a declared collider or trigger, seen.
CASES = {
    "mesh and collider below a body": (
        [("Body", (1, 2), "m"), ("Mesh", (), "s"), ("Collider", (), "d")],
        {"Mesh": "Body", "Collider": "Body", "Body": "Body"},
    ),
    "a body below another one": (
        [("Car", (1, 2), "m"), ("Chassis", (), "s"), ("Wheel", (3,), "m"), ("Tire", (), "s")],
        {"Chassis": "Car", "Wheel": "Wheel", "Tire": "Wheel"},
    ),
    "the mesh below its collider": (
        [("Shape", (1,), "d"), ("Mesh", (), "s")],
        {"Shape": "Shape", "Mesh": "Shape"},
    ),
    "one mesh beside its collider below a root": (
        [("Root", (1, 2), ""), ("Rock", (), "s"), ("Hull", (), "d")],
        {"Rock": "Root", "Hull": "Root"},
    ),
    "several below one of many roots": (
        [("House", (1, 2, 3), ""), ("Wall", (), "s"), ("Roof", (), "s"), ("Box", (), "d"), ("Other", (), "s")],
        {"Wall": "House", "Roof": "House", "Box": "House", "Other": None},
    ),
    "names decide below the only root": (
        [
            ("World", (1, 2, 3, 4, 6), ""),
            ("FloorMesh", (), "s"),
            ("Floor Collision", (), "d"),
            ("Tree", (), "s"),
            ("Post", (5,), "d"),
            ("Inner", (), "d"),
            ("Sky", (), "s"),
        ],
        {"FloorMesh": "FloorMesh", "Floor Collision": "FloorMesh", "Tree": None, "Post": "Post", "Inner": "Post"},
    ),
    "a collider of its own mesh leaves what is beside it": (
        [("Root", (1, 2), ""), ("Ball", (), "ds"), ("Tree", (), "s")],
        {"Ball": "Ball", "Tree": None},
    ),
    "a collider below the mesh that is seen": (
        [("Crate", (1, 2), "s"), ("UCX_Crate", (), "d"), ("Lid", (), "s")],
        {"Crate": "Crate", "UCX_Crate": "Crate", "Lid": None},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_the_body_of_each_node(name: str) -> None:
    nodes, wanted = CASES[name]
    inner = {child for _, children, _ in nodes for child in children}
    found = node_bodies(
        [children for _, children, _ in nodes],
        set(range(len(nodes))) - inner,
        [name for name, _, _ in nodes],
        *({number for number, node in enumerate(nodes) if letter in node[2]} for letter in "mds"),
    )
    bodies = {node[0]: nodes[body][0] if body >= 0 else None for node, body in zip(nodes, found, strict=True)}
    assert {name: bodies[name] for name in wanted} == wanted
