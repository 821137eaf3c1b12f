# SPDX-License-Identifier: GPL-3.0-or-later
"""Shortened names: they fit, they are parts of the name, and names that can be told apart look different."""

import random
import re

import pytest

from collision_kit.addon.i18n.wrapping import ShortNames


@pytest.mark.parametrize(
    ("names", "room", "short"),
    [
        (["Crate.001", "Crate.002"], 9, ["Crate.001", "Crate.002"]),
        # The middle is left out where that is enough.
        (["Crate.001", "Crate.002"], 6, ["Cra…01", "Cra…02"]),
        # The number is at the start of what all have in common.
        (
            ["Chair 1 Leg 1", "Chair 1 Leg 2", "Chair 2 Leg 1", "Chair 2 Leg 2"],
            8,
            ["…1 Leg 1", "…1 Leg 2", "…2 Leg 1", "…2 Leg 2"],
        ),
        # Only the end of the names, or only their start, is different.
        (["Wall, window frame", "Wall, window frieze"], 8, ["Wall…ame", "Wall…eze"]),
        # Only the middle is.
        (["SM_Kitchen_Door_mesh", "SM_Kitchen_Wall_mesh"], 6, ["…Door…", "…Wall…"]),
        (["same", "same"], 3, ["s…e", "s…e"]),
        (["Name"], 0, ["…"]),
    ],
)
def test_what_names_have_in_common_is_left_out(names: list[str], room: int, short: list[str]) -> None:
    made = ShortNames(names)
    assert [made.shortened(name, room, len) for name in names] == short


@pytest.mark.parametrize("seed", range(40))
def test_names_made_of_few_words_look_different_wherever_an_end_or_a_part_can_tell(seed: int) -> None:
    rng = random.Random(seed)
    words = [["Chair", "Table", "Cabinet"], ["left", "right"], ["Leg", "Board", "Handle"], ["1", "2", "12"]]
    names = sorted({" ".join(rng.choice(column) for column in words) for _ in range(30)})
    made, room = ShortNames(names), rng.randrange(6, 16)
    before = [
        f"{name[: room // 2]}…{name[len(name) - (room - 1) // 2 :]}" if len(name) > room else name for name in names
    ]
    after = [made.shortened(name, room, len) for name in names]
    for name, short in zip(names, after, strict=True):
        assert len(short) <= room
        assert re.fullmatch(re.escape(short).replace("…", ".+"), name)
    assert len(set(after)) >= len(set(before))
    assert room < 14 or len(set(after)) == len(names)


def test_a_thousand_names_that_look_the_same_take_no_time() -> None:
    """A name is compared with some of them only, and shortened once."""
    names = [f"SM_Env_{number:05}_LOD0_collision" for number in range(5000)]
    made, asked = ShortNames(names), []

    def width(text: str) -> int:
        asked.append(text)
        return len(text)

    assert made.shortened(names[1234], 9, width) == "…01234_L…"
    count = len(asked)
    assert count < 2000
    made.shortened(names[1234], 9, width)
    assert len(asked) == count + 1, "only to see that the text has the same size"
