# SPDX-License-Identifier: GPL-3.0-or-later
"""Write scenes with their colliders to other file formats. Each format is an entry of `table.EXPORTS`."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import table as table
    from . import wanted as wanted
    from . import writers as writers

__getattr__ = modules_of(__name__)
