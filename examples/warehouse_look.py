# SPDX-License-Identifier: GPL-3.0-or-later
"""Look of the example warehouse: materials, lights, camera and the settings of pictures of it."""

import bpy
from mathutils import Vector

# name: color as in a paint box (sRGB), roughness, metallic, finish
PALETTE: dict[str, tuple[str, float, float, str]] = {
    "concrete": ("9c9a94", 0.45, 0.0, "mottled"),
    "lane": ("e0ab2c", 0.5, 0.0, "mottled"),
    "wall_upper": ("ddd8cb", 0.8, 0.0, "mottled"),
    "wall_lower": ("5f8480", 0.6, 0.0, "mottled"),
    "rack_blue": ("24508c", 0.4, 0.0, "painted"),
    "beam_orange": ("e06a1b", 0.4, 0.0, "painted"),
    "shelf": ("b9b09c", 0.6, 0.0, "mottled"),
    "plank": ("d3ad78", 0.7, 0.0, "wood"),
    "crate_frame": ("bd9560", 0.7, 0.0, "wood"),
    "crate_inside": ("4b3822", 0.9, 0.0, "plain"),
    "pallet_wood": ("c9ac7c", 0.8, 0.0, "wood"),
    "pallet_block": ("a58a60", 0.8, 0.0, "wood"),
    "cardboard": ("c79d6c", 0.8, 0.0, "paper"),
    "tape": ("cbb08a", 0.3, 0.0, "plain"),
    "label": ("f0ede4", 0.6, 0.0, "plain"),
    "barrel_blue": ("2c6fa3", 0.35, 0.0, "painted"),
    "barrel_red": ("b23a2e", 0.35, 0.0, "painted"),
    "bottle": ("8a949b", 0.35, 0.0, "painted"),
    "bottle_shoulder": ("c5c9cb", 0.35, 0.0, "painted"),
    "safety_yellow": ("f2b71f", 0.4, 0.0, "painted"),
    "truck_yellow": ("f0a516", 0.3, 0.0, "painted"),
    "truck_gray": ("4d5256", 0.5, 0.0, "painted"),
    "cone": ("e8541c", 0.5, 0.0, "plain"),
    "reflector": ("f4f4f0", 0.4, 0.0, "plain"),
    "sign_red": ("c23a2c", 0.5, 0.0, "plain"),
    "black": ("1d1e20", 0.5, 0.0, "plain"),
    "rubber": ("26272a", 0.8, 0.0, "plain"),
    "rim": ("d9d5cb", 0.4, 0.0, "painted"),
    "seat": ("2b2d31", 0.7, 0.0, "plain"),
    "chain": ("3a3835", 0.5, 1.0, "plain"),
    "chrome": ("d8dadc", 0.15, 1.0, "plain"),
    "dark_metal": ("34373a", 0.5, 0.4, "painted"),
    "mast_metal": ("53585c", 0.45, 0.5, "painted"),
    "enamel": ("2f5d50", 0.25, 0.0, "painted"),
    "enamel_inside": ("f5efe0", 0.4, 0.0, "plain"),
    "bulb": ("ffd9a0", 0.5, 0.0, "glow"),
    "headlight": ("fff6e0", 0.3, 0.0, "plain"),
    "beacon": ("ff7a1a", 0.3, 0.0, "plain"),
}
GLOW = 30.0  # emission strength of a bulb: enough to look lit, the light itself comes from a lamp
NODES_ARE_OPTIONAL = bpy.app.version < (5, 0)  # from then on every material and world has them
WARM, COOL = (1.0, 0.83, 0.64), (0.75, 0.86, 1.0)


def linear(code: str) -> tuple[float, float, float, float]:
    """Return an sRGB color code as scene-linear red, green, blue and alpha."""
    channels = [int(code[i : i + 2], 16) / 255.0 for i in (0, 2, 4)]
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return (r, g, b, 1.0)


def material(name: str) -> bpy.types.Material:
    """Return the material of that name from the palette, made when first asked for."""
    known = bpy.data.materials.get(name)
    if known is not None:
        return known
    code, roughness, metallic, finish = PALETTE[name]
    made = bpy.data.materials.new(name)
    made.diffuse_color = linear(code)
    made.roughness, made.metallic = roughness, metallic
    if NODES_ARE_OPTIONAL:
        made.use_nodes = True
    tree = made.node_tree
    shader = next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED")
    shader.inputs["Base Color"].default_value = linear(code)
    shader.inputs["Roughness"].default_value = roughness
    shader.inputs["Metallic"].default_value = metallic
    if finish == "glow":
        shader.inputs["Emission Color"].default_value = linear(code)
        shader.inputs["Emission Strength"].default_value = GLOW
    elif finish != "plain":
        weather(tree, shader, finish)
    return made


def weather(tree: bpy.types.NodeTree, shader: bpy.types.Node, finish: str) -> None:
    """Give a shader a little wear: the color varies over the surface and from one object to the next.

    The edges are rounded for the light alone, so that the meshes keep the exact planes they collide with.
    """
    scale, stretch, amount, bump = {
        "mottled": (0.9, (1.0, 1.0, 1.0), 0.1, 0.05),
        "wood": (5.0, (1.0, 9.0, 9.0), 0.35, 0.15),
        "paper": (3.0, (1.0, 1.0, 1.0), 0.08, 0.02),
        "painted": (4.0, (1.0, 1.0, 1.0), 0.12, 0.01),
    }[finish]
    nodes, links = tree.nodes, tree.links
    where = nodes.new("ShaderNodeTexCoord")
    mapping = nodes.new("ShaderNodeMapping")
    mapping.inputs["Scale"].default_value = stretch
    noise = nodes.new("ShaderNodeTexNoise")
    noise.inputs["Scale"].default_value = scale
    noise.inputs["Detail"].default_value = 8.0
    each = nodes.new("ShaderNodeObjectInfo")
    shift = nodes.new("ShaderNodeMath")  # objects that share a mesh must not share its pattern
    shift.operation = "MULTIPLY"
    shift.inputs[1].default_value = 50.0
    links.new(each.outputs["Random"], shift.inputs[0])
    links.new(shift.outputs["Value"], mapping.inputs["Location"])
    links.new(where.outputs["Object"], mapping.inputs["Vector"])
    links.new(mapping.outputs["Vector"], noise.inputs["Vector"])

    spread = nodes.new("ShaderNodeMapRange")
    spread.inputs["From Min"].default_value, spread.inputs["From Max"].default_value = 0.3, 0.7
    spread.inputs["To Min"].default_value, spread.inputs["To Max"].default_value = 1.0 - amount, 1.0 + amount
    links.new(noise.outputs[0], spread.inputs["Value"])
    tint = nodes.new("ShaderNodeMapRange")
    own = 0.12 if finish in ("wood", "paper") else 0.02
    tint.inputs["To Min"].default_value, tint.inputs["To Max"].default_value = 1.0 - own, 1.0 + own
    links.new(each.outputs["Random"], tint.inputs["Value"])
    value = nodes.new("ShaderNodeMath")
    value.operation = "MULTIPLY"
    links.new(spread.outputs["Result"], value.inputs[0])
    links.new(tint.outputs["Result"], value.inputs[1])
    color = nodes.new("ShaderNodeHueSaturation")
    color.inputs["Color"].default_value = shader.inputs["Base Color"].default_value
    links.new(value.outputs["Value"], color.inputs["Value"])
    links.new(color.outputs["Color"], shader.inputs["Base Color"])

    rounded = nodes.new("ShaderNodeBevel")
    rounded.samples = 4
    rounded.inputs["Radius"].default_value = 0.006
    relief = nodes.new("ShaderNodeBump")
    relief.inputs["Strength"].default_value = bump
    links.new(noise.outputs[0], relief.inputs["Height"])
    links.new(rounded.outputs["Normal"], relief.inputs["Normal"])
    links.new(relief.outputs["Normal"], shader.inputs["Normal"])


def add_light(
    collection: bpy.types.Collection,
    name: str,
    kind: str,
    place: tuple[float, float, float],
    towards: tuple[float, float, float],
    energy: float,
    color: tuple[float, float, float],
    size: float,
) -> None:
    """Add one light that shines from `place` towards a point; `size` is a radius, a side or an angle."""
    light = bpy.data.lights.new(name, kind)
    light.energy, light.color = energy, color
    if isinstance(light, bpy.types.SunLight):
        light.angle = size
    elif isinstance(light, bpy.types.AreaLight):
        light.size = size
    elif isinstance(light, bpy.types.PointLight):
        light.shadow_soft_size = size
    lamp = bpy.data.objects.new(name, light)
    lamp.location = place
    lamp.rotation_euler = (Vector(towards) - Vector(place)).to_track_quat("-Z", "Y").to_euler()
    collection.objects.link(lamp)


def add_camera(
    collection: bpy.types.Collection,
    place: tuple[float, float, float],
    towards: tuple[float, float, float],
    lens: float,
) -> bpy.types.Object:
    """Add the camera and return it."""
    data = bpy.data.cameras.new("Camera")
    data.lens = lens
    camera = bpy.data.objects.new("Camera", data)
    camera.location = place
    camera.rotation_euler = (Vector(towards) - Vector(place)).to_track_quat("-Z", "Y").to_euler()
    collection.objects.link(camera)
    return camera


def set_up_pictures(scene: bpy.types.Scene) -> None:
    """Set the world, the renderers and every viewport of the file for a picture of 1280 by 800."""
    world = bpy.data.worlds.new("Daylight")
    if NODES_ARE_OPTIONAL:
        world.use_nodes = True
    sky = next(node for node in world.node_tree.nodes if node.type == "BACKGROUND")
    sky.inputs["Color"].default_value = (0.55, 0.68, 0.85, 1.0)
    sky.inputs["Strength"].default_value = 0.1
    world.color = (0.2, 0.22, 0.25)
    scene.world = world

    scene.render.engine = "CYCLES"
    scene.cycles.samples = 32
    scene.cycles.use_denoising = True
    scene.cycles.max_bounces = 6
    scene.render.resolution_x, scene.render.resolution_y = 1280, 800
    scene.view_settings.view_transform = "AgX"
    scene.view_settings.look = "AgX - Medium High Contrast"
    shadings = [scene.display.shading]
    for screen in bpy.data.screens:
        for area in screen.areas:
            for space in area.spaces:
                if isinstance(space, bpy.types.SpaceView3D):
                    shadings.append(space.shading)
                    space.region_3d.view_perspective = "CAMERA"
                    space.overlay.show_floor = space.overlay.show_axis_x = space.overlay.show_axis_y = False
    for shading in shadings:
        shading.light = "STUDIO"
        if shading.type == "SOLID":
            shading.studio_light = "paint.sl"  # the evenest of Blender's own: no wall in the dark
        shading.color_type = "MATERIAL"
        shading.show_shadows = True
        shading.shadow_intensity = 0.35
        shading.show_cavity = True
        shading.cavity_type = "BOTH"
