# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in USD files, as the schemas of UsdPhysics have them, added to what Blender's own exporter writes."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import exporting as exporting
    from . import importing as importing
    from . import library as library

__getattr__ = modules_of(__name__)
