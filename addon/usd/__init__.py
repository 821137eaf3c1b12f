# SPDX-License-Identifier: GPL-3.0-or-later
"""Colliders in USD files by the schemas of UsdPhysics, added to the output of Blender's own exporter."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import exporting as exporting
    from . import importing as importing
    from . import library as library

__getattr__ = modules_of(__name__)
