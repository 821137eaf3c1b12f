# SPDX-License-Identifier: GPL-3.0-or-later
"""Shortened names: they fit, begin and end as the name does, and names that can be told apart look different."""

import random
import re
from collections.abc import Callable, Iterator

import pytest

from collision_kit.addon.i18n.wrapping import ShortNames


def proportional(text: str) -> float:
    """A font in which letters are as wide as their bars, and an ellipsis is narrow."""
    return sum({"…": 0.9, "i": 0.4, "l": 0.4, "m": 1.6, "W": 1.7, "_": 0.9}.get(letter, 1.0) for letter in text)


def choices(name: str, room: float, width: Callable[[str], float]) -> Iterator[str]:
    """Every way to leave out one part of a name, or two parts between its first and its last letter, that has room."""
    for head in range(1, len(name) - 1):
        for tail in range(1, len(name) - head):
            yield f"{name[:head]}…{name[len(name) - tail :]}"
    for start in range(2, len(name) - 2):
        for end in range(start + 1, len(name) - 1):
            yield f"{name[0]}…{name[start:end]}…{name[-1]}"


def fits(short: str, name: str) -> bool:
    """Whether a name is one that the shortened name may stand for."""
    return re.fullmatch(re.escape(short).replace("…", ".+"), name) is not None


def only_of(short: str, name: str, names: list[str]) -> bool:
    return not any(fits(short, other) for other in names if other != name)


@pytest.mark.parametrize(
    ("names", "room", "short"),
    [
        (["Crate.001", "Crate.002"], 9, ["Crate.001", "Crate.002"]),
        # The middle is left out where that is enough.
        (["Crate.001", "Crate.002"], 6, ["Cra…01", "Cra…02"]),
        # The number is at the start of what all have in common, and the word before it stays.
        (
            ["Chair 1 Leg 1", "Chair 1 Leg 2", "Chair 2 Leg 1", "Chair 2 Leg 2"],
            9,
            ["C…1 Leg 1", "C…1 Leg 2", "C…2 Leg 1", "C…2 Leg 2"],
        ),
        (["Carton_6_0_2_1", "Carton_7_0_2_1", "Shelf_6_0_2_1"], 9, ["C…6_0_2_1", "C…7_0_2_1", "Shel…_2_1"]),
        # Only the end of the names, or only their start, is different.
        (["Wall, window frame", "Wall, window frieze"], 8, ["Wall…ame", "Wall…eze"]),
        # Only the middle is.
        (["SM_Kitchen_Door_mesh", "SM_Kitchen_Wall_mesh"], 7, ["S…Doo…h", "S…Wal…h"]),
        (["same", "same"], 3, ["s…e", "s…e"]),
        (["Name", "Nine"], 2, ["N…", "N…"]),
        (["Name"], 1, ["…"]),
        (["Name"], 0, ["…"]),
    ],
)
def test_what_names_have_in_common_is_left_out(names: list[str], room: int, short: list[str]) -> None:
    made = ShortNames(names)
    assert [made.shortened(name, room, len) for name in names] == short


def of_words(rng: random.Random) -> list[str]:
    words = [["Chair", "Table", "Cabinet"], ["left", "right"], ["Leg", "Board", "Handle"], ["1", "2", "12"]]
    return [rng.choice(" _.").join(rng.choice(column) for column in words) for _ in range(30)]


def numbered(rng: random.Random) -> list[str]:
    return [
        f"{rng.choice(['Carton', 'Shelf'])}_{rng.randrange(9)}_{rng.randrange(3)}_{rng.randrange(3)}"
        + rng.choice(["", f".{rng.randrange(3):03}"])
        for _ in range(40)
    ]


def of_letters(rng: random.Random) -> list[str]:
    return ["".join(rng.choice("aab") for _ in range(rng.randrange(1, 14))) for _ in range(20)]


def changed_in_one_place(rng: random.Random) -> list[str]:
    whole = [rng.choice("abcdefgh_") for _ in range(rng.randrange(12, 30))]
    names = []
    for _ in range(15):
        one = list(whole)
        one[rng.randrange(len(one))] = rng.choice("WXYZ")
        names.append("".join(one))
    return names


@pytest.mark.parametrize("draw", [of_words, numbered, of_letters, changed_in_one_place])
@pytest.mark.parametrize("width", [len, proportional])
@pytest.mark.parametrize("seed", range(5))
def test_a_name_is_told_from_all_others_wherever_some_choice_can(
    seed: int, width: Callable[[str], float], draw: Callable[[random.Random], list[str]]
) -> None:
    rng = random.Random(seed)
    names, room = sorted(set(draw(rng))), rng.uniform(3.0, 14.0)
    made, told, long = ShortNames(names), 0, 0
    for name in names:
        short = made.shortened(name, room, width)
        if width(name) <= room:
            assert short == name
            continue
        long += 1
        assert width(short) <= room
        assert fits(short, name)
        assert not short.startswith("…")
        possible = [one for one in choices(name, room, width) if width(one) <= room]
        assert not possible or not short.endswith("…")
        if any(only_of(one, name, names) for one in possible):
            assert only_of(short, name, names), (name, short, room)
            told += 1
    assert told or not long or draw is of_letters or room < 5.0


@pytest.mark.parametrize("draw", [of_words, numbered, of_letters, changed_in_one_place])
@pytest.mark.parametrize("seed", range(10))
def test_two_names_in_one_row_look_different_even_where_the_list_has_others_like_them(
    seed: int, draw: Callable[[random.Random], list[str]]
) -> None:
    rng = random.Random(seed)
    names = sorted(set(draw(rng)))
    made = ShortNames(names)
    for _ in range(40):
        pair = rng.sample(names, 2)
        rooms = [rng.randrange(3, 12), rng.randrange(3, 12)]
        short = made.beside(pair, rooms, len)
        assert all(len(one) <= room and fits(one, name) for one, room, name in zip(short, rooms, pair, strict=True))
        can = [
            len(name) <= room or any(len(one) <= room and not fits(one, other) for one in choices(name, room, len))
            for name, other, room in zip(pair, reversed(pair), rooms, strict=True)
        ]
        assert short[0] != short[1] or not all(can), (pair, rooms, short)
    assert made.beside([names[0], names[0]], [2, 2], len) == [made.shortened(names[0], 2, len)] * 2


def test_a_thousand_names_that_look_the_same_take_no_time() -> None:
    """A name is compared with some of them only, and shortened once."""
    names = [f"SM_Env_{number:05}_LOD0_collision" for number in range(5000)]
    made, asked = ShortNames(names), []

    def width(text: str) -> int:
        asked.append(text)
        return len(text)

    assert made.shortened(names[1234], 9, width) == "S…01234…n"
    count = len(asked)
    assert count < 2000
    made.shortened(names[1234], 9, width)
    assert len(asked) == count + 1, "only to see that the text has the same size"
