# SPDX-License-Identifier: GPL-3.0-or-later
"""Copies of an object get the collider that was fitted to one of them: as good as one of their own, in their places."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.colliders import fit_copies
from collision_kit.addon.colliders import fit_record as colliders_record
from collision_kit.addon.colliders.fit import FitRequest, fit_source
from collision_kit.addon.scene.colliders.sources import read_sources
from tests.helpers.blender.bridge_scene import add, cube_mesh, l_mesh, world_vertices
from tests.helpers.blender.colliders_scene import KINDS, PARENTS, PLACES, cloud_mesh, held, make, mesh_holds, select
from tests.helpers.offline import slow

pytestmark = pytest.mark.usefixtures("scene")

QUICK = ("plain", "uneven", "mirrored", "sheared mirrored")
EACH_PLACE = [*QUICK, *slow(*(place for place in PLACES if place not in QUICK))]


@pytest.fixture
def fits(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the objects that something was fitted to."""
    found: list[str] = []

    def counted(source, request):
        found.append(source.owner)
        return fit_source(source, request)

    monkeypatch.setattr(fit_copies, "fit_source", counted)
    return found


def copies(place: str, data: bpy.types.Mesh, count: int = 3, seed: int = 0) -> list[bpy.types.Object]:
    """Objects of one mesh with one placement below empties that are turned and moved at random."""
    rng, made = np.random.default_rng(seed), []
    for number in range(count):
        above = add(f"Place {number}", at=rng.normal(size=3) * 20.0, rotation_euler=rng.normal(size=3) * 2.0)
        if place in PARENTS:
            above = add(f"Parent {number}", parent=above, **PARENTS[place])
        made.append(add(f"Rock {number}", data, parent=above, **PLACES[place]))
    bpy.context.view_layer.update()
    return made


@pytest.mark.parametrize("place", EACH_PLACE)
@pytest.mark.parametrize("engine", ["UNREAL", *slow("GODOT", "GLTF")])
def test_a_collider_of_a_copy_is_as_good_as_one_fitted_to_it_alone(place: str, engine: str) -> None:
    objects = copies(place, cloud_mesh())
    sources, _ = read_sources(bpy.context, objects, "OBJECTS")
    for kind in KINDS if engine == "UNREAL" else (*KINDS[1:5], "MESH"):
        request = FitRequest(kind, engine)
        fitter = fit_copies.Fitter(request)
        for source in sources:
            one, alone = fitter.fit(source), fit_source(source, request)
            assert one.source is source
            assert (one.kind, one.setting, one.by_bounds) == (alone.kind, alone.setting, alone.by_bounds)
            assert (one.frame is None) == (alone.frame is None)
            # Capsules are searched, and the search ends within so much of the least.
            assert one.quality.volume == pytest.approx(alone.quality.volume, rel=1e-4)
            assert one.quality.hull_ratio == pytest.approx(alone.quality.hull_ratio, rel=1e-4)
            slack = one.quality.gap_error + alone.quality.gap_error + 1e-4
            assert abs(one.quality.gap - alone.quality.gap) <= slack
            assert one.scores.keys() == alone.scores.keys()


@pytest.mark.parametrize("place", EACH_PLACE)
def test_colliders_of_copies_hold_their_vertices(place: str) -> None:
    objects = copies(place, cloud_mesh(3), seed=1)
    for kind in KINDS:
        select(*objects)
        made = make(kind)
        assert [collider.parent for collider in made] == objects
        for collider, ob in zip(made, objects, strict=True):
            held(collider, world_vertices(ob))
            if collider.collision_kit.shape in {"BOX", "HULL"}:
                mesh_holds(collider, world_vertices(ob))
            record = colliders_record.known(collider)
            assert record is not None and not colliders_record.is_stale(collider, ob, record)


@pytest.mark.parametrize("place", ["plain", "uneven", "mirrored", "child of mirrored"])
def test_copies_are_fitted_once(place: str, fits: list[str]) -> None:
    objects = copies(place, l_mesh(), count=6)
    for kind in ("SPHERE", "HULL", "BUDGET_HULL", "KDOP26", "BEST"):
        del fits[:]
        select(*objects)
        # With that gap, the best is one shape though the mesh is concave.
        assert len(make(kind, gap=9.0)) == 6
        # Whether the hull is too loose is found first.
        assert len(fits) == 1 + (kind == "BEST"), kind


def test_what_is_no_copy_is_fitted_by_itself(fits: list[str]) -> None:
    data = cloud_mesh()
    first, scaled, mirrored, copied = copies("plain", data, count=4)
    scaled.scale = (1.0, 1.0, 1.001)
    mirrored.scale = (-1.0, 1.0, 1.0)
    changed = add("Changed", data.copy())
    changed.data.vertices[0].co.x += 1e-3
    bent = add("Bent", data)
    bent.modifiers.new("Bend", "SIMPLE_DEFORM").deform_method = "BEND"
    other, its_copy, flat = add("Cube", cube_mesh()), add("Cube 2", cube_mesh()), add("Flat", data)
    flat.scale = (1.0, 0.0, 1.0)
    bpy.context.view_layer.update()
    select(first, scaled, mirrored, copied, changed, bent, other, its_copy, flat)
    made = make("BOX")
    assert sorted(set(fits)) == sorted({first.name, scaled.name, mirrored.name, "Changed", "Bent", "Cube", "Flat"})
    assert len(made) == 9
    for collider in made:
        held(collider, world_vertices(collider.parent or flat))


def test_loose_parts_of_copies_are_fitted_once(fits: list[str]) -> None:
    objects = copies("uneven", cube_mesh())
    for ob in objects:
        array = ob.modifiers.new("Array", "ARRAY")
        array.count, array.relative_offset_displace = 4, (2.0, 0.0, 0.0)
    select(*objects)
    assert len(make("BOX", source="PARTS")) == 12
    assert fits == ["Rock 0"] * 4
