# SPDX-License-Identifier: GPL-3.0-or-later
"""Objects: their settings, placement and selection."""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import choice as choice
    from . import collision_settings as collision_settings
    from . import facts as facts
    from . import moving as moving
    from . import operands as operands
    from . import owners as owners
    from . import saved_keys as saved_keys
    from . import selection as selection
    from . import transforms as transforms
    from . import visibility as visibility

__getattr__ = modules_of(__name__)
