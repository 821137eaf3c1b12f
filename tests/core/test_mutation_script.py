# SPDX-License-Identifier: GPL-3.0-or-later
"""`scripts/mutation.py` without its tools: annotations are no mutants, and no change is left in the copy."""

import importlib.util
import json
import sys
import types

import pytest


@pytest.fixture
def mutation(root):
    spec = importlib.util.spec_from_file_location("mutation", root / "scripts" / "mutation.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_places_within_annotations_are_told_from_those_that_run(mutation):
    source = "def f(x: int | None, y: int = 3 | 4) -> int | str:\n    z: int | None = x | y\n    return z\n"
    places = set(mutation.annotations(source))
    lines = source.splitlines()
    bars = [(row + 1, column) for row, line in enumerate(lines) for column, c in enumerate(line) if c == "|"]
    assert [place in places for place in bars] == [True, False, True, True, False]


def test_a_change_left_by_a_process_that_was_ended_is_undone(mutation, tmp_path, monkeypatch):
    monkeypatch.setattr(mutation, "COPY", tmp_path)
    monkeypatch.setattr(mutation, "ORIGINAL", tmp_path / "original.json")
    (tmp_path / "some.py").write_text("changed")
    (tmp_path / "original.json").write_text(json.dumps({"path": "some.py", "source": "as it was"}))
    mutation.restore()
    assert (tmp_path / "some.py").read_text() == "as it was"
    (tmp_path / "some.py").write_text("new")
    mutation.restore()
    assert (tmp_path / "some.py").read_text() == "new"


def test_operators_keep_the_type_of_what_they_change(mutation):
    names = mutation.operators()
    assert len(names) == len(set(names)) == 12 + 2 + 30 + 12
    assert not any("Shift" in name or "_Is" in name or "Pow" in name for name in names)


def test_the_function_that_a_change_is_in_is_found_and_replaced(mutation, monkeypatch):
    source = (
        "LIMIT = 3\n\n\nclass Some:\n    @property\n    def size(self):\n        return [x + 1 for x in range(LIMIT)]\n"
    )
    changed = source.replace("x + 1", "x - 1")
    assert mutation.changed_function(source, changed, "some.py") == "Some.size"
    assert mutation.changed_function(source, source.replace("= 3", "= 4"), "some.py") == ""
    module = types.ModuleType("collision_kit.some")
    exec(source, vars(module))
    monkeypatch.setitem(sys.modules, module.__name__, module)
    kept = module.Some()
    mutation.replace_function("some.py", "Some.size", changed, "some.py")
    assert kept.size == [-1, 0, 1]
