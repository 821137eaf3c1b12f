# SPDX-License-Identifier: GPL-3.0-or-later
"""Declare colliders in glTF files. Called by Blender's own exporter.

The KHR drafts and the extensions of OMI are written side by side on the same nodes, as requested.

The declared shapes are those that a collision check would test: colliders, objects with a collision shape, rigid
bodies. Shapes that glTF supports are written as such, all others as the mesh of their node, or its convex hull.
"""

from collections.abc import Iterable
from typing import Any

import bpy
import numpy as np

from ...core.numerics.types import Floats
from ..exchange import sentences
from ..exchange.issues import FileIssues, begin, keep
from ..exchange.node_places import NoShape, Offset, shape_in_node
from ..exchange.node_shapes import NodePlane, NodeShape
from ..model.shapes import Hull, Mesh
from ..model.validation_report import ValidationReport
from ..scene.exporting import sheared_within_parents
from ..scene.gltf import objects
from ..scene.gltf.shapes import Exported, exported_shapes
from ..scene.objects.moving import is_static_compound, motion_of
from ..scene.settings import NAME, collider_engine, omi_capsules, scene_settings
from ..validation import on_export
from . import OMI_BODY, OMI_SHAPES, OWN, PHYSICS, SHAPES
from .bodies import physics_of, systems_for
from .filters import omi_entry
from .omi import STATIC, omi_mesh, omi_motion, omi_written
from .shapes import written

# From Blender's axes to those of glTF: X, Z, -Y.
_Y_UP = np.array([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0], [0.0, -1.0, 0.0]])


# By extension: its content for a node, or for a collider or trigger.
Contents = dict[str, dict[str, Any]]


class ColliderExport:
    """One export. Blender's glTF add-on creates an object of this class and calls the hooks that it defines."""

    def __init__(self) -> None:
        begin()
        self._issues = FileIssues()
        keep(self._issues)
        # Collision systems, as from `filters.systems_of`.
        self._systems = 0
        # Extensions that are written.
        self._names: tuple[str, ...] = ()
        # Checked here, because an exception in a hook does not end the export, and nothing has been changed yet.
        context = bpy.context
        self._validated = _validated(context)

    def gather_scene_hook(self, gltf_scene: Any, _scene: bpy.types.Scene, settings: dict[str, Any]) -> None:
        """Declare colliders when all nodes of the scene exist, including instances."""
        context = bpy.context
        _leave_out_settings([gltf_scene, *(node.node for node in settings["vtree"].nodes.values())])
        wanted = scene_settings(context).gltf
        self._names = tuple(name for name, on in ((PHYSICS, wanted.khr), (OMI_BODY, wanted.omi)) if on)
        # What the engine of the scene will reject or misinterpret.
        for name, what in on_export.warnings(self._validated):
            self._issues.add(name, "{what}", what=what)
        if not wanted.write or not self._names:
            self._issues.say(settings["log"])
            return
        _in_meters(gltf_scene, float(context.scene.unit_settings.scale_length))
        nodes = [node for node in settings["vtree"].nodes.values() if _is_object(node)]
        for name in sheared_within_parents(node.blender_object for node in nodes):
            self._issues.add(name, sentences.SHEARED)
        found = exported_shapes(context, nodes)
        self._systems = systems_for([one.object for one in found if one is not None])
        for node, one in zip(nodes, found, strict=True):
            moving, welded = motion_of(node.blender_object), is_static_compound(node.blender_object)
            if one is None and moving is None and not welded:
                continue
            if {PHYSICS, OMI_BODY} & set(node.node.extensions or {}):
                self._issues.add(node.blender_object.name, sentences.DECLARED)
                continue
            contents: Contents = {name: {} for name in self._names}
            if moving is not None:
                for name in self._names:
                    contents[name]["motion"] = dict(moving) if name == PHYSICS else omi_motion(moving)
            if welded and OMI_BODY in self._names:
                contents[OMI_BODY]["motion"] = {"type": STATIC}
            elif welded:
                self._issues.add(node.blender_object.name, sentences.STATIC_COMPOUND)
            if one is not None:
                self._declare(context, node, one, contents, settings)
            _extend(node.node, contents)
        self._issues.say(settings["log"])

    def _declare(
        self, context: bpy.types.Context, node: Any, one: Exported, contents: Contents, settings: dict[str, Any]
    ) -> None:
        """Declare one collider or trigger on its node or on a child."""
        name = one.object.name
        for message in one.changes:
            self._issues.add(name, message)
        shape, offset = self._shape(one, settings)
        if shape is None:
            if node.node.mesh is None or one.result.shape is None:
                self._issues.add(name, sentences.NO_MESH)
                return
            if objects.is_modified(one.object) and not settings["gltf_apply"]:
                self._issues.add(name, sentences.NOT_APPLIED)
        declared = self._geometries(context, node, one, shape)
        for field, path, entry in physics_of(one.object, one.trigger, self._systems, self._issues):
            for extension, role in declared.items():
                own = dict(entry) if extension == PHYSICS else omi_entry(path, entry, self._systems)
                role[field] = _child_of_root(extension, path, own)
        leaves_out = one.own and _leaves_out(context, omi=OMI_BODY in declared)
        if one.own and not leaves_out:
            # For this add-on: nothing else distinguishes a mesh for collisions only from a visible one.
            for role in declared.values():
                role["extras"] = {OWN: True}
        roles = {extension: {"trigger" if one.trigger else "collider": role} for extension, role in declared.items()}
        if offset is None:
            for extension, content in roles.items():
                contents[extension] |= content
        else:
            child = _new_node(name, offset, settings["gltf_yup"])
            _extend(child, roles)
            node.node.children.append(child)
        if leaves_out:
            node.node.mesh = node.node.weights = node.node.skin = None

    def _geometries(self, context: bpy.types.Context, node: Any, one: Exported, shape: NodeShape | None) -> Contents:
        """Return the geometry of a collider for each extension. Empty if it has no such shape."""
        convex = not isinstance(one.result.shape, Mesh)
        found: Contents = {}
        if PHYSICS in self._names:
            if shape is not None:
                geometry = {"shape": _child_of_root(SHAPES, "shapes", written(shape))}
            else:
                geometry = self._mesh(context, node, convex=convex)
            found[PHYSICS] = {"geometry": geometry}
        if OMI_BODY in self._names:
            if isinstance(shape, NodePlane):
                self._issues.add(one.object.name, sentences.NO_OMI_PLANE)
                return found
            capsules = omi_capsules(context)
            entry = omi_mesh(node.node.mesh, convex=convex) if shape is None else omi_written(shape, capsules)
            found[OMI_BODY] = {"shape": _child_of_root(OMI_SHAPES, "shapes", entry)}
        return found

    def _shape(self, one: Exported, settings: dict[str, Any]) -> tuple[NodeShape | None, Offset | None]:
        """Return the shape in glTF. None: it is a mesh."""
        if one.result.shape is None or isinstance(one.result.shape, Hull | Mesh):
            return None, None
        try:
            return shape_in_node(one.result.shape, one.matrix, 2 if settings["gltf_yup"] else 1)
        except NoShape as reason:
            self._issues.add(one.object.name, str(reason))
            return None, None

    def _mesh(self, context: bpy.types.Context, node: Any, *, convex: bool) -> dict[str, Any]:
        """Return the mesh of a node as a geometry."""
        geometry: dict[str, Any] = {"convexHull": True} if convex else {}
        if scene_settings(context).gltf.revision == "MESH":
            return {**geometry, "mesh": node.node.mesh}
        # A separate node outside all scenes, because the collider's node may lose its mesh, and may have children with
        # meshes.
        source = _new_node(f"{node.node.name}_geometry", None, True)
        source.mesh = node.node.mesh
        return {**geometry, "node": source}


def _leaves_out(context: bpy.types.Context, *, omi: bool) -> bool:
    """Return whether a collider has no mesh in the file, given whether OMI declares it."""
    wanted = scene_settings(context).gltf.meshes
    if wanted == "AUTO":
        # Godot would make a second shape for a mesh whose name it recognizes.
        return collider_engine(context) == "GLTF" or (omi and collider_engine(context) == "GODOT")
    return bool(wanted == "LEAVE_OUT")


def _validated(context: bpy.types.Context) -> ValidationReport | None:
    """Validate the colliders for the engine of the scene, if one is chosen."""
    settings = scene_settings(context).gltf
    # Godot needs no names if the file declares the colliders by OMI.
    return on_export.validated(context, omi=settings.write and settings.omi) if settings.validate else None


def _is_object(node: Any) -> bool:
    """Return whether a node of the exporter's tree is an exported object.

    Bones and collections are in the tree as well.
    """
    return node.node is not None and node.blender_bone is None and isinstance(node.blender_object, bpy.types.Object)


def _extend(node: Any, contents: Contents) -> None:
    """Add content to a node unless it is empty."""
    from io_scene_gltf2.io.com.gltf2_io_extensions import Extension  # type: ignore[import-not-found]

    added = {name: Extension(name, content, required=False) for name, content in contents.items() if content}
    if added:
        node.extensions = {**(node.extensions or {}), **added}


def _leave_out_settings(parts: Iterable[Any]) -> None:
    """Remove the settings of the add-on from the custom properties of a scene and of nodes.

    Before Blender 5.0, these are among the custom properties that Blender's exporter writes.
    """
    for one in parts:
        extras = getattr(one, "extras", None)
        if isinstance(extras, dict) and extras.pop(NAME, None) is not None and not extras:
            one.extras = None


def _in_meters(gltf_scene: Any, unit: float) -> None:
    """Add a node above all nodes of a scene that scales its units to meters, because Blender's exporter does not."""
    if unit == 1.0 or not gltf_scene.nodes:
        return
    top = _new_node("Meters", None, True)
    top.scale = [unit] * 3
    top.children = list(gltf_scene.nodes)
    gltf_scene.nodes = [top]


def _child_of_root(extension: str, path: str, content: dict[str, Any]) -> Any:
    """Return the index of an entry in a list of the file. Equal entries are shared."""
    from io_scene_gltf2.io.com.gltf2_io_extensions import ChildOfRootExtension

    return ChildOfRootExtension([path], extension, content, required=False)


def _new_node(name: str, offset: Offset | None, y_up: bool) -> Any:
    """Return a node of the file, at an offset from its parent."""
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
    """In the order of glTF: X, Y, Z, W."""
    from mathutils import Matrix

    found = Matrix(rotation.tolist()).to_quaternion()
    return [found.x, found.y, found.z, found.w]
