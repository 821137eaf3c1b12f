# SPDX-License-Identifier: GPL-3.0-or-later
"""Boxes and triangles as the objects of python-fcl and of Coal, a triangle as a mesh of one."""

import numpy as np

import collision_kit.core as ck


def fcl_objects(shapes: ck.Boxes | ck.Triangles) -> list:
    """Objects of python-fcl with their transforms."""
    import fcl

    if isinstance(shapes, ck.Boxes):
        rows = zip(2.0 * shapes.half_extents, shapes.rotation, shapes.center, strict=True)
        return [fcl.CollisionObject(fcl.Box(*size), fcl.Transform(turn, place)) for size, turn, place in rows]
    objects = []
    for corners in shapes.vertices:
        mesh = fcl.BVHModel()
        mesh.beginModel(1, 3)
        mesh.addSubModel(corners, np.array([[0, 1, 2]]))
        mesh.endModel()
        objects.append(fcl.CollisionObject(mesh, fcl.Transform()))
    return objects


def coal_objects(shapes: ck.Boxes | ck.Triangles) -> list:
    """Geometries of Coal with their transforms."""
    import coal

    if isinstance(shapes, ck.Boxes):
        rows = zip(2.0 * shapes.half_extents, shapes.rotation, shapes.center, strict=True)
        return [(coal.Box(*size), coal.Transform3s(turn, place)) for size, turn, place in rows]
    objects = []
    for corners in shapes.vertices:
        mesh = coal.BVHModelOBBRSS()
        mesh.beginModel(1, 3)
        mesh.addTriangle(*corners)
        mesh.endModel()
        objects.append((mesh, coal.Transform3s()))
    return objects
