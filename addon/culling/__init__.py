# SPDX-License-Identifier: GPL-3.0-or-later
"""Culling: which objects the active camera sees, and which are outside its view."""

from typing import TYPE_CHECKING

from ..system.late import modules_of

if TYPE_CHECKING:
    from . import check as check

__getattr__ = modules_of(__name__)
