# SPDX-License-Identifier: GPL-3.0-or-later
"""Viewpoints of the 3D views of the open windows."""

from collections.abc import Sequence
from typing import Any

import bpy
import numpy as np


def looks() -> list[Any]:
    """The viewpoints of all 3D views."""
    areas = [area for window in bpy.context.window_manager.windows for area in window.screen.areas]
    return [area.spaces.active.region_3d for area in areas if area.type == "VIEW_3D"]


def beside_axis(look: Any, point: Sequence[float]) -> float:
    """Return how far a point is from the axis of a view, as a share of the view's distance.

    Infinite if it is not in the plane through the place that the view turns around.
    """
    rotation = np.array(look.view_rotation.to_matrix(), np.float64)
    aside, above, before = rotation.T @ (np.array(point, np.float64) - np.array(look.view_location, np.float64))
    distance = float(look.view_distance)
    return float(np.hypot(aside, above)) / distance if abs(before) < 1e-4 * distance else np.inf
