# SPDX-License-Identifier: GPL-3.0-or-later
"""The report in its formats: what is in each, that each can be read by what it is for, and that no name breaks one."""

import csv
import hashlib
import io
import json
import re
from base64 import b64decode
from dataclasses import replace
from pathlib import Path

import bpy
import pytest

from collision_kit.addon.cli import commands
from collision_kit.addon.config import Config, read, written
from collision_kit.addon.model.formats import ENDINGS, FORMATS, TEXTS, USUAL_ENDINGS
from collision_kit.addon.model.marks import GonePair, PairMarks
from collision_kit.addon.model.report import Body, Issue, ObjectKey, Report, Skipped
from collision_kit.addon.model.rules import IgnoreRule, PairTest, Pattern
from collision_kit.addon.reports.documents import document, pictured_rows
from collision_kit.addon.scene import accepted_pairs
from collision_kit.addon.session.collision_results import last_check
from collision_kit.addon.ui.operators import reports as report_operators
from collision_kit.addon.ui.result_list import rows as results_rows
from collision_kit.core import Verdict
from tests.helpers.blender import checked_scene
from tests.helpers.blender.checked_scene import add_cube, check
from tests.helpers.blender.panel_recorder import stand_in
from tests.helpers.blender.report_readers import NASTY, Page, outcomes, suite_of
from tests.helpers.blender.results_scene import report

MARKS = PairMarks(
    accepted={1: "<b>glued</b> & \x00 shut", 3: ""},
    new=frozenset({0, 3}),
    gone=(GonePair("<gone>", "B", Verdict.TOUCHING, 0.0),),
)


# JUnit XML: what the schema that build servers share (junit-10.xsd) says, as far as it goes.


def test_build_servers_get_a_test_for_each_pair(nasty: Report) -> None:
    suite = suite_of(document("junit", nasty, MARKS))
    assert outcomes(suite) == ["failure", "skipped", "failure", "skipped", "passed", "error"]
    assert suite.get("name") == "c_d/Scene"
    first, second = suite.findall("testcase")[:2]
    assert first.get("name") == f"{NASTY[0]} × {NASTY[1]}"
    failure = first.find("failure")
    assert failure is not None
    assert (failure.get("type"), failure.get("message")) == ("contained", "contained, 0.5 m deep")
    assert failure.text is not None
    assert "new since the previous check" in failure.text
    assert "axis (0, 0, 1)" in failure.text
    skipped = second.find("skipped")
    assert skipped is not None
    assert skipped.get("message") == "accepted: <b>glued</b> & \ufffd shut"
    names = [case.get("name") or "" for case in suite.findall("testcase")]
    assert names[1].endswith("bell \ufffd, escape \ufffd, null \ufffd")
    assert names[4].endswith("not a character \ufffd")
    assert names[2].endswith("\ufffdtxt.exe")


@pytest.mark.parametrize(
    ("fail_on", "expected"),
    [
        ({Verdict.TOUCHING, Verdict.WITHIN_CLEARANCE}, ["passed", "skipped", "passed", "skipped", "failure", "error"]),
        (set(), ["passed", "skipped", "passed", "skipped", "passed", "error"]),
    ],
)
def test_the_verdicts_that_fail_are_those_asked_for(nasty: Report, fail_on: set[Verdict], expected: list[str]) -> None:
    assert outcomes(suite_of(document("junit", nasty, MARKS, fail_on=fail_on))) == expected


def test_a_scene_without_collisions_is_a_test_that_has_passed() -> None:
    suite = suite_of(document("junit", report(["A", "B"], [])))
    assert outcomes(suite) == ["passed"]
    assert [case.get("name") for case in suite.findall("testcase")] == ["no collisions"]


# HTML


PICTURE = b"\x89PNG\r\n\x1a\n and so on"


def test_a_page_holds_everything_and_loads_nothing(nasty: Report) -> None:
    page = Page(document("html", nasty, MARKS, pictures={0: PICTURE, 2: PICTURE}))
    assert {name for name, _ in page.elements} <= {
        "html", "head", "meta", "title", "style", "body", "main", "header", "p", "h1", "h2", "ul", "li", "div",
        "figure", "img", "figcaption", "span", "bdi", "input", "table", "thead", "tbody", "tr", "th", "td", "button",
        "a", "dl", "dt", "dd", "script",
    }  # fmt: skip
    assert len(page.all("script")) == 1, "no name has become one"
    for _, attributes in page.elements:
        assert not any(name.startswith("on") for name in attributes)
        assert "src" not in attributes or (attributes["src"] or "").startswith("data:image/png;base64,")
        assert (attributes.get("href") or "#").startswith("#")
    assert not re.search(r"https?://|url\(|@import", document("html", nasty, MARKS))
    policy = next(meta["content"] for meta in page.all("meta") if meta.get("http-equiv") == "Content-Security-Policy")
    assert policy is not None
    assert policy.startswith("default-src 'none'; img-src data:;")
    images = page.all("img")
    assert [b64decode((image["src"] or "").partition(",")[2]) for image in images] == [PICTURE, PICTURE]
    assert [figure["id"] for figure in page.all("figure")] == ["pair-1", "pair-3"]
    assert [link["href"] for link in page.all("a")] == ["#pair-1", "#pair-3"]


def test_a_page_shows_every_name_as_it_is(nasty: Report) -> None:
    text = document("html", nasty, MARKS)
    text.encode("utf-8")
    page = Page(text)
    shown = "".join(page.texts["bdi"])
    for name in NASTY:
        assert re.sub("[\a\x1b\0\ud800\ufffe\u202e]", "\ufffd", name) in shown
    assert "<b>glued</b> & \ufffd shut" in shown
    rows = [row for row in page.all("tr") if row.get("class") == "is-accepted"]
    assert len(rows) == 2
    assert page.texts["h1"] == ["2 collisions"]
    chips = page.texts["li"]
    assert chips == ["1 contained", "1 penetrating", "1 within clearance", "2 accepted", "1 new", "1 resolved"]
    heads = [head for head in page.all("th")]
    assert len(heads) == len(page.all("button")) == 8


def test_json_reads_back_every_name_and_ids_are_digests_of_json(nasty: Report) -> None:
    told = json.loads(document("json", nasty, MARKS))
    assert [one["name"] for one in told["bodies"]] == NASTY
    assert [one["shapes"][0]["object"] for one in told["bodies"]] == NASTY
    for one, (a, b) in zip(told["pairs"], zip(NASTY[::2], NASTY[1::2], strict=True), strict=True):
        assert (one["a"], one["b"], one["shape_a"], one["shape_b"]) == (a, b, a, b)
        text = json.dumps([None, *sorted(json.dumps(["", name]) for name in (a, b))])
        assert one["id"] == hashlib.blake2s(text.encode(), digest_size=8).hexdigest()


def test_numbers_are_sorted_by_their_value(nasty: Report) -> None:
    page = Page(document("html", nasty, MARKS))
    keys = [cell["data-sort"] for cell in page.all("td") if "data-sort" in cell]
    depths = [float(key or "") for key in keys[2::4]]
    assert depths == [one.distance for one in nasty.pairs]
    verdicts = [int(key or "") for key in keys[1::4]]
    assert verdicts == sorted(verdicts), "the worst first"


def test_pictures_are_of_what_is_wrong_and_not_accepted(nasty: Report) -> None:
    assert pictured_rows(nasty, MARKS) == [0, 2, 4]
    assert pictured_rows(nasty, PairMarks(), most=2) == [0, 1]
    assert pictured_rows(nasty, PairMarks(), {Verdict.TOUCHING}) == [0, 1, 2, 3, 4]


def test_of_pairs_that_look_the_same_one_has_a_picture_and_says_how_many(nasty: Report) -> None:
    first, other = nasty.pairs[0], nasty.pairs[2]
    bolts = [Body(f"Bolt.{number:03}", ObjectKey(100 + number)) for number in range(1, 7)]
    plates = [Body(f"Plate {number}", ObjectKey(200 + number)) for number in range(1, 7)]
    near = 1.0 + 1e-5  # a depth that shows in no picture
    pairs = [replace(first, body_a=row, body_b=6 + row, distance=first.distance * near**row) for row in range(6)]
    # Another depth, and other objects: each looks different.
    pairs += [replace(first, body_a=0, body_b=6, distance=2.0 * first.distance)]
    pairs += [replace(other, body_a=0, body_b=12)]
    report = replace(nasty, bodies=(*bolts, *plates, Body("Wall", ObjectKey(300))), pairs=tuple(pairs), issues=())
    everything = PairMarks()
    assert pictured_rows(report, everything) == [0, 6, 7]
    assert pictured_rows(report, PairMarks({0: "fine", 1: ""})) == [2, 6, 7], "one that is not accepted"
    page = Page(document("html", report, everything, pictures=dict.fromkeys((0, 6, 7), b"png")))
    assert [text for text in page.texts["p"] if "the same" in text] == ["5 pairs look the same: "]
    assert [text for text in page.texts["span"] if text.endswith(" more")] == ["and 2 more"]
    links = [link["href"] for link in page.all("a")]
    assert links == ["#pair-1"] * 6 + ["#pair-7", "#pair-8"], "each row leads to the picture of its look"


# Text and JSON


def test_text_counts_accepted_pairs_apart(nasty: Report) -> None:
    lines = document("text", nasty, MARKS).splitlines()
    where, counts = "c.d.blend, scene Scene, frame 1", "1 contained, 1 penetrating, 1 within clearance, 2 accepted"
    assert lines[0] == f"{where}: 10 bodies tested, {counts}"
    assert lines[1].endswith("objects not tested")
    faults = lines[4:6]
    assert ["contained" in faults[0], "penetrating" in faults[1]] == [True, True]
    assert faults[0].endswith("new since the previous check")
    start = lines.index("Accepted:")
    assert lines[start + 1].endswith(r"<b>glued</b> & \x00 shut")
    assert "touching" in lines[start + 2]
    assert "  touching  <gone>  ×  B" in lines[lines.index("Resolved since the previous check:") :]
    everything = PairMarks(dict.fromkeys(range(5), "fine"))
    assert "No other collisions." in document("text", nasty, everything)


@pytest.mark.parametrize(("name", "said"), [
    ("A\n  penetrating  Wall", r"A\n  penetrating  Wall"),
    ("\x1b[2JFine", r"\x1b[2JFine"),
    ("left\u202eright\u2028below", r"left\u202eright\u2028below"),
    ("Kiste “Ä” 箱 👷🏽", "Kiste “Ä” 箱 👷🏽"),
])  # fmt: skip
def test_whatever_is_in_a_name_a_line_of_text_is_one_line(nasty: Report, name: str, said: str) -> None:
    named = replace(nasty, bodies=tuple(replace(body, name=name) for body in nasty.bodies), issues=(), skipped=())
    plain = replace(named, bodies=tuple(replace(body, name="Plain") for body in nasty.bodies))
    text, usual = document("text", named, MARKS), document("text", plain, MARKS)
    assert len(text.splitlines()) == len(usual.splitlines())
    assert said in text
    assert not re.search("[\x00-\x09\x0b-\x1f\u202e\u2028]", text)


# Commands to a terminal, C0 and C1; ends of lines and paragraphs; what turns the direction of writing round.
CONTROLS = [chr(code) for code in (*range(32), *range(0x7F, 0xA0), 0x2028, 0x2029, *range(0x202A, 0x202F))]


@pytest.mark.parametrize("kind", TEXTS)
def test_no_format_prints_a_control_of_a_name(nasty: Report, kind: str) -> None:
    """Nor an end of line, after which build servers would read a command."""
    names = [f"before{control}[31mafter{number}" for number, control in enumerate(CONTROLS)]
    for name, after in zip(names, [*names[1:], names[0]], strict=True):
        bodies = tuple(replace(body, name=name, object=after) for body in nasty.bodies)
        shapes = tuple(replace(shape, object=after) for shape in nasty.shapes)
        rules = (IgnoreRule((Pattern("name", name),), (), None, after),)
        tests = (PairTest(name, (Pattern("name", after),)),)
        said = replace(
            nasty,
            **{"file": f"/{name}.blend", "scene": after, "bodies": bodies, "shapes": shapes, "tests": tests},
            issues=(Issue("bad", "error", name, after),),
            skipped=(Skipped(name, after),),
        )
        marks = replace(MARKS, accepted={1: name}, rules=rules)
        printed = document(kind, said, marks)
        assert not set(printed) & set(CONTROLS) - {"\n"}, name
        assert not re.search("^.?\\[31m", printed, re.MULTILINE)
        if kind == "json":
            assert json.loads(printed)["bodies"][0]["name"] == name
        elif kind == "csv":
            assert len(list(csv.reader(io.StringIO(printed, newline="")))) == len(said.pairs) + 1
        elif kind == "junit":
            suite_of(printed)


def test_suggested_rules_print_no_control_of_a_name_and_are_read_as_they_were() -> None:
    for control in CONTROLS:
        rule = IgnoreRule((Pattern("name", f"a{control}[31m"),), (), None, f"b{control}")
        text = written(Config(ignore=(rule,)))
        assert not set(text) & set(CONTROLS) - {"\n"}
        assert read(text.encode(), Path("rules.toml")).ignore == (rule,)


def test_json_says_what_is_accepted_and_new(nasty: Report) -> None:
    found = json.loads(document("json", nasty, MARKS))
    assert [one["accepted"] for one in found["pairs"]] == [None, "<b>glued</b> & \x00 shut", None, "", None]
    assert [one["new"] for one in found["pairs"]] == [True, False, False, True, False]
    assert found["counts"] == {
        "duplicate": 0,
        "contained": 1,
        "penetrating": 2,
        "coplanar": 0,
        "touching": 1,
        "within_clearance": 1,
    }
    assert found["accepted_counts"] == {
        "duplicate": 0,
        "contained": 0,
        "penetrating": 1,
        "coplanar": 0,
        "touching": 1,
        "within_clearance": 0,
    }
    assert found["gone"] == [{"a": "<gone>", "b": "B", "verdict": "touching", "distance": 0.0}]
    alone = json.loads(document("json", nasty))
    assert (alone["gone"], {one["new"] for one in alone["pairs"]}) == (None, {None})


# In Blender and on the command line


@pytest.fixture
def cubes(scene: bpy.types.Scene) -> None:
    checked_scene.build()
    check()


def accept_first() -> None:
    last_check.chosen = 0
    assert bpy.ops.collision_kit.accept_pair(reason="glued") == {"FINISHED"}


@pytest.mark.parametrize("ending", sorted(set(ENDINGS) - {".bcf"}))
def test_a_report_is_saved_in_the_format_of_its_ending(cubes: None, tmp_path: Path, ending: str) -> None:
    accept_first()
    path = tmp_path / f"report{ending.upper() if ending == '.txt' else ending}"
    # A picture of what is too near, and one only: they take time.
    assert bpy.ops.collision_kit.save_report(filepath=str(path), pictures=1) == {"FINISHED"}
    text = path.read_text(encoding="utf-8")
    kind = ENDINGS[ending]
    if kind == "json":
        assert json.loads(text)["pairs"][0]["accepted"] == "glued"
    elif kind == "junit":
        assert outcomes(suite_of(text)) == ["skipped", "passed", "passed"]
    elif kind == "html":
        (image,) = Page(text).all("img")
        assert b64decode((image["src"] or "").partition(",")[2]).startswith(b"\x89PNG")
    elif kind == "csv":
        assert [row["accepted"] for row in csv.DictReader(text.splitlines())] == ["glued", "", ""]
    else:
        assert text == document("text", last_check.report, results_rows.marks())
    assert [found.name for found in tmp_path.iterdir()] == [path.name], "nothing else is left behind"


@pytest.mark.parametrize(
    ("name", "chosen", "then"),
    [
        ("a.html", "HTML", ("a.html", "HTML", False)),
        ("a.html", "JSON", ("a.json", "JSON", True)),
        ("a.b.html", "JUNIT", ("a.b.xml", "JUNIT", True)),
        ("a.csv", "HTML", ("a.csv", "CSV", True)),
        ("a.HTM", "HTML", ("a.HTM", "HTML", False)),
        ("a", "HTML", ("a.html", "HTML", True)),
        ("a.b", "TEXT", ("a.b.txt", "TEXT", True)),
        ("a.docx", "HTML", ("a.docx.html", "HTML", True)),
    ],
)
def test_format_and_ending_follow_each_other(
    tmp_path: Path, name: str, chosen: str, then: tuple[str, str, bool]
) -> None:
    """In the file browser, where the format was that of a web page and the name or the format has been changed."""
    browser = stand_in(
        report_operators.COLLISION_KIT_OT_save_report, filepath=str(tmp_path / name), format=chosen, _format="HTML"
    )
    changed = browser.check(bpy.context)
    assert (Path(browser.filepath).name, browser.format, changed) == then
    assert not browser.check(bpy.context), "once more, nothing changes"
    browser.format = "BCF"
    assert browser.check(bpy.context)
    assert Path(browser.filepath).suffix == ".bcf"
    browser.filepath = str(tmp_path / "other.xml")
    assert browser.check(bpy.context)
    assert (Path(browser.filepath).name, browser.format) == ("other.xml", "JUNIT")


def test_the_format_of_the_browser_is_that_of_each_ending() -> None:
    assert {name.lower() for name, *_ in report_operators.FORMATS} == set(ENDINGS.values())
    for name, text, _ in report_operators.FORMATS:
        assert f"({USUAL_ENDINGS[name.lower()]})" in text


def test_what_cannot_be_saved_is_said(cubes: None, tmp_path: Path) -> None:
    for path, complaint in (
        (tmp_path / "report.docx", r"must end in \.html, \.json, \.xml, \.csv, \.bcf or \.txt"),
        (tmp_path / "nowhere" / "report.json", "Cannot write"),
    ):
        with pytest.raises(RuntimeError, match=complaint):
            bpy.ops.collision_kit.save_report(filepath=str(path))
    assert list(tmp_path.iterdir()) == []


def test_a_pair_that_has_changed_gets_no_picture(cubes: None, tmp_path: Path) -> None:
    bpy.data.objects["First"].location.x = 50.0
    bpy.data.objects["Fourth"].location.x = 70.0
    bpy.context.view_layer.update()
    path = tmp_path / "report.html"
    assert bpy.ops.collision_kit.save_report(filepath=str(path)) == {"FINISHED"}
    assert Page(path.read_text(encoding="utf-8")).all("img") == []


def test_the_command_line_passes_what_was_accepted(
    cubes: None, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    path = str(tmp_path / "scene.blend")

    def run(*options: str) -> tuple[int, str]:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        capfd.readouterr()
        code = commands.command(["check", path, *options])
        return code, capfd.readouterr().out

    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    assert run()[0] == 1
    bpy.ops.wm.open_mainfile(filepath=path)
    check()
    accept_first()
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    code, text = run()
    assert code == 0
    assert "Accepted:" in text
    code, text = run("--format", "json")
    assert (code, json.loads(text)["pairs"][0]["accepted"]) == (0, "glued")
    code, text = run("--format", "junit", "--fail-on", "touching,penetrating")
    assert code == 1
    assert outcomes(suite_of(text)) == ["skipped", "failure"]
    code, text = run("--format", "html")
    assert (code, Page(text).all("img")) == (0, []), "nothing is wrong, and so nothing is pictured"
    # What comes to collide later is not accepted with it.
    bpy.ops.wm.open_mainfile(filepath=path)
    assert [entry.reason for entry in accepted_pairs.known_pairs(bpy.context.scene).values()] == ["glued"]
    add_cube("Fifth", 0.3)
    bpy.ops.wm.save_as_mainfile(filepath=path, compress=False)
    assert run()[0] == 1


def test_every_format_has_an_ending() -> None:
    assert set(ENDINGS.values()) == set(FORMATS)
