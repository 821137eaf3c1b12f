# SPDX-License-Identifier: GPL-3.0-or-later
"""Operators and functions for scripts are called what their labels say."""

import re

import pytest

from collision_kit.addon.ui.operators import CLASSES
from collision_kit.addon.ui.operators.base import Operator


def words(text: str) -> list[str]:
    """The words of a label or of a name, in lower case."""
    return re.findall(r"[a-z]+", text.lower())


def is_shortened(name: list[str], label: list[str]) -> bool:
    """Whether a name has words of a label only, in the order of the label."""
    rest = iter(label)
    return all(word in rest for word in name)


@pytest.mark.parametrize("operator", CLASSES, ids=lambda operator: operator.bl_idname)
def test_an_operator_has_the_name_of_its_label(operator: type[Operator]) -> None:
    name = operator.bl_idname.partition(".")[2]
    assert is_shortened(words(name), words(operator.bl_label)), operator.bl_label
    assert operator.__name__ == f"COLLISION_KIT_OT_{name}"


@pytest.mark.parametrize("operator", CLASSES, ids=lambda operator: operator.bl_idname)
def test_a_button_is_gray_with_a_reason_in_one_place(operator: type[Operator]) -> None:
    """`poll` and `execute` are those of the base: operators say what is missing and what to run."""
    assert issubclass(operator, Operator)
    assert "poll" not in operator.__dict__ and operator.poll.__func__ is Operator.poll.__func__


def test_a_name_is_in_the_order_of_the_label() -> None:
    assert is_shortened(["export", "gltf"], words("Export glTF with Colliders"))
    assert not is_shortened(["separate"], words("Push Apart"))
    assert not is_shortened(["apart", "push"], words("Push Apart"))
