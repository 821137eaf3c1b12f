# SPDX-License-Identifier: GPL-3.0-or-later
"""Cylinders in the narrow phase: how they face other shapes, and where they meet them."""

from .placed import SIDE, PlacedCylinders

__all__ = ["SIDE", "PlacedCylinders"]
