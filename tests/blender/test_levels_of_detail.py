# SPDX-License-Identifier: GPL-3.0-or-later
"""Levels of detail are one object: the most detailed is tested, and the others are listed as not tested."""

import bpy
import pytest

from collision_kit.addon import api
from collision_kit.addon.engines.levels import level_of
from tests.helpers.blender.asset_scene import box, checked, empty, faults


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def bodies(**settings: object) -> list[str]:
    return [body.name for body in checked(**settings).bodies]


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Rock_LOD0", ("Rock_", "LOD0", 0, "")),
        ("rock-lod12.001", ("rock-", "lod12", 12, ".001")),
        ("Rock LOD 2", ("Rock ", "LOD 2", 2, "")),
        ("Rock-lod:20", ("Rock-", "lod:20", 20, "")),
        ("RockLOD1", ("Rock", "LOD1", 1, "")),
        ("Tree_LOD0_Leaves", ("Tree_", "LOD0", 0, "_Leaves")),
        ("LOD3", ("", "LOD3", 3, "")),
        ("explod1", None),
        ("Melody1", None),
        ("Rock_LOD", None),
        ("Rock_LOD1x", None),
    ],
)
def test_names_of_levels(name: str, parts: tuple[str, str, int, str] | None) -> None:
    assert level_of(name) == parts


@pytest.mark.parametrize("word", ["_LOD", "_lod", "-Lod", " LOD"])
def test_levels_are_one_object(word: str) -> None:
    for number in range(3):
        box(f"Rock{word}{number}", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    box("UCX_Rock" if word == "_LOD" else "Stone", (5.0, 0.0, 0.0), (6.0, 1.0, 1.0))
    log = box("Log", (0.5, 0.5, 0.5), (3.0, 0.6, 0.6))
    if word == "_LOD":
        log.location.x = 5.0
    report = checked()
    assert faults(report) == [("Log", f"Rock{word}0")]
    told = {one.object: str(one.reason) for one in report.skipped}
    assert told == {f"Rock{word}{number}": f'A more detailed level is tested: "Rock{word}0".' for number in (1, 2)}


@pytest.mark.parametrize("name", ["Rock", "Rock-col", "rock"])
def test_the_object_with_the_name_before_the_number_is_the_most_detailed_level(name: str) -> None:
    whole = box(name, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
    box("Rock-lod:20", (0.0, 0.0, 0.0), (1.0, 1.0, 1.1))
    box("Moss", (5.0, 0.0, 0.0), (6.0, 1.0, 1.0), whole)
    report = checked()
    assert [body.name for body in report.bodies] == sorted([name, "Moss"], key=str.casefold)
    assert [one.object for one in report.skipped] == ["Rock-lod:20"]
    whole.hide_set(True)
    assert "Rock-lod:20" in bodies()


def test_the_object_that_levels_are_named_after_is_no_level_if_there_is_a_level_0() -> None:
    root = box("Rock", (5.0, 0.0, 0.0), (6.0, 1.0, 1.0))
    for number in range(2):
        box(f"Rock_LOD{number}", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), root)
    assert sorted(bodies()) == ["Rock", "Rock_LOD0"]


def test_the_most_detailed_level_that_is_visible_is_tested() -> None:
    for number in range(3):
        box(f"Rock_LOD{number}", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)).hide_set(number == 0)
    assert bodies() == ["Rock_LOD1"]
    assert [body.name for body in api.check_collisions(["Rock_LOD2"]).bodies] == ["Rock_LOD2"]


def test_levels_may_be_above_several_objects() -> None:
    tree = empty("Tree")
    for number in range(2):
        level = empty(f"LOD{number}", tree)
        for part in ("Trunk", "Leaves"):
            box(f"{part} of {number}", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0 + (part == "Leaves")), level)
    assert bodies() == ["Leaves of 0", "Trunk of 0"]


def test_copies_have_levels_of_their_own() -> None:
    for number in range(2):
        box(f"Rock_LOD{number}", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
        box(f"Rock_LOD{number}.001", (5.0, 0.0, 0.0), (6.0, 1.0, 1.0))
    box("Rock_LOD1.002", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    assert bodies() == ["Rock_LOD0", "Rock_LOD0.001", "Rock_LOD1.002"]


def test_colliders_of_a_level_that_is_not_tested_are_not_tested() -> None:
    for number in range(2):
        mesh = box(f"Rock_LOD{number}", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0))
        box(f"UBX_Rock_LOD{number}_01", (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), mesh)
    report = checked()
    assert [shape.object for shape in report.shapes] == ["UBX_Rock_LOD0_01"]


def test_children_of_a_group_of_the_fbx_exporter_are_levels() -> None:
    group = empty("Mannequin")
    for name in ("B far", "A near"):
        box(name, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0), group)
    assert bodies() == ["A near", "B far"]
    group["fbx_type"] = "LodGroup"
    assert bodies() == ["A near"]
