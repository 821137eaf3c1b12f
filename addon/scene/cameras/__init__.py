# SPDX-License-Identifier: GPL-3.0-or-later
"""Cameras, and the objects that they see."""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import camera as camera
    from . import camera_view as camera_view

__getattr__ = modules_of(__name__)
