# SPDX-License-Identifier: GPL-3.0-or-later
"""Asset libraries, whose assets are stored at one place: their pairs are folded."""

from pathlib import Path

import bpy
import numpy as np
import pytest

from tests.helpers.blender.asset_scene import box, check_file, checked, faults, folded


@pytest.fixture(autouse=True)
def _empty_file() -> None:
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)


def alternatives(count: int, apart: float = 0.0) -> None:
    """Boxes of different sizes around the origin, or in a row."""
    for number in range(count):
        size = 0.5 + 0.1 * number
        box(f"Car {number}", (-size, -size, 0.01 * number), (size, size, 1.0 + size)).location.x = apart * number


def test_assets_in_one_place_are_one_issue(tmp_path: Path, capfd: pytest.CaptureFixture) -> None:
    alternatives(4)
    box("Far", (9.0, 0.0, 0.0), (10.0, 1.0, 1.0))
    box("Near", (9.5, 0.0, 0.0), (11.0, 1.0, 1.0)).location = (0.0, 0.0, 0.1)
    report = checked()
    assert folded(report) == {"library": 6} and faults(report) == [("Far", "Near")]
    (told,) = [one for one in report.issues if one.id == "asset-library"]
    assert (told.severity, told.object) == ("warning", "Car 0") and "3 other assets" in str(told.message)
    path = tmp_path / "scene.blend"
    bpy.ops.wm.save_as_mainfile(filepath=str(path))
    assert "6 pairs of assets in one place" in check_file(capfd, path)[1]
    assert check_file(capfd, path, "--each-asset")[0] == 0
    assert len(faults(checked(within=True))) == 7


@pytest.mark.parametrize(
    "scene", ["fewer", "apart", "copies", "a moved copy", "a room whose transforms are applied", "a bench with tools"]
)
def test_what_is_no_library(scene: str) -> None:
    if scene == "fewer":
        alternatives(3)
    elif scene == "apart":
        alternatives(5, apart=0.9)
    elif scene == "copies":
        for number in range(5):
            box(f"Wall {number}", (0.0, 0.0, 0.0), (5.0, 0.2, 3.0))
    elif scene == "a moved copy":
        alternatives(3)
        box("Car 3", (-0.6, -0.6, 0.11), (0.6, 0.6, 1.7)).location.x = 0.05
    elif scene == "a bench with tools":
        # Their origins are near each other for their size, and half of the pairs penetrate.
        parts = {
            "Frame": ((-2.7, -5.9, 0.0), (-3.3, -6.5, -4.0), (3.3, 6.5, 4.0)),
            "Top": ((0.0, 0.0, 4.0), (-3.1, -7.0, 3.6), (3.1, 7.0, 4.4)),
            "Back": ((-2.2, -5.8, 5.4), (-3.2, -6.2, 4.3), (-1.2, 6.2, 9.9)),
            "Hammer": ((0.0, -4.7, 4.6), (-0.3, -5.0, 4.3), (1.8, -2.3, 4.7)),
            "Screwdriver": ((0.0, -4.7, 4.6), (-0.6, -5.2, 4.35), (0.5, -4.2, 4.8)),
        }
        for name, (origin, *corners) in parts.items():
            low, high = (tuple(np.subtract(corner, origin).tolist()) for corner in corners)
            box(name, low, high).location = origin
    else:
        box("Floor", (-3.0, -3.0, -0.1), (3.0, 3.0, 0.1))
        for number, (x, y) in enumerate(((-3, 0), (3, 0), (0, -3), (0, 3))):
            box(f"Wall {number}", (x - 0.1 - 3 * (x == 0), y - 0.1 - 3 * (y == 0), 0), (x + 3.1, y + 3.1, 3))
    report = checked()
    assert not report.library and faults(report)
