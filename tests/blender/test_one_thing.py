# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects that their owner declares to be one thing: their pairs are folded, and the check proposes it."""

import json
import tomllib
from pathlib import Path
from typing import Any

import bpy
import pytest

from collision_kit.addon import api
from collision_kit.addon.model.folds import Fold, FoldKind
from collision_kit.addon.model.one_thing import proposed_thing
from collision_kit.addon.model.report import Report
from collision_kit.addon.model.rules import Pattern
from collision_kit.addon.scene import accepted_pairs
from collision_kit.addon.scene.objects.labels import labels_of
from collision_kit.addon.scene.settings import NAME, check_settings
from collision_kit.addon.session.collision_results import last_check
from tests.helpers.blender.asset_scene import box, check_file, checked, faults, folded
from tests.helpers.blender.live_scene import assert_same_as_fresh, settle


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def pinball() -> None:
    """A machine of parts that are deep in each other, in a collection, and a crate that is sunk in the floor."""
    bpy.context.scene.collection.children.link(bpy.data.collections.new("Pinball"))

    def part(name: str, low: tuple[float, float, float], high: tuple[float, float, float]) -> None:
        box(name, low, high, collection="Pinball")

    part("Cabinet", (0.0, 0.0, 0.3), (1.0, 2.0, 0.8))
    part("Playfield", (0.05, 0.05, 0.6), (0.95, 2.3, 0.95))
    for number in range(4):
        x, y = 0.9 * (number % 2), 1.9 * (number // 2)
        part(f"Leg{'ABCD'[number]}", (x, y, 0.01), (x + 0.1, 2.0, 0.6))
    part("Bumper", (0.3, 0.5, 0.85), (0.5, 0.7, 1.15))
    part("Flipper", (0.6, 0.5, 0.9), (0.8, 0.55, 1.05))
    part("Twin", (0.6, 0.5, 0.9), (0.8, 0.55, 1.05))
    box("Floor", (-5.0, -5.0, -0.5), (5.0, 5.0, 0.0))
    box("Crate", (3.0, 3.0, -0.4), (4.0, 4.0, 0.6))


TWIN = ("Flipper", "Twin")


def saved(folder: Path) -> Path:
    path = folder / "pinball.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    return path


def proposed(report: Report) -> Any:
    return proposed_thing(report, labels_of(report.bodies), accepted_pairs.marks_of(report))


@pytest.mark.parametrize("pattern", ["collection:Pinball", "[!C]*", "*"])
def test_pairs_within_a_declared_thing_are_one_line_and_its_copies_are_not(pattern: str) -> None:
    pinball()
    plain = checked()
    assert len(faults(plain)) > 8 and ("Crate", "Floor") in faults(plain)
    report = checked(one_thing=[pattern])
    rest = [TWIN] if pattern == "*" else [("Crate", "Floor"), TWIN]
    if pattern == "[!C]*":
        # The cabinet and the crate are no part of it.
        rest = [pair for pair in faults(plain) if any(name[0] == "C" for name in pair)] + [TWIN]
    assert faults(report) == sorted(rest)
    name = "Scene" if pattern == "*" else pattern.removeprefix("collection:")
    within = {one for row, one in report.folded.items() if one.kind is FoldKind.WITHIN}
    assert within == {Fold(FoldKind.WITHIN, name)}
    listed = set(api.names(report, report.pairs[row]) for row in report.folded)
    assert {tuple(sorted(one)) for one in listed} >= set(faults(plain)) - set(rest)
    assert faults(checked(one_thing=[pattern], within=True)) == faults(plain)


def test_each_pattern_is_a_thing_of_its_own() -> None:
    for name in ("Car", "Van"):
        for number in range(4):
            box(f"{name}{number}", (number, 0.0, 0.0), (number + 1.8, 1.0 + 0.01 * number, 1.0))
    report = checked(one_thing=["Car*", "Van*"])
    assert folded(report).items() >= {"within Car*": 3, "within Van*": 3}.items()
    assert faults(report) and all((a[:3], b[:3]) == ("Car", "Van") for a, b in faults(report))


def test_the_option_and_the_configuration_declare_a_thing(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    pinball()
    path = saved(tmp_path)
    text = check_file(capfd, path, "--one-thing", "collection:Pinball", "--one-thing", "Nothing*")[1]
    assert "pairs within Pinball: " in text and "No tested object matches Nothing*. [thing-without-objects]" in text
    lines = [line for line in text.splitlines() if line.startswith("  penetrating")]
    assert [line.split()[1:4] for line in lines] == [["Crate", "×", "Floor"]]
    (tmp_path / "collision-kit.toml").write_text('[check]\none_thing = ["collection:Pinball"]\n', encoding="utf-8")
    assert check_file(capfd, path)[1].count("pairs within Pinball: ") == 1
    found = json.loads(check_file(capfd, path, "--format", "json")[1])["pairs"]
    assert {one["within"] for one in found} == {"Pinball", None}
    # What is given takes the place of the configuration.
    assert "pairs within Scene: " in check_file(capfd, path, "--one-thing", "*")[1]
    assert "pairs within" not in check_file(capfd, path, "--within")[1]
    api.import_configuration(tmp_path / "collision-kit.toml")
    assert check_settings(bpy.context).one_thing == (Pattern("collection", "Pinball"),)
    api.export_configuration(tmp_path / "again.toml")
    written = tomllib.loads((tmp_path / "again.toml").read_text(encoding="utf-8"))
    assert written["check"]["one_thing"] == ["collection:Pinball"]
    for wrong in ('""', "[]", "true"):
        (tmp_path / "collision-kit.toml").write_text(f"[check]\none_thing = {wrong}\n", encoding="utf-8")
        assert check_file(capfd, path)[0] == 2


def test_the_check_proposes_the_fewest_objects_that_shorten_the_list(
    tmp_path: Path, capfd: pytest.CaptureFixture
) -> None:
    pinball()
    report = checked()
    thing = proposed(report)
    assert thing.pattern == Pattern("collection", "Pinball")
    path = saved(tmp_path)
    plain = check_file(capfd, path)[1]
    told = next(line for line in plain.splitlines() if "is one thing" in line)
    then = check_file(capfd, path, "--one-thing", "collection:Pinball")[1]

    def lines(text: str) -> int:
        return sum(line.startswith(("  penetrating", "  contained", "  duplicate")) for line in text.splitlines())

    assert told == (
        f"If collection:Pinball is one thing, {thing.pairs} of {len(faults(report))} pairs are within it, and "
        f"{lines(then)} of {lines(plain)} lines remain: --one-thing collection:Pinball."
    )
    assert "is one thing" not in then
    rules = check_file(capfd, path, "--suggest-rules")[1]
    assert '# one_thing = ["collection:Pinball"]' in rules and "one_thing" not in tomllib.loads(rules)
    assert "is one thing" not in check_file(capfd, path, "--within")[1]


def test_nothing_is_proposed_that_leaves_most_of_the_list() -> None:
    pinball()
    for number in range(9):
        box(f"{'ABCDEFGHI'[number]}", (9.0 * number, 50.0, 0.0), (9.0 * number + 1.0 + 0.1 * number, 51.0, 1.0))
        box(f"{'JKLMNOPQR'[number]}", (9.0 * number + 0.4, 50.3, 0.0), (9.0 * number + 2.0, 51.0 + 0.2 * number, 1.0))
    assert len(faults(checked())) > 12 and proposed(checked()) is None


def test_things_on_a_floor_are_not_proposed_as_one() -> None:
    box("Floor", (-9.0, -9.0, -0.5), (9.0, 9.0, 0.0))
    for number, name in enumerate(("Desk", "Bed", "Sofa", "Shelf", "Stove")):
        box(name, (3.0 * number - 8.0, 0.0, -0.4), (3.0 * number - 6.0, 1.0, 0.4 + 0.1 * number))
    report = checked()
    assert len(faults(report)) == 5 and proposed(report) is None


def test_the_whole_scene_is_not_proposed() -> None:
    bpy.context.scene.collection.children.link(bpy.data.collections.new("All"))
    for number in range(5):
        low, high = (0.6 * number, 0.0, 0.0), (0.6 * number + 1.4, 1.0, 1.0 + 0.1 * number)
        box("ABCDE"[number], low, high, collection="All")
    report = checked()
    assert len(faults(report)) > 4 and proposed(report) is None
    # Without one of the objects, the collection may be one thing.
    box("F", (-9.0, 0.0, 0.0), (-8.0, 1.0, 1.0))
    assert proposed(checked()).pattern == Pattern("collection", "All")


def test_the_list_of_the_panel_declares_what_is_proposed() -> None:
    pinball()
    settings = getattr(bpy.context.scene, NAME)
    settings.scope = "ALL"
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    assert bpy.ops.collision_kit.suggest_rules(take_thing=True) == {"FINISHED"}
    assert settings.one_thing == "collection:Pinball"
    assert bpy.ops.collision_kit.check_collisions() == {"FINISHED"}
    assert last_check.report is not None and set(faults(last_check.report)) == {("Crate", "Floor"), TWIN}


@pytest.mark.parametrize("pattern", ["collection:Pinball", "Nothing"])
def test_live_mode_folds_a_declared_thing(pattern: str) -> None:
    pinball()
    getattr(bpy.context.scene, NAME).scope = "ALL"
    getattr(bpy.context.scene, NAME).one_thing = pattern
    bpy.ops.collision_kit.check_collisions()
    bpy.context.window_manager.collision_kit.live = True
    try:
        settle()
        bpy.data.objects["Bumper"].location.z -= 0.02
        settle()
        assert_same_as_fresh()
        assert last_check.report is not None
        assert ("within Pinball" in folded(last_check.report)) == (pattern != "Nothing")
    finally:
        bpy.context.window_manager.collision_kit.live = False
        last_check.forget()


def test_a_check_in_a_plane_folds_a_declared_thing() -> None:
    pinball()
    plain = checked(plane="XZ")
    report = checked(plane="XZ", one_thing=["collection:Pinball"])
    assert len(faults(report)) < len(faults(plain)) and "within Pinball" in folded(report)
