# SPDX-License-Identifier: GPL-3.0-or-later
"""The figures of a report: classes of depths, worst objects, connected objects, histogram, and labels of pictures."""

import random
import re
import xml.etree.ElementTree as ElementTree

import bpy
import pytest

from collision_kit.addon.collisions.check import check
from collision_kit.addon.model.marks import PairMarks
from collision_kit.addon.model.pair_groups import busiest, groups, matrix
from collision_kit.addon.model.rules import IgnoreRule
from collision_kit.addon.model.verdict_names import NAMES
from collision_kit.addon.picture import caption, pairs, render
from collision_kit.addon.reports.documents import document
from collision_kit.addon.reports.figures import depth_classes, histogram, worst_objects
from collision_kit.addon.reports.html_page import STYLE
from collision_kit.core import Verdict
from tests.helpers.blender.results_scene import pair, report


@pytest.mark.parametrize("seed", range(20))
def test_each_depth_is_in_one_class_with_round_bounds(seed: int) -> None:
    draw = random.Random(seed)
    spread = draw.choice([0.1, 1.0, 3.0, 8.0])
    depths = [10.0 ** draw.uniform(-spread, spread / 2.0) for _ in range(draw.randrange(1, 60))]
    depths += [10.0 ** draw.randrange(-3, 3) for _ in range(3)]
    meters = draw.choice([1.0, 0.01, 0.3048])
    classes = depth_classes(depths, meters)
    assert sum(one.collisions for one in classes) == len(depths)
    assert 1 <= len(classes) <= 14
    for one in classes:
        assert one.collisions == sum(one.above * meters < depth * meters <= one.upto * meters for depth in depths)
        mantissa = f"{one.above * meters:.0e}"[0]
        assert mantissa in "125"
    assert classes[0].collisions
    assert classes[-1].collisions
    assert [one.upto for one in classes[:-1]] == [one.above for one in classes[1:]]


def test_without_depth_there_are_no_classes() -> None:
    assert depth_classes([0.0, -1.0], 1.0) == []


def example() -> tuple[object, PairMarks]:
    """A, B and C are in each other, D is in E, and F is near E. G × H is accepted, I × J is ignored."""
    pairs = [
        pair(0, 1, -0.5),
        pair(1, 2, -0.25),
        pair(0, 2, -0.1),
        pair(3, 4, -0.02, Verdict.CONTAINED),
        pair(6, 7, -9.0),
        pair(8, 9, -9.0),
        pair(4, 5, 0.1, Verdict.WITHIN_CLEARANCE),
    ]
    rules = (IgnoreRule(("I",), ("J",)),)
    return report(list("ABCDEFGHIJ"), pairs), PairMarks(accepted={4: "glued"}, rules=rules, ignored={5: 0})


def test_objects_are_in_order_of_their_collisions() -> None:
    found = worst_objects(*example())
    assert [(one.name, one.collisions, one.depth) for one in found] == [
        ("A", 2, 0.5),
        ("B", 2, 0.5),
        ("C", 2, 0.25),
        ("D", 1, 0.02),
        ("E", 1, 0.02),
    ]


def test_groups_are_the_connected_components() -> None:
    assert [tuple(group) for group in groups(*example())] == [((0, 1, 2), (0, 1, 2)), ((3, 4), (3,))]


@pytest.mark.parametrize("seed", range(10))
def test_groups_of_random_pairs_are_those_of_merging_sets(seed: int) -> None:
    draw = random.Random(seed)
    names = [f"N{number:02}" for number in range(30)]
    ends = {tuple(sorted(draw.sample(range(30), 2))) for _ in range(draw.randrange(1, 40))}
    merged = [{number} for number in range(30)]
    for a, b in ends:
        one, two = (next(group for group in merged if number in group) for number in (a, b))
        if one is not two:
            merged.remove(two)
            one |= two
    expected = {tuple(sorted(group)) for group in merged if len(group) > 1}
    found = groups(report(names, [pair(a, b, -0.1) for a, b in sorted(ends)]), PairMarks())
    assert {group.bodies for group in found} == expected
    for group in found:
        assert group.rows == tuple(row for row, (a, b) in enumerate(sorted(ends)) if {a, b} <= set(group.bodies))
    assert sorted(row for group in found for row in group.rows) == list(range(len(ends)))
    assert [len(group.rows) for group in found] == sorted((len(group.rows) for group in found), reverse=True)


def test_the_histogram_is_valid_xml_with_a_bar_for_each_class() -> None:
    found, _ = example()
    classes = depth_classes([0.5, 0.25, 0.1, 0.02, 0.02], 1.0)
    drawn = ElementTree.fromstring(histogram(classes, found.units))
    bars = [element for element in drawn if element.get("class") == "bar"]
    heights = [float(bar.get("height")) for bar in bars]
    assert len(bars) == len(classes)
    highest = max(one.collisions for one in classes)
    assert heights == pytest.approx([max(heights) * one.collisions / highest for one in classes], abs=0.1)


def test_the_page_has_figures_only_of_many_collisions() -> None:
    found, marks = example()
    assert "Collisions by depth" not in document("html", found, marks)
    page = document("html", found)
    assert "Collisions by depth" in page
    assert "Objects with most collisions" in page
    assert "Groups of connected objects" in page
    nasty = report(["<b>&", *"BCDEF"], [pair(0, number, -0.1 * number) for number in range(1, 6)])
    assert "<b>&" not in document("html", nasty)


@pytest.mark.parametrize("seed", range(5))
def test_the_matrix_counts_each_open_pair_once(seed: int) -> None:
    draw = random.Random(seed)
    names = [f"N{number}" for number in range(12)]
    collections = [draw.choice(["Doors", "Walls", ""]) for _ in names]
    ends = {tuple(sorted(draw.sample(range(12), 2))) for _ in range(30)}
    pairs = [pair(a, b, draw.choice([-0.5, 0.0, 0.1]), draw.choice(list(Verdict)[1:])) for a, b in sorted(ends)]
    found, marks = report(names, pairs), PairMarks(accepted={0: "", 3: ""})
    cells = matrix(found, marks, collections)
    settled = {0, 3, *found.folded}  # what repeats the pair of another copy is folded
    assert sum(len(cell.rows) for cell in cells.values()) == len(pairs) - len(settled)
    for (first, second), cell in cells.items():
        between = [
            row
            for row, one in enumerate(pairs)
            if row not in settled and sorted((collections[one.body_a], collections[one.body_b])) == [first, second]
        ]
        assert cell == (tuple(between), min((pairs[row].verdict for row in between), key=list(NAMES).index))
    totals = {
        name: sum(
            name in (collections[one.body_a], collections[one.body_b])
            for row, one in enumerate(pairs)
            if row % 3 and row not in found.folded
        )
        for name in ("Doors", "Walls", "")
    }
    most = busiest(matrix(found, PairMarks(accepted=dict.fromkeys(range(0, len(pairs), 3), "")), collections), 2)
    assert most == sorted(sorted(totals, key=lambda name: (-totals[name], name))[:2])


def test_the_page_has_a_matrix_where_there_are_collections() -> None:
    found = report(["A", "B", "C"], [pair(0, 1, -0.5), pair(1, 2, 0.0, Verdict.TOUCHING)])
    page = document("html", found, collections=["<Doors>", "Walls", ""])
    assert page.count("data-between=") == 4, "a cell and a row for each of two pairs"
    assert "&lt;Doors&gt;" in page
    assert "<Doors>" not in page
    assert "Pairs by collection" not in document("html", found, collections=["One"] * 3)
    assert "Pairs by collection" not in document("html", found)


def test_labels_of_pictures_are_legible_in_the_cards_of_a_page(scene: bpy.types.Scene, monkeypatch) -> None:
    drawn: list[float] = []
    monkeypatch.setattr(render, "draw_labels", lambda _image, _view, _overlay, scale: drawn.append(scale))
    bpy.ops.mesh.primitive_cube_add(size=1.0)
    bpy.ops.mesh.primitive_cube_add(size=1.0, location=(0.75, 0.0, 0.0))
    found, shapes = check(bpy.context)
    assert len(list(pairs.pair_pictures(bpy.context, found, shapes.world, [0]))) == 1
    # The narrowest card of the page; a capital letter of 15 px text, which the page has beside it, is 11 px high.
    narrowest = re.search(r"minmax\((\d+)px", STYLE)
    assert narrowest is not None
    card, (scale,) = float(narrowest[1]), drawn
    assert 7.0 < caption.LABEL_SIZE * scale * card / pairs.SIZE[0] < 11.0
