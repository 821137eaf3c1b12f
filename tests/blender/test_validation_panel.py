# SPDX-License-Identifier: GPL-3.0-or-later
"""Validations as they are seen: in the panel, on the command line, in Korean and in the documentation."""

import importlib.util
import json
import re
from pathlib import Path
from types import SimpleNamespace

import bpy
import pytest

from collision_kit.addon.cli import commands
from collision_kit.addon.engines.rules import RULES
from collision_kit.addon.i18n import lookup
from collision_kit.addon.i18n.catalogs import catalogs
from collision_kit.addon.i18n.rule_sentences import FIXED
from collision_kit.addon.scene.settings import issue_groups
from collision_kit.addon.session import validation_results
from collision_kit.addon.ui.panels.issue_list import COLLISION_KIT_UL_issues
from collision_kit.addon.ui.panels.validation import (
    COLLISION_KIT_PT_validation,
    COLLISION_KIT_PT_validation_done,
    COLLISION_KIT_PT_validation_limits,
)
from collision_kit.addon.validation.check import validate
from tests.helpers.blender.panel_recorder import Recorder, stand_in
from tests.helpers.blender.report_readers import outcomes, suite_of
from tests.helpers.blender.round_trip import FORMATS, through
from tests.helpers.blender.validated_scene import CORNERS, add

ROOT = Path(__file__).resolve().parents[2]

KOREAN = catalogs()["ko_KR"]


def draw(panel):
    layout = Recorder()
    panel.draw(SimpleNamespace(layout=layout), bpy.context)
    return layout


@pytest.fixture
def faulty(scene):
    """A crate whose collider has an uneven scale and a name that Unreal does not read."""
    validation_results.latest.forget()
    bpy.context.scene.collision_kit.engine = "UNREAL"
    add("UCX_Crat_01", parent=add("Crate"), scale=(1.0, 1.0, 1.4))


# The panel.


def test_the_panel_lists_rules_by_severity_with_what_to_do(faulty):
    assert "collision_kit.fix_issues" not in draw(COLLISION_KIT_PT_validation).operators
    bpy.ops.collision_kit.validate_colliders()
    shown = draw(COLLISION_KIT_PT_validation)
    text = " ".join(shown.texts)
    assert "1 error, 1 warning, 1 info" in shown.texts
    titles = [one.rule.title for one in kept().issues]
    assert titles == ["No Matching Mesh", "Unapplied Scale", "Collider Protrudes"]
    assert [shown_text for shown_text in shown.texts if shown_text in titles] == titles
    assert shown.lists == 3 * ["COLLISION_KIT_UL_issues"]
    assert "by 400 mm" in text.replace("\N{NO-BREAK SPACE}", " "), "in the unit of other panels"
    assert 'Name makes Unreal look for a mesh "Crat_01"' in text
    assert "Scale is 1 × 1 × 1.4 instead of 1" in text
    assert "Apply the scale." in text
    assert shown.operators.count("collision_kit.select_issue") == 3
    # One for all issues, and one for each rule with issues that can be fixed.
    assert shown.operators.count("collision_kit.fix_issues") == 1 + 2


def kept():
    found = validation_results.latest.result
    assert found is not None
    return found.report


def test_each_rule_has_a_line_whatever_it_counts(scene):
    names = [f"UCX_Crate{number}_01" for number in range(60)]
    for number, name in enumerate(names):
        add(name, parent=add(f"Crate{number}", location=(9.0 * number, 0.0, 0.0)), scale=(1.0, 1.0, 1.0 + number))
    bpy.ops.collision_kit.validate_colliders()
    shown = draw(COLLISION_KIT_PT_validation)
    (place,) = (place for place, text in enumerate(shown.texts) if text == "Unapplied Scale")
    assert shown.texts[place + 1] == "59"
    group = issue_groups(bpy.context.window_manager)["unapplied-scale"]
    assert len(group.rows) == 59
    row = stand_in(COLLISION_KIT_UL_issues)
    recorder = Recorder()
    row.draw_item(bpy.context, recorder, group, None, 0, None, "", 57, 0)
    assert recorder.texts == [names[58]] and recorder.operators == ["collision_kit.fix_issue"]
    group.active = 57
    assert [ob.name for ob in bpy.context.view_layer.objects.selected] == [names[58]]
    assert "Scale is 1 × 1 × 59 instead of 1" in " ".join(draw(COLLISION_KIT_PT_validation).texts)
    flags, order = stand_in(
        COLLISION_KIT_UL_issues, bitflag_filter_item=1, filter_name="crate7", use_filter_sort_alpha=True
    ).filter_items(bpy.context, group, "rows")
    assert [names[1 + place] for place, flag in enumerate(flags) if flag] == [names[7]]
    assert sorted(range(59), key=order.__getitem__) == sorted(range(59), key=lambda place: names[1 + place])


def test_all_objects_of_a_rule_are_selected_and_fixed(faulty):
    add("UCX_Crat_02", parent=bpy.data.objects["Crate"], scale=(2.0, 1.0, 1.0)).hide_set(True)
    gone = add("UCX_Crat_03", parent=bpy.data.objects["Crate"], scale=(3.0, 1.0, 1.0))
    bpy.ops.collision_kit.validate_colliders()
    bpy.data.objects.remove(gone)
    assert bpy.ops.collision_kit.select_issue(rule="unapplied-scale") == {"FINISHED"}
    assert {ob.name for ob in bpy.context.view_layer.objects.selected} == {"UCX_Crat_01", "UCX_Crat_02"}
    assert bpy.ops.collision_kit.select_issue(rule="flat") == {"CANCELLED"}
    assert bpy.ops.collision_kit.fix_issues(rule="unapplied-scale") == {"FINISHED"}
    assert {one.fix for one in kept().done} == {"apply"} and len(kept().done) == 2
    assert "unapplied-scale" not in kept().by_rule and "unreal-no-render-mesh" in kept().by_rule


def test_the_panel_says_what_was_repaired_and_what_is_old(faulty):
    bpy.ops.collision_kit.validate_colliders()
    assert not COLLISION_KIT_PT_validation_done.poll(bpy.context)
    bpy.ops.collision_kit.fix_issues()
    assert COLLISION_KIT_PT_validation_done.poll(bpy.context)
    assert '"UCX_Crat_01": applied scale' in draw(COLLISION_KIT_PT_validation_done).texts
    bpy.data.objects["Crate"].location.x += 1.0
    bpy.context.view_layer.update()
    assert "has changed" in " ".join(draw(COLLISION_KIT_PT_validation).texts)


def test_the_panel_says_so_if_there_is_nothing(scene):
    add("UCX_Crate_01", parent=add("Crate"))
    bpy.ops.collision_kit.validate_colliders()
    assert "1 collider validated. No issues" in " ".join(draw(COLLISION_KIT_PT_validation).texts)


def test_limits_are_settings(scene):
    assert len(draw(COLLISION_KIT_PT_validation_limits).props) == 5


# The command line.


def run(capfd, *arguments):
    capfd.readouterr()
    code = commands.command(["validate", *arguments])
    output, error = capfd.readouterr()
    return code, output, [line for line in error.splitlines() if line.startswith("error")]


@pytest.fixture
def file(faulty, tmp_path):
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return str(path)


def test_text_says_what_is_wrong_and_what_to_do(file, capfd):
    code, output, _ = run(capfd, file, "--engine", "unreal")
    assert code == 1
    lines = output.splitlines()
    counted = "1 body with 1 collider validated for unreal, 1 error, 1 warning, 1 info"
    assert lines[0] == f"scene.blend, scene Scene: {counted}"
    assert lines[2].split() == ["error", "UCX_Crat_01", "[unreal-no-render-mesh]"]
    assert 'Name makes Unreal look for a mesh "Crat_01"' in lines[3]


def test_json_has_every_issue(file, capfd):
    code, output, _ = run(capfd, file, "--engine", "unreal", "--format", "json", "--smallest", "5m")
    assert code == 1
    report = json.loads(output)
    assert report["counts"] == {"error": 1, "warning": 2, "info": 1}
    assert report["limits"]["smallest"] == 5.0
    small = next(one for one in report["findings"] if one["id"] == "too-small")
    assert small["values"] == {"length": pytest.approx(2.0)}
    assert "2 m" in small["message"]
    assert not small["fixable"]
    scaled = next(one for one in report["findings"] if one["id"] == "unapplied-scale")
    assert (scaled["object"], scaled["severity"], scaled["engine"], scaled["fixable"]) == (
        "UCX_Crat_01",
        "warning",
        "any",
        True,
    )


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ((), 0),
        (("--fail-on", "warning"), 1),
        (("--engine", "unreal"), 1),
        (("--engine", "unreal", "--fail-on", "none"), 0),
        (("--engine", "gltf", "--fail-on", "info"), 1),
        (("--engine", "quake"), 2),
        (("--fail-on", "everything"), 2),
        (("--vertices", "3"), 2),
        (("--scope", "collection:None"), 2),
    ],
)
def test_exit_codes(file, capfd, arguments, code):
    answer, output, errors = run(capfd, file, *arguments)
    assert answer == code
    assert (len(errors), bool(output)) == ((1, False) if code == 2 else (0, True))


def test_output_goes_into_a_file(file, capfd, tmp_path):
    target = tmp_path / "report.txt"
    _, output, _ = run(capfd, file, "--output", str(target))
    assert output == ""
    assert "unapplied-scale" in target.read_text(encoding="utf-8")


# Names and places that files keep.


def test_what_was_repaired_is_sound_after_an_export(scene, tmp_path):
    parent = add("Crate", scale=(1.0, 2.0, 1.0), rotation_euler=(0.0, 0.0, 0.5))
    add("UBX_Crat_01", CORNERS, parent=parent, rotation_euler=(0.0, 0.0, 0.25))
    bpy.context.scene.collision_kit.engine = "UNREAL"
    bpy.ops.collision_kit.validate_colliders()
    bpy.ops.collision_kit.fix_issues()
    before = {(one.rule.id, one.object) for one in validate(bpy.context, "unreal").issues}
    errors = {name for rule, name in before if rule in {one.id for one in RULES if one.severity == "error"}}
    for _ in through(list(FORMATS), tmp_path):
        bpy.context.view_layer.update()
        found = validate(bpy.context, "unreal").issues
        assert {one.object for one in found if one.rule.severity == "error"} == errors
        assert {ob.name for ob in bpy.context.scene.objects} >= {"Crate"}


# Texts.


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.id)
def test_each_rule_is_there_in_korean(rule, monkeypatch):
    monkeypatch.setattr(lookup, "pgettext_iface", lambda text, context="*": KOREAN.get((context, text), text))
    for text in (rule.title, rule.sentence, rule.advice):
        korean = lookup.label_(text)
        assert re.search("[가-힣]", korean)
        assert sorted(re.findall(r"\{[a-z]+\}", korean)) == sorted(re.findall(r"\{[a-z]+\}", text))


def test_repairs_are_there_in_korean():
    assert {("*", text) for text in FIXED.values()} <= set(KOREAN)


def test_the_list_of_rules_is_what_the_code_says():
    spec = importlib.util.spec_from_file_location("rule_list", ROOT / "scripts" / "rule_list.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    for name, made in module.PAGES.items():
        written = (ROOT / "docs" / name).read_text(encoding="utf-8")
        assert written == made(), f"docs/{name} is not up to date: run python scripts/rule_list.py"
        assert all(f"`{rule.id}`" in written for rule in RULES)
    rows = [line for line in written.splitlines() if line.startswith("| `")]
    assert [row for row in rows if not all(re.search("[가-힣]|—", cell) for cell in row.split("|")[2:-1])] == []


@pytest.mark.parametrize("fail_on", ["error", "warning", "info", "none"])
def test_build_servers_get_a_test_for_each_issue(file, capfd, fail_on):
    arguments = (file, "--engine", "unreal", "--fail-on", fail_on)
    issues = json.loads(run(capfd, *arguments, "--format", "json")[1])["findings"]
    assert {found["severity"] for found in issues} == {"error", "warning", "info"}
    code, output, _ = run(capfd, *arguments, "--format", "junit")
    suite = suite_of(output)
    names = [case.get("name") for case in suite.findall("testcase")]
    assert names == [f"{found['object']}: {found['id']}" for found in issues]
    order = ("error", "warning", "info")
    bad = order[: order.index(fail_on) + 1] if fail_on != "none" else ()
    expected = ["failure" if found["severity"] in bad else "passed" for found in issues]
    assert (outcomes(suite), code) == (expected, int("failure" in expected))
