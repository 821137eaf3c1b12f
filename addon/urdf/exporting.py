# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the scene as a robot: a link for each object, with its mesh, its colliders and its mass, and joints."""

import os
import re
import tempfile
import xml.etree.ElementTree as ET
from collections.abc import Sequence
from pathlib import Path

import bpy
import numpy as np

from ...core.hull import convex_hull
from ...core.numerics.types import Floats, Ints
from ...core.numerics.vectors import cross
from ..exchange import sentences
from ..exchange.issues import FileIssues
from ..exchange.node_places import NoShape, shape_in_node
from ..exchange.node_shapes import NodeBox, NodeCapsule, NodeCylinder, NodeSphere
from ..model.errors import UserError
from ..model.shapes import Cone, Ellipsoid, HalfSpace, Hull, Mesh
from ..scene.bodies import Placed, mass_of, placed_bodies, world_mesh
from ..scene.joints import Joint, Joints, frame_of
from ..scene.objects.choice import is_trigger
from ..scene.objects.collision_settings import margin_of, settings_of
from ..scene.objects.owners import Owners, is_collider
from ..system.files import check_target
from . import masses

BASE = "base_link"


def write_urdf(context: bpy.types.Context, path: Path, objects: Sequence[bpy.types.Object] | None) -> FileIssues:
    """Write a robot, and its meshes in a folder beside it.

    Parameters
    ----------
    context : bpy.types.Context
    path : Path
    objects : sequence of bpy.types.Object, optional
        Write only these.

    Returns
    -------
    issues : FileIssues
        What the file could not represent exactly.

    Raises
    ------
    OSError
        If a file cannot be written.
    UserError
        If the joints do not form a tree, or there is no link.
    """
    check_target(path)
    folder = Path(os.path.realpath(path)).parent
    with tempfile.TemporaryDirectory(prefix=".collision-kit-", dir=folder) as temporary:
        robot = _Robot(context, objects, path.stem, Path(temporary))
        made = Path(temporary, path.name)
        ET.indent(robot.root)
        ET.ElementTree(robot.root).write(made, encoding="utf-8", xml_declaration=True)
        # The file that refers to the others comes last.
        for one in (*robot.files, made):
            target = folder / one.relative_to(temporary)
            target.parent.mkdir(exist_ok=True)
            os.replace(one, target)
    return robot.issues


class _Robot:
    """The robot for the file."""

    def __init__(
        self, context: bpy.types.Context, objects: Sequence[bpy.types.Object] | None, name: str, folder: Path
    ) -> None:
        self.issues, self.files = FileIssues(), list[Path]()
        self.root = ET.Element("robot", name=name)
        self._context, self._unit = context, float(context.scene.unit_settings.scale_length)
        self._folder, self._meshes = folder, f"{name}_meshes"
        every = list(context.scene.objects if objects is None else objects)
        bodies = {one.object.session_uid: one for one in placed_bodies(context, every)}
        links, parts = _links(every, bodies)
        if not links:
            raise UserError("There is no object that can be a link of a robot")
        joints = Joints(context.scene, links)
        for name, text, values in joints.issues:
            self.issues.add(name, text, **values)
        self._joints = _tree(joints.found)
        self._frames = {ob.session_uid: frame_of(ob) for ob in links}
        self._frames |= {uid: joint.frame for uid, joint in self._joints.items()}
        ET.SubElement(self.root, "link", name=self._base({ob.name for ob in links}))
        for ob in links:
            self._link(ob, parts[ob.session_uid])
        for ob in links:
            self._joint(ob, self._joints.get(ob.session_uid))

    def _base(self, names: set[str]) -> str:
        self._root = BASE
        while self._root in names:
            self._root += "_"
        return self._root

    def _link(self, ob: bpy.types.Object, parts: list[Placed]) -> None:
        link = ET.SubElement(self.root, "link", name=ob.name)
        frame = self._frames[ob.session_uid]
        into: Floats = np.asarray(np.linalg.inv(frame), np.float64)
        if not is_collider(ob):
            points, triangles = world_mesh(self._context, ob)
            if len(triangles):
                visual = ET.SubElement(link, "visual")
                self._mesh(visual, _moved(points, into), triangles, ob.name)
        solids: list[masses.Solid] = []
        for part in parts:
            self._collisions(link, part, frame, solids)
        self._inertial(link, ob, masses.together(solids))

    def _collisions(self, link: ET.Element, part: Placed, frame: Floats, solids: list[masses.Solid]) -> None:
        """Add the collision geometry of a shape. A capsule becomes a cylinder and two balls."""
        one, name = part.exported, part.object.name
        assert one is not None  # `_links` leaves out those without a shape
        for message in one.changes:
            self.issues.add(name, message)
        if margin_of(part.object) != 0.0:
            self.issues.add(name, sentences.MARGIN)
        if settings_of(part.object).own_surface or settings_of(part.object).own_groups:
            self.issues.add(name, sentences.NO_SURFACE)
        shape = one.result.shape
        if shape is None or isinstance(shape, HalfSpace):
            self.issues.add(name, one.result.skipped or sentences.NO_URDF_PLANE)
            return
        if isinstance(shape, Ellipsoid | Cone):
            self.issues.add(name, sentences.NO_URDF_SHAPE)
            points, _ = world_mesh(self._context, part.object)
            shape = Hull(convex_hull(points), np.zeros(3), np.eye(3))
        if isinstance(shape, Hull | Mesh):
            self._hull(link, shape, frame, name, solids)
            return
        try:
            found, offset = shape_in_node(shape, frame, 2)
        except NoShape as reason:
            self.issues.add(name, str(reason))
            return
        turn = np.eye(3) if offset is None else offset.rotation
        place = np.zeros(3) if offset is None else offset.translation * self._unit
        unit = self._unit
        match found:
            case NodeBox((x, y, z)):
                # In the order of glTF's axes.
                size = np.array([x, z, y]) * unit
                ET.SubElement(_collision(link, name, place, turn), "box", size=_text(size))
                solids.append(masses.box(size).turned(turn, place))
            case NodeSphere(radius):
                ET.SubElement(_collision(link, name, place, turn), "sphere", radius=_text(radius * unit))
                solids.append(masses.ball(radius * unit).turned(turn, place))
            case NodeCylinder(height, _, radius) | NodeCapsule(height, _, radius):
                height, radius = height * unit, radius * unit
                sizes = {"radius": _text(radius), "length": _text(height)}
                ET.SubElement(_collision(link, name, place, turn), "cylinder", sizes)
                if isinstance(found, NodeCylinder):
                    solids.append(masses.cylinder(radius, height).turned(turn, place))
                    return
                for end, at in (("top", height / 2.0), ("bottom", -height / 2.0)):
                    middle = place + turn[:, 2] * at
                    ET.SubElement(_collision(link, f"{name}_{end}", middle, turn), "sphere", radius=_text(radius))
                solids.append(masses.capsule(radius, height).turned(turn, place))

    def _hull(self, link: ET.Element, shape: Hull | Mesh, frame: Floats, name: str, solids: list[masses.Solid]) -> None:
        points = shape.geometry.points @ shape.rotation.T + shape.translation
        if isinstance(shape, Mesh):
            triangles = shape.geometry.triangles
        else:
            fans = [np.stack([np.full(len(f) - 2, f[0]), f[1:-1], f[2:]], axis=1) for f in shape.geometry.faces]
            triangles = np.concatenate(fans) if fans else np.empty((0, 3), np.int64)
        if not len(triangles):
            self.issues.add(name, sentences.NO_MESH)
            return
        local = _moved(points, np.asarray(np.linalg.inv(frame), np.float64))
        collision = ET.SubElement(link, "collision", name=name)
        self._mesh(collision, local, triangles, f"{name}_collision")
        solids.append(masses.polyhedron(local * self._unit, triangles))

    def _mesh(self, parent: ET.Element, points: Floats, triangles: Ints, name: str) -> None:
        """Write a mesh to a separate file."""
        plain = re.sub(r"[^\w.-]", "_", name)
        taken = {one.stem.casefold() for one in self.files}
        free, number = plain, 1
        while free.casefold() in taken:
            number += 1
            free = f"{plain}_{number}"
        file = self._folder / self._meshes / f"{free}.stl"
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(_stl(points * self._unit, triangles))
        self.files.append(file)
        ET.SubElement(ET.SubElement(parent, "geometry"), "mesh", filename=f"{self._meshes}/{file.name}")

    def _inertial(self, link: ET.Element, ob: bpy.types.Object, solid: masses.Solid) -> None:
        mass = mass_of(ob)
        if mass is None:
            return
        if not solid.volume:
            self.issues.add(ob.name, sentences.NO_INERTIA)
            return
        inertial = ET.Element("inertial")
        link.insert(0, inertial)
        ET.SubElement(inertial, "origin", xyz=_text(solid.center), rpy="0 0 0")
        ET.SubElement(inertial, "mass", value=_text(mass))
        found = masses.inertia(solid, mass)
        entries = {f"i{'xyz'[row]}{'xyz'[col]}": _text(found[row, col]) for row in range(3) for col in range(row, 3)}
        ET.SubElement(inertial, "inertia", entries)

    def _joint(self, ob: bpy.types.Object, joint: Joint | None) -> None:
        parent = np.eye(4) if joint is None else self._frames[joint.parent.session_uid]
        local = np.linalg.inv(parent) @ self._frames[ob.session_uid]
        kind = "fixed" if joint is None else joint.kind
        made = ET.SubElement(self.root, "joint", name=f"{ob.name}_joint", type=kind)
        ET.SubElement(made, "origin", xyz=_text(local[:3, 3] * self._unit), rpy=_text(_angles(local[:3, :3])))
        ET.SubElement(made, "parent", link=self._root if joint is None else joint.parent.name)
        ET.SubElement(made, "child", link=ob.name)
        if joint is None or kind == "fixed":
            return
        ET.SubElement(made, "axis", xyz=_text(joint.axis))
        if kind != "continuous":
            unit = self._unit if kind == "prismatic" else 1.0
            limits = {"lower": _text(joint.lower * unit), "upper": _text(joint.upper * unit)}
            # Blender has neither, and the format requires both.
            ET.SubElement(made, "limit", {**limits, "effort": "0", "velocity": "0"})
            self.issues.add(ob.name, sentences.NO_EFFORT)


def _links(
    every: Sequence[bpy.types.Object], bodies: dict[int, Placed]
) -> tuple[list[bpy.types.Object], dict[int, list[Placed]]]:
    """Return the objects that are links, and the colliders of each, which may include itself."""
    links, owners = [], Owners(every)
    parts: dict[int, list[Placed]] = {}
    for ob in every:
        own = bodies.get(ob.session_uid)
        if is_trigger(ob) or (owners.of(ob) is not None and is_collider(ob)):
            continue
        if ob.type == "MESH" or (own is not None and own.exported is not None):
            links.append(ob)
            parts[ob.session_uid] = []
    for ob in every:
        own = bodies.get(ob.session_uid)
        owner = owners.of(ob) if is_collider(ob) else ob
        uid = (ob if owner is None else owner).session_uid
        if own is not None and own.exported is not None and not own.exported.trigger and uid in parts:
            parts[uid].append(own)
    return links, parts


def _tree(joints: list[Joint]) -> dict[int, Joint]:
    """Return the joint of each child. A child has one parent, and there are no cycles."""
    found: dict[int, Joint] = {}
    for joint in joints:
        other = found.setdefault(joint.child.session_uid, joint)
        if other is not joint:
            raise UserError(
                'URDF allows one parent: "{name}" is joined to "{first}" and "{second}"',
                name=joint.child.name,
                first=other.parent.name,
                second=joint.parent.name,
            )
    for joint in joints:
        above, passed = joint, {joint.child.session_uid}
        while above.parent.session_uid in found:
            if above.parent.session_uid in passed:
                raise UserError('Joints form a loop at "{name}", which URDF does not allow', name=joint.child.name)
            passed.add(above.parent.session_uid)
            above = found[above.parent.session_uid]
    return found


def _collision(link: ET.Element, name: str, place: Floats, turn: Floats) -> ET.Element:
    made = ET.SubElement(link, "collision", name=name)
    ET.SubElement(made, "origin", xyz=_text(place), rpy=_text(_angles(turn)))
    return ET.SubElement(made, "geometry")


def _moved(points: Floats, matrix: Floats) -> Floats:
    moved: Floats = points @ matrix[:3, :3].T + matrix[:3, 3]
    return moved


def _angles(turn: Floats) -> Floats:
    """Return roll, pitch and yaw: about the fixed axes X, Y and Z, in this order."""
    across = float(np.hypot(turn[0, 0], turn[1, 0]))
    pitch = np.arctan2(-turn[2, 0], across)
    if across < 1e-9:
        return np.array([np.arctan2(-turn[1, 2], turn[1, 1]), pitch, 0.0])
    return np.array([np.arctan2(turn[2, 1], turn[2, 2]), pitch, np.arctan2(turn[1, 0], turn[0, 0])])


def _text(values: Floats | float) -> str:
    return " ".join(f"{float(value) + 0.0:.12g}" for value in np.atleast_1d(values))


def _stl(points: Floats, triangles: Ints) -> bytes:
    """Return a binary STL file."""
    facet = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    facets = np.zeros(len(triangles), facet)
    corners = points[triangles]
    normal = cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    size = np.linalg.norm(normal, axis=1, keepdims=True)
    facets["normal"], facets["corners"] = normal / np.where(size > 0.0, size, 1.0), corners
    return bytes(80) + np.array(len(facets), "<u4").tobytes() + facets.tobytes()
