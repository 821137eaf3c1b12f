# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects: their settings, placement and selection."""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import choice as choice
    from . import collision_settings as collision_settings
    from . import directions as directions
    from . import facts as facts
    from . import local_view as local_view
    from . import moving as moving
    from . import operands as operands
    from . import origins as origins
    from . import owners as owners
    from . import placements as placements
    from . import saved_keys as saved_keys
    from . import select_one as select_one
    from . import selection as selection
    from . import some_selected as some_selected
    from . import traits as traits
    from . import visibility as visibility

__getattr__ = modules_of(__name__)
