# SPDX-License-Identifier: GPL-3.0-or-later
"""Convert colliders of glTF files to colliders in the scene. Called by Blender's own importer.

Before Blender creates objects, nodes that are only a collider get a mesh, so that they become mesh objects with their
own name, parent and transform. Afterwards, each declared collider is one of these:

- The object of its node, if its mesh is the collision shape, has the same bounds, or is only for the collider.
- Otherwise a collider as made by `Make Collider`: an unscaled child of that object.
"""

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import bpy
import numpy as np

from ...core.numerics.types import Floats
from ..colliders import fit_record
from ..colliders.fit import frame_for, nearest_axes
from ..engines.collider_names import Names
from ..exchange import sentences
from ..exchange.issues import FileIssues, begin, keep
from ..exchange.node_shapes import NodePlane
from ..i18n.lookup import report_
from ..scene import open_file
from ..scene.colliders.imported_bodies import take_place
from ..scene.colliders.imported_joints import join
from ..scene.colliders.objects import Faces, NameTooLong, NewCollider, make_objects
from ..scene.colliders.sources import world_matrix
from ..scene.gltf import objects
from ..scene.meshes.types import GEOMETRY_TYPES
from ..scene.objects.owners import render_mesh_above
from ..scene.objects.structure import meshes_of_bone
from ..scene.objects.transforms import take_apart
from ..scene.settings import object_settings, scene_settings
from . import APPEARANCE, OMI_BODY, OMI_JOINT, OMI_SHAPES, PHYSICS, SHAPES
from .bodies import join_bodies, set_physics
from .declared import Declared, Tree, has_motion, has_role, motion_of, reachable, read_declared
from .fields import MOST
from .joints import NodeJoint, read_joints
from .node_bodies import node_bodies
from .references import cycle_of, mend
from .shapes import kind_of, shape_mesh

# Number of nodes of a cycle that are named.
_NAMES = 8

# Suffix that Blender's importer adds to the node number for a skinned mesh that it has moved.
_SKINNED = ".skinned"

_ROUND = frozenset({"SPHERE", "CAPSULE", "CYLINDER"})
# Shapes whose sizes are the bounds of the mesh.
_MEASURED = _ROUND | {"BOX"}


@dataclass
class _Plan:
    """Data that is prepared before objects are created.

    Attributes
    ----------
    declared : list of Declared
    own : set of int
        Indices in `declared` of colliders that become the object of their node.
    filled : set of int
        Nodes that got a mesh for it.
    used : set of int
        Nodes whose object is a declared collider.
    spare : set of int
        Nodes outside all scenes, used only for their geometry.
    source : dict of int to int
        Node that has the mesh of a declared collider, if its own object does not.
    seen : set of int
        Nodes with a mesh that is not only for a collider.
    bodies : list of int
        Body of each node; see `node_bodies`.
    motions : list of str
        Motion type of each node if it is a body; see `motion_of`.
    joints : list of NodeJoint
    """

    declared: list[Declared] = field(default_factory=list)
    own: set[int] = field(default_factory=set)
    filled: set[int] = field(default_factory=set)
    used: set[int] = field(default_factory=set)
    spare: set[int] = field(default_factory=set)
    source: dict[int, int] = field(default_factory=dict)
    seen: set[int] = field(default_factory=set)
    bodies: list[int] = field(default_factory=list)
    motions: list[str] = field(default_factory=list)
    joints: list[NodeJoint] = field(default_factory=list)


class ColliderImport:
    """One import. Blender's glTF add-on creates an object of this class and calls the hooks that it defines."""

    def __init__(self) -> None:
        begin()
        self._plan: _Plan | None = None
        self._issues = FileIssues()
        # Blender reads files that require an extension if an object of this attribute has its name.
        self._read = scene_settings(bpy.context).gltf.read
        physics = (SHAPES, PHYSICS, OMI_SHAPES, OMI_BODY, OMI_JOINT) if self._read else ()
        self.extensions = tuple(_Known(name) for name in (*physics, *APPEARANCE))

    def gather_import_gltf_before_hook(self, gltf: Any) -> None:
        """Find the declarations of the file, and prepare it so that Blender creates objects for them."""
        # One import can contain several files.
        self._plan, self._issues = None, FileIssues()
        keep(self._issues)
        if not self._read:
            return
        document = gltf.data
        nodes = document.nodes or []
        cycle = cycle_of([node.children or [] for node in nodes])
        if cycle:
            _refuse(gltf, cycle)
            return
        mend(document, os.path.dirname(gltf.filename), lambda buffer: _loaded(gltf, buffer), self._issues)
        if not any({PHYSICS, OMI_BODY} & set(node.extensions or {}) for node in nodes):
            self._issues.say(gltf.log)
            return
        tree = Tree(
            [node.extensions or {} for node in nodes],
            [node.children or [] for node in nodes],
            len(document.meshes or []),
        )
        declared, issues = read_declared(tree, document.extensions or {})
        names = _names_of(nodes)
        joints, more = read_joints(tree, document.extensions or {})
        for issue in (*issues, *more):
            self._issues.add(names[issue.node], issue.text, **issue.parts)
        self._plan = self._prepared(document, declared, tree)
        self._plan.joints = joints

    def gather_import_scene_after_animation_hook(self, _gltf_scene: Any, _scene: bpy.types.Scene, gltf: Any) -> None:
        """Make colliders from the objects that Blender has created."""
        plan = self._plan
        if plan is None:
            return
        context = bpy.context
        context.view_layer.update()
        found = {node: vnode.blender_object for node, vnode in gltf.vnodes.items() if _is_object(vnode)}
        for key in [key for key in found if isinstance(key, str) and key.endswith(_SKINNED)]:
            placed = int(key.removesuffix(_SKINNED))
            if placed in found and take_place(found[key], found[placed]):
                gltf.vnodes[placed].blender_object = found[key]
                del gltf.vnodes[key]
            found[placed] = found[key]
        unit = 1.0 / context.scene.unit_settings.scale_length
        names = _names_of(gltf.data.nodes)
        made: list[tuple[Declared, bpy.types.Object]] = []
        for place, one in enumerate(plan.declared):
            if one.node not in found:
                self._issues.add(names[one.node], sentences.BONE)
                continue
            ob = self._made(context, gltf, found, place, unit)
            if ob is not None:
                made.append((one, ob))
        for node in plan.spare & found.keys():
            objects.remove(found[node])
            del gltf.vnodes[node]
        context.view_layer.update()
        set_physics(made, self._issues)
        kept = {node: ob for node, ob in found.items() if node not in plan.spare}
        join_bodies(made, kept, plan.seen & kept.keys(), plan.bodies, plan.motions)
        for joint in plan.joints:
            self._join(context, kept, joint)
        context.view_layer.update()
        triggers = sum(one.trigger for one, _ in made)
        summary = report_("{count} colliders imported", count=len(made))
        if triggers:
            summary = report_(
                "{count} colliders imported, of which triggers: {triggers}", count=len(made), triggers=triggers
            )
        self._issues.sum_up(gltf.log, summary)

    def _prepared(self, document: Any, declared: list[Declared], tree: Tree) -> _Plan:
        """Choose the object of each collider, and add the required meshes to nodes."""
        nodes = document.nodes
        # Bones are not objects. A node above them becomes their armature.
        bones = {joint for skin in document.skins or [] for joint in skin.joints}
        parents = tree.parents()
        for node in tuple(bones):
            while (node := parents[node]) >= 0:
                bones.add(node)
        roots = [node for scene in document.scenes or [] for node in scene.nodes or []]
        shown = reachable(tree.children, roots) if document.scenes else set(range(len(nodes)))
        spare = {one.mesh_node for one in declared if one.mesh_node is not None and one.mesh_node not in shown}
        plan = _Plan(spare=reachable(tree.children, spare))
        only = {one.node for one in declared if one.own}
        plan.seen = {node for node in shown if nodes[node].mesh is not None and node not in only | plan.spare}
        plan.bodies = node_bodies(
            tree.children,
            set(roots),
            [node.name or "" for node in nodes],
            {node for node, extensions in enumerate(tree.extensions) if has_motion(extensions)},
            {node for node, extensions in enumerate(tree.extensions) if has_role(extensions)},
            plan.seen,
        )
        plan.motions = [motion_of(extensions) for extensions in tree.extensions]
        declared = plan.declared = [one for one in declared if one.node not in plan.spare]
        for place, one in enumerate(declared):
            node = nodes[one.node]
            bare = node.mesh is None and one.node not in bones and _is_bare(node)
            free = one.node not in plan.used
            if one.shape is not None:
                own = free and (bare or kind_of(one.shape) == "HALF_SPACE")
                if own and bare:
                    document.meshes = document.meshes or []
                    node.mesh = _add_mesh(document.meshes, node.name)
                    plan.filled.add(one.node)
            else:
                own = free and self._takes_mesh(document, one, bare, tree)
                if not own:
                    plan.source[place] = self._source(document, one, plan)
                elif bare:
                    plan.filled.add(one.node)
            if own:
                plan.own.add(place)
                plan.used.add(one.node)
        return plan

    def _takes_mesh(self, document: Any, one: Declared, bare: bool, tree: Tree) -> bool:
        """Return whether the object of a node has, or can have, the mesh of the collider."""
        node = document.nodes[one.node]
        mesh = one.mesh
        if one.mesh_node is not None:
            source = document.nodes[one.mesh_node]
            below = reachable(tree.children, tree.children[one.mesh_node])
            if source.mesh is None or any(document.nodes[child].mesh is not None for child in below):
                return False
            mesh = source.mesh
        if bare:
            node.mesh = mesh
            return True
        return bool(node.mesh == mesh)

    def _source(self, document: Any, one: Declared, plan: _Plan) -> int:
        """Return the node whose object will have the mesh of a collider. If no node has it, one is added."""
        if one.mesh_node is not None:
            return one.mesh_node
        for node, other in enumerate(document.nodes):
            if other.mesh == one.mesh:
                return node
        document.nodes.append(type(document.nodes[0]).from_dict({"mesh": one.mesh}))
        plan.spare.add(len(document.nodes) - 1)
        return len(document.nodes) - 1

    def _made(
        self, context: bpy.types.Context, gltf: Any, found: Mapping[Any, bpy.types.Object], place: int, unit: float
    ) -> bpy.types.Object | None:
        """Return the object of a declared collider. None, with a note, if it cannot be made."""
        plan = self._plan
        assert plan is not None
        one = plan.declared[place]
        ob, own = found[one.node], place in plan.own
        if isinstance(one.shape, NodePlane) and one.shape.endless and one.shape.double_sided:
            self._issues.add(ob.name, sentences.ENDLESS)
            return None
        kind = self._kind(ob, one)
        points, faces = np.empty((0, 3)), list[list[int]]()
        if one.shape is not None:
            points, faces = shape_mesh(one.shape, unit)
            if not np.abs(points).max() <= MOST:
                self._issues.add(ob.name, sentences.TOO_LARGE)
                return None
        elif not own:
            points, faces = self._geometry(gltf, found, plan.source[place])
            if not faces:
                self._issues.add(ob.name, sentences.NO_FACES)
                return None
        filled = own and one.node in plan.filled
        if not own:
            if one.node in plan.used or kind not in _MEASURED or not objects.has_bounds_of(ob, points):
                return self._child(context, ob, one, kind, points, faces)
            plan.used.add(one.node)
        if filled and one.shape is not None:
            objects.give_mesh(ob, points, faces)
        if filled or one.own:
            objects.weld(ob)
            objects.keep_apart(context, ob)
        meshes = meshes_of_bone(ob, context.scene.objects)
        if len(meshes) == 1 and render_mesh_above(ob) is None:
            object_settings(ob).part_of = meshes[0]
        stands_for = bool(meshes) or render_mesh_above(ob) is not None or self._is_seen(one.node)
        self._set(ob, one, kind, is_made=(filled or one.own) and stands_for)
        return ob

    def _join(self, context: bpy.types.Context, found: Mapping[Any, bpy.types.Object], joint: NodeJoint) -> None:
        """Link the bodies of two nodes. A node without a body is part of the world."""
        plan = self._plan
        assert plan is not None
        first, second = plan.bodies[joint.node], plan.bodies[joint.other]
        if first != second and {first, second} <= found.keys():
            holder = found.get(joint.node, f"{found[first].name}_joint")
            join(context, holder, found[first], found[second], fixed=joint.fixed, collides=joint.collides)

    def _is_seen(self, node: int) -> bool:
        """Return whether the body of a node has anything visible."""
        plan = self._plan
        body = plan.bodies[node] if plan is not None and node < len(plan.bodies) else -1
        return plan is not None and body >= 0 and any(plan.bodies[one] == body for one in plan.seen)

    def _kind(self, ob: bpy.types.Object, one: Declared) -> str:
        """Return the collision shape, given the scale of the object."""
        if one.shape is None:
            return "HULL" if one.convex else "MESH"
        kind = kind_of(one.shape)
        if isinstance(one.shape, NodePlane):
            if kind == "MESH" and not one.shape.double_sided:
                self._issues.add(ob.name, sentences.ONE_SIDE)
            return kind
        if kind == "HULL":
            self._issues.add(ob.name, sentences.TWO_RADII)
        placed = take_apart(world_matrix(ob)[None])
        if (kind in _ROUND and not placed.uniform[0]) or (kind == "BOX" and not placed.upright[0]):
            self._issues.add(ob.name, sentences.READ_AS_HULL)
            return "HULL"
        return kind

    def _geometry(self, gltf: Any, found: Mapping[Any, bpy.types.Object], source: int) -> tuple[Floats, Faces]:
        """Return the mesh of a node and of those below it, in its space."""
        if source not in found:
            return np.empty((0, 3)), []
        children = [node.children or [] for node in gltf.data.nodes]
        filled = self._plan.filled if self._plan is not None else set()
        below = sorted(node for node in reachable(children, [source]) if node in found and node not in filled)
        return objects.welded(*objects.polygons_of([found[node] for node in below], found[source]))

    def _child(
        self, context: bpy.types.Context, ob: bpy.types.Object, one: Declared, kind: str, points: Floats, faces: Faces
    ) -> bpy.types.Object | None:
        """Make a separate collider, a child of the object of its node."""
        placed = world_matrix(ob)
        frame, _ = frame_for(placed, nearest_axes(placed), placed[:3, 3])
        size = take_apart(placed[None])
        measured = kind in _MEASURED and frame is not None and not size.flat[0]
        stretch = np.abs(np.diag(nearest_axes(placed).T @ placed[:3, :3]))
        world = points @ placed[:3, :3].T + placed[:3, 3]
        inward = bool(np.linalg.det(placed[:3, :3]) < 0.0)

        def mesh(at: Floats) -> tuple[Floats, Faces]:
            # The shape is symmetric, so that the scale changes only its sizes.
            if measured:
                return points * stretch, faces
            turn = -1 if inward != bool(np.linalg.det(at[:3, :3]) < 0.0) else 1
            return (world - at[:3, 3]) @ np.linalg.inv(at[:3, :3]).T, [face[::turn] for face in faces]

        names = Names(open_file.object_names().values())
        name = names.free(f"{ob.name}_trigger") if one.trigger else names.take("GLTF", kind, ob.name)
        try:
            (made,) = make_objects(context, [NewCollider(name, ob, frame, mesh)])
        except NameTooLong:
            self._issues.add(ob.name, sentences.LONG_NAME)
            return None
        self._set(made, one, kind, is_made=not one.trigger and ob.type in GEOMETRY_TYPES)
        return made

    def _set(self, ob: bpy.types.Object, one: Declared, kind: str, *, is_made: bool) -> None:
        """Mark an object as a collider. Without a visible owner, it stands for itself."""
        settings = object_settings(ob)
        settings.shape = kind
        settings.collider.axis = "Z" if kind == "CYLINDER" else "NONE"
        settings.collider.trigger = one.trigger
        settings.collider.omi = one.omi or "NONE"
        # Neither does a half-space, which cannot become a mesh.
        if is_made and not one.trigger and kind != "HALF_SPACE":
            fit_record.mark(ob, kind)


@dataclass(frozen=True)
class _Known:
    """An extension that is read, in the form that Blender's glTF add-on uses."""

    name: str
    required: bool = True


def _name_of(nodes: Sequence[Any], node: int) -> str:
    return nodes[node].name or f"Node_{node}"


def _names_of(nodes: Sequence[Any]) -> list[str]:
    """Return the name of each node, with its JSON pointer if the name is not unique."""
    names = [_name_of(nodes, node) for node in range(len(nodes))]
    count = Counter(names)
    return [f"{name} (/nodes/{node})" if count[name] > 1 else name for node, name in enumerate(names)]


def _loaded(gltf: Any, buffer: int) -> Any:
    """Return the bytes of a buffer, which the importer keeps. None if they cannot be read."""
    try:
        gltf.load_buffer(buffer)
    # Covers any error in its URI or its base64 data.
    except Exception:
        return None
    return gltf.buffers.get(buffer)


def _refuse(gltf: Any, cycle: Sequence[int]) -> None:
    """Prevent Blender from reading a file whose nodes form a cycle, on which it would not terminate, and report it."""
    document = gltf.data
    names = [f'"{_name_of(document.nodes, node)}"' for node in cycle[:_NAMES]]
    names += ["…"] if len(cycle) > _NAMES else []
    text = report_(sentences.CYCLE, names=" > ".join([*names, names[0]]))
    document.nodes, document.skins, document.animations = [], None, None
    document.scene, document.scenes = None, None
    gltf.log.error(text, popup=True)


def _is_object(vnode: Any) -> bool:
    """Return whether a node of Blender's importer has become an object. Bones and the root have not."""
    return isinstance(getattr(vnode, "blender_object", None), bpy.types.Object)


def _is_bare(node: Any) -> bool:
    """Return whether a node without its collider would be only a transform."""
    return node.camera is None and node.skin is None and "KHR_lights_punctual" not in (node.extensions or {})


def _add_mesh(meshes: list[Any], name: str | None) -> int:
    """Add a mesh without vertices to a document, and return its index. Blender 4.2 requires a primitive in it."""
    from io_scene_gltf2.io.com.gltf2_io import Mesh  # type: ignore[import-not-found]

    meshes.append(Mesh.from_dict({"name": name, "primitives": [{"attributes": {}}]}))
    return len(meshes) - 1
