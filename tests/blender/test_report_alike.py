# SPDX-License-Identifier: GPL-3.0-or-later
"""Issues that are the same for several objects, and pairs that are alike, have one line."""

import itertools
import json
from pathlib import Path

import bpy
import numpy as np
import pytest

from collision_kit.addon.model.alike import sharing_lines
from collision_kit.addon.model.report import Body, ObjectKey, PairResult, Report, Units, in_order
from collision_kit.core.constants import Verdict
from tests.helpers.blender.command_line import box, run

OPEN = "Mesh is not closed; tested as a surface, without an inside and without thickness. [open-mesh]"


def test_information_about_several_objects_is_one_line_with_their_number(save_scene, capfd) -> None:
    for number in range(5):
        ob = box(f"Open {number}", (3.0 * number, 0, 0))
        mesh = bpy.data.meshes.new("Open")
        points, faces = [tuple(one.co) for one in ob.data.vertices], [tuple(one.vertices) for one in ob.data.polygons]
        mesh.from_pydata(points, [], faces[1:])
        mesh.vertices[0].co *= 0.5
        ob.data = mesh
    path = save_scene()
    code, output, _ = run(capfd, "check", path)
    issues = [line for line in output.splitlines() if "open-mesh" in line]
    assert (code, issues) == (0, [f"  info     5 objects (Open 0, Open 1, Open 2, …): {OPEN}"])
    page = run(capfd, "check", path, "--format", "html")[1]
    assert page.count("Mesh is not closed") == 1 and "5 objects (Open 0, Open 1, Open 2, …)" in page
    report = json.loads(run(capfd, "check", path, "--format", "json")[1])
    assert len(report["findings"]) == 5


def test_issues_of_one_rule_are_one_block_with_the_names(save_scene, capfd) -> None:
    path = save_scene(A=(0, 0, 0), B=(3, 0, 0), C=(6, 0, 0))
    lines = run(capfd, "validate", path)[1].splitlines()
    place = next(number for number, line in enumerate(lines) if "[no-collider]" in line)
    assert lines[place].split() == ["info", "3", "objects", "[no-collider]"]
    assert lines[place + 1] == "    A, B, C"
    assert sum("[no-collider]" in line for line in lines) == 1
    assert len(json.loads(run(capfd, "validate", path, "--format", "json")[1])["findings"]) == 3


def test_warnings_and_hidden_objects_are_one_line_with_their_number(save_scene, capfd) -> None:
    for number in range(5):
        ob = box(f"Turned {number}", (6.0 * number, 0, 0))
        ob.rotation_euler.x = 0.6
        parent = bpy.data.objects.new(f"Scaled {number}", None)
        bpy.context.collection.objects.link(parent)
        parent.scale.z, ob.parent, ob.collision_kit.shape = 3.0, parent, "BOX"
        box(f"Hidden {number}", (0, 9.0 * number + 9.0, 0)).hide_set(True)
    box("Alone", (0, -9, 0)).hide_viewport = True
    path = save_scene()
    code, output, _ = run(capfd, "check", path)
    assert (code, output.count("[sheared-box]"), output.count("Hidden in")) == (0, 1, 1)
    assert "  warning  5 objects (Turned 0, Turned 1, Turned 2, …): Transform is sheared" in output
    assert "\n  5 objects (Hidden 0, Hidden 1, Hidden 2, …): Hidden in the viewport.\n  Alone: Disabled" in output
    page = run(capfd, "check", path, "--format", "html")[1]
    assert page.count("Transform is sheared") == page.count("Hidden in the viewport.") == 1
    report = json.loads(run(capfd, "check", path, "--format", "json")[1])
    assert (len(report["findings"]), len(report["skipped"])) == (5, 6)


def test_exports_do_not_report_how_checks_test_what_is_written_as_it_is(save_scene, capfd) -> None:
    ob = box("Tray", (0, 0, 0))
    mesh = bpy.data.meshes.new("Tray")
    mesh.from_pydata([one.co[:] for one in ob.data.vertices], [], [one.vertices[:] for one in ob.data.polygons][1:])
    mesh.vertices[0].co *= 0.5
    ob.data, ob.collision_kit.shape = mesh, "MESH"
    path = save_scene()
    for ending in ("glb", "usda", "urdf"):
        file = Path(path).with_name(f"tray.{ending}")
        code, output, _ = run(capfd, "export", path, "--output", str(file))
        assert (code, "not closed" in output) == (0, False), output


def test_pairs_that_look_the_same_are_one_line_with_their_number(save_scene, capfd) -> None:
    for number in range(5):
        box(f"Bolt {number}", (9.0 * number, 0, 0))
        box(f"Plate {number}", (9.0 * number + 0.75, 0, 0))
    box("Bolt 7", (60, 0, 0))
    box("Plate 7", (60.9, 0, 0))
    path = save_scene()
    code, output, _ = run(capfd, "check", path)
    lines = [line.split("  ") for line in output.splitlines() if line.startswith("  penetrating")]
    assert code == 1 and len(lines) == 2 and output.splitlines()[0].endswith("6 penetrating")
    assert [line[-1].strip() for line in lines] == ["and 4 pairs like this one", "4 contacts"]
    output = run(capfd, "check", path, "--unfold")[1]
    assert output.count("\n  penetrating") == 6 and "like this one" not in output
    assert len(json.loads(run(capfd, "check", path, "--format", "json")[1])["pairs"]) == 6


@pytest.mark.parametrize(("name", "lines"), [("Leaf", 2), ("Cube", 5)])
def test_pairs_with_names_of_their_own_are_similar_if_they_are_at_least_half_as_deep(
    name: str, lines: int, save_scene, capfd
) -> None:
    for number, depth in enumerate((0.25, 0.2, 0.15, 0.13, 0.05)):
        box(f"{name}.00{number}", (9.0 * number, 0, 0))
        box(f"Trunk.00{number}", (9.0 * number + 1.0 - depth, 0, 0))
    found = [line for line in run(capfd, "check", save_scene())[1].splitlines() if line.startswith("  penetrating")]
    assert len(found) == lines and "0.25 m deep" in found[0] and "0.05 m deep" in found[-1]
    assert found[0].endswith("and 3 pairs like this one, at least 0.13 m deep") == (name == "Leaf")


def penetrating(output: str) -> list[list[str]]:
    return [line.split("  ") for line in output.splitlines() if line.startswith("  penetrating")]


def test_pairs_with_one_object_are_one_line_and_what_is_deeper_has_its_own(save_scene, capfd) -> None:
    floor = box("Floor", (0, 0, -0.5))
    floor.scale = (50, 50, 1)
    for number, (name, depth) in enumerate(
        {"Chest": 0.02, "Bed": 0.018, "Lamp": 0.012, "Chair": 0.4, "Desk": 0.001}.items()
    ):
        box(name, (3.0 * number, 0, 0.5 - depth))
    path = save_scene()
    code, output, _ = run(capfd, "check", path)
    lines = penetrating(output)
    assert code == 1 and len(lines) == 3
    assert "Chair" in output.splitlines()[3] and "and" not in lines[0][-1]
    assert lines[1][-1].strip() == "and 2 objects (Bed, Lamp) with Floor, at least 0.012 m deep"
    assert len(penetrating(run(capfd, "check", path, "--unfold")[1])) == 5


def test_a_line_counts_the_pairs_of_two_assets_and_of_one_object_with_the_asset(save_scene, capfd) -> None:
    house = bpy.data.objects.new("House", None)
    bpy.context.collection.objects.link(house)
    for number in range(3):
        box(f"Wall {chr(65 + number)}", (1.0 * number, 0, 0)).parent = house
    for name, place in (("Wardrobe", (0.5, 0, 0.98)), ("Bed", (2.0, 0, -0.985))):
        box(name, place)
    lines = penetrating(run(capfd, "check", save_scene())[1])
    assert len(lines) == 1
    assert lines[0][-1].strip() == "and 2 more pairs of 2 objects (Wardrobe, Bed) with House, at least 0.015 m deep"


def test_several_odd_pairs_within_one_asset_are_one_line(save_scene, capfd) -> None:
    table = bpy.data.objects.new("Table", None)
    bpy.context.collection.objects.link(table)
    for number, x in enumerate((0.0, 9.0, 18.0)):
        box(f"Top {number}", (x, 0, 0)).scale = (9, 9, 1)
        for leg in range(12):
            depth = 0.01 if leg % 4 else 0.04
            box(f"Leg {number} {leg}", (x + 2.0 * (leg % 4) - 3.0, 2.0 * (leg // 4) - 2.0, -1.0 + depth))
    for ob in bpy.data.objects:
        if ob != table and ob.name.startswith(("Top", "Leg")):
            ob.parent = table
    box("Cat", (90.0, 0, 0))
    lines = penetrating(run(capfd, "check", save_scene(), "--no-within")[1])
    assert [line[-1].strip() for line in lines] == ["and 8 more pairs within Table"]


def test_pairs_of_two_assets_are_one_line(save_scene, capfd) -> None:
    book = bpy.data.objects.new("Book", None)
    bpy.context.collection.objects.link(book)
    for number, depth in enumerate((0.05, 0.3, 0.01)):
        box(f"Page {chr(65 + number)}", (1.001 * number, 0, 1.0 - depth)).parent = book
    box("Shelf", (0, 0, 0)).scale.x = 9.0
    box("Cat", (3.5, 0, 0.9))
    path = save_scene()
    lines = penetrating(run(capfd, "check", path)[1])
    assert len(lines) == 2
    assert lines[0][-1].strip() == "and 2 more pairs of Book and Shelf, at least 0.01 m deep"
    assert "Cat" in "".join(lines[1])


@pytest.mark.parametrize("seed", range(8))
def test_lines_stand_for_each_pair_once_and_for_none_that_is_deeper(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 14
    assets = rng.choice(["", "", "House", "Car"], count)
    bodies = tuple(
        Body(f"{rng.choice(['Leaf', 'Cube', 'Post'])}.{row:03}", ObjectKey(row + 1), asset=str(asset))
        for row, asset in enumerate(assets)
    )
    kinds = [Verdict.PENETRATING, Verdict.CONTAINED, Verdict.DUPLICATE]
    pairs = in_order(
        PairResult(
            *(a, b, kinds[rng.choice(3, p=[0.8, 0.15, 0.05])], -float(rng.choice([0.5, 0.3, 0.1, 0.02]))),
            *(np.zeros(3), np.zeros(3), np.zeros(3), np.zeros((0, 3)), np.zeros(0), 0, 0),
        )
        for a, b in itertools.combinations(range(count), 2)
        if rng.random() < 0.4 and not (assets[a] and assets[a] == assets[b])
    )
    report = Report("", "Scene", 1, "ALL", Units("METRIC", 1.0, "METERS"), 0.0, 0.0, bodies, (), pairs)
    rows = list(range(len(pairs)))
    lines = sharing_lines(report, rows)
    told = [row for same in lines.values() for row in same]
    assert len(told) == len(set(told)) and lines
    names = [body.asset or body.name for body in bodies]
    for first, same in lines.items():
        assert same[0] == first == min(same) and len(same) > 1
        ends = [{names[pairs[row].body_a], names[pairs[row].body_b]} for row in same]
        common = set.intersection(*ends)
        words = [sorted(bodies[one].name[:4] for one in (pairs[row].body_a, pairs[row].body_b)) for row in same]
        assert common or all(word == words[0] for word in words)
        # The worst pair of each two assets is of one verdict, and about as deep.
        worst = {frozenset(end): pairs[row] for row, end in sorted(zip(same, ends, strict=True), reverse=True)}
        assert {pair.verdict for pair in worst.values()} == {pairs[first].verdict}
        assert min(pair.depth for pair in worst.values()) >= 0.5 * pairs[first].depth
    # What is alone has no other two of its kind with the same asset.
    left = [row for row in rows if row not in told]
    for name in set(names):
        for verdict in kinds[:2]:
            depths = sorted(
                pairs[row].depth
                for row in left
                if pairs[row].verdict == verdict and name in (names[pairs[row].body_a], names[pairs[row].body_b])
            )
            assert not any(depths[place] >= 0.5 * depths[place + 2] for place in range(len(depths) - 2))
