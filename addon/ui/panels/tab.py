# SPDX-License-Identifier: GPL-3.0-or-later
"""Where the add-on's panels are: the tab "Collision" of the 3D viewport's sidebar."""

from typing import Any


class CollisionTab:
    """Puts a panel into the tab."""

    # The stubs allow each of these only the one value that `Panel` has.
    bl_space_type: Any = "VIEW_3D"
    bl_region_type: Any = "UI"
    bl_category = "Collision"
