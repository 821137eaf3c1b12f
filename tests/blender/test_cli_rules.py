# SPDX-License-Identifier: GPL-3.0-or-later
"""Named tests, ignore rules, accepted depths and baselines on the command line."""

import json
import re
from html import unescape

import bpy
import pytest

from collision_kit.addon.cli import commands
from collision_kit.addon.scene import accepted_pairs
from collision_kit.addon.scene.settings import NAME


@pytest.fixture
def folder(tmp_path):
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    return tmp_path


def cubes(**places):
    """Cubes of side 1 along X."""
    for name, x in places.items():
        bpy.ops.mesh.primitive_cube_add(size=1.0, location=(x, 0.0, 0.0))
        bpy.context.object.name = name


def saved(folder, name="scene.blend"):
    path = folder / name
    bpy.ops.wm.save_as_mainfile(filepath=str(path), compress=False)
    return str(path)


def config(folder, text):
    (folder / "collision-kit.toml").write_text(text, encoding="utf-8")


def run(capfd, *arguments):
    """Exit code, standard output and standard error of one command."""
    capfd.readouterr()
    code = commands.command(arguments)
    output, error = capfd.readouterr()
    return code, output, "\n".join(line for line in error.splitlines() if line.startswith("error"))


def report(capfd, *arguments):
    """Exit code and JSON report of a check."""
    code, output, error = run(capfd, "check", *arguments, "--format", "json")
    assert output, error
    return code, json.loads(output)


def pairs(found, *fields):
    return {(pair["a"], pair["b"]): tuple(pair[field] for field in fields) for pair in found["pairs"]}


def test_a_rule_takes_pairs_up_to_its_depth_and_none_deeper(folder, capfd):
    # 1 mm, 2 mm and 3 mm deep.
    cubes(Plate1=0, Bolt1=0.999, Plate2=5, Bolt2=5.998, Plate3=10, Bolt3=10.997)
    rule = '[[ignore]]\na = ["Bolt*"]\nb = ["Plate*"]\nmax_depth = "2mm"\nreason = "pressed in"\n'
    path = saved(folder)
    config(folder, rule + '[[ignore]]\na = "Nut*"\n')
    code, found = report(capfd, path)
    assert code == 1
    assert pairs(found, "ignored") == {
        ("Bolt1", "Plate1"): ("pressed in",),
        ("Bolt2", "Plate2"): ("pressed in",),
        ("Bolt3", "Plate3"): (None,),
    }
    assert [rule["pairs"] for rule in found["ignore"]] == [2, 0]
    assert found["ignored_counts"]["penetrating"] == 2
    code, output, _ = run(capfd, "check", path)
    assert (
        output.splitlines()[0]
        == "scene.blend, scene Scene, frame 1: 6 bodies tested, 1 penetrating, 2 ignored by rules"
    )
    lines = [" ".join(line.split()) for line in output.splitlines()]
    assert "2 pairs Bolt* × Plate* pressed in" in lines
    assert "no pair Nut* × anything" in lines
    config(folder, rule.replace("2mm", "3mm"))
    assert run(capfd, "check", path)[0] == 0


@pytest.mark.parametrize("command", ["check", "motion"])
def test_every_report_names_the_configuration_in_force(folder, capfd, command):
    cubes(A=0, B=0.5)
    path, own = saved(folder), folder / "collision-kit.toml"
    _, output, _ = run(capfd, command, path, "--format", "json")
    assert json.loads(output)["configuration"] is None
    config(folder, "[check]\nclearance = 0.0\n")
    other = folder / "other.toml"
    other.write_text("")
    for options, used in (((), own), (("--config", str(other)), other)):
        said = {
            kind: run(capfd, command, path, *options, "--format", kind)[1] for kind in ("text", "json", "junit", "html")
        }
        assert json.loads(said["json"])["configuration"] == used.as_posix()
        assert f"configuration {used}" in said["text"].splitlines()
        assert f'<property name="configuration" value="{used}" />' in said["junit"]
        assert f"<dt>Configuration</dt><dd>{used}</dd>" in said["html"]


def test_a_rule_without_a_second_side_takes_any_pair_of_the_first(folder, capfd):
    cubes(A=0, B=0.5, C=0.9)
    path = saved(folder)
    config(folder, '[[ignore]]\na = "B"\n')
    code, found = report(capfd, path)
    assert pairs(found, "ignored") == {("A", "B"): ("",), ("B", "C"): ("",), ("A", "C"): (None,)}
    assert code == 1
    text = run(capfd, "check", path, "--format", "junit")[1]
    assert text.count("<skipped") == 2
    assert text.count("<failure") == 1


def test_patterns_find_collections_materials_and_types(folder, capfd):
    cubes(A=0, B=0.9, C=1.8, D=2.7)
    outer, inner = bpy.data.collections.new("Outer"), bpy.data.collections.new("Inner")
    bpy.context.scene.collection.children.link(outer)
    outer.children.link(inner)
    inner.objects.link(bpy.data.objects["A"])
    bpy.data.objects["C"].data.materials.append(bpy.data.materials.new("Rubber"))
    path = saved(folder)
    for pattern, expected in {
        "collection:Outer": {("A", "B")},
        "material:Rub*": {("B", "C"), ("C", "D")},
        "type:mesh": {("A", "B"), ("B", "C"), ("C", "D")},
        "type:CURVE": set(),
    }.items():
        config(folder, f'[[ignore]]\na = "{pattern}"\n')
        found = report(capfd, path)[1]
        assert {names for names, (reason,) in pairs(found, "ignored").items() if reason is not None} == expected


def test_each_test_has_its_own_sides_tolerances_and_severity(folder, capfd):
    # Door and Wall are 8 mm apart, Door and Frame 10 mm deep. Whether others collide is not tested.
    cubes(Door=0, Wall=1.008, Frame=-0.99, Cup=50, Cup2=50.5)
    path = saved(folder)
    config(
        folder,
        '[[test]]\nname = "doors"\na = "Door"\nb = ["Wall", "Frame"]\nclearance = "9mm"\n'
        '[[test]]\nname = "cups"\na = "Cup*"\nseverity = "warning"\n',
    )
    code, found = report(capfd, path)
    assert code == 1
    assert pairs(found, "verdict", "test", "severity") == {
        ("Cup", "Cup2"): ("penetrating", "cups", "warning"),
        ("Door", "Frame"): ("penetrating", "doors", "error"),
        ("Door", "Wall"): ("within_clearance", "doors", "error"),
    }
    assert [(test["name"], test["pairs"]) for test in found["tests"]] == [("doors", 2), ("cups", 1)]
    # A warning does not fail a check; a clearance that is broken does if that is asked for.
    config(folder, '[[test]]\nname = "cups"\na = "Cup*"\nseverity = "warning"\n')
    assert run(capfd, "check", path)[0] == 0
    clearance = '[check]\nfail_on = ["within_clearance"]\n[[test]]\nname = "d"\na = "Door"\nb = "Wall"\nclearance = '
    config(folder, clearance + '"9mm"\n')
    assert run(capfd, "check", path)[0] == 1
    config(folder, clearance + '"7mm"\n')
    assert run(capfd, "check", path)[0] == 0


def test_a_side_that_matches_nothing_is_a_warning(folder, capfd):
    cubes(A=0, B=5)
    path = saved(folder)
    config(folder, '[[test]]\nname = "t"\na = "A"\nb = ["Bx", "Cx"]\n[[test]]\nname = "u"\na = "*"\n')
    code, found = report(capfd, path)
    (warning,) = found["findings"]
    assert code == 0
    assert (warning["id"], warning["severity"], warning["object"]) == ("test-without-objects", "warning", "t")
    assert warning["message"] == "No tested object matches Bx, Cx."


def test_a_pair_that_two_tests_find_is_listed_for_each(folder, capfd):
    cubes(A=0, B=1.005)
    path = saved(folder)
    config(
        folder,
        '[[test]]\nname = "near"\na = "A"\nclearance = "10mm"\nb = "*"\n'
        '[[test]]\nname = "loose"\na = "*"\ntouching = "6mm"\n[[test]]\nname = "usual"\na = "*"\n',
    )
    found = report(capfd, path)[1]
    assert [(pair["test"], pair["verdict"]) for pair in found["pairs"]] == [
        ("loose", "touching"),
        ("near", "within_clearance"),
    ]
    assert len({pair["id"] for pair in found["pairs"]}) == 2
    output = run(capfd, "check", path, "--format", "junit")[1]
    assert re.findall(r'testcase name="(.*?)"', output) == ["loose: A × B", "near: A × B"]
    page = re.sub("<[^>]*>", "", run(capfd, "check", path, "--format", "html")[1])
    assert all(line in page for line in ("1 pair: near error", "1 pair: loose error", "no pair: usual error"))
    lines = [" ".join(line.split()) for line in run(capfd, "check", path)[1].splitlines()]
    assert lines[-3:] == ["1 pair near error", "1 pair loose error", "no pair usual error"]


def test_options_of_the_command_line_go_before_those_of_the_file(folder, capfd):
    cubes(A=0, B=1.05)
    path = saved(folder)
    config(folder, '[check]\nclearance = "10cm"\nfail_on = "within_clearance"\n')
    assert run(capfd, "check", path)[0] == 1
    assert run(capfd, "check", path, "--clearance", "1cm")[0] == 0
    assert run(capfd, "check", path, "--fail-on", "none")[0] == 0
    other = folder / "other.toml"
    other.write_text("[check]\nclearance = 0.01\n", encoding="utf-8")
    assert run(capfd, "check", path, "--config", str(other))[0] == 0


def test_a_scope_of_the_command_line_takes_no_other_side_from_the_file(folder, capfd):
    cubes(A=0, B=0.5)
    collection = bpy.data.collections.new("One")
    bpy.context.scene.collection.children.link(collection)
    collection.objects.link(bpy.data.objects["A"])
    path = saved(folder)
    config(folder, '[check]\nscope = "collection:One"\nagainst = "One"\n')
    code, output, error = run(capfd, "check", path)
    assert (code, error) == (0, "") and "only 1 body has a collision shape" in output
    assert run(capfd, "check", path, "--scope", "all")[0] == 1


def test_a_bad_configuration_is_one_line_and_exit_code_2(folder, capfd):
    cubes(A=0, B=0.5)
    path = saved(folder)
    config(folder, "[check]\nclearence = 1\n")
    code, output, error = run(capfd, "check", path)
    assert (code, output) == (2, "")
    assert re.fullmatch(r"error: .*collision-kit\.toml: check\.clearence: unknown key; known keys are .*", error)
    code, _, error = run(capfd, "check", path, "--config", str(folder / "none.toml"))
    assert code == 2
    assert "none.toml: cannot be read" in error


@pytest.mark.parametrize(("depth", "code"), [(0.25, 0), (0.24, 0), (0.26, 1)])
def test_an_accepted_pair_that_has_become_deeper_fails_again(folder, capfd, depth, code):
    cubes(A=0, B=0.75)
    scene = bpy.context.scene
    keys = frozenset(key_of(bpy.data.objects[name]) for name in "AB")
    accepted_pairs.accept(scene, {keys: 0.25}, "glued")
    bpy.data.objects["B"].location.x = 1.0 - depth
    path = saved(folder)
    found_code, found = report(capfd, path)
    assert found_code == code
    (pair,) = found["pairs"]
    assert pair["accepted"] == (None if code else "glued")
    assert pair["accepted_depth"] == (0.25 if code else None)
    assert ("was accepted at 0.25 m" in run(capfd, "check", path)[1]) == bool(code)


def test_what_was_accepted_before_depths_were_stored_stays_accepted(folder, capfd):
    cubes(A=0, B=0.75)
    keys = frozenset(key_of(bpy.data.objects[name]) for name in "AB")
    accepted_pairs.accept(bpy.context.scene, {keys: 0.25}, "glued")
    getattr(bpy.context.scene, NAME).accepted[0].property_unset("depth")
    bpy.data.objects["B"].location.x = 0.1
    assert run(capfd, "check", saved(folder))[0] == 0


def key_of(ob):
    from collision_kit.addon.model.report import ObjectKey

    return ObjectKey(ob.session_uid)


def test_against_a_baseline_only_what_is_new_or_deeper_fails(folder, capfd):
    cubes(A=0, B=0.75, C=10, D=10.5, E=20, F=20.5)
    path, before = saved(folder), str(folder / "before.json")
    assert run(capfd, "check", path, "--output", before)[0] == 1
    code, found = report(capfd, path, "--baseline", before)
    assert code == 0
    assert set(pairs(found, "new", "worse").values()) == {(False, False)}
    assert found["gone"] == []
    # One pair becomes deeper, one less deep, one is gone, and one is new.
    bpy.data.objects["B"].location.x = 0.7
    bpy.data.objects["D"].location.x = 10.6
    bpy.data.objects["F"].location.x = 30
    cubes(G=10.9)
    code, found = report(capfd, saved(folder), "--baseline", before)
    assert code == 1
    assert pairs(found, "new", "worse") == {
        ("A", "B"): (False, True),
        ("C", "D"): (False, False),
        ("C", "G"): (True, False),
        ("D", "G"): (True, False),
    }
    assert [(pair["a"], pair["b"]) for pair in found["gone"]] == [("E", "F")]
    bpy.data.objects["B"].location.x = 0.75
    bpy.data.objects.remove(bpy.data.objects["G"])
    code, output, _ = run(capfd, "check", saved(folder), "--baseline", before)
    assert code == 0
    assert "Resolved since the previous check:" in output


def test_one_file_is_compared_with_its_own_report_in_one_on_many(folder, capfd):
    cubes(A=0, B=0.75, C=10, D=10.5)
    path, before = saved(folder), folder / "before.json"
    own = json.loads(run(capfd, "check", path, "--format", "json")[1])
    other = {**own, "pairs": []}

    def project(home, **reports):
        files = [{"path": name.replace("__", "/"), "report": one} for name, one in reports.items()]
        content = {"schema_version": 1, "kind": "project", "command": "check", "folder": str(home), "files": files}
        before.write_text(json.dumps(content).replace("_blend", ".blend"), encoding="utf-8")
        return run(capfd, "check", path, "--baseline", str(before))

    assert project(folder, other_blend=other, scene_blend=own)[0] == 0
    assert project(folder, other_blend=own, scene_blend=other)[0] == 1
    # On another machine the folder is another one: the longest path counts.
    name = f"{folder.name}__scene_blend"
    assert project("/elsewhere", scene_blend=other, **{name: own})[0] == 0
    assert project("/elsewhere", scene_blend=own, **{name: other})[0] == 1
    assert project(folder, scene_blend=None)[0] == 1, "all pairs are new"
    code, _, error = project(folder, other_blend=own)
    assert (code, error) == (2, f"error: {before}: a report on many files, of which none is {path}")


def test_neither_the_baseline_nor_the_configuration_is_written_to(folder, capfd):
    cubes(A=0, B=0.75)
    path, before = saved(folder), str(folder / "before.json")
    run(capfd, "check", path, "--output", before)
    config(folder, "[check]\n")
    contents = [(folder / name).read_bytes() for name in ("before.json", "collision-kit.toml")]
    code, _, error = run(capfd, "check", path, "--baseline", before, "--output", before)
    assert (code, error.endswith("it is the baseline")) == (2, True)
    code, _, error = run(capfd, "check", path, "--format", "json", "--output", str(folder / "collision-kit.toml"))
    assert (code, error.endswith("it is the configuration")) == (2, True)
    assert contents == [(folder / name).read_bytes() for name in ("before.json", "collision-kit.toml")]


def test_ids_of_pairs_do_not_depend_on_order_and_place(folder, capfd):
    cubes(A=0, B=0.75)
    first = report(capfd, saved(folder))[1]["pairs"][0]["id"]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    cubes(B=3, A=3.5, C=3.9)
    found = {(pair["a"], pair["b"]): pair["id"] for pair in report(capfd, saved(folder, "other.blend"))[1]["pairs"]}
    assert found["A", "B"] == first
    assert len(set(found.values())) == 3


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "not a JSON file"),
        ("[]", "not a JSON report"),
        ("{}", "not a JSON report"),
        (None, "cannot be read"),
        ('{"schema_version": 99}', "another version"),
        ('{"schema_version": 1, "contacts": []}', "not a JSON report"),
        ("[" * 100_000, "not a JSON file"),
        (f'{{"schema_version": 1, "units": {{"unit_scale": 1{"0" * 400}}}, "pairs": []}}', "not a JSON report"),
    ],
)
def test_a_baseline_that_is_none_is_one_line(folder, capfd, text, expected):
    cubes(A=0, B=0.75)
    before = folder / "before.json"
    if text is not None:
        before.write_text(text, encoding="utf-8")
    code, output, error = run(capfd, "check", saved(folder), "--baseline", str(before))
    assert (code, output) == (2, "")
    assert expected in error


def test_the_page_has_a_table_of_the_collections_of_the_objects(folder, capfd):
    cubes(A=0, B=0.75, C=10, D=10.5)
    for name, members in {"Doors": "AC", "Walls": "B"}.items():
        collection = bpy.data.collections.new(name)
        bpy.context.scene.collection.children.link(collection)
        for member in members:
            collection.objects.link(bpy.data.objects[member])
            bpy.context.scene.collection.objects.unlink(bpy.data.objects[member])
    page = run(capfd, "check", saved(folder), "--format", "html")[1]
    assert re.findall(r'<th scope="row">(?:<bdi>)?([^<]*)', page) == ["Scene Collection", "Doors", "Walls"]
    between = [json.loads(unescape(one)) for one in re.findall(r'<button[^>]*data-between="([^"]*)"', page)]
    assert between == [["", "Doors"], ["Doors", "Walls"]]
