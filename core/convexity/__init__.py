# SPDX-License-Identifier: GPL-3.0-or-later
"""Convexity of triangle meshes: tests, enclosed volume, and the edges that prevent it."""

from .report import Convexity, Flaw, Solidity, check_convexity, is_convex, solidities, solidity

__all__ = ["Convexity", "Flaw", "Solidity", "check_convexity", "is_convex", "solidities", "solidity"]
