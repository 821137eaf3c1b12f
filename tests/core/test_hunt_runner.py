# SPDX-License-Identifier: GPL-3.0-or-later
"""The runner of the hunts, and the comparison of two states of the code.

Failures are shrunk to what makes them. A chunk that crashes or hangs is a failure. Answers that differ are found.
"""

import importlib.util
import json
import subprocess
import sys

import numpy as np
import pytest

import collision_kit.core as ck
from tests.helpers import zoo
from tests.hunt import compare


@pytest.fixture(scope="module")
def runner(root):
    spec = importlib.util.spec_from_file_location("hunt_runner", root / "tests" / "hunt" / "__main__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_a_failure_is_shrunk_to_the_entries_and_digits_that_make_it(runner):
    case = {"points": [[0.123456, 7.654321], [3.25, 4.0], [1.0, 2.5]], "name": "x"}

    def holds(failure):
        return any(len(point) == 2 and point[1] > 3.9 for point in failure["case"]["points"])

    small = runner.smaller({"what": "high", "case": case}, holds)
    assert small == {"what": "high", "case": {"points": [[0.0, 8.0]], "name": "x"}}
    assert len(case["points"]) == 3


FAMILY = """
import os, time
COUNT, LIMIT = 10, 3
def run(seed, count):
    if seed == 1: os._exit(3)
    if seed == 2: time.sleep(60)
    return [{"what": "odd", "case": {"number": 3.0}}] if seed == 3 else []
def wrong(failure):
    return "odd" if failure["case"]["number"] else ""
"""


def test_chunks_that_crash_and_hang_are_failures_and_a_second_run_goes_on(root, tmp_path):
    folder = tmp_path / "tests" / "hunt"
    folder.mkdir(parents=True)
    (folder / "__main__.py").write_bytes((root / "tests" / "hunt" / "__main__.py").read_bytes())
    (folder / "some.py").write_text(FAMILY)

    def run(*arguments):
        command = [sys.executable, str(folder), *arguments]
        return subprocess.run(command, capture_output=True, text=True, timeout=60)

    assert run("--cases", "10").returncode == 0
    second = run("some", "--cases", "30", "--jobs", "3")
    assert second.returncode == 1
    assert "def test_some_3_0():" in second.stdout
    lines = [json.loads(line) for line in (tmp_path / "build" / "hunt" / "some.jsonl").read_text().splitlines()]
    assert sorted(line["seed"] for line in lines) == [0, 1, 2, 3]
    found = {line["seed"]: [failure["what"] for failure in line["failures"]] for line in lines}
    assert found == {0: [], 1: ["the process ended with 3"], 2: ["no answer in 3 seconds"], 3: ["odd"]}
    assert "| some | 40 | 3 |" in run("--summary").stdout
    assert "1 wrong still" in run("--again").stdout


def test_every_family_is_on_the_page(runner, root):
    page = (root / "docs" / "reliability.md").read_text(encoding="utf-8")
    assert {name for name in runner.families() if f"| `{name}` |" not in page} == set()


def test_answers_of_two_states_that_differ_are_told_apart():
    ((a, b),) = compare.pairs("pairs", 3, 500)
    old = compare.answered(ck, a, b)
    assert compare.differences(old, compare.answered(ck, a, b)) == {}
    new = {key: np.copy(value) for key, value in old.items()}
    new["distance"][7] += 1e-3 * new["size"][7]
    new["overlap"][[2, 400]] ^= True
    found = {name: rows.tolist() for name, rows in compare.differences(old, new).items()}
    assert found == {"distance": [7], "overlap": [2, 400]}


def test_of_two_distances_that_differ_the_wrong_one_is_named():
    batch = next(compare.pairs("grazing_pairs", 3, 500))
    old = compare.answered(ck, *batch)
    rows = np.flatnonzero(np.abs(old["distance"]) > 1e-3 * old["size"])[:3]
    less, more = ({key: np.copy(value) for key, value in old.items()} for _ in range(2))
    less["distance"][rows] -= 1e-6 * old["size"][rows]
    more["distance"][rows] += 1e-6 * old["size"][rows]
    assert compare.judged(ck, batch, old, less, rows) == ["new wrong"] * 3
    assert compare.judged(ck, batch, more, old, rows) == ["old wrong"] * 3
    assert compare.judged(ck, batch, less, more, rows) == ["both wrong"] * 3
    # A direction that shows a smaller gap, and a distance that is this gap.
    turned = {key: np.copy(value) for key, value in old.items()}
    turned["normal"][rows] *= -1.0
    a, b = compare.made(ck, batch)
    normal = turned["normal"][rows]
    turned["distance"][rows] = -zoo.support(b.take(rows), -normal) - zoo.support(a.take(rows), normal)
    assert compare.judged(ck, batch, turned, old, rows) == ["old wrong"] * 3
