# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds the random scenes in Blender, using every way to define the shape of an object."""

import bpy
import numpy as np
from mathutils import Matrix

from tests.helpers.scene_bodies import UP, Floats, Item, ball_mesh, rotation_between
from tests.helpers.scenes import Spec

SETTINGS = {"box": "BOX", "sphere": "SPHERE", "capsule": "CAPSULE", "hull": "HULL"}
PREFIXES = {"box": "UBX", "sphere": "USP", "capsule": "UCP", "hull": "UCX"}
RENDER_SIZE = 1.7  # the render mesh of a body is larger by this factor than its collider, which must be tested instead


def build_in_blender(spec: Spec) -> None:
    """Add the scene's objects to the open file. The add-on must be registered."""
    for item in spec.items:
        add_item(item)
    ground = bpy.data.objects.new(spec.half_space.name, None)
    pose(ground, rotation_between(UP, spec.half_space.normal, 0.3), np.ones(3), spec.half_space.origin)
    ground.collision_kit.shape = "HALF_SPACE"
    bpy.context.scene.collection.objects.link(ground)
    bpy.context.view_layer.update()


def add_item(item: Item) -> None:
    """Add one body, with its parent and its colliders."""
    collider_named = item.said_by == "name"
    vertices = item.vertices * (RENDER_SIZE if collider_named else 1.0)
    body = add_mesh(item.name, vertices, item.faces)
    rotation, scale, location = item.rotation, item.scale, item.location
    if item.parent is not None:
        turn, stretch, place = item.parent
        holder = bpy.data.objects.new(f"Holder of {item.name}", None)
        bpy.context.scene.collection.objects.link(holder)
        pose(holder, turn, stretch, place)
        body.parent = holder
        rotation, scale = turn.T @ rotation, scale / stretch
        location = (turn.T @ (location - place)) / stretch
    pose(body, rotation, scale, location)
    if item.said_by == "setting":
        body.collision_kit.shape = SETTINGS[item.form.kind]
    elif collider_named:
        collider = add_mesh(f"{PREFIXES[item.form.kind]}_{item.name}_01", item.vertices, item.faces)
        collider.parent = body
        if item.inner_ball > 0.0:
            inner = add_mesh(f"USP_{item.name}_02", *ball_mesh())
            inner.parent = body
            pose(inner, np.eye(3), item.inner_ball / item.scale, item.form.core.mean(axis=0) / item.scale)


def add_mesh(name: str, vertices: Floats, faces: tuple[tuple[int, ...], ...]) -> bpy.types.Object:
    """Add a mesh object."""
    mesh = bpy.data.meshes.new(name)
    mesh.from_pydata(vertices.tolist(), [], [list(face) for face in faces])
    thing = bpy.data.objects.new(name, mesh)
    bpy.context.scene.collection.objects.link(thing)
    return thing


def pose(thing: bpy.types.Object, rotation: Floats, scale: Floats, location: Floats) -> None:
    """Set an object's own transform, mirror images included."""
    thing.rotation_mode = "QUATERNION"
    thing.rotation_quaternion = Matrix(rotation.tolist()).to_quaternion()
    thing.scale = scale
    thing.location = location
