# SPDX-License-Identifier: GPL-3.0-or-later
"""Random damage to what glTF files say of colliders, nodes and data: each file is read, and what cannot be is told.

A failure is an import that raises anything but the refusal of a cycle of nodes, warns, takes long, or leaves a scene
that cannot be read. Cases need Blender as a Python module.
"""

import base64
import copy
import json
import os
import random
import re
import signal
import tempfile
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from pathlib import Path
from typing import Any

import numpy as np

COUNT = 500

# Seconds that one small file may take.
LONG = 10

PHYSICS, SHAPES = "KHR_physics_rigid_bodies", "KHR_implicit_shapes"
OMI_BODY, OMI_SHAPES = "OMI_physics_body", "OMI_physics_shape"
# Anything at all, where glTF leaves the JSON to an extension.
ANYTHING: list[Any] = [
    None, True, False, 0, 1, -1, 2, 7, 99, 10**9, 2**31, 2**63, -(2**64), 10**400, -(10**400), 0.0, -0.0, 0.5, -1.5,
    1e-60, 1e-45, 1e-38, 1e38, 3.4e38, 3.5e38, 1e39, 1e300, -1e300, float("1e999"), float("-1e999"), "", "0", "box",
    "1e3", "x" * 300, "{braces}", "%s", "\ud7ff\u202e", [], [0], [[]], [1, 2, 3], ["a", "b"], [None], [10**400, 1, 1],
    {}, {"type": "box"}, {"shape": 0}, {"a": {"b": []}},
]  # fmt: skip
# Where Blender itself wants a whole number, or refuses the file.
INDICES = [0, 1, 2, 3, 5, 7, 12, 99, -1, -2, 2**31, 2**40, -(2**63), 10**30]
LENGTHS = [0, 1, 2, 3, 4, 12, 36, 48, 49, 96, 1000, -1, -12, 2**31, 2**63]
KINDS = ["box", "sphere", "capsule", "cylinder", "plane", "convex", "trimesh", "hull", "torus", ""]


def run(seed: int, count: int) -> list[dict[str, Any]]:
    """Read so many damaged files; see `__main__` for what is returned."""
    failures = []
    for number in range(count):
        failure = {"what": "", "case": damaged(random.Random(f"{seed} {number}"))}
        failure["what"] = wrong(failure)
        if failure["what"]:
            failures.append(failure)
    return failures


def damaged(chance: random.Random) -> dict[str, Any]:
    """A file with up to six things wrong with it, as JSON."""
    document = _whole(chance)
    for _ in range(chance.choice([1, 1, 1, 2, 3, 6])):
        chance.choice([_damage_physics, _damage_physics, _damage_physics, _damage_tree, _damage_data])(chance, document)
    if chance.random() < 0.2:
        document["extensionsRequired"] = chance.choice([[SHAPES, PHYSICS], [OMI_SHAPES, OMI_BODY]])
    return document


def wrong(failure: dict[str, Any]) -> str:
    """Read the file of a failure again; returns the errors."""
    import bpy

    from collision_kit import register
    from collision_kit.addon.scene.files import _as_add_on
    from collision_kit.addon.scene.reading.read_scene import read_scene
    from collision_kit.addon.system.streams import switched

    if not hasattr(bpy.types.Scene, "collision_kit"):
        register()
    with ExitStack() as stack:
        path = Path(stack.enter_context(tempfile.TemporaryDirectory())) / "damaged.gltf"
        # A number that Python reads as infinity; the word is no JSON.
        path.write_text(json.dumps(failure["case"]).replace("Infinity", "1e999"), encoding="utf-8")
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        stack.enter_context(_as_add_on())
        stack.enter_context(_silent(switched))
        stack.enter_context(_limited())
        stack.enter_context(warnings.catch_warnings())
        warnings.simplefilter("error")
        try:
            bpy.ops.import_scene.gltf(filepath=str(path), loglevel=50)
            read_scene(bpy.context, None)
        except Exception as error:
            # Blender's own: indices that lie where other data are lead to vertices that are not there.
            indices = "out of bounds" in str(error) and "in do_primitives" in traceback.format_exc()
            if not indices and "Node hierarchy forms a cycle" not in str(error):
                return _cause(traceback.format_exc())
    return ""


def _cause(text: str) -> str:
    """The error that began it, without numbers, and the functions in which."""
    names = re.findall(r'File ".*?([^/"]+)", line \d+, in (\w+)', text)
    errors = re.findall(r"^(?:\w+\.)*(\w+(?:Error|Warning|Exception)): (?!Error: Python)(.*)$", text, re.M)
    said = " ".join(errors[0] if errors else ("", text[-80:]))
    return f"{re.sub(r'[0-9]+', 'N', said)[:80]} in {', '.join(f'{file} {name}' for file, name in names[-3:])}"


@contextmanager
def _silent(switched: Callable[[int, int], AbstractContextManager[None]]) -> Iterator[None]:
    """Blender prints what it reports."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        with switched(1, nowhere), switched(2, nowhere):
            yield
    finally:
        os.close(nowhere)


@contextmanager
def _limited() -> Iterator[None]:
    """Raise `TimeoutError` in what takes long, where the system has such an alarm."""

    def ring(*_: object) -> None:
        raise TimeoutError(f"more than {LONG} s")

    if not hasattr(signal, "setitimer"):
        yield
        return
    before = signal.signal(signal.SIGALRM, ring)
    signal.setitimer(signal.ITIMER_REAL, LONG)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def _whole(chance: random.Random) -> dict[str, Any]:
    """A file in which nothing is wrong, with all that colliders can have."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)], np.float32)
    faces = np.array([0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3], np.uint16)
    turns = np.array([0, 0, 0, 1] * 2, np.float32)
    binds = np.tile(np.eye(4, dtype=np.float32).ravel(), 2)
    parts = [corners, faces, np.array([0, 1], np.float32), turns, binds]
    types = [("VEC3", 4), ("SCALAR", 12), ("SCALAR", 2), ("VEC4", 2), ("MAT4", 2)]
    views, accessors, blob = [], [], b""
    for data, (kind, count) in zip(parts, types, strict=True):
        views.append({"buffer": 0, "byteOffset": len(blob), "byteLength": data.nbytes})
        component = 5123 if data is faces else 5126
        accessors.append({"bufferView": len(views) - 1, "componentType": component, "count": count, "type": kind})
        blob += data.tobytes()
    uri = "data:application/octet-stream;base64," + base64.b64encode(blob).decode()
    geometries: list[dict[str, Any]] = [{"shape": number} for number in range(6)]
    geometries += [{"mesh": 0}, {"node": 3}, {"mesh": 1, "convexHull": True}]
    nodes: list[dict[str, Any]] = []
    for number in range(8):
        part = {"geometry": chance.choice(geometries), "physicsMaterial": number % 2, "collisionFilter": number % 2}
        content: dict[str, Any] = {chance.choice(["collider", "collider", "trigger"]): part}
        if chance.random() < 0.4:
            content["motion"] = {"mass": 2.0, "isKinematic": True}
        if chance.random() < 0.2:
            content["joint"] = {"joint": 0, "connectedNode": 1}
        node: dict[str, Any] = {"name": f"Node {number}", "translation": [2.0 * number, 0.0, 0.0]}
        if chance.random() < 0.5:
            node["mesh"] = chance.randrange(2)
        if chance.random() < 0.3:
            node["scale"] = [1.0, 2.0, -1.0]
        if chance.random() < 0.8:
            node["extensions"] = {PHYSICS: content}
        if chance.random() < 0.5:
            node.setdefault("extensions", {})[OMI_BODY] = _omi_body(chance, number)
        nodes.append(node)
    nodes[0]["children"], nodes[2]["children"] = [1, 2], [3]
    nodes[1]["extensions"] = {PHYSICS: {"collider": {"geometry": {"shape": 0}}}}
    nodes += [{"name": "Bone", "children": [9]}, {"name": "Tip"}]
    nodes[4] |= {"mesh": 0, "skin": 0}
    primitive = {"attributes": {"POSITION": 0}, "indices": 1, "material": 0}
    return {
        "asset": {"version": "2.0"},
        "extensionsUsed": [SHAPES, PHYSICS, OMI_SHAPES, OMI_BODY],
        "extensions": {
            SHAPES: {
                "shapes": [
                    {"type": "box", "box": {"size": [1.0, 2.0, 3.0]}},
                    {"type": "sphere", "sphere": {"radius": 0.5}},
                    {"type": "capsule", "capsule": {"height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.5}},
                    {"type": "cylinder", "cylinder": {"height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.25}},
                    {"type": "capsule", "capsule": {"height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.25}},
                    {"type": "plane", "plane": {"sizeX": 2.0, "sizeZ": 1.0, "doubleSided": True}},
                ]
            },
            PHYSICS: {
                "physicsMaterials": [
                    {"staticFriction": 0.5, "dynamicFriction": 0.5, "restitution": 0.25},
                    {"frictionCombine": "average"},
                ],
                "collisionFilters": [
                    {"collisionSystems": ["A"], "collideWithSystems": ["A", "B"]},
                    {"collisionSystems": ["B"], "notCollideWithSystems": ["B"]},
                ],
            },
            OMI_SHAPES: {
                "shapes": [
                    {"type": "box", "box": {"size": [1.0, 2.0, 3.0]}},
                    {"type": "sphere"},
                    {"type": "capsule", "capsule": {"height": 3.0, "radius": 0.5}},
                    {"type": "capsule", "capsule": {"height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.5}},
                    {"type": "cylinder", "cylinder": {"height": 2.0, "radiusBottom": 0.5, "radiusTop": 0.25}},
                    {"type": "convex", "convex": {"mesh": 0}},
                    {"type": "trimesh", "trimesh": {"mesh": 1}},
                    {"type": "hull", "hull": {"mesh": 1}},
                ]
            },
            OMI_BODY: {
                "physicsMaterials": [{"dynamicFriction": 0.5}, {"restitution": 2.0, "restitutionCombine": "maximum"}],
                "collisionFilters": [{"collisionSystems": ["A"], "collideWithSystems": []}],
            },
        },
        "scene": 0,
        "scenes": [{"nodes": [0, 4, 5, 6, 7, 8]}],
        "nodes": nodes,
        "meshes": [{"primitives": [dict(primitive)]}, {"primitives": [dict(primitive), dict(primitive)]}],
        "materials": [{"name": "Paint"}],
        "skins": [{"joints": [8, 9], "inverseBindMatrices": 4}],
        "animations": [
            {
                "samplers": [{"input": 2, "output": 3}],
                "channels": [{"sampler": 0, "target": {"node": 5, "path": "rotation"}}],
            }
        ],
        "accessors": accessors,
        "bufferViews": views,
        "buffers": [{"uri": uri, "byteLength": len(blob)}],
    }


def _omi_body(chance: random.Random, number: int) -> dict[str, Any]:
    """The physics that a node declares by OMI."""
    part: dict[str, Any] = {"shape": chance.randrange(-1, 8), "physicsMaterial": number % 2, "collisionFilter": -1}
    content: dict[str, Any] = {chance.choice(["collider", "collider", "trigger"]): part}
    if chance.random() < 0.4:
        content["motion"] = {"type": chance.choice(["static", "kinematic", "dynamic"]), "mass": 2.0}
    if chance.random() < 0.1:
        content["trigger"] = {"nodes": [number]}
    return content


def _damage_physics(chance: random.Random, document: dict[str, Any]) -> None:
    """Put anything into what the two extensions say, or take something out."""
    roots = [document["extensions"]] + [node["extensions"] for node in document["nodes"] if "extensions" in node]
    # An extension is an object: Blender refuses anything else.
    found = [place for root in roots for value in root.values() for place in _places(value)]
    if not found:
        return
    owner, key = chance.choice(found)
    wrong = chance.random()
    if wrong < 0.15:
        del owner[key]
    elif wrong < 0.25 and isinstance(owner, dict):
        owner[chance.choice(["shape", "mesh", "node", "geometry", "type", "extras", "motion", "nodes"])] = owner.pop(
            key
        )
    elif wrong < 0.35:
        owner[key] = copy.deepcopy(chance.choice(found)[0])
    elif key == "type":
        owner[key] = chance.choice([*KINDS, *ANYTHING])
    else:
        owner[key] = copy.deepcopy(chance.choice(ANYTHING))


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every entry of some JSON, as what holds it and its key."""
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, below in list(entries):
        yield value, key
        yield from _places(below)


def _damage_tree(chance: random.Random, document: dict[str, Any]) -> None:
    """Put indices that may lead nowhere, or in circles, into what names nodes, meshes and the like."""
    node = chance.choice(document["nodes"])
    index = chance.choice([*INDICES, *range(len(document["nodes"]))])
    match chance.randrange(9):
        case 0 | 1:
            node.setdefault("children", []).append(index)
        case 2:
            node["children"] = [chance.choice(INDICES) for _ in range(chance.randrange(4))]
        case 3:
            node[chance.choice(["mesh", "skin", "camera"])] = index
        case 4:
            document["scene"] = index
        case 5:
            document["scenes"][0]["nodes"] = [chance.choice([0, 4, 5, index]) for _ in range(chance.randrange(4))]
        case 6:
            document["skins"][0][chance.choice(["skeleton", "inverseBindMatrices"])] = index
        case 7:
            document["skins"][0]["joints"] = [chance.choice([8, 9, index]) for _ in range(chance.randrange(3))]
        case 8:
            document.pop(chance.choice(["scenes", "scene", "meshes", "materials", "skins", "extensions"]), None)
            document.setdefault("extensions", {})
            document.setdefault("scenes", [{"nodes": [0]}])
            document.setdefault("skins", [{"joints": [8, 9]}])


def _damage_data(chance: random.Random, document: dict[str, Any]) -> None:
    """Say that data are where there are none.

    Data of the wrong kind, and indices of vertices that are not there, are for Blender to refuse.
    """
    missing = [index for index in INDICES if index not in range(8)]
    places: list[tuple[dict[str, Any], str, list[Any]]] = [
        (chance.choice(document["accessors"]), "bufferView", missing),
        (chance.choice(document["accessors"]), "byteOffset", LENGTHS[5:]),
        (chance.choice(document["accessors"]), "count", LENGTHS[5:]),
        (chance.choice(document["accessors"]), "componentType", [0, 1, 5124, 9999]),
        (chance.choice(document["accessors"]), "type", ["", "x", "vec3"]),
        (chance.choice(document["bufferViews"]), "buffer", missing),
        (chance.choice(document["bufferViews"]), "byteOffset", LENGTHS[9:]),
        (chance.choice(document["bufferViews"]), "byteLength", [0, 1, 2, *LENGTHS[10:]]),
        (chance.choice(document["bufferViews"]), "byteStride", [1, 1000, -1, 2**31, 2**63]),
        (document["buffers"][0], "uri", ["missing.bin", "data:,", "data:;base64,%%%", "../..", "\0", "a" * 5000]),
        (document["animations"][0]["channels"][0], "sampler", missing),
        (document["animations"][0]["channels"][0]["target"], "node", [-1, 99, 2**40]),
        (document["animations"][0]["samplers"][0], chance.choice(["input", "output"]), missing),
    ]
    for mesh in document.get("meshes", []):
        places += [
            (mesh["primitives"][0]["attributes"], chance.choice(["POSITION", "NORMAL", "COLOR_0"]), missing),
            (mesh["primitives"][0], chance.choice(["indices", "material"]), missing),
        ]
    owner, field, values = chance.choice(places)
    owner[field] = chance.choice(values)
