# SPDX-License-Identifier: GPL-3.0-or-later
"""Texts of the report about outlines are there in Korean."""

import ast
import re
from pathlib import Path

import numpy as np
import pytest

from collision_kit.addon.i18n import lookup
from collision_kit.addon.i18n.catalogs import catalogs
from collision_kit.addon.scene.outlines import outline_issues, outline_maker
from collision_kit.addon.scene.outlines.read_outlines import KINDS
from collision_kit.addon.scene.reading.known_issues import ReadingIssue
from tests.helpers.blender.planar_scene import EIGHT, SQUARE, L, curve, flat_mesh, link, read, wire_mesh

KOREAN = catalogs()["ko_KR"]
HANGUL = re.compile("[가-힣]")
REMARKS = [
    *(value.message for value in vars(outline_issues).values() if isinstance(value, ReadingIssue)),
    outline_issues.self_crossing(np.array([1.25, -3.0, 1e-7])).message,
    outline_issues.spike(np.array([1.25, -3.0, 1e-7])).message,
]


@pytest.fixture(autouse=True)
def korean(monkeypatch: pytest.MonkeyPatch) -> None:
    # Blender as a module has no languages to switch to.
    monkeypatch.setattr(lookup, "pgettext_iface", lambda text, context="*": KOREAN.get((context, text), text))


@pytest.mark.parametrize("sentence", [*REMARKS, *KINDS.values()])
def test_each_issue_and_kind_has_a_korean_name(sentence: str) -> None:
    told = lookup.translated(sentence)
    assert HANGUL.search(told)
    assert not re.search(r"\b(is|was|it|its|the|in|of|no)\b", told), told


def test_the_place_of_a_crossing_stays() -> None:
    assert "(1.25, -3, 1e-07)" in lookup.translated(REMARKS[-1])


def reasons() -> set[str]:
    """The source of an outline according to `outlines`."""
    calls = (node for node in ast.walk(ast.parse(Path(outline_maker.__file__).read_text(encoding="utf-8"))))
    named = (node for node in calls if isinstance(node, ast.Call) and ast.unparse(node.func) == "Message")
    return {ast.literal_eval(node.args[0]) for node in named}


@pytest.mark.usefixtures("scene")
def test_each_reason_that_occurs_has_a_korean_name() -> None:
    flat_mesh("Flat", [SQUARE])
    flat_mesh("Edge-on", [SQUARE], rotation_euler=(1.5707964, 0.0, 0.0))
    curve("Curve", [L])
    curve("Crossing", [EIGHT])
    curve("Open", [L], dimensions="3D", cyclic=False)
    wire_mesh("Ball", [(0, 0, 0), (1, 0, 0), (0, 1, 5)], [(0, 1), (1, 2)])
    tube = curve("Tube", [SQUARE], dimensions="3D")
    tube.data.bevel_depth = 0.1
    import bpy

    text = bpy.data.curves.new("Text", "FONT")
    text.body = "A"
    link("Text", text)
    found = {shape.reason for shape in read().shapes}
    assert reasons() <= found, "every reason occurs"
    for reason in found:
        assert HANGUL.search(lookup.translated(reason)), reason
