# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders of ours are declared in glTF files: called by Blender's own exporter.

What collides is what a check of collisions would test: colliders, objects with a collision shape, rigid bodies. Shapes
that glTF knows are written as such, all others as the mesh of their node, or its convex hull.
"""

from typing import Any

import bpy
import numpy as np

from ...core.numerics.types import Floats
from ..scene.gltf import objects
from ..scene.gltf.shapes import Exported, exported_shapes
from ..scene.reading.placing import Hull, Mesh
from ..scene.settings import scene_settings
from . import OWN, PHYSICS, SHAPES, sentences
from .bodies import grouped, physics_of
from .notes import Notes
from .placed import NoShape, Offset, shape_in_node
from .shapes import Shape, written

# From Blender's axes to those of glTF: X, Z, -Y.
_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


class ColliderExport:
    """One export: Blender's glTF add-on makes an object of this class and calls what it finds of its hooks."""

    def __init__(self) -> None:
        self._notes = Notes()
        self._grouped = False

    def gather_scene_hook(self, _gltf_scene: Any, _scene: bpy.types.Scene, settings: dict[str, Any]) -> None:
        """Declare what collides, when all nodes of the scene are there, and instances among them."""
        context = bpy.context
        if not scene_settings(context).gltf.write:
            return
        nodes = [node for node in settings["vtree"].nodes.values() if _is_object(node)]
        found = exported_shapes(context, nodes)
        self._grouped = grouped(one.object for one in found if one is not None)
        for node, one in zip(nodes, found, strict=True):
            moving = objects.motion_of(node.blender_object)
            if one is None and moving is None:
                continue
            if PHYSICS in (node.node.extensions or {}):
                self._notes.add(node.blender_object.name, sentences.DECLARED)
                continue
            content: dict[str, Any] = {} if moving is None else {"motion": moving}
            if one is not None:
                self._declare(context, node, one, content, settings)
            if content:
                _extend(node.node, content)
        self._notes.say(settings["log"], "")

    def _declare(
        self, context: bpy.types.Context, node: Any, one: Exported, content: dict[str, Any], settings: dict[str, Any]
    ) -> None:
        """Declare one collider or trigger, in the content of its node or on a child."""
        name = one.object.name
        for remark in one.outcome.remarks:
            self._notes.add(name, remark.message)
        shape, offset = self._shape(one, settings)
        declared: dict[str, Any]
        if shape is not None:
            declared = {"geometry": {"shape": _child_of_root(SHAPES, "shapes", written(shape))}}
        else:
            if node.node.mesh is None or one.outcome.shape is None:
                self._notes.add(name, sentences.NO_MESH)
                return
            if objects.is_modified(one.object) and not settings["gltf_apply"]:
                self._notes.add(name, sentences.NOT_APPLIED)
            declared = {"geometry": self._mesh(context, node, convex=not isinstance(one.outcome.shape, Mesh))}
        declared |= {
            field: _child_of_root(PHYSICS, path, entry)
            for field, path, entry in physics_of(one.object, one.trigger, self._grouped, self._notes)
        }
        leaves_out = one.own and self._leaves_out(context)
        if one.own and not leaves_out:
            # For ourselves: nothing else tells a mesh that is there for collisions only from one that is seen.
            declared["extras"] = {OWN: True}
        role = {"trigger" if one.trigger else "collider": declared}
        if offset is None:
            content |= role
        else:
            child = _new_node(name, offset, settings["gltf_yup"])
            _extend(child, role)
            node.node.children.append(child)
        if leaves_out:
            node.node.mesh = node.node.weights = node.node.skin = None

    def _shape(self, one: Exported, settings: dict[str, Any]) -> tuple[Shape | None, Offset | None]:
        """The shape that glTF knows; None: it is a mesh."""
        if one.outcome.shape is None or isinstance(one.outcome.shape, Hull | Mesh):
            return None, None
        try:
            return shape_in_node(one.outcome.shape, one.matrix, 2 if settings["gltf_yup"] else 1)
        except NoShape as reason:
            self._notes.add(one.object.name, str(reason))
            return None, None

    def _mesh(self, context: bpy.types.Context, node: Any, *, convex: bool) -> dict[str, Any]:
        """The mesh of a node as a geometry."""
        geometry: dict[str, Any] = {"convexHull": True} if convex else {}
        if scene_settings(context).gltf.revision == "MESH":
            return {**geometry, "mesh": node.node.mesh}
        # A node of its own, in no scene: the collider's may lose its mesh, and may have children with meshes.
        source = _new_node(f"{node.node.name}_geometry", None, True)
        source.mesh = node.node.mesh
        return {**geometry, "node": source}

    def _leaves_out(self, context: bpy.types.Context) -> bool:
        """Whether colliders have no mesh in the file."""
        settings = scene_settings(context)
        if settings.gltf.meshes == "AUTO":
            return bool(settings.colliders.engine == "GLTF")
        return bool(settings.gltf.meshes == "LEAVE_OUT")


def _is_object(node: Any) -> bool:
    """Whether a node of the exporter's tree is an object, and is exported: bones and collections are there as well."""
    return node.node is not None and node.blender_bone is None and isinstance(node.blender_object, bpy.types.Object)


def _extend(node: Any, content: dict[str, Any]) -> None:
    from io_scene_gltf2.io.com.gltf2_io_extensions import Extension  # type: ignore[import-not-found]

    node.extensions = {**(node.extensions or {}), PHYSICS: Extension(PHYSICS, content, required=False)}


def _child_of_root(extension: str, path: str, content: dict[str, Any]) -> Any:
    """An entry of a list of the whole file; equal ones become one."""
    from io_scene_gltf2.io.com.gltf2_io_extensions import ChildOfRootExtension

    return ChildOfRootExtension([path], extension, content, required=False)


def _new_node(name: str, offset: Offset | None, y_up: bool) -> Any:
    """A node of the file, at an offset from its parent."""
    from io_scene_gltf2.io.com.gltf2_io import Node  # type: ignore[import-not-found]

    node = Node.from_dict({"name": name, "children": []})
    if offset is None:
        return node
    basis = _Y_UP if y_up else np.eye(3)
    node.name = f"{name}_shape"
    node.translation = (basis @ offset.translation).tolist()
    node.rotation = _quaternion(basis @ offset.rotation @ basis.T)
    node.scale = (np.abs(basis) @ offset.scale).tolist()
    return node


def _quaternion(rotation: Floats) -> list[float]:
    """As glTF has them: X, Y, Z, W."""
    from mathutils import Matrix

    found = Matrix(rotation.tolist()).to_quaternion()
    return [found.x, found.y, found.z, found.w]
