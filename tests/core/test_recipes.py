# SPDX-License-Identifier: GPL-3.0-or-later
"""The recipes without Blender do what they say."""

import contextlib
import io
import json
import re
import runpy
import xml.etree.ElementTree as ElementTree
from pathlib import Path
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]
RECIPES = ROOT / "examples" / "recipes"
# Unit cubes; polygons with indices that count from either end.
CUBE = """
v {0} 0 0
v {1} 0 0
v {1} 1 0
v {0} 1 0
v {0} 0 1
v {1} 0 1
v {1} 1 1
v {0} 1 1
f 4 3 2 1
f 5/1/1 6/1/1 7/1/1 8/1/1
f 1 2 6 5
f -6 -5 -1 -2
f 2 3 7 6
f 4 1 5 8
"""


@pytest.mark.parametrize(
    ("place", "minimum", "code", "said"),
    [
        (0.75, "0", 1, "0.25 deep: move the second by 0.25 along [1. 0. 0.]"),
        (1.5, "0", 0, "0.5 apart: from [1"),
        (1.5, "0.6", 1, "0.5 apart: from [1"),
    ],
)
def test_clearance_of_meshes(
    place: float, minimum: str, code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.obj").write_text(CUBE.format(0, 1), encoding="utf-8")
    (tmp_path / "b.obj").write_text(CUBE.format(place, place + 1), encoding="utf-8")
    main = runpy.run_path(str(RECIPES / "clearance_of_meshes.py"))["main"]
    assert main(str(tmp_path / "a.obj"), str(tmp_path / "b.obj"), minimum) == code
    assert capsys.readouterr().out.startswith(said)


def run_notebook(name: str) -> tuple[dict[str, Any], str]:
    """The names that the cells of a notebook have defined, and their output."""
    notebook = json.loads((RECIPES / name).read_text(encoding="utf-8"))
    assert not any(cell.get("outputs") for cell in notebook["cells"]), "saved without outputs"
    known: dict[str, Any] = {}
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for cell in notebook["cells"]:
            if cell["cell_type"] == "code":
                exec(compile("".join(cell["source"]), name, "exec"), known)
    return known, printed.getvalue()


def test_the_notebook_on_rays_and_points_draws_what_is_seen() -> None:
    known, printed = run_notebook("rays_and_points.ipynb")
    # Of the grid, the deepest point is below the inner corner (4, 2), by three quarters of the root of two.
    assert "deepest: [4.75 1.25] by 1.061" in printed
    assert "rays hit shapes [0, 1]" in printed
    assert known["inside"].tolist() == [True, False]
    np.testing.assert_allclose(known["hit"].point, [[0.2, 0.2, 0.6]])
    # What the eye sees is on the boundary, and nothing is in the way.
    np.testing.assert_allclose(known["world"].closest(known["seen"].point).distance, 0.0, atol=1e-12)
    picture = ElementTree.fromstring(known["picture"]._repr_svg_())
    assert len(picture) == len(known["grid"]) + 2 * len(known["seen"])


def test_the_notebook_draws_the_difference_and_both_ways_agree() -> None:
    known, printed = run_notebook("difference.ipynb")
    numbers = re.findall(r"-?[\d.]+", printed.replace("A - B", ""))
    assert float(numbers[0]) == pytest.approx(-float(numbers[1]), abs=1e-5)
    assert float(numbers[0]) > 0.1
    # Moved by the way, B touches A.
    np.testing.assert_allclose(
        known["planar"]
        .distance(known["planar"].Polygons([known["a"] - known["way"]]), known["planar"].Polygons([known["b"]]))
        .distance,
        [0.0],
        atol=1e-9,
    )
    picture = ElementTree.fromstring(known["picture"]._repr_svg_())
    assert len(picture) == 5


def test_each_recipe_is_on_the_list_and_in_a_test() -> None:
    listed = set(re.findall(r"\]\(([^)]+)\)", (ROOT / "docs" / "recipes.md").read_text(encoding="utf-8")))
    here = {path.name for path in RECIPES.iterdir() if path.suffix in {".py", ".sh", ".ipynb"}}
    scripts = {f"../examples/scripts/{path.name}" for path in (ROOT / "examples" / "scripts").glob("*.py")}
    assert listed == {f"../examples/recipes/{name}" for name in here} | scripts
    tests = "".join((ROOT / "tests" / folder / "test_recipes.py").read_text() for folder in ("core", "blender"))
    assert all(f'"{name}"' in tests for name in here)
