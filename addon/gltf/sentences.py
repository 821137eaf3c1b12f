# SPDX-License-Identifier: GPL-3.0-or-later
"""What there is to say of an object that is not, or not exactly, in a file or in Blender as it was in the other."""

from collections.abc import Mapping

CYCLE = "Node hierarchy forms a cycle: {names}"
MISSING = "Missing in the file: {what} {index}"
TWICE = "Node {node} is listed more than once"
SECOND_PARENT = "Child {child} already has the parent {parent}"
NO_DATA = "Data is missing in the file: {where}"
JOINT = "Joint is not supported; ignored"
MOTION = "Motion properties are not supported; ignored: {fields}"
COMPOUND_TRIGGER = "Compound trigger is not supported; imported as separate triggers"
NO_GEOMETRY = "Collider has no geometry; ignored"
NOT_THERE = "Collider refers to a {what} that is not in the file; ignored"
UNREADABLE = "Shape is invalid: {why}; ignored"
WRONG_TYPE = "Field {field} has the wrong type; ignored"
NO_AMOUNT = "Field {field} is not a valid number of at least 0; imported as {usual}"
TOO_LARGE = "Collider is too large for Blender; ignored"
TWO_FRICTIONS = "Static friction {static} and dynamic friction {dynamic} differ; imported as {dynamic}"
COMBINE = "Material combine modes are not supported; ignored: {fields}"
RESTITUTION = "Restitution is {value}; imported as 1"
NO_GROUP = "No collision layer left for the collision systems: {names}"
BONE = "Colliders of bones are not supported; ignored"
ENDLESS = "Infinite two-sided plane is not supported; ignored"
ONE_SIDE = "One-sided plane is not supported; imported as a two-sided rectangle"
TWO_RADII = "Radii of the two ends differ; imported as the convex hull of the mesh"
READ_AS_HULL = "Scale distorts the shape; imported as the convex hull of the mesh"
NO_FACES = "Mesh of the collider has no faces; ignored"
LONG_NAME = "Name is too long for a collider name; ignored"
DECLARED = "Collider was already exported by another add-on"
NO_MESH = "Mesh is not in the file; collider not exported"
NOT_APPLIED = "Modifiers are not applied on export; collider exported without them"
NOTHING = "Scale is zero; collider not exported"
WRITTEN_AS_HULL = "Scale distorts the shape; exported as the convex hull of the mesh"
NOT_IN_GLTF = "Ellipsoids and cones are not supported by glTF; exported as the convex hull of the mesh"
NO_VOLUME = "Shape has no volume, which glTF does not allow; not exported"
NO_OMI_PLANE = "Half-spaces are not supported by OMI_physics_shape; exported by the KHR extensions only"
MARGIN = "Margin is not supported by this format; not exported"
OTHER_BODY = 'Part Of is "{body}", which is not a parent: bodies in the file follow the hierarchy'
NO_PRIM = "Object is not in the file; collider not exported"
NO_USD_TRIGGER = "Triggers are not supported by UsdPhysics; not exported"
NESTED = 'Rigid body is a child of the rigid body "{body}": UsdPhysics does not allow it; exported as a part of that'
NO_USD_ELLIPSOID = "Ellipsoids are not supported by UsdPhysics; exported as the convex hull of the mesh"
NO_SURFACE = "Friction, bounciness and collision layers are not supported by URDF; not exported"
NO_URDF_PLANE = "Half-spaces are not supported by URDF; not exported"
NO_URDF_SHAPE = "Ellipsoids and cones are not supported by URDF; exported as the convex hull of the mesh"
NO_INERTIA = "Rigid body has no collider with a volume; its mass is not exported"
NO_EFFORT = "Joint is exported with effort and velocity 0, which Blender does not have: set them in the file"

# Of an import: what is lost of the file, or of its colliders.
_LOST = {MISSING, SECOND_PARENT, NO_DATA, NO_GEOMETRY, UNREADABLE, TOO_LARGE, NO_FACES, LONG_NAME}
_LOST_REFERENCES = {"shape", "mesh", "node"}
_LOST_FIELDS = {"collider", "trigger", "geometry"}
# What no collision depends on.
_PHYSICS = {JOINT, MOTION, TWO_FRICTIONS, COMBINE, RESTITUTION}


def severity_of(text: str, parts: Mapping[str, object]) -> str:
    """How bad it is what there is to say of an import: error, warning or info."""
    if text in _LOST:
        return "error"
    if text == NOT_THERE and parts["what"] in _LOST_REFERENCES:
        return "error"
    if text == WRONG_TYPE and parts["field"] in _LOST_FIELDS:
        return "error"
    return "info" if text in _PHYSICS else "warning"
