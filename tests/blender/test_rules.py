# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests and ignore rules that a scene stores: the panel, the operators, the functions and the command line."""

from pathlib import Path

import bpy
import pytest

from collision_kit import api
from collision_kit.addon.cli import commands
from collision_kit.addon.scene.settings import check_settings
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.result_list import rows as results_rows
from collision_kit.core import Verdict
from tests.helpers.blender.checked_scene import add_cube

ops = bpy.ops.collision_kit


@pytest.fixture(autouse=True)
def bolts(scene: bpy.types.Scene) -> None:
    """A bolt 0.1 deep in a plate, a nut 0.3 deep in another, and a wall beside a door, 0.05 apart."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for name, x in {"Plate": 0.0, "Bolt": 1.9, "Plate2": 10.0, "Nut": 11.7, "Wall": 20.0, "Door": 22.05}.items():
        add_cube(name, x)


def settings() -> object:
    return bpy.context.scene.collision_kit


def found() -> dict[tuple[str, str], str | None]:
    """The pairs of the last check, and why they are ignored."""
    marks, report = results_rows.marks(), last_check.report
    assert report is not None
    return {api.names(report, pair): marks.reason(row) for row, pair in enumerate(report.pairs)}


def test_a_rule_takes_effect_at_once_and_is_undone() -> None:
    ops.check_collisions()
    assert found() == {("Bolt", "Plate"): None, ("Nut", "Plate2"): None}
    bpy.ops.ed.undo_push(message="before")
    last_check.chosen = next(
        row for row, pair in enumerate(last_check.report.pairs) if api.names(last_check.report, pair)[0] == "Bolt"
    )
    assert ops.ignore_pair(reason="pressed in") == {"FINISHED"}
    bpy.ops.ed.undo_push(message="ignored")
    assert found() == {("Bolt", "Plate"): "pressed in", ("Nut", "Plate2"): None}
    settings().ignore_rules[0].side_a = '"Bolt", type:CURVE, Nu*'
    settings().ignore_rules[0].side_b = ""
    assert set(found().values()) == {"pressed in"}
    settings().ignore_rules[0].use_max_depth = True
    settings().ignore_rules[0].max_depth = 0.2
    assert found() == {("Bolt", "Plate"): "pressed in", ("Nut", "Plate2"): None}
    assert results_rows.marks().uses() == [1]
    bpy.ops.ed.undo()
    assert set(found().values()) == {None}


def test_a_test_limits_what_is_checked_and_sets_its_clearance() -> None:
    ops.edit_rules(what="TESTS", action="ADD")
    test = settings().tests[0]
    assert (test.label, settings().active_test) == ("Test 1", 0)
    test.side_a, test.side_b, test.use_clearance, test.clearance = "Door", "Wall", True, 0.06
    ops.check_collisions()
    assert [pair.verdict for pair in last_check.report.pairs] == [Verdict.WITHIN_CLEARANCE]
    assert last_check.report.test_counts == [1]
    test.clearance = 0.04
    ops.check_collisions()
    assert last_check.report.pairs == ()
    test.side_a = test.side_b = ""
    ops.check_collisions()
    assert [pair.verdict for pair in last_check.report.pairs] == [Verdict.PENETRATING] * 2


def test_a_changed_test_makes_results_old() -> None:
    ops.check_collisions()
    assert last_check.change_for(check_settings(bpy.context)) is None
    ops.edit_rules(what="TESTS", action="ADD")
    assert last_check.change_for(check_settings(bpy.context)) is not None


def test_entries_are_added_removed_and_moved() -> None:
    for _ in range(3):
        ops.edit_rules(what="TESTS", action="ADD")
    names = [test.label for test in settings().tests]
    assert names == ["Test 1", "Test 2", "Test 3"]
    ops.edit_rules(what="TESTS", action="UP")
    assert ([test.label for test in settings().tests], settings().active_test) == (["Test 1", "Test 3", "Test 2"], 1)
    ops.edit_rules(what="TESTS", action="REMOVE")
    assert ([test.label for test in settings().tests], settings().active_test) == (["Test 1", "Test 2"], 1)
    assert ops.edit_rules(what="TESTS", action="DOWN") == {"CANCELLED"}
    ops.edit_rules(what="TESTS", action="ADD")
    assert settings().tests[2].label == "Test 3"
    assert ops.edit_rules(what="IGNORE", action="REMOVE") == {"CANCELLED"}
    ops.edit_rules(what="IGNORE", action="ADD")
    ops.check_collisions()
    assert results_rows.marks().uses() == [0], "a rule without patterns takes no pair"


def test_what_is_exported_is_imported_into_a_scene_of_other_units(tmp_path: Path) -> None:
    path = str(tmp_path / "collision-kit.toml")
    tests = (api.PairTest("a, b", a=["Plate*", 'quote", comma'], b=["type:MESH"], touching=0.25, severity="info"),)
    rules = (api.IgnoreRule(a=["Bolt*"], max_depth=0.5, reason="pressed in"), api.IgnoreRule(a=["x"], b=["y"]))
    api.set_pair_tests(tests)
    api.set_ignore_rules(rules)
    settings().clearance = 0.5
    assert (api.pair_tests(), api.ignore_rules()) == (tests, rules)
    assert ops.export_configuration(filepath=path) == {"FINISHED"}
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.context.scene.unit_settings.scale_length = 0.5
    assert ops.import_configuration(filepath=path) == {"FINISHED"}
    assert (settings().clearance, settings().touching_mode) == (1.0, "AUTOMATIC")
    (test,), (bolts, others) = api.pair_tests(), api.ignore_rules()
    assert (test.a, test.b, test.touching, test.severity) == (tests[0].a, tests[0].b, 0.5, "info")
    assert (bolts.max_depth, bolts.reason, others) == (1.0, "pressed in", rules[1])


@pytest.mark.parametrize(
    ("tests", "rules", "reason"),
    [
        ([("One", "*"), (" ", "*")], [], r"test\[2\]\.name: must not be empty"),
        ([("One", "*"), ("One", "*")], [], r"test\[2\]\.name: there is another test named 'One'"),
        ([("One", "Door, collection:")], [], r"test\[1\]\.a: 'collection:' is not a pattern of names"),
        ([], [""], r"ignore\[1\]\.a: must have at least one pattern"),
    ],
)
def test_what_could_not_be_imported_is_not_exported(tmp_path: Path, tests, rules, reason) -> None:
    for name, side in tests:
        one = settings().tests.add()
        one.label, one.side_a = name, side
    for side in rules:
        settings().ignore_rules.add().side_a = side
    path = tmp_path / "collision-kit.toml"
    with pytest.raises(RuntimeError, match=reason):
        ops.export_configuration(filepath=str(path))
    with pytest.raises(ValueError, match=reason):
        api.export_configuration(path)
    assert not path.exists()


def test_a_bad_file_changes_nothing_and_says_why(tmp_path: Path) -> None:
    path = tmp_path / "collision-kit.toml"
    path.write_text('[[ignore]]\na = "x"\n[[test]]\n', encoding="utf-8")
    api.set_ignore_rules([api.IgnoreRule(a=["Bolt"])])
    with pytest.raises(RuntimeError, match=r"test\[1\]\.name: is missing"):
        ops.import_configuration(filepath=str(path))
    with pytest.raises(ValueError, match=r"test\[1\]\.name: is missing"):
        api.import_configuration(path)
    assert api.ignore_rules() == (api.IgnoreRule(a=["Bolt"]),)
    with pytest.raises(RuntimeError, match="Cannot write"):
        ops.export_configuration(filepath=str(tmp_path / "none" / "x.toml"))


def test_the_command_line_uses_what_the_file_stores_unless_there_is_a_configuration(tmp_path: Path) -> None:
    api.set_ignore_rules([api.IgnoreRule(a=["Bolt", "Nut"])])
    path = str(tmp_path / "scene.blend")
    bpy.ops.wm.save_as_mainfile(filepath=path)
    assert commands.command(["check", path]) == 0
    (tmp_path / "collision-kit.toml").write_text("", encoding="utf-8")
    assert commands.command(["check", path]) == 1


def test_scripts_get_the_same() -> None:
    tests = [api.PairTest("doors", a="Door", b=["Wall"], clearance=0.1)]
    report = api.check_collisions(scope="ALL", tests=tests)
    assert [report.test_of(pair).name for pair in report.pairs] == ["doors"]
    report = api.check_collisions(scope="ALL")
    assert len(api.faults(report)) == 2
    rule = api.ignore_pair(report, api.faults(report)[0], reason="meant")
    assert rule in api.ignore_rules()
    assert len(api.faults(report)) == 1
    for wrong in ("x", [1]):
        with pytest.raises(ValueError, match=r"^(tests|rules): "):
            api.set_pair_tests(wrong)
    with pytest.raises(ValueError, match=r"^tests: "):
        api.check_collisions(tests=["doors"])
    with pytest.raises(ValueError, match="not a pattern"):
        api.PairTest("x", a=["material:"])


def test_live_mode_tests_the_whole_scope_and_ignores_by_rule() -> None:
    from tests.helpers.blender.live_scene import settle

    api.set_pair_tests([api.PairTest("doors", a="Door", b=["Wall"])])
    api.set_ignore_rules([api.IgnoreRule(a=["Bolt"])])
    bpy.context.window_manager.collision_kit.live = True
    settle()
    assert found() == {("Bolt", "Plate"): "", ("Nut", "Plate2"): None}
    bpy.context.window_manager.collision_kit.live = False
