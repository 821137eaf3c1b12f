# SPDX-License-Identifier: GPL-3.0-or-later
"""How many files of `core` one question enters: whoever follows it in a debugger has to read that many.

Print them with ``python -m tests.core.test_flow``.
"""

import collections
import sys
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest

import collision_kit.core as ck
from collision_kit.core.kernels import loading
from tests.helpers.mesh_zoo import voxels
from tests.helpers.triangle_meshes import torus

CORE = Path(ck.__file__).parent
TORUS = ck.Meshes.from_triangles([torus()])
BOXES = ck.Boxes([[1.3, 0.5, 0.5]], [[0.5, 0.3, 0.3]])


def contacts_of_meshes_and_boxes() -> Any:
    return ck.contacts(ck.Meshes.from_triangles([voxels([(0, 0, 0)])]), BOXES)


def contacts_of_a_torus_and_a_box_in_its_hole() -> Any:
    return ck.contacts(TORUS, ck.Boxes([[0.4, 0.0, -0.2]], [[1.25, 0.45, 1.5]]))


def hull() -> Any:
    corners = np.stack(np.meshgrid([0.0, 1.0], [0.0, 1.0], [0.0, 1.0]), axis=-1).reshape(-1, 3)
    return ck.Hulls.from_points([corners + np.array([3.0, 0.1, 0.2])])


def distance_of_boxes_and_hulls() -> Any:
    return ck.distance(BOXES, hull())


def time_of_impact_of_boxes_and_hulls() -> Any:
    return ck.time_of_impact(BOXES, hull(), velocity_a=[[3.0, 0.0, 0.0]])


def distance_of_boxes_and_spheres() -> Any:
    return ck.distance(BOXES, ck.Spheres([[3.0, 0.0, 0.0]], [1.0]))


# The most files that each may enter. The first makes a mesh, whose hull is built.
MOST = {
    contacts_of_meshes_and_boxes: 29,
    contacts_of_a_torus_and_a_box_in_its_hole: 32,
    distance_of_boxes_and_hulls: 17,
    distance_of_boxes_and_spheres: 11,
    time_of_impact_of_boxes_and_hulls: 29,
}


def files_entered(question: Callable[[], Any]) -> collections.Counter[str]:
    """The files of `core` in which a function is called, and how many calls."""
    question()  # makes what later questions use again, such as the table of support points of boxes
    found: collections.Counter[str] = collections.Counter()

    def note(frame: FrameType, event: str, _: Any) -> None:
        path = Path(frame.f_code.co_filename)
        if event == "call" and CORE in path.parents:
            found[path.relative_to(CORE).as_posix()] += 1

    before = sys.getprofile()
    sys.setprofile(note)
    try:
        question()
    finally:
        sys.setprofile(before)
    return found


@pytest.mark.parametrize("question", MOST, ids=lambda question: question.__name__)
@pytest.mark.skipif(loading.mode != loading.COMPILED, reason="the kernels are not compiled")
def test_a_question_enters_few_files(question: Callable[[], Any]) -> None:
    found = files_entered(question)
    assert 5 < len(found) <= MOST[question], "\n".join(sorted(found))


if __name__ == "__main__":
    for asked in MOST:
        entered = files_entered(asked)
        print(f"{asked.__name__}: {len(entered)} files, {entered.total()} calls")
        print("".join(f"  {calls:6} {path}\n" for path, calls in sorted(entered.items())))
