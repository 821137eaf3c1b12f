# SPDX-License-Identifier: GPL-3.0-or-later
"""Suggested ignore rules in a scene: by functions, on the command line, and with a check of motion."""

import tomllib
from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.cli import commands
from collision_kit.addon.model.suggestions import SuggestionReason
from tests.helpers.blender.motion_scene import box, by_name, checked, keyed


@pytest.fixture(autouse=True)
def empty(scene: bpy.types.Scene) -> None:
    """An empty scene."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def bolts() -> None:
    """Five bolts 2 mm deep in five plates, one of them 0.2 deep, and a crate 0.1 deep in a wall."""
    for number in range(5):
        box(f"Plate.{number:03}", (0.0, 3.0 * number, 0.0))
        box(f"Bolt.{number:03}", (0.8 if number == 4 else 0.998, 3.0 * number, 0.0))
    box("Wall", (20.0, 0.0, 0.0))
    box("Crate", (20.9, 0.0, 0.0))


def test_scripts_get_suggestions_and_nothing_is_changed() -> None:
    bolts()
    report = api.check_collisions(scope="ALL")
    (one,) = api.suggest_rules(report)
    assert ([pattern.text for pattern in (*one.rule.a, *one.rule.b)], one.evidence) == (
        ["Bolt*", "Plate*"],
        SuggestionReason.NAMES,
    )
    assert len(one.rows) == 4
    assert one.rule.max_depth == pytest.approx(0.0022, rel=0.01)
    assert (api.ignore_rules(), len(api.faults(report))) == ((), 6)
    api.set_ignore_rules([one.rule])
    assert {api.names(report, pair) for pair in api.faults(report)} == {("Bolt.004", "Plate.004"), ("Crate", "Wall")}
    assert api.suggest_rules(report) == []


def test_what_is_not_of_the_scene_is_refused() -> None:
    bolts()
    report = api.check_collisions(scope="ALL")
    with pytest.raises(ValueError, match=r"^report: 1 is not a"):
        api.suggest_rules(1)
    with pytest.raises(ValueError, match=r"^report: 2 is not a"):
        api.suggest_rules(report, motion=2)
    bpy.context.scene.name = "Other"
    with pytest.raises(ValueError, match=r"^motion: it is of the scene 'Other'"):
        api.suggest_rules(report, motion=api.check_motion(start=1, end=2))


def test_parents_and_collections_of_the_scene() -> None:
    for number in range(6):
        box(f"Post{'ABCDEF'[number]}", (0.0, 5.0 * number + 20.0, 0.0))
    lid, chest = box("Lid", (0.0, 0.0, 0.9)), box("Chest")
    lid.parent = chest
    (one,) = api.suggest_rules(api.check_collisions(scope="ALL", within=True))
    assert [pattern.text for pattern in (*one.rule.a, *one.rule.b)] == ["Chest", "parent:Chest"]
    assert one.rule.reason == 'parented to "Chest"'


@pytest.mark.parametrize("meters", [1.0, 0.01])
def test_the_command_line_prints_rules_to_paste(meters: float, tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    bolts()
    bpy.context.scene.unit_settings.scale_length = meters
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    capfd.readouterr()
    assert commands.command(["check", path, "--suggest-rules"]) == 0
    text = capfd.readouterr().out
    assert text.startswith("# 4 pairs, the deepest ")
    (rule,) = tomllib.loads(text)["ignore"]
    assert (rule["a"], rule["b"], rule["reason"]) == (["Bolt*"], ["Plate*"], "repeated in pairs of these names")
    assert rule["max_depth"] == pytest.approx(0.0022 * meters, rel=0.01)
    (tmp_path / "collision-kit.toml").write_text(text, encoding="utf-8")
    bpy.ops.wm.open_mainfile(filepath=path)
    report = api.check_collisions(scope="ALL")
    api.import_configuration(tmp_path / "collision-kit.toml")
    assert len(api.faults(report)) == 2
    assert commands.command(["check", path, "--suggest-rules", "--output", str(tmp_path / "more.toml")]) == 0
    assert (tmp_path / "more.toml").read_text(encoding="utf-8") == "# No rules to suggest.\n"


def test_a_tolerance_is_printed_with_the_option_and_with_what_remains(
    tmp_path: Path, capfd: pytest.CaptureFixture
) -> None:
    at = 0.0
    for name, depth in zip(
        ["Aa", "Bb", "Cc", "Dd", "Ee", "Ff"], [0.0013, 0.0012, 0.0004, 0.006, 0.1, 0.0], strict=True
    ):
        box(name, (at, 0.0, 0.0))
        at += 1.0 - depth
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    capfd.readouterr()
    assert commands.command(["check", path, "--suggest-rules"]) == 0
    text = capfd.readouterr().out
    assert "# 3 pairs, the deepest 0.0013 m: Aa × Bb\n# The same as --touching 2mm; the next pair is 0.006" in text
    assert "# With all of these rules 2 of 5 pairs remain, the worst 0.1" in text
    (rule,) = tomllib.loads(text)["ignore"]
    assert (rule["a"], rule["b"], rule["max_depth"]) == (["*"], ["*"], 0.002)
    commands.command(["check", path])
    assert "would take 3 of 5 pairs" in capfd.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (["--suggest-rules", "--format", "json"], "it writes TOML"),
        (["--suggest-rules", "--output", "collision-kit.toml"], "it is the configuration"),
    ],
)
def test_what_does_not_go_with_it(
    arguments: list[str], error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("collision-kit.toml").write_text("", encoding="utf-8")
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    capfd.readouterr()
    assert commands.command(["check", "scene.blend", *arguments]) == 2
    assert error in capfd.readouterr().err


def test_a_comment_of_a_nasty_name_stays_a_comment(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    for name, x in {'A\n"[x]': 0.0, "B": 0.9, "C": 5.0, "D": 9.0}.items():
        box(name, (x, 0.0, 0.0))
    bpy.data.objects["B"].parent = next(ob for ob in bpy.data.objects if ob.name.startswith("A"))
    bpy.data.objects["B"].location.x = 0.9
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    capfd.readouterr()
    assert commands.command(["check", path, "--suggest-rules", "--within"]) == 0
    assert len(tomllib.loads(capfd.readouterr().out)["ignore"]) == 1


# Motion


def test_what_stays_in_touch_in_an_animation_is_known_with_its_depths() -> None:
    floor = box("Floor", half=(20.0, 5.0, 0.5))
    slide = [(1, (-5.0, 0.0, 0.99)), (11, (5.0, 0.0, 0.99))]
    keyed(box("Slides"), "location", slide)
    keyed(box("Sinks"), "location", [(1, (0.0, 3.0, 0.99)), (11, (0.0, 3.0, 0.9))])
    keyed(box("Hops"), "location", [(1, (0.0, -3.0, 0.99)), (6, (0.0, -3.0, 1.5)), (11, (0.0, -3.0, 0.99))])
    keyed(box("Lands"), "location", [(1, (10.0, 0.0, 2.0)), (11, (10.0, 0.0, 0.99))])
    box("Rests", (-15.0, 0.0, 0.99))
    found = {a if b == "Floor" else b: contact for (a, b), contact in by_name(checked(start=1, end=11)).items()}
    assert {name: contact.unbroken for name, contact in found.items()} == {
        "Slides": True,
        "Sinks": True,
        "Hops": False,
        "Lands": False,
        "Rests": True,
    }
    assert found["Slides"].shallowest == pytest.approx(0.01, abs=1e-5)
    assert found["Sinks"].shallowest == pytest.approx(0.01, abs=1e-5)
    assert found["Sinks"].depth == pytest.approx(0.1, abs=1e-5)
    bpy.context.scene.frame_set(1)
    report = api.check_collisions(scope="ALL")
    assert len(api.faults(report)) == 4
    (one,) = [
        one
        for one in api.suggest_rules(report, motion=api.check_motion(scope="ALL", start=1, end=11))
        if one.evidence is SuggestionReason.MOTION
    ]
    assert [pattern.text for pattern in (*one.rule.a, *one.rule.b)] == [floor.name, "Slides"]
    assert one.rule.max_depth == pytest.approx(0.011, rel=0.01)
    assert one.rule.reason == "in touch from frame 1 to 11, about equally deep"


@pytest.mark.parametrize("meets", [1.0, 0.5])
def test_the_least_depth_is_that_of_the_deepest_shapes_in_each_sample(meets: float) -> None:
    """Sampled by checks of single frames: a block that turns in another one."""
    box("Block", half=(2.0, 2.0, 0.5))
    keyed(box("Turns", half=(1.5, 0.2, 0.5)), "rotation_euler", [(1, (0.0, 0.0, 0.0)), (13, (0.0, meets, 0.0))])
    bpy.data.objects["Turns"].location.z = 0.9
    (contact,) = checked(start=1, end=13).contacts
    depths = []
    for frame in range(1, 14):
        bpy.context.scene.frame_set(frame)
        (pair,) = api.check_collisions(scope="ALL").pairs
        depths.append(-pair.distance)
    assert contact.unbroken
    # Samples are at least the frames.
    assert contact.shallowest <= min(depths) + 1e-5
    assert contact.shallowest == pytest.approx(min(depths), rel=0.2)
