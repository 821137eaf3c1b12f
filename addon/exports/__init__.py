# SPDX-License-Identifier: GPL-3.0-or-later
"""Scenes with their colliders, written to files of other formats: each format is one entry of `table.EXPORTS`."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import table as table
    from . import wanted as wanted
    from . import writers as writers

__getattr__ = modules_of(__name__)
