# SPDX-License-Identifier: GPL-3.0-or-later
"""The scene over time: its frames, poses and timeline markers."""

from typing import TYPE_CHECKING

from ...system.late import modules_of

if TYPE_CHECKING:
    from . import frames as frames
    from . import keyed_objects as keyed_objects
    from . import markers as markers
    from . import moving_shapes as moving_shapes
    from . import poses as poses

__getattr__ = modules_of(__name__)
