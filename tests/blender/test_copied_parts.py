# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts that were copied together."""

import bpy
import numpy as np
import pytest

from collision_kit.addon.collisions.copied_parts import copied_parts
from collision_kit.addon.collisions.pair_geometry import PairGeometry
from collision_kit.addon.model.report import Body, ObjectKey
from collision_kit.core.constants import Verdict
from tests.helpers.blender.asset_scene import box, checked, empty, faults, folded, rigid


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def moved(name: str, low: tuple[float, ...], high: tuple[float, ...], place: tuple[float, ...]) -> bpy.types.Object:
    return box(name, *(tuple(a + b for a, b in zip(corner, place, strict=True)) for corner in (low, high)))


def tree(name: str, place: tuple[float, ...], deep: float = 0.2) -> None:
    """A trunk that ends in a crown."""
    moved(f"Trunk {name}", (-0.1, -0.1, 0.0), (0.1, 0.1, 2.0), place)
    moved(f"Crown {name}", (-0.6, -0.5, 2.0 - deep), (0.6, 0.5, 3.0 - deep), place)


def test_what_was_copied_together_is_one_thing() -> None:
    tree("oak", (0.0, 0.0, 0.0))
    tree("elm", (5.0, 1.0, 0.3))
    assert len(faults(checked())) == 2
    tree("ash", (-4.0, 2.0, -0.2))
    report = checked()
    assert (folded(report), faults(report)) == ({"within Trunk oak + 5": 3}, [])
    assert len(faults(checked(within=True))) == 3


def test_copies_that_lie_in_another_way_are_listed() -> None:
    tree("oak", (0.0, 0.0, 0.0))
    tree("elm", (5.0, 1.0, 0.3), deep=0.3)
    tree("ash", (-4.0, 2.0, -0.2))
    assert len(faults(checked())) == 3
    tree("fir", (0.0, 9.0, -0.2))
    assert faults(checked()) == [("Crown elm", "Trunk elm")]
    crown = bpy.data.objects["Crown ash"]
    crown.location.x = 0.3  # as deep as before, but not over the middle
    assert len(faults(checked())) == 4


def test_parts_that_share_a_body_were_not_copied_with_it() -> None:
    box("Wall", (0.0, 0.0, 0.0), (0.2, 6.0, 3.0))
    for y in (1.0, 2.0, 4.0):
        box(f"Lamp {y}", (0.15, y, 1.0), (0.4, y + 0.3, 1.4))
    assert len(faults(checked())) == 3


@pytest.mark.parametrize("fault", ["begins at one height", "stands", "rigid", "deep"])
def test_a_fault_is_listed_although_it_was_copied(fault: str) -> None:
    for place in ((0.0, 0.0, 0.0), (5.0, 1.0, 0.0), (-5.0, 2.0, 0.0)):
        moved(f"Table {place[0]}", (0.0, 0.0, 0.0), (2.0, 1.0, 0.8), place)
        low, high = {
            "begins at one height": ((0.8, -0.4, 0.0), (1.2, 0.1, 1.0)),
            "stands": ((0.8, 0.4, 0.75), (1.0, 0.6, 1.0)),
            "rigid": ((1.9, 0.3, 0.5), (2.3, 0.6, 1.5)),
            "deep": ((0.9, 0.4, 0.35), (1.1, 0.6, 0.95)),
        }[fault]
        ob = moved(f"Thing {place[0]}", low, high, place)
        if fault == "rigid":
            rigid(ob, "ACTIVE")
    report = checked()
    assert len(faults(report)) == 3 and not folded(report)


def test_books_that_were_copied_with_their_shelf_are_listed() -> None:
    for number, place in enumerate(((0.0, 0.0, 0.0), (5.0, 1.0, 0.3), (-5.0, 2.0, 0.6))):
        shelf = moved(f"Shelf {number}", (0.0, 0.0, 0.0), (2.0, 0.4, 0.05), place)
        for name, low, high in (
            ("side", (0.0, 0.0, 0.05), (0.05, 0.4, 1.0)),
            ("top", (0.0, 0.0, 1.0), (2.0, 0.4, 1.05)),
        ):
            board = moved(name, low, high, place)
            with bpy.context.temp_override(active_object=shelf, selected_editable_objects=[shelf, board]):
                bpy.ops.object.join()
        # The second book leans on the first, so neither stands on the shelf and meets nothing else.
        moved(f"Book {number}", (0.5, 0.1, 0.04), (0.6, 0.35, 0.5), place)
        moved(f"Red book {number}", (0.6, 0.1, 0.04), (0.7, 0.35, 0.6), place)
    listed = faults(checked())
    assert sum("Shelf" in name for pair in listed for name in pair) == 6


def crown(place: tuple[float, ...], number: int, trunk: bool) -> None:
    if trunk:
        moved(f"Trunk {number}", (-0.1, -0.1, -2.0), (0.1, 0.1, 0.3), place)
    moved(f"Leaves {number} a", (-0.6, -0.6, 0.0), (0.6, 0.6, 1.0), place)
    moved(f"Leaves {number} b", (0.05, 0.05, 0.2), (1.25, 1.25, 1.2), place)


def test_copies_in_each_other_are_parts_if_a_third_part_joins_both() -> None:
    for number, place in enumerate(((0.0, 0.0, 0.0), (5.0, 1.0, 0.3), (-5.0, 2.0, 0.6))):
        crown(place, number, trunk=True)
    report = checked()
    assert sum(folded(report).values()) == 9 and not faults(report)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    for number, place in enumerate(((0.0, 0.0, 0.0), (5.0, 1.0, 0.3), (-5.0, 2.0, 0.6))):
        crown(place, number, trunk=False)
        tree(str(number), (place[0], 9.0, 0.0))
    assert len(faults(checked())) == 3


def test_crates_that_were_stacked_on_a_pallet_are_listed() -> None:
    for number, x in enumerate((0.0, 5.0, 10.0)):
        box(f"Pallet {number}", (x, 0.0, 0.0), (x + 3.0, 2.0, 0.2))
        box(f"Crate {number} a", (x + 0.1, 0.5, 0.19), (x + 1.1, 1.5, 1.19))
        box(f"Crate {number} b", (x + 0.1, 0.5, 1.1), (x + 1.1, 1.5, 2.1))
        box(f"Crate {number} c", (x + 1.0, 0.5, 0.19), (x + 2.0, 1.5, 1.19))
        box(f"Post {number}", (x + 0.4, 1.45, 0.5), (x + 0.6, 1.65, 1.8))  # is joined to the two that are stacked
    listed = faults(checked())
    for number in range(3):
        assert {(f"Crate {number} a", f"Crate {number} b"), (f"Crate {number} a", f"Crate {number} c")} <= set(listed)


def test_pairs_within_an_asset_keep_its_name() -> None:
    for name, x in (("oak", 0.0), ("elm", 5.0), ("ash", 10.0)):
        root = empty(f"Tree {name}")
        tree(name, (x, 0.0, 0.0))
        for part in ("Trunk", "Crown"):
            bpy.data.objects[f"{part} {name}"].parent = root
    assert folded(checked()) == {f"within Tree {name}": 1 for name in ("oak", "elm", "ash")}


def test_trees_of_one_asset_that_is_all_there_is_are_folded() -> None:
    root = empty("Wood")
    for name, x in (("oak", 0.0), ("elm", 1.25), ("ash", 2.5)):
        tree(name, (x, 0.0, 0.1 * x))
        for part in ("Trunk", "Crown"):
            bpy.data.objects[f"{part} {name}"].parent = root
    report = checked()
    assert any(issue.id == "one-asset" for issue in report.issues)
    assert sum(folded(report).values()) == 3 and not faults(report)


@pytest.mark.parametrize("seed", range(8))
def test_each_folded_pair_has_copies_with_other_bodies(seed: int) -> None:
    """Draw bodies of few sizes at places of a grid, and ask every two pairs one after the other."""
    rng = np.random.default_rng(seed)
    count = 60
    sizes = np.array([[1.0, 1.0, 2.0], [1.0, 1.5, 1.2], [0.4, 0.3, 0.5], [1.0, 1.0, 2.001]])
    kind = rng.integers(0, 4, count)
    lower = rng.integers(0, 2, (count, 3)) * np.array([0.7, 0.7, 0.5]) + 9.0 * rng.integers(0, 3, (count, 1))
    upper = lower + sizes[kind]
    ends = np.array([(a, b) for a in range(count) for b in range(a) if rng.random() < 0.5], np.int64)
    depth = rng.choice([0.05, 0.1, 0.1001, np.inf], len(ends))
    verdict = np.full(len(ends), int(Verdict.PENETRATING))
    bodies = [Body(f"Cube.{row:03}", ObjectKey(row + 1)) for row in range(count)]
    geometry = PairGeometry(bodies, (lower, upper), (ends[:, 0], ends[:, 1], verdict, depth), None)
    found = copied_parts(geometry)
    assert found
    rows = {tuple(sorted(pair)): row for row, pair in enumerate(ends.tolist())}
    middle = (lower + upper) / 2.0

    def alike(one: int, other: int) -> bool:
        a, b = ends[one]
        for c, d in (ends[other], ends[other][::-1]):
            far = abs(np.linalg.norm(middle[a] - middle[b]) - np.linalg.norm(middle[c] - middle[d]))
            up = abs(abs(middle[a] - middle[b])[2] - abs(middle[c] - middle[d])[2])
            near = max(far, up, abs(depth[one] - depth[other])) < 0.02
            if near and np.allclose(sorted(sizes[kind[a]]), sorted(sizes[kind[c]]), atol=0.006):
                return bool(np.allclose(sorted(sizes[kind[b]]), sorted(sizes[kind[d]]), atol=0.006))
        return False

    group = [[other for other in found if alike(rows[pair], rows[other])] for pair in found]
    for pair, others in zip(found, group, strict=True):
        assert np.isfinite(depth[rows[pair]])
        # Of pairs of two sizes, no two of which share a body, there are at least as many as of the rarer one.
        sizes_of = {body: np.round(sorted(sizes[kind[body]]), 2).tobytes() for one in others for body in one}
        number = np.unique(list(sizes_of.values()), return_counts=True)[1]
        assert number.min() >= (3 if len(number) > 1 else 6), (pair, others)
