# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras for the tests of culling, and their reference: whether a point is in the picture according to Blender."""

import math

import bpy
import numpy as np
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector

from tests.helpers.blender.bridge_scene import add, cube_mesh

FITS = ("AUTO", "HORIZONTAL", "VERTICAL")


def add_camera(name: str = "Camera", **fields) -> bpy.types.Object:
    """Add a camera and make it active; `fields` are attributes of the object or, failing that, of its camera data."""
    lens = bpy.data.cameras.new(name)
    on_object = {field: value for field, value in fields.items() if field not in lens.bl_rna.properties}
    for field in fields.keys() - on_object.keys():
        setattr(lens, field, fields[field])
    camera = add(name, lens, **on_object)
    bpy.context.scene.camera = camera
    bpy.context.view_layer.update()
    return camera


def random_camera(generator: np.random.Generator, number: int) -> bpy.types.Object:
    """A camera of any kind that has a frustum, with a picture of any format."""
    uniform = generator.uniform
    render = bpy.context.scene.render
    render.resolution_x, render.resolution_y = (int(value) for value in generator.integers(50, 3000, 2))
    render.pixel_aspect_x, render.pixel_aspect_y = uniform(1.0, 3.0, 2) if generator.random() < 0.5 else (1.0, 1.0)
    start = 10.0 ** uniform(-2.0, 0.5)
    parent = None
    if generator.random() < 0.5:
        # Scaled uniformly or not, mirrored or not: only the position and direction of the camera matter.
        scale = uniform(0.2, 5.0, 3) * generator.choice([-1.0, 1.0], 3) if generator.random() < 0.5 else [2.5] * 3
        parent = add(f"Holder {number}", scale=scale, at=uniform(-2.0, 2.0, 3))
    return add_camera(
        f"Camera {number}",
        at=uniform(-5.0, 5.0, 3),
        rotation_euler=uniform(-math.pi, math.pi, 3),
        scale=uniform(0.3, 3.0, 3) if generator.random() < 0.3 else (1.0, 1.0, 1.0),
        parent=parent,
        type=str(generator.choice(["PERSP", "ORTHO"])),
        lens=uniform(10.0, 120.0),
        sensor_width=uniform(10.0, 60.0),
        sensor_height=uniform(10.0, 60.0),
        sensor_fit=str(generator.choice(FITS)),
        ortho_scale=uniform(0.5, 20.0),
        shift_x=uniform(-0.8, 0.8) if generator.random() < 0.5 else 0.0,
        shift_y=uniform(-0.8, 0.8) if generator.random() < 0.5 else 0.0,
        clip_start=start,
        clip_end=start * 10.0 ** uniform(0.3, 4.0),
    )


def in_picture(camera: bpy.types.Object, points: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Which points are visible, and the distance of each from the boundary of the picture, as fractions of its size."""
    scene, lens = bpy.context.scene, camera.data
    seen = np.array([tuple(world_to_camera_view(scene, camera, Vector(point))) for point in points])
    depth = seen[:, 2]
    inside_by = np.minimum.reduce(
        [
            seen[:, 0],
            1.0 - seen[:, 0],
            seen[:, 1],
            1.0 - seen[:, 1],
            (depth - lens.clip_start) / lens.clip_start,
            (lens.clip_end - depth) / lens.clip_end,
        ]
    )
    return inside_by >= 0.0, np.abs(inside_by)


def points_around(camera: bpy.types.Object, generator: np.random.Generator, count: int) -> np.ndarray:
    """Points in, around, before and beyond the view of a camera, by the corners of its picture."""
    lens = camera.data
    corners = np.array([tuple(corner) for corner in lens.view_frame(scene=bpy.context.scene)])
    share = generator.uniform(-0.4, 1.4, (count, 2))
    at = corners[2] + share[:, :1] * (corners[1] - corners[2]) + share[:, 1:] * (corners[3] - corners[2])
    depth = np.exp(generator.uniform(np.log(lens.clip_start * 0.5), np.log(lens.clip_end * 2.0), count))
    local = at / -at[:, 2:] * depth[:, None] if lens.type == "PERSP" else np.c_[at[:, :2], -depth]
    behind = generator.random(count) < 0.1
    local[behind, 2] *= -1.0
    matrix = np.array(camera.matrix_world.normalized(), dtype=np.float64)
    return local @ matrix[:3, :3].T + matrix[:3, 3]


def looking_down(**fields) -> bpy.types.Object:
    """An orthographic view along -Z, from a height of 10: X and Y from -2 to 2, Z from -10 to 9."""
    render = bpy.context.scene.render
    render.resolution_x = render.resolution_y = 100
    return add_camera(type="ORTHO", ortho_scale=4.0, clip_start=1.0, clip_end=20.0, at=(0, 0, 10), **fields)


def cubes(**places: float) -> dict[str, bpy.types.Object]:
    """Cubes with side 1 at these positions along X."""
    made = {name: add(name, cube_mesh((0.5, 0.5, 0.5)), at=(x, 0, 0)) for name, x in places.items()}
    bpy.context.view_layer.update()
    return made


def three() -> dict[str, bpy.types.Object]:
    """One cube in the view, one on its boundary, one outside."""
    looking_down()
    return cubes(In=0.0, Half=2.0, Out=4.0)


def move(ob: bpy.types.Object, **frames: float) -> None:
    """Keyframe the X location of an object: `f3=1.0` in frame 3."""
    for frame, x in frames.items():
        ob.location.x = x
        ob.keyframe_insert("location", index=0, frame=int(frame[1:]))


def animated() -> dict[str, bpy.types.Object]:
    """Passing is visible in frames 2 to 4 of 5; Leaving leaves the view in frame 4."""
    scene = bpy.context.scene
    scene.frame_start, scene.frame_end = 1, 5
    looking_down()
    made = cubes(Passing=0.0, Leaving=0.0, Still=1.0, Away=9.0)
    move(made["Passing"], f1=5.0, f2=1.0, f3=0.0, f4=-1.0, f5=-5.0)
    move(made["Leaving"], f3=0.0, f4=8.0, f5=9.0)
    scene.frame_set(1)
    return made
