# SPDX-License-Identifier: GPL-3.0-or-later
"""Collider names: prefixes, and which render mesh a collider stands for."""

import pytest

from collision_kit.addon.engines.unreal_names import RenderMeshes, collider_prefix, without_number


def owner(collider: str, renders: list[str], parents: list[str] | None = None) -> str | None:
    meshes = RenderMeshes((name, name) for name in renders)
    return meshes.of_collider(collider, [(name, name) for name in parents or []])


@pytest.mark.parametrize(
    ("name", "prefix"),
    [
        ("UBX_Crate", "UBX"),
        ("usp_ball", "USP"),
        ("UCP_Post_01", "UCP"),
        ("UCX_Rock_00", "UCX"),
        ("MCDCX_Rock", "MCDCX"),
        ("UBX_", "UBX"),
        ("UBX", ""),
        ("UBXCrate_01", ""),
        ("Crate_UBX_01", ""),
        ("_UBX_Crate", ""),
        ("Crate", ""),
        ("", ""),
    ],
)
def test_the_prefix_ends_at_the_first_underscore(name: str, prefix: str) -> None:
    assert collider_prefix(name) == prefix


def test_a_number_of_blender_is_a_dot_and_at_least_three_digits() -> None:
    assert without_number("Crate.001") == ("Crate", ".001")
    assert without_number("Crate.1234") == ("Crate", ".1234")
    assert without_number("Crate.01") == ("Crate.01", "")
    assert without_number("v1.002_Crate") == ("v1.002_Crate", "")


@pytest.mark.parametrize(
    ("collider", "renders", "expected"),
    [
        # Unreal: the exact name wins, otherwise one last suffix goes.
        ("UBX_House", ["House"], "House"),
        ("UBX_House_01", ["House"], "House"),
        ("UBX_House_01", ["House", "House_01"], "House_01"),
        ("UBX_House_Wall_01", ["House"], None),
        ("UBX_House_Wall_01", ["House_Wall", "House"], "House_Wall"),
        ("UCX_SM_Rock_01", ["SM_Rock", "SM"], "SM_Rock"),
        ("UBX__Mesh", ["Mesh"], None),
        ("UBX_Other", ["House"], None),
        ("UBX_", ["House"], None),
        # The case of the name matters only if nothing else fits.
        ("ubx_house_01", ["House"], "House"),
        ("UBX_HOUSE", ["House", "HOUSE"], "HOUSE"),
        # Blender's own numbers.
        ("UBX_Crate.001", ["Crate", "Crate.001"], "Crate.001"),
        ("UBX_Crate.001", ["Crate"], "Crate"),
        ("UBX_Crate_01.001", ["Crate", "Crate.001"], "Crate.001"),
        ("UBX_Crate_01.001", ["Crate"], "Crate"),
        ("UBX_Crate_01.001", ["Crate", "Crate_01", "Crate.001"], "Crate_01"),
        ("UBX_Crate", ["Crate", "Crate.001"], "Crate"),
        ("UBX_Crate", ["Crate.001"], None),
    ],
)
def test_the_name_says_which_render_mesh(collider: str, renders: list[str], expected: str | None) -> None:
    assert owner(collider, renders) == expected


def test_the_parent_settles_which_of_several_copies_is_meant() -> None:
    renders = ["Crate", "Crate.001", "Crate.002"]
    assert owner("UBX_Crate_01.005", renders, ["Crate.002"]) == "Crate.002"
    assert owner("UBX_Crate.005", renders, ["Crate.002"]) == "Crate.002"


def test_an_exact_name_wins_over_the_parent_as_it_does_in_the_engine() -> None:
    assert owner("UBX_Crate", ["Crate", "Crate.001"], ["Crate.001"]) == "Crate"


def test_the_parent_counts_where_no_name_fits() -> None:
    assert owner("UBX_Box", ["House"], ["House"]) == "House"
    assert owner("UBX_Box_01", ["House", "Box"], ["House"]) == "Box"


def test_a_name_that_several_instances_share_says_nothing() -> None:
    meshes = RenderMeshes([("Crate", 1), ("Crate", 2), ("Shelf", 3)])
    assert meshes.of_collider("UBX_Crate") is None
    assert meshes.of_collider("UBX_crate_01") is None
    assert meshes.of_collider("UBX_Shelf") == 3
