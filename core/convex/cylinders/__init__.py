# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders in the narrow phase: their facing directions and contact patches."""

from .placed import SIDE, PlacedCylinders

__all__ = ["SIDE", "PlacedCylinders"]
