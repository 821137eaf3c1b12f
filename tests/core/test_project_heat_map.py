# SPDX-License-Identifier: GPL-3.0-or-later
"""The heat map of files and tests: what it counts, what it leaves out, and that no name breaks it."""

import random
from collections import Counter
from pathlib import Path
from urllib.parse import unquote
from xml.etree import ElementTree

import pytest

from collision_kit.command.heat_map import MOST_FILES, MOST_TESTS, NO_TEST, Cell, HeatMap, as_svg, heat_map
from collision_kit.command.html import as_html
from collision_kit.command.journal import Entry
from collision_kit.command.one_file import Checked
from collision_kit.command.pages import ENDING, Pages
from collision_kit.command.report import Source
from collision_kit.command.run import Run

VERDICTS = ("contained", "penetrating", "touching", "within_clearance")
SVG = {"s": "http://www.w3.org/2000/svg"}


def checked(path: str, *pairs: tuple[str | None, str], tests: tuple[str, ...] = (), **marks: str) -> Checked:
    """A file with a pair for each test and verdict."""
    listed = [
        {"a": "A", "b": "B", "test": test, "verdict": verdict, "distance": -1.0, **marks} for test, verdict in pairs
    ]
    report = {"pairs": listed, "tests": [{"name": name} for name in tests]}
    return Checked(path, "", "found" if pairs else "clean", int(bool(pairs)), "", report, {ENDING: ""})


def drawn(heat: HeatMap) -> ElementTree.Element:
    return ElementTree.fromstring(as_svg(heat, Pages(Path("index.html"))))


def page(files: list[Checked]) -> str:
    run = Run({one.path: Entry(one) for one in files}, [], 0, "", 1.0, 1)
    return as_html(run, Source("/lib", ("check",), {"collision_kit": "1", "blender": "4.2"}), Pages(Path("index.html")))


def test_each_cell_counts_the_pairs_of_a_test_in_a_file_and_has_their_worst_verdict() -> None:
    random.seed(5)
    tests = ("doors", "pipes", "<ducts>")
    files = [
        checked(f"{n}.blend", *((random.choice(tests), random.choice(VERDICTS)) for _ in range(n)), tests=tests)
        for n in range(12)
    ]
    heat = heat_map(files)
    assert [one.path for one in heat.files] == [one.path for one in files]
    assert list(heat.tests) == list(tests)
    for one in files:
        assert one.report is not None
        for test in tests:
            found = Counter(pair["verdict"] for pair in one.report["pairs"] if pair["test"] == test)
            worst = next((name for name in VERDICTS if found[name]), "")
            assert heat.cells[one.path, test] == (found.total(), worst)
    cells = drawn(heat).findall(".//rect")
    assert len(cells) == len(files) * len(tests)
    assert Counter((one.get("class") or "").split()[1] for one in cells) == Counter(
        cell.worst or "nothing" for cell in heat.cells.values()
    )


def test_a_file_without_a_test_has_no_cell_for_it() -> None:
    files = [checked("a", ("doors", "touching"), tests=("doors",)), checked("b", (None, "penetrating"))]
    heat = heat_map(files)
    assert heat.cells == {("a", "doors"): Cell(1, "touching"), ("b", NO_TEST): Cell(1, "penetrating")}


def test_without_named_tests_the_columns_are_the_verdicts_that_were_found() -> None:
    files = [checked("a", (None, "touching"), (None, "contained"), (None, "touching")), checked("b")]
    heat = heat_map(files)
    assert list(heat.tests) == ["contained", "touching"]
    assert [heat.cells["a", name].pairs for name in heat.tests] == [1, 2]
    assert [heat.cells["b", name] for name in heat.tests] == [Cell(0, ""), Cell(0, "")]


@pytest.mark.parametrize("mark", ["accepted", "ignored"])
def test_accepted_and_ignored_pairs_do_not_count(mark: str) -> None:
    files = [checked("a", ("doors", "contained"), tests=("doors",), **{mark: ""}), checked("b")]
    assert heat_map(files).cells["a", "doors"] == Cell(0, "")
    assert "<svg" not in page(files), "there is nothing to compare"


def test_of_many_files_and_tests_those_with_most_pairs_are_shown_and_that_is_told() -> None:
    tests = tuple(f"test {n}" for n in range(100))
    files = [
        checked(f"shot_{n:04}.blend", *[(tests[n % 100], "penetrating")] * (n % 331), tests=tests) for n in range(1000)
    ]
    heat = heat_map(files)
    assert (len(heat.files), len(heat.tests), heat.all_files, heat.all_tests) == (MOST_FILES, MOST_TESTS, 1000, 100)
    pairs = {one.path: n % 331 for n, one in enumerate(files)}
    shown = [one.path for one in heat.files]
    assert shown == sorted(shown)
    assert min(pairs[path] for path in shown) >= max(pairs[path] for path in pairs.keys() - set(shown))
    text = page(files)
    assert f"the {MOST_FILES} files with most pairs of 1000 and the {MOST_TESTS} tests with most pairs of 100" in text
    assert len(drawn(heat).findall(".//rect")) == MOST_FILES * MOST_TESTS


def test_wide_letters_have_room() -> None:
    sizes = []
    for name in ("a" * 20, "가" * 20):
        files = [checked(name, (name, "contained"), tests=(name,)), checked("b", tests=(name,))]
        svg = drawn(heat_map(files))
        sizes.append([float(svg.get(side) or 0.0) for side in ("width", "height")])
        assert float(svg.findall(".//rect")[0].get("x") or 0.0) >= (240.0 if name.startswith("가") else 130.0)
    assert all(wide > narrow for narrow, wide in zip(*sizes, strict=True))


def test_names_are_texts_and_cells_lead_to_the_page_of_the_file() -> None:
    nasty = "<i>/&\"'\x00 크레이트 " + "x" * 80 + ".blend"
    files = [checked(nasty, ("</svg><script>", "contained"), tests=("</svg><script>",)), checked("b", tests=("doors",))]
    svg = drawn(heat_map(files))
    assert {one.tag for one in svg.iter()} == {"svg", "a", "g", "rect", "text", "title"}
    links = [unquote(one.get("href") or "") for one in svg.findall("a")]
    assert links == [f"pages/{nasty}.html", "pages/b.html"]
    (cell,) = svg.findall("a")[0].findall("g")
    title = cell.findtext("title") or ""
    assert title.endswith("</svg><script>: 1 pair, worst: contained")
    labels = [one.find("text") for one in svg.findall("a")]
    assert (labels[0].find("title").tail or "").startswith("…") and len(labels[0].find("title").tail) <= 44
    assert "<script>:" not in page(files)
