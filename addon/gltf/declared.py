# SPDX-License-Identifier: GPL-3.0-or-later
"""Declarations of glTF nodes: colliders and triggers, their geometry, material and filter.

Plain data from the JSON of the file. Content that cannot be read is noted with its node.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..exchange import sentences
from ..exchange.node_shapes import NodeShape
from . import OMI_BODY, OMI_SHAPES, OWN, PHYSICS, SHAPES
from .fields import as_list, as_mapping, as_number, is_index
from .omi import capsules_of, mesh_of, read_omi_shape
from .shapes import UnreadableShape, read_shape

ROLES = ("collider", "trigger")


@dataclass(frozen=True)
class NodeIssue:
    """Content of the file that was not imported exactly.

    Attributes
    ----------
    node : int
        Node of the file. -1: the whole file.
    text : str
        English, with the names of `parts` in braces.
    parts : dict of str to object
    """

    node: int
    text: str
    parts: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class Material:
    """Static friction, dynamic friction and restitution of a collider."""

    friction: float
    restitution: float


@dataclass(frozen=True)
class Filter:
    """Systems that a collider is in, and systems that it collides with. None: all."""

    systems: tuple[str, ...] = ()
    collides_with: tuple[str, ...] | None = None
    ignores: tuple[str, ...] = ()


@dataclass(frozen=True)
class Declared:
    """A collider or a trigger of a node.

    Attributes
    ----------
    node : int
    trigger : bool
        Whether it detects overlaps without blocking.
    shape : NodeShape, optional
        None: a mesh.
    mesh_node, mesh : int, optional
        Node that has the geometry, or the mesh itself.
    convex : bool
        For a mesh, whether its convex hull is used.
    material : Material, optional
    filter : Filter, optional
    own : bool
        Whether the mesh of the node is marked by this add-on as only for the collider.
    omi : str
        Meaning of the capsule height if declared by OMI: BETWEEN_CENTERS or TOTAL. Empty: not declared by OMI.
    """

    node: int
    trigger: bool
    shape: NodeShape | None = None
    mesh_node: int | None = None
    mesh: int | None = None
    convex: bool = False
    material: Material | None = None
    filter: Filter | None = None
    own: bool = False
    omi: str = ""


@dataclass(frozen=True)
class Tree:
    """Nodes of a file, reduced to what is needed here: a forest, see `references.mend`.

    Attributes
    ----------
    extensions : sequence of mapping
        Extensions of each node. Empty if it has none.
    children : sequence of sequence of int
    meshes : int
        Number of meshes.
    """

    extensions: Sequence[Mapping[str, Any]]
    children: Sequence[Sequence[int]]
    meshes: int

    def parents(self) -> list[int]:
        """The parent of each node. -1: none."""
        found = [-1] * len(self.children)
        for node, children in enumerate(self.children):
            for child in children:
                found[child] = node
        return found


def read_declared(tree: Tree, root: Mapping[str, Any]) -> tuple[list[Declared], list[NodeIssue]]:
    """Read the declarations of all nodes, by the KHR drafts and by OMI.

    If a node has both, OMI only adds what KHR lacks.

    Parameters
    ----------
    tree : Tree
    root : mapping
        `extensions` of the file itself.
    """
    khr, omi, whole = _Reading(tree, root), _OmiReading(tree, root), _OmiReading(tree, root)
    for node, extensions in enumerate(tree.extensions):
        content, other = as_mapping(extensions.get(PHYSICS)), as_mapping(extensions.get(OMI_BODY))
        khr.read_node(node, content)
        omi.read_node(node, {name: part for name, part in other.items() if name not in content})
        whole.read_node(node, other)
    heights = {(one.node, one.trigger): one.omi for one in whole.found}
    found = [replace(one, omi=heights.get((one.node, one.trigger), "")) for one in khr.found + omi.found]
    return sorted(found, key=lambda one: one.node), khr.issues + omi.issues


def reachable(children: Sequence[Sequence[int]], roots: Iterable[int]) -> set[int]:
    """Return the nodes reachable from some roots."""
    found: set[int] = set()
    rest = list(roots)
    while rest:
        node = rest.pop()
        if node not in found:
            found.add(node)
            rest += children[node]
    return found


# A shape, or the node or mesh that has it (one of the three), and whether the convex hull of a mesh is used.
_Geometry = tuple[NodeShape | None, int | None, int | None, bool]


class _Reading:
    """Reads declarations by the KHR drafts."""

    body, shapes = PHYSICS, SHAPES
    # Fields of a motion that lose nothing when ignored.
    read_fields = frozenset({"extras", "extensions"})

    def __init__(self, tree: Tree, root: Mapping[str, Any]) -> None:
        self.found: list[Declared] = []
        self.issues: list[NodeIssue] = []
        self._tree = tree
        self._physics = as_mapping(root.get(self.body))
        self._shapes = as_list(as_mapping(root.get(self.shapes)).get("shapes"))

    def read_node(self, node: int, content: Mapping[str, Any]) -> None:
        for role in ROLES:
            part = content.get(role)
            if isinstance(part, Mapping):
                self._read_role(node, part, role == "trigger")
            elif part is not None:
                self._add(node, sentences.WRONG_TYPE, field=role)
        motion = content.get("motion", {})
        if not isinstance(motion, Mapping):
            self._add(node, sentences.WRONG_TYPE, field="motion")
        told = sorted(set(as_mapping(motion)) - self.read_fields)
        if told:
            self._add(node, sentences.MOTION, fields=", ".join(told))

    def _read_role(self, node: int, part: Mapping[str, Any], trigger: bool) -> None:
        one = self._geometry(node, part, trigger)
        if one is None:
            return
        shape, mesh_node, mesh, convex = one
        material = self._entry(node, part.get("physicsMaterial"), "physicsMaterials")
        wanted = self._entry(node, part.get("collisionFilter"), "collisionFilters")
        self.found.append(
            Declared(
                node,
                trigger,
                shape,
                mesh_node,
                mesh,
                convex=convex,
                material=None if material is None else self._material(node, material),
                filter=None if wanted is None else self._filter(node, wanted),
                own=as_mapping(part.get("extras")).get(OWN) is True,
                omi=self._omi(part),
            )
        )

    def _omi(self, _part: Mapping[str, Any]) -> str:
        """Return how OMI declares a collider or trigger."""
        return ""

    def _geometry(self, node: int, part: Mapping[str, Any], trigger: bool) -> _Geometry | None:
        """Return the geometry of a collider or trigger. None, with a note, if it cannot be read."""
        geometry = part.get("geometry")
        if trigger and geometry is None and "nodes" in part:
            self._add(node, sentences.COMPOUND_TRIGGER)
            return None
        if not isinstance(geometry, Mapping):
            if geometry is None:
                self._add(node, sentences.NO_GEOMETRY)
            else:
                self._add(node, sentences.WRONG_TYPE, field="geometry")
            return None
        if not isinstance(geometry.get("convexHull", False), bool):
            self._add(node, sentences.WRONG_TYPE, field="convexHull")
        convex = geometry.get("convexHull") is True
        named = [name for name in ("shape", "mesh", "node") if name in geometry]
        if not named:
            self._add(node, sentences.NO_GEOMETRY)
            return None
        name, index = named[0], geometry[named[0]]
        counts = {"shape": len(self._shapes), "mesh": self._tree.meshes, "node": len(self._tree.extensions)}
        if not is_index(index, counts[name]):
            self._add(node, sentences.NOT_THERE, what=name)
            return None
        if name == "shape":
            return self._shape(node, index, read_shape, convex)
        return (None, None, index, convex) if name == "mesh" else (None, index, None, convex)

    def _shape(self, node: int, index: int, read: Callable[[Any], NodeShape], convex: bool) -> _Geometry | None:
        try:
            return read(self._shapes[index]), None, None, convex
        except UnreadableShape as error:
            self._add(node, sentences.UNREADABLE, why=error.args[0])
            return None

    def _entry(self, node: int, index: Any, name: str) -> Mapping[str, Any] | None:
        """Return the material or filter of an index. None if there is none; a broken reference is noted."""
        entries = as_list(self._physics.get(name))
        if index is None:
            return None
        if not is_index(index, len(entries)):
            self._add(node, sentences.NOT_THERE, what=name)
            return None
        if not isinstance(entries[index], Mapping):
            self._add(node, sentences.WRONG_TYPE, field=f"{name}/{index}")
        return as_mapping(entries[index])

    def _material(self, node: int, content: Mapping[str, Any]) -> Material:
        static = self._amount(node, content, "staticFriction", 0.6)
        dynamic = self._amount(node, content, "dynamicFriction", 0.6)
        if static != dynamic:
            self._add(
                node, sentences.TWO_FRICTIONS,
                static=static, dynamic=dynamic,
            )  # fmt: skip
        told = sorted({"frictionCombine", "restitutionCombine"} & set(content))
        if told:
            self._add(node, sentences.COMBINE, fields=", ".join(told))
        return Material(dynamic, self._amount(node, content, "restitution", 0.0))

    def _amount(self, node: int, content: Mapping[str, Any], name: str, usual: float) -> float:
        """Return a number of at least zero. An invalid value is replaced by the default of the extension."""
        value = as_number(content.get(name, usual))
        if value is None or value < 0.0:
            self._add(node, sentences.NO_AMOUNT, field=name, usual=usual)
            return usual
        return value

    def _filter(self, node: int, content: Mapping[str, Any]) -> Filter:
        found: dict[str, tuple[str, ...]] = {}
        for name in ("collisionSystems", "collideWithSystems", "notCollideWithSystems"):
            systems = content.get(name, [])
            if not isinstance(systems, list) or not all(isinstance(one, str) for one in systems):
                self._add(node, sentences.WRONG_TYPE, field=name)
            elif name in content:
                found[name] = tuple(systems)
        return Filter(found.get("collisionSystems", ()), self._mask(found), found.get("notCollideWithSystems", ()))

    def _mask(self, found: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
        """Return the systems that a filter collides with. None: all."""
        return found.get("collideWithSystems")

    def _add(self, node: int, text: str, **parts: object) -> None:
        self.issues.append(NodeIssue(node, text, parts))


class _OmiReading(_Reading):
    """Reads declarations by OMI."""

    body, shapes = OMI_BODY, OMI_SHAPES
    read_fields = _Reading.read_fields | {"type"}

    def _geometry(self, node: int, part: Mapping[str, Any], trigger: bool) -> _Geometry | None:
        """Read it as in the KHR drafts. A collider without a shape groups those below it, which needs no note."""
        index = part.get("shape", -1)
        if trigger and "shape" not in part and "nodes" in part:
            self._add(node, sentences.COMPOUND_TRIGGER)
            return None
        if _is_none(index):
            return None
        if not is_index(index, len(self._shapes)):
            self._add(node, sentences.NOT_THERE, what="shape")
            return None
        meshed = mesh_of(self._shapes[index])
        if meshed is None:
            return self._shape(node, index, read_omi_shape, False)
        mesh, convex = meshed
        if not is_index(mesh, self._tree.meshes):
            self._add(node, sentences.NOT_THERE, what="mesh")
            return None
        return None, None, mesh, convex

    def _omi(self, part: Mapping[str, Any]) -> str:
        return capsules_of(self._shapes[part["shape"]])

    def _entry(self, node: int, index: Any, name: str) -> Mapping[str, Any] | None:
        return super()._entry(node, None if _is_none(index) else index, name)

    def _mask(self, found: Mapping[str, tuple[str, ...]]) -> tuple[str, ...] | None:
        """An empty list means all."""
        return found.get("collideWithSystems") or None


def _is_none(index: Any) -> bool:
    """Return whether an index of OMI means none."""
    return isinstance(index, int) and index == -1


def has_motion(extensions: Mapping[str, Any]) -> bool:
    """Return whether a node is a body of its own, moved by physics or static."""
    return any(isinstance(as_mapping(extensions.get(name)).get("motion"), Mapping) for name in (PHYSICS, OMI_BODY))


def motion_of(extensions: Mapping[str, Any]) -> str:
    """Return the motion type of a node with a collider or a motion: STATIC, DYNAMIC or KINEMATIC."""
    omi = as_mapping(as_mapping(extensions.get(OMI_BODY)).get("motion"))
    if omi:
        return {"static": "STATIC", "kinematic": "KINEMATIC"}.get(str(omi.get("type")), "DYNAMIC")
    khr = as_mapping(extensions.get(PHYSICS)).get("motion")
    if isinstance(khr, Mapping):
        return "KINEMATIC" if khr.get("isKinematic") else "DYNAMIC"
    return "STATIC"


def has_role(extensions: Mapping[str, Any]) -> bool:
    """Return whether a node is a collider or trigger, or groups some."""
    return any(role in as_mapping(extensions.get(name)) for name in (PHYSICS, OMI_BODY) for role in ROLES)
