# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes for live mode, a simulated user who changes them at random, and the reference: a fresh check of everything."""

import random

import bpy
import numpy as np

from collision_kit.addon.collisions.check import check
from collision_kit.addon.live import live_mode as live
from collision_kit.addon.live.live_mode import Status
from collision_kit.addon.model.report import Report
from collision_kit.addon.scene import settings as stored
from collision_kit.addon.session import dependencies
from collision_kit.addon.session.collision_results import last_check
from tests.helpers.blender.checked_scene import add_cube

# Seconds; every update of these scenes takes less.
LONG = 60.0


def results() -> bpy.types.PropertyGroup:
    return bpy.context.window_manager.collision_kit


def settle(seconds: float = LONG) -> None:
    """Run the timer until there are no more updates and all work is done."""
    bpy.context.view_layer.update()
    for _ in range(10_000):
        if live.update(bpy.context, seconds):
            return
    raise AssertionError("live mode never finishes")


def said(report: Report) -> dict[tuple[str, str], object]:
    names = [body.name for body in report.bodies]
    return {(names[pair.body_a], names[pair.body_b]): pair for pair in report.pairs}


def assert_same_as_fresh() -> None:
    """Assert that the report equals that of a new check; numbers may differ by the rounding of other batches."""
    assert last_check.report is not None and live.status() is Status.CURRENT, live.status_values()
    fresh, shapes = check(bpy.context, **stored.check_settings(bpy.context)._asdict(), evidence=False)
    ours, theirs = said(last_check.report), said(fresh)
    assert ours.keys() == theirs.keys()
    for key, pair in ours.items():
        other = theirs[key]
        assert (pair.verdict, pair.complete) == (other.verdict, other.complete), key
        np.testing.assert_allclose(pair.distance, other.distance, atol=1e-9)
        assert len(pair.contact_points) == len(other.contact_points), key
        np.testing.assert_allclose(np.sort(pair.contact_depths), np.sort(other.contact_depths), atol=1e-9)
    for field in ("frame", "scope", "clearance", "bodies", "shapes", "issues", "skipped", "units", "scene"):
        assert getattr(last_check.report, field) == getattr(fresh, field), field
    assert last_check.report.touching == fresh.touching
    np.testing.assert_array_equal(np.stack(last_check.world.bounds()), np.stack(shapes.world.bounds()))
    assert len(results().rows) == len(last_check.report.pairs) + len(set(last_check.report.folded.values()))
    assert last_check.dependencies == dependencies.current(bpy.context, last_check.settings)
    order = [(-pair.verdict, pair.gap) for pair in last_check.report.pairs]
    assert order == sorted(order)


def mesh_object(name: str, kind: int, place) -> bpy.types.Object:
    mesh = bpy.data.meshes.new(name)
    corners = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
    if kind == 0:
        mesh.from_pydata(
            corners, [], [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
        )
    else:
        tip = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1 + kind)]
        mesh.from_pydata(tip, [], [(0, 2, 1), (0, 1, 3), (0, 3, 2), (1, 2, 3)])
    ob = bpy.data.objects.new(name, mesh)
    ob.location = place
    bpy.context.scene.collection.objects.link(ob)
    return ob


def build_mixed(rng: random.Random, count: int = 14) -> None:
    """Meshes, boxes, spheres, a floor, a collider and an instance, so close together that many pairs collide."""

    def place():
        return [rng.uniform(-3, 3) for _ in range(3)]

    for number in range(count):
        ob = mesh_object(f"Mesh {number}", number % 3, place())
        ob.rotation_euler = place()
        if number % 4 == 3:
            ob.collision_kit.shape = rng.choice(["BOX", "SPHERE", "CAPSULE"])
    for number in range(4):
        ob = add_cube(f"Empty {number}", rng.uniform(-3, 3))
        ob.collision_kit.shape = rng.choice(["BOX", "SPHERE"])
    floor = bpy.data.objects.new("Floor", None)
    floor.location.z = -2.5
    bpy.context.scene.collection.objects.link(floor)
    floor.collision_kit.shape = "HALF_SPACE"
    mesh_object("UCX_Mesh 1_01", 0, place())
    inside = bpy.data.collections.new("Inside")
    member = mesh_object("Member", 1, (0, 0, 0))
    bpy.context.scene.collection.objects.unlink(member)
    inside.objects.link(member)
    instancer = bpy.data.objects.new("Instancer", None)
    instancer.instance_type, instancer.instance_collection = "COLLECTION", inside
    instancer.location = place()
    bpy.context.scene.collection.objects.link(instancer)
    bpy.context.scene.collision_kit.clearance = 0.3
    bpy.context.view_layer.update()


class Artist:
    """Changes the scene at random."""

    def __init__(self, rng: random.Random) -> None:
        self.rng, self.made = rng, 0
        self.verbs = [
            self.move, self.move, self.move, self.turn, self.scale, self.edit, self.add, self.delete, self.hide,
            self.rename, self.parent, self.choose_shape, self.modify, self.resize_empty, self.two_at_once, self.member,
            self.settings, self.select, self.disable, self.hide_collection, self.instance, self.drive, self.swap_mesh,
            self.duplicate, self.set_apart, self.change_empty, self.group, self.make_rigid,
        ]  # fmt: skip

    def any(self, *types: str) -> bpy.types.Object:
        found = [ob for ob in bpy.context.scene.objects if not types or ob.type in types]
        return self.rng.choice(found)

    def act(self) -> str:
        verb = self.rng.choice(self.verbs)
        verb()
        return verb.__name__

    def move(self) -> None:
        ob = self.any()
        ob.location = [value + self.rng.uniform(-1.5, 1.5) for value in ob.location]

    def turn(self) -> None:
        self.any().rotation_euler = [self.rng.uniform(-3, 3) for _ in range(3)]

    def scale(self) -> None:
        self.any("MESH").scale = [self.rng.choice([0.5, 1.0, 1.5, -1.0]) for _ in range(3)]

    def edit(self) -> None:
        mesh = self.any("MESH").data
        mesh.vertices[self.rng.randrange(len(mesh.vertices))].co.x += self.rng.uniform(-1, 1)
        mesh.update()

    def add(self) -> None:
        self.made += 1
        mesh_object(f"New {self.made}", self.rng.randrange(3), [self.rng.uniform(-3, 3) for _ in range(3)])

    def delete(self) -> None:
        bpy.data.objects.remove(self.any("MESH"))
        if len(bpy.context.scene.objects) < 10:
            self.add()

    def hide(self) -> None:
        ob = self.any()
        ob.hide_set(not ob.hide_get())

    def rename(self) -> None:
        self.made += 1
        other = self.any("MESH").name
        self.any("MESH").name = self.rng.choice([f"A{self.made}", f"Z{self.made}", f"UCX_{other}_{self.made}"])

    def parent(self) -> None:
        child, parent = self.any("MESH"), self.any("EMPTY")
        child.parent = None if child.parent else parent

    def choose_shape(self) -> None:
        self.any("MESH").collision_kit.shape = self.rng.choice(["AUTO", "BOX", "SPHERE", "CAPSULE", "HULL", "NONE"])

    def modify(self) -> None:
        ob = self.any("MESH")
        if ob.modifiers:
            ob.modifiers.clear()
        else:
            ob.modifiers.new("Array", "ARRAY").count = 2

    def resize_empty(self) -> None:
        self.any("EMPTY").empty_display_size = self.rng.uniform(0.3, 1.5)

    def two_at_once(self) -> None:
        self.move()
        self.move()
        self.turn()

    def member(self) -> None:
        member = bpy.data.objects["Member"]
        member.location.x += self.rng.uniform(-1, 1)

    def select(self) -> None:
        ob = self.any()
        ob.select_set(not ob.select_get())

    def disable(self) -> None:
        ob = self.any()
        ob.hide_viewport = not ob.hide_viewport

    def hide_collection(self) -> None:
        """Hidden with the eye icon, for all view layers, or excluded from this one."""
        layers = bpy.context.view_layer.layer_collection.children
        if not layers:
            bpy.context.scene.collection.children.link(bpy.data.collections.new("Shelf"))
            for ob in [self.any("MESH") for _ in range(3)]:
                if ob.name not in layers[0].collection.objects:
                    layers[0].collection.objects.link(ob)
                    bpy.context.scene.collection.objects.unlink(ob)
        shelf = layers[0]
        how = self.rng.randrange(3)
        if how == 0:
            shelf.hide_viewport = not shelf.hide_viewport
        elif how == 1:
            shelf.exclude = not shelf.exclude
        else:
            shelf.collection.hide_viewport = not shelf.collection.hide_viewport

    def instance(self) -> None:
        """Another object starts or stops instancing the collection, or the collection gets another member."""
        inside, how = bpy.data.collections["Inside"], self.rng.randrange(3)
        if how == 0:
            ob = self.any("EMPTY")
            ob.instance_collection = inside
            ob.instance_type = "NONE" if ob.instance_type == "COLLECTION" else "COLLECTION"
        elif how == 1:
            inside.instance_offset.x += self.rng.uniform(-1, 1)
        elif len(inside.objects) > 1:
            inside.objects.unlink(next(ob for ob in inside.objects if ob.name != "Member"))
        else:
            inside.objects.link(self.any("MESH"))

    def drive(self) -> None:
        """One object starts or stops following another, and the other moves."""
        ob, other = self.any("MESH"), self.any()
        if ob.animation_data is not None and len(ob.animation_data.drivers):
            ob.driver_remove("location", 2)
        elif other != ob:
            driver = ob.driver_add("location", 2).driver
            driver.type = "SUM"
            target = driver.variables.new().targets[0]
            target.id, target.data_path = other, "location.x"
        other.location.x += self.rng.uniform(-1, 1)

    def swap_mesh(self) -> None:
        self.any("MESH").data = self.any("MESH").data

    def duplicate(self) -> None:
        """Linked: from then on, an edit of one changes both."""
        ob = self.any("MESH").copy()
        ob.location.x += self.rng.uniform(-1, 1)
        bpy.context.scene.collection.objects.link(ob)

    def set_apart(self) -> None:
        """A trigger, a margin, a part of another body, or the kind of shape that a collider was made as."""
        settings, how = self.any("MESH").collision_kit, self.rng.randrange(4)
        if how == 0:
            settings.collider.trigger = not settings.collider.trigger
        elif how == 1:
            settings.margin = self.rng.choice([0.0, 0.1, 0.4])
        elif how == 2:
            other = self.any("MESH")
            settings.part_of = None if settings.part_of is not None or other == settings.id_data else other
        else:
            settings.collider.kind = self.rng.choice(["NONE", "HULL"])
            settings.id_data.data.update()  # Only the code that makes colliders sets this, together with the mesh.

    def change_empty(self) -> None:
        self.any("EMPTY").collision_kit.shape = self.rng.choice(["BOX", "SPHERE", "AUTO"])

    def group(self) -> None:
        settings = self.any("MESH").collision_kit
        settings.own_groups = not settings.own_groups
        settings.groups[self.rng.randrange(2)] = True
        settings.mask[0] = not settings.mask[0]

    def make_rigid(self) -> None:
        """A rigid body is added, removed, or gets another shape."""
        ob = self.any("MESH")
        with bpy.context.temp_override(object=ob, active_object=ob, selected_objects=[ob]):
            if ob.rigid_body is None:
                bpy.ops.rigidbody.object_add(type="PASSIVE")
                ob.rigid_body.collision_shape = self.rng.choice(["BOX", "SPHERE", "CONVEX_HULL", "COMPOUND"])
            elif self.rng.random() < 0.5:
                ob.rigid_body.collision_shape = self.rng.choice(["BOX", "SPHERE", "CONVEX_HULL", "COMPOUND"])
                ob.rigid_body.use_margin = True
            else:
                bpy.ops.rigidbody.object_remove()

    def settings(self) -> None:
        stored_settings = bpy.context.scene.collision_kit
        stored_settings.clearance = self.rng.choice([0.0, 0.3, 0.6])
        stored_settings.touching_mode = self.rng.choice(["AUTOMATIC", "MANUAL"])


def detailed(count: int = 3) -> None:
    """Intersecting balls of 320 triangles each, tested as meshes."""
    bpy.ops.mesh.primitive_ico_sphere_add(subdivisions=3)
    mesh = bpy.context.object.data
    bpy.data.objects.remove(bpy.context.object)
    for number in range(count):
        own = mesh.copy()
        own.vertices[number].co *= 1.5
        ob = bpy.data.objects.new(f"Ball {number}", own)
        ob.location.x = 0.4 * number
        bpy.context.scene.collection.objects.link(ob)
        ob.collision_kit.shape = "MESH"
    bpy.context.view_layer.update()
