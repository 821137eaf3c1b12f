# SPDX-License-Identifier: GPL-3.0-or-later
"""The file collision-kit.toml: what it says, where it is found, what is wrong with it, and that it is written back."""

import os
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from collision_kit.addon.config import CheckOptions, Config, find, load, written
from collision_kit.addon.model.errors import CommandError, UserError
from collision_kit.addon.model.rules import IgnoreRule, Labels, PairTest, Pattern, matching
from collision_kit.command import usage
from collision_kit.core import Verdict

EVERYTHING = """
[check]
scope = "collection:Level 1"
against = "Props"
touching = "0.1mm"
clearance = 0.005
plane = "xy"
include_operands = true
allow_empty = false
fail_on = ["penetrating", "within_clearance"]

[[test]]
name = "doors"
a = ["collection:Doors"]
b = ["Wall*", "Frame*"]
clearance = "10mm"
severity = "warning"

[[test]]
name = "everything"
a = "*"

[[ignore]]
a = ["Bolt*"]
b = ["Plate*"]
max_depth = "2mm"
reason = "pressed in"

[[ignore]]
a = "library:props.blend"

[names]
unreal = "{prefix}_{mesh}_{index}"
godot = "{mesh}_{index}-{suffix}"
"""


def patterns(*texts: str) -> tuple[Pattern, ...]:
    return tuple(map(Pattern.read, texts))


def saved(folder: Path, text: str) -> Path:
    path = folder / "collision-kit.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_key_is_read(tmp_path: Path) -> None:
    config = load(saved(tmp_path, EVERYTHING))
    assert config.check == CheckOptions(
        scope=("COLLECTION", "Level 1"),
        against="Props",
        touching=1e-4,
        clearance=0.005,
        plane="xy",
        include_operands=True,
        allow_empty=False,
        fail_on=frozenset({Verdict.PENETRATING, Verdict.WITHIN_CLEARANCE}),
    )
    doors = PairTest("doors", patterns("collection:Doors"), patterns("Wall*", "Frame*"), None, 0.01, "warning")
    assert config.tests == (doors, PairTest("everything", patterns("*")))
    bolts = IgnoreRule(patterns("Bolt*"), patterns("Plate*"), 0.002, "pressed in")
    assert config.ignore == (bolts, IgnoreRule(patterns("library:props.blend")))
    assert config.names == (("unreal", "{prefix}_{mesh}_{index}"), ("godot", "{mesh}_{index}-{suffix}"))


def test_units_are_read_in_lower_and_upper_case(tmp_path: Path) -> None:
    texts = {"30cm": 0.3, "30CM": 0.3, "30 Cm": 0.3, "5mm": 0.005, "5MM": 0.005, "5Mm": 0.005, "5mM": 0.005}
    texts |= {"2m": 2.0, "2M": 2.0, "2": 2.0, "1E-3M": 0.001, "1e-3 m": 0.001}
    for text, meters in texts.items():
        found = load(saved(tmp_path, f'[check]\nclearance = "{text}"\n')).check.clearance
        given = usage.read(["check", "a.blend", "--clearance", text]).options.check.clearance
        assert found == given == pytest.approx(meters, rel=1e-15)
    for text in ("30CMM", "30km", "30µm", "5 in", "CM", "1MM2", "-1CM", "infM", ""):
        with pytest.raises(UserError, match="is not a length"):
            load(saved(tmp_path, f'[check]\nclearance = "{text}"\n'))
        with pytest.raises(SystemExit):
            usage.read(["check", "a.blend", f"--clearance={text}"])


def test_an_empty_file_says_nothing(tmp_path: Path) -> None:
    assert load(saved(tmp_path, "")) == Config()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[check", "not a TOML file"),
        ("a = " + "[" * 10_000, "not a TOML file"),
        ("chek = 1", "chek: unknown key; known keys are check, coverage, test, ignore, names"),
        ("check = 1", "check: must be a table"),
        ("names = 1", "names: must be a table"),
        ('[names]\nunreal = "{size}"', 'names.unreal: Name template "{size}": there is no field "size"'),
        ('[names]\nunreal = "box"', 'names.unreal: Name template "box" needs {mesh} or {base}'),
        ('[names]\ncrytek = "{mesh}"', "names.crytek: unknown key; known keys are unreal, godot"),
        ("[test]", "test: must be an array of tables, [[test]]"),
        ("[check]\nclearence = 1", "check.clearence: unknown key"),
        ("[check]\nclearance = true", "check.clearance: True is not a length"),
        ("[check]\nclearance = nan", "check.clearance: nan is not a length"),
        ("[check]\nclearance = -1", "check.clearance: -1 is not a length"),
        ('[check]\ntouching = "1 inch"', "check.touching: '1 inch' is not a length"),
        ('[check]\nscope = "here"', "check.scope: 'here' is not all"),
        ('[check]\nagainst = "B"', "check.against: needs scope"),
        ('[check]\nscope = "all"\nagainst = "B"', "check.against: needs scope"),
        ('[check]\nfail_on = ["deep"]', "check.fail_on: 'deep' is not one of"),
        ('[check]\nfail_on = "separated"', "check.fail_on: 'separated' is not one of"),
        ("[check]\ninclude_operands = 1", "check.include_operands: 1 is not true or false"),
        ('[[test]]\na = "*"', "test[1].name: is missing"),
        ('[[test]]\nname = "x"', "test[1].a: is missing"),
        ('[[test]]\nname = " "\na = "*"', "test[1].name: must not be empty"),
        ('[[test]]\nname = "x"\na = []', "test[1].a: must have at least one pattern"),
        ('[[test]]\nname = "x"\na = [1]', "test[1].a: [1] is not a text or a list of texts"),
        ('[[test]]\nname = "x"\na = "material:"', "test[1].a: 'material:' is not a pattern"),
        ('[[test]]\nname = "x"\na = "*"\nseverity = "bad"', "test[1].severity: 'bad' is not one of error"),
        ('[[test]]\nname = "x"\na = "*"\n[[test]]\nname = "x"\na = "*"', "test[2].name: there is another test"),
        ('[[ignore]]\na = "*"\nmax_depth = 1e31', "ignore[1].max_depth: 1e+31 is not a length from 0 to 1e+30 m"),
        ('[[ignore]]\na = "*"\nmax_depth = "1e34mm"', "ignore[1].max_depth: '1e34mm' is not a length from 0"),
        ('[[ignore]]\nb = "*"', "ignore[1].a: is missing"),
        ('[[ignore]]\na = "*"\n[[ignore]]\na = "*"\nreason = 3', "ignore[2].reason: 3 is not a text"),
    ],
)
def test_what_is_wrong_is_one_line_that_names_the_file_and_the_key(tmp_path: Path, text: str, expected: str) -> None:
    path = saved(tmp_path, text)
    with pytest.raises(UserError) as error:
        load(path)
    assert str(error.value).startswith(f"{path}: {expected}")
    assert "\n" not in str(error.value)


def test_a_file_that_is_not_there_or_is_no_text_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="cannot be read"):
        load(tmp_path / "none.toml")
    path = tmp_path / "collision-kit.toml"
    path.write_bytes(b"\xff\xfe")
    with pytest.raises(UserError, match="not a TOML file"):
        load(path)


def test_the_nearest_file_above_is_found(tmp_path: Path) -> None:
    deep = tmp_path / "a" / "b"
    deep.mkdir(parents=True)
    assert find(deep / "scene.blend") is None
    outer = saved(tmp_path, "")
    assert find(deep / "scene.blend") == outer
    assert find(tmp_path / "a" / ".." / "scene.blend") == outer
    inner = saved(tmp_path / "a", "")
    assert find(tmp_path / "a" / ".." / "scene.blend") == outer
    assert find(deep / "scene.blend") == inner
    assert find(tmp_path / "scene.blend") == outer


@pytest.mark.parametrize("kind", ["folder", "file"])
def test_nothing_above_the_root_of_a_repository_is_found(tmp_path: Path, kind: str) -> None:
    """Whose root has a folder ``.git``, or a file in a worktree and in a submodule."""
    root = tmp_path / "repository"
    (root / "scenes").mkdir(parents=True)
    outer, root_mark = saved(tmp_path, ""), root / ".git"
    assert find(root / "scenes" / "scene.blend") == outer
    root_mark.mkdir() if kind == "folder" else root_mark.write_text("gitdir: elsewhere")
    assert find(root / "scenes" / "scene.blend") is None
    assert find(root / "scene.blend") is None
    inner = saved(root, "")
    assert find(root / "scenes" / "scene.blend") == inner


@pytest.mark.skipif(os.name == "nt", reason="needs modes of folders")
@pytest.mark.parametrize("repository", ["", "public", "deep"])
def test_a_folder_in_which_everybody_may_write_configures_only_scenes_in_it(tmp_path: Path, repository: str) -> None:
    """Whoever put a file there, and whatever else they put there."""
    public, deep = tmp_path / "public", tmp_path / "public" / "project" / "scenes"
    deep.mkdir(parents=True)
    public.chmod(0o1777)
    saved(tmp_path, "")
    placed = saved(public, "")
    if repository:
        (public if repository == "public" else deep.parent).joinpath(".git").mkdir()
    assert find(deep / "scene.blend") is None
    assert find(public / "scene.blend") == placed
    own = saved(deep.parent, "")
    assert find(deep / "scene.blend") == own


@pytest.mark.skipif(os.name == "nt" or os.geteuid() != 0, reason="needs a superuser, who may give folders away")
def test_without_a_repository_folders_of_others_are_not_searched(tmp_path: Path) -> None:
    deep = tmp_path / "home" / "project"
    deep.mkdir(parents=True)
    other = saved(tmp_path / "home", "")
    assert find(deep / "scene.blend") == other
    os.chown(deep, 12345, 12345)
    assert find(deep / "scene.blend") is None
    (tmp_path / "home" / ".git").mkdir()
    assert find(deep / "scene.blend") == other


@pytest.mark.parametrize("what", ["folder", "broken link"])
def test_what_has_the_name_and_cannot_be_read_is_not_passed_over(tmp_path: Path, what: str) -> None:
    path = tmp_path / "collision-kit.toml"
    path.mkdir() if what == "folder" else path.symlink_to("nowhere")
    found = find(tmp_path / "scene.blend")
    assert found == path
    with pytest.raises(UserError, match="cannot be read"):
        load(found)


@pytest.mark.skipif(not os.path.exists("/dev/zero"), reason="no device without an end")
def test_a_device_that_has_the_name_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "collision-kit.toml").symlink_to("/dev/zero")
    with pytest.raises(CommandError, match="cannot be read: not a file"):
        find(tmp_path / "scene.blend")


@pytest.mark.parametrize("text", ["\ufeff[check]\nclearance = 0.25\n", "[check]\r\nclearance = 0.25\r\n"])
def test_marks_of_other_editors_are_read(tmp_path: Path, text: str) -> None:
    path = tmp_path / "collision-kit.toml"
    path.write_bytes(text.encode())
    assert load(path) == Config(CheckOptions(clearance=0.25))


def test_what_is_written_is_read_back(tmp_path: Path) -> None:
    config = load(saved(tmp_path, EVERYTHING))
    nasty = ('quote " and \\', "tab\there", "new\nline", "delete\x7f", "[a-z]*", "collection:x", "name:y", "🧱")
    tests = (*config.tests, *(replace(config.tests[0], name=name, a=(Pattern("name", name),)) for name in nasty))
    rules = (*config.ignore, *(IgnoreRule((Pattern("material", text),), (), 0.1, text) for text in nasty))
    for one in (Config(), config, Config(CheckOptions(scope=("ALL", "")), tests, rules)):
        assert load(saved(tmp_path, written(one))) == one


def test_lengths_are_divided_by_the_meters_of_a_unit() -> None:
    test = PairTest("x", patterns("*"), touching=0.5, clearance=None)
    config = Config(tests=(test,), ignore=(IgnoreRule(patterns("*"), max_depth=0.002),)).in_units(0.01)
    assert (config.tests[0].touching, config.tests[0].clearance) == (50.0, None)
    assert config.ignore[0].max_depth == pytest.approx(0.2)


CRATE = Labels(
    name=frozenset({"Shelf/Crate[1]", "Crate", "Shelf"}),
    collection=frozenset({"Props", "Level 1"}),
    library=frozenset({"props.blend"}),
    material=frozenset({"Wood"}),
    type=frozenset({"MESH"}),
    parent=frozenset({"Shelf", "Room"}),
)


@pytest.mark.parametrize(
    "text",
    [
        *("Crate", "Cr*", "*", "Shelf", "Shelf/*", "Shelf/Crate[1]", "Shelf/Crate?1?", "name:Crate", "C[qr]ate"),
        *(
            "collection:Props",
            "collection:Level*",
            "library:*.blend",
            "material:W??d",
            "type:mesh",
            "type:MESH",
            "parent:Ro*",
        ),
    ],
)
def test_a_pattern_finds_a_body_by_any_of_its_labels(text: str) -> None:
    assert Pattern.read(text).matches(CRATE)
    assert Pattern.read(Pattern.read(text).text) == Pattern.read(text)


@pytest.mark.parametrize(
    "text",
    [
        "crate",
        "rate",
        "Crat",
        "collection:Crate",
        "material:wood",
        "type:CURVE",
        "Props",
        "parent:Crate",
        "color:Wood",
        "C[!r]ate",
    ],
)
def test_a_pattern_finds_nothing_else(text: str) -> None:
    assert not Pattern.read(text).matches(CRATE)


def test_bodies_that_match_one_of_several_patterns() -> None:
    labels = [CRATE, Labels(), Labels(name=frozenset({"Wall"}))]
    assert matching(patterns("Wall", "type:MESH"), labels).tolist() == [True, False, True]
    assert np.array_equal(matching(patterns("x"), []), np.empty(0, dtype=bool))
