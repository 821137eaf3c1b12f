# SPDX-License-Identifier: GPL-3.0-or-later
"""Write the scene as USD with its colliders: Blender's exporter writes the scene, and OpenUSD adds the physics.

OpenUSD runs in a separate process.
"""

import json
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np

from ...core.numerics.types import Floats
from ..exchange import sentences
from ..exchange.issues import FileIssues
from ..exchange.node_places import NoShape, Offset, shape_in_node
from ..exchange.node_shapes import NodeBox, NodeCylinder, NodePlane, NodeShape, NodeSphere
from ..model.errors import UserError
from ..model.formats import USD
from ..model.shapes import Capsule, Cone, Cylinder, Ellipsoid, HalfSpace, Hull, Mesh, Sphere, WorldShape
from ..scene.bodies import Placed, placed_bodies, separated_pairs
from ..scene.gltf.shapes import Exported
from ..scene.objects.collision_settings import groups_of, has_surface, margin_of, part_of, surface_of
from ..scene.objects.moving import ancestors, is_static_compound
from ..scene.objects.owners import is_collider, render_mesh_above
from ..scene.usd import export_stage
from ..system.files import check_target, write_with
from .library import lacking, run


def write_usd(
    context: bpy.types.Context,
    path: Path,
    objects: Sequence[bpy.types.Object] | None,
    options: Mapping[str, Any],
) -> FileIssues:
    """Write the scene with its colliders, entirely or not at all.

    Parameters
    ----------
    context : bpy.types.Context
    path : Path
        Ends in one of `formats.USD`. Textures are written to a folder beside it, as by Blender.
    objects : sequence of bpy.types.Object, optional
        Write only these.
    options : mapping
        Other arguments of Blender's exporter.

    Returns
    -------
    issues : FileIssues
        What the file could not represent exactly.

    Raises
    ------
    OSError
        If the file cannot be written.
    UserError
        If this Blender has no USD, OpenUSD is not found, or either fails.
    """
    if path.suffix.lower() not in USD:
        raise UserError("{path}: not a USD file; these are: {endings}", path=path, endings=", ".join(USD))
    missing = lacking()
    if missing:
        raise UserError(missing)
    check_target(path)
    issues = FileIssues()
    description = _description(context, objects, issues)

    def write(temporary: Path) -> None:
        packed = temporary.suffix.lower() == ".usdz"
        with tempfile.TemporaryDirectory(prefix="collision-kit-") as folder:
            stage = Path(folder, "scene.usdc") if packed else temporary
            for name in export_stage(stage, objects, options):
                issues.add(name, sentences.NO_PARENT)
            _author(description, stage, temporary if packed else None, Path(folder), issues)

    write_with(path, write)
    return issues


def _author(wanted: dict[str, Any], stage: Path, package: Path | None, folder: Path, issues: FileIssues) -> None:
    """Add the physics with OpenUSD."""
    given = folder / "physics.json"
    given.write_text(json.dumps(wanted), encoding="utf-8")
    made = folder / "package.usdz" if package is not None else ""
    printed = run("authoring.py", [str(given), str(stage), str(made)], folder)
    if package is not None:
        package.write_bytes(Path(made).read_bytes())
    missing = json.loads(printed)
    for name in missing["objects"]:
        issues.add(name, sentences.NO_PRIM)
    for name in missing["meshes"]:
        issues.add(name, sentences.NO_MESH)


def _description(
    context: bpy.types.Context, wanted: Sequence[bpy.types.Object] | None, issues: FileIssues
) -> dict[str, Any]:
    """Return the description of the additions, as read by `authoring`."""
    bodies = [one for one in placed_bodies(context, wanted) if not _is_trigger(one, issues)]
    kinds = list(dict.fromkeys(groups_of(one.object) for one in bodies if one.exported is not None))
    filtered = [[n for n, b in enumerate(kinds) if not (a.group & b.mask and b.group & a.mask)] for a in kinds]
    grouped = any(filtered)
    materials: list[dict[str, float]] = []
    objects = []
    for one in bodies:
        ob, material = one.object, None
        if one.exported is not None and has_surface(ob):
            surface = surface_of(ob)
            entry = {"friction": surface.friction, "restitution": surface.restitution}
            if entry not in materials:
                materials.append(entry)
            material = materials.index(entry)
        objects.append(
            {
                "name": ob.name,
                "body": _body(one, issues),
                "collider": None if one.exported is None else _collider(one.exported, issues),
                "material": material,
                "group": kinds.index(groups_of(ob)) if grouped and one.exported is not None else None,
            }
        )
    compounds = [ob for ob in (context.scene.objects if wanted is None else wanted) if is_static_compound(ob)]
    nothing = {"collider": None, "material": None, "group": None}
    objects += [{"name": ob.name, "body": {"static": True}, **nothing} for ob in compounds]
    pairs = [[first.name, second.name] for first, second in separated_pairs(context.scene.objects)]
    unit = float(context.scene.unit_settings.scale_length)
    return {
        "unit": unit,
        "objects": objects,
        "materials": materials,
        "groups": filtered if grouped else [],
        "filtered": pairs,
    }


def _is_trigger(one: Placed, issues: FileIssues) -> bool:
    if one.exported is None or not one.exported.trigger:
        return False
    issues.add(one.object.name, sentences.NO_USD_TRIGGER)
    return True


def _body(one: Placed, issues: FileIssues) -> dict[str, Any] | None:
    """Return the rigid body of an object. None for one within another."""
    ob = one.object
    target = part_of((render_mesh_above(ob) if is_collider(ob) else None) or ob)
    if target is not None and target not in ancestors(ob):
        issues.add(ob.name, sentences.OTHER_BODY, body=target.name)
    if one.motion is None:
        return None
    if one.carrier is not None:
        issues.add(ob.name, sentences.NESTED, body=one.carrier.name)
        return None
    return {"static": False, "mass": one.motion["mass"], "kinematic": bool(one.motion.get("isKinematic"))}


def _collider(one: Exported, issues: FileIssues) -> dict[str, Any] | None:
    """Return the shape of an object as a prim. None if it has none that can be written."""
    name = one.object.name
    for message in one.changes:
        issues.add(name, message)
    if margin_of(one.object) != 0.0:
        issues.add(name, sentences.MARGIN)
    shape = one.result.shape
    if shape is None:
        issues.add(name, one.result.skipped)
        return None
    mesh = {"type": "Mesh", "own": one.own, "approximation": "none" if isinstance(shape, Mesh) else "convexHull"}
    if isinstance(shape, Hull | Mesh):
        return mesh
    if isinstance(shape, Ellipsoid):
        issues.add(name, sentences.NO_USD_ELLIPSOID)
        return mesh
    try:
        return {**primitive_in(shape, one.matrix), "own": one.own}
    except NoShape as reason:
        issues.add(name, str(reason))
        return mesh


def primitive_in(shape: WorldShape, node: Floats) -> dict[str, Any]:
    """Return a world space shape as a prim of UsdGeom below that of a node.

    Raises
    ------
    NoShape
        If it cannot be represented.
    """
    axis = _axis_in(shape, node)
    straight = Cylinder(shape.base, shape.apex, shape.radius) if isinstance(shape, Cone) else shape
    # For the axis Y, sizes of boxes are in the order of the axes.
    found, offset = shape_in_node(straight, node, axis)
    place = Offset(np.zeros(3), np.eye(3), np.ones(3)) if offset is None else offset
    turn, scale = place.rotation, place.scale
    if isinstance(shape, Cone) and (node[:3, :3] @ turn[:, axis]) @ (shape.apex - shape.base) < 0.0:
        half_turn = -np.eye(3)
        half_turn[(axis + 1) % 3, (axis + 1) % 3] = 1.0
        turn = turn @ half_turn
    kind, sizes = _sizes(found, isinstance(shape, Cone))
    if isinstance(found, NodeBox):
        scale = scale * np.array(found.size)
    return {
        "type": kind,
        "sizes": sizes,
        "axis": "" if kind in {"Cube", "Sphere"} else "XYZ"[axis],
        "translation": place.translation.tolist(),
        "rotation": _quaternion(turn),
        "scale": scale.tolist(),
    }


def _axis_in(shape: WorldShape, node: Floats) -> int:
    """Return the axis of the node that a shape is parallel to, or nearly. For a box, Y."""
    if isinstance(shape, HalfSpace):
        along = shape.normal
    elif isinstance(shape, Cone):
        along = shape.apex - shape.base
    elif isinstance(shape, Capsule | Cylinder):
        along = shape.end - shape.start
    else:
        return 2 if isinstance(shape, Sphere) else 1
    columns = node[:3, :3]
    return int(np.argmax(np.abs(columns.T @ along) / np.maximum(np.linalg.norm(columns, axis=0), 1e-30)))


def _sizes(shape: NodeShape, cone: bool) -> tuple[str, dict[str, float]]:
    match shape:
        case NodeBox():
            return "Cube", {"size": 1.0}
        case NodeSphere(radius):
            return "Sphere", {"radius": radius}
        case NodePlane():
            return "Plane", {}
        case NodeCylinder(height, radius, _):
            return ("Cone" if cone else "Cylinder"), {"radius": radius, "height": height}
    return "Capsule", {"radius": shape.top, "height": shape.height}


def _quaternion(rotation: Floats) -> list[float]:
    """In the order of USD: W first."""
    from mathutils import Matrix

    found = Matrix(rotation.tolist()).to_quaternion()
    return [found.w, found.x, found.y, found.z]
