# SPDX-License-Identifier: GPL-3.0-or-later
"""Meshes as arrays, in edit mode, and as displayed."""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import arrays as arrays
    from . import display_geometry as display_geometry
    from . import edit_mesh as edit_mesh
    from . import geometry as geometry
    from . import text_outlines as text_outlines
    from . import types as types

__getattr__ = modules_of(__name__)
