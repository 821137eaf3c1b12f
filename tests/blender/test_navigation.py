# SPDX-License-Identifier: GPL-3.0-or-later
"""What passes an operator that waits, by where the pointer is; tests of a window have Blender's own keymap."""

from contextlib import nullcontext
from types import SimpleNamespace
from typing import Any

import pytest

from collision_kit.addon.ui.operators.navigation import navigates


class Keymap:
    """The keymap of the 3D view: the middle button turns it, with Shift it moves it; G grabs."""

    def get(self, name: str) -> Any:
        return SimpleNamespace(keymap_items=self) if name == "3D View" else None

    def match_event(self, event: Any) -> Any:
        calls = {"MIDDLEMOUSE": "view3d.move" if event.shift else "view3d.rotate", "G": "transform.translate"}
        name = calls.get(event.type, "")
        return SimpleNamespace(idname=name) if name else None


def place(kind: str, x: int, y: int, width: int, height: int, **more: Any) -> Any:
    return SimpleNamespace(type=kind, x=x, y=y, width=width, height=height, **more)


@pytest.fixture
def window() -> Any:
    """A 3D view 800 pixels wide with its sidebar at the right and a hidden tool bar, and the outliner beside it."""
    regions = [
        place("TOOLS", 0, 0, 1, 0),
        place("UI", 600, 0, 200, 600),
        place("WINDOW", 0, 0, 800, 600),
    ]
    areas = [
        place("VIEW_3D", 0, 0, 800, 600, regions=regions),
        place("OUTLINER", 800, 0, 200, 600, regions=[place("WINDOW", 800, 0, 200, 600)]),
    ]
    keyconfigs = SimpleNamespace(user=SimpleNamespace(keymaps=Keymap()))
    return SimpleNamespace(
        screen=SimpleNamespace(areas=areas),
        window_manager=SimpleNamespace(keyconfigs=keyconfigs),
        temp_override=lambda **_where: nullcontext(),
    )


@pytest.mark.parametrize(
    ("x", "kind", "modifier", "passes"),
    [
        (300, "MIDDLEMOUSE", "", True),
        (300, "MIDDLEMOUSE", "shift", True),
        (300, "G", "", False),
        (300, "LEFTMOUSE", "", False),
        (300, "MOUSEMOVE", "", False),
        # In the sidebar the wheel scrolls, and with Ctrl it changes the number under the pointer.
        (700, "WHEELUPMOUSE", "", True),
        (700, "WHEELUPMOUSE", "ctrl", False),
        (700, "LEFTMOUSE", "", False),
        (900, "WHEELDOWNMOUSE", "", True),
        (900, "G", "", False),
        (1100, "MIDDLEMOUSE", "", False),
    ],
)
def test_only_what_looks_around_passes(window: Any, x: int, kind: str, modifier: str, passes: bool) -> None:
    modifiers = {name: name == modifier for name in ("alt", "ctrl", "oskey", "shift")}
    assert navigates(window, SimpleNamespace(type=kind, mouse_x=x, mouse_y=300, **modifiers)) == passes
