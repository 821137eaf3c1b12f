# SPDX-License-Identifier: GPL-3.0-or-later
"""One report on many files, in every format."""

import csv
import io
import json
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from collision_kit.addon.reports.csv import as_csv, unguarded
from collision_kit.command.journal import Entry
from collision_kit.command.one_file import Checked
from collision_kit.command.report import Source, content, exit_code, found_in, shared
from collision_kit.command.run import Progress, Run
from collision_kit.command.text import as_text, progress_text
from tests.helpers.project_files import ended, library, reported, stub

NAMES = ["=1+1", "<b>&", "two\nlines", "a\rb", "-x", "'=x", "plain", 'a,"b"']


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with files, which is checked in all formats."""
    monkeypatch.chdir(tmp_path)
    pair = {"verdict": "penetrating", "distance": -0.5, "accepted": None, "normal": [1.0, 0.0, -0.5]}
    pairs = [{"a": name, "b": "Wall", **pair, "contacts": [{}, {}]} for name in NAMES]
    pairs.append({"a": "Lamp", "b": "Wall", **pair, "accepted": "built in"})
    behaviors = {"b": "faulty\n" + json.dumps({"pairs": pairs}), "a": "clean", "c": "broken", "d": "dies"}
    files = library(tmp_path / "lib", **behaviors)
    library(files / "sub <i>", e="faulty")
    outputs = [f"--output=report{ending}" for ending in (".json", ".csv", ".xml", ".txt")]
    assert ended(stub(tmp_path), "check", files, "--output", "page/", *outputs) == 1
    return tmp_path


def test_a_row_of_csv_for_each_pair(folder: Path) -> None:
    with (folder / "report.csv").open(encoding="utf-8", newline="") as stream:
        rows = list(csv.DictReader(stream))
    # A carriage return takes a terminal back to the beginning of the line; build servers read commands in new lines.
    names = [re.sub("[\r\n]", "\ufffd", name) for name in NAMES]
    assert [unguarded(row["a"]) for row in rows] == [*names, "Lamp", "Crate"]
    assert [row["file"] for row in rows] == ["b.blend"] * (len(NAMES) + 1) + ["sub <i>/e.blend"]
    assert (rows[0]["normal_x"], rows[0]["normal_z"], rows[0]["distance"]) == ("1.0", "-0.5", "-0.5")
    assert (rows[0]["contacts"], rows[0]["accepted"], rows[-2]["accepted"]) == ("2", "", "built in")
    assert not [cell for row in rows for head, cell in row.items() if head in "ab" and cell[0] in "=+-@"]


def test_csv_without_any_pair_is_its_heading(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert ended(stub(tmp_path), "check", library(tmp_path / "lib", a="clean"), "--output", "report.csv") == 0
    (row,) = csv.reader(io.StringIO((tmp_path / "report.csv").read_text(encoding="utf-8")))
    assert row[:5] == ["file", "scene", "frame", "a", "b"]


def test_junit_has_a_suite_for_each_file_and_errors_for_those_not_checked(folder: Path) -> None:
    root = ElementTree.fromstring((folder / "report.xml").read_text(encoding="utf-8"))
    suites = {suite.get("name"): suite for suite in root}
    assert list(suites) == ["a_blend", "b_blend", "c_blend", "d_blend", "sub <i>/e_blend"]
    assert [suite.get("errors") for suite in root] == ["0", "0", "1", "1", "0"]
    assert suites["c_blend"].find("testcase/error").attrib == {"message": "it is broken", "type": "unreadable"}
    assert suites["d_blend"].find("testcase/error").get("type") == "crashed"
    for count in ("tests", "failures", "errors"):
        assert int(root.get(count)) == sum(int(suite.get(count)) for suite in root) > 0
    assert {case.get("classname") for case in root.iter("testcase")} == set(suites)


class Page(HTMLParser):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.feed(text)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attributes)))

    def handle_data(self, data: str) -> None:
        self.text += data

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.elements if name == tag]


def test_the_index_leads_to_the_pages_and_can_be_filtered(folder: Path) -> None:
    page = Page((folder / "page" / "index.html").read_text(encoding="utf-8"))
    links = list(dict.fromkeys(unquote(link["href"] or "") for link in page.all("a")))
    assert links == [f"pages/{name}.blend.html" for name in ("a", "b", "sub <i>/e")]
    assert all((folder / "page" / link).read_text() for link in links)
    rows = [row["data-outcome"] for row in page.all("tr") if "data-outcome" in row]
    assert rows == ["clean", "found", "unreadable", "crashed", "found"]
    buttons = {button["data-outcome"] for button in page.all("button") if "data-outcome" in button}
    assert buttons == set(rows)
    assert page.all("input")[0]["type"] == "search"
    assert "it is broken" in page.text and "<b>&" in page.text and not page.all("i") and not page.all("b")
    assert not [name for _, one in page.elements for name in one if name in ("src", "onclick")]


def test_the_text_tells_what_was_found_and_what_was_not_checked(folder: Path) -> None:
    lines = (folder / "report.txt").read_text(encoding="utf-8").splitlines()
    assert lines[0] == "5 files: 2 with findings, 1 clean, 2 not fully checked"
    assert "      penetrating  =1+1  ×  Wall  0.5 m deep" in lines
    assert r"      penetrating  two\nlines  ×  Wall  0.5 m deep" in lines
    assert f"      and {len(NAMES) - 3} more" in lines
    assert "  c.blend: unreadable: it is broken" in lines


def test_the_report_of_a_file_is_its_own(folder: Path) -> None:
    files = {file["path"]: file for file in reported(folder / "report.json")["files"]}
    assert [pair["a"] for pair in files["b.blend"]["report"]["pairs"]] == [*NAMES, "Lamp"]
    assert files["c.blend"]["report"] is None and len(files["c.blend"]["sha256"]) == 64


def test_pages_are_kept_by_a_run_that_goes_on_and_made_again_where_they_are_gone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    files, command = library(tmp_path / "lib", a="clean", b="clean"), stub(tmp_path)
    arguments = ("check", files, "--resume", "run.jsonl", "--output", "page/")
    for _ in range(2):
        assert ended(command, *arguments) == 0
    assert "<p>clean" not in (tmp_path / "run.jsonl").read_text()
    (tmp_path / "page" / "pages" / "b.blend.html").unlink()
    assert ended(command, *arguments) == 0
    counts = {path.name: path.stat().st_size for path in (tmp_path / "noted").iterdir()}
    assert counts == {"a.blend": 1, "b.blend": 2}
    assert (tmp_path / "page" / "pages" / "b.blend.html").exists()


def report_of(file: str, *pairs: tuple[str, str, float], **bodies: tuple[str, str | None]) -> Checked:
    """A file with pairs of bodies by their names, of which the object and the library are given; tolerance 0.001."""
    report = {
        "file": f"/lib/{file}",
        "tolerances": {"touching": 0.001},
        "bodies": [
            {"name": name.replace("__", "/"), "object": own, "library_file": library}
            for name, (own, library) in bodies.items()
        ],
        "pairs": [{"a": a, "b": b, "verdict": "penetrating", "distance": distance} for a, b, distance in pairs],
    }
    return Checked(file, "0" * 64, "found", 1, "", report)


CHAIR = "/lib/chair.blend"


def test_a_fault_of_a_linked_asset_is_listed_once_with_the_files_that_show_it() -> None:
    checked = [
        report_of("chair.blend", ("Leg", "Seat", -0.25), Leg=("Leg", None), Seat=("Seat", None)),
        # An instance of it, linked objects in the other order, and two instances with the same depth to rounding.
        report_of("shot1.blend", ("I/Leg", "I/Seat", -0.2504), I__Leg=("Leg", CHAIR), I__Seat=("Seat", CHAIR)),
        report_of("shot2.blend", ("Seat", "Leg", -0.25), Leg=("Leg", CHAIR), Seat=("Seat", CHAIR)),
        report_of(
            "shot3.blend",
            *(("I/Leg", "I/Seat", -0.2501), ("J/Leg", "J/Seat", -0.25)),
            **{f"{host}__{name}": (name, CHAIR) for host in "IJ" for name in ("Leg", "Seat")},
        ),
    ]
    expected = {"a": "Leg", "b": "Seat", "library_a": CHAIR, "library_b": CHAIR, "verdict": "penetrating"}
    found = {
        **expected,
        "distance": -0.2504,
        "files": [f"{name}.blend" for name in ("chair", "shot1", "shot2", "shot3")],
    }
    assert shared(checked) == shared(checked[::-1]) == [found]


@pytest.mark.parametrize("mark", ["accepted", "ignored"])
def test_what_is_meant_is_not_shared(mark: str) -> None:
    chair = {"Leg": ("Leg", CHAIR), "Seat": ("Seat", CHAIR)}
    checked = [report_of(file, ("Leg", "Seat", -0.25), **chair) for file in ("s.blend", "t.blend")]
    for one in checked:
        assert one.report is not None
        one.report["pairs"][0][mark] = ""
    assert shared(checked) == []


def test_pairs_that_fail_are_the_findings_where_deeper_ones_do_not() -> None:
    pair = {"a": "A", "b": "B", "verdict": "penetrating", "distance": -1.0, "severity": "warning"}
    fault = {**pair, "verdict": "within_clearance", "severity": "error"}
    assert found_in({"pairs": [pair, fault]}) == [fault]


def test_a_pair_that_is_accepted_without_a_reason_is_told_from_one_that_is_not() -> None:
    pairs = [{"a": "A", "b": "B", "accepted": accepted, "ignored": None} for accepted in ("", None, "built in")]
    text = as_csv([("a.blend", {"scene": "Scene", "frame": 1, "pairs": pairs})])
    assert [row["accepted"] for row in csv.DictReader(io.StringIO(text))] == ["yes", "", "built in"]


def imported(file: str) -> Checked:
    """An imported file has no file of Blender's."""
    checked = report_of(file, ("Leg", "Seat", -0.25), Leg=("Leg", None), Seat=("Seat", None))
    return Checked(file, "", "found", 1, "", {**(checked.report or {}), "file": ""})


@pytest.mark.parametrize(
    "others",
    [
        [report_of("s.blend", ("Leg", "Seat", -0.26), Leg=("Leg", CHAIR), Seat=("Seat", CHAIR))],
        [report_of("s.blend", ("Leg", "Seat", -0.25), Leg=("Leg", CHAIR), Seat=("Seat", "/lib/other.blend"))],
        [report_of("s.blend", ("Leg", "Seat", -0.25), Leg=("Leg", None), Seat=("Seat", None))],
        [report_of("s.blend", ("I/Leg", "J/Seat", -0.25), I__Leg=("Leg", CHAIR), J__Seat=("Seat", CHAIR))],
        [report_of("s.blend", ("Leg", "Floor", -0.25), Leg=("Leg", CHAIR), Floor=("Floor", None))],
        [report_of(file, ("Leg", "Leg", -0.25), Leg=("Leg", CHAIR)) for file in ("s.blend", "t.blend")],
        [imported("s.glb"), imported("t.glb")],
    ],
    ids=["deeper", "another library", "no library", "two instances", "its own floor", "itself", "imported"],
)
def test_what_is_another_fault_is_not_shared(others: list[Checked]) -> None:
    chair = report_of("chair.blend", ("Leg", "Seat", -0.25), Leg=("Leg", None), Seat=("Seat", None))
    assert shared([chair, *others]) == []


def run_with(*outcomes: str, signal: int = 0) -> Run:
    entries = {f"{n}": Entry(Checked(f"{n}", "", outcome, 0, "")) for n, outcome in enumerate(outcomes)}
    return Run(entries, ["z"] if signal else [], signal, "", 1.0, 2)


def test_a_file_that_could_be_read_in_part_is_not_called_unreadable() -> None:
    message = "Rock: Shape is invalid: radius is -1; ignored."
    checked = Checked("neg.gltf", "", "unreadable", 2, message, {"pairs": [], "findings": []})
    lines = as_text(Run({"neg.gltf": Entry(checked)}, [], 0, "", 1.0, 1)).splitlines()
    assert lines == [
        "1 file: 0 with findings, 0 clean, 1 not fully checked",
        "",
        "Not fully checked:",
        f"  neg.gltf: incomplete: {message}",
    ]


def test_exit_codes_of_all_outcomes() -> None:
    for outcome in ("unreadable", "crashed", "timed_out", "out_of_memory"):
        assert exit_code(run_with("clean", outcome)) == 2
        assert exit_code(run_with(outcome, "found")) == 1
        assert exit_code(run_with("found", outcome, signal=2)) == 130
    assert exit_code(run_with("clean", "clean")) == 0
    assert "Ended before 1 file was checked." in as_text(run_with("clean", signal=15))


def test_everything_that_differs_between_runs_is_in_run() -> None:
    source = Source("/lib", ("check",), {"collision_kit": "1", "blender": "4.2"})
    report = content(run_with("clean", "found"), source)
    assert list(report)[-1] == "run" and report["kind"] == "project" and report["schema_version"] == 1
    assert {"started", "seconds", "jobs", "scheduler", "hosts", "files"} <= set(report["run"])
    other = content(
        Run(run_with("clean", "found").entries, [], 0, "2026", 9.0, 7), source._replace(scheduler="tcp://host:1")
    )
    assert {name for name in report if report[name] != other[name]} == {"run"}


def test_progress_tells_what_is_left() -> None:
    progress = Progress(10, begun=0.0)
    assert progress_text(progress) == "0 of 10 files, 0 with findings, 0 not fully checked"
    progress.add(Checked("a", "", "found", 1, ""))
    progress.add(Checked("b", "", "crashed", None, ""))
    assert progress_text(progress).startswith("2 of 10 files, 1 with findings, 1 not fully checked, about ")
    # Files that were taken from the journal took no time.
    kept = Progress(10, kept=4, done=4, begun=0.0)
    assert kept.seconds_left() is None


def test_reports_on_many_files_do_not_load_blender() -> None:
    # Blender's modules would be searched for in the wrong place by the processes that check the files.
    program = "import sys, collision_kit.command.many; sys.exit('bpy' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=60).returncode == 0
