# SPDX-License-Identifier: GPL-3.0-or-later
"""Parts of one thing by names, origins and collections."""

from dataclasses import replace

import bpy
import numpy as np
import pytest

from collision_kit.addon import api
from collision_kit.addon.collisions.authored_parts import Authored, authored_parts
from collision_kit.addon.collisions.pair_geometry import PairGeometry
from collision_kit.addon.model.report import Body, ObjectKey
from collision_kit.addon.picture.render import worst_row
from collision_kit.core.constants import Verdict
from tests.helpers.blender.asset_scene import box, checked, empty, faults, folded, rigid


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def collection(name: str, parent: str = "") -> str:
    made = bpy.data.collections.new(name)
    above = bpy.data.collections[parent] if parent else bpy.context.scene.collection
    above.children.link(made)
    return made.name


def apart() -> None:
    """Add something else, far away and not connected."""
    box("Else", (50.0, 0.0, 0.0), (51.0, 1.0, 1.0))


def sofa(place: str = "", feet: str = "Sofa feet") -> None:
    box("Sofa", (0.0, 0.0, 0.2), (2.0, 0.8, 0.9), collection=place)
    box(feet, (0.1, 0.1, 0.0), (1.9, 0.7, 0.22), collection=place)


def test_a_part_that_is_named_after_its_whole_is_joined() -> None:
    apart()
    sofa(collection("Furniture"))
    assert (folded(checked()), faults(checked())) == ({"within Sofa": 1}, [])
    assert faults(checked(within=True)) == [("Sofa", "Sofa feet")]


def test_names_count_only_in_a_common_collection_or_if_several_parts_have_them() -> None:
    apart()
    sofa()
    assert faults(checked()) == [("Sofa", "Sofa feet")]
    box("SofaCushion", (0.1, 0.1, 0.88), (1.9, 0.7, 1.0))
    box("SofaPillow", (0.1, 0.2, 0.98), (0.5, 0.6, 1.1))
    assert (folded(checked()), faults(checked())) == ({"within Sofa": 3}, [])


@pytest.mark.parametrize("name", ["Couch", "Sofabed feet"])
def test_names_of_different_words_say_nothing(name: str) -> None:
    apart()
    sofa(collection("Furniture"), name)
    assert faults(checked()) == [tuple(sorted(("Sofa", name)))]


def test_a_word_counts_only_if_it_is_the_name_of_something() -> None:
    place = collection("Furniture")
    apart()
    box("BedCover", (0.0, 0.0, 0.4), (2.0, 1.0, 0.5), collection=place)
    box("BedMattress", (0.1, 0.1, 0.2), (1.9, 0.9, 0.42), collection=place)
    assert faults(checked()) == [("BedCover", "BedMattress")]
    box("Bed", (0.0, 0.0, 0.0), (2.0, 1.0, 0.1), collection=place)
    assert (folded(checked()), faults(checked())) == ({"within Bed": 1}, [])


def test_what_stands_on_one_ground_is_no_part() -> None:
    place = collection("Furniture")
    apart()
    box("Desk", (0.0, 0.0, 0.0), (2.0, 0.8, 0.8), collection=place)
    box("Desk chair", (0.6, -0.5, 0.0), (1.2, 0.05, 1.1), collection=place)
    assert faults(checked()) == [("Desk", "Desk chair")]


def test_what_stands_on_a_thing_is_no_part_unless_it_covers_it() -> None:
    place = collection("Furniture")
    apart()
    box("Table", (0.0, 0.0, 0.0), (2.0, 0.8, 0.8), collection=place)
    box("Table lamp", (0.5, 0.2, 0.79), (0.8, 0.5, 1.2), collection=place)
    box("Pad", (5.0, 0.0, 0.0), (6.0, 1.0, 0.2), collection=place)
    box("Pad lining", (5.01, 0.01, 0.04), (5.99, 0.99, 0.22), collection=place)
    report = checked()
    assert (folded(report), faults(report)) == ({"within Pad": 1}, [("Table", "Table lamp")])


@pytest.mark.parametrize("place", [(3.0, 1.0, 0.5), (0.0, 0.0, 0.0)])
def test_what_was_separated_from_one_mesh_is_joined_unless_it_is_at_the_origin(place: tuple[float, ...]) -> None:
    apart()
    for name, low, high in (("Hull", (0.0, 0.0, 0.0), (4.0, 1.0, 1.0)), ("Mast", (1.8, 0.4, 0.9), (2.1, 0.6, 5.0))):
        box(name, low, high).location = place
    expected = [] if any(place) else [("Hull", "Mast")]
    assert faults(checked()) == expected
    bpy.data.objects["Mast"].location.x += 0.01
    assert faults(checked()) == [("Hull", "Mast")]


def test_an_origin_of_everything_says_nothing() -> None:
    for name, low, high in (("Hull", (0.0, 0.0, 0.0), (4.0, 1.0, 1.0)), ("Mast", (1.8, 0.4, 0.9), (2.1, 0.6, 5.0))):
        box(name, low, high).location = (3.0, 1.0, 0.5)
    assert faults(checked()) == [("Hull", "Mast")]


def monster(name: str = "Monster") -> None:
    """A torso, a head, two arms and their hands. The arms are in a collection below that of the monster."""
    whole = collection(name)
    arms = collection("arms", whole)
    box("torso", (-0.5, -0.3, 1.0), (0.5, 0.3, 2.0), collection=whole)
    box("head", (-0.6, -0.25, 1.9), (0.6, 0.25, 2.4), collection=whole)
    for side, x in (("left", 0.8), ("right", -0.8)):
        box(f"{side} arm", (x - 0.4, -0.1, 1.5), (x + 0.4, 0.1, 1.7), collection=arms)
        # Hands of one size would say by themselves that they were copied with the arms.
        box(f"{side} hand", (1.6 * x - 0.2, -0.15, 1.4), (1.6 * x + 0.2, 0.15, 1.8 + 0.01 * x), collection=arms)


def test_a_collection_of_parts_that_penetrate_each_other_is_one_thing() -> None:
    apart()
    monster()
    report = checked()
    assert (folded(report), faults(report)) == ({"within Monster": 5}, [])
    assert len(faults(checked(within=True))) == 5


@pytest.mark.parametrize("name", ["Collection", "Collection.001"])
def test_a_collection_that_nobody_has_named_needs_more_parts(name: str) -> None:
    apart()
    place = collection(name)
    box("torso", (-0.5, -0.3, 1.0), (0.5, 0.3, 2.0), collection=place)
    # A third of each is in the one below.
    box("head", (-0.6, -0.25, 1.65), (0.6, 0.25, 2.4), collection=place)
    box("hair", (-0.7, -0.3, 2.0), (0.7, 0.3, 2.6), collection=place)
    box("hat", (-0.75, -0.35, 2.3), (0.75, 0.35, 2.8), collection=place)
    assert len(faults(checked())) == 4
    bpy.data.collections[place].name = "Monster"
    assert faults(checked()) == []


def test_a_collection_says_nothing_if_most_of_it_only_touches_or_is_apart() -> None:
    apart()
    monster()
    for place in range(12):
        box(f"brick {place}", (5.0 + place, 0.0, 0.0), (6.0 + place, 1.0, 1.0 + 0.1 * place), collection="Monster")
    assert len(faults(checked())) == 5


def test_a_place_with_a_ground_in_its_collection_is_not_one_thing() -> None:
    apart()
    monster("Shop")
    assert faults(checked()) == []
    box("carpet", (-3.0, -3.0, 0.9), (3.0, 3.0, 1.05), collection="Shop")
    assert len(faults(checked())) == 6


def test_a_stack_of_crates_in_one_collection_is_listed() -> None:
    apart()
    place = collection("Pile")
    for number in range(6):
        box(f"crate {number}", (0.05 * number, 0.0, 0.9 * number), (0.05 * number + 1.0, 1.0, 0.9 * number + 1.0))
        ob = bpy.data.objects[f"crate {number}"]
        bpy.context.scene.collection.objects.unlink(ob)
        bpy.data.collections[place].objects.link(ob)
    assert len(faults(checked())) == 5


def test_a_pile_that_is_laid_crosswise_is_listed_though_it_has_a_lid() -> None:
    apart()
    place = collection("Pile")
    for number in range(6):
        x, y = (0.5, 0.25) if number % 2 else (0.25, 0.5)
        box(f"crate {number}", (-x, -y, 0.25 * number), (x, y, 0.25 * number + 0.3), collection=place)
    box("lid", (-0.45, -0.45, 1.5), (0.45, 0.45, 1.6), collection=place)
    box("cap", (-0.6, -0.6, 1.58), (0.6, 0.6, 1.8), collection=place)
    assert len(faults(checked())) == 7


def test_names_say_nothing_in_a_kit_of_which_most_only_touches() -> None:
    place = collection("Kit")
    apart()
    box("Wall", (0.0, 0.0, 0.0), (4.0, 0.5, 3.0), collection=place)
    for number, name in enumerate(("Wall left", "Wall right", "Wall top")):
        box(name, (number, 0.5, 1.0 + 0.1 * number), (number + 0.9, 1.0, 2.0), collection=place)
    box("Wall door", (3.2, 0.48, 0.5), (3.9, 1.0, 2.5), collection=place)
    assert faults(checked()) == [("Wall", "Wall door")]
    for name in ("Wall left", "Wall right"):
        bpy.data.objects[name].location.y = -0.02
    assert faults(checked()) == []


def test_faults_in_a_collection_of_parts_are_listed() -> None:
    apart()
    monster()
    box("nail", (-0.05, -0.6, 1.55), (0.05, 0.6, 1.6), collection="Monster")  # a bar through the torso
    box("vase", (-0.1, -0.1, 2.39), (0.1, 0.1, 2.6), collection="Monster")  # stands on the head
    box("heart", (-0.3, -0.2, 1.2), (0.3, 0.2, 1.6), collection="Monster")  # is inside
    box("thief", (0.9, -0.4, 0.0), (1.9, 0.4, 3.0))  # is in none of its collections
    listed = faults(checked())
    # The thief passes through an arm and a hand.
    assert {
        ("nail", "torso"),
        ("head", "vase"),
        ("heart", "torso"),
        ("left arm", "thief"),
        ("left hand", "thief"),
    } <= set(listed)
    assert not any({*pair} <= {"torso", "head", "left arm", "left hand", "right arm", "right hand"} for pair in listed)


def test_what_a_file_declares_and_what_has_an_asset_of_its_own_is_no_part() -> None:
    apart()
    sofa(collection("Furniture"))
    rigid(bpy.data.objects["Sofa feet"], "PASSIVE")
    assert faults(checked()) == [("Sofa", "Sofa feet")]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    apart()
    sofa(collection("Furniture"))
    for name in ("Sofa", "Sofa feet"):
        root = empty(f"{name} root")
        bpy.data.objects[name].parent = root
        box(
            f"{name} label",
            *(((3.0, 3.0, 3.0), (3.1, 3.1, 3.1)) if name == "Sofa" else ((1.0, 0.2, 0.1), (1.2, 0.6, 0.2))),
        )
        bpy.data.objects[f"{name} label"].parent = bpy.data.objects[name]
    assert ("Sofa", "Sofa feet") in faults(checked())


@pytest.mark.parametrize("height", [0.12, 3.0])
def test_nothing_is_a_part_of_a_floor_that_it_is_named_after(height: float) -> None:
    names = ["Room", "Room table", "Room chair", "Room shelf"]
    lower = np.array([[0.0, 0.0, -0.1], [1.0, 1.0, 0.0], [2.0, 1.0, 0.0], [3.0, 1.0, 0.0]])
    upper = np.array([[6.0, 6.0, height - 0.1], [1.8, 2.0, 0.5], [2.8, 2.0, 0.7], [3.8, 2.0, 0.9]])
    ends = np.array([(0, 1), (0, 2), (0, 3)], np.int64)
    columns = (*ends.T, np.full(3, int(Verdict.PENETRATING)), np.full(3, 0.02))
    bodies = [Body(name, ObjectKey(row + 1)) for row, name in enumerate(names)]
    authored = Authored([frozenset({"Furniture"})] * 3 + [frozenset()], [b""] * 4)
    assert not authored_parts(PairGeometry(bodies, (lower, upper), columns, None), authored)
    upper[0] = (6.0, 1.5, height - 0.1 if height > 1.0 else 2.0)  # not a floor, and it does not hold the others
    assert authored_parts(PairGeometry(bodies, (lower, upper), columns, None), authored)


def test_a_picture_shows_the_worst_pair_that_is_not_folded() -> None:
    sofa(collection("Furniture"))
    box("Else", (50.0, 0.0, 0.0), (51.0, 1.0, 1.0))
    box("Other", (50.995, 0.0, 0.0), (52.0, 1.0, 1.2))
    report = checked()
    worst = report.pairs[worst_row(report)]
    assert api.names(report, worst) == ("Else", "Other") and worst.depth < report.pairs[0].depth
    report = replace(report, pairs=report.pairs[:1])
    assert report.folded and worst_row(report) == 0


@pytest.mark.parametrize("seed", range(8))
def test_the_order_of_bodies_and_of_pairs_says_nothing(seed: int) -> None:
    rng = np.random.default_rng(seed)
    count = 30
    stems = rng.choice(["Sofa", "Bed", "Lamp"], count)
    tails = rng.choice(["", " foot", " cover", " arm", "Leg", ".001"], count)
    bodies = [
        Body(f"{stem}{tail}", ObjectKey(row + 1)) for row, (stem, tail) in enumerate(zip(stems, tails, strict=True))
    ]
    sets = [frozenset(rng.choice(["A", "B", "Collection", "C"], rng.integers(0, 3)).tolist()) for _ in bodies]
    places = [bytes([rng.integers(1, 6)]) if rng.random() < 0.5 else b"" for _ in bodies]
    lower = rng.uniform(0.0, 5.0, (count, 3))
    upper = lower + rng.uniform(0.2, 2.5, (count, 3))
    ends = np.array([(a, b) for a in range(count) for b in range(a) if rng.random() < 0.08], np.int64)
    verdict = rng.choice([int(Verdict.PENETRATING), int(Verdict.TOUCHING)], len(ends), p=[0.8, 0.2])
    depth = rng.choice([0.01, 0.3, np.inf], len(ends), p=[0.7, 0.2, 0.1])

    def found(order: np.ndarray, rows: np.ndarray) -> set[frozenset[int]]:
        place = np.argsort(order)
        columns = (place[ends[rows, 0]], place[ends[rows, 1]], verdict[rows], depth[rows])
        geometry = PairGeometry([bodies[row] for row in order], (lower[order], upper[order]), columns, None)
        told = authored_parts(geometry, Authored([sets[row] for row in order], [places[row] for row in order]))
        return {frozenset((int(order[a]), int(order[b]))) for a, b in told}

    plain = found(np.arange(count), np.arange(len(ends)))
    for _ in range(4):
        assert found(rng.permutation(count), rng.permutation(len(ends))) == plain
    penetrating = {
        frozenset(pair) for pair, kind in zip(ends.tolist(), verdict, strict=True) if kind == Verdict.PENETRATING
    }
    assert plain and plain < penetrating
