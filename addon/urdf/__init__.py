# SPDX-License-Identifier: GPL-3.0-or-later
"""Robots in URDF files: links with visual and collision geometry, and joints between them."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import exporting as exporting

__getattr__ = modules_of(__name__)
